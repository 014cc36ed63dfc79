//! The comments of a baseline: why something is accepted is worth keeping when the file is
//! written anew. Comments are found in files of the form that we write, an entry a line; where
//! somebody has given the file another form (flow style), they may be lost, and nothing else.

use std::collections::BTreeMap;

/// Where a comment belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place<'p> {
    /// The line of a key of the file.
    Top(&'p str),
    /// The line of a file's name.
    File(&'p str),
    /// The line of a placeholder in a file.
    Entry(&'p str, &'p str),
    /// Behind all lines.
    End,
}

/// The comments of a file.
#[derive(Debug, Default)]
pub(super) struct Comments {
    above: BTreeMap<String, Vec<String>>,
    behind: BTreeMap<String, String>,
}

impl Comments {
    /// Finds the comments in a text.
    pub(super) fn of(text: &str) -> Comments {
        let mut comments = Comments::default();
        let mut pending = Vec::new();
        let mut file = String::new();
        // How far the names of files are indented: as far as the first of them.
        let mut depth = None;
        for line in text.lines() {
            let content = line.trim_start();
            if content.starts_with('#') {
                pending.push(content.trim_end().to_owned());
                continue;
            }
            let Some((key, rest)) = key(content) else {
                continue;
            };
            let indent = line.len() - content.len();
            let place = if indent == 0 {
                Place::Top(&key)
            } else if indent <= *depth.get_or_insert(indent) {
                file.clone_from(&key);
                Place::File(&key)
            } else {
                Place::Entry(&file, &key)
            };
            if let Some(comment) = trailing(rest) {
                comments.behind.insert(id(place), comment.to_owned());
            }
            if !pending.is_empty() {
                comments
                    .above
                    .insert(id(place), std::mem::take(&mut pending));
            }
        }
        if !pending.is_empty() {
            comments.above.insert(id(Place::End), pending);
        }
        comments
    }

    /// Whether there is none at all.
    pub(super) fn are_empty(&self) -> bool {
        self.above.is_empty() && self.behind.is_empty()
    }

    /// The comments in the lines above a place.
    pub(super) fn above(&self, place: Place<'_>) -> &[String] {
        self.above.get(&id(place)).map_or(&[], Vec::as_slice)
    }

    /// The comment behind what stands at a place.
    pub(super) fn behind(&self, place: Place<'_>) -> Option<&str> {
        self.behind.get(&id(place)).map(String::as_str)
    }
}

/// A place as one string; NUL stands in no path.
fn id(place: Place<'_>) -> String {
    match place {
        Place::Top(key) => format!("\0{key}"),
        Place::File(file) => file.to_owned(),
        Place::Entry(file, placeholder) => format!("{file}\0{placeholder}"),
        Place::End => "\0\0".to_owned(),
    }
}

/// The key of a line, and what follows its colon.
fn key(content: &str) -> Option<(String, &str)> {
    let end = quoted(content).or_else(|| content.find(':'))?;
    let (key, rest) = content.split_at_checked(end)?;
    Some((
        serde_yaml::from_str(key).ok()?,
        rest.trim_start().strip_prefix(':')?,
    ))
}

/// The comment behind a value, which may hold a `#` itself.
fn trailing(value: &str) -> Option<&str> {
    let value = value.trim();
    let rest = value.get(quoted(value).unwrap_or(0)..)?;
    let at = if rest.starts_with('#') {
        0
    } else {
        rest.find(" #")?
    };
    Some(rest.get(at..)?.trim_start())
}

/// The length of the string in quotes that a text begins with, if it does.
fn quoted(text: &str) -> Option<usize> {
    let quote = *text
        .as_bytes()
        .first()
        .filter(|&byte| b"\"'".contains(byte))?;
    let escapes = quote == b'"';
    let mut bytes = text.bytes().enumerate().skip(1).peekable();
    while let Some((at, byte)) = bytes.next() {
        if escapes && byte == b'\\' {
            bytes.next();
        } else if byte == quote {
            // In single quotes, two of them are one.
            if escapes || bytes.next_if(|&(_, next)| next == quote).is_none() {
                return Some(at + 1);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# head
# of the file
version: 1 # one
key: \"a # b\"
accepted:

  # why this file
  'it''s # a.txt': # here
    # why this
    \"[[EMAIL_3cdd8ba8]]\": 2   # and that
    \"[[IP_3cdd8ba8]]\": 1
  \"b\\\" # \":
    [[EMAIL_3cdd8ba8]]: 1
  # the last
";

    #[test]
    fn each_comment_has_its_place() {
        let comments = Comments::of(TEXT);
        assert_eq!(
            comments.above(Place::Top("version")),
            ["# head", "# of the file"]
        );
        assert_eq!(comments.behind(Place::Top("version")), Some("# one"));
        assert_eq!(comments.behind(Place::Top("key")), None);
        let file = "it's # a.txt";
        assert_eq!(comments.above(Place::File(file)), ["# why this file"]);
        assert_eq!(comments.behind(Place::File(file)), Some("# here"));
        let entry = Place::Entry(file, "[[EMAIL_3cdd8ba8]]");
        assert_eq!(comments.above(entry), ["# why this"]);
        assert_eq!(comments.behind(entry), Some("# and that"));
        assert_eq!(comments.behind(Place::Entry(file, "[[IP_3cdd8ba8]]")), None);
        assert_eq!(comments.behind(Place::File("b\" # ")), None);
        assert_eq!(comments.above(Place::End), ["# the last"]);
        assert!(Comments::of("a: 1\n").are_empty());
    }

    #[test]
    fn odd_lines_have_none() {
        for text in ["\"", "'a", "\"a\\", ":", "- a", "\"a\" b: # c", "é"] {
            let _ = Comments::of(text);
        }
        assert!(Comments::of("\"a\" b: # c\n'x # y").are_empty());
    }
}
