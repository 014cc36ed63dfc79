//! From UTF-16 to text and back. It goes through as it came, lone surrogates too: these are written
//! in the decoded text as the three bytes that UTF-8 has no use for (WTF-8), which is an edge to the
//! detectors and comes back as the same surrogate.

use std::io::{self, Write};

use super::Encoding;

/// From UTF-16 in pieces to text.
#[derive(Debug)]
pub(crate) struct Decoder {
    big: bool,
    /// The first byte of a unit that was cut.
    odd: Option<u8>,
    /// The first half of a pair that was cut.
    high: Option<u16>,
}

impl Decoder {
    /// A decoder, if the encoding needs one.
    pub(crate) fn new(encoding: Encoding) -> Option<Self> {
        (encoding != Encoding::Bytes).then_some(Decoder {
            big: encoding == Encoding::Utf16Be,
            odd: None,
            high: None,
        })
    }

    /// Whether the input so far ends within a unit.
    pub(crate) fn is_cut(&self) -> bool {
        self.odd.is_some()
    }

    /// Appends the text of the next piece.
    pub(crate) fn decode(&mut self, raw: &[u8], text: &mut Vec<u8>) {
        text.reserve(raw.len());
        let mut raw = raw.iter().copied();
        while let Some(first) = self.odd.take().or_else(|| raw.next()) {
            let Some(second) = raw.next() else {
                self.odd = Some(first);
                return;
            };
            let unit = if self.big {
                u16::from_be_bytes([first, second])
            } else {
                u16::from_le_bytes([first, second])
            };
            self.unit(unit, text);
        }
    }

    fn unit(&mut self, unit: u16, text: &mut Vec<u8>) {
        match (self.high.take(), unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                let bits = (u32::from(high) & 0x3ff) << 10 | (u32::from(unit) & 0x3ff);
                push(0x10000 + bits, text);
                return;
            }
            (Some(lone), _) => push(u32::from(lone), text),
            (None, _) => {}
        }
        match unit {
            0xd800..=0xdbff => self.high = Some(unit),
            _ => push(u32::from(unit), text),
        }
    }

    /// Appends what was held back at the end of the input. `false`: the input ended within
    /// a unit.
    pub(crate) fn finish(&mut self, text: &mut Vec<u8>) -> bool {
        if let Some(lone) = self.high.take() {
            push(u32::from(lone), text);
        }
        !self.is_cut()
    }
}

/// Appends a code point as UTF-8, or as what UTF-8 would be for a surrogate.
fn push(code: u32, text: &mut Vec<u8>) {
    match char::from_u32(code) {
        Some(character) => {
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        None => text.extend([
            0xe0 | (code >> 12 & 0x0f) as u8,
            0x80 | (code >> 6 & 0x3f) as u8,
            0x80 | (code & 0x3f) as u8,
        ]),
    }
}

/// The bytes of UTF-16 that one byte of decoded text stands for: those of the whole
/// character for its first byte, none for the others.
pub(crate) fn utf16_len(byte: u8) -> u64 {
    match byte {
        0x80..=0xbf => 0,
        0xf0..=0xff => 4,
        _ => 2,
    }
}

/// A writer that puts decoded text back into UTF-16.
pub(crate) struct Encoder<W> {
    inner: W,
    big: bool,
    /// The bits of a character that was cut, and how many bytes it still lacks.
    code: u32,
    lacking: u8,
    raw: Vec<u8>,
}

impl<W: Write> Encoder<W> {
    pub(crate) fn new(inner: W, encoding: Encoding) -> Self {
        Encoder {
            inner,
            big: encoding == Encoding::Utf16Be,
            code: 0,
            lacking: 0,
            raw: Vec::new(),
        }
    }

    fn unit(&mut self, unit: u16) {
        self.raw.extend(if self.big {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        });
    }

    fn byte(&mut self, byte: u8) -> io::Result<()> {
        let (code, lacking) = match byte {
            0x80..=0xbf if self.lacking > 0 => {
                (self.code << 6 | u32::from(byte & 0x3f), self.lacking - 1)
            }
            _ if self.lacking > 0 => return Err(io::ErrorKind::InvalidData.into()),
            0x00..=0x7f => (u32::from(byte), 0),
            0xc2..=0xdf => (u32::from(byte & 0x1f), 1),
            0xe0..=0xef => (u32::from(byte & 0x0f), 2),
            0xf0..=0xf4 => (u32::from(byte & 0x07), 3),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        (self.code, self.lacking) = (code, lacking);
        if lacking == 0 {
            match u16::try_from(code) {
                Ok(unit) => self.unit(unit),
                Err(_) => {
                    let bits = code - 0x10000;
                    self.unit(0xd800 | (bits >> 10 & 0x3ff) as u16);
                    self.unit(0xdc00 | (bits & 0x3ff) as u16);
                }
            }
        }
        Ok(())
    }
}

impl<W: Write> Write for Encoder<W> {
    /// Takes all of `text`, or fails.
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.raw.clear();
        for &byte in text {
            self.byte(byte)?;
        }
        self.inner.write_all(&self.raw)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any units at all, in any pieces, come back as they were.
    #[test]
    fn every_unit_comes_back() {
        let units = [
            0x41, 0xe9, 0x20ac, 0xd800, 0xd83d, 0xde00, 0xdc00, 0xfeff, 0, 0xffff,
        ];
        let mut all: Vec<u16> = Vec::new();
        for a in units {
            for b in units {
                for c in units {
                    all.extend([a, b, c]);
                }
            }
        }
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let bytes = |unit: &u16| match encoding {
                Encoding::Utf16Be => unit.to_be_bytes(),
                _ => unit.to_le_bytes(),
            };
            let raw: Vec<u8> = all.iter().flat_map(bytes).collect();
            for piece in [1, 2, 3, 5, 7, 4096] {
                let mut decoder = Decoder::new(encoding).unwrap();
                let mut text = Vec::new();
                for part in raw.chunks(piece) {
                    decoder.decode(part, &mut text);
                }
                assert!(decoder.finish(&mut text));
                let mut back = Vec::new();
                let mut encoder = Encoder::new(&mut back, encoding);
                for part in text.chunks(piece) {
                    encoder.write_all(part).unwrap();
                }
                assert_eq!(back, raw);
                let lengths: u64 = text.iter().copied().map(utf16_len).sum();
                assert_eq!(lengths, raw.len() as u64);
            }
        }
    }

    #[test]
    fn a_cut_unit_is_told() {
        let mut decoder = Decoder::new(Encoding::Utf16Le).unwrap();
        let mut text = Vec::new();
        decoder.decode(b"a\0b", &mut text);
        assert!(decoder.is_cut());
        assert!(!decoder.finish(&mut text));
    }
}
