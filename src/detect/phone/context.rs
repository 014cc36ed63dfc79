//! What stands around a number: telephone words, words and forms that say it is no phone.

use std::cell::OnceCell;

use smallvec::SmallVec;

use super::groups::digits_end;
use super::words::{DOCUMENT_WORDS, FILLERS, NUMBER_WORDS, PHONE_MARKS, PHONE_STEMS, PHONE_WORDS};
use crate::detect::boundary;

/// A telephone word ends at most this many bytes before the number (the contract's figure).
const WORD_GAP: usize = 12;
/// The longest word that is looked for.
const WORD_LEN: usize = 20;

/// The words before a candidate, looked at only when they matter.
pub(super) struct Words<'t> {
    text: &'t [u8],
    start: usize,
    phone: OnceCell<bool>,
}

impl<'t> Words<'t> {
    pub(super) fn before(text: &'t [u8], start: usize) -> Self {
        Words {
            text,
            start,
            phone: OnceCell::new(),
        }
    }

    /// Whether a telephone word ends at most twelve bytes before.
    pub(super) fn phone(&self) -> bool {
        *self
            .phone
            .get_or_init(|| has_phone_word(self.text, self.start))
    }

    /// Whether the word directly before says that the digits are no phone. `bare`: so does one
    /// that goes with any number.
    pub(super) fn other(&self, bare: bool) -> bool {
        has_other_word(self.text, self.start, bare) && !self.phone()
    }
}

fn has_phone_word(text: &[u8], start: usize) -> bool {
    let from = start.saturating_sub(WORD_GAP + WORD_LEN);
    let window = text.get(from..start).unwrap_or_default();
    if window.ends_with(b"wa.me/") {
        return true;
    }
    let mut end = window.len();
    while let Some((word_start, word_end)) = last_word(window, end) {
        if window.len() - word_end > WORD_GAP {
            return false;
        }
        let word = window.get(word_start..word_end).unwrap_or_default();
        if is_phone_word(word) {
            return true;
        }
        end = word_start;
    }
    false
}

fn is_phone_word(word: &[u8]) -> bool {
    let Some(lower) = lower(word) else {
        return false;
    };
    PHONE_WORDS
        .binary_search_by(|known| known.as_bytes().cmp(&lower))
        .is_ok()
        || PHONE_STEMS
            .iter()
            .any(|stem| lower.starts_with(stem.as_bytes()))
        || PHONE_MARKS
            .iter()
            .any(|mark| contains(&lower, mark.as_bytes()))
        || ["phone", "telefon", "fax"]
            .iter()
            .any(|end| lower.ends_with(end.as_bytes()))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    !text.is_ascii() && text.windows(part.len()).any(|window| window == part)
}

/// The word in lower case; `None` where it is not UTF-8.
fn lower(word: &[u8]) -> Option<SmallVec<[u8; 48]>> {
    let mut lower = SmallVec::new();
    for c in std::str::from_utf8(word)
        .ok()?
        .chars()
        .flat_map(char::to_lowercase)
    {
        lower.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Some(lower)
}

/// The last run of letters that ends at or before `end`. In `homePhone` that is `Phone`.
fn last_word(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let word_end = text.get(..end)?.iter().rposition(letter)? + 1;
    let mut start = word_end;
    while let Some(byte) = boundary::before(text, start).filter(letter) {
        start -= 1;
        let before = boundary::before(text, start);
        let part = byte.is_ascii_uppercase() && word_end - start > 1;
        if part && before.is_some_and(|byte| byte.is_ascii_lowercase()) {
            break;
        }
    }
    Some((start, word_end))
}

fn has_other_word(text: &[u8], start: usize, bare: bool) -> bool {
    let from = start.saturating_sub(WORD_GAP + WORD_LEN);
    let window = text.get(from..start).unwrap_or_default();
    let mut end = window.len();
    for _ in 0..2 {
        let Some((word_start, word_end)) = last_word(window, end) else {
            return false;
        };
        let gap = window.get(word_end..end).unwrap_or_default();
        if gap.len() > 4 || gap.iter().any(|byte| !b" :=#.\"'_([-".contains(byte)) {
            return false;
        }
        let Some(word) = lower(window.get(word_start..word_end).unwrap_or_default()) else {
            return false;
        };
        let is = |words: &[&str]| {
            words
                .binary_search_by(|known| known.as_bytes().cmp(&word))
                .is_ok()
        };
        if is(DOCUMENT_WORDS) || bare && is(NUMBER_WORDS) {
            return true;
        }
        if !is(FILLERS) {
            return false;
        }
        end = word_start;
    }
    false
}

/// Whether a date (`2024-01-15`, `15.1.2024`, `1/15/24`) or a time (`12:30`) begins at `at`.
pub(super) fn is_date_or_time(text: &[u8], at: usize) -> bool {
    let first = digits_end(text, at);
    if boundary::after(text, first) == Some(b':') {
        return first - at <= 2 && digits_end(text, first + 1) > first + 1;
    }
    let Some(separator @ (b'-' | b'.' | b'/')) = boundary::after(text, first) else {
        return false;
    };
    let second = digits_end(text, first + 1);
    if boundary::after(text, second) != Some(separator) {
        return false;
    }
    let third = digits_end(text, second + 1);
    let goes_on = boundary::after(text, third) == Some(separator)
        && boundary::after(text, third + 1).is_some_and(|byte| byte.is_ascii_digit());
    let parts = [(at, first), (first + 1, second), (second + 1, third)];
    let [a, b, c] = parts.map(|(start, end)| value(text.get(start..end).unwrap_or_default()));
    let year = |(value, length): (u32, usize)| match length {
        2 => true,
        4 => (1900..2100).contains(&value),
        _ => false,
    };
    let day = |(value, length): (u32, usize)| length <= 2 && (1..=31).contains(&value);
    let month = |(value, length): (u32, usize)| length <= 2 && (1..=12).contains(&value);
    let ordered = |x, y| day(x) && month(y) || month(x) && day(y);
    !goes_on && (a.1 == 4 && year(a) && ordered(b, c) || ordered(a, b) && year(c))
}

/// A run of digits that begins with a date, and perhaps goes on with a time or a serial number:
/// `20240115`, `2024011501`, `20240115123000`.
pub(super) fn is_stamp(digits: &[u8]) -> bool {
    let part = |from: usize, to: usize| value(digits.get(from..to).unwrap_or_default()).0;
    matches!(digits.len(), 8 | 10 | 12 | 14)
        && (1900..2100).contains(&part(0, 4))
        && (1..=12).contains(&part(4, 6))
        && (1..=31).contains(&part(6, 8))
        && (digits.len() <= 10 || part(8, 10) < 24)
}

/// A bare run of digits that is a Unix time from 2014 to 2033, in seconds or milliseconds.
pub(super) fn is_unix_time(digits: &[u8]) -> bool {
    matches!(digits.len(), 10 | 13) && matches!(digits, [b'1', b'4'..=b'9', ..])
}

/// The largest integers of 31 to 33 bits and the powers of two beside them, which program texts
/// are full of.
pub(super) fn is_limit(digits: &[u8]) -> bool {
    const LIMITS: [&[u8]; 6] = [
        b"2147483647",
        b"2147483648",
        b"4294967295",
        b"4294967296",
        b"8589934591",
        b"8589934592",
    ];
    LIMITS.contains(&digits)
}

/// A postal code of the United States behind its state or before the country: `MA 02110-1301`,
/// `02111-1307, USA`.
pub(super) fn is_zip_code(text: &[u8], at: usize) -> bool {
    let code = text.get(at..at + 10).unwrap_or_default();
    let shape = code.iter().enumerate().all(|(i, byte)| {
        if i == 5 {
            *byte == b'-'
        } else {
            byte.is_ascii_digit()
        }
    });
    let before = text.get(..at).unwrap_or_default();
    let spaces = before
        .iter()
        .rev()
        .take_while(|&&byte| byte == b' ')
        .count();
    let state = before.get(..before.len() - spaces).unwrap_or_default();
    let behind = text.get(at + 10..).unwrap_or_default();
    let behind = behind
        .strip_prefix(b",")
        .unwrap_or(behind)
        .trim_ascii_start();
    code.len() == 10
        && shape
        && !boundary::after(text, at + 10).is_some_and(|byte| byte.is_ascii_digit())
        && (behind.starts_with(b"USA")
            || (1..=2).contains(&spaces)
                && matches!(state, [.., b' ' | b',', a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase()))
}

/// A year that may begin a file or order number: `2024-000123`.
pub(super) fn is_year(digits: &[u8]) -> bool {
    matches!(digits, [b'1', b'9', _, _] | [b'2', b'0', _, _])
}

/// The number that up to nine digits stand for, and how many they are.
fn value(digits: &[u8]) -> (u32, usize) {
    let value = digits.iter().take(9).fold(0, |value, digit| {
        value * 10 + u32::from(digit.wrapping_sub(b'0') % 10)
    });
    (value, digits.len())
}
