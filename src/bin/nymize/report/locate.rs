//! From bytes of text to lines, columns, and bytes of the raw input.

use crate::encoding::{Encoding, utf16_len};

/// A place in an input that moves forwards.
#[derive(Debug)]
pub(crate) struct Locator {
    utf16: bool,
    line: u64,
    column: u64,
    raw: u64,
    /// The first bytes of a character, whose others may follow.
    cut: Vec<u8>,
}

impl Locator {
    /// The beginning of an input.
    pub(crate) fn new(encoding: Encoding) -> Self {
        Locator {
            utf16: encoding != Encoding::Bytes,
            line: 1,
            column: 1,
            raw: 0,
            cut: Vec::new(),
        }
    }

    /// Line and column, from 1, the column in characters; and the byte in the raw input.
    pub(crate) fn place(&self) -> (u64, u64, u64) {
        // What was cut and ends here counts as one character, as all that is invalid does.
        let cut = u64::from(!self.cut.is_empty());
        (self.line, self.column + cut, self.raw)
    }

    /// Moves over the next bytes of the decoded text.
    pub(crate) fn advance(&mut self, text: &[u8]) {
        self.raw += if self.utf16 {
            text.iter().copied().map(utf16_len).sum::<u64>()
        } else {
            text.len() as u64
        };
        let last_line = match memchr::memrchr(b'\n', text) {
            None => text,
            Some(end) => {
                self.line += memchr::memchr_iter(b'\n', text).count() as u64;
                self.column = 1;
                self.cut.clear();
                text.get(end + 1..).unwrap_or_default()
            }
        };
        self.column += self.characters(last_line);
    }

    /// How many characters a piece of a line has, but for one that is cut at its end; an invalid
    /// sequence is one.
    fn characters(&mut self, text: &[u8]) -> u64 {
        if self.utf16 {
            let first = |byte: &&u8| !matches!(byte, 0x80..=0xbf);
            return text.iter().filter(first).count() as u64;
        }
        let mut joined = std::mem::take(&mut self.cut);
        let text = if joined.is_empty() {
            text
        } else {
            joined.extend_from_slice(text);
            &joined
        };
        let mut count = 0;
        let mut chunks = text.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            count += chunk.valid().chars().count() as u64;
            let invalid = chunk.invalid();
            match std::str::from_utf8(invalid) {
                // It ends too early, and with it the piece.
                Err(error) if error.error_len().is_none() && chunks.peek().is_none() => {
                    self.cut = invalid.to_vec();
                }
                Err(_) => count += 1,
                Ok(_) => {}
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let mut locator = Locator::new(Encoding::Bytes);
        assert_eq!(locator.place(), (1, 1, 0));
        locator.advance("ab é".as_bytes());
        assert_eq!(locator.place(), (1, 5, 5));
        locator.advance(b"\xff\r\n\nx");
        assert_eq!(locator.place(), (3, 2, 10));
        locator.advance("😀".as_bytes());
        assert_eq!(locator.place(), (3, 3, 14));
    }

    /// However a text is cut, the places are the same.
    #[test]
    fn cuts_make_no_difference() {
        let text = "a€😀\u{301}".repeat(3);
        let invalid = b"\xe2\x82\xf0\x9f\x98x\xff\x80\xe2\x82";
        let text = [text.as_bytes(), invalid, text.as_bytes(), b"\n\xe2\x82"].concat();
        let places = |cut: usize, size: usize| {
            let mut locator = Locator::new(Encoding::Bytes);
            for piece in text[..cut].chunks(size) {
                locator.advance(piece);
            }
            locator.place()
        };
        for cut in 0..=text.len() {
            let whole = String::from_utf8_lossy(&text[..cut]).into_owned();
            let column = whole.rsplit('\n').next().map(|line| line.chars().count());
            assert_eq!(places(cut, 100).1, column.unwrap() as u64 + 1, "{cut}");
            for size in 1..8 {
                assert_eq!(places(cut, size), places(cut, 100), "{cut} {size}");
            }
        }
    }

    #[test]
    fn utf_16_counts_its_own_bytes() {
        let mut locator = Locator::new(Encoding::Utf16Le);
        locator.advance("\u{feff}é😀\nab\u{20ac}".as_bytes());
        assert_eq!(locator.place(), (2, 4, 16));
    }
}
