//! Dotted IPv4: four decimal groups, and what tells it from a version.

use std::net::{IpAddr, Ipv4Addr};
use std::ops::Range;

use super::{CONTEXT, Keep, is_one_of, v6, word_before};
use crate::detect::boundary::{after, char_after, char_before, is_alnum, is_word_letter};
use crate::detect::{Candidate, Reject};

/// What may stand between a word such as `version` and the numbers.
const GLUE: &[u8] = b" \t:=\"'([>-_/.#\\";

/// Words that make what follows a version, whatever the numbers.
const VERSION_WORDS: &[&str] = &["ver", "vers", "versie", "versione", "versions", "wersja"];
/// The same in scripts other than ASCII; what ends directly before the glue.
const VERSION_WORDS_UTF8: &[&str] = &[
    "versión",
    "versão",
    "версия",
    "版本",
    "版本：",
    "バージョン",
    "버전",
];
/// What may stand between a version word and the numbers.
const FILLERS: &[&str] = &["is", "was", "number", "no", "nr"];
/// Words that make what follows a version, a section or an object identifier, if the
/// numbers look like one.
const NUMBERED_WORDS: &[&str] = &[
    "abschnitt",
    "annex",
    "appendix",
    "bios",
    "build",
    "chapter",
    "clause",
    "clauses",
    "driver",
    "figure",
    "firmware",
    "fw",
    "kapitel",
    "kernel",
    "oid",
    "paragraph",
    "rel",
    "release",
    "rev",
    "revision",
    "runtime",
    "rv",
    "section",
    "sections",
    "subclause",
    "table",
];
/// Words of change logs, which also stand before addresses of private networks.
const LOG_WORDS: &[&str] = &[
    "bump",
    "bumped",
    "changes",
    "dpkg",
    "gcc",
    "gettext",
    "git",
    "glibc",
    "linux",
    "notes",
    "policy",
    "prepare",
    "preparing",
    "ragel",
    "released",
    "releases",
    "since",
    "slrn",
    "standard",
    "standards",
    "upgrade",
    "upgraded",
    "xfree86",
    "zlib",
];
/// More of them, and of standards, which stand before addresses too: for numbers that are all small.
const WEAK_LOG_WORDS: &[&str] = &[
    "almost",
    "correction",
    "corrections",
    "documentation",
    "hyperspec",
    "idem",
    "link",
    "links",
    "per",
    "preparation",
    "releasenotes",
    "relnotes",
    "sec",
    "seit",
    "sinds",
    "spec",
    "specification",
    "start",
    "step",
    "sync",
    "syntax",
    "update",
    "updated",
    "upstream",
    "workflow",
];
/// What may stand between such a word and the numbers: `release notes for 1.6.0.3`,
/// `changes in 1.2.3.3`, `upgraded to 2.1.0.4`.
const LINKS: &[&str] = &["before", "for", "from", "in", "of", "to", "with"];
/// What follows a version behind a dash or dot: `1.2.3.4-beta`, `1.2.3.4.Final`.
const STAGES: &[&str] = &[
    "alpha", "beta", "canary", "final", "ga", "nightly", "pre", "preview", "rc", "release",
    "snapshot", "stable",
];
/// File names end with these, host names do not.
const FILE_ENDS: &[&str] = &[
    "7z", "apk", "appimage", "bz2", "deb", "dll", "dmg", "exe", "gem", "gz", "iso", "jar", "msi",
    "nupkg", "rpm", "so", "tar", "tbz", "tgz", "txz", "vsix", "war", "whl", "xz", "zip", "zst",
];
/// Names that stand before a slash in a `User-Agent` or `Server` line in lower case.
const PRODUCTS: &[&str] = &[
    "apache", "axios", "curl", "go", "java", "lighttpd", "nginx", "node", "npm", "okhttp",
    "openssl", "perl", "php", "pip", "python", "requests", "ruby", "wget",
];
/// Capitalized words before a slash that name a machine, not a product.
const MACHINES: &[&str] = &[
    "addr", "address", "client", "host", "ip", "node", "peer", "server",
];

/// Judges the quad whose first digit stands at the candidate's position.
pub(super) fn verify(
    candidate: &Candidate<'_>,
    keep: &Keep,
) -> Result<(Range<usize>, IpAddr), Reject> {
    let (text, at) = (candidate.text, candidate.at);
    let (octets, end) = parse(text, at).ok_or(Reject::Shape)?;
    borders(text, at, end)?;
    if v6::reaches(text, at) {
        return Err(Reject::Boundary);
    }
    let mut address = Ipv4Addr::from(octets);
    if is_reverse_name(text, end) {
        // The name of 4.3.2.1's owner in the DNS (RFC 1035, section 3.5) is that of 1.2.3.4.
        let [a, b, c, d] = octets;
        address = Ipv4Addr::new(d, c, b, a);
    }
    if keep.keeps(address.into()) {
        return Err(Reject::Kept);
    }
    if is_version(candidate, at..end, octets) {
        return Err(Reject::Context);
    }
    Ok((at..end, address.into()))
}

/// Four groups of 0 to 255 without leading zeros, and the position behind them.
fn parse(text: &[u8], at: usize) -> Option<([u8; 4], usize)> {
    let mut octets = [0; 4];
    let mut pos = at;
    for (i, octet) in octets.iter_mut().enumerate() {
        if i != 0 {
            if after(text, pos) != Some(b'.') {
                return None;
            }
            pos += 1;
        }
        let digits = digits(text, pos, 4);
        if digits == 0 || digits > 3 || (digits > 1 && text[pos] == b'0') {
            return None;
        }
        let group = &text[pos..pos + digits];
        let value = group.iter().fold(0, |v, d| v * 10 + u16::from(d - b'0'));
        *octet = u8::try_from(value).ok()?;
        pos += digits;
    }
    Some((octets, pos))
}

/// How many digits, at most `limit`, stand at `pos`.
pub(super) fn digits(text: &[u8], pos: usize, limit: usize) -> usize {
    text.iter()
        .skip(pos)
        .take(limit)
        .take_while(|b| b.is_ascii_digit())
        .count()
}

/// No letter or digit touches it, and it is no piece of a longer row of numbers.
fn borders(text: &[u8], at: usize, end: usize) -> Result<(), Reject> {
    if char_before(text, at).is_some_and(is_word_letter) {
        return Err(Reject::Boundary);
    }
    if let [.., left, b'.'] = text[..at]
        && left.is_ascii_digit()
    {
        return Err(Reject::Boundary);
    }
    ends_well(text, end)?;
    if after(text, end) == Some(b'.') && digits(text, end + 1, 1) == 1 {
        return if is_capture(text, at, end) {
            Ok(())
        } else {
            Err(Reject::Boundary)
        };
    }
    Ok(())
}

/// No letter or digit touches the address that ends at `end`.
pub(super) fn ends_well(text: &[u8], end: usize) -> Result<(), Reject> {
    match char_after(text, end) {
        Some(c) if is_word_letter(c) => Err(Reject::Boundary),
        _ => Ok(()),
    }
}

/// Whether a fifth group is the port of a packet capture: `10.0.0.5.54321 > 203.0.113.9.443:`.
pub(super) fn is_capture(text: &[u8], at: usize, end: usize) -> bool {
    let port = end + 1 + digits(text, end + 1, 6);
    let stops = match text.get(port..) {
        Some([b'.', next, ..]) => !next.is_ascii_digit(),
        Some([next, ..]) => !is_alnum(*next),
        _ => true,
    };
    port - end <= 6 && stops && (text[..at].ends_with(b" > ") || text[port..].starts_with(b" > "))
}

fn is_reverse_name(text: &[u8], end: usize) -> bool {
    const SUFFIX: &[u8] = b".in-addr.arpa";
    text[end..]
        .get(..SUFFIX.len())
        .is_some_and(|s| s.eq_ignore_ascii_case(SUFFIX))
}

/// Whether the text around says that the four numbers are no address.
fn is_version(candidate: &Candidate<'_>, range: Range<usize>, octets: [u8; 4]) -> bool {
    let text = candidate.text;
    follows_version_word(text, range.start, octets)
        || text[..range.start].ends_with(b".so.")
        // The keyword of RCS and CVS: `$Id: strftime.c,v 1.10.2.3 2005/11/04`.
        || text[..range.start].ends_with(b",v ")
        || is_path_data(text, &range)
        || (octets[0] <= 2 && octets[1] < 40 && follows_oid(text, range.start))
        || (looks_like_version(octets)
            && (follows_numbered_word(text, range.start, octets)
                || follows_comparison(text, range.start)
                || is_product(text, &range, octets)
                || ends_like_release(text, &range, octets)
                || is_heading(candidate, &range)
                || is_section(candidate, &range, octets)
                || is_package(text, &range)
                || is_symbol(text, range.start)
                || is_release(text, &range)
                || (is_small(octets) && precedes_release_word(text, range.end))
                || is_x500_oid(text, &range, octets)
                || is_dotted_oid(text, range.start, octets)))
}

/// `OID 1.3.101.110`, `OID_KEY_USAGE "2.5.29.15"`, `ObjectIdentifier("1.3.101.112")`.
fn follows_oid(text: &[u8], at: usize) -> bool {
    let near = &text[at.saturating_sub(CONTEXT)..at];
    let named = |name: &[u8]| near.windows(name.len()).any(|part| part == name);
    named(b"OID") || named(b"ObjectIdentifier(")
}

/// At most one number of fifty or more: true of nearly all versions and of three addresses
/// in a hundred.
fn looks_like_version(octets: [u8; 4]) -> bool {
    octets.iter().filter(|&&o| o >= 50).count() <= 1
}

/// `version 1.2.3.4`, `"AssemblyVersion": "1.0.0.0"`, `ver. 1.2.3.4`, `v="126.0.0.0"`.
fn follows_version_word(text: &[u8], at: usize, octets: [u8; 4]) -> bool {
    let text = &text[at.saturating_sub(CONTEXT)..at];
    let at = text.len();
    let (start, word) = word_before(text, at, GLUE);
    if is_version_word(text, start, word) {
        return true;
    }
    if word.eq_ignore_ascii_case(b"v") {
        // `curl -v 203.0.113.9` is no version.
        let glue = &text[start + 1..at];
        let joined = glue.first() == Some(&b'.') || glue.iter().any(|b| matches!(b, b'=' | b':'));
        return joined && looks_like_version(octets) && text[..start].last() != Some(&b'-');
    }
    if is_one_of(word, FILLERS) {
        let (start, word) = word_before(text, start, b" ");
        return is_version_word(text, start, word);
    }
    false
}

fn is_version_word(text: &[u8], start: usize, word: &[u8]) -> bool {
    let ends_with_version = word
        .len()
        .checked_sub(b"version".len())
        .is_some_and(|n| word[n..].eq_ignore_ascii_case(b"version"));
    ends_with_version
        || is_one_of(word, VERSION_WORDS)
        || VERSION_WORDS_UTF8.iter().any(|w| {
            // The ASCII tail of such a word, if any, has been taken for the whole.
            text[..start + word.len()].ends_with(w.as_bytes())
        })
}

/// `release 1.2.3.4`, `Section 4.1.2.3`, `§ 4.1.2.3`, `RFC 8446 4.1.2.3`, `EC 3.4.21.4`.
/// The words of change logs count too where a private network is unlikely.
fn follows_numbered_word(text: &[u8], at: usize, octets: [u8; 4]) -> bool {
    let text = &text[at.saturating_sub(CONTEXT)..at];
    let at = text.len();
    let (start, word) = word_before(text, at, GLUE);
    let numbered = |word: &[u8]| {
        is_one_of(word, NUMBERED_WORDS)
            || (octets[0] != 10 && (is_one_of(word, LOG_WORDS) || is_library(word)))
            || (is_small(octets) && is_one_of(word, WEAK_LOG_WORDS))
    };
    if numbered(word) || word == b"EC" {
        return true;
    }
    if is_one_of(word, LINKS) {
        let (at, before) = word_before(text, start, b" ");
        // `Standards-Version to 3.8.4.0`, `from 5.0.0 to 5.0.0.1`.
        let number = before.iter().all(u8::is_ascii_digit) && text[..at].ends_with(b".");
        return numbered(before) || is_version_word(text, at, before) || number;
    }
    if word.is_empty() {
        return text[..start].ends_with("§".as_bytes());
    }
    if word.len() > 3 && word[..3].eq_ignore_ascii_case(b"rfc") {
        return true;
    }
    let (_, before) = word_before(text, start, b" ");
    word.iter().all(u8::is_ascii_digit) && before.eq_ignore_ascii_case(b"rfc")
}

/// Whether all numbers are small, as those of sections and releases are: true of one address in
/// 5,000. A private network is none, nor is `1.2.3.4`, which people make up for an address.
fn is_small(octets: [u8; 4]) -> bool {
    const LARGEST: u8 = 31;
    let [first, ..] = octets;
    let made_up = |step: u8| {
        octets
            .windows(2)
            .all(|pair| pair[1] == pair[0].saturating_add(step))
    };
    first != 10
        && first != 0
        && octets.iter().all(|&octet| octet <= LARGEST)
        && !made_up(0)
        && !made_up(1)
}

/// `libX11 1.4.99.1`, `libXrandr 1.2.99.4`.
fn is_library(word: &[u8]) -> bool {
    word.len() > 4 && word.starts_with(b"lib")
}

/// A section of a standard: `// 20.7.1.3 unique_ptr`, `/* 3.8.2.2. Video`, `[23.3.1.3] map`,
/// `7.7.3.3 GOSTDSA` at the start of a line. All four numbers are small, and a private network is
/// none.
fn is_section(candidate: &Candidate<'_>, range: &Range<usize>, octets: [u8; 4]) -> bool {
    if !is_small(octets) {
        return false;
    }
    let text = candidate.text;
    let mut start = range.start;
    while start > 0 && range.start - start < 8 && matches!(text[start - 1], b' ' | b'[' | b'(') {
        start -= 1;
    }
    // A space parts the number from the comment's mark; `https://5.6.7.8` is no comment.
    let comment = start < range.start
        && [b"//".as_slice(), b"/*", b" *"]
            .iter()
            .any(|mark| text[..start].ends_with(mark));
    let tail = &text[range.end..];
    if matches!(tail, [b']', b'/', b'0'..=b'9', ..]) {
        return true; // `[23.3.4.2]/9`: a paragraph of it
    }
    let tail = tail.strip_prefix(b"]").unwrap_or(tail);
    let tail = tail.strip_prefix(b".").unwrap_or(tail);
    let word = tail.iter().take(4).position(|&byte| byte != b' ');
    let title = word.is_some_and(|spaces| spaces > 0 && tail[spaces].is_ascii_uppercase());
    let ends = tail.iter().all(|&byte| byte == b' ' || byte == b'\r');
    // Vim script, shell, Lisp and TeX: one mark at the start of the line.
    let marked = start.checked_sub(1).is_some_and(|mark| {
        matches!(text[mark], b'"' | b'#' | b';' | b'%') && candidate.opens_line(mark)
    });
    // `<strong>3.12.1.1.</strong> Title`, `K.3.7.4.1`.
    let listed =
        text[..range.start].ends_with(b">") && matches!(text[range.end..], [b'.', b'<' | b' ', ..]);
    let annexed = match text[..range.start] {
        [.., before, letter, b'.'] => letter.is_ascii_uppercase() && !is_alnum(before),
        _ => false,
    };
    comment || listed || annexed || ((candidate.opens_line(start) || marked) && title && !ends)
}

/// The version of a package: `pam (0.99.7.1-5) unstable; urgency=low`, `(<< 1.2.3.57+dfsg1)`,
/// `1:3.0.1.2`, `linux-2.6.35.9/include`, `Miniconda2-4.7.12.1-Linux`.
fn is_package(text: &[u8], range: &Range<usize>) -> bool {
    let (left, right) = (&text[..range.start], &text[range.end..]);
    let ends = |marks: &[&[u8]]| marks.iter().any(|mark| left.ends_with(mark));
    let revised = matches!(right, [b'-' | b'+' | b'~', next, ..] if next.is_ascii_alphanumeric())
        && left.ends_with(b"(");
    let urgency = right
        .get(..right.len().min(CONTEXT))
        .is_some_and(|near| near.windows(10).any(|part| part == b"; urgency="));
    // An epoch (Debian Policy, 5.6.12).
    let epoch = matches!(left, [.., b' ' | b'(', b'0'..=b'9', b':']);
    let named = left.strip_suffix(b"-").is_some_and(|left| {
        let (start, word) = word_before(left, left.len(), b"");
        word.len() >= 3
            && word[0].is_ascii_alphabetic()
            && !is_one_of(word, MACHINES)
            && !left[..start].ends_with(b".")
            && !left[..start].ends_with(b"-")
    });
    ends(&[b"<< ", b">> ", b"<= ", b">= "]) || revised || urgency || epoch || named
}

/// The version of a symbol in a library: `deflate@ZLIB_1.2.3.3`, `snd_open@ALSA_0.9 1.0.24.1`.
fn is_symbol(text: &[u8], at: usize) -> bool {
    let left = &text[..at];
    if matches!(left, [.., letter, b'_'] if letter.is_ascii_uppercase()) {
        return true;
    }
    let Some(left) = left.strip_suffix(b" ") else {
        return false;
    };
    let word = left.iter().rev().take_while(|&&byte| byte != b' ').count();
    let word = &left[left.len() - word..];
    word.windows(2)
        .any(|pair| pair[0] == b'@' && pair[1].is_ascii_uppercase())
}

/// `1.6.0.2 maintenance cycle`, `1.7.0.1 release notes`.
fn precedes_release_word(text: &[u8], end: usize) -> bool {
    const WORDS: &[&str] = &[
        "cycle",
        "documentation",
        "draft",
        "fixes",
        "maintenance",
        "patch",
        "relnotes",
        "release",
        "series",
        "snapshot",
    ];
    let Some([b' ', tail @ ..]) = text.get(end..) else {
        return false;
    };
    let letters = tail.iter().take(16).take_while(|b| b.is_ascii_alphabetic());
    is_one_of(&tail[..letters.count()], WORDS)
}

/// Numbers of a path in SVG, run together: `-2.12 3.51.98.32 2.03.5`.
fn is_path_data(text: &[u8], range: &Range<usize>) -> bool {
    let (left, right) = (&text[..range.start], &text[range.end..]);
    let Some(left) = left.strip_suffix(b" ") else {
        return false;
    };
    let number = |b: &&u8| b.is_ascii_digit() || **b == b'.';
    let len = left.iter().rev().take(12).take_while(number).count();
    let (before, number_before) = left.split_at(left.len() - len);
    let signed = before.last() == Some(&b'-') && number_before.contains(&b'.');
    let next = right.strip_prefix(b" ").unwrap_or_default();
    let next = next.strip_prefix(b"-").unwrap_or(next);
    let len = next.iter().take(12).take_while(number).count();
    signed && next[..len].contains(&b'.')
}

/// A release with its date: `2011-06-28 (3.7.7.1)`, `man-db 2.7.6.1 (12 December 2016)`; or its
/// notes: `RelNotes/1.8.5.6.txt`.
fn is_release(text: &[u8], range: &Range<usize>) -> bool {
    let (left, right) = (&text[..range.start], &text[range.end..]);
    let dated =
        matches!(left, [.., b'-', d, d2, b' ', b'('] if d.is_ascii_digit() && d2.is_ascii_digit());
    let day = right
        .strip_prefix(b" (")
        .map(|rest| (digits(rest, 0, 3), rest));
    let dates = day.is_some_and(|(len, rest)| {
        (1..=2).contains(&len)
            && rest.get(len) == Some(&b' ')
            && rest.get(len + 1).is_some_and(u8::is_ascii_uppercase)
    });
    let noted = left.ends_with(b"/")
        && [b".txt".as_slice(), b".md", b".rst"]
            .iter()
            .any(|ending| right.starts_with(ending));
    dated || dates || noted
}

/// `>=1.2.3.4`, `~> 1.2.3.4`, `^1.2.3.4`, `name==4.8.1.78`; not the `ip.addr == 10.0.0.1` of a
/// packet filter.
fn follows_comparison(text: &[u8], at: usize) -> bool {
    let left = &text[..at];
    let spaced = left.strip_suffix(b" ").unwrap_or(left);
    if [b">=".as_slice(), b"~=", b"~>"]
        .iter()
        .any(|op| spaced.ends_with(op))
        || left.ends_with(b"^")
    {
        return true;
    }
    let Some(name) = left.strip_suffix(b"==") else {
        return false;
    };
    let (start, word) = word_before(name, name.len(), b"");
    let known = [
        "ip", "addr", "address", "host", "src", "dst", "peer", "server", "client",
    ];
    !word.is_empty() && !is_one_of(word, &known) && name[..start].last() != Some(&b'.')
}

/// `Chrome/126.0.0.0`, `curl/8.1.2.3`; not `/8.8.8.8`, `example.com/10.0.0.5`,
/// `worker1/10.0.0.5:8020`.
fn is_product(text: &[u8], range: &Range<usize>, octets: [u8; 4]) -> bool {
    let Some(left) = text[..range.start].strip_suffix(b"/") else {
        return false;
    };
    let (start, word) = word_before(left, left.len(), b"");
    let edge = !left[..start]
        .last()
        .is_some_and(|b| matches!(b, b'/' | b'.' | b':' | b'@' | b'\\' | b'_'));
    let dashed = left[..start].last() == Some(&b'-');
    let port = after(text, range.end) == Some(b':') && digits(text, range.end + 1, 1) == 1;
    let named = word.iter().all(u8::is_ascii_alphabetic)
        && !is_one_of(word, MACHINES)
        && match word.first() {
            Some(first) if first.is_ascii_uppercase() => !dashed,
            Some(_) => octets[0] != 10 && is_one_of(word, PRODUCTS),
            None => false,
        };
    edge && named && !port
}

/// `1.2.3.4-beta`, `1.2.3.4.Final`, `pkg-1.2.3.4.tar.gz`.
fn ends_like_release(text: &[u8], range: &Range<usize>, octets: [u8; 4]) -> bool {
    let Some(b'-' | b'.' | b'~') = after(text, range.end) else {
        return false;
    };
    let tail = text.get(range.end + 1..).unwrap_or_default();
    let len = tail.iter().take(12).take_while(|b| is_alnum(**b)).count();
    let goes_on = after(tail, len) == Some(b'.');
    let tail = &tail[..len];
    // A Debian revision: `1.2.5.1-2`; a range of addresses is `5.6.7.8-5.6.7.12`.
    let revised = matches!(tail, [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']) && !goes_on;
    if revised && is_small(octets) && after(text, range.end) == Some(b'-') {
        return true;
    }
    let letters = tail.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if is_one_of(&tail[..letters], STAGES) {
        return true;
    }
    let named = matches!(text[..range.start], [.., l, b'-' | b'_'] if is_alnum(l));
    named && after(text, range.end) == Some(b'.') && is_one_of(tail, FILE_ENDS)
}

/// A heading of a change log: `## [1.10.0.0] - 2026-08-20`.
fn is_heading(candidate: &Candidate<'_>, range: &Range<usize>) -> bool {
    let text = candidate.text;
    let mut start = range.start;
    while start > 0 && range.start - start < 12 && matches!(text[start - 1], b'#' | b' ' | b'[') {
        start -= 1;
    }
    let opens = text.get(start) == Some(&b'#') && candidate.opens_line(start);
    let tail = &text[range.end..];
    let tail = tail.strip_prefix(b"]").unwrap_or(tail);
    let tail = tail
        .strip_prefix(b" - ")
        .or_else(|| tail.strip_prefix(b" ("));
    opens && tail.is_some_and(|date| digits(date, 0, 5) == 4 && after(date, 4) == Some(b'-'))
}

/// `s!("2.5.29.37")`, an attribute type or certificate extension (ITU-T X.520, X.509) in a program.
/// Elsewhere a quoted address of these two networks is an address.
fn is_x500_oid(text: &[u8], range: &Range<usize>, octets: [u8; 4]) -> bool {
    matches!(octets, [2, 5, 4 | 29, 0..=99])
        && text[..range.start].ends_with(b"(\"")
        && text[range.end..].starts_with(b"\")")
}

/// `.1.3.6.1`, as SNMP tools write an object identifier.
fn is_dotted_oid(text: &[u8], at: usize, octets: [u8; 4]) -> bool {
    let dotted = match text[..at] {
        [.., b, b'.'] => b != b'.' && !is_alnum(b),
        [b'.'] => true,
        _ => false,
    };
    dotted && octets[0] <= 2 && octets[1] < 40
}
