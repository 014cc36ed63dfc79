//! Proof. The scan names places whose bytes have the shape of a kind; a detector
//! decides whether the place holds a value, and where that value begins and ends.
//!
//! Each kind has one file. A detector holds no state, reads no configuration but
//! [`Options`], does no I/O and hashes nothing; files here never import each other.

pub(crate) mod boundary;
pub(crate) mod card;
pub(crate) mod custom;
pub(crate) mod email;
pub(crate) mod iban;
pub(crate) mod ip;
pub(crate) mod phone;
mod table;

use std::fmt;

use crate::finding::Finding;
use crate::kind::Kind;

/// What a place looks like, cheaply. The scan names the position; what it points
/// at is part of the shape's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// The `@`.
    At,
    /// A `+` that is followed by a digit or an opening bracket, with at most one space between.
    Plus,
    /// The first digit of a group of digits (the byte before is no digit) that, with
    /// the groups behind it, parted by single separators, makes at least
    /// [`Options::min_digits`] digits. A candidate begins at this digit, or at an
    /// opening bracket directly before it.
    Digits,
    /// The first letter of two letters and two digits; no ASCII letter or digit before it.
    LettersDigits,
    /// The first digit of `1.2.3.4`: four groups of one to three digits between dots.
    Quad,
    /// The first colon of `::`, or of a run of hex groups with at least two colons.
    Colons,
}

impl Shape {
    /// All, each at its number.
    pub(crate) const ALL: [Shape; 6] = [
        Shape::At,
        Shape::Plus,
        Shape::Digits,
        Shape::LettersDigits,
        Shape::Quad,
        Shape::Colons,
    ];
}

/// A place to judge: a piece of one line, and a position in it.
///
/// The text is *folded*: an encoded character (`%40`, `&#64;`, `\u0040`, a
/// full-width digit, a no-break space or dash beside digits) stands there as the
/// plain one, zero-width characters are gone, and an escape such as `\n` is the
/// control character that it means. It is otherwise arbitrary bytes, not always UTF-8.
///
/// The text ends at a line end, at a placeholder or accepted finding (a wall), at
/// the end of the input, or so far away that no value of the kind reaches it: its
/// two ends are edges.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'t> {
    /// The bytes around the place, at most [`LEFT_REACH`] before and [`RIGHT_REACH`] after it.
    pub(crate) text: &'t [u8],
    /// The position that the shape names.
    pub(crate) at: usize,
    /// Whether the first byte of `text` is the first of a line.
    pub(crate) line_start: bool,
}

impl Candidate<'_> {
    /// Whether `pos` is the first byte of a line.
    pub(crate) fn opens_line(&self, pos: usize) -> bool {
        match pos.checked_sub(1) {
            None => self.line_start,
            Some(before) => matches!(self.text[before], b'\n' | b'\r'),
        }
    }
}

/// How much of the line a detector is shown before the candidate's position, in folded bytes.
/// Longer than the longest local part (64 bytes, RFC 5321) with what must stand before it, and
/// than the 32 bytes of context for a word.
pub(crate) const LEFT_REACH: usize = 112;
/// How much of the line a detector is shown from the candidate's position on, in folded bytes.
/// Longer than the longest domain (255 bytes).
pub(crate) const RIGHT_REACH: usize = 320;

/// Why a candidate is no finding. `inspect` tells people; the tables of each
/// detector assert the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reject {
    /// The bytes around the place are not of the kind's form.
    Shape,
    /// What touches the candidate makes it a part of something longer.
    Boundary,
    /// Too long or too short.
    Length,
    /// The check digits are wrong.
    Checksum,
    /// No registry knows it: top-level domain, country, issuer, country code.
    Registry,
    /// The numbering plan has no such number.
    Numbering,
    /// The words or signs around it say that it is something else: a version, a price, a date.
    Context,
    /// It is left alone on purpose, as it identifies nobody: loopback, a netmask, …
    Kept,
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reject::Shape => "not of its form",
            Reject::Boundary => "a part of something longer",
            Reject::Length => "too long or too short",
            Reject::Checksum => "wrong check digits",
            Reject::Registry => "unknown to the registry",
            Reject::Numbering => "no such number in the numbering plan",
            Reject::Context => "what stands around it says that it is something else",
            Reject::Kept => "left alone, as it identifies nobody",
        })
    }
}

/// What varies from one engine to another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// The regions whose national phone numbers are looked for, in order.
    pub(crate) regions: Vec<phone::Region>,
    /// The networks that are left alone.
    pub(crate) ip_keep: ip::Keep,
}

impl Options {
    /// How many digits a run must hold to be a candidate of [`Shape::Digits`]: a card of 12
    /// digits, a North American number of 10, or the shortest national numbers of the regions.
    pub(crate) fn min_digits(&self) -> usize {
        if self.regions.is_empty() { 10 } else { 5 }
    }
}

/// Code that proves one kind.
pub(crate) trait Detector: Sync {
    /// What it finds.
    fn kind(&self) -> Kind;
    /// The length of the longest value, in folded bytes.
    fn max_len(&self) -> usize;
    /// The shapes at which it is asked.
    fn shapes(&self) -> &'static [Shape];
    /// Decides a candidate.
    ///
    /// The range of the finding is in bytes of `candidate.text`, and holds `candidate.at`
    /// or begins directly behind it.
    ///
    /// # Errors
    /// The reason why there is no value at this place.
    fn verify(&self, candidate: &Candidate<'_>, options: &Options) -> Result<Finding, Reject>;
}

/// All detectors, in the order in which they win overlaps.
pub(crate) const DETECTORS: [&dyn Detector; 5] = [
    &email::Email,
    &iban::Iban,
    &card::Card,
    &ip::Ip,
    &phone::Phone,
];
