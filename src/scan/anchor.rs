//! Anchors: from the bits of a block to the places that detectors are asked about.

use std::ops::Range;

use super::fold::{self, Purpose, Unit};
use super::openings::Opening;
use super::shapes::Hits;
use crate::detect::{Shape, boundary};
use crate::pseudonym::placeholder;

/// A place with a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    /// The position that the shape names, in raw bytes.
    pub(super) at: usize,
    pub(super) shape: Shape,
    /// Whether what stands there is written in an encoded form.
    pub(super) encoded: bool,
}

impl Anchor {
    /// A place that is not written in an encoded form.
    pub(super) fn plain(at: usize, shape: Shape) -> Anchor {
        Anchor {
            at,
            shape,
            encoded: false,
        }
    }
}

/// What the scan found at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Anchor(Anchor),
    /// A placeholder: it is passed over, and nothing is read inside it.
    Placeholder(Range<usize>),
    /// No place of a built-in kind, but the rules of packs are to be asked about what is near.
    Post,
}

impl Place {
    /// Whether the place lies in an opening.
    pub(super) fn is_in(&self, opening: &Opening) -> bool {
        match self {
            Place::Anchor(anchor) => opening.start <= anchor.at,
            Place::Placeholder(range) => range.end <= opening.end,
            Place::Post => true,
        }
    }
}

/// How far an anchor is looked for from the bit that told of it, in bytes.
const BACK: usize = 64;

/// What decides which places are told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The least number of digits of [`Shape::Digits`].
    pub(super) min_digits: usize,
    /// The number of hash digits of a placeholder.
    pub(super) hash_digits: usize,
}

/// What was told of a run of hex groups and colons, so that an endless run is not gone through at
/// each of its colons.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// The last colon that was looked at.
    last: Option<usize>,
    /// How many places of its run were told.
    told: usize,
}

/// How many places of one run of hex groups are told. An address has at most seven colons, and
/// labels may stand before it (`src:ip6:2001:db8::1`).
const PER_RUN: usize = 10;

impl Seen {
    /// The place to judge for the colon at `pos`: the first of the address at the first colon of a
    /// run, then each colon by itself.
    fn colon(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        let same_run = self.last.is_some_and(|last| {
            pos - last < BACK
                && text[last..pos]
                    .iter()
                    .all(|b| b.is_ascii_hexdigit() || *b == b':')
        });
        self.last = Some(pos);
        if !same_run {
            self.told = 1;
            return colons_start(text, pos);
        }
        self.told += 1;
        (self.told <= PER_RUN).then_some(pos)
    }

    /// Says that the first `count` bytes of the text are gone.
    pub(super) fn shift(&mut self, count: usize) {
        self.last = self.last.and_then(|last| last.checked_sub(count));
    }
}

/// Calls `tell` for each place of `hits`, in order.
pub(super) fn places(
    text: &[u8],
    hits: &Hits,
    limits: Limits,
    seen: &mut Seen,
    mut tell: impl FnMut(usize, Place),
) {
    let mut bits = hits.any();
    while bits != 0 {
        let bit = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        let pos = hits.base + bit;
        let has = |mask: u64| mask >> bit & 1 != 0;
        let mut plain = |at: usize, shape: Shape| {
            tell(
                pos,
                Place::Anchor(Anchor {
                    at,
                    shape,
                    encoded: false,
                }),
            );
        };
        if has(hits.at) && may_be_address(text, pos) {
            plain(pos, Shape::At);
        }
        if has(hits.plus) && enough_digits(text, first_digit(text, pos), PLUS_DIGITS) {
            plain(pos, Shape::Plus);
        }
        if has(hits.letters) {
            plain(pos, Shape::LettersDigits);
        }
        if has(hits.numbers) || (has(hits.digits) && enough_digits(text, pos, limits.min_digits)) {
            plain(pos, Shape::Digits);
        }
        if has(hits.quad)
            && let Some(at) = quad_start(text, pos)
        {
            plain(at, Shape::Quad);
        }
        if has(hits.colons)
            && let Some(at) = seen.colon(text, pos)
        {
            plain(at, Shape::Colons);
        }
        if has(hits.placeholder)
            && let Some(len) = placeholder::parse(&text[pos..], limits.hash_digits)
        {
            tell(pos, Place::Placeholder(pos..pos + len));
        }
        if has(hits.plus) {
            in_form(text, pos, limits, |anchor| tell(pos, Place::Anchor(anchor)));
        }
        if has(hits.encoded) {
            encoded(text, pos, limits, |anchor| tell(pos, Place::Anchor(anchor)));
        }
    }
}

/// Whether the groups of digits from `pos` on, with at most three bytes that are no digits between
/// them, hold `least` digits, so few of them alone that a card or a phone number may be written
/// so: at most [`MOST_GROUPS`], unless the number begins with `00` or the search is for short ones.
fn enough_digits(text: &[u8], pos: usize, least: usize) -> bool {
    enough_read(text, pos, least, false)
}

/// Like [`enough_digits`]; with `any`, in whatever reading: `+` and `=20` may part groups too, and
/// a colour code be nothing.
fn enough_read(text: &[u8], pos: usize, least: usize, any: bool) -> bool {
    let free = least < LONG || text[pos..].starts_with(b"00");
    let (mut digits, mut groups, mut gap) = (0, 1, 0);
    let mut at = pos;
    while let Some(&raw) = text.get(at) {
        let class = match SIGNS[usize::from(raw)] {
            Sign::Coded => None,
            Sign::Mark if !any => Some(Sign::Other),
            Sign::Mark if raw == b'+' => Some(Sign::Gap),
            Sign::Mark => None,
            sign => Some(sign),
        };
        let (class, len) = match class {
            Some(class) => (class, 1),
            None => {
                let (byte, len) = decoded(text, at);
                match byte {
                    // A colour code is nothing.
                    Some(0x1B) if any => (Sign::Nothing, len),
                    Some(byte) => (SIGNS[usize::from(byte)], len),
                    None if len > 0 => (Sign::Nothing, len),
                    None => (Sign::Other, len),
                }
            }
        };
        at += len;
        match class {
            Sign::Digit => {
                digits += 1;
                groups += usize::from(gap > 0);
                gap = 0;
            }
            Sign::Gap => gap += 1,
            Sign::Nothing => {}
            Sign::Other | Sign::Coded | Sign::Mark => return false,
        }
        if gap > 3 || (groups > MOST_GROUPS && !free) {
            return false;
        }
        if digits >= least {
            return !free || !is_long_row(&text[pos..]);
        }
    }
    false
}

/// What a byte may be in a row of digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Digit,
    /// It may part groups.
    Gap,
    /// It may begin an encoded form.
    Coded,
    /// In some readings it is a space, or begins an encoded form: `+` `=` ESC
    Mark,
    /// It is not seen.
    Nothing,
    Other,
}

const SIGNS: [Sign; 256] = {
    let mut signs = [Sign::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        signs[byte] = match byte as u8 {
            b'0'..=b'9' => Sign::Digit,
            b' ' | b'-' | b'.' | b'/' | b'(' | b')' | b'~' | b'_' => Sign::Gap,
            b'%' | b'&' | b'\\' | 0x80.. => Sign::Coded,
            b'+' | b'=' | 0x1B => Sign::Mark,
            _ => Sign::Other,
        };
        byte += 1;
    }
    signs
};

/// The ASCII byte that an encoded form stands for, or none where it is invisible; and its length,
/// 0 where there is no such form.
fn decoded(text: &[u8], at: usize) -> (Option<u8>, usize) {
    match fold::unit_at(&text[at..]) {
        Some((Unit::Ascii(byte), len)) => (Some(byte), len),
        Some((Unit::Invisible, len)) => (None, len),
        _ => (None, 0),
    }
}

/// Whether the `@` at `pos` has a byte before it that may end a local part, and behind it what may
/// be a domain of two labels. A cheap look, for texts that are full of `@`.
fn may_be_address(text: &[u8], pos: usize) -> bool {
    /// RFC 1035, section 2.3.4.
    const LONGEST: usize = 255;
    let Some(before) = boundary::before(text, pos) else {
        return false;
    };
    let end = text[pos + 1..]
        .iter()
        .take(LONGEST)
        .position(|&byte| !(boundary::is_alnum(byte) || byte == b'-'));
    // A dot, or what may be one in an encoded form; an invisible character at the front.
    let dotted = end.is_some_and(|end| {
        matches!(
            text[pos + 1 + end],
            b'.' | b'%' | b'&' | b'\\' | 0x1B | 0x80..
        )
    });
    // Bytes that are no character are in no name.
    let is_char = |c: Option<char>, byte: Option<&u8>| c.is_some() || byte.is_none_or(u8::is_ascii);
    before > b' '
        && before != b'@'
        && dotted
        && is_char(boundary::char_before(text, pos), Some(&before))
        && is_char(boundary::char_after(text, pos + 1), text.get(pos + 1))
}

/// Whether the digits are a row of many tiny groups, more than any number is written in. The last
/// groups of such a row are asked about all the same; they are few.
fn is_long_row(text: &[u8]) -> bool {
    let is_group = |group: &[u8]| (1..=2).contains(&group.len());
    text[..text.len().min(LONG_ROW)]
        .split(|b| ROW_SIGNS.contains(b))
        .take(MANY)
        .take_while(|group| is_group(group) && group.iter().all(u8::is_ascii_digit))
        .count()
        == MANY
}

/// The groups before `end` that were not told, as they open a long row, and do so no more when it
/// ends there.
pub(super) fn row_before(text: &[u8], end: usize, limits: Limits) -> impl Iterator<Item = usize> {
    let row = text[..end].iter().rev().take(LONG_ROW);
    let start = end
        - row
            .take_while(|b| b.is_ascii_digit() || ROW_SIGNS.contains(b))
            .count();
    (start..end).filter(move |&at| {
        text[at].is_ascii_digit()
            && boundary::before(text, at).is_none_or(|b| !b.is_ascii_digit())
            && is_long_row(&text[at..])
            && enough_digits(&text[..end], at, limits.min_digits)
    })
}

/// How many tiny groups no number is written in: `0 3 0 3 2 23 12 34` has eight.
const MANY: usize = 11;
/// How long so many of them are at the most.
const LONG_ROW: usize = 3 * MANY;
/// What parts them.
const ROW_SIGNS: &[u8] = b" -./+";

/// The least number of digits that tells of long numbers only, cards and North American ones.
const LONG: usize = 10;
/// In how many groups the first [`LONG`] digits of such a number may stand: `1 (415) 555-2671`.
const MOST_GROUPS: usize = 5;
/// The least number of digits behind a `+`: the shortest national numbers have four or five.
const PLUS_DIGITS: usize = 5;

/// The digit, perhaps an encoded one, that follows the `+` at `plus`, behind a space or a bracket.
fn first_digit(text: &[u8], plus: usize) -> usize {
    let between = text[plus + 1..]
        .iter()
        .take(3)
        .take_while(|b| !matches!(b, b'0'..=b'9' | b'\\' | b'%' | b'&' | 0x80..))
        .count();
    plus + 1 + between
}

/// The first digit of a dotted quad, from its first dot.
fn quad_start(text: &[u8], dot: usize) -> Option<usize> {
    let digits = text[..dot]
        .iter()
        .rev()
        .take(4)
        .take_while(|b| b.is_ascii_digit())
        .count();
    let start = dot - digits;
    let longer = start >= 2 && text[start - 1] == b'.' && text[start - 2].is_ascii_digit();
    (1..=3)
        .contains(&digits)
        .then_some(start)
        .filter(|_| !longer)
}

/// The first colon of the hex groups around `colon` that may be an address: groups that touch a
/// word, and a colon with nothing before it, are passed over.
pub(super) fn colons_start(text: &[u8], colon: usize) -> Option<usize> {
    let window = &text[colon.saturating_sub(BACK)..colon];
    let run = window
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_hexdigit() || **b == b':')
        .count();
    let mut start = colon - run;
    let touches = boundary::before(text, start).is_some_and(|b| boundary::is_alnum(b) || b == b'_');
    let lone = text[start] == b':' && text.get(start + 1) != Some(&b':');
    if touches || lone {
        start += text[start..=colon].iter().position(|&b| b == b':')? + 1;
    }
    let first = text[start..].iter().take(BACK).position(|&b| b == b':')?;
    Some(start + first)
}

/// The anchors of what is written in an encoded form at `pos`, and of what begins directly behind
/// it: there the bytes before a value hide that it begins (`\nNL91…`, `%204111…`).
fn encoded(text: &[u8], pos: usize, limits: Limits, mut tell: impl FnMut(Anchor)) {
    let Some((at, byte, end)) = encoded_unit(text, pos) else {
        return;
    };
    let mut anchor = |at, shape| {
        tell(Anchor {
            at,
            shape,
            encoded: true,
        });
    };
    let follows = |class: fn(&u8) -> bool| read_before(text, at).is_some_and(|b| class(&b));
    match byte {
        // A row of them is no address.
        Some(b'@') if !text[..at].ends_with(&text[at..end]) && is_dotted(text, end) => {
            anchor(at, Shape::At);
        }
        Some(b'+') => anchor(at, Shape::Plus),
        Some(b':') => anchor(at, Shape::Colons),
        Some(b'0'..=b'9') if !follows(u8::is_ascii_digit) => {
            if may_be_quad(text, at) {
                anchor(at, Shape::Quad);
            }
            if enough_read(text, at, limits.min_digits, true) {
                anchor(at, Shape::Digits);
            }
        }
        Some(b'A'..=b'Z' | b'a'..=b'z')
            if is_coded_head(text, at) && !follows(u8::is_ascii_alphanumeric) =>
        {
            anchor(at, Shape::LettersDigits);
        }
        _ => {}
    }
    if let Some(b'0'..=b'9' | b'.') = byte
        && let Some(start) = dotted_before(text, at)
        && may_be_quad(text, start)
    {
        anchor(start, Shape::Quad);
    }
    match byte {
        // A colour may begin within a value, and a mail hides all that parts groups.
        Some(0x1B) => groups_before(text, at, ROW, limits, &mut anchor),
        Some(b' ' | b'-' | b'.') if text[pos] == b'=' => {
            groups_before(text, at, ROW, limits, &mut anchor);
        }
        // What parts groups, and is no separator in its raw form: the group before it may begin
        // a value whose run of digits ends there.
        Some(b' ' | b'-' | b'.') if text[pos] != b'%' => {
            groups_before(text, at, 0, limits, &mut anchor);
        }
        Some(byte) if byte.is_ascii_alphanumeric() => {
            // The rest of a word that begins as it stands: `NL\u0039…`.
            let before = boundary::before(text, at).filter(|&b| boundary::is_alnum(b));
            if before.is_some() && !is_tail(text, at) {
                groups_before(text, at, 0, limits, &mut anchor);
            }
            return;
        }
        _ => {}
    }
    begins(text, end, limits, anchor);
}

/// The places of what may begin at `end` whatever stands before it: an escape ends there, or what a
/// rule has found.
pub(super) fn begins(
    text: &[u8],
    end: usize,
    limits: Limits,
    mut anchor: impl FnMut(usize, Shape),
) {
    match text[end..].first_chunk::<4>() {
        Some([b'0'..=b'9', rest @ ..]) => {
            // A dot, or what may be one.
            if rest
                .iter()
                .any(|b| matches!(b, b'.' | b'\\' | b'%' | b'&' | 0x80..))
                && may_be_quad(text, end)
            {
                anchor(end, Shape::Quad);
            }
            if enough_read(text, end, limits.min_digits, true) {
                anchor(end, Shape::Digits);
            }
        }
        Some(_) if is_head(text, end) => anchor(end, Shape::LettersDigits),
        _ => {}
    }
}

/// What stands at `pos`, encoded or not, in whatever reading: ASCII bytes, or `None` for other
/// characters. What is not seen is passed over.
fn signs(text: &[u8], pos: usize) -> impl Iterator<Item = Option<u8>> {
    let mut at = pos;
    std::iter::from_fn(move || {
        loop {
            let raw = *text.get(at)?;
            let coded = matches!(raw, b'%' | b'&' | b'\\' | b'=' | 0x1B | 0x80..);
            let unit = coded.then(|| fold::unit_at(&text[at..])).flatten();
            // What begins no encoded form is itself.
            let (unit, len) = unit.unwrap_or((
                if raw.is_ascii() {
                    Unit::Ascii(raw)
                } else {
                    Unit::Other
                },
                1,
            ));
            at += len.max(1);
            match unit {
                Unit::Ascii(0x1B) | Unit::Invisible => {}
                Unit::Ascii(byte) => return Some(Some(byte)),
                Unit::Other => return Some(None),
            }
        }
    })
}

/// Whether a label and a dot stand behind an `@`, or more than is looked at. A cheap look, for texts
/// that are full of it.
fn is_dotted(text: &[u8], pos: usize) -> bool {
    /// No label is longer, in whatever form.
    const LONGEST: usize = 256;
    let mut label = false;
    for sign in signs(text, pos).take(LONGEST) {
        match sign {
            Some(b'.') => return label,
            Some(byte) if !(boundary::is_alnum(byte) || byte == b'-') => return false,
            _ => label = true,
        }
    }
    signs(text, pos).nth(LONGEST).is_some()
}

/// Whether two letters and two digits stand at `pos`, encoded or not.
fn is_coded_head(text: &[u8], pos: usize) -> bool {
    let mut signs = signs(text, pos).map(|sign| sign.unwrap_or(0));
    let mut are = |class: fn(&u8) -> bool| (0..2).all(|_| signs.next().is_some_and(|b| class(&b)));
    are(u8::is_ascii_alphabetic) && are(u8::is_ascii_digit)
}

/// Whether four groups of digits and three dots stand at `pos`, encoded or not.
fn may_be_quad(text: &[u8], pos: usize) -> bool {
    let mut dots = 0;
    let mut at = pos;
    while let Some(&raw) = text.get(at) {
        let (byte, len) = match raw {
            b'%' | b'&' | b'\\' | b'=' | 0x1B | 0x80.. => decoded(text, at),
            byte => (Some(byte), 1),
        };
        at += len;
        match byte {
            Some(b'0'..=b'9') if dots == 3 => return true,
            Some(b'0'..=b'9' | 0x1B) => {}
            Some(b'.') if dots < 3 => dots += 1,
            None if len > 0 => {}
            _ => return false,
        }
        if at - pos > QUAD_REACH {
            return true;
        }
    }
    false
}

/// How far the dots of a quad are looked for, in raw bytes: what is longer may be one.
const QUAD_REACH: usize = 64;

/// The ASCII byte that what ends at `end` stands for, encoded or not.
fn read_before(text: &[u8], end: usize) -> Option<u8> {
    // The lengths of `\n`, `%40` and `=40`, `\x40`, `\u0040`.
    let escape = [(2, b'\\'), (3, b'%'), (3, b'='), (4, b'\\'), (6, b'\\')]
        .into_iter()
        .filter_map(|(len, sign)| Some((end.checked_sub(len)?, sign, len)))
        .filter(|&(start, sign, _)| text[start] == sign)
        .find_map(|(start, _, len)| match fold::unit_at(&text[start..end])? {
            (Unit::Ascii(byte), read) if read == len => Some(byte),
            _ => None,
        });
    let plain = || {
        let before = boundary::char_before(text, end)?;
        fold::ascii(before, Purpose::Number)
    };
    escape.or_else(plain)
}

/// The first digit of a dotted quad that goes on at `end` in an encoded form.
fn dotted_before(text: &[u8], end: usize) -> Option<usize> {
    /// `255.255.255.25`
    const LONGEST: usize = 14;
    let dotted = text[..end].iter().rev().take(LONGEST);
    let start = end
        - dotted
            .take_while(|b| matches!(b, b'0'..=b'9' | b'.'))
            .count();
    let before = boundary::before(text, start);
    let begins = before.is_none_or(|b| !(boundary::is_alnum(b) || b"\\%=".contains(&b)));
    (begins && text[start..end].first().is_some_and(u8::is_ascii_digit)).then_some(start)
}

/// Whether the word that ends at `end` is the tail of an encoded character.
fn is_tail(text: &[u8], end: usize) -> bool {
    let word = text[..end].iter().rev().take(BACK);
    let start = end - word.take_while(|b| b.is_ascii_alphanumeric()).count();
    matches!(boundary::before(text, start), Some(b'\\' | b'%' | b'='))
}

/// Whether two letters and two digits stand at `pos`.
fn is_head(text: &[u8], pos: usize) -> bool {
    matches!(text[pos..], [a, b, c, d, ..]
        if a.is_ascii_alphabetic() && b.is_ascii_alphabetic()
            && c.is_ascii_digit() && d.is_ascii_digit())
}

/// How far back groups before a colour code are told, in bytes: `+31 (0)6 1234` and more.
const ROW: usize = 40;

/// The anchors of the groups before `end` that may begin a value which goes on behind it: of the
/// one that touches it; within `row` bytes, also of those that plain signs part from it.
fn groups_before(
    text: &[u8],
    end: usize,
    row: usize,
    limits: Limits,
    anchor: &mut impl FnMut(usize, Shape),
) {
    let mut pos = end;
    let back = |from: usize, most: usize, class: fn(&&u8) -> bool| {
        from - text[..from]
            .iter()
            .rev()
            .take(most)
            .take_while(class)
            .count()
    };
    loop {
        let start = back(pos, BACK, |b| b.is_ascii_alphanumeric());
        if start < pos {
            match text[start] {
                b'0'..=b'9' => {
                    if row > 0 && boundary::before(text, start) == Some(b'+') {
                        anchor(start - 1, Shape::Plus);
                    }
                    if enough_read(text, start, limits.min_digits, true) {
                        anchor(start, Shape::Digits);
                    }
                }
                _ if row == 0 || is_head(text, start) => anchor(start, Shape::LettersDigits),
                _ => {}
            }
        }
        // What stands between two groups.
        pos = back(start, 3, |b| b" -./()+".contains(b));
        if pos == start || pos == 0 || end - pos >= row {
            return;
        }
    }
}

/// The anchors of the groups around the `+` at `plus`, which may stand for a space in a form.
fn in_form(text: &[u8], plus: usize, limits: Limits, mut tell: impl FnMut(Anchor)) {
    let mut anchor = |at, shape| {
        tell(Anchor {
            at,
            shape,
            encoded: true,
        });
    };
    let word = |end: usize| {
        let word = text[..end].iter().rev().take(BACK);
        end - word.take_while(|b| b.is_ascii_alphanumeric()).count()
    };
    let end = plus - usize::from(boundary::before(text, plus) == Some(b')'));
    let start = word(end);
    if start == end {
        return;
    }
    if text[start].is_ascii_digit() {
        if enough_read(text, start, limits.min_digits, true) {
            anchor(start, Shape::Digits);
        }
    } else {
        // Two groups may stand before the first that begins with a digit: `NL91+ABNA+0417…`.
        let outer = match boundary::before(text, start) {
            Some(b'+') => word(start - 1),
            _ => start,
        };
        if let Some(head) = [start, outer].into_iter().find(|&at| is_head(text, at)) {
            anchor(head, Shape::LettersDigits);
        }
    }
    let first = first_digit(text, plus);
    let digits = text[first..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    // Where another `+` follows, that tells of this group.
    if text.get(first + digits) != Some(&b'+') && enough_read(text, first, limits.min_digits, true)
    {
        anchor(first, Shape::Digits);
    }
}

/// Where the encoded form that is told of at `pos` begins, which ASCII byte it stands for, and
/// where it ends.
fn encoded_unit(text: &[u8], pos: usize) -> Option<(usize, Option<u8>, usize)> {
    let next = *text.get(pos + 1)?;
    let at = match text[pos] {
        b'%' if next.is_ascii_hexdigit() => pos,
        b'&' if next == b'#' || next.is_ascii_alphabetic() => pos,
        b'=' => pos,
        // The last of a row of backslashes tells of the whole.
        b'\\' if next != b'\\' => {
            let row = text[..pos]
                .iter()
                .rev()
                .take(BACK)
                .take_while(|&&b| b == b'\\')
                .count();
            pos - row
        }
        0x1B => pos,
        0xEF if matches!(next, 0xBC | 0xBD) => pos,
        0xD9 | 0xDB | 0xE0 | 0xE1 => pos,
        _ => return None,
    };
    let (unit, len) = fold::unit_at(&text[at..])?;
    let byte = match unit {
        Unit::Ascii(byte) => Some(byte),
        Unit::Invisible | Unit::Other => None,
    };
    Some((at, byte, at + len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted_over_single_separators() {
        for (text, enough) in [
            ("4111 1111 1111", true),
            ("415-555-2671", true),
            ("1-1-1-1-1", false),
            ("1 1 1 1 1 1 1 1 1 1 1 1", false),
            ("00 1 1 1 1 1 1 1 1 1 1 1", false),
            ("00 33 1 99 00 53 00", true),
            ("1 (415) 555-2671", true),
            ("12345    67890", false),
            ("4111\u{2011}1111\u{a0}1111", true),
            ("4111%201111%201111", true),
            ("41%2011%2011%2011%20", false),
            ("4%204%204%204%204%204%204%204%204%204%204", false),
            ("123456789x0", false),
        ] {
            assert_eq!(enough_digits(text.as_bytes(), 0, 10), enough, "{text}");
        }
    }

    #[test]
    fn colons_are_told_at_the_first_of_the_address() {
        for (text, trigger, at) in [
            ("2001:db8::1", 8, Some(4)),
            ("ip6:2001:db8::1", 12, Some(8)),
            ("ip:2001:db8::1", 11, Some(7)),
            ("::1", 0, Some(0)),
            ("[::1]", 1, Some(1)),
            ("a: :: b", 3, Some(3)),
        ] {
            assert_eq!(colons_start(text.as_bytes(), trigger), at, "{text}");
        }
    }

    #[test]
    fn quads_begin_at_their_first_group() {
        assert_eq!(quad_start(b"x 10.1.2.3", 4), Some(2));
        assert_eq!(quad_start(b"1.10.1.2.3", 4), None);
        assert_eq!(quad_start(b"1234.1.2.3", 4), None);
        assert_eq!(quad_start(b".1.2.3", 0), None);
    }

    #[test]
    fn encoded_units_are_told_whole() {
        for (text, pos, expected) in [
            ("%40", 0, Some((0, Some(b'@'), 3))),
            ("%2B", 0, Some((0, Some(b'+'), 3))),
            ("&commat;", 0, Some((0, Some(b'@'), 8))),
            ("\\\\u0040", 1, Some((0, Some(b'@'), 7))),
            ("\\uff0b", 0, Some((0, Some(b'+'), 6))),
            ("\\u6253", 0, Some((0, None, 6))),
            ("\\n", 0, Some((0, Some(b'\n'), 2))),
            ("\x1b[31mx", 0, Some((0, Some(0x1B), 5))),
            ("＠", 0, Some((0, Some(b'@'), 3))),
            ("٦", 0, Some((0, Some(b'6'), 2))),
            ("%41", 0, Some((0, Some(b'A'), 3))),
            ("%", 0, None),
            ("\\ ", 0, None),
            ("€", 0, None),
        ] {
            assert_eq!(encoded_unit(text.as_bytes(), pos), expected, "{text}");
        }
    }

    /// Not to tell of an escape hides no place.
    #[test]
    fn escapes_that_are_not_told_of_stand_for_nothing() {
        let limits = Limits {
            min_digits: 5,
            hash_digits: 8,
        };
        let mut escapes: Vec<String> = (0..=0xFFFF).map(|code| format!("\\u{code:04x}")).collect();
        escapes.extend((0..0x80_u8).map(|byte| format!("\\{}", char::from(byte))));
        let mut silent = 0;
        for escape in &escapes {
            for before in ["", "1234 ", "x", "\\\\", "NL91", "1.2.3"] {
                for behind in [
                    "",
                    "x",
                    "12345 678",
                    "1.2.3.4",
                    "NL91ABNA",
                    "ab12",
                    "NL9",
                    "@x.nl",
                ] {
                    let text = format!("{before}{escape}{behind}");
                    let text = text.as_bytes();
                    let pos = before.len();
                    if super::super::shapes::tells(&text[pos..]) {
                        continue;
                    }
                    silent += 1;
                    encoded(text, pos, limits, |anchor| {
                        panic!("{anchor:?} in {}", text.escape_ascii());
                    });
                }
            }
        }
        assert!(silent > 900_000, "{silent}");
    }

    #[test]
    fn what_stands_before_is_read_through_escapes() {
        for (text, byte) in [
            ("a", Some(b'a')),
            ("é", None),
            ("４", Some(b'4')),
            ("\\u0020", Some(b' ')),
            ("\\\\u0034", Some(b'4')),
            ("\\n", Some(b'\n')),
            ("\\x", Some(b'x')),
            ("\\x20", Some(b' ')),
            ("%20", Some(b' ')),
            ("%2", Some(b'2')),
            ("&#32;", Some(b';')),
            ("&lt;4", Some(b'4')),
        ] {
            assert_eq!(read_before(text.as_bytes(), text.len()), byte, "{text}");
        }
        assert_eq!(read_before(b"", 0), None);
    }

    #[test]
    fn a_domain_or_a_head_is_seen_through_escapes() {
        for (text, dotted) in [
            ("x.nl", true),
            ("\\u0078\\u002enl", true),
            ("%C3%A9x%2Enl", true),
            ("\\u00e9.nl", true),
            ("éx.nl", true),
            ("\x1b[31mx\x1b[0m.nl", true),
            ("x\u{200b}.nl", true),
            (".nl", false),
            ("x y.nl", false),
            ("\\u0078\\u0020y.nl", false),
            ("x", false),
            ("", false),
        ] {
            assert_eq!(is_dotted(text.as_bytes(), 0), dotted, "{text}");
        }
        assert!(
            is_dotted(&[b'x'; 300], 0),
            "it is not seen that there is no dot"
        );
        for (text, head) in [
            ("\\u004eL91", true),
            ("%4E%4C%39%31", true),
            ("N\u{200b}L91", true),
            ("NLx1", false),
            ("N", false),
        ] {
            assert_eq!(is_coded_head(text.as_bytes(), 0), head, "{text}");
        }
    }

    #[test]
    fn what_begins_behind_an_escape_is_told() {
        let limits = Limits {
            min_digits: 10,
            hash_digits: 8,
        };
        for (text, at, shape) in [
            ("\\nNL91ABNA", 2, Shape::LettersDigits),
            ("%204111111111111111", 3, Shape::Digits),
            ("%2010.1.2.3", 3, Shape::Quad),
            ("\\n1\\u002e2.3&period;4", 2, Shape::Quad),
            ("\x1b[0m4111111111111111", 4, Shape::Digits),
            ("\\u62534111111111", 6, Shape::Digits),
            ("4111\\u20111111\\u20111111", 0, Shape::Digits),
            ("NL91&nbsp;ABNA", 0, Shape::LettersDigits),
        ] {
            let mut told = Vec::new();
            let pos = text.find(['\\', '%', '&', '\x1b']).unwrap();
            encoded(text.as_bytes(), pos, limits, |anchor| {
                told.push((anchor.at, anchor.shape));
            });
            assert_eq!(told, [(at, shape)], "{text}");
        }
    }
}
