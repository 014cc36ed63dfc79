//! Server-sent events in a text: lines of the form `data: {…}` (HTML Living Standard, section
//! 9.2), which stream answers of providers. Their JSON is read as JSON, so that it stays JSON.
//!
//! Refused on purpose: data that goes on over several `data:` lines; it is text, line by line.

use std::ops::Range;

use memchr::{memchr, memmem};

const FIELD: &[u8] = b"data:";
const BOM: &[u8] = b"\xEF\xBB\xBF";
/// How many spaces and tabs may follow the field's name; encoders write one or none.
const SPACES: usize = 8;
/// The longest line that is held until it is whole, in bytes: a longer one is text.
const LONGEST: usize = 1024 * 1024;

/// The first event in `text[from..to]`, which are whole lines: from its `{` or `[` to the end of
/// its line. What stands there need not be JSON.
pub(crate) fn next(text: &[u8], from: usize, to: usize) -> Option<Range<usize>> {
    let lines = text.get(from..to)?;
    for at in memmem::find_iter(lines, FIELD) {
        let Some(start) = begins(text, from + at) else {
            continue;
        };
        let end = memchr(b'\n', &text[start..to]).map_or(to, |i| start + i);
        if end - (from + at) <= LONGEST {
            return Some(start..end);
        }
    }
    None
}

/// Whether the line that begins at `from`, and has not ended, may be an event that is not too long.
pub(crate) fn may_come(text: &[u8], from: usize) -> bool {
    let start = from + usize::from(from == 0 && text.starts_with(BOM)) * BOM.len();
    text.len() - start <= LONGEST && begins(text, start).is_some()
}

/// Where the value of the event begins whose line begins at `line`.
fn begins(text: &[u8], line: usize) -> Option<usize> {
    let opens = match line.checked_sub(1) {
        None => true,
        Some(before) => text[before] == b'\n' || text[..line] == *BOM,
    };
    let value = text[line..].strip_prefix(FIELD).filter(|_| opens)?;
    let spaces = value.iter().take(SPACES);
    let spaces = spaces.take_while(|b| matches!(b, b' ' | b'\t')).count();
    matches!(value.get(spaces), Some(b'{' | b'[')).then_some(line + FIELD.len() + spaces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        next(text.as_bytes(), 0, text.len()).map(|range| &text[range])
    }

    #[test]
    fn events_are_told_at_the_start_of_a_line() {
        for (text, value) in [
            ("data: {\"a\":1}\n\n", Some("{\"a\":1}")),
            ("data:[1]", Some("[1]")),
            ("event: x\r\ndata: {}\r\n", Some("{}\r")),
            ("\u{feff}data: {}", Some("{}")),
            ("metadata: {}\nx data: {}\n", None),
            ("data: [DONE]\n", Some("[DONE]")),
            ("data: 4111111111111111\n", None),
            ("data: \n{}", None),
            ("data", None),
        ] {
            assert_eq!(found(text), value, "{text:?}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_none() {
        for (len, is_event) in [(LONGEST, true), (LONGEST + 1, false)] {
            let line = format!("data: {{{}", " ".repeat(len - 7));
            assert_eq!(line.len(), len);
            assert_eq!(may_come(line.as_bytes(), 0), is_event);
            assert_eq!(found(&line).is_some(), is_event);
            assert_eq!(found(&(line + "\n")).is_some(), is_event);
        }
    }
}
