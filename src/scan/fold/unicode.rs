//! Unicode characters that stand for ASCII ones.

use super::Purpose;

/// What a raw unit means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glyph {
    /// One ASCII byte.
    Ascii(u8),
    /// Another character.
    Char(char),
    /// Raw bytes, as they are.
    Raw,
    /// Nothing that can be seen.
    Invisible,
}

/// The digit zero of each run of decimal digits (general category Nd) outside ASCII.
/// Source: Unicode Character Database 16.0, `DerivedNumericType.txt`, 2024-09.
const ZEROS: &[u32] = &[
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    0x104A0, 0x10D30, 0x10D40, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0,
    0x11650, 0x116C0, 0x116D0, 0x116DA, 0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50, 0x11D50,
    0x11DA0, 0x11F50, 0x16130, 0x16A60, 0x16AC0, 0x16B50, 0x16D70, 0x1CCF0, 0x1D7CE, 0x1D7D8,
    0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1, 0x1E950, 0x1FBF0,
];

/// The ASCII digit that `c` means, if it is a decimal digit outside ASCII.
pub(crate) fn digit(c: char) -> Option<u8> {
    let code = c as u32;
    let i = ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?;
    let value = code - ZEROS[i];
    (value < 10).then(|| b'0' + u8::try_from(value).unwrap_or(0))
}

/// Decodes the UTF-8 character at the start of `rest`; `None` for an invalid byte. `last` is the
/// folded byte before it.
pub(super) fn decode(rest: &[u8], purpose: Purpose, last: Option<u8>) -> Option<(Glyph, usize)> {
    let len = match rest[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let text = std::str::from_utf8(rest.get(..len)?).ok()?;
    let c = text.chars().next()?;
    Some(match fold(c, purpose) {
        Glyph::Char(_) => (Glyph::Raw, len),
        // A joiner inside a word of a script that needs it is a letter of an address.
        Glyph::Invisible if purpose == Purpose::Address && joins(c, last, rest.get(len)) => {
            (Glyph::Raw, len)
        }
        glyph => (glyph, len),
    })
}

/// Whether `c` is a joiner between two characters outside ASCII.
fn joins(c: char, last: Option<u8>, next: Option<&u8>) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
        && last.is_some_and(|b| !b.is_ascii())
        && next.is_some_and(|b| !b.is_ascii())
}

/// What a character outside ASCII stands for.
pub(super) fn fold(c: char, purpose: Purpose) -> Glyph {
    let code = c as u32;
    let number = purpose == Purpose::Number;
    match code {
        // Full-width forms; but for the colon, which parts a label from a value in Chinese and
        // Japanese text, where nobody writes addresses with it.
        0xFF1A => Glyph::Char(c),
        0xFF01..=0xFF5E => Glyph::Ascii(u8::try_from(code - 0xFF01 + 0x21).unwrap_or(0)),
        // Soft hyphen, zero-width and bidirectional controls, word joiner, byte order mark.
        0x00AD
        | 0x061C
        | 0x180E
        | 0x200B..=0x200F
        | 0x202A..=0x202E
        | 0x2060..=0x2064
        | 0x2066..=0x2069
        | 0xFE00..=0xFE0F
        | 0xFEFF => Glyph::Invisible,
        // Spaces (general category Zs).
        0x00A0 | 0x1680 | 0x2000..=0x200A | 0x202F | 0x205F | 0x3000 => Glyph::Ascii(b' '),
        // Line and paragraph separator, next line: ends of lines.
        0x0085 | 0x2028 | 0x2029 => Glyph::Ascii(b'\n'),
        // Hyphens, dashes, minus signs, the katakana long sound mark in a number.
        0x2010..=0x2015 | 0x2043 | 0x2212 | 0xFE58 | 0xFE63 if number => Glyph::Ascii(b'-'),
        // One dot leader, small full stop, the ideographic full stop's half-width form is none.
        0x2024 | 0xFE52 if number => Glyph::Ascii(b'.'),
        0xFE62 if number => Glyph::Ascii(b'+'),
        _ => match digit(c) {
            Some(byte) if number => Glyph::Ascii(byte),
            _ => Glyph::Char(c),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_sorted_and_every_digit_is_numeric() {
        assert!(ZEROS.is_sorted_by(|a, b| a + 10 <= *b));
        for &zero in ZEROS {
            for value in 0..10 {
                let c = char::from_u32(zero + value).unwrap();
                assert!(c.is_numeric(), "{:04X}", zero + value);
                assert_eq!(digit(c), Some(b'0' + u8::try_from(value).unwrap()));
            }
        }
        for c in ['0', 'a', '½', '²', '一', '\u{0669}'.to_ascii_lowercase()] {
            let expected = if c == '\u{0669}' { Some(b'9') } else { None };
            assert_eq!(digit(c), expected, "{c}");
        }
    }
}
