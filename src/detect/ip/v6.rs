//! Textual IPv6: where the run of groups begins and ends, and what tells it from a path,
//! a slice, a time or a hardware address.

use std::net::{IpAddr, Ipv6Addr};
use std::ops::Range;

use super::{Keep, MAX_LEN, is_one_of, v4, word_before};
use crate::detect::boundary::{after, before, char_after, char_before, is_alnum, is_word_letter};
use crate::detect::{Candidate, Reject};

/// Words that say that what follows is an address, for the few that look like anything.
const NETWORK_WORDS: &[&str] = &[
    "addr",
    "address",
    "client",
    "destination",
    "dns",
    "dst",
    "endpoint",
    "gateway",
    "gw",
    "host",
    "hostname",
    "inet6",
    "ip",
    "ip6",
    "ipv6",
    "listen",
    "nameserver",
    "neighbor",
    "neighbour",
    "network",
    "peer",
    "ping",
    "ping6",
    "prefix",
    "remote",
    "resolver",
    "router",
    "server",
    "source",
    "src",
    "ssh",
    "subnet",
    "traceroute",
    "traceroute6",
    "via",
];

/// Judges the run of groups and colons around the colon at the candidate's position.
pub(super) fn verify(
    candidate: &Candidate<'_>,
    keep: &Keep,
) -> Result<(Range<usize>, IpAddr), Reject> {
    let text = candidate.text;
    let start = begin(text, candidate.at)?;
    let (end, tail) = end(text, start)?;
    if end <= candidate.at {
        return Err(Reject::Shape);
    }
    let spelling = &text[start..end];
    let address = std::str::from_utf8(spelling)
        .ok()
        .and_then(|s| s.parse::<Ipv6Addr>().ok())
        .ok_or(Reject::Shape)?;
    let canonical = address.to_canonical();
    if keep.keeps_v6(address) {
        return Err(Reject::Kept);
    }
    if !tail {
        Form::of(spelling).convinces(text, &(start..end), address)?;
    }
    Ok((start..end, canonical))
}

/// Whether the dotted numbers at `at` are the tail of an IPv6 address, well-formed or not:
/// then no piece of it is an address.
pub(super) fn reaches(text: &[u8], at: usize) -> bool {
    let Some(last) = at.checked_sub(1).filter(|&i| text[i] == b':') else {
        return false;
    };
    let (start, word) = run_start(text, last);
    // A word takes its colon with it: `node::203.0.113.9` is a label, if an odd one.
    let start = if word {
        group_end(text, start, last) + 1
    } else {
        start
    };
    let run = text.get(start..at).unwrap_or_default();
    run.windows(2).any(|w| w == b"::") || run.iter().filter(|&&b| b == b':').count() > 3
}

/// Goes left from the colon at `at` over groups and colons. Returns where the run begins, and
/// whether a letter or digit touches it there: then its first group, if it has one, is the end
/// of a word.
fn run_start(text: &[u8], at: usize) -> (usize, bool) {
    let mut start = at;
    let mut group = 0;
    while let Some(byte) = before(text, start) {
        match byte {
            b':' => group = 0,
            _ if byte.is_ascii_hexdigit() && group < 4 => group += 1,
            _ => break,
        }
        // Longer than any address: what is here will be no value.
        if at - start > MAX_LEN {
            break;
        }
        start -= 1;
    }
    (start, char_before(text, start).is_some_and(is_word_letter))
}

/// The colon that ends the group at `start`; `last` at most.
fn group_end(text: &[u8], start: usize, last: usize) -> usize {
    (start..last).find(|&i| text[i] == b':').unwrap_or(last)
}

/// Where the address begins: behind a label such as `ip6:`, or at the run's first byte.
fn begin(text: &[u8], at: usize) -> Result<usize, Reject> {
    let (start, word) = run_start(text, at);
    if at - start > MAX_LEN {
        return Err(Reject::Length);
    }
    let colon = group_end(text, start, at);
    let double = after(text, colon + 1) == Some(b':');
    match (word, colon == start, double) {
        // A path: `std::cell`, `code::decode`.
        (true, _, true) => Err(Reject::Context),
        (true, true, false) => Ok(start + 1),
        (true, false, false) if is_label(text, colon) => Ok(colon + 1),
        (true, false, false) => Err(Reject::Boundary),
        (false, true, false) => match before(text, start) {
            Some(b'"' | b'\'' | b'`' | b')' | b']' | b'}' | b'>' | b'_' | 0x80..) => Ok(start + 1),
            _ => Err(Reject::Boundary),
        },
        // `193.8.232.7::255.255.255.0`, fields between colons.
        (false, ..) => match text.get(..start) {
            Some([.., b'0'..=b'9', b'.']) => Err(Reject::Boundary),
            _ => Ok(start),
        },
    }
}

/// Whether the word that ends at `end` can be a name before a colon, as in `ip6:`, `node12:` or a
/// long identifier; the `x2001` of `x2001:db8::1` cannot.
fn is_label(text: &[u8], end: usize) -> bool {
    let (start, word) = word_before(text, end, b"");
    if word.len() >= 8 || text[..start].last().is_some_and(|b| !b.is_ascii()) {
        return true;
    }
    let letters = word.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let digits = word.len() - letters;
    letters >= 2 && digits <= 3 && word[letters..].iter().all(u8::is_ascii_digit)
}

/// Where the address that begins at `start` ends, and whether its last 32 bits are dotted.
fn end(text: &[u8], start: usize) -> Result<(usize, bool), Reject> {
    let run = text.get(start..).unwrap_or_default();
    let len = run
        .iter()
        .take(MAX_LEN + 1)
        .take_while(|b| b.is_ascii_hexdigit() || **b == b':')
        .count();
    let end = start + len;
    if len > MAX_LEN {
        return Err(Reject::Length);
    }
    match run[..len] {
        // A sentence, a port's or a label's colon: no part of it.
        [.., last, b':'] if last != b':' => return Ok((end - 1, false)),
        // `d::x` is a path.
        _ if char_after(text, end).is_some_and(is_word_letter) => return Err(Reject::Boundary),
        _ => {}
    }
    if after(text, end) == Some(b'.') {
        return dotted_end(text, start, end);
    }
    Ok((
        before_bare_port(&run[..len]).map_or(end, |n| start + n),
        false,
    ))
}

/// The same where a dot follows the run of groups that ends at `end`.
fn dotted_end(text: &[u8], start: usize, end: usize) -> Result<(usize, bool), Reject> {
    let mut pos = end;
    // Where the third of the dotted numbers behind the run ends.
    let mut octets = end;
    let mut dotted = 0;
    while dotted < 4 && after(text, pos) == Some(b'.') {
        match v4::digits(text, pos + 1, 6) {
            0 => break,
            n => pos += 1 + n,
        }
        dotted += 1;
        if dotted == 3 {
            octets = pos;
        }
    }
    match dotted {
        0 => Ok((end, false)),
        // The port of a packet capture: `fe80::1.5353 > ff02::fb.5353`.
        1 => v4::ends_well(text, pos).map(|()| (end, false)),
        3 => v4::ends_well(text, pos).map(|()| (pos, true)),
        4 if v4::is_capture(text, start, octets) => Ok((octets, true)),
        _ => Err(Reject::Shape),
    }
}

/// Where the address in `run` ends, if five decimal digits close it: too many for a group, so
/// that they can only be a port without brackets, as `netstat` writes it: `2001:db8::2:51234`.
fn before_bare_port(run: &[u8]) -> Option<usize> {
    let colon = run.len().checked_sub(6)?;
    let [.., last, b':'] = run[..=colon] else {
        return None;
    };
    let digits = &run[colon + 1..];
    let port = digits
        .iter()
        .fold(0, |v, d| v * 10 + u32::from(d.wrapping_sub(b'0')));
    (last != b':' && digits.iter().all(u8::is_ascii_digit) && (10_000..=65_535).contains(&port))
        .then_some(colon)
}

/// How an address without a dotted tail is written.
#[derive(Clone, Copy, Debug)]
struct Form {
    groups: usize,
    compressed: bool,
    /// The longest group, in digits.
    longest: usize,
    /// All groups are two digits long.
    pairs: bool,
    /// The first group begins as an allocated block does: four places with a decimal digit in
    /// them, or a decimal digit in front and such a group behind.
    telling: bool,
    any_digit: bool,
    all_digits: bool,
    all_begin_with_letter: bool,
    /// One group and nothing behind its colons: `2001::`, but also `f128::` and `448::`.
    lone: bool,
}

impl Form {
    fn of(spelling: &[u8]) -> Form {
        let mut form = Form {
            groups: 0,
            compressed: spelling.windows(2).any(|w| w == b"::"),
            longest: 0,
            pairs: true,
            telling: false,
            any_digit: false,
            all_digits: true,
            all_begin_with_letter: true,
            lone: false,
        };
        let numeric = spelling.first().is_some_and(u8::is_ascii_digit);
        for group in spelling.split(|&b| b == b':').filter(|g| !g.is_empty()) {
            let digit_first = group.first().is_some_and(u8::is_ascii_digit);
            let digits = group.iter().filter(|b| b.is_ascii_digit()).count();
            form.groups += 1;
            form.longest = form.longest.max(group.len());
            form.pairs &= group.len() == 2;
            form.telling |= (form.groups == 1 || numeric)
                && ((group.len() == 4 && digits > 0) || (group.len() == 3 && digit_first));
            form.any_digit |= digits > 0;
            form.all_digits &= digits == group.len();
            form.all_begin_with_letter &= !digit_first;
        }
        form.lone = form.groups == 1 && spelling.ends_with(b"::");
        form
    }

    /// Whether the spelling alone is hardly anything but an address. Else the signs and words
    /// around it must say so.
    fn convinces(self, text: &[u8], range: &Range<usize>, address: Ipv6Addr) -> Result<(), Reject> {
        if !self.compressed && self.pairs {
            // EUI-64, a world wide name, a fingerprint.
            return Err(Reject::Context);
        }
        let alone = if self.compressed {
            self.groups >= 4
                || (self.groups == 3 && self.longest >= 3 && self.any_digit)
                || is_local_prefix(text, range, address)
                || (self.telling
                    && self.groups + usize::from(text[range.start] != b':') >= 2
                    && !self.is_code(text, range))
        } else {
            self.longest >= 3
        };
        let placed = alone
            || is_placed(text, range)
            || (self.any_digit && follows_network_word(text, range.start));
        if placed { Ok(()) } else { Err(Reject::Context) }
    }

    /// `abc1::add(`, `x[1000::2]`.
    fn is_code(self, text: &[u8], range: &Range<usize>) -> bool {
        // `f128::<wbr>consts`, a menu's `Curve 448::`; `1001:1001::/home/bob` of a list of users.
        let multicast = text[range.clone()]
            .get(..2)
            .is_some_and(|block| block.eq_ignore_ascii_case(b"ff"));
        let short = self.longest < 4 || (self.all_begin_with_letter && !multicast);
        let user = text[range.clone()].strip_suffix(b"::");
        let user = user.and_then(|ids| ids.split_at_checked(ids.len() / 2));
        let home = self.all_digits
            && matches!(text[range.end..], [b'/', letter, ..] if letter.is_ascii_alphabetic())
            && user.is_some_and(|(uid, gid)| gid.strip_prefix(b":") == Some(uid));
        if (self.lone && short) || home {
            return true;
        }
        let called = self.all_begin_with_letter && after(text, range.end) == Some(b'(');
        let indexed = matches!(text[..range.start],
            [.., name, b'['] if is_alnum(name) || matches!(name, b'_' | b')' | b']'));
        called || (indexed && self.all_digits)
    }
}

/// A unique local or link-local prefix (RFC 4193, RFC 4291) written with all four digits, which
/// are letters then at times: `fdff:ffff::`. No word begins like that.
fn is_local_prefix(text: &[u8], range: &Range<usize>, address: Ipv6Addr) -> bool {
    let whole = text[range.start..].iter().take(5).position(|&b| b == b':') == Some(4);
    whole && (address.is_unique_local() || address.is_unicast_link_local())
}

/// `[a::b]:80`, `a::b/64`: a port behind brackets, a prefix length.
fn is_placed(text: &[u8], range: &Range<usize>) -> bool {
    let tail = &text[range.end..];
    match tail {
        [b']', b':', digit, ..] => {
            digit.is_ascii_digit()
                && before(text, range.start) == Some(b'[')
                && !range
                    .start
                    .checked_sub(2)
                    .is_some_and(|i| is_alnum(text[i]))
        }
        [b'/', digits @ ..] => {
            let n = v4::digits(digits, 0, 4);
            let length = digits[..n]
                .iter()
                .fold(0, |v, d| v * 10 + u32::from(d - b'0'));
            matches!(length, 16..=128)
                && !after(digits, n).is_some_and(|b| is_alnum(b) || b == b'.')
        }
        _ => false,
    }
}

fn follows_network_word(text: &[u8], start: usize) -> bool {
    let (_, word) = word_before(text, start, b" \t:=\"'([<");
    is_one_of(word, NETWORK_WORDS)
}
