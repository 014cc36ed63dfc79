//! The TOML view: where keys and values stand without quotes (TOML 1.0.0). It is one pass over
//! the lines, takes any text and builds no tree.

use std::ops::Range;

use super::bare::Part;

/// Reads one line after the other.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// The delimiter of a string over several lines that is open.
    open: Option<&'static [u8]>,
}

const DELIMITERS: [&[u8]; 2] = [b"\"\"\"", b"'''"];

impl Reader {
    pub(super) fn line(&mut self, text: &[u8], range: Range<usize>, parts: &mut Vec<Part>) {
        let end = range.end;
        let mut pos = range.start;
        while pos < end {
            if let Some(delimiter) = self.open {
                pos = self.string(text, pos, end, delimiter);
                continue;
            }
            match text[pos] {
                b'#' => return,
                b'"' | b'\'' => {
                    let long = DELIMITERS
                        .into_iter()
                        .find(|delimiter| text[pos..end].starts_with(delimiter));
                    pos = match long {
                        Some(delimiter) => {
                            self.open = Some(delimiter);
                            pos + delimiter.len()
                        }
                        None => short(text, pos, end),
                    };
                }
                byte if is_bare(byte) => {
                    let start = pos;
                    while pos < end && is_bare(text[pos]) {
                        pos += 1;
                    }
                    if is_toml(&text[start..pos]) && stands_alone(text, start, pos, range.clone()) {
                        parts.push(Part::bare(text, start..pos, true));
                    }
                }
                _ => pos += 1,
            }
        }
    }

    /// Reads on in a string over several lines, and returns where that ended.
    fn string(
        &mut self,
        text: &[u8],
        mut pos: usize,
        end: usize,
        delimiter: &'static [u8],
    ) -> usize {
        while pos < end {
            if text[pos] == b'\\' && delimiter[0] == b'"' {
                pos += 2;
            } else if text[pos..end].starts_with(delimiter) {
                self.open = None;
                // Up to two more quotes before the last three belong to the string.
                let run = text[pos..end].iter().take_while(|&&b| b == delimiter[0]);
                return pos + run.take(5).count();
            } else {
                pos += 1;
            }
        }
        end
    }
}

/// The end of a string in one line that begins at `pos`.
fn short(text: &[u8], pos: usize, end: usize) -> usize {
    let quote = text[pos];
    let mut at = pos + 1;
    while at < end {
        match text[at] {
            b'\\' if quote == b'"' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    end
}

/// Whether what stands around `start..end` in its line is what TOML has around a key or a value. Else
/// it is no TOML, and quotes would part what belongs together.
fn stands_alone(text: &[u8], start: usize, end: usize, line: Range<usize>) -> bool {
    let before = text[line.start..start].trim_ascii_end().last();
    let after = text[end..line.end].trim_ascii_start().first();
    before.is_none_or(|b| b"=,[{".contains(b)) && after.is_none_or(|b| b"=,]}#".contains(b))
}

/// Whether a word may stand without quotes: a key, a number. (A date or time may too; no value does.)
fn is_toml(word: &[u8]) -> bool {
    !word.iter().any(|b| matches!(b, b':' | b'@'))
}

/// Whether a byte belongs to a word.
fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.' | b':' | b'@')
}
