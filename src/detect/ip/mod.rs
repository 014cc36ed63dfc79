//! IP addresses: dotted IPv4 (RFC 791) and textual IPv6 (RFC 4291, section 2.2).
//!
//! An address has no checksum, so the proof is its grammar with strict borders, and what
//! stands around it. Refused on purpose: leading zeros (C reads them as octal), hex and
//! one-number forms, groups of another count, times, hardware addresses, paths such as
//! `a::b`, versions, section numbers and object identifiers. What names nobody is left
//! alone: see [`Keep`].
//!
//! Where only the words around tell, the text decides against an address only if the
//! numbers look like a version too: an address that slips through is worse than a
//! version that is replaced.

mod keep;
#[cfg(test)]
mod tests;
mod v4;
mod v6;

use std::net::{IpAddr, Ipv6Addr};
use std::ops::Range;

use super::{Candidate, Detector, Options, Reject, Shape};
use crate::finding::{Canonical, Finding, Strength};
use crate::kind::Kind;

pub(crate) use keep::{Keep, Networks};

/// The longest text of an address: `0000:0000:0000:0000:0000:ffff:255.255.255.255`.
const MAX_LEN: usize = 45;

/// How many bytes before an address are read for words.
const CONTEXT: usize = 32;

/// The detector of [`Kind::Ip`].
pub(crate) struct Ip;

impl Detector for Ip {
    fn kind(&self) -> Kind {
        Kind::Ip
    }

    fn max_len(&self) -> usize {
        MAX_LEN
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Quad, Shape::Colons]
    }

    fn verify(&self, candidate: &Candidate<'_>, options: &Options) -> Result<Finding, Reject> {
        let keep = &options.ip_keep;
        let (range, address) = match candidate.text.get(candidate.at) {
            Some(b':') => v6::verify(candidate, keep)?,
            Some(b'0'..=b'9') => v4::verify(candidate, keep)?,
            _ => return Err(Reject::Shape),
        };
        Ok(finding(range, address))
    }
}

fn finding(range: Range<usize>, address: IpAddr) -> Finding {
    Finding::new(Kind::Ip, Strength::Strong, range, canonical(address))
}

/// The one spelling that is hashed: dotted decimal, or RFC 5952 text. Written out here, not left to
/// `Display`, because a pseudonym hangs on every byte of it, and it is written for every address.
fn canonical(address: IpAddr) -> Canonical {
    let mut out = Canonical::new();
    match address {
        IpAddr::V4(v4) => {
            for (i, part) in v4.octets().into_iter().enumerate() {
                if i > 0 {
                    out.push(b'.');
                }
                push_number(&mut out, u16::from(part), 10);
            }
        }
        IpAddr::V6(v6) => push_rfc5952(&mut out, v6),
    }
    out
}

/// RFC 5952, section 4: lower case, no leading zeros, `::` for the first of the longest runs
/// of two or more zero groups. Mapped addresses do not come here: they are IPv4.
fn push_rfc5952(out: &mut Canonical, address: Ipv6Addr) {
    let groups = address.segments();
    let zeros = longest_zeros(&groups);
    for (i, &group) in groups.iter().enumerate() {
        if zeros.contains(&i) {
            if i == zeros.start {
                out.extend_from_slice(b"::");
            }
            continue;
        }
        if i != 0 && i != zeros.end {
            out.push(b':');
        }
        push_number(out, group, 16);
    }
}

/// Appends a number without leading zeros.
fn push_number(out: &mut Canonical, mut number: u16, base: u16) {
    let mut digits = [0; 5];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b"0123456789abcdef"[usize::from(number % base)];
        number /= base;
        if number == 0 {
            break;
        }
    }
    for &digit in &digits[first..] {
        out.push(digit);
    }
}

/// The first of the longest runs of at least two zero groups; `8..8` where there is none.
fn longest_zeros(groups: &[u16; 8]) -> Range<usize> {
    let mut best = 8..8;
    let mut start = 0;
    for (i, group) in groups.iter().enumerate() {
        if *group != 0 {
            start = i + 1;
        } else if i + 1 - start > best.len().max(1) {
            best = start..i + 1;
        }
    }
    best
}

/// The word that ends directly before `end`, its first byte, and where what follows it began:
/// skips at most eight bytes of `glue`, then takes ASCII letters and digits.
fn word_before<'t>(text: &'t [u8], end: usize, glue: &[u8]) -> (usize, &'t [u8]) {
    let floor = end.saturating_sub(CONTEXT);
    let mut stop = end;
    while stop > floor && end - stop < 8 && glue.contains(&text[stop - 1]) {
        stop -= 1;
    }
    let mut start = stop;
    while start > floor && text[start - 1].is_ascii_alphanumeric() {
        start -= 1;
    }
    (start, &text[start..stop])
}

/// Whether `word` is one of `words` (lower case), in either case.
fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words
        .iter()
        .any(|w| word.eq_ignore_ascii_case(w.as_bytes()))
}
