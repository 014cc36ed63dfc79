//! Word lists in YAML, as const tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use regex::Regex;
use serde_yaml::Value;

/// What a word may be: letters, with their signs, in any script.
const WORD: &str = r"^[\p{L}\p{M}][\p{L}\p{M}._/-]*$";

/// The lists of `yaml`, sorted, as Rust.
///
/// # Panics
/// For a file that is no mapping of names to `about` and `words`, a word that is none, or one that
/// stands twice: the build must not go on.
pub(crate) fn tables(yaml: &str) -> String {
    let lists: BTreeMap<String, Value> = serde_yaml::from_str(yaml).expect("words.yaml is YAML");
    let shape = Regex::new(WORD).expect("a pattern");
    let mut out = String::new();
    for (name, list) in lists {
        let about = list["about"].as_str().expect("about what the list is");
        let words = list["words"].as_sequence().expect("a list of words");
        let mut sorted = BTreeSet::new();
        for word in words {
            let word = word.as_str().expect("a word in quotes");
            assert!(shape.is_match(word), "{name}: {word:?} is no word");
            assert!(
                word.to_lowercase() == word,
                "{name}: {word:?} is not in lower case"
            );
            assert!(sorted.insert(word), "{name}: {word:?} stands twice");
        }
        let constant = name.to_uppercase();
        writeln!(
            out,
            "/// {about}\npub(super) const {constant}: &[&str] = &{sorted:?};"
        )
        .expect("a string takes all");
    }
    // A set is written in braces, a list in brackets.
    out.replace("&{", "&[").replace("};", "];")
}
