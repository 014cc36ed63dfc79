//! The grammar of placeholders: written and recognized here, and nowhere else.
//!
//! # Syntax
//! ```text
//! placeholder = "[[" TYPE "_" HASH "]]"
//! TYPE        = [A-Z] [A-Z0-9_]{0,31}
//! HASH        = N lower-case hex digits
//! ```
//! TYPE may hold `_` and digits: the last `_` parts the two. Where placeholders are
//! recognized, HASH has N or 8 digits, whatever its TYPE and whichever its key.
//! A near miss, such as `[[jan@x.nl]]`, a lower-case TYPE or another length, is
//! ordinary text: only text that can hold no value is passed over.

use super::hash::HASH_LEN;
use crate::kind::{MAX_TYPE, is_type_byte};

/// The number of hex digits where nothing else is asked for.
pub(crate) const DEFAULT_DIGITS: usize = 8;
/// The greatest number of hex digits: the whole hash.
pub(crate) const MAX_DIGITS: usize = 2 * HASH_LEN;
/// The length of the longest placeholder, in bytes.
pub(crate) const MAX_LEN: usize = OPEN.len() + MAX_TYPE + 1 + MAX_DIGITS + CLOSE.len();

const OPEN: &[u8] = b"[[";
const CLOSE: &[u8] = b"]]";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// Whether `n` can be the number of hex digits: even, from 8 to 64.
pub(crate) fn is_digit_count(n: usize) -> bool {
    (DEFAULT_DIGITS..=MAX_DIGITS).contains(&n) && n.is_multiple_of(2)
}

/// Writes the placeholder of a hash at the end of `out`, with `digits` hex digits of it.
pub(crate) fn render(label: &str, hash: &[u8; HASH_LEN], digits: usize, out: &mut Vec<u8>) {
    let mut hex = [0; MAX_DIGITS];
    for (pair, byte) in hex.chunks_exact_mut(2).zip(hash.iter().take(digits / 2)) {
        pair[0] = HEX[usize::from(byte >> 4)];
        pair[1] = HEX[usize::from(byte & 0x0f)];
    }
    out.reserve(OPEN.len() + label.len() + 1 + digits + CLOSE.len());
    out.extend_from_slice(OPEN);
    out.extend_from_slice(label.as_bytes());
    out.push(b'_');
    out.extend_from_slice(&hex[..digits.min(MAX_DIGITS)]);
    out.extend_from_slice(CLOSE);
}

/// The length of the placeholder that begins at the first of `bytes`, with `digits` or 8
/// hex digits. Reads at most [`MAX_LEN`] bytes.
pub(crate) fn parse(bytes: &[u8], digits: usize) -> Option<usize> {
    let body = bytes.strip_prefix(OPEN)?;
    if !body.first()?.is_ascii_uppercase() {
        return None;
    }
    // The end of what TYPE, `_` and HASH can be made of.
    let longest = MAX_TYPE + 1 + MAX_DIGITS;
    let len = body
        .iter()
        .take(longest + 1)
        .position(|&byte| !(is_type_byte(byte) || is_hash_byte(byte)))?;
    let (body, rest) = body.split_at(len);
    if !rest.starts_with(CLOSE) {
        return None;
    }
    let (label, hash) = body.split_at(body.iter().rposition(|&byte| byte == b'_')?);
    let (_, hash) = hash.split_first()?;
    let well_formed = label.len() <= MAX_TYPE
        && label.iter().copied().all(is_type_byte)
        && (hash.len() == digits || hash.len() == DEFAULT_DIGITS)
        && hash.iter().copied().all(is_hash_byte);
    well_formed.then_some(OPEN.len() + len + CLOSE.len())
}

fn is_hash_byte(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: [u8; HASH_LEN] = [
        0x6c, 0x1f, 0x0a, 0x9e, 0xd2, 0x4b, 0x7c, 0x03, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 0xff,
    ];

    fn rendered(label: &str, digits: usize) -> String {
        let mut out = b"before ".to_vec();
        render(label, &HASH, digits, &mut out);
        String::from_utf8(out.split_off(7)).unwrap()
    }

    #[test]
    fn renders() {
        assert_eq!(rendered("EMAIL", 8), "[[EMAIL_6c1f0a9e]]");
        assert_eq!(rendered("IP", 16), "[[IP_6c1f0a9ed24b7c03]]");
        assert!(rendered("IP", 64).ends_with("16ff]]"));
    }

    #[test]
    fn what_is_rendered_is_parsed() {
        let longest = "A".repeat(MAX_TYPE);
        for label in [
            "A",
            "IP",
            "EMAIL",
            "A_1",
            "A_",
            "A__0",
            "P2",
            longest.as_str(),
        ] {
            for digits in (8..=64).step_by(2) {
                let text = rendered(label, digits);
                assert_eq!(text.len(), label.len() + digits + 5);
                assert!(text.len() <= MAX_LEN);
                assert_eq!(parse(text.as_bytes(), digits), Some(text.len()), "{text}");
                let longer = format!("{text}]]] 12");
                assert_eq!(parse(longer.as_bytes(), digits), Some(text.len()));
                for cut in 0..text.len() {
                    assert_eq!(parse(&text.as_bytes()[..cut], digits), None, "{text} {cut}");
                }
            }
        }
        assert_eq!(rendered(&longest, 64).len(), MAX_LEN);
    }

    #[test]
    fn eight_digits_are_always_known() {
        assert_eq!(parse(b"[[EMAIL_6c1f0a9e]]", 16), Some(18));
        assert_eq!(parse(b"[[EMAIL_6c1f0a9ed24b]]", 16), None);
        assert_eq!(parse(b"[[EMAIL_6c1f0a9ed24b]]", 8), None);
    }

    #[test]
    fn the_last_underscore_parts() {
        assert_eq!(parse(b"[[A_12345678]]", 8), Some(14));
        assert_eq!(parse(b"[[A_12345678_12345678]]", 8), Some(23));
        assert_eq!(parse(b"[[A_12345678_1234567]]", 8), None);
    }

    #[test]
    fn near_misses_are_text() {
        for text in [
            "",
            "[",
            "[[",
            "[[]]",
            "[[_6c1f0a9e]]",
            "[[1A_6c1f0a9e]]",
            "[[__6c1f0a9e]]",
            "[[jan@x.nl]]",
            "[[email_6c1f0a9e]]",
            "[[Email_6c1f0a9e]]",
            "[[EMAIL_6C1F0A9E]]",
            "[[EMAIL_6c1f0a9]]",
            "[[EMAIL_6c1f0a9e0]]",
            "[[EMAIL_6c1f0a9g]]",
            "[[EMAIL-6c1f0a9e]]",
            "[[EMAIL6c1f0a9e]]",
            "[[EMAIL_6c1f0a9e]",
            "[[EMAIL_6c1f0a9e] ]",
            "[[EMAIL_ 6c1f0a9e]]",
            "[EMAIL_6c1f0a9e]]",
            "[[ÉMAIL_6c1f0a9e]]",
            " [[EMAIL_6c1f0a9e]]",
            "[[Home Page]]",
        ] {
            assert_eq!(parse(text.as_bytes(), 8), None, "{text}");
        }
        let too_long = format!("[[{}_6c1f0a9e]]", "A".repeat(MAX_TYPE + 1));
        assert_eq!(parse(too_long.as_bytes(), 8), None);
    }

    #[test]
    fn the_number_of_digits_is_even_and_from_8_to_64() {
        let good: Vec<usize> = (0..100).filter(|&n| is_digit_count(n)).collect();
        assert_eq!(good, (8..=64).step_by(2).collect::<Vec<_>>());
    }
}
