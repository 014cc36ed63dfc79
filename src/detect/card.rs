//! Payment card numbers (ISO/IEC 7812).
//!
//! # Syntax
//! 12 to 19 digits of a known issuer range, of a length that its network uses, with a right
//! Luhn digit: compact, or in groups parted by one kind of separator.
//! - *Firm* groups, as cards are printed: four fours, with three more digits at most of which
//!   one or two alone are not enough; 4-6-5 and 4-4-4-3 (American Express), 4-6-4 (Diners
//!   Club) and 4-6-6. They may stand between other groups of digits (a date, a security code,
//!   another card), and take spaces and dashes, and but for 4-4-4-3 also `.`, `/` and `_`.
//! - *Loose* groups, as people type them (`40128888 88881881`, 4-4-4 of a Maestro): single
//!   spaces or dashes, and no other group of digits beside them, or every table of numbers
//!   would hold cards.
//!
//! Every end of a group is tried, the longest first.
//!
//! # Refused on purpose
//! Pieces of a longer number, decimal, hex token or UUID; thousands groups; what follows a `+`
//! and is short enough to be a phone (E.164); and what passes Luhn by chance while another
//! rule says what it is: trade item numbers, national numbers, dates with a time, rows of a table,
//! round numbers, ids of reports.

use smallvec::SmallVec;

use super::boundary::{after, before, char_after, char_before, is_word_letter};
use super::table::issuer::{begins, issuer, may_begin};
use super::{Candidate, Detector, Options, Reject, Shape};
use crate::checksum::{gtin, luhn, mod11_2};
use crate::finding::{Finding, Strength};
use crate::kind::Kind;

/// The most digits of a number (ISO/IEC 7812-1).
const MAX_DIGITS: usize = 19;
/// The fewest: a Maestro.
const MIN_DIGITS: usize = 12;
/// The most groups: 4-4-4-4-3.
const MAX_GROUPS: usize = 5;
/// The most digits that can be a phone after a `+` (ITU-T E.164).
const MAX_PHONE: usize = 15;

/// Words before the ids of reports and tests.
const TICKET_WORDS: [&str; 8] = [
    "bug", "bugs", "detail", "feature", "fuzzer", "issue", "issues", "testcase",
];

/// The detector of [`Kind::Card`].
pub(crate) struct Card;

impl Detector for Card {
    fn kind(&self) -> Kind {
        Kind::Card
    }

    fn max_len(&self) -> usize {
        MAX_DIGITS + MAX_GROUPS - 1
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Digits]
    }

    fn verify(&self, candidate: &Candidate<'_>, _: &Options) -> Result<Finding, Reject> {
        let run = Run::new(candidate.text, candidate.at)?;
        let place = Place {
            text: candidate.text,
            at: candidate.at,
            opens_line: candidate.at > 0 && candidate.opens_line(candidate.at - 1),
        };
        place.check_left()?;
        let mut reason = Reject::Length;
        for groups in (1..=run.count).rev() {
            match place.check(&run, groups) {
                Ok((range, digits)) => {
                    return Ok(Finding::new(
                        Kind::Card,
                        Strength::Strong,
                        range,
                        SmallVec::from_slice(digits),
                    ));
                }
                // The reason of the end that came nearest to a proof.
                Err(new) => reason = std::cmp::max_by_key(reason, new, |&r| progress(r)),
            }
        }
        Err(reason)
    }
}

/// Whether digits in groups of these sizes, filled up with 0, may begin with a card: whether the
/// first of them, or more, have a layout. `head` are the first two digits. A cheap look: what it
/// refuses is none, whatever stands between and around the groups.
pub(crate) fn has_form(sizes: &[u8; MAX_GROUPS], head: [u8; 2]) -> bool {
    let mut known = [0; MAX_GROUPS];
    let mut len = 0;
    sizes.iter().enumerate().any(|(i, &size)| {
        known[i] = usize::from(size);
        len += usize::from(size);
        size > 0
            && (MIN_DIGITS..=MAX_DIGITS).contains(&len)
            && may_begin(head, len)
            && Layout::of(known, b' ').is_some()
    })
}

/// Whether a first group of `size` digits, of which the first two are `head`, may open what
/// [`has_form`] takes.
pub(crate) fn may_open(size: u8, head: [u8; 2]) -> bool {
    /// As bits: bit `n` for `n` digits.
    const SIZES: u32 = 1 << 4 | 1 << 6 | 1 << 8 | 0xFF << MIN_DIGITS;
    let shown = 1_u32.checked_shl(u32::from(size));
    shown.is_some_and(|bit| SIZES & bit != 0) && begins(head)
}

/// How far a candidate came.
fn progress(reason: Reject) -> u8 {
    match reason {
        Reject::Length => 0,
        Reject::Shape => 1,
        Reject::Registry => 2,
        Reject::Checksum => 3,
        _ => 4,
    }
}

/// The digits from a place on, in groups that are parted by one separator.
struct Run {
    /// The digits of all groups.
    digits: [u8; MAX_DIGITS],
    /// For each group: how many digits there are up to its end, and where in the text that is.
    groups: [(usize, usize); MAX_GROUPS],
    /// How many groups there are.
    count: usize,
    /// The separator; 0 where there is one group.
    separator: u8,
}

impl Run {
    fn new(text: &[u8], at: usize) -> Result<Run, Reject> {
        let mut run = Run {
            digits: [0; MAX_DIGITS],
            groups: [(0, 0); MAX_GROUPS],
            count: 0,
            separator: 0,
        };
        let mut known = 0;
        let mut pos = at;
        for slot in &mut run.groups {
            let rest = text.get(pos..).unwrap_or_default();
            let free = &mut run.digits[known..];
            let mut len = 0;
            for (to, &byte) in free.iter_mut().zip(rest) {
                if !byte.is_ascii_digit() {
                    break;
                }
                *to = byte;
                len += 1;
            }
            // A group that does not fit is no part of a number, nor is what follows it.
            if len == 0 || (len == free.len() && rest.get(len).is_some_and(u8::is_ascii_digit)) {
                break;
            }
            known += len;
            pos += len;
            *slot = (known, pos);
            run.count += 1;
            match after(text, pos) {
                Some(byte @ (b' ' | b'-' | b'.' | b'/' | b'_'))
                    if run.separator == 0 || run.separator == byte =>
                {
                    run.separator = byte;
                    pos += 1;
                }
                _ => break,
            }
        }
        match known {
            0 if after(text, at).is_some_and(|b| b.is_ascii_digit()) => Err(Reject::Length),
            0 => Err(Reject::Shape),
            1..MIN_DIGITS => Err(Reject::Length),
            _ => Ok(run),
        }
    }

    /// The layout of the first `count` groups.
    fn layout(&self, count: usize) -> Option<Layout> {
        let mut sizes = [0; MAX_GROUPS];
        let mut known = 0;
        for (size, &(digits, _)) in sizes.iter_mut().zip(&self.groups[..count]) {
            *size = digits - known;
            known = digits;
        }
        Layout::of(sizes, self.separator)
    }
}

/// How digits are grouped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Compact,
    /// As printed on cards.
    Firm,
    /// As people type.
    Loose,
}

impl Layout {
    /// The layout of groups of these sizes, filled up with 0.
    fn of(sizes: [usize; MAX_GROUPS], separator: u8) -> Option<Layout> {
        let plain = matches!(separator, b' ' | b'-');
        match sizes {
            [_, 0, 0, 0, 0] => Some(Layout::Compact),
            [4, 4, 4, 4, 0 | 3] | [4, 6, 4..=6, 0, 0] => Some(Layout::Firm),
            [4, 4, 4, 3, 0] if plain => Some(Layout::Firm),
            [4, 4, 4, 4, 1 | 2] // Maestro, Mir, UnionPay, Visa of 17 and 18
            | [4, 4, 4, 0..=2, 0] // Maestro of 12 to 14, Visa of 13, Diners in fours
            | [4, 4, 5, 0, 0] | [4, 3, 3, 3, 0] // Visa of 13
            | [4, 6, 9, 0, 0] | [4, 4, 4, 7, 0] // 19
            | [8, 8, 0, 0, 0] | [8, 11, 0, 0, 0] // by halves
            | [4, 12, 0, 0, 0] | [12, 4, 0, 0, 0]
            | [6, 10, 0, 0, 0] | [6, 13, 0, 0, 0] // issuer, account
                if plain => Some(Layout::Loose),
            _ => None,
        }
    }
}

/// The place that is judged.
struct Place<'t> {
    text: &'t [u8],
    at: usize,
    /// Whether the byte before `at` is the first of a line: there, `-` and `+` are a diff's.
    opens_line: bool,
}

impl Place<'_> {
    /// What stands before the first digit, as far as it decides without knowing the number.
    fn check_left(&self) -> Result<(), Reject> {
        let (text, at) = (self.text, self.at);
        match before(text, at) {
            None => Ok(()),
            // The format code of a magnetic stripe's first track (ISO/IEC 7813): `%B4111…^`.
            Some(b'B')
                if !at
                    .checked_sub(2)
                    .is_some_and(|i| text[i].is_ascii_alphanumeric()) =>
            {
                let digits = text.get(at..).unwrap_or_default().iter();
                let end = at + digits.take_while(|b| b.is_ascii_digit()).take(20).count();
                match after(text, end) {
                    Some(b'^') => Ok(()),
                    _ => Err(Reject::Boundary),
                }
            }
            // The fraction of a decimal, with or without its zero.
            Some(b'.') => match at.checked_sub(2).and_then(|i| text.get(i)) {
                Some(b) if b.is_ascii_digit() => Err(Reject::Boundary),
                Some(b'.' | b'_' | b')') => Ok(()),
                Some(b) if b.is_ascii_alphabetic() || !b.is_ascii() => Ok(()),
                _ => Err(Reject::Boundary),
            },
            // A mention of a chat (`<@…>`, `<@!…>`, `<#…>`) holds a long id.
            Some(b'@') => Err(Reject::Boundary),
            Some(b'!' | b'&' | b'#')
                if at
                    .checked_sub(2)
                    .is_some_and(|i| matches!(text[i], b'@' | b'<')) =>
            {
                Err(Reject::Boundary)
            }
            Some(_) if char_before(text, at).is_some_and(is_word_letter) => Err(Reject::Boundary),
            Some(_) => Ok(()),
        }
    }

    /// Judges the first `count` groups of `run`; gives the range and the digits.
    fn check<'r>(
        &self,
        run: &'r Run,
        count: usize,
    ) -> Result<(std::ops::Range<usize>, &'r [u8]), Reject> {
        let (len, end) = run.groups[count - 1];
        let digits = &run.digits[..len];
        if len < MIN_DIGITS {
            return Err(Reject::Length);
        }
        let layout = run.layout(count).ok_or(Reject::Shape)?;
        if !issuer(digits).ok_or(Reject::Registry)?.has_length(len) {
            return Err(Reject::Length);
        }
        if !luhn(digits) {
            return Err(Reject::Checksum);
        }
        self.check_edges(layout, digits, run.separator, end)?;
        let other = match layout {
            Layout::Compact => is_something_else(digits) || self.is_ticket(),
            Layout::Firm | Layout::Loose => {
                is_staircase(digits) || self.in_table(run.separator, end)
            }
        };
        if other {
            return Err(Reject::Context);
        }
        Ok((self.at..end, digits))
    }

    /// What touches the number, or stands next to it in the same row of groups.
    fn check_edges(
        &self,
        layout: Layout,
        digits: &[u8],
        separator: u8,
        end: usize,
    ) -> Result<(), Reject> {
        let (text, at) = (self.text, self.at);
        let digit_at = |pos: usize| after(text, pos).is_some_and(|b| b.is_ascii_digit());
        let alnum_at = |pos: usize| after(text, pos).is_some_and(|b| b.is_ascii_alphanumeric());
        let next = after(text, end);
        if char_after(text, end).is_some_and(is_word_letter)
            || (next == Some(b'.') && digit_at(end + 1))
            || (digits.len() <= MAX_PHONE && self.follows_plus())
        {
            return Err(Reject::Boundary);
        }
        let left = at
            .checked_sub(2)
            .filter(|&i| digit_at(i) && before(text, at) == Some(separator));
        let beside = match layout {
            // A number that is rare as a card, and not alone between dashes or dots.
            Layout::Compact => {
                matches!(digits.len(), 12 | 13 | 17 | 18)
                    && ((matches!(before(text, at), Some(b'-' | b'.'))
                        && at.checked_sub(2).is_some_and(alnum_at))
                        || (next == Some(b'-') && alnum_at(end + 1)))
            }
            Layout::Firm => self.in_row_of_fours(separator, end),
            Layout::Loose => left.is_some() || (next == Some(separator) && digit_at(end + 1)),
        };
        if beside || self.in_hex(end) {
            return Err(Reject::Boundary);
        }
        // A signed integer of 64 bits: a number of 17 to 19 digits with a minus before it.
        if digits.len() > 16 && layout == Layout::Compact && !self.opens_line {
            let minus = at.checked_sub(1).filter(|&i| text[i] == b'-');
            if minus.is_some_and(|i| !i.checked_sub(1).is_some_and(alnum_at)) {
                return Err(Reject::Context);
            }
        }
        Ok(())
    }

    /// Whether a `+` stands before the number, or before one group of one to three digits (a
    /// country code) that it is joined to.
    fn follows_plus(&self) -> bool {
        let Some(left) = self.text.get(..self.at) else {
            return false;
        };
        let code = match left.split_last() {
            Some((b'+', _)) => return true,
            Some((b' ' | b'-' | b'.' | b'/', code)) => code,
            _ => return false,
        };
        let digits = code.iter().rev().take_while(|b| b.is_ascii_digit()).take(4);
        let digits = digits.count();
        (1..=3).contains(&digits) && before(code, code.len() - digits) == Some(b'+')
    }

    /// Whether the number is the tail of a longer row of fours, or stands in a hex dump. Whole
    /// cards may stand before it; after it anything may, as a year, a security code or the next
    /// card look no different from the rest of a table.
    fn in_row_of_fours(&self, separator: u8, end: usize) -> bool {
        let mut before = 0;
        let mut at = self.at;
        while let Some(start) = at.checked_sub(5) {
            match self.four(start, separator, at - 1) {
                Some(true) => before += 1,
                Some(false) => return true,
                None => break,
            }
            at = start;
        }
        before % 4 != 0 || self.four(end + 1, separator, end) == Some(false)
    }

    /// Whether the four characters from `start` on are digits; `None` where there is no word
    /// of just four hex digits, or no `separator` at `gap`.
    fn four(&self, start: usize, separator: u8, gap: usize) -> Option<bool> {
        let alnum_at =
            |pos: usize| after(self.text, pos).is_some_and(|b| b.is_ascii_alphanumeric());
        let word = self.text.get(start..start + 4)?;
        let alone = !start.checked_sub(1).is_some_and(alnum_at) && !alnum_at(start + 4);
        let digits = word.iter().filter(|b| b.is_ascii_digit()).count();
        let hex = digits > 0 && word.iter().all(u8::is_ascii_hexdigit);
        (after(self.text, gap) == Some(separator) && alone && hex).then_some(digits == 4)
    }

    /// Whether three more fours follow, and no card in them: a table or a list of quantities. An
    /// expiry date and a security code are two.
    fn in_table(&self, separator: u8, end: usize) -> bool {
        let four = |i: usize| self.four(end + 1 + 5 * i, separator, end + 5 * i) == Some(true);
        if !(0..3).all(four) {
            return false;
        }
        let next = self.text.get(end + 1..).unwrap_or_default();
        let next: SmallVec<[u8; 16]> = next
            .iter()
            .take(19)
            .filter(|b| b.is_ascii_digit())
            .copied()
            .collect();
        let card = next.len() == 16
            && issuer(&next).is_some_and(|issuer| issuer.has_length(16))
            && luhn(&next);
        !card
    }

    /// Whether the word before says that the number names a report or a test: the ids that a
    /// large data store hands out have the form of a card, and one in ten passes Luhn.
    fn is_ticket(&self) -> bool {
        const LONGEST: usize = 8;
        let Some((b'/' | b'-' | b'_' | b'#' | b' ' | b'=', left)) =
            self.text.get(..self.at).and_then(<[u8]>::split_last)
        else {
            return false;
        };
        let tail = left.iter().rev().take(LONGEST + 1);
        let len = tail.take_while(|b| b.is_ascii_alphabetic()).count();
        let word = left.get(left.len() - len..).unwrap_or_default();
        TICKET_WORDS
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
    }

    /// Whether the number is a piece of a UUID or of hex tokens that are joined by dashes.
    fn in_hex(&self, end: usize) -> bool {
        let (text, at) = (self.text, self.at);
        let hex_token = |token: &[u8]| {
            token.len() >= 4
                && token.iter().all(u8::is_ascii_hexdigit)
                && token.iter().any(u8::is_ascii_digit)
                && token.iter().any(u8::is_ascii_alphabetic)
        };
        let left = before(text, at) == Some(b'-') && {
            let token = text.get(..at - 1).unwrap_or_default();
            let tail = token.iter().rev().take(33);
            let len = tail.take_while(|b| b.is_ascii_alphanumeric()).count();
            hex_token(token.get(token.len() - len..).unwrap_or_default())
        };
        let right = after(text, end) == Some(b'-') && {
            let token = text.get(end + 1..).unwrap_or_default();
            let head = token.iter().take(33);
            let len = head.take_while(|b| b.is_ascii_alphanumeric()).count();
            hex_token(token.get(..len).unwrap_or_default())
        };
        left || right
            || [0, 9, 14, 19, 24].iter().any(|&offset| {
                at.checked_sub(offset)
                    .and_then(|start| text.get(start..start + 36))
                    .is_some_and(is_uuid)
            })
    }
}

/// Whether `bytes` have the form 8-4-4-4-12 (RFC 9562), in code also with `_` for the dashes.
fn is_uuid(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(i, byte)| match i {
        8 | 13 | 18 | 23 => matches!(byte, b'-' | b'_'),
        _ => byte.is_ascii_hexdigit(),
    })
}

/// Whether the fours of a grouped number go on by small steps, as the entries of an index, code
/// points or a list of years do, or by one and the same step, as offsets do; of 100,000 cards,
/// two do. Fours that are alike stand in test cards.
fn is_staircase(digits: &[u8]) -> bool {
    let mut steps = digits.windows(8).step_by(4).map(|pair| {
        let value = |four: &[u8]| four.iter().fold(0, |n, b| n * 10 + i32::from(b - b'0'));
        let (from, to) = pair.split_at(4);
        value(to) - value(from)
    });
    let within = |step: i32, most: i32| (1..=most).contains(&step.abs());
    let Some(first) = steps.next() else {
        return false;
    };
    let (mut last, mut count) = (first, 1);
    let (mut pair, mut small, mut even) = (false, within(first, 100), first != 0);
    for step in steps {
        pair |= within(last, 10) && within(step, 10);
        small &= within(step, 100);
        even &= step == first;
        last = step;
        count += 1;
    }
    pair || (count > 2 && (small || even))
}

/// Whether a compact number that passes for a card reads as something else that is more likely.
///
/// One in ten of such numbers passes Luhn; a card has their form far more rarely.
fn is_something_else(digits: &[u8]) -> bool {
    let two = |i: usize| match digits.get(i..i + 2) {
        Some(&[a, b]) => u32::from(a - b'0') * 10 + u32::from(b - b'0'),
        _ => 0,
    };
    let day_month =
        |day: usize, month: usize| (1..=31).contains(&two(day)) && (1..=12).contains(&two(month));
    let century = |i: usize| matches!(two(i), 19 | 20);
    // A round number.
    if digits.iter().rev().take_while(|&&b| b == b'0').count() >= 9 {
        return true;
    }
    match digits.len() {
        // UPC-A, EAN-13, ISBN-13: Maestro and the old Visa are the only cards of these lengths.
        12 | 13 if gtin(digits) => true,
        // South Africa's id (YYMMDD SSSS C 8 L), which ends in a Luhn digit by design; and
        // Romania's CNP (S YYMMDD …) of those born since 2000, whose S is 5 or 6.
        13 => {
            (day_month(4, 2) && two(10) < 30 && matches!(two(10) % 10, 8 | 9))
                || (matches!(digits.first(), Some(b'5' | b'6')) && day_month(5, 3))
        }
        // DDMMYYYYhhmmss: Diners Club begins with 30, too.
        14 => day_month(0, 2) && century(4) && two(8) < 24 && two(10) < 60 && two(12) < 60,
        // China's resident number: region, YYYYMMDD, serial, check character.
        18 => century(6) && day_month(12, 10) && mod11_2(digits),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_may_open() {
        let sizes = || 0..=MAX_DIGITS;
        for a in sizes() {
            for b in sizes() {
                for c in 0..=5 {
                    for d in [0, 3, 4, 7] {
                        let layout = Layout::of([a, b, c, d, 0], b' ');
                        let open = may_open(u8::try_from(a).unwrap(), *b"41");
                        let total = a + b + c + d;
                        let held = layout.is_some() && (MIN_DIGITS..=MAX_DIGITS).contains(&total);
                        assert!(held <= open, "{a} {b} {c} {d}");
                    }
                }
            }
        }
        assert!(!may_open(20, *b"41") && !may_open(64, *b"41") && !may_open(16, *b"10"));
    }
    use proptest::prelude::*;

    fn at(text: &[u8], at: usize) -> Result<(String, String), Reject> {
        let candidate = Candidate {
            text,
            at,
            line_start: true,
        };
        let finding = Card.verify(&candidate, &Options::default())?;
        let range = finding.range();
        assert_eq!(range.start, at);
        assert!(range.len() <= Card.max_len());
        Ok((
            String::from_utf8_lossy(&text[range]).into_owned(),
            String::from_utf8_lossy(finding.canonical()).into_owned(),
        ))
    }

    /// Judges every group of digits, left to right; a finding is a wall for the rest.
    fn all(text: &str) -> Vec<String> {
        let (mut wall, mut pos, mut found) = (0, 0, Vec::new());
        let bytes = text.as_bytes();
        while pos < bytes.len() {
            let starts =
                bytes[pos].is_ascii_digit() && (pos == wall || !bytes[pos - 1].is_ascii_digit());
            match starts.then(|| at(&bytes[wall..], pos - wall)) {
                Some(Ok((value, canonical))) => {
                    let bare: String = value.chars().filter(char::is_ascii_digit).collect();
                    assert_eq!(canonical, bare);
                    pos += value.len();
                    wall = pos;
                    found.push(value);
                }
                _ => pos += 1,
            }
        }
        found
    }

    /// Text, and the values in it.
    const ACCEPT: &[(&str, &[&str])] = &[
        (
            "pay/4242424242424242 card-4242424242424242",
            &["4242424242424242", "4242424242424242"],
        ),
        ("4242 4242 4242 4242 1226 1234", &["4242 4242 4242 4242"]),
        (
            "4242 4242 4242 4242 4111 1111 1111 1111",
            &["4242 4242 4242 4242", "4111 1111 1111 1111"],
        ),
        ("Charge 4242424242424242 please", &["4242424242424242"]),
        ("(4242 4242 4242 4242)", &["4242 4242 4242 4242"]),
        ("\"4000-0566-5566-5556\"", &["4000-0566-5566-5556"]),
        ("卡号38520000023237已扣款", &["38520000023237"]),
        ("amex 3782 822463 10005.", &["3782 822463 10005"]),
        ("3714 4963 5398 431", &["3714 4963 5398 431"]),
        ("3056 930902 5904", &["3056 930902 5904"]),
        ("6205-5000-0000-0000-004", &["6205-5000-0000-0000-004"]),
        ("4000 0012 3456 7890 17.", &["4000 0012 3456 7890 17"]),
        (
            "4111.1111.1111.1111 5555/5555/5555/4444",
            &["4111.1111.1111.1111", "5555/5555/5555/4444"],
        ),
        ("4111_1111_1111_1111", &["4111_1111_1111_1111"]),
        ("40128888 88881881", &["40128888 88881881"]),
        (
            "501800000009, 5018 0000 0009",
            &["501800000009", "5018 0000 0009"],
        ),
        // What follows or precedes is no part of it.
        ("4111 1111 1111 1111 2024-05-06", &["4111 1111 1111 1111"]),
        ("4242 4242 4242 4242 100", &["4242 4242 4242 4242"]),
        ("4111 1111 1111 1111 12/28", &["4111 1111 1111 1111"]),
        ("4111 1111 1111 1111 12 28 737", &["4111 1111 1111 1111"]),
        ("4111-1111-1111-1111-123", &["4111-1111-1111-1111"]),
        ("4111 1111 1111 1111 2026 1234", &["4111 1111 1111 1111"]),
        ("7 4111111111111111", &["4111111111111111"]),
        ("12 4111 1111 1111 1111", &["4111 1111 1111 1111"]),
        (
            "4111 1111 1111 1111 5555 5555 5555 4444",
            &["4111 1111 1111 1111", "5555 5555 5555 4444"],
        ),
        (
            "4111 1111 1111 1112 5555 5555 5555 4444",
            &["5555 5555 5555 4444"],
        ),
        (
            "4111111111111111/5555555555554444",
            &["4111111111111111", "5555555555554444"],
        ),
        (
            "4111111111111111,5555555555554444",
            &["4111111111111111", "5555555555554444"],
        ),
        ("4111111111111111:12:28:123", &["4111111111111111"]),
        // Edges.
        ("%B4111111111111111^MUSTER/MAX^2812?", &["4111111111111111"]),
        (
            ";4111111111111111=28121010000000000000?",
            &["4111111111111111"],
        ),
        ("id_4111111111111111_x", &["4111111111111111"]),
        ("card no.4111111111111111.", &["4111111111111111"]),
        ("+4111111111111111", &["4111111111111111"]),
        ("-6205500000000000004", &["6205500000000000004"]),
        ("paid-4111111111111111-ok", &["4111111111111111"]),
    ];

    const REJECT: &[(&str, Reject)] = &[
        ("4242424242424241", Reject::Checksum),
        ("4242 4242 4242 4243", Reject::Checksum),
        ("1234567812345670", Reject::Registry),
        ("0000 0000 0000 0000", Reject::Registry),
        ("1786504128938", Reject::Registry), // epoch, milliseconds
        ("1786504128937710203", Reject::Registry), // epoch, nanoseconds
        ("2026082014050003", Reject::Registry), // date and time
        ("20250114093005", Reject::Registry),
        ("89991120123000320456", Reject::Length), // ICCID
        ("43467835223975", Reject::Length),       // Visa, 14
        ("546918475942169", Reject::Length),      // IMEI in Mastercard's range
        ("3787086467738276", Reject::Length),     // Amex, 16
        ("00411111111111111100", Reject::Length),
        ("4111111111111111.25", Reject::Boundary),
        ("4111111111111111a", Reject::Boundary),
        ("4111111111111111й", Reject::Boundary),
        ("411111 1111111 111", Reject::Shape),
        ("4 111 111 111 111 111", Reject::Shape), // thousands
        ("4111:1111:1111:1111", Reject::Length),
        ("4111 11", Reject::Length),
        ("4111-1111 1111-1111", Reject::Length),
        ("47223179-9330-4259-b66c-f2db26efb20c", Reject::Shape),
        ("4111 1111 1111 1111.25", Reject::Boundary),
        ("4006381333023", Reject::Context),         // EAN-13
        ("4806015001080", Reject::Context),         // South African id
        ("30012025123000", Reject::Context),        // 30.01.2025 12:30:00
        ("440524198801010353", Reject::Context),    // Chinese resident number
        ("5010203400001", Reject::Context),         // Romanian CNP
        ("5421 5457 5459 5423 x", Reject::Context), // code points
        ("8200 8201 8210 4465", Reject::Context),
        ("3848 4488 5128 5768", Reject::Context), // offsets
        ("4111 1111 1111 1111 1514 1514 1514 1514", Reject::Context), // a table
        ("8100000000000000000", Reject::Context), // 81 * 10^17
        ("", Reject::Shape),
        ("x", Reject::Shape),
    ];

    /// Text in which the digits after the bar are judged.
    const REJECT_INSIDE: &[(&str, Reject)] = &[
        ("0.|4242424242424242", Reject::Boundary),
        ("[.|4242424242424242]", Reject::Boundary),
        ("ORD|4111111111111111", Reject::Boundary),
        ("й|4111111111111111", Reject::Boundary),
        ("B|4111111111111111 x", Reject::Boundary),
        ("+|4917604069006", Reject::Boundary),
        ("+86 |5018 0000 0009", Reject::Boundary),
        ("<@|4567890123456782>", Reject::Boundary),
        ("<@!|4111111111111111>", Reject::Boundary),
        ("0000 |4111 1111 1111 1111", Reject::Boundary),
        ("1 2 |5018 0000 0009", Reject::Boundary),
        ("51F3 |4111 1111 1111 1111", Reject::Boundary),
        ("|4111 1111 1111 1111 54e8", Reject::Boundary),
        ("|5281 5282 5283 5284 x", Reject::Context),
        ("0x0cce9233_69ae_11d9_bed3_|505054503030", Reject::Boundary),
        ("41111111-1111-|5018-0000-000900000000", Reject::Length),
        ("12345678-1234-1234-1234-|501800000009", Reject::Boundary),
        ("4bf92f35-|4111111111111111", Reject::Boundary),
        ("x = -|4716989580001715211", Reject::Context),
        (
            "oss-fuzz.com/testcase-detail/|5390364397928448.",
            Reject::Context,
        ),
        (
            "minimized-hb-subset-fuzzer-|5522792714993664",
            Reject::Context,
        ),
        ("status.com/feature/|5068609911521280)", Reject::Context),
    ];

    #[test]
    fn accepts() {
        for &(text, values) in ACCEPT {
            assert_eq!(all(text), values, "{text}");
        }
    }

    #[test]
    fn rejects_with_the_reason() {
        for &(text, reason) in REJECT {
            assert_eq!(at(text.as_bytes(), 0), Err(reason), "{text}");
            assert_eq!(all(text), [""; 0], "{text}");
        }
        for &(text, reason) in REJECT_INSIDE {
            let bar = text.find('|').unwrap();
            let text = text.replacen('|', "", 1);
            assert_eq!(at(text.as_bytes(), bar), Err(reason), "{text}");
        }
    }

    /// `prefix`, then `seed` cut to `len` digits with the check digit.
    fn card(prefix: &str, len: usize, seed: &str) -> String {
        let body = format!("{prefix}{seed}");
        (0..10)
            .map(|check| format!("{}{check}", &body[..len - 1]))
            .find(|number| luhn(number.as_bytes()))
            .unwrap()
    }

    fn grouped(number: &str, sizes: &[usize], separator: &str) -> String {
        let mut groups = Vec::new();
        let mut rest = number;
        for &size in sizes {
            let (group, tail) = rest.split_at(size.min(rest.len()));
            groups.push(group);
            rest = tail;
        }
        groups.retain(|group| !group.is_empty());
        groups.join(separator)
    }

    fn any_card() -> impl Strategy<Value = (String, &'static [usize])> {
        let kinds: Vec<(&str, usize, &[usize])> = vec![
            ("4", 16, &[4, 4, 4, 4]),
            ("4", 19, &[4, 4, 4, 4, 3]),
            ("51", 16, &[4, 4, 4, 4]),
            ("2221", 16, &[4, 4, 4, 4]),
            ("2720", 16, &[4, 4, 4, 4]),
            ("34", 15, &[4, 6, 5]),
            ("37", 15, &[4, 4, 4, 3]),
            ("36", 14, &[4, 6, 4]),
            ("6011", 16, &[4, 4, 4, 4]),
            ("3528", 16, &[4, 4, 4, 4]),
            ("62", 16, &[4, 4, 4, 4]),
            ("62", 19, &[4, 4, 4, 4, 3]),
            ("2200", 16, &[4, 4, 4, 4]),
            ("9792", 16, &[4, 4, 4, 4]),
            ("6759", 19, &[4, 4, 4, 4, 3]),
        ];
        (prop::sample::select(kinds), "[0-9]{19}")
            .prop_map(|((prefix, len, sizes), seed)| (card(prefix, len, &seed), sizes))
    }

    proptest! {
        #[test]
        fn planted_values_are_found_whole(
            (number, sizes) in any_card(),
            separator in prop::sample::select(vec!["", " ", "-"]),
            left in prop::sample::select(vec!["", "pan ", "\"", "(", ",", "=", "/", "卡", ">", "7 ", "x-", "_", "\n"]),
            right in prop::sample::select(vec!["", ".", ", ok", "\"", ")", "^A", "\r\n", "卡", "_", "</p>", " 2024-05-06", "=2812"]),
        ) {
            let value = grouped(&number, sizes, separator);
            prop_assume!(!is_something_else(number.as_bytes()) && !is_staircase(number.as_bytes()));
            let text = format!("{left}{value}{right}");
            prop_assert_eq!(at(text.as_bytes(), left.len()), Ok((value, number)));
        }

        #[test]
        fn wrong_check_digits_are_refused((number, sizes) in any_card(), add in 1_u8..10) {
            let mut wrong = number.into_bytes();
            if let Some(last) = wrong.last_mut() {
                *last = b'0' + (*last - b'0' + add) % 10;
            }
            let wrong = String::from_utf8(wrong).unwrap();
            prop_assert_eq!(at(wrong.as_bytes(), 0), Err(Reject::Checksum));
            let spaced = grouped(&wrong, sizes, " ");
            prop_assume!(wrong.len() != 19);
            prop_assert!(at(spaced.as_bytes(), 0).is_err());
        }

        #[test]
        fn inside_a_longer_number_it_is_none((number, _) in any_card(), more in "[0-9]{1,9}") {
            let (longer, behind) = (format!("{number}{more}"), format!("{more}{number}"));
            prop_assert!(at(behind.as_bytes(), more.len()).is_err());
            let found = all(&longer);
            prop_assert!(found.is_empty() || found == [longer]);
        }

        #[test]
        fn no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60), start in 0_usize..70) {
            let candidate = Candidate { text: &bytes, at: start, line_start: false };
            let _ = Card.verify(&candidate, &Options::default());
        }

        #[test]
        fn no_panic_on_near_misses(text in "[%B+.@<#-]{0,3}[3-6][0-9]{3}([ ./_-]?[0-9]{3,6}){1,5}[ .a-f^=-]{0,3}[0-9]{0,4}é?") {
            for start in 0..text.len() {
                let candidate = Candidate { text: text.as_bytes(), at: start, line_start: true };
                let _ = Card.verify(&candidate, &Options::default());
            }
        }
    }
}
