//! Numbers without a `+`: `00` and a country code, North American shape, national forms.

use std::iter::once;

use super::context::{self, Words};
use super::form::{group_text, is_allowed, separators};
use super::groups::{self, Group};
use super::numbers::{Digits, Number, Region};
use super::{MIN_DIGITS, Reading, first_reading};
use crate::detect::{Candidate, Options, Reject, boundary};
use crate::finding::{Finding, Strength};

/// Decides a candidate of which the first digit is at `candidate.at`.
pub(super) fn verify(candidate: &Candidate<'_>, options: &Options) -> Result<Finding, Reject> {
    let Candidate { text, at, .. } = *candidate;
    let bracket = boundary::before(text, at) == Some(b'(');
    let start = at - usize::from(bracket);
    left_edge(candidate, start)?;
    // Without a plan only North American shape is one, which begins with one digit or three.
    let zeros = text.get(at..at + 2) == Some(b"00");
    let planned = !options.regions.is_empty() || zeros;
    if !planned && !matches!(groups::digits_end(text, at) - at, 1 | 3) {
        return Err(Reject::Shape);
    }
    let groups = groups::groups(text, start, at);
    let digits: usize = groups.iter().map(|group| group.len()).sum();
    if digits < MIN_DIGITS {
        return Err(Reject::Length);
    }
    if context::is_date_or_time(text, at) || context::is_zip_code(text, at) {
        return Err(Reject::Context);
    }
    let shaped = |count| groups.get(..count).is_some_and(is_north_american_shape);
    if !planned && !(2..=4).any(shaped) {
        return Err(Reject::Numbering);
    }
    let words = Words::before(text, start);
    let finding = |reading: &Reading<'_>, number: Option<Number>, bare: bool| {
        let number = number.filter(|_| !words.other(bare))?;
        Some(reading.finding(&number, Strength::Weak))
    };
    // How it is written is looked at first: that is cheaper than the plans of many regions.
    let valid = |reading: &Reading<'_>| {
        let allowed = (planned || is_north_american_shape(reading.groups))
            && is_allowed(reading, &groups, &words);
        let number = allowed.then(|| valid(reading, &options.regions))?;
        finding(reading, number, groups.len() == 1)
    };
    let possible = |reading: &Reading<'_>| {
        // Two zeros also open dumps and hexadecimal identifiers.
        let piece = reading.groups.len() < groups.len() || boundary::before(text, at) == Some(b'_');
        let allowed = (planned || is_north_american_shape(reading.groups))
            && is_allowed(reading, &groups, &words)
            && (words.phone() || !(zeros && piece));
        let number = allowed.then(|| possible(reading, &options.regions, &words))?;
        finding(reading, number, true)
    };
    // The bracket is the sentence's where it does not close within the number.
    let starts = || once(start).chain(bracket.then_some(at));
    starts()
        .find_map(|start| first_reading(text, start, &groups, false, valid))
        .or_else(|| {
            // Behind a `+` that rule 1 has not taken, possible is not enough.
            let mut starts = starts().filter(|_| boundary::before(text, start) != Some(b'+'));
            starts.find_map(|start| first_reading(text, start, &groups, false, possible))
        })
        .ok_or(Reject::Numbering)
}

/// What may stand before a number.
fn left_edge(candidate: &Candidate<'_>, start: usize) -> Result<(), Reject> {
    let text = candidate.text;
    let word = || Words::before(text, start).phone();
    let bracket = boundary::after(text, start) == Some(b'(');
    let Some(byte) = boundary::before(text, start) else {
        return Ok(());
    };
    let second = start
        .checked_sub(1)
        .and_then(|pos| boundary::before(text, pos));
    let digit_before = second.is_some_and(|byte| byte.is_ascii_digit());
    let open = match byte {
        // The sign of a line in a diff or a list; elsewhere of a number.
        b'+' | b'-' => candidate.opens_line(start - 1) || byte == b'-' && !digit_before && word(),
        b'.' | b'/' => second.is_none() || !digit_before && word(),
        b':' => !digit_before,
        b'#' | b'$' | b'%' | b'@' | b'^' | b'\\' | b'~' => false,
        _ if boundary::is_alnum(byte) => bracket && !byte.is_ascii_digit(),
        _ if byte.is_ascii() => true,
        _ => boundary::char_before(text, start)
            .is_none_or(|c| groups::may_touch(c) || bracket && boundary::is_word_letter(c)),
    };
    if open { Ok(()) } else { Err(Reject::Boundary) }
}

/// The number of a reading that a numbering plan knows.
fn valid(reading: &Reading<'_>, regions: &[Region]) -> Option<Number> {
    let digits = reading.digits;
    zeros(reading)
        .filter(Number::is_valid)
        .or_else(|| {
            regions.iter().find_map(|&region| {
                let dialled = Number::dialled(digits, region).filter(Number::is_valid);
                dialled.or_else(|| {
                    let national = Number::national(digits, region)?;
                    let holds = national.complete
                        && national.number.is_valid()
                        && national.number.is_e164();
                    holds.then_some(national.number)
                })
            })
        })
        .or_else(|| north_american(reading).filter(Number::is_valid))
}

/// The number of a reading that has the right length.
fn possible(reading: &Reading<'_>, regions: &[Region], words: &Words<'_>) -> Option<Number> {
    let digits = reading.digits;
    let national = |&region: &Region| {
        let number = Number::national(digits, region)?.number;
        (number.is_possible() && number.is_e164() && number.national_len() >= MIN_DIGITS - 1)
            .then_some(number)
    };
    zeros(reading)
        .or_else(|| regions.iter().filter(|_| words.phone()).find_map(national))
        .or_else(|| north_american(reading).filter(|_| is_north_american_style(reading)))
}

/// `00` and a country code, wherever it is dialled from: `00 31 6…`, `0031 6…`, `0031612345678`.
fn zeros(reading: &Reading<'_>) -> Option<Number> {
    let first = group_text(reading, 0);
    let trunk = reading.digits_without_trunk();
    if !first.starts_with(b"00") {
        return None;
    }
    let digits = trunk.unwrap_or_else(|| Digits::from_slice(reading.digits));
    let number = Number::international(digits.strip_prefix(b"00")?)?;
    let alone = reading.groups.len() == 1 || first.len() == 2;
    let formed = alone || first.len() == number.code_len() + 2;
    // Code points and hex dumps come in groups of one length.
    let listed = reading.groups.len() > 2
        && reading
            .groups
            .iter()
            .all(|group| group.len() == first.len());
    let length = (10..=17).contains(&digits.len());
    // A national number that begins with zero is one only where it stays after the code, as in
    // Italy: otherwise it is a constant in octal, a hash or a dump.
    let national = digits.get(2 + number.code_len()..)?;
    let plain = national.first() != Some(&b'0') || number.is_valid();
    (formed && !listed && length && plain && number.is_possible() && !is_among_hex(reading))
        .then_some(number)
}

/// Whether the next word is one of four hex digits, with a letter in it: then the number's groups
/// are code points or bytes too.
fn is_among_hex(reading: &Reading<'_>) -> bool {
    let is_hex = |word: &[u8]| {
        word.len() == 4
            && word.iter().all(u8::is_ascii_hexdigit)
            && word.iter().any(u8::is_ascii_alphabetic)
            && word.iter().any(u8::is_ascii_digit)
    };
    let behind = reading.text.get(reading.end()..).unwrap_or_default();
    let next = behind.strip_prefix(b" ").and_then(|rest| {
        let end = rest.iter().take(5).position(|b| !b.is_ascii_alphanumeric());
        rest.get(..end.unwrap_or(rest.len().min(5)))
    });
    next.is_some_and(is_hex)
}

/// Whether groups of these sizes are as in North America: three, three and four digits, perhaps with
/// one before them, or three and seven.
pub(super) fn has_north_american_sizes(sizes: &[usize]) -> bool {
    matches!(sizes, [3, 7] | [3, 3, 4] | [1, 3, 3, 4])
}

fn is_north_american_shape(groups: &[Group]) -> bool {
    let mut sizes = [0; 4];
    sizes.get_mut(..groups.len()).is_some_and(|sizes| {
        for (size, group) in sizes.iter_mut().zip(groups) {
            *size = group.len();
        }
        has_north_american_sizes(sizes)
    })
}

/// A number in groups of three, three and four, perhaps with a 1 before them.
fn north_american(reading: &Reading<'_>) -> Option<Number> {
    let bracket = || {
        let text = reading.text.get(reading.start..reading.end());
        text.is_some_and(|text| text.contains(&b'('))
    };
    let digits = reading.digits;
    let shape = is_north_american_shape(reading.groups) && (reading.groups.len() > 2 || bracket());
    let one = reading.groups.len() == 4;
    if !shape || one && digits.first() != Some(&b'1') {
        return None;
    }
    let mut full = Digits::from_slice(b"1");
    full.extend_from_slice(digits.get(usize::from(one)..)?);
    let number = Number::international(&full)?;
    number.is_possible().then_some(number)
}

/// Whether the separators are those of the shape itself: `(415) 555-2671`, `415-555-2671`,
/// `415.555.2671`.
fn is_north_american_style(reading: &Reading<'_>) -> bool {
    let Some(first) = separators(reading).next() else {
        return false;
    };
    let uniform = separators(reading).all(|separator| separator == first);
    let bracket = separators(reading).any(|separator| separator.starts_with(b")"));
    bracket || uniform && matches!(first, b"-" | b".")
}
