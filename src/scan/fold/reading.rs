//! Readings: the ways in which a piece of a line may be written where its bytes alone do not tell.
//!
//! `+` is a plus or the space of a form, `=40` a number or the `@` of a mail, a colour code an edge
//! or nothing at all. The surroundings tell: at most [`WIDE`] bytes of them, and none behind a wall.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::{Unit, quoted, unit_at};
use crate::kind::Kind;

/// How a piece is read, beyond what is decoded everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As it stands.
    Plain,
    /// Colour codes vanish.
    Coloured,
    /// The field of a form (`application/x-www-form-urlencoded`): `+` stands for a space.
    Form,
    /// Quoted-printable mail: `=40` (RFC 2045, section 6.7).
    Mail,
}

/// How far the surroundings are looked at, in raw bytes to either side.
const WIDE: usize = 256;
/// The longest name of a field that is looked at, in bytes.
const LONGEST_NAME: usize = 64;
/// The ends of file names that are top levels as well: `page=404.py` is no address.
const FILE_ENDS: [&[u8]; 18] = [
    b"ai", b"app", b"cc", b"do", b"in", b"md", b"ml", b"mov", b"pl", b"pm", b"ps", b"py", b"rs",
    b"sh", b"so", b"st", b"vi", b"zip",
];

/// The ways to read a place.
pub(crate) struct Ways<'t> {
    text: &'t [u8],
    /// What may be looked at.
    near: Range<usize>,
    at: usize,
    /// In the order in which they are tried.
    readings: [Option<Reading>; 4],
    /// Whether it is in a form's field, and no sum that looks like one.
    form: bool,
}

impl<'t> Ways<'t> {
    /// The ways to read the place at `at`, an `@` with `address`, in the open space `open`. With
    /// `told`, something may stand for another character there.
    pub(crate) fn of(
        text: &'t [u8],
        open: Range<usize>,
        at: usize,
        address: bool,
        told: bool,
    ) -> Ways<'t> {
        let near = open.start.max(at.saturating_sub(WIDE))..open.end.min(at + WIDE);
        let mut ways = Ways {
            text,
            near,
            at,
            readings: [Some(Reading::Plain), Some(Reading::Coloured), None, None],
            form: false,
        };
        if text[at] == b'=' {
            ways.readings = [Some(Reading::Mail), None, None, None];
            return ways;
        }
        let nearby = &text[ways.near.clone()];
        if told
            && memchr(b'+', nearby).is_some()
            && let Some(certain) = ways.field()
        {
            ways.form = certain;
            let first = certain && text[at] == b'%';
            ways.add(Reading::Form, first, !address);
        }
        if ways.has_quoted() {
            let first = address && ways.is_mail();
            ways.add(Reading::Mail, first, !address);
        }
        ways
    }

    pub(crate) fn readings(&self) -> impl Iterator<Item = Reading> {
        self.readings.into_iter().flatten()
    }

    /// Whether what was found in a reading, at `range`, may stand.
    pub(crate) fn admit(&self, reading: Reading, kind: Kind, range: &Range<usize>) -> bool {
        match reading {
            Reading::Plain | Reading::Coloured => true,
            // A checksum proves that it is no sum.
            Reading::Form => self.form || matches!(kind, Kind::Card | Kind::Iban),
            Reading::Mail => self.is_mail() || self.is_quoted(kind, range),
        }
    }

    fn add(&mut self, reading: Reading, first: bool, last: bool) {
        if first {
            self.readings.rotate_right(1);
            self.readings[0] = Some(reading);
        } else if last && let Some(free) = self.readings.iter_mut().find(|way| way.is_none()) {
            *free = Some(reading);
        }
    }

    /// Whether the place is in the value of a form's field; and whether that is certain.
    fn field(&self) -> Option<bool> {
        let Range {
            start: low,
            end: high,
        } = self.near;
        let text = self.text;
        let is_value = |b: &&u8| b.is_ascii_alphanumeric() || b"*-._+%@:/,!()~$".contains(b);
        let before = text[low..self.at].iter().rev().take_while(is_value).count();
        let after = text[self.at..high].iter().take_while(is_value).count();
        let (start, end) = (self.at - before, self.at + after);
        let encoded = (start..end).any(|i| is_percent(&text[i..end]));
        if start == low {
            // A long value, the name of which is out of sight.
            return (before == WIDE && encoded).then_some(true);
        }
        let is_name = |b: &&u8| b.is_ascii_alphanumeric() || b"*-._+%[]".contains(b);
        let names = text[low..start - 1].iter().rev().take(LONGEST_NAME);
        let name = names.take_while(is_name).count();
        if text[start - 1] != b'=' || name == 0 {
            return None;
        }
        let opened = (start - 1 - name)
            .checked_sub(1)
            .is_some_and(|i| i >= low && matches!(text[i], b'&' | b'?'));
        let followed = text[end..high].starts_with(b"&")
            && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        Some(encoded || opened || followed)
    }

    /// Whether anything near may be written as in quoted-printable mail.
    fn has_quoted(&self) -> bool {
        let near = &self.text[self.near.clone()];
        memchr_iter(b'=', near).any(|i| quoted(&near[i..]).is_some())
    }

    /// Whether something other than what may be a number says that the line is quoted-printable:
    /// a line that is cut by `=`, an encoded word, a letter beyond ASCII, markup.
    fn is_mail(&self) -> bool {
        let near = &self.text[self.near.clone()];
        memchr_iter(b'=', near).any(|i| {
            let rest = &near[i..];
            let after = &self.text[self.near.start + i + 1..];
            match quoted(rest) {
                _ if rest.starts_with(b"=?") => {
                    let word = &rest[..rest.len().min(WIDE / 4)];
                    word.windows(3).any(|w| w.eq_ignore_ascii_case(b"?q?"))
                }
                Some(_) if rest[1] >= b'C' => true,
                Some(_) => {
                    let behind = rest.get(3);
                    match &rest[1..3] {
                        b"3C" | b"3E" | b"0A" | b"0D" => true,
                        // `=3D"`, `=3Djan`; but `view=3D` is another thing.
                        b"3D" => {
                            behind.is_some_and(|b| b.is_ascii_alphanumeric() || b"\"'".contains(b))
                        }
                        _ => false,
                    }
                }
                None => {
                    let line_ends = matches!(after, [b'\n', ..] | [b'\r', ..])
                        || matches!(unit_at(after), Some((Unit::Ascii(b'\n' | b'\r'), _)));
                    line_ends && i > 0 && near[i - 1] > b' ' && near[i - 1] != b'='
                }
            }
        })
    }

    /// Whether the value at `range` cannot well be anything but quoted-printable.
    fn is_quoted(&self, kind: Kind, range: &Range<usize>) -> bool {
        let value = &self.text[range.clone()];
        if kind == Kind::Email {
            // `key=40px` has no domain; what has one may be the name of a file.
            let domain = &self.text[(self.at + 3).min(range.end)..range.end];
            let top = domain.rsplit(|&b| b == b'.').next().unwrap_or_default();
            return self.text[self.at] == b'='
                && domain.first().is_some_and(u8::is_ascii_alphabetic)
                && !FILE_ENDS.iter().any(|end| top.eq_ignore_ascii_case(end));
        }
        let touches =
            range.start > self.near.start && self.text[range.start - 1].is_ascii_alphanumeric();
        // `x=2B31…` is a hexadecimal number.
        value.contains(&b'=') && !(value[0] == b'=' && touches)
    }
}

/// Whether `rest` begins with a percent and two hexadecimal digits.
fn is_percent(rest: &[u8]) -> bool {
    matches!(rest, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}
