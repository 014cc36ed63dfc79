//! What may stand left and right of a value: one definition for all detectors.
//!
//! The bytes are those of a folded text, where the start and the end of the text are edges.

/// ASCII letter or digit.
pub(crate) const fn is_alnum(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// The byte before `pos`, if any.
pub(crate) fn before(text: &[u8], pos: usize) -> Option<u8> {
    pos.checked_sub(1).map(|i| text[i])
}

/// The byte at `pos`, if any.
pub(crate) fn after(text: &[u8], pos: usize) -> Option<u8> {
    text.get(pos).copied()
}

/// The character that ends directly before `pos`; `None` at the start of the text or after an
/// invalid byte.
#[inline]
pub(crate) fn char_before(text: &[u8], pos: usize) -> Option<char> {
    match before(text, pos)? {
        byte @ 0..0x80 => Some(char::from(byte)),
        _ => wide_before(text, pos),
    }
}

fn wide_before(text: &[u8], pos: usize) -> Option<char> {
    let start = pos.saturating_sub(4);
    (start..pos)
        .rev()
        .find(|&i| (text[i] & 0xC0) != 0x80)
        .and_then(|i| std::str::from_utf8(&text[i..pos]).ok())
        .and_then(|s| s.chars().next())
}

/// The character that begins at `pos`; `None` at the end of the text or at an invalid byte.
#[inline]
pub(crate) fn char_after(text: &[u8], pos: usize) -> Option<char> {
    match after(text, pos)? {
        byte @ 0..0x80 => Some(char::from(byte)),
        _ => wide_after(text, pos),
    }
}

fn wide_after(text: &[u8], pos: usize) -> Option<char> {
    let bytes = &text[pos.min(text.len())..(pos + 4).min(text.len())];
    (1..=bytes.len())
        .find_map(|n| std::str::from_utf8(&bytes[..n]).ok())
        .and_then(|s| s.chars().next())
}

/// Whether `c` is a letter of a script that puts spaces between words, so that a value
/// that touches it is a part of a word. Letters of scripts without word spaces (Han, kana,
/// Hangul particles, Thai, Lao, Khmer, Myanmar, Tibetan, …) are edges (UAX #29, `Complex_Context`
/// and ideographs).
#[inline]
pub(crate) fn is_word_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() && !is_unspaced(c)
}

/// Whether `c` belongs to a script that is written without spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x0E00..=0x0EFF          // Thai, Lao
        | 0x0F00..=0x0FFF        // Tibetan
        | 0x1000..=0x109F        // Myanmar
        | 0x1100..=0x11FF        // Hangul Jamo
        | 0x1780..=0x17FF        // Khmer
        | 0x2E80..=0x31FF        // CJK radicals, kana, bopomofo, Hangul compatibility Jamo
        | 0x3200..=0x4DBF        // CJK compatibility, extension A
        | 0x4E00..=0x9FFF        // CJK unified ideographs
        | 0xA000..=0xA4CF        // Yi
        | 0xA960..=0xA97F        // Hangul Jamo extended A
        | 0xAC00..=0xD7FF        // Hangul syllables (particles are written on to the word)
        | 0xF900..=0xFAFF        // CJK compatibility ideographs
        | 0xFF65..=0xFFDC        // half-width kana and Hangul
        | 0x1B000..=0x1B16F      // kana supplement
        | 0x20000..=0x3FFFF      // supplementary ideographs
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_read_whole_and_never_panic() {
        let text = "aé話\u{10000}".as_bytes();
        assert_eq!(char_before(text, 0), None);
        assert_eq!(char_before(text, 1), Some('a'));
        assert_eq!(char_before(text, 3), Some('é'));
        assert_eq!(char_before(text, 2), None, "inside a character");
        assert_eq!(char_after(text, 3), Some('話'));
        assert_eq!(char_after(text, 4), None, "inside a character");
        assert_eq!(char_after(text, 6), Some('\u{10000}'));
        assert_eq!(char_after(text, text.len() + 3), None);
        assert_eq!(char_before(b"\xff\xff", 2), None);
    }

    #[test]
    fn unspaced_scripts_are_no_word_letters() {
        for c in "電話はテ全ไทย한".chars() {
            assert!(!is_word_letter(c), "{c}");
        }
        for c in "aéяאΣ9".chars() {
            assert!(is_word_letter(c), "{c}");
        }
    }
}
