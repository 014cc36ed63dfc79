//! The examples of a rule, by the engine itself: the rule alone, with everything that a text goes
//! through on its way.

use std::sync::Arc;

use super::field::Problems;
use crate::detect::custom::{Checksum, Rule};
use crate::kind::Kinds;
use crate::pseudonym::Key;
use crate::pseudonymizer::Pseudonymizer;
use crate::view::Format;
use crate::yaml::Node;

/// Notes each example in which the rule finds nothing, and each counter-example in which it finds
/// something.
pub(super) fn check(
    rule: &Rule,
    examples: &[(&Node, &str)],
    counter_examples: &[(&Node, &str)],
    problems: &mut Problems,
) {
    if examples.is_empty() && counter_examples.is_empty() {
        return;
    }
    let Some(engine) = engine(rule, |_| {}) else {
        return;
    };
    for (node, text) in examples {
        if engine.find(text).is_empty() {
            problems.note(
                node.place,
                format!(
                    "the rule finds nothing in this example{}",
                    reason(rule, text)
                ),
            );
        }
    }
    for (node, text) in counter_examples {
        if !engine.find(text).is_empty() {
            problems.note(
                node.place,
                "the rule finds something in this counter-example",
            );
        }
    }
}

/// Why a rule finds nothing where its pattern alone would.
fn reason(rule: &Rule, text: &str) -> &'static str {
    let finds =
        |change: fn(&mut Rule)| engine(rule, change).is_some_and(|e| !e.find(text).is_empty());
    if finds(|rule| rule.keywords.clear()) {
        ": no keyword stands before it"
    } else if finds(|rule| rule.checksum = Checksum::None) {
        ": the check digits are wrong"
    } else {
        ""
    }
}

/// An engine that looks for a rule alone.
fn engine(rule: &Rule, change: impl FnOnce(&mut Rule)) -> Option<Pseudonymizer> {
    let mut rule = rule.clone();
    change(&mut rule);
    // Nothing is hashed with this key.
    Pseudonymizer::builder(Key::from_bytes([0; 32]))
        .kinds(Kinds::NONE.with(rule.kind))
        .format(Format::Text)
        .custom([Arc::new(rule)], [])
        .build()
        .ok()
}
