//! Paths into a JSON document, as the tables write them.
//!
//! # Syntax
//! ```text
//! path      = [ step *( "." step ) ] [ end ]
//! step      = keys *( "[*]" | "[" index "]" | "[?" test "]" )
//! keys      = "*" | "**" | key *( "|" key )          key may begin with "*": any key that ends so
//! test      = "*" | [ "!" ] keys | key "=" value *( "|" value )
//! end       = ".." | "~" | [ "^" prefix ] [ "!" [ keys ] ]
//! ```
//! `**` is any number of levels. `[*]` is each element of an array, or the value itself where it
//! is none; `[?…]` likewise, where the object passes the test: it has one of the keys, or none of
//! them (`!`), or a key with one of the values; `[?*]` is any object. A path without an end names a string or number;
//! `..` names all that lies below; `~` names a tool's JSON Schema, all but what people read in it.
//! `^` asks how the string begins. `!` says that it is a payload in base64, and which key beside
//! it tells the media type (none: it is a `data:` URL).

/// A path.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) steps: Vec<Step>,
    pub(super) end: End,
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Keys(&'static str),
    Deep,
    Each,
    Index(usize),
    Has(&'static str),
    Lacks(&'static str),
    Is(&'static str, &'static str),
    Object,
}

/// What a path names.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// A string that begins so, or a number; where it is a payload in base64, the keys that may
    /// tell its media type.
    Leaf {
        prefix: &'static str,
        payload: Option<&'static str>,
    },
    Whole,
    Schema,
    /// Free-form data: no path goes on below.
    Free,
    /// A sign by which a body is recognized; where it names how a string begins, only that string.
    Sign(u16, &'static str),
}

impl Pattern {
    /// Reads a path of a table, below `root`.
    pub(super) fn read(root: &'static str, path: &'static str) -> Pattern {
        let (path, end) = read_end(path);
        let mut steps = Vec::new();
        for piece in [root, path] {
            read_steps(piece, &mut steps);
        }
        Pattern { steps, end }
    }

    /// Reads a path to free-form data.
    pub(super) fn read_free(root: &'static str, path: &'static str) -> Pattern {
        Pattern {
            end: End::Free,
            ..Pattern::read(root, path)
        }
    }

    /// Reads a sign.
    pub(super) fn read_sign(path: &'static str, number: u16) -> Pattern {
        let mut pattern = Pattern::read("", path);
        let prefix = match pattern.end {
            End::Leaf { prefix, .. } => prefix,
            _ => "",
        };
        pattern.end = End::Sign(number, prefix);
        pattern
    }

    /// The members `keys` of the object that `path` names.
    pub(super) fn members(root: &'static str, path: &'static str, keys: &'static str) -> Pattern {
        let mut pattern = Pattern::read(root, path);
        pattern.steps.push(Step::Keys(keys));
        pattern
    }
}

fn read_end(path: &'static str) -> (&'static str, End) {
    if let Some(path) = path.strip_suffix("..") {
        return (path, End::Whole);
    }
    if let Some(path) = path.strip_suffix('~') {
        return (path, End::Schema);
    }
    // A `!` of a test stands in brackets.
    let tail = path.rfind(']').map_or(0, |i| i + 1);
    let (path, payload) = match path[tail..].find('!') {
        Some(i) => (&path[..tail + i], Some(&path[tail + i + 1..])),
        None => (path, None),
    };
    let (path, prefix) = path.split_once('^').unwrap_or((path, ""));
    (path, End::Leaf { prefix, payload })
}

fn read_steps(path: &'static str, steps: &mut Vec<Step>) {
    for step in path.split('.').filter(|step| !step.is_empty()) {
        let (keys, mut tests) = match step.find('[') {
            Some(i) => step.split_at(i),
            None => (step, ""),
        };
        steps.push(match keys {
            "**" => Step::Deep,
            keys => Step::Keys(keys),
        });
        while let Some((test, rest)) = tests
            .strip_prefix('[')
            .and_then(|tests| tests.split_once(']'))
        {
            steps.push(read_test(test));
            tests = rest;
        }
    }
}

fn read_test(test: &'static str) -> Step {
    match test.strip_prefix('?') {
        None => test.parse().map_or(Step::Each, Step::Index),
        Some("*") => Step::Object,
        Some(test) => match (test.strip_prefix('!'), test.split_once('=')) {
            (Some(keys), _) => Step::Lacks(keys),
            (_, Some((key, values))) => Step::Is(key, values),
            _ => Step::Has(test),
        },
    }
}

/// Whether `word` is one of the words of a list such as `id|*_id`.
pub(super) fn is_one_of(list: &str, word: &[u8]) -> bool {
    let mut entries = list.as_bytes().split(|&b| b == b'|');
    entries.any(|entry| match entry.strip_prefix(b"*") {
        Some(tail) => word.ends_with(tail),
        None => word == entry,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        for (path, steps) in [
            ("", "[]"),
            ("model", r#"[Keys("model")]"#),
            ("a[*].b|c", r#"[Keys("a"), Each, Keys("b|c")]"#),
            (
                "a[?type=x|y][?!z].b..",
                r#"[Keys("a"), Is("type", "x|y"), Lacks("z"), Keys("b")]"#,
            ),
            (
                "**.a[0].b[?c|d]",
                r#"[Deep, Keys("a"), Index(0), Keys("b"), Has("c|d")]"#,
            ),
            (
                "a[?x=1].url^data:!",
                r#"[Keys("a"), Is("x", "1"), Keys("url")]"#,
            ),
        ] {
            assert_eq!(
                format!("{:?}", Pattern::read("", path).steps),
                steps,
                "{path}"
            );
        }
        let end = |path| format!("{:?}", Pattern::read("", path).end);
        assert_eq!(end("a.."), "Whole");
        assert_eq!(end("a~"), "Schema");
        assert_eq!(end("a"), "Leaf { prefix: \"\", payload: None }");
        assert_eq!(
            end("a[?b=c].d^data:!"),
            "Leaf { prefix: \"data:\", payload: Some(\"\") }"
        );
        assert_eq!(
            end("d!m|n"),
            "Leaf { prefix: \"\", payload: Some(\"m|n\") }"
        );
    }

    #[test]
    fn lists_hold_words_and_endings() {
        assert!(is_one_of("id|*_id", b"id"));
        assert!(is_one_of("id|*_id", b"call_id"));
        assert!(!is_one_of("id|*_id", b"idx"));
        assert!(is_one_of("*", b"anything"));
    }
}
