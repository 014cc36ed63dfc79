//! Numbers with a `+`.

use std::iter::once;

use super::groups;
use super::numbers::Number;
use super::{Reading, digits, first_reading};
use crate::detect::{Candidate, Reject, boundary};
use crate::finding::{Finding, Strength};

/// Rule 1: a `+` and a country code.
pub(super) fn verify(candidate: &Candidate<'_>) -> Result<Finding, Reject> {
    let Candidate { text, at, .. } = *candidate;
    let (start, sign) = opening(candidate)?;
    let bracket = boundary::after(text, at + 1) == Some(b'(');
    let first = at + 1 + usize::from(bracket);
    if !boundary::after(text, first).is_some_and(|byte| matches!(byte, b'1'..=b'9')) {
        return Err(Reject::Registry);
    }
    let valid_only = candidate.opens_line(at) || is_between_terms(text, sign);
    let groups = groups::groups(text, start, first);
    if Number::international(&digits(text, &groups)).is_none() {
        return Err(Reject::Registry);
    }
    let judge = |reading: &Reading<'_>| {
        let number = international(reading)?;
        let proven = number.is_valid() && !is_decimal(reading, &number) && !is_coordinate(reading);
        proven.then(|| reading.finding(&number, Strength::Strong))
    };
    // A bracket before the sign belongs to the number only if it closes within it: `(+31) 6…`.
    let starts = || once(start).chain((start != sign).then_some(sign));
    for start in starts() {
        if let Some(finding) = first_reading(text, start, &groups, true, judge) {
            return Ok(finding);
        }
    }
    let judge = |reading: &Reading<'_>| {
        let number = international(reading)?;
        is_plausible(reading, &number).then(|| reading.finding(&number, Strength::Strong))
    };
    starts()
        .filter(|_| !valid_only)
        .find_map(|start| first_reading(text, start, &groups, false, judge))
        .ok_or(Reject::Numbering)
}

/// Where a candidate with its `+` at `at` begins, with and without an opening bracket.
fn opening(candidate: &Candidate<'_>) -> Result<(usize, usize), Reject> {
    let Candidate { text, at, .. } = *candidate;
    let mut sign = at;
    // A diff's mark is no part of the number behind it.
    if boundary::before(text, at) == Some(b'+') && !candidate.opens_line(at - 1) {
        sign -= 1;
        if boundary::before(text, sign).is_some_and(|byte| byte == b'+' || boundary::is_alnum(byte))
        {
            return Err(Reject::Boundary);
        }
    }
    if matches!(boundary::before(text, sign), Some(b'$' | b'%' | b'@')) {
        return Err(Reject::Boundary);
    }
    // An exponent (`1.5E+845098038`) or a version (`93u+20120801`): a letter behind a number.
    if let Some([.., before, letter]) = text.get(..sign)
        && letter.is_ascii_alphabetic()
        && (before.is_ascii_digit() || *before == b'.')
    {
        return Err(Reject::Context);
    }
    let bracket = boundary::before(text, sign) == Some(b'(');
    Ok((sign - usize::from(bracket), sign))
}

/// Whether the sign at `sign` stands behind a number, so that it may mean a sum.
fn is_between_terms(text: &[u8], sign: usize) -> bool {
    let before = text.get(..sign).unwrap_or_default();
    let term = before.iter().rev().find(|&&byte| byte != b' ');
    term.is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b')' | b']'))
}

/// The number of a reading that begins with a country code.
fn international(reading: &Reading<'_>) -> Option<Number> {
    let digits = reading.digits;
    let number = reading
        .digits_without_trunk()
        .and_then(|digits| Number::international(&digits))
        // In Italy the zero is a part of the number: it stays where it must.
        .filter(|number| number.is_valid() || !number_is_valid(digits))
        .or_else(|| Number::international(digits))?;
    number.is_possible().then_some(number)
}

fn number_is_valid(digits: &[u8]) -> bool {
    Number::international(digits).is_some_and(|number| number.is_valid())
}

/// Whether a possible number looks like one: long enough, and not an amount in groups of three.
fn is_plausible(reading: &Reading<'_>, number: &Number) -> bool {
    let total = number.code_len() + number.national_len();
    let least = if reading.groups.len() == 1 { 8 } else { 7 };
    let amount = reading.groups.len() > 1
        && reading.groups.iter().skip(1).all(|group| group.len() == 3)
        && reading
            .groups
            .first()
            .is_some_and(|group| group.len() != number.code_len());
    total >= least && !amount && !is_decimal(reading, number) && !is_coordinate(reading)
}

/// `+3.140000`, `+35236450.6`: a point inside of the country code, or before one last digit.
fn is_decimal(reading: &Reading<'_>, number: &Number) -> bool {
    let [whole, rest @ ..] = reading.groups else {
        return false;
    };
    let pointed = |group: &groups::Group| boundary::before(reading.text, group.start) == Some(b'.');
    rest.first().is_some_and(pointed)
        && (whole.len() < number.code_len() || (rest.len() == 1 && rest[0].len() == 1))
}

/// `+5320-06025`, `+433649-1161209`: latitude and longitude (ISO 6709), in degrees, minutes and
/// seconds. A longitude of five digits that does not begin with zero could be a number too.
fn is_coordinate(reading: &Reading<'_>) -> bool {
    let [latitude, longitude] = reading.groups else {
        return false;
    };
    let digits = |group: &groups::Group| {
        let bytes = reading.text.get(group.start..group.end);
        bytes.unwrap_or_default().iter()
    };
    // Degrees, then minutes and seconds of two digits each, none of sixty or more.
    let holds = |group: &groups::Group, degrees: usize, most: u32| {
        let minutes = digits(group).skip(degrees).step_by(2);
        let value = digits(group)
            .take(degrees)
            .fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        value <= most && minutes.into_iter().all(|tens| *tens < b'6')
    };
    let dashed = boundary::before(reading.text, longitude.start) == Some(b'-');
    let zero = digits(longitude).next() == Some(&b'0');
    let long = match (latitude.len(), longitude.len()) {
        (4, 5) => zero,
        (6, 7) => true,
        _ => false,
    };
    dashed && long && holds(latitude, 2, 90) && holds(longitude, 3, 180)
}
