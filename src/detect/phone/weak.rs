//! Numbers without a `+`: `00` and a country code, North American shape, national forms.

use std::iter::once;

use super::context::{self, Words};
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
    let groups = groups::groups(text, start, at);
    let digits: usize = groups.iter().map(|group| group.len()).sum();
    if digits < MIN_DIGITS {
        return Err(Reject::Length);
    }
    let zeros = text.get(at..at + 2) == Some(b"00");
    if options.regions.is_empty() && !zeros && groups.len() < 2 {
        return Err(Reject::Shape);
    }
    if context::is_date_or_time(text, at) {
        return Err(Reject::Context);
    }
    let words = Words::before(text, start);
    let finding = |reading: &Reading<'_>, number: Option<Number>, bare: bool| {
        let number = number.filter(|_| !words.other(bare))?;
        Some(reading.finding(&number, Strength::Weak))
    };
    // How it is written is looked at first: that is cheaper than the plans of many regions.
    let valid = |reading: &Reading<'_>| {
        let allowed = is_allowed(reading, &groups, &words);
        let number = allowed.then(|| valid(reading, &options.regions))?;
        finding(reading, number, groups.len() == 1)
    };
    let possible = |reading: &Reading<'_>| {
        // Two zeros also open dumps and hexadecimal identifiers.
        let piece = reading.groups.len() < groups.len() || boundary::before(text, at) == Some(b'_');
        let allowed = is_allowed(reading, &groups, &words) && (words.phone() || !(zeros && piece));
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
    (formed && !listed && length && number.is_possible()).then_some(number)
}

/// A number in groups of three, three and four, perhaps with a 1 before them.
fn north_american(reading: &Reading<'_>) -> Option<Number> {
    let (one, rest) = match reading.groups {
        [one, rest @ ..] if rest.len() == 3 && one.len() == 1 => (Some(*one), rest),
        rest => (None, rest),
    };
    let lengths: Vec<usize> = rest.iter().map(|group| group.len()).collect();
    let bracket = reading
        .text
        .get(reading.start..reading.end())?
        .contains(&b'(');
    let shape = lengths == [3, 3, 4] || bracket && lengths == [3, 7];
    let digits = reading.digits;
    if !shape || one.is_some() && digits.first() != Some(&b'1') {
        return None;
    }
    let mut full = Digits::from_slice(b"1");
    full.extend_from_slice(digits.get(usize::from(one.is_some())..)?);
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

/// Whether nothing in the way it is written says that the reading is something else.
fn is_allowed(reading: &Reading<'_>, all: &[Group], words: &Words<'_>) -> bool {
    !(is_quad(reading)
        || is_decimal(reading)
        || is_citation(reading)
        || is_amount(reading)
        || is_path(reading)
        || is_literal(reading) && !words.phone()
        || (is_dated(reading) || is_row(reading)) && !words.phone()
        || continues(reading, all, words))
}

/// The bytes between the groups.
fn separators<'t>(reading: &Reading<'t>) -> impl Iterator<Item = &'t [u8]> {
    let text = reading.text;
    let groups = reading.groups;
    groups
        .iter()
        .zip(groups.iter().skip(1))
        .map(move |(left, right)| text.get(left.end..right.start).unwrap_or_default())
}

fn group_text<'t>(reading: &Reading<'t>, index: usize) -> &'t [u8] {
    let group = reading.groups.get(index);
    group
        .and_then(|group| reading.text.get(group.start..group.end))
        .unwrap_or_default()
}

/// Four dotted numbers that are an IPv4 address, perhaps with a prefix length behind it.
fn is_quad(reading: &Reading<'_>) -> bool {
    let dots = separators(reading)
        .take_while(|separator| *separator == b".")
        .count();
    dots == 3
        && (0..4).all(|index| {
            let part = group_text(reading, index);
            let value = part
                .iter()
                .take(4)
                .fold(0_u32, |v, d| v * 10 + u32::from(d - b'0'));
            part.len() <= 3 && value <= 255 && (part.len() == 1 || part.first() != Some(&b'0'))
        })
}

/// A date, a time or the number of a file, by its digits: `20240115`, `1723791600`,
/// `2024-000123`.
fn is_dated(reading: &Reading<'_>) -> bool {
    let first = group_text(reading, 0);
    let file = matches!(separators(reading).next(), Some(b"-" | b"/")) && context::is_year(first);
    let bare = reading.groups.len() == 1;
    context::is_stamp(first) || file || bare && context::is_unix_time(first)
}

/// `40.712776`, `48.8566140 2.3522219`, `9002309. 158`: a dot that is no grouping.
fn is_decimal(reading: &Reading<'_>) -> bool {
    let dots = separators(reading)
        .filter(|separator| separator.contains(&b'.'))
        .count();
    let bracket = reading.text.get(reading.start) == Some(&b'(');
    let first = group_text(reading, 0);
    let trunk = first.len() > 1 && first.starts_with(b"0");
    let spaces = separators(reading)
        .filter(|separator| *separator == b" ")
        .count();
    !bracket && !trunk && (dots == 1 && reading.groups.len() == 2 || dots > 0 && spaces > 0)
}

/// `12-15 (2009)`: pages and a year. A bracket holds the first or second group, or the third
/// behind an exit or country code.
fn is_citation(reading: &Reading<'_>) -> bool {
    let opened = separators(reading).position(|separator| separator.contains(&b'('));
    let trunk = group_text(reading, 0).starts_with(b"0");
    let spaced = separators(reading).next() == Some(b" ");
    match opened {
        None | Some(0 | 2) => false,
        Some(1) => !trunk && !spaced,
        Some(_) => true,
    }
}

/// `1.234.567,89`: groups of three with decimals behind them.
fn is_amount(reading: &Reading<'_>) -> bool {
    let end = reading.end();
    let decimals = groups::digits_end(reading.text, end + 1).saturating_sub(end + 1);
    reading.groups.len() > 1
        && reading.groups.iter().skip(1).all(|group| group.len() == 3)
        && boundary::after(reading.text, end) == Some(b',')
        && (1..=2).contains(&decimals)
}

/// `1.3.6.1.5.5.7.48.1`: dotted, and most groups of one digit.
fn is_path(reading: &Reading<'_>) -> bool {
    let single = reading
        .groups
        .iter()
        .filter(|group| group.len() == 1)
        .count();
    single >= 3 && separators(reading).any(|separator| separator == b".")
}

/// A row of numbers: of single digits, or in fours that all begin with a zero (code points).
fn is_row(reading: &Reading<'_>) -> bool {
    let spaced = separators(reading).all(|separator| separator == b" ");
    let groups = reading.groups;
    let all =
        |test: &dyn Fn(&[u8]) -> bool| (0..groups.len()).all(|i| test(group_text(reading, i)));
    let fours = all(&|group| group.len() == 4 && group.starts_with(b"0"));
    groups.len() > 1 && spaced && (fours || all(&|group| group.len() == 1))
}

/// A number of a program or of JSON: `x = 2147767507`, `"x": 2147767507`, without quotes. None
/// begins with a zero, as national forms do.
fn is_literal(reading: &Reading<'_>) -> bool {
    let before = reading.text.get(..reading.start).unwrap_or_default();
    let before = before.trim_ascii_end();
    let bare = reading.groups.len() == 1 && !group_text(reading, 0).starts_with(b"0");
    bare && (before.ends_with(b" =") || before.ends_with(b"\":"))
}

/// Whether the reading is a piece of a longer number in the same style, parted by spaces.
fn continues(reading: &Reading<'_>, all: &[Group], words: &Words<'_>) -> bool {
    let trunk = group_text(reading, 0).starts_with(b"0");
    let spaced = separators(reading).all(|separator| separator == b" ");
    let text = reading.text;
    let before = text.get(..reading.start).unwrap_or_default();
    let run = before.strip_suffix(b" ").map_or(0, |before| {
        before
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    });
    let mark = before
        .len()
        .checked_sub(run + 2)
        .and_then(|pos| text.get(pos));
    let pure = run > 0 && !mark.is_some_and(|byte| b".,:/-$)".contains(byte));
    let long = reading.groups.len() == 1 && reading.end() - reading.start >= 9;
    if pure && spaced && !long {
        return true;
    }
    let next = all.get(reading.groups.len());
    let last = reading.groups.last();
    let alike = next
        .zip(last)
        .is_some_and(|(next, last)| next.len() == last.len());
    let goes_on = boundary::after(text, reading.end()) == Some(b' ');
    !trunk && spaced && alike && goes_on && !words.phone()
}
