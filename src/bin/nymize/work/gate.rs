//! `nymize:allow`: on a line that holds it, findings stay.
//!
//! The mark may come behind a finding, so a line is held until its end is there. A line of more
//! than [`LIMIT`] bytes is not held: a mark does not count on it, so that one mark does not silence
//! a file that is one line.

use nymize::{Kind, Piece, Quote};

use crate::failure::Failure;

/// The mark. What comes before and behind it is no letter, digit, `_` or `-`.
const MARK: &[u8] = b"nymize:allow";

/// The longest line, in bytes with its end, on which the mark counts.
const LIMIT: usize = 64 * 1024;

/// A finding that is not allowed.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'t> {
    pub(crate) kind: Kind,
    /// Its bytes.
    pub(crate) raw: &'t [u8],
    /// What the filter writes in its place.
    pub(crate) replacement: &'t [u8],
    pub(crate) placeholder: &'t str,
}

/// Takes a text: bytes that stay, and findings, in order.
pub(crate) trait Sink {
    fn raw(&mut self, text: &[u8]) -> Result<(), Failure>;
    fn found(&mut self, seen: Seen<'_>) -> Result<(), Failure>;
    /// Takes a quote that is no part of the text, and stands in what replaces it.
    fn added(&mut self, quote: &[u8]) -> Result<(), Failure>;
}

/// Holds lines back until it is clear whether they are marked.
#[derive(Default)]
pub(crate) struct Gate {
    /// The line so far.
    line: Vec<u8>,
    held: Vec<Held>,
    /// Whether a mark keeps the scalar that is being read as it is, without quotes.
    unquoted: bool,
    /// Whether the line is too long to be held.
    long: bool,
    /// How many findings a mark allowed.
    allowed: u64,
}

/// Something in the line that is held.
enum Held {
    Found {
        kind: Kind,
        start: usize,
        end: usize,
        replacement: Vec<u8>,
        placeholder: String,
    },
    Added {
        at: usize,
        quote: Quote,
    },
}

impl Gate {
    /// Takes the next piece, and gives what is clear.
    pub(crate) fn take(&mut self, piece: Piece<'_>, sink: &mut impl Sink) -> Result<(), Failure> {
        match piece {
            Piece::Found(found) => {
                let seen = Seen {
                    kind: found.kind(),
                    raw: found.raw(),
                    replacement: found.replacement(),
                    placeholder: found.placeholder(),
                };
                self.found(seen, sink)
            }
            Piece::Added(quote) if self.long => self.quote(quote, false, sink),
            Piece::Added(quote) => {
                let at = self.line.len();
                self.held.push(Held::Added { at, quote });
                Ok(())
            }
            other => self.raw(other.raw(), sink),
        }
    }

    /// Gives a quote, unless it is of a scalar that stays as it is.
    fn quote(&mut self, quote: Quote, marked: bool, sink: &mut impl Sink) -> Result<(), Failure> {
        if let Quote::Opens(_) = quote {
            self.unquoted = marked;
        }
        if self.unquoted {
            return Ok(());
        }
        sink.added(quote.bytes())
    }

    /// Gives what is left, at the end of the text; how many findings were allowed.
    pub(crate) fn finish(&mut self, sink: &mut impl Sink) -> Result<u64, Failure> {
        self.release(sink)?;
        self.long = false;
        Ok(std::mem::take(&mut self.allowed))
    }

    fn raw(&mut self, mut text: &[u8], sink: &mut impl Sink) -> Result<(), Failure> {
        if self.long || !self.line.is_empty() || !self.held.is_empty() {
            let end = memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1);
            let (line, rest) = text.split_at(end);
            if self.long {
                sink.raw(line)?;
            } else {
                self.line.extend_from_slice(line);
            }
            if !line.ends_with(b"\n") {
                return self.bound(sink);
            }
            self.release(sink)?;
            self.long = false;
            text = rest;
        }
        // Lines without a finding go on at once.
        let whole = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        let (lines, rest) = text.split_at(whole);
        if !lines.is_empty() {
            sink.raw(lines)?;
        }
        self.line.extend_from_slice(rest);
        self.bound(sink)
    }

    fn found(&mut self, seen: Seen<'_>, sink: &mut impl Sink) -> Result<(), Failure> {
        if self.long {
            return sink.found(seen);
        }
        let start = self.line.len();
        self.line.extend_from_slice(seen.raw);
        self.held.push(Held::Found {
            kind: seen.kind,
            start,
            end: self.line.len(),
            replacement: seen.replacement.to_vec(),
            placeholder: seen.placeholder.to_owned(),
        });
        self.bound(sink)
    }

    /// Gives up on a line that is too long.
    fn bound(&mut self, sink: &mut impl Sink) -> Result<(), Failure> {
        if self.line.len() > LIMIT {
            self.release(sink)?;
            self.long = true;
        }
        Ok(())
    }

    /// Gives the line, whole or as much as was held of a long one.
    fn release(&mut self, sink: &mut impl Sink) -> Result<(), Failure> {
        let marked = !self.held.is_empty() && self.line.len() <= LIMIT && is_marked(&self.line);
        let mut given = 0;
        let line = std::mem::take(&mut self.line);
        for held in std::mem::take(&mut self.held) {
            let (Held::Found { start, .. } | Held::Added { at: start, .. }) = held;
            if marked && matches!(held, Held::Found { .. }) {
                self.allowed += 1;
                continue;
            }
            if given < start {
                sink.raw(&line[given..start])?;
                given = start;
            }
            match held {
                Held::Added { quote, .. } => self.quote(quote, marked, sink)?,
                Held::Found {
                    kind,
                    end,
                    replacement,
                    placeholder,
                    ..
                } => {
                    sink.found(Seen {
                        kind,
                        raw: &line[start..end],
                        replacement: &replacement,
                        placeholder: &placeholder,
                    })?;
                    given = end;
                }
            }
        }
        if given < line.len() {
            sink.raw(&line[given..])?;
        }
        self.line = line;
        self.line.clear();
        Ok(())
    }
}

fn is_marked(line: &[u8]) -> bool {
    let in_word = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    memchr::memmem::find_iter(line, MARK).any(|at| {
        let before = at.checked_sub(1).and_then(|before| line.get(before));
        !in_word(before) && !in_word(line.get(at + MARK.len()))
    })
}

#[cfg(test)]
mod tests {
    use nymize::{Key, Pseudonymizer};

    use super::*;

    /// Writes a text down as `<value>` for what is found.
    #[derive(Default)]
    struct Written(Vec<u8>);

    impl Sink for Written {
        fn raw(&mut self, text: &[u8]) -> Result<(), Failure> {
            assert!(!text.is_empty());
            self.0.extend_from_slice(text);
            Ok(())
        }

        fn found(&mut self, seen: Seen<'_>) -> Result<(), Failure> {
            assert_eq!(seen.replacement, seen.placeholder.as_bytes());
            self.0.push(b'<');
            self.0.extend_from_slice(seen.raw);
            self.0.push(b'>');
            Ok(())
        }

        fn added(&mut self, quote: &[u8]) -> Result<(), Failure> {
            self.0.extend_from_slice(quote);
            Ok(())
        }
    }

    fn written(text: &[u8], size: usize) -> (String, u64) {
        let engine = Pseudonymizer::builder(Key::from_bytes([7; 32]))
            .build()
            .unwrap();
        let mut stream = engine.stream();
        let (mut gate, mut written) = (Gate::default(), Written::default());
        let mut take = |piece: Piece<'_>| {
            gate.take(piece, &mut written).unwrap();
            Ok(())
        };
        for chunk in text.chunks(size) {
            stream.push_pieces(chunk, &mut take).unwrap();
        }
        stream.finish_pieces(&mut take).unwrap();
        let allowed = gate.finish(&mut written).unwrap();
        (String::from_utf8(written.0).unwrap(), allowed)
    }

    #[test]
    fn a_mark_counts_on_its_line() {
        for (text, expected, allowed) in [
            ("a@x.com\nb@x.com", "<a@x.com>\n<b@x.com>", 0),
            (
                "a@x.com # nymize:allow\nb@x.com",
                "a@x.com # nymize:allow\n<b@x.com>",
                1,
            ),
            (
                "// nymize:allow a@x.com b@x.com\r\n",
                "// nymize:allow a@x.com b@x.com\r\n",
                2,
            ),
            (
                "nymize:allow\na@x.com\nnymize:allow",
                "nymize:allow\n<a@x.com>\nnymize:allow",
                0,
            ),
            ("a@x.com nymize:allowed", "<a@x.com> nymize:allowed", 0),
            ("a@x.com xnymize:allow", "<a@x.com> xnymize:allow", 0),
            ("a@x.com nymize:allow-all", "<a@x.com> nymize:allow-all", 0),
            (
                "a@x.com nymize:allow-all, nymize:allow.",
                "a@x.com nymize:allow-all, nymize:allow.",
                1,
            ),
            ("", "", 0),
            ("\n\n", "\n\n", 0),
        ] {
            for size in [1, 3, 4096] {
                let told = written(text.as_bytes(), size);
                assert_eq!(told, (expected.to_owned(), allowed), "{size}");
            }
        }
    }

    #[test]
    fn a_long_line_is_not_silenced() {
        for (filler, allowed) in [(LIMIT - 23, 1), (LIMIT - 22, 0), (LIMIT, 0), (3 * LIMIT, 0)] {
            // 9 bytes before the filler, 13 and the line end behind it.
            let line = format!("a@x.com  {} nymize:allow", "x".repeat(filler));
            let text = format!("{line}\nb@x.com\n");
            let expected = if allowed == 1 {
                text.replace("b@x.com", "<b@x.com>")
            } else {
                text.replace("a@x.com", "<a@x.com>")
                    .replace("b@x.com", "<b@x.com>")
            };
            for size in [1000, 1 << 20] {
                let told = written(text.as_bytes(), size);
                assert!(
                    told == (expected.clone(), allowed),
                    "{filler} {size} {}",
                    told.1
                );
            }
        }
    }
}
