//! What the way that digits are written says: a quad, a decimal, an amount, a row, a literal, or
//! a piece of something longer is no phone.

use super::Reading;
use super::context::{self, Words};
use super::groups::{self, Group};
use crate::detect::boundary;

/// Whether nothing in the way it is written says that the reading is something else.
pub(super) fn is_allowed(reading: &Reading<'_>, all: &[Group], words: &Words<'_>) -> bool {
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
pub(super) fn separators<'t>(reading: &Reading<'t>) -> impl Iterator<Item = &'t [u8]> {
    let text = reading.text;
    let groups = reading.groups;
    groups
        .iter()
        .zip(groups.iter().skip(1))
        .map(move |(left, right)| text.get(left.end..right.start).unwrap_or_default())
}

pub(super) fn group_text<'t>(reading: &Reading<'t>, index: usize) -> &'t [u8] {
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
    context::is_stamp(first)
        || file
        || bare && (context::is_unix_time(first) || context::is_limit(first))
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
