//! Request bodies of LLM providers: every position that reaches the model is filtered, and what
//! must reach the provider as it is, does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use nymize::{Api, Key, Pseudonymizer};
use serde_json::Value;

fn engine(api: Api) -> Pseudonymizer {
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .api(api)
        .build()
        .expect("no setting is wrong")
}

fn bodies() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bodies");
    let mut bodies: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a readable file");
            (path, text)
        })
        .collect();
    bodies.sort();
    assert!(bodies.len() >= 7, "one for each API");
    bodies
}

/// The addresses of `text` that begin with `word`: `plant-…` and `keep-…`.
fn addresses<'t>(text: &'t str, word: &str) -> BTreeSet<&'t str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "-@.".contains(c)))
        .filter(|part| part.starts_with(word) && part.contains('@'))
        .collect()
}

#[test]
fn planted_values_go_and_kept_ones_stay() {
    for (path, body) in bodies() {
        let filtered = engine(Api::Auto).filter(&body).into_owned();
        serde_json::from_str::<Value>(&filtered).expect("JSON stays JSON");
        let (planted, kept) = (addresses(&body, "plant"), addresses(&body, "keep"));
        assert!(
            planted.len() >= 5 && kept.len() >= 5,
            "{}: {planted:?} {kept:?}",
            path.display()
        );
        assert_eq!(
            addresses(&filtered, "plant"),
            BTreeSet::new(),
            "{}: sent",
            path.display()
        );
        let lost: Vec<_> = kept
            .difference(&addresses(&filtered, "keep"))
            .copied()
            .collect();
        assert_eq!(lost, Vec::<&str>::new(), "{}: changed", path.display());
    }
}

#[test]
fn without_the_rules_everything_is_filtered() {
    for (path, body) in bodies() {
        let filtered = engine(Api::None).filter(&body).into_owned();
        serde_json::from_str::<Value>(&filtered).expect("JSON stays JSON");
        for word in ["plant", "keep"] {
            assert_eq!(
                addresses(&filtered, word),
                BTreeSet::new(),
                "{}",
                path.display()
            );
        }
    }
}
