//! JSON inside of JSON strings (the arguments of tool calls, quoted logs), to eight levels.
//!
//! Nothing is decoded into a copy: the bytes of a level are read through the escapes of all levels
//! around it, each with its place in the raw text.

use std::ops::Range;

use memchr::memchr;

use super::grammar::{Event, Grammar};
use super::json::{Reading, SHORTEST_NUMBER};
use crate::scan::{Form, MAX_CONTEXT, Opening, Openings};

/// How many levels of strings are read as JSON.
const LEVELS: u8 = 8;

/// A reader of JSON in strings; it keeps its stacks from one string to the next.
#[derive(Debug, Default)]
pub(super) struct Nested {
    grammars: [Grammar; LEVELS as usize],
}

/// A byte of a level, or a mark for a character beyond ASCII, and the raw position behind it.
type Unit = (u8, usize);

/// Stands for any character beyond ASCII.
const BEYOND: u8 = 0x80;

/// The byte at `pos` of a text that has been quoted `level` times. `None` at the end, or where an
/// escape is broken.
fn unit(raw: &[u8], level: u8, pos: usize) -> Option<Unit> {
    let byte = *raw.get(pos)?;
    if level == 0 || byte != b'\\' {
        return Some((byte, pos + 1));
    }
    let (byte, pos) = unit(raw, level - 1, pos)?;
    if byte != b'\\' {
        return Some((byte, pos));
    }
    let (byte, mut pos) = unit(raw, level - 1, pos)?;
    let byte = match byte {
        b'"' | b'\\' | b'/' => byte,
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => {
            let mut code = 0;
            for _ in 0..4 {
                let (digit, next) = unit(raw, level - 1, pos)?;
                code = code * 16 + (digit as char).to_digit(16)?;
                pos = next;
            }
            u8::try_from(code)
                .ok()
                .filter(u8::is_ascii)
                .unwrap_or(BEYOND)
        }
        _ => return None,
    };
    Some((byte, pos))
}

impl Nested {
    /// Reads the string whose inside is `raw[inside]`. Where it holds JSON (one value that is a
    /// container, or several), its openings are appended, and the answer is yes.
    pub(super) fn read(
        &mut self,
        raw: &[u8],
        inside: Range<usize>,
        how: Reading,
        openings: &mut Openings,
    ) -> bool {
        // The commonest answer first.
        match raw.get(inside.start) {
            Some(b'{' | b'[' | b' ' | b'\\') => {}
            _ => return false,
        }
        let mut reading = Level {
            raw: &raw[..inside.end],
            level: 1,
            how,
            openings,
        };
        reading.text(&mut self.grammars, inside.start)
    }
}

/// The reading of one string.
struct Level<'t> {
    /// The raw text up to where the string ends.
    raw: &'t [u8],
    level: u8,
    how: Reading,
    openings: &'t mut Openings,
}

impl Level<'_> {
    /// Reads values from `pos` to the end. What was told is taken back where they are none.
    fn text(&mut self, grammars: &mut [Grammar], pos: usize) -> bool {
        let before = self.openings.len();
        let whole = self.values(grammars, pos).is_some();
        if !whole {
            self.openings.truncate(before);
        }
        whole
    }

    fn unit(&self, pos: usize) -> Option<Unit> {
        unit(self.raw, self.level, pos)
    }

    fn values(&mut self, grammars: &mut [Grammar], mut pos: usize) -> Option<()> {
        let mut any = false;
        // Whether a line has ended since the last value, and whether that was a number.
        let (mut fresh, mut number) = (false, false);
        while pos < self.raw.len() {
            let (byte, next) = self.unit(pos)?;
            if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                fresh |= byte == b'\n';
                pos = next;
                continue;
            }
            let is_number = matches!(byte, b'0'..=b'9' | b'-');
            // Numbers in a row are no values: `[1] 4111 1111 1111 1111` is text.
            let in_row = (is_number || number) && !fresh;
            if (any && in_row) || !(any || matches!(byte, b'{' | b'[')) {
                return None;
            }
            pos = self.value(grammars, pos)?;
            any = true;
            (fresh, number) = (false, is_number);
        }
        any.then_some(())
    }

    /// Reads one value; returns where it ends.
    fn value(&mut self, grammars: &mut [Grammar], mut pos: usize) -> Option<usize> {
        let (grammar, deeper) = grammars.split_first_mut()?;
        grammar.reset();
        let mut key: Option<usize> = None;
        let mut number = pos;
        let mut digits_only = false;
        while pos < self.raw.len() {
            let (byte, next) = self.unit(pos)?;
            let event = grammar.step(byte);
            match event {
                Event::Fail => return None,
                Event::Inside => digits_only &= byte.is_ascii_digit(),
                Event::Number => {
                    (number, digits_only) = (pos, byte != b'-');
                    key = None;
                }
                Event::NumberEnd => {
                    if digits_only {
                        self.tell_number(number, pos);
                    }
                }
                Event::Key | Event::String => {
                    if event == Event::Key {
                        key = Some(next);
                    }
                    let (end, behind) = self.string_end(next)?;
                    let nested = event == Event::String && self.deeper(deeper, next, end);
                    if !nested {
                        self.tell_string(next, end, key);
                    }
                    if event == Event::String {
                        key = None;
                    }
                    grammar.close_string();
                    pos = behind;
                }
            }
            if grammar.is_done() {
                return Some(match event {
                    Event::Inside => next,
                    _ => pos,
                });
            }
            if matches!(event, Event::Inside | Event::Number) {
                pos = next;
            }
        }
        let ends = grammar.in_number() && grammar.end_number() && grammar.is_done();
        if ends && digits_only {
            self.tell_number(number, pos);
        }
        ends.then_some(pos)
    }

    /// Reads a string of this level as JSON of the next.
    fn deeper(&mut self, grammars: &mut [Grammar], start: usize, end: usize) -> bool {
        if grammars.is_empty() || !matches!(self.raw.get(start), Some(b'{' | b'[' | b' ' | b'\\')) {
            return false;
        }
        let mut level = Level {
            raw: &self.raw[..end],
            level: self.level + 1,
            how: self.how,
            openings: &mut *self.openings,
        };
        level.text(grammars, start)
    }

    /// Where the string whose inside begins at `pos` ends: before its quote, and behind it.
    fn string_end(&self, mut pos: usize) -> Option<(usize, usize)> {
        loop {
            // Its quote and its escapes are escaped by the levels around; nothing else is special.
            pos += memchr(b'\\', self.raw.get(pos..)?)?;
            let (byte, next) = self.unit(pos)?;
            match byte {
                b'"' => return Some((pos, next)),
                0..0x20 => return None,
                b'\\' => {
                    let (byte, mut behind) = self.unit(next)?;
                    match byte {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                        b'u' => {
                            for _ in 0..4 {
                                let (digit, next) = self.unit(behind)?;
                                if !digit.is_ascii_hexdigit() {
                                    return None;
                                }
                                behind = next;
                            }
                        }
                        _ => return None,
                    }
                    pos = behind;
                }
                _ => pos = next,
            }
        }
    }

    fn tell_string(&mut self, start: usize, end: usize, key: Option<usize>) {
        if end - start >= self.how.shortest() {
            let key = key.filter(|key| start - key <= MAX_CONTEXT);
            self.openings.push(Opening {
                start,
                end,
                context: key.unwrap_or(start),
                form: Form::Text,
            });
        }
    }

    fn tell_number(&mut self, start: usize, end: usize) {
        if self.how.numbers && end - start >= SHORTEST_NUMBER {
            self.openings.push(Opening {
                start,
                end,
                context: start,
                form: Form::Number { level: self.level },
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str, times: u8) -> String {
        (0..times).fold(text.to_owned(), |text, _| {
            let quoted = serde_json::to_string(&text).unwrap();
            quoted[1..quoted.len() - 1].to_owned()
        })
    }

    fn told(raw: &str) -> Option<Vec<(String, Form)>> {
        let mut openings = Openings::default();
        let how = Reading {
            numbers: true,
            one_line: false,
            nested: true,
            short: false,
        };
        let whole = Nested::default().read(raw.as_bytes(), 0..raw.len(), how, &mut openings);
        let mut all = Vec::new();
        openings.retain(|opening| {
            all.push((raw[opening.start..opening.end].to_owned(), opening.form));
            true
        });
        assert!(whole || all.is_empty());
        whole.then_some(all)
    }

    #[test]
    fn strings_and_numbers_of_a_quoted_document_are_told() {
        let text = |s: &str| (s.to_owned(), Form::Text);
        let raw = quoted(r#"{"mail":"a\n@b","n":4111111111111111,"x":1}"#, 1);
        assert_eq!(
            told(&raw),
            Some(vec![
                text("mail"),
                text("a\\\\n@b"),
                ("4111111111111111".into(), Form::Number { level: 1 }),
            ])
        );
        assert_eq!(told(r"[\u0022abc\u0022]"), Some(vec![text("abc")]));
        assert_eq!(told(r#"\n [\"abc\"]\n[1]\n"#), Some(vec![text("abc")]));
    }

    #[test]
    fn what_is_no_json_is_text() {
        for raw in [
            "",
            "abc",
            "[INFO] x",
            r#"{\"a\":1"#,
            r#"[\"a\"] x"#,
            r#"[\"a\nb\"]"#,
            r#"[\"\\q\"]"#,
            "{{tpl}}",
            " ",
            "12",
            r"[\ud83d]",
        ] {
            assert_eq!(told(raw), None, "{raw}");
        }
    }

    #[test]
    fn levels_are_read_to_the_eighth() {
        let mut json = r#"["abcdef"]"#.to_owned();
        for level in 1..=10 {
            let raw = quoted(&json, 1);
            let inner = told(&raw).expect("the outer level is JSON");
            let found = inner.iter().any(|(text, _)| text == "abcdef");
            assert_eq!(found, level <= 8, "level {level}");
            json = serde_json::to_string(&[&json]).unwrap();
        }
    }
}
