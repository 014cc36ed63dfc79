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
        || is_constant(reading)
        || is_name(reading)
        || (is_literal(reading) || is_in_table(reading) || is_clause(reading)) && !words.phone()
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
    // `0~20171227`, `12-20220428-1`, `5.0.19991023`: versions by date. An area code begins with
    // a zero that is not alone.
    let area = first.len() > 1 && first.starts_with(b"0");
    let dated = |index: usize| {
        let group = group_text(reading, index);
        group.len() == 8 && context::is_stamp(group)
    };
    let versioned = !area && (1..reading.groups.len()).any(dated);
    context::is_stamp(first)
        || file
        || versioned
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

/// A row of numbers: of single digits, or in fours that all begin with a zero (code points,
/// weights of a collation).
fn is_row(reading: &Reading<'_>) -> bool {
    let first = separators(reading).next();
    let alike = separators(reading).all(|separator| Some(separator) == first);
    let spaced = alike && first == Some(b" ");
    let dotted = alike && first == Some(b".");
    let groups = reading.groups;
    let all =
        |test: &dyn Fn(&[u8]) -> bool| (0..groups.len()).all(|i| test(group_text(reading, i)));
    let fours = all(&|group| group.len() == 4 && group.starts_with(b"0"));
    let single = || all(&|group| group.len() == 1);
    let low = (0..groups.len()).filter(|&i| group_text(reading, i).starts_with(b"00"));
    let fours = fours || dotted && all(&|group| group.len() == 4) && low.count() > 1;
    groups.len() > 1 && (fours && (spaced || dotted) || spaced && single())
}

/// A number of a program or of JSON: `x = 2147767507`, `"x": 2147767507`, without quotes. None
/// begins with a zero, as national forms do.
fn is_literal(reading: &Reading<'_>) -> bool {
    let before = reading.text.get(..reading.start).unwrap_or_default();
    let before = before.trim_ascii_end();
    let bare = reading.groups.len() == 1 && !group_text(reading, 0).starts_with(b"0");
    bare && (before.ends_with(b" =") || before.ends_with(b"\":"))
}

/// `252.227-7013`: a point, then a dash, as in the number of a clause.
fn is_clause(reading: &Reading<'_>) -> bool {
    let mut signs = separators(reading);
    group_text(reading, 0).len() == 3
        && signs.next() == Some(b".")
        && signs.next() == Some(b"-")
        && signs.next().is_none()
}

/// A constant of a program, whatever it is called: `RING_CALL: u32 = 2147790711`.
fn is_constant(reading: &Reading<'_>) -> bool {
    let before = reading.text.get(..reading.start).unwrap_or_default();
    let Some(before) = before.strip_suffix(b" = ") else {
        return false;
    };
    [b"u32", b"i32", b"u64", b"i64"].iter().any(|name| {
        before
            .strip_suffix(*name)
            .is_some_and(|left| left.ends_with(b" "))
    })
}

/// The name of a thing: a commit in a link (``[`0807127339`](https``), an inode (`time:[4026531834]`).
fn is_name(reading: &Reading<'_>) -> bool {
    /// How far the target of a link is looked at.
    const LINK: usize = 96;
    let before = reading.text.get(..reading.start).unwrap_or_default();
    let behind = reading.text.get(reading.end()..).unwrap_or_default();
    let near = behind.get(..behind.len().min(LINK)).unwrap_or_default();
    let linked = (behind.starts_with(b"](http") || behind.starts_with(b"`](http"))
        && near.windows(8).any(|part| part == b"/commit/");
    let inode = before.ends_with(b":[") && behind.starts_with(b"]");
    reading.groups.len() == 1 && (linked || inode)
}

/// An entry of a table of integers: `1573767, 3222811527, 836907274`. Numbers without quotes on
/// both sides, at least one of them of another length or with a first digit that no such number
/// has; a short one is a column of another kind.
fn is_in_table(reading: &Reading<'_>) -> bool {
    let length = reading.end() - reading.start;
    if reading.groups.len() != 1 || group_text(reading, 0).starts_with(b"0") {
        return false;
    }
    let before = reading.text.get(..reading.start).unwrap_or_default();
    let behind = reading.text.get(reading.end()..).unwrap_or_default();
    let (Some(before), Some(behind)) = (before.strip_suffix(b", "), behind.strip_prefix(b", "))
    else {
        return false;
    };
    let digit = |byte: &&u8| byte.is_ascii_digit();
    let left = before.iter().rev().take(12).take_while(digit).count();
    let right = behind.iter().take(12).take_while(digit).count();
    let integer = |digits: usize| (6..=11).contains(&digits);
    let low = |first: Option<&u8>| matches!(first, Some(b'0' | b'1'));
    let first = before.len().checked_sub(left).and_then(|at| before.get(at));
    let unlike = left != length || right != length || low(first) || low(behind.first());
    integer(left) && integer(right) && unlike
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
