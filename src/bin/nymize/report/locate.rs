//! From bytes of text to lines, columns, and bytes of the raw input.

use crate::encoding::{Encoding, utf16_len};

/// A place in an input that moves forwards.
#[derive(Debug)]
pub(crate) struct Locator {
    utf16: bool,
    line: u64,
    column: u64,
    raw: u64,
}

impl Locator {
    /// The beginning of an input.
    pub(crate) fn new(encoding: Encoding) -> Self {
        Locator {
            utf16: encoding != Encoding::Bytes,
            line: 1,
            column: 1,
            raw: 0,
        }
    }

    /// Line and column, from 1, the column in characters; and the byte in the raw input.
    pub(crate) fn place(&self) -> (u64, u64, u64) {
        (self.line, self.column, self.raw)
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
                text.get(end + 1..).unwrap_or_default()
            }
        };
        self.column += self.characters(last_line);
    }

    /// How many characters a piece of a line has; an invalid sequence is one.
    fn characters(&self, text: &[u8]) -> u64 {
        if self.utf16 {
            let first = |byte: &&u8| !matches!(byte, 0x80..=0xbf);
            return text.iter().filter(first).count() as u64;
        }
        text.utf8_chunks()
            .map(|chunk| {
                chunk.valid().chars().count() as u64 + u64::from(!chunk.invalid().is_empty())
            })
            .sum()
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

    #[test]
    fn utf_16_counts_its_own_bytes() {
        let mut locator = Locator::new(Encoding::Utf16Le);
        locator.advance("\u{feff}é😀\nab\u{20ac}".as_bytes());
        assert_eq!(locator.place(), (2, 4, 16));
    }
}
