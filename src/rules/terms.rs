//! The terms of a pack: words that are found as they are.
//!
//! `CODENAME: [Apollo, Zeus]`, or with what else there is to say of them
//! `CODENAME: {words: [Apollo, Zeus], case: ignore, description: …}`.

use std::collections::BTreeMap;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;

use super::field::Problems;
use super::rule::{Draft, kind};
use crate::detect::custom::{MAX_LEN, Terms};
use crate::scan;
use crate::yaml::{Node, Problem, Value};

/// The shortest term that does not stand in every second text by chance, in characters.
const SHORT: usize = 4;

/// What the terms of one text share.
#[derive(Default)]
pub(super) struct Reader {
    /// The line of each term that was read.
    seen: BTreeMap<String, u64>,
    pub(super) warnings: Vec<Problem>,
}

impl Reader {
    /// Reads the terms of a TYPE, `most` at the most.
    pub(super) fn read(&mut self, name: &Node, node: &Node, most: usize) -> Draft<Terms> {
        let mut draft = Draft::new(name.place);
        draft.kind = kind(&mut draft.problems, name);
        let (list, any_case) = match &node.value {
            Value::Map(_) => {
                let [words, case, description] = draft
                    .problems
                    .fields(node, ["words", "case", "description"]);
                draft.describe(description);
                let case = case.and_then(|case| draft.problems.word(case, &["exact", "ignore"]));
                if words.is_none() {
                    draft.problems.note(node.place, "words is missing");
                }
                (words, case == Some("ignore"))
            }
            _ => (Some(node), false),
        };
        let items = list.map_or(&[][..], |list| draft.problems.items(list, most));
        if let (Some(list), []) = (list, items)
            && draft.problems.0.is_empty()
        {
            draft.problems.note(list.place, "no term stands here");
        }
        let words: Vec<String> = items
            .iter()
            .filter_map(|item| self.word(item, &mut draft.problems))
            .collect();
        draft.examples = words.len();
        if let (Some(kind), true) = (draft.kind, draft.problems.0.is_empty()) {
            draft.made = Some(Arc::new(Terms {
                kind,
                words,
                any_case,
            }));
        }
        draft
    }

    /// One term, in the one spelling that is hashed.
    fn word(&mut self, item: &Node, problems: &mut Problems) -> Option<String> {
        let text = problems.text(item, MAX_LEN)?;
        let word: String = scan::plain(text).nfc().collect();
        let characters = word.chars().count();
        let refused = if word.trim() != word || word.contains(char::is_control) {
            Some("a term has no white space around it, and no control characters or escapes in it")
        } else if characters < 2 || word.len() > MAX_LEN {
            Some("a term has at least two characters, and at most 256 bytes")
        } else {
            None
        };
        if let Some(what) = refused {
            problems.note(item.place, what);
            return None;
        }
        if let Some(line) = self.seen.insert(word.clone(), item.place.line) {
            problems.note(
                item.place,
                format!("this term stands in line {line} already"),
            );
            return None;
        }
        if characters < SHORT {
            self.warnings.push(Problem {
                place: item.place,
                what: format!("a term of under {SHORT} characters may be found in many places"),
            });
        }
        Some(word)
    }
}
