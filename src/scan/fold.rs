//! Folding: a raw piece of a line as the plain text that a reader takes it for, with a map back.
//!
//! Decoded, once only: percent-encoding (RFC 3986), HTML character references, the escapes of JSON
//! and C with any number of backslashes before them, full-width forms, decimal digits of all
//! scripts, no-break and other wide spaces, hyphens and dashes, ANSI escape sequences (which
//! become one control byte). Zero-width characters vanish, at most two in a row. What else a piece
//! may be written in depends on its [`Reading`].
//!
//! A fold never grows a text: each folded byte stands for at least one raw byte.

use std::ops::Range;

use fearless_simd::Level;
use memchr::{memchr, memrchr};

use super::classes::{self, BLOCK};

mod entity;
mod reading;
mod unicode;
mod whole;

pub(crate) use self::reading::{Reading, Ways};
use self::unicode::Glyph;
pub(super) use self::whole::is_inert;
pub(crate) use self::whole::{plain, stands_for};

/// What the folded text is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Numbers: digits of all scripts, spaces and dashes become ASCII.
    Number,
    /// Addresses: letters of any script count, so only full-width forms become ASCII.
    Address,
}

/// A folded text and where each of its bytes came from.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    bytes: Vec<u8>,
    /// Where they came from, in order.
    runs: Vec<Run>,
    plain: Plain,
}

/// Where some folded bytes came from. They go on to where those of the next run begin.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The first of them.
    folded: usize,
    /// The first raw byte.
    raw: usize,
    /// Where each of them came from one raw byte: 0. Otherwise all came together from so many.
    unit: usize,
}

/// Whether `raw` holds no byte that folding may change.
pub(crate) fn is_plain(raw: &[u8]) -> bool {
    // Where there are such bytes, there are many: mostly the first piece tells.
    raw.chunks(BLOCK).all(|piece| {
        let odd = piece.iter().fold(0_u8, |odd, &b| {
            odd | u8::from(b >= 0x80)
                | u8::from(b == b'%')
                | u8::from(b == b'&')
                | u8::from(b == b'\\')
                | u8::from(b == 0x1B)
        });
        odd == 0
    })
}

/// What an encoded unit stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Ascii(u8),
    /// Nothing that can be seen.
    Invisible,
    Other,
}

/// What the encoded form at the start of `raw` may stand for, in whatever reading, if there is one;
/// and its length in bytes.
pub(super) fn unit_at(raw: &[u8]) -> Option<(Unit, usize)> {
    let (glyph, len) = decode(raw, Purpose::Number, Reading::Mail, None)?;
    let unit = match glyph {
        Glyph::Ascii(byte) => Unit::Ascii(byte),
        Glyph::Invisible => Unit::Invisible,
        Glyph::Char(_) | Glyph::Raw => Unit::Other,
    };
    Some((unit, len))
}

/// The glyph of the encoded form at the start of `rest`, and how many raw bytes it takes; `None`
/// where there is none. `last` is the folded byte before it.
fn decode(
    rest: &[u8],
    purpose: Purpose,
    reading: Reading,
    last: Option<u8>,
) -> Option<(Glyph, usize)> {
    let (glyph, len) = match *rest.first()? {
        b'+' if reading == Reading::Form => Some((Glyph::Ascii(b' '), 1)),
        b'=' if reading == Reading::Mail => quoted(rest),
        b'%' => percent(rest),
        b'&' => entity::decode(rest),
        b'\\' => backslash(rest),
        0x1B => Some((Glyph::Ascii(0x1B), 1)),
        0x80.. => unicode::decode(rest, purpose, last),
        _ => None,
    }?;
    let glyph = match glyph {
        Glyph::Char(c) => unicode::fold(c, purpose),
        other => other,
    };
    if glyph != Glyph::Ascii(0x1B) {
        return Some((glyph, len));
    }
    let end = len + ansi_tail(&rest[len..]);
    if reading == Reading::Coloured && end > len {
        return Some((Glyph::Invisible, end + more_colour(&rest[end..])));
    }
    Some((glyph, end))
}

/// How many bytes the colour codes take that follow one: they vanish as one.
fn more_colour(rest: &[u8]) -> usize {
    /// `ESC[m ESC[K` at the end of what is marked, and as much at the next beginning.
    const MOST: usize = 3;
    let mut end = 0;
    for _ in 0..MOST {
        let next = &rest[end..];
        let sign = match next.first() {
            Some(0x1B) => 1,
            Some(b'\\') => match backslash(next) {
                Some((Glyph::Ascii(0x1B), len)) => len,
                _ => break,
            },
            _ => break,
        };
        match ansi_tail(&next[sign..]) {
            0 => break,
            tail => end += sign + tail,
        }
    }
    end
}

/// The ASCII byte that a character stands for.
pub(super) fn ascii(c: char, purpose: Purpose) -> Option<u8> {
    match unicode::fold(c, purpose) {
        Glyph::Ascii(byte) => Some(byte),
        _ => u8::try_from(c).ok().filter(u8::is_ascii),
    }
}

/// How much of the text behind a domain an address is judged by, in folded bytes.
const BEHIND_DOMAIN: usize = 40;

/// Whether no domain goes on with `glyph`.
fn ends_domain(glyph: Glyph) -> bool {
    matches!(glyph, Glyph::Ascii(byte) if !may_be_in_domain(byte))
}

fn may_be_in_domain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.')
}

/// Where a text is plain, block by block as they are asked for.
#[derive(Debug)]
struct Plain {
    /// The block at hand.
    block: Range<usize>,
    /// Its bytes that folding may change.
    odd: u64,
    level: Level,
}

impl Default for Plain {
    fn default() -> Self {
        Plain {
            block: 0..0,
            odd: 0,
            level: Level::new(),
        }
    }
}

impl Plain {
    /// How many bytes of `raw[span]` stay as they are when folded, from its first on.
    fn run(&mut self, raw: &[u8], span: Range<usize>, reading: Reading) -> usize {
        let sign = match reading {
            Reading::Plain | Reading::Coloured => None,
            Reading::Form => memchr(b'+', &raw[span.clone()]),
            Reading::Mail => memchr(b'=', &raw[span.clone()]),
        };
        let Range { start, end } = span;
        let end = sign.map_or(end, |at| start + at);
        let mut at = start;
        while at < end {
            if !self.block.contains(&at) {
                let block = &raw[at..raw.len().min(at + BLOCK)];
                self.block = at..at + block.len();
                self.odd = classes::odd(self.level, block);
            }
            let odd = self.odd >> (at - self.block.start);
            if odd != 0 {
                at += odd.trailing_zeros() as usize;
                break;
            }
            at = self.block.end;
        }
        at.min(end) - start
    }
}

/// How far a walk over a row of backslashes, or over a character's bytes, goes; no escape is longer.
pub(crate) const UNIT_REACH: usize = 16;

impl Folded {
    /// Folds `raw[span]`, but no more than `left` folded bytes before the raw position `at` and
    /// `right` from there on. Returns the folded position of `at`, or `None` where `at` is no
    /// first byte of a folded one (it is inside of an escape).
    pub(crate) fn fold(
        &mut self,
        raw: &[u8],
        span: Range<usize>,
        at: usize,
        right: usize,
        (purpose, reading): (Purpose, Reading),
    ) -> Option<usize> {
        self.bytes.clear();
        self.runs.clear();
        self.plain.block = 0..0;
        let mut pos = unit_start(raw, span.clone());
        let mut place = None;
        let mut stop = usize::MAX;
        let mut invisible = 0;
        while pos < span.end {
            if pos >= at {
                if place.is_none() {
                    place = (pos == at).then_some(self.bytes.len());
                    place?;
                }
                if self.bytes.len() >= (place? + right).min(stop) {
                    break;
                }
            }
            let room = match place {
                Some(place) => (place + right).min(stop) - self.bytes.len(),
                None => at - pos,
            };
            let end = span.end.min(pos.saturating_add(room));
            let run = self.plain.run(raw, pos..end, reading);
            if run > 0 {
                let mut plain = &raw[pos..pos + run];
                if purpose == Purpose::Address && pos + run > at && stop == usize::MAX {
                    let behind = (at + 1).saturating_sub(pos).min(run);
                    let end = plain[behind..].iter().position(|&b| !may_be_in_domain(b));
                    if let Some(end) = end {
                        stop = self.bytes.len() + behind + end + BEHIND_DOMAIN;
                        plain = &plain[..run.min(behind + end + BEHIND_DOMAIN)];
                    }
                }
                self.put_plain(plain, pos);
                invisible = 0;
                pos += plain.len();
                continue;
            }
            let (glyph, len) = self.next(raw, pos, span.end, (purpose, reading));
            let end = pos + len;
            // A domain ends here; a little of what follows it is context.
            if purpose == Purpose::Address && pos > at && stop == usize::MAX && ends_domain(glyph) {
                stop = self.bytes.len() + BEHIND_DOMAIN;
            }
            self.put_glyph(raw, pos..end, glyph, &mut invisible);
            pos = end;
        }
        place
    }

    /// Appends what stands at `at` in the raw text, behind so many invisible characters.
    fn put_glyph(&mut self, raw: &[u8], at: Range<usize>, glyph: Glyph, invisible: &mut usize) {
        if glyph == Glyph::Invisible && *invisible < 2 {
            *invisible += 1;
            return;
        }
        match glyph {
            Glyph::Invisible => return self.put(&[0], at.start, at.end),
            Glyph::Ascii(byte) => self.put(&[byte], at.start, at.end),
            Glyph::Char(c) => self.put(c.encode_utf8(&mut [0; 4]).as_bytes(), at.start, at.end),
            Glyph::Raw => self.put_plain(&raw[at.clone()], at.start),
        }
        *invisible = 0;
    }

    /// The folded text.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the folded text begins in the raw one.
    pub(crate) fn raw_start(&self) -> Option<usize> {
        self.runs.first().map(|run| run.raw)
    }

    /// The raw bytes of a folded range. `None` for an empty range, or one that cuts a raw unit
    /// (a character whose escape makes several bytes) in two.
    pub(crate) fn raw_range(&self, range: Range<usize>) -> Option<Range<usize>> {
        let last = range.end.checked_sub(1)?;
        let is_whole = range.start < range.end && range.end <= self.bytes.len();
        let cut = |at: usize| {
            let run = self.run(at);
            at < self.bytes.len() && run.is_some_and(|run| run.unit > 0 && run.folded < at)
        };
        (is_whole && !cut(range.start) && !cut(range.end))
            .then(|| Some(self.origin(range.start)?.start..self.origin(last)?.end))?
    }

    /// The run of a folded byte.
    fn run(&self, at: usize) -> Option<&Run> {
        let behind = self.runs.partition_point(|run| run.folded <= at);
        self.runs.get(behind.checked_sub(1)?)
    }

    /// The raw range of a folded byte.
    fn origin(&self, at: usize) -> Option<Range<usize>> {
        let run = self.run(at)?;
        Some(match run.unit {
            0 => run.raw + at - run.folded..run.raw + at - run.folded + 1,
            unit => run.raw..run.raw + unit,
        })
    }

    /// Puts bytes that stand at `start` as they are.
    fn put_plain(&mut self, bytes: &[u8], start: usize) {
        let folded = self.bytes.len();
        self.runs.push(Run {
            folded,
            raw: start,
            unit: 0,
        });
        self.bytes.extend_from_slice(bytes);
    }

    /// Puts bytes for which `raw[start..end]` stands.
    fn put(&mut self, bytes: &[u8], start: usize, end: usize) {
        let folded = self.bytes.len();
        self.runs.push(Run {
            folded,
            raw: start,
            unit: end - start,
        });
        self.bytes.extend_from_slice(bytes);
    }

    /// The glyph at `pos`, and how many raw bytes it takes.
    fn next(
        &self,
        raw: &[u8],
        pos: usize,
        end: usize,
        (purpose, reading): (Purpose, Reading),
    ) -> (Glyph, usize) {
        let rest = &raw[pos..end];
        let byte = rest[0];
        let plain = if byte.is_ascii() {
            Glyph::Ascii(byte)
        } else {
            Glyph::Raw
        };
        decode(rest, purpose, reading, self.bytes.last().copied()).unwrap_or((plain, 1))
    }
}

/// The first unit boundary in `span`: not inside a row of backslashes or a UTF-8 character.
/// (Inside a longer escape, its tail reads as plain letters: no value may begin there.)
fn unit_start(raw: &[u8], span: Range<usize>) -> usize {
    let mut start = span.start;
    let limit = (start + UNIT_REACH).min(span.end);
    // What begins behind anything but a backslash is a row's first.
    let in_row = start > 0 && raw[start - 1] == b'\\';
    while start < limit
        && start > 0
        && (raw[start] & 0xC0 == 0x80 || (in_row && raw[start] == b'\\'))
    {
        start += 1;
    }
    if start == limit { span.start } else { start }
}

/// Where in `raw[span]` a unit is sure to begin, at or a little before its end: behind a space, which
/// is inside of nothing but an ANSI sequence, with no bracket that may open one before it.
pub(crate) fn apart(raw: &[u8], span: Range<usize>) -> Option<usize> {
    /// How far from the end it is looked for.
    const REACH: usize = 64;
    /// What stands between a sequence's bracket and its last byte, at the most, and the bracket.
    const SEQUENCE: usize = 33;
    let low = span.start.max(span.end.saturating_sub(REACH));
    let space = memrchr(b' ', raw.get(low..span.end)?)?;
    let start = low + space + 1;
    let before = start
        .checked_sub(1 + SEQUENCE)
        .filter(|&before| before >= span.start)?;
    memchr(b'[', &raw[before..start]).is_none().then_some(start)
}

/// `%40` (RFC 3986, section 2.1): ASCII, or a whole UTF-8 character.
fn percent(rest: &[u8]) -> Option<(Glyph, usize)> {
    octets(rest, b'%')
}

/// `=40` (RFC 2045, section 6.7): a sign or space, or a whole UTF-8 character; in upper case.
/// Letters and digits are never written so.
fn quoted(rest: &[u8]) -> Option<(Glyph, usize)> {
    let digits = rest.get(1..3)?;
    if digits.iter().any(u8::is_ascii_lowercase) {
        return None;
    }
    octets(rest, b'=').filter(|(glyph, _)| match glyph {
        Glyph::Ascii(byte) => {
            matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~') && !byte.is_ascii_alphanumeric()
        }
        _ => true,
    })
}

/// A byte as `mark` and two hexadecimal digits, or as many as make a UTF-8 character.
fn octets(rest: &[u8], mark: u8) -> Option<(Glyph, usize)> {
    let byte = |i: usize| -> Option<u8> {
        (rest.get(i)? == &mark).then_some(())?;
        hex(rest.get(i + 1..i + 3)?).and_then(|n| u8::try_from(n).ok())
    };
    let first = byte(0)?;
    if first < 0x80 {
        return Some((Glyph::Ascii(first), 3));
    }
    let mut char_bytes = [first, 0, 0, 0];
    for n in 1..4 {
        char_bytes[n] = byte(3 * n)?;
        if let Ok(text) = std::str::from_utf8(&char_bytes[..=n]) {
            return Some((Glyph::Char(text.chars().next()?), 3 * (n + 1)));
        }
    }
    None
}

/// An escape of JSON (RFC 8259, section 7) or C, with one backslash or many: a text may have been
/// quoted several times.
fn backslash(rest: &[u8]) -> Option<(Glyph, usize)> {
    // Most of them are these.
    match rest {
        [_, b'n', ..] => return Some((Glyph::Ascii(b'\n'), 2)),
        [_, b'"', ..] => return Some((Glyph::Ascii(b'"'), 2)),
        _ => {}
    }
    let row = rest.iter().take_while(|&&b| b == b'\\').count();
    let (glyph, len) = match rest.get(row)? {
        b'n' => (Glyph::Ascii(b'\n'), 1),
        b'r' => (Glyph::Ascii(b'\r'), 1),
        b't' => (Glyph::Ascii(b'\t'), 1),
        b'f' => (Glyph::Ascii(0x0C), 1),
        b'b' | b'v' | b'a' => (Glyph::Ascii(0x0B), 1),
        b'e' => (Glyph::Ascii(0x1B), 1),
        b'0' if rest[row..].starts_with(b"033") => (Glyph::Ascii(0x1B), 3),
        b'0' => (Glyph::Ascii(0), 1),
        byte @ (b'"' | b'\'' | b'/') => (Glyph::Ascii(*byte), 1),
        b'x' => (
            Glyph::Ascii(
                u8::try_from(hex(rest.get(row + 1..row + 3)?)?)
                    .ok()
                    .filter(u8::is_ascii)?,
            ),
            3,
        ),
        b'u' => unicode_escape(rest, row)?,
        _ => return None,
    };
    Some((glyph, row + len))
}

/// `\u0040`, `\u{40}`, a surrogate pair. A lone surrogate is an edge (a NUL byte).
fn unicode_escape(rest: &[u8], row: usize) -> Option<(Glyph, usize)> {
    let glyph = |code: u32| match char::from_u32(code) {
        Some(c) if c.is_ascii() => Glyph::Ascii(c as u8),
        Some(c) => Glyph::Char(c),
        None => Glyph::Ascii(0),
    };
    if rest.get(row + 1) == Some(&b'{') {
        let digits = rest[row + 2..].iter().take(7).position(|&b| b == b'}')?;
        let code = hex(&rest[row + 2..row + 2 + digits])?;
        return Some((glyph(code), digits + 3));
    }
    let unit = hex(rest.get(row + 1..row + 5)?)?;
    if (0xD800..0xDC00).contains(&unit) {
        let tail = &rest[row + 5..];
        let again = tail.iter().take_while(|&&b| b == b'\\').count();
        let low = (again > 0 && tail.get(again) == Some(&b'u'))
            .then(|| hex(tail.get(again + 1..again + 5)?))
            .flatten()
            .filter(|low| (0xDC00..0xE000).contains(low));
        if let Some(low) = low {
            let code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            return Some((glyph(code), 5 + again + 5));
        }
    }
    Some((glyph(unit), 5))
}

/// The value of hexadecimal digits; `None` where there is none, or a byte is another.
fn hex(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits
        .iter()
        .try_fold(0, |n, &b| Some(n * 16 + (b as char).to_digit(16)?))
}

/// The length of what follows ESC in a control sequence (ECMA-48, 5.4: `[`, parameters, a final
/// byte), at most 32 bytes. A backslash ends none: the sequence was cut off, and an escape begins.
fn ansi_tail(rest: &[u8]) -> usize {
    if rest.first() != Some(&b'[') {
        return 0;
    }
    let parameters = rest[1..]
        .iter()
        .take(32)
        .take_while(|b| matches!(b, 0x20..=0x3F))
        .count();
    match rest.get(1 + parameters) {
        Some(b'\\') => 0,
        Some(0x40..=0x7E) => parameters + 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn folded(raw: &str, purpose: Purpose, reading: Reading) -> String {
        let mut fold = Folded::default();
        let how = (purpose, reading);
        fold.fold(raw.as_bytes(), 0..raw.len(), 0, 999, how);
        String::from_utf8_lossy(fold.bytes()).into_owned()
    }

    #[test]
    fn encoded_forms_become_plain() {
        for (raw, plain) in [
            ("jan%40x.nl", "jan@x.nl"),
            ("%2B31%206%20", "+31 6 "),
            ("j%C3%BCrgen", "jürgen"),
            ("100% of", "100% of"),
            ("%zz%4", "%zz%4"),
            ("jan&#64;x&period;nl", "jan@x.nl"),
            ("jan&#x40;x&commat;", "jan@x@"),
            ("a&b;c&unknown;", "a&b;c&unknown;"),
            ("jan\\u0040x", "jan@x"),
            ("\\njan", "\njan"),
            ("\\\\\\\\njan", "\njan"),
            ("\\\"jan\\\"", "\"jan\""),
            ("C:\\jan", "C:\\jan"),
            ("\\ud83d\\ude00x", "😀x"),
            ("\\ud83dx", "\0x"),
            ("\\u{1F600}", "😀"),
            ("\x1b[31mjan", "\x1bjan"),
            ("\\u001b[0;1mjan", "\x1bjan"),
            ("\\033[0mjan", "\x1bjan"),
            ("\\u001b[\\njan", "\x1b[\njan"),
            ("\x1b[1\\u0040", "\x1b[1@"),
            ("４１１１　＠ｊ", "4111 @j"),
            ("+31\u{2011}6\u{a0}1", "+31-6 1"),
            ("٠٦१२", "0612"),
            ("jan@\u{200b}x", "jan@x"),
            ("1\u{200b}\u{200b}\u{200b}2", "1\x002"),
        ] {
            assert_eq!(
                folded(raw, Purpose::Number, Reading::Plain),
                plain,
                "{raw:?}"
            );
        }
    }

    #[test]
    fn letters_and_digits_of_other_scripts_stay_in_addresses() {
        for (raw, plain) in [
            ("ｊａｎ＠ｘ．ｎｌ", "jan@x.nl"),
            ("٠٦@x", "٠٦@x"),
            ("a\u{2011}b", "a\u{2011}b"),
            ("نمی\u{200c}دانم@x", "نمی\u{200c}دانم@x"),
            ("jan\u{200c}@x", "jan@x"),
        ] {
            assert_eq!(
                folded(raw, Purpose::Address, Reading::Plain),
                plain,
                "{raw:?}"
            );
        }
    }

    #[test]
    fn a_reading_decodes_what_is_no_encoding_elsewhere() {
        use Reading::{Coloured, Form, Mail};
        for (raw, reading, plain) in [
            ("a+b%2Bc=40", Form, "a b+c=40"),
            ("jan=40x+y", Mail, "jan@x+y"),
            ("=2B31=206=C2=A01", Mail, "+31 6 1"),
            ("jos=C3=A9=", Mail, "josé="),
            ("a=4111=2b=FF=0", Mail, "a=4111=2b=FF=0"),
            ("\x1b[01;31m\x1b[Kj\x1b[m\x1b[K\x1b[1man", Coloured, "jan"),
            ("\\u001b[1mj\\u001b[m\\u001b[Kan", Coloured, "jan"),
            ("j\x1ban", Coloured, "j\x1ban"),
        ] {
            assert_eq!(folded(raw, Purpose::Number, reading), plain, "{raw:?}");
        }
    }

    #[test]
    fn ranges_lead_back_to_the_whole_raw_units() {
        let raw = "x jan%40x.nl&nbsp;";
        let mut fold = Folded::default();
        let how = (Purpose::Number, Reading::Plain);
        let at = fold.fold(raw.as_bytes(), 0..raw.len(), 5, 99, how);
        assert_eq!(at, Some(5));
        assert_eq!(fold.bytes(), b"x jan@x.nl ");
        assert_eq!(fold.raw_range(2..10), Some(2..12));
        assert_eq!(fold.raw_range(2..11), Some(2..18));
        assert_eq!(fold.raw_range(4..4), None);
        let inside = fold.fold(raw.as_bytes(), 0..raw.len(), 6, 99, how);
        assert_eq!(inside, None, "inside of an escape");
    }

    proptest! {
        #[test]
        fn folding_never_panics_and_never_grows(
            raw in prop::collection::vec(prop_oneof![
                any::<u8>(), Just(b'\\'), Just(b'%'), Just(b'&'), Just(b';'), Just(b'u'),
                Just(0x1B), Just(b'['), Just(b'='), Just(b'm'), Just(0xEF), Just(0xBC), Just(0xE2), Just(0x80), Just(b'0'),
            ], 0..200),
            at in 0_usize..200, right in 0_usize..100,
        ) {
            let mut fold = Folded::default();
            for how in [
                (Purpose::Number, Reading::Plain),
                (Purpose::Address, Reading::Plain),
                (Purpose::Number, Reading::Form),
                (Purpose::Number, Reading::Mail),
                (Purpose::Address, Reading::Coloured),
            ] {
                fold.fold(&raw, 0..raw.len(), at, right, how);
                prop_assert!(fold.bytes().len() <= raw.len());
                let mut before = 0;
                for i in 0..fold.bytes().len() {
                    let origin = fold.origin(i).expect("each byte has one");
                    prop_assert!(!origin.is_empty() && origin.end <= raw.len());
                    prop_assert!(before <= origin.start);
                    prop_assert!(fold.position(origin.start) <= i);
                    before = origin.start;
                }
            }
        }
    }
}
