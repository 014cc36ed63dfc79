//! Strict reading of nodes: what a map may hold, and how much of it. Each problem is noted with its
//! place; what was read goes on, so that an author sees all of them at once.

use crate::near::near;
use crate::yaml::{Node, Place, Problem, Value};

/// The problems of a text so far.
#[derive(Debug, Default)]
pub(super) struct Problems(pub(super) Vec<Problem>);

impl Problems {
    pub(super) fn note(&mut self, place: Place, what: impl Into<String>) {
        let what = what.into();
        self.0.push(Problem { place, what });
    }

    /// The entries of a map that may hold the `known` keys alone, in the order of `known`.
    pub(super) fn fields<'n, const N: usize>(
        &mut self,
        node: &'n Node,
        known: [&str; N],
    ) -> [Option<&'n Node>; N] {
        let mut fields = [None; N];
        for (name, key, value) in self.entries(node) {
            match known.iter().position(|known| *known == name) {
                Some(i) => fields[i] = Some(value),
                None => {
                    let near = near(name, &known);
                    let hint = near
                        .first()
                        .map_or(format!("known are {}", known.join(", ")), |near| {
                            format!("did you mean {near}?")
                        });
                    self.note(key.place, format!("unknown key {}; {hint}", shown(name)));
                }
            }
        }
        fields
    }

    /// The entries of a map: name, key and value.
    pub(super) fn entries<'n>(&mut self, node: &'n Node) -> Vec<(&'n str, &'n Node, &'n Node)> {
        let Value::Map(entries) = &node.value else {
            self.note(node.place, "keys and values must stand here");
            return Vec::new();
        };
        entries
            .iter()
            .filter_map(|(key, value)| match &key.value {
                Value::Text(name) => Some((name.text.as_str(), key, value)),
                _ => None,
            })
            .collect()
    }

    /// The items of a list of at most `most`.
    pub(super) fn items<'n>(&mut self, node: &'n Node, most: usize) -> &'n [Node] {
        let Value::List(items) = &node.value else {
            self.note(node.place, "a list must stand here");
            return &[];
        };
        if let Some(first) = items.get(most) {
            self.note(
                first.place,
                format!("this list is too long: it may hold {most}"),
            );
        }
        &items[..items.len().min(most)]
    }

    /// A text of one to `most` characters.
    pub(super) fn text<'n>(&mut self, node: &'n Node, most: usize) -> Option<&'n str> {
        let Value::Text(text) = &node.value else {
            self.note(node.place, "a text must stand here");
            return None;
        };
        if text.text.is_empty() {
            self.note(node.place, "this is empty");
            return None;
        }
        if text.text.chars().count() > most {
            self.note(
                node.place,
                format!("this is too long: it may have {most} characters"),
            );
            return None;
        }
        Some(&text.text)
    }

    /// One of some words.
    pub(super) fn word<'k>(&mut self, node: &Node, known: &[&'k str]) -> Option<&'k str> {
        let text = self.text(node, usize::MAX)?;
        let word = known.iter().copied().find(|word| *word == text);
        if word.is_none() {
            let near = near(text, known);
            let meant = near
                .first()
                .map_or(String::new(), |near| format!("; did you mean {near}?"));
            self.note(
                node.place,
                format!("one of {} must stand here{meant}", known.join(", ")),
            );
        }
        word
    }
}

/// A key as a message shows it: no longer than a key is, and nothing that a terminal would obey.
fn shown(name: &str) -> String {
    let short: String = name.chars().take(40).collect();
    format!("{short:?}")
}
