//! PHONE. The weaker the shape, the stronger the proof:
//!
//! 1. `+` or `00` and a country code: possible by the country's numbering plan; valid where the
//!    `+` may be a sign of something else (a diff, arithmetic).
//! 2. North American shape with separators: possible.
//! 3. National form, or a country code without `+`: valid in a given region, or possible there
//!    behind a telephone word.
//! 4. Nothing else: dates, times, amounts, quads, ISBN, stamps, pieces of longer numbers.

mod context;
mod groups;
mod numbers;
#[cfg(test)]
mod oracle;
mod weak;

pub(crate) use numbers::Region;

use std::iter::once;

use self::groups::{EXTENSION_LEN, Group, Groups, NUMBER_LEN};
use self::numbers::{Digits, Number};
use super::{Candidate, Detector, Options, Reject, Shape, boundary};
use crate::finding::{Finding, Strength};
use crate::kind::Kind;

/// The detector of [`Kind::Phone`].
pub(crate) struct Phone;

impl Detector for Phone {
    fn kind(&self) -> Kind {
        Kind::Phone
    }

    fn max_len(&self) -> usize {
        NUMBER_LEN + EXTENSION_LEN
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Plus, Shape::Digits]
    }

    fn verify(&self, candidate: &Candidate<'_>, options: &Options) -> Result<Finding, Reject> {
        match boundary::after(candidate.text, candidate.at) {
            Some(b'+') => plus(candidate),
            Some(b'0'..=b'9') => weak::verify(candidate, options),
            _ => Err(Reject::Shape),
        }
    }
}

/// Some groups of a candidate, read as one number.
struct Reading<'t> {
    text: &'t [u8],
    start: usize,
    groups: &'t [Group],
}

impl Reading<'_> {
    fn end(&self) -> usize {
        self.groups.last().map_or(self.start, |group| group.end)
    }

    /// All digits in order.
    fn digits(&self) -> Digits {
        let bytes = |group: &Group| self.text.get(group.start..group.end).unwrap_or_default();
        self.groups.iter().flat_map(bytes).copied().collect()
    }

    /// The digits without a trunk zero in brackets, `(0)`, if there is one.
    fn digits_without_trunk(&self) -> Option<Digits> {
        let trunk = self.groups.iter().position(|group| {
            let before = boundary::before(self.text, group.start);
            self.text.get(group.start..group.end + 1) == Some(b"0)") && before == Some(b'(')
        })?;
        let bytes = |group: &Group| self.text.get(group.start..group.end).unwrap_or_default();
        let rest = self
            .groups
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != trunk);
        Some(rest.flat_map(|(_, group)| bytes(group)).copied().collect())
    }

    /// Whether the reading is whole: brackets in pairs, and nothing behind it that it is a part of.
    fn is_whole(&self) -> bool {
        let signed = self
            .text
            .get(self.start..self.end())
            .is_some_and(|raw| raw.contains(&b'+'));
        groups::is_balanced(self.text, self.start, self.end())
            && (groups::may_end(self.text, self.end(), signed)
                || groups::extension(self.text, self.end()).is_some())
    }

    /// The finding, with the extension, if there is one.
    fn finding(&self, number: &Number, strength: Strength) -> Finding {
        let mut canonical = number.e164();
        let mut end = self.end();
        if let Some(extension) = groups::extension(self.text, end) {
            canonical.extend_from_slice(b";ext=");
            canonical.extend_from_slice(
                self.text
                    .get(extension.start..extension.end)
                    .unwrap_or_default(),
            );
            end = extension.end;
        }
        Finding::new(Kind::Phone, strength, self.start..end, canonical)
    }
}

/// The first reading, from the longest on, that `judge` takes.
fn first_reading<T>(
    text: &[u8],
    start: usize,
    groups: &Groups,
    judge: impl Fn(&Reading<'_>) -> Option<T>,
) -> Option<T> {
    (1..=groups.len()).rev().find_map(|count| {
        let reading = Reading {
            text,
            start,
            groups: groups.get(..count)?,
        };
        if reading.is_whole() {
            judge(&reading)
        } else {
            None
        }
    })
}

/// Rule 1: a `+` and a country code.
fn plus(candidate: &Candidate<'_>) -> Result<Finding, Reject> {
    let Candidate { text, at, .. } = *candidate;
    let (start, sign) = opening(text, at)?;
    let bracket = boundary::after(text, at + 1) == Some(b'(');
    let first = at + 1 + usize::from(bracket);
    if !boundary::after(text, first).is_some_and(|byte| matches!(byte, b'1'..=b'9')) {
        return Err(Reject::Registry);
    }
    let valid_only = candidate.opens_line(at) || is_between_terms(text, sign);
    let groups = groups::groups(text, start, first);
    let judge = |reading: &Reading<'_>| {
        let number = international(reading)?;
        Some(reading.finding(&number, Strength::Strong)).filter(|_| number.is_valid())
    };
    // A bracket before the sign belongs to the number only if it closes within it: `(+31) 6…`.
    let starts = || once(start).chain((start != sign).then_some(sign));
    for start in starts() {
        if let Some(finding) = first_reading(text, start, &groups, judge) {
            return Ok(finding);
        }
    }
    let judge = |reading: &Reading<'_>| {
        let number = international(reading)?;
        is_plausible(reading, &number).then(|| reading.finding(&number, Strength::Strong))
    };
    starts()
        .filter(|_| !valid_only)
        .find_map(|start| first_reading(text, start, &groups, judge))
        .ok_or(Reject::Numbering)
}

/// Where a candidate with its `+` at `at` begins, with and without an opening bracket.
fn opening(text: &[u8], at: usize) -> Result<(usize, usize), Reject> {
    let mut sign = at;
    if boundary::before(text, at) == Some(b'+') {
        sign -= 1;
        if boundary::before(text, sign).is_some_and(|byte| byte == b'+' || boundary::is_alnum(byte))
        {
            return Err(Reject::Boundary);
        }
    }
    if matches!(boundary::before(text, sign), Some(b'$' | b'%' | b'@')) {
        return Err(Reject::Boundary);
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
    let digits = reading.digits();
    let number = reading
        .digits_without_trunk()
        .and_then(|digits| Number::international(&digits))
        // In Italy the zero is a part of the number: it stays where it must.
        .filter(|number| number.is_valid() || !number_is_valid(&digits))
        .or_else(|| Number::international(&digits))?;
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
    total >= least && !amount
}
