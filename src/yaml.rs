//! YAML as a tree of nodes that know where they stand, so that what is found wrong later has a place.
//!
//! Every scalar is a text: `1984` and `yes` are words like any other. Refused on purpose: anchors,
//! aliases and tags (nothing here needs them, and a few lines of them can unfold into gigabytes),
//! several documents, and the same key twice.

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use crate::error::{Error, ErrorKind};

/// A place in a text: line and column from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Place {
    /// An error at this place of a file.
    pub(crate) fn error(self, file: &str, what: impl Into<String>) -> Error {
        Error::new(ErrorKind::Place {
            file: file.to_owned(),
            line: self.line,
            column: self.column,
            what: what.into(),
        })
    }
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    pub(crate) place: Place,
    pub(crate) what: String,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

#[derive(Debug)]
pub(crate) enum Value {
    Text(Text),
    List(Vec<Node>),
    /// In the order of the text.
    Map(Vec<(Node, Node)>),
}

#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// Whether it is written without quotes, and not in a block, so that other programs may take it
    /// for a number or the like.
    pub(crate) plain: bool,
    /// How many characters stand between the node's place and its text, where the text is written on
    /// one line and character by character.
    as_written: Option<u64>,
}

/// How deep nodes may nest: a pack has four levels.
const DEPTH: usize = 16;

/// The only document of `yaml`; an empty one is an empty map.
pub(crate) fn parse(yaml: &str) -> Result<Node, Problem> {
    let start = Place { line: 1, column: 1 };
    let mut root = None;
    let mut open: Vec<Node> = Vec::new();
    for event in Parser::new_from_str(yaml) {
        let (event, span) = event.map_err(|error| {
            let place = place(error.marker().line(), error.marker().col());
            let what = "this is not YAML; look at quotes, colons and indentation, here and before";
            problem(place, what)
        })?;
        let at = place(span.start.line(), span.start.col());
        let value = match event {
            Event::Scalar(text, style, 0, None) => Value::Text(Text {
                plain: style == ScalarStyle::Plain,
                as_written: as_written(style, &span),
                text: text.into_owned(),
            }),
            Event::SequenceStart(0, None) => Value::List(Vec::new()),
            Event::MappingStart(0, None) => Value::Map(Vec::new()),
            Event::Alias(_)
            | Event::Scalar(..)
            | Event::SequenceStart(..)
            | Event::MappingStart(..) => {
                return Err(problem(at, "anchors, aliases and tags are not read here"));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                close(&mut open, &mut root);
                continue;
            }
            Event::DocumentStart(_) if root.is_some() => {
                return Err(problem(at, "a second document is not read here"));
            }
            _ => continue,
        };
        let container = !matches!(value, Value::Text(_));
        open.push(Node { place: at, value });
        if open.len() > DEPTH {
            return Err(problem(at, "this nests too deeply"));
        }
        if !container {
            close(&mut open, &mut root);
        }
    }
    let mut root = root.unwrap_or(Node {
        place: start,
        value: Value::Map(Vec::new()),
    });
    if matches!(&root.value, Value::Text(text) if text.text.is_empty()) {
        root.value = Value::Map(Vec::new());
    }
    unique_keys(&root)?;
    Ok(root)
}

/// Ends the innermost open node, and puts it where it belongs. A map's keys and values come in turn: a
/// key without its value is kept beside itself as a value that is an empty list.
fn close(open: &mut Vec<Node>, root: &mut Option<Node>) {
    let Some(node) = open.pop() else {
        return;
    };
    match open.last_mut().map(|parent| &mut parent.value) {
        None => *root = Some(node),
        Some(Value::List(items)) => items.push(node),
        Some(Value::Map(entries)) => match entries.last_mut() {
            Some((_, value)) if value.place == NOWHERE => *value = node,
            _ => {
                let value = Node {
                    place: NOWHERE,
                    value: Value::List(Vec::new()),
                };
                entries.push((node, value));
            }
        },
        // Texts are closed as soon as they are opened.
        Some(Value::Text(_)) => {}
    }
}

/// The place of a value that has not been read yet.
const NOWHERE: Place = Place { line: 0, column: 0 };

fn unique_keys(node: &Node) -> Result<(), Problem> {
    match &node.value {
        Value::Text(_) => Ok(()),
        Value::List(items) => items.iter().try_for_each(unique_keys),
        Value::Map(entries) => {
            let mut seen = std::collections::BTreeSet::new();
            for (key, value) in entries {
                let Value::Text(text) = &key.value else {
                    return Err(problem(key.place, "a key must be a text"));
                };
                if !seen.insert(&text.text) {
                    let what = format!("{} stands here a second time", named(&text.text));
                    return Err(problem(key.place, &what));
                }
                unique_keys(value)?;
            }
            Ok(())
        }
    }
}

/// A key as messages name it: in quotes, or not at all where it may be a value that has slipped.
pub(crate) fn named(key: &str) -> String {
    let is_name = key.len() <= 32
        && key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    if is_name {
        format!("key `{key}`")
    } else {
        "key".to_owned()
    }
}

fn place(line: usize, column: usize) -> Place {
    Place {
        line: line as u64,
        column: column as u64 + 1,
    }
}

fn problem(place: Place, what: &str) -> Problem {
    Problem {
        place,
        what: what.to_owned(),
    }
}

fn as_written(style: ScalarStyle, span: &Span) -> Option<u64> {
    match style {
        _ if span.start.line() != span.end.line() => None,
        ScalarStyle::Plain => Some(0),
        ScalarStyle::SingleQuoted => Some(1),
        _ => None,
    }
}

impl Node {
    /// The place of a character of a text; of the node where the text is written otherwise.
    pub(crate) fn place_of(&self, character: usize) -> Place {
        let Place { line, column } = self.place;
        let Value::Text(Text {
            text,
            as_written: Some(before),
            ..
        }) = &self.value
        else {
            return self.place;
        };
        // In single quotes, a quote is written twice.
        let quotes = text
            .chars()
            .take(character)
            .filter(|&c| *before == 1 && c == '\'');
        let column = column + before + character as u64 + quotes.count() as u64;
        Place { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(node: &Node) -> String {
        let inner = match &node.value {
            Value::Text(text) => format!("{:?}", text.text),
            Value::List(items) => format!(
                "[{}]",
                items.iter().map(shape).collect::<Vec<_>>().join(" ")
            ),
            Value::Map(entries) => {
                let entry =
                    |(key, value): &(Node, Node)| format!("{}: {}", shape(key), shape(value));
                format!(
                    "{{{}}}",
                    entries.iter().map(entry).collect::<Vec<_>>().join(", ")
                )
            }
        };
        format!("{}:{}{inner}", node.place.line, node.place.column)
    }

    #[test]
    fn nodes_know_their_places() {
        assert_eq!(
            shape(&parse("é: [1984, strip: \" -\"]\nb:\n  - yes\n  - {c: }\n").unwrap()),
            "1:1{1:1\"é\": 1:4[1:5\"1984\" 1:11{1:11\"strip\": 1:18\" -\"}], \
             2:1\"b\": 3:3[3:5\"yes\" 4:5{4:6\"c\": 4:7\"\"}]}"
        );
        for empty in ["", "# nothing\n", "---\n", "\u{feff}"] {
            assert!(
                matches!(parse(empty).unwrap().value, Value::Map(entries) if entries.is_empty()),
                "{empty:?}"
            );
        }
    }

    #[test]
    fn a_character_of_a_text_has_a_place() {
        for (yaml, column) in [
            ("p: abcd", 6),
            ("p: 'abcd'", 7),
            ("p: 'a''cd'", 8),
            ("p: \"abcd\"", 4),
            ("p: 'ab\n cd'", 4),
        ] {
            let Value::Map(entries) = parse(yaml).unwrap().value else {
                panic!("{yaml}");
            };
            let character = if yaml.contains("''") { 3 } else { 2 };
            assert_eq!(
                entries[0].1.place_of(character),
                Place {
                    line: 1,
                    column: column + u64::from(character == 3)
                },
                "{yaml}"
            );
        }
    }

    #[test]
    fn what_is_refused_has_a_place_and_quotes_nothing() {
        let deep = "[".repeat(30);
        for (yaml, line, column) in [
            ("a: &x 1", 1, 4),
            ("a: !!str 1", 1, 4),
            ("a: 1\nsecret: 2\na: 3", 3, 1),
            ("a: 1\n--- \nb: 2", 2, 1),
            ("{a: secret", 2, 1),
            ("a: 'secret", 1, 4),
            ("[secret]: 1", 1, 1),
            (deep.as_str(), 1, 17),
        ] {
            let problem = parse(yaml).unwrap_err();
            let short = yaml.get(..20).unwrap_or(yaml);
            assert_eq!(
                (problem.place.line, problem.place.column),
                (line, column),
                "{short}: {}",
                problem.what
            );
            assert!(!problem.what.contains("secret"));
        }
    }

    #[test]
    fn any_text_is_read_or_refused() {
        let signs = [
            "a", ":", " ", "\n", "-", "[", "]", "{", "}", "'", "\"", "|", ">", "#", ",", "?", "\t",
            "é", "%", "&", "*", "!",
        ];
        let mut state = 1_u32;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text += signs[state as usize / 65_536 % signs.len()];
            }
            let _ = parse(&text);
        }
    }
}
