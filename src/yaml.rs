//! YAML as a tree whose nodes know their places, for files that people write and that are read
//! strictly.
//!
//! Refused on purpose: aliases and anchors (a few of them make a huge tree), tags, more than one
//! document, keys that are no scalars, the same key twice. A scalar is the text that stands there:
//! what reads it decides whether `10` is a number. Messages never quote the text.

use std::collections::HashSet;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use crate::error::{Error, ErrorKind};

/// The deepest nesting of lists and mappings.
const MAX_DEPTH: usize = 32;

/// A line and a column, in characters, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl From<&Marker> for Place {
    fn from(marker: &Marker) -> Place {
        Place {
            line: marker.line() as u64,
            column: marker.col() as u64 + 1,
        }
    }
}

/// A scalar, a list or a mapping, and where it begins.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) content: Content,
}

/// What a node is.
#[derive(Debug)]
pub(crate) enum Content {
    /// `plain`: without quotes, and not in a block, so that it may stand for something else than text.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<Node>),
    /// Keys are scalars, and all different.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether nothing stands there, or `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.content, Content::Scalar { text, plain: true }
            if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
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

/// The tree of a text; nothing for a text that holds no more than comments.
///
/// # Errors
/// With the place, for what is no YAML, and for what is refused.
pub(crate) fn read(text: &str, file: &str) -> Result<Option<Node>, Error> {
    let mut builder = Builder {
        file,
        open: Vec::new(),
        root: None,
    };
    let mut documents = 0;
    let mut parser = Parser::new_from_str(text);
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| {
            Place::from(error.marker()).error(
                file,
                "this is no YAML; look at the quotes, colons and indentation here and before",
            )
        })?;
        let place = Place::from(&span.start);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                builder.refuse(place, anchor, tag.is_some())?;
                let plain = style == ScalarStyle::Plain;
                let text = text.into_owned();
                let content = Content::Scalar { text, plain };
                builder.add(Node { place, content })?;
            }
            Event::SequenceStart(anchor, tag) => {
                builder.refuse(place, anchor, tag.is_some())?;
                builder.begin(place, Content::List(Vec::new()))?;
            }
            Event::MappingStart(anchor, tag) => {
                builder.refuse(place, anchor, tag.is_some())?;
                builder.begin(place, Content::Map(Vec::new()))?;
            }
            Event::SequenceEnd | Event::MappingEnd => builder.end()?,
            Event::Alias(_) => return Err(place.error(file, ALIASES)),
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(place.error(file, "a second document begins here; write one"));
                }
            }
            Event::DocumentEnd | Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
    }
    // An empty document is told as an empty scalar.
    Ok(builder.root.filter(|root| !root.is_null()))
}

const ALIASES: &str = "anchors and aliases are not read; write out what is meant";

/// A list or mapping that is not finished.
struct Open {
    node: Node,
    /// The key whose value comes next.
    key: Option<Node>,
    keys: HashSet<String>,
}

struct Builder<'f> {
    file: &'f str,
    open: Vec<Open>,
    root: Option<Node>,
}

impl Builder<'_> {
    fn refuse(&self, place: Place, anchor: usize, tagged: bool) -> Result<(), Error> {
        if anchor != 0 {
            return Err(place.error(self.file, ALIASES));
        }
        if tagged {
            return Err(place.error(self.file, "tags are not read"));
        }
        Ok(())
    }

    fn begin(&mut self, place: Place, content: Content) -> Result<(), Error> {
        if self.open.len() == MAX_DEPTH {
            return Err(place.error(self.file, "this is nested too deep"));
        }
        let node = Node { place, content };
        self.open.push(Open {
            node,
            key: None,
            keys: HashSet::new(),
        });
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        match self.open.pop() {
            Some(done) => self.add(done.node),
            None => Ok(()),
        }
    }

    /// Puts a finished node where it belongs.
    fn add(&mut self, node: Node) -> Result<(), Error> {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut open.node.content {
            Content::List(items) => items.push(node),
            Content::Map(entries) => match open.key.take() {
                Some(key) => entries.push((key, node)),
                None => {
                    let Some(text) = node.text().filter(|_| !node.is_null()) else {
                        return Err(node.place.error(self.file, "a key must be a word"));
                    };
                    if !open.keys.insert(text.to_owned()) {
                        let what = format!("{} stands here a second time", named(text));
                        return Err(node.place.error(self.file, what));
                    }
                    open.key = Some(node);
                }
            },
            Content::Scalar { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn error(text: &str) -> String {
        read(text, "f").unwrap_err().to_string()
    }

    #[test]
    fn nodes_know_their_places() {
        let root = read("# é\n\na: [b, 'c']\né: {x: |\n", "f");
        assert!(root.is_err());
        let root = read("# é\n\na: [b, 'ç']\né:\n  x: 1 # é\n", "f")
            .unwrap()
            .unwrap();
        let Content::Map(entries) = &root.content else {
            panic!("a mapping");
        };
        let (key, value) = &entries[0];
        assert_eq!((key.place.line, key.place.column), (3, 1));
        assert_eq!((value.place.line, value.place.column), (3, 4));
        let Content::List(items) = &value.content else {
            panic!("a list");
        };
        assert!(matches!(&items[0].content, Content::Scalar { text, plain: true } if text == "b"));
        assert!(matches!(&items[1].content, Content::Scalar { text, plain: false } if text == "ç"));
        assert_eq!((items[1].place.line, items[1].place.column), (3, 8));
        let Content::Map(inner) = &entries[1].1.content else {
            panic!("a mapping");
        };
        assert_eq!((inner[0].1.place.line, inner[0].1.place.column), (5, 6));
    }

    #[test]
    fn a_byte_order_mark_moves_nothing() {
        let root = read("\u{feff}a: b\n", "f").unwrap().unwrap();
        let Content::Map(entries) = &root.content else {
            panic!("a mapping");
        };
        assert_eq!(entries[0].0.text(), Some("a"));
        assert_eq!(entries[0].0.place.line, 1);
    }

    #[test]
    fn texts_without_content() {
        for text in ["", "\n", "# only this\n", "---\n", "---\n...\n", "~\n"] {
            assert!(read(text, "f").unwrap().is_none(), "{text:?}");
        }
        assert!(read("''", "f").unwrap().is_some());
    }

    #[test]
    fn what_is_refused_is_told_with_its_place() {
        for (text, said) in [
            ("a: 1\nb: [secret", "f:"),
            ("a: 1\na: 2", "f:2:1: key `a` stands here a second time"),
            (
                "jan@x.nl: 1\njan@x.nl: 2",
                "f:2:1: key stands here a second time",
            ),
            ("a: &x 1", "f:1:4: anchors"),
            ("a: *x", "f:1:4:"),
            ("a: !!str 1", "f:1:4: tags"),
            ("a: 1\n---\nb: 2", "f:2:1: a second document"),
            ("[a]: 1", "f:1:1: a key must be a word"),
            ("? \n: 1", "f:"),
            ("a:\n\tb: 1", "f:"),
        ] {
            let error = error(text);
            assert!(error.contains(said), "{error}");
            assert!(
                !error.contains("secret") && !error.contains("jan"),
                "{error}"
            );
        }
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        assert!(error(&deep).contains("nested too deep"));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[ \\-\\[\\]{}:,#&*!|>'\"%@`?~a-c\n\té\u{feff}\u{85}.]{0,60}") {
            let _ = read(&text, "f");
        }
    }
}
