//! Formats with scalars without quotes: YAML, TOML. They are judged as text is, and written with
//! quotes around what a placeholder would otherwise end.
//!
//! What is held is the last line, and a scalar that may go on.

use memchr::{memchr, memrchr};

use super::lane::{Failure, Lane, Mode, Piece, Sink};
use super::piece::Quote;
use super::quoted;
use crate::finding::Finding;
use crate::kind::Kind;
use crate::view::JsonNumbers;
use crate::view::bare::{Part, Reader, Role};

/// The longest line, and the longest scalar without quotes, that is held as a whole, in bytes.
const HOLD: usize = 16 * 1024 * 1024;

/// Reads the lines in `from..to`, up to one that is too long to be held, or holds what the format does
/// not take; where that begins.
fn read(
    reader: &mut Reader,
    text: &[u8],
    mut from: usize,
    to: usize,
    parts: &mut Vec<Part>,
) -> Option<usize> {
    while from < to {
        let end = memchr(b'\n', &text[from..to]).map_or(to, |i| from + i);
        if end - reader.pending().unwrap_or(from) > HOLD {
            reader.end(text, parts);
        }
        if end - from > HOLD || !text[from..end].iter().all(|&byte| is_printable(byte)) {
            return Some(from);
        }
        reader.line(text, from..end, parts);
        from = end + 1;
    }
    None
}

impl Lane {
    /// Reads on in a text with scalars without quotes. From a line on that is too long to be held, or
    /// holds what the format does not take, it is text.
    pub(super) fn bare(
        &mut self,
        text: &[u8],
        last: bool,
        sink: &mut Sink<'_>,
    ) -> Result<bool, Failure> {
        let Some(mut reader) = self.bare.take() else {
            self.mode = Mode::Text;
            return Ok(true);
        };
        let from = self.judged;
        let end = if last {
            text.len()
        } else {
            memrchr(b'\n', &text[from..]).map_or(from, |i| from + i + 1)
        };
        let mut parts = Vec::new();
        let long = read(&mut reader, text, from, end, &mut parts)
            .or((text.len() - end > HOLD).then_some(end));
        let end = long.unwrap_or(end);
        if last || long.is_some() {
            reader.end(text, &mut parts);
        }
        if end > from {
            self.judge_text(&text[..end], end, true);
        }
        let settled = reader.pending().unwrap_or(end);
        self.give_quoted(text, settled, parts, reader.quote(), sink)?;
        if long.is_none() {
            self.bare = Some(reader);
        }
        // What was not read is read anew, as text.
        Ok(long.is_some())
    }

    /// Gives the window up to `end`, before which each scalar is known.
    fn give_quoted(
        &mut self,
        text: &[u8],
        end: usize,
        parts: Vec<Part>,
        quote: &'static [u8],
        sink: &mut Sink<'_>,
    ) -> Result<(), Failure> {
        let given = self.found.partition_point(|f| f.range().start < end);
        let mut found = self.found.drain(..given).peekable();
        let mut given = self.given;
        for Part { range, role } in parts {
            while let Some(before) = found.next_if(|f| f.range().start < range.start) {
                give_finding(text, &mut given, before, b"", sink)?;
            }
            let mut inside = Vec::new();
            while let Some(finding) = found.next_if(|f| f.range().start < range.end) {
                inside.push(finding);
            }
            let strict = match role {
                Role::Bare { strict } => strict,
                Role::Number { strict } => {
                    let keep = self.settings.numbers == JsonNumbers::Keep;
                    inside.retain(|finding| finding.kind() == Kind::Card && !keep);
                    strict
                }
                Role::Doubled => {
                    for finding in inside {
                        give_finding(text, &mut given, finding.undoubled(b'\''), b"", sink)?;
                    }
                    continue;
                }
                Role::Name => {
                    // What goes beyond a name is more than a name.
                    inside.retain(|finding| finding.range().end > range.end);
                    false
                }
            };
            let Some(first) = inside.first() else {
                continue;
            };
            // A finding that began before it left no place for a quote.
            let free = given <= range.start && role != Role::Name;
            let quoted = free && (strict || first.range().start == range.start);
            let quote: &[u8] = if quoted { quote } else { b"" };
            if quoted {
                quoted::find(&self.rules, text, range.clone(), quote, &mut inside);
            }
            give_raw(text, &mut given, range.start, b"", sink)?;
            if quoted {
                sink(Piece::Added(Quote::Opens(quote)))?;
            }
            for finding in inside {
                give_finding(text, &mut given, finding, quote, sink)?;
            }
            give_raw(text, &mut given, range.end, quote, sink)?;
            if quoted {
                sink(Piece::Added(Quote::Closes(quote)))?;
            }
        }
        for finding in found {
            give_finding(text, &mut given, finding, b"", sink)?;
        }
        give_raw(text, &mut given, end, b"", sink)?;
        self.given = given;
        Ok(())
    }
}

/// Whether YAML (1.2, `c-printable`) and TOML take the byte: a text in which another stands is
/// neither, and quotes in it would save nothing.
fn is_printable(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..)
}

fn give_finding(
    text: &[u8],
    given: &mut usize,
    finding: Finding,
    quote: &'static [u8],
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let range = finding.range();
    give_raw(text, given, range.start, quote, sink)?;
    sink(Piece::Found(finding, &text[range.clone()], None))?;
    *given = range.end;
    Ok(())
}

/// Gives the text from `given` to `end`, with each quote in it doubled.
fn give_raw(
    text: &[u8],
    given: &mut usize,
    end: usize,
    quote: &'static [u8],
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    while *given < end {
        let piece = &text[*given..end];
        let cut = quote.first().and_then(|&sign| memchr(sign, piece));
        let len = cut.map_or(piece.len(), |at| at + 1);
        sink(Piece::Raw(&piece[..len]))?;
        if cut.is_some() {
            sink(Piece::Added(Quote::Doubles(quote)))?;
        }
        *given += len;
    }
    Ok(())
}
