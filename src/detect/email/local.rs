//! The left side of the `@`: a dot-atom or a quoted string.

use unicode_normalization::char::is_combining_mark;

use super::domain;
use crate::detect::boundary::{before, char_after, char_before, is_unspaced};
use crate::detect::{Candidate, Reject};

/// The longest local part, in bytes (RFC 5321, 4.5.3.1.1).
const MAX_LOCAL: usize = 64;

/// What stands before the quote of a string literal: Python, C++, SQL, Perl.
const STRING_PREFIXES: [&[u8]; 14] = [
    b"b", b"br", b"e", b"f", b"fr", b"l", b"n", b"q", b"r", b"rb", b"rf", b"u", b"u8", b"x",
];

/// Where the local part begins that ends at the `@` of the candidate, whose domain ends at `end`.
///
/// # Errors
/// `Shape` where there is none, `Length` where it has more than 64 bytes.
pub(super) fn start(candidate: &Candidate<'_>, end: usize) -> Result<usize, Reject> {
    let &Candidate { text, at, .. } = candidate;
    let start = match before(text, at).ok_or(Reject::Shape)? {
        b'"' => quoted(text, at, end)?,
        b'.' | b'\'' => return Err(Reject::Shape),
        b'#' => guest(text, at)?,
        _ => dot_atom(text, at, end),
    };
    if at - start > MAX_LOCAL {
        return Err(Reject::Length);
    }
    Ok(start)
}

/// Where the atom begins that ends at `at`; `at` itself where there is none.
fn dot_atom(text: &[u8], at: usize, end: usize) -> usize {
    let start = run(text, at);
    let start = after_address(text, start, at);
    let start = after_key(text, start, at);
    let start = after_string_prefix(text, start, at, end);
    let start = trim(text, start, at, end);
    let names_someone = text
        .get(start..at)
        .is_some_and(|local| local.iter().any(|&b| is_name_byte(b)));
    if names_someone { start } else { at }
}

/// A letter, digit or underscore: what a local part must have at least one of. Every byte beyond
/// ASCII that is in a run is a part of a letter.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The guest name of a directory, `jo_example.com#EXT#@tenant.onmicrosoft.com`.
fn guest(text: &[u8], at: usize) -> Result<usize, Reject> {
    const MARK: &[u8] = b"#EXT#";
    let mark = at.checked_sub(MARK.len()).ok_or(Reject::Shape)?;
    if !text[mark..at].eq_ignore_ascii_case(MARK) {
        return Err(Reject::Shape);
    }
    match dot_atom(text, mark, at) {
        start if start < mark => Ok(start),
        _ => Err(Reject::Shape),
    }
}

/// The longest run of characters of a local part before `at`, as a reader would end it: not
/// beyond an ellipsis, nor beyond the words of a script without word spaces that touch an ASCII
/// part (`请联系jan@…`), but over an ideograph within a Latin word (`m端ller`).
///
/// `! # & / ? ^ { | }` and the backtick are legal in an atom, and always part two things in text.
fn run(text: &[u8], at: usize) -> usize {
    let mut start = at;
    let mut right = '@';
    // Where to end should the run turn out to begin inside of another address (`a@x.nl和b@y.nl`).
    let mut after_ideograph = None;
    while let Some(byte) = before(text, start) {
        let c = match byte {
            0..0x80 => char::from(byte),
            _ => match char_before(text, start) {
                Some(c) => c,
                None => break,
            },
        };
        match c {
            '.' if right == '.' => return start + 1,
            '.' | '_' | '-' | '+' | '=' | '%' | '\'' | '*' | '~' | '$' => {}
            '\u{2019}' if right.is_alphabetic() => {
                let outer = char_before(text, start - c.len_utf8());
                if !outer.is_some_and(char::is_alphabetic) {
                    break;
                }
            }
            '\u{200C}' | '\u{200D}' if !right.is_ascii() => {}
            _ if c.is_ascii_alphanumeric() => {}
            _ if c.is_ascii() => break,
            _ if is_combining_mark(c) => {}
            _ if !c.is_alphanumeric() => break,
            _ if is_glue(c) && (right.is_alphanumeric() || right == '+') && !is_glue(right) => {
                let outer = char_before(text, start - c.len_utf8());
                if !is_inside_word(outer, c, right) {
                    break;
                }
                after_ideograph.get_or_insert(start);
            }
            _ => {}
        }
        start -= c.len_utf8();
        right = c;
    }
    match after_ideograph {
        Some(pos) if before(text, start) == Some(b'@') => pos,
        _ => start,
    }
}

/// Whether a value of another script may touch `c`: scripts without word spaces, and Hebrew and
/// Arabic, which write prepositions on to the next word (`לjan@…`).
fn is_glue(c: char) -> bool {
    is_unspaced(c) || matches!(c as u32, 0x590..=0x8FF)
}

/// Whether the ideograph `c` is a letter of the Latin word around it, and no word between two.
fn is_inside_word(before: Option<char>, c: char, after: char) -> bool {
    const SMALL_WORDS: &str =
        "和与與或是的及为為在到给給发發由从從向至请請把跟同对對叫用即为也有者等宛";
    matches!(c as u32, 0x4E00..=0x9FFF)
        && !SMALL_WORDS.contains(c)
        && after.is_ascii_alphabetic()
        && before.is_some_and(|c| c.is_ascii_alphabetic())
}

/// The end of the address whose domain the run begins with, where it has more: `a@y.nl-b@x.nl`.
fn after_address(text: &[u8], start: usize, at: usize) -> usize {
    let joined = before(text, start) == Some(b'@')
        && start
            .checked_sub(2)
            .is_some_and(|name| text[name].is_ascii_alphanumeric());
    if !joined {
        return start;
    }
    domain::end(text, start)
        .ok()
        .map(|end| end + usize::from(text.get(end) == Some(&b'_')))
        .filter(|&end| end < at)
        .unwrap_or(start)
}

/// The start of the value in `key=value`; the whole where `=` belongs to a return path: VERP
/// (`bounce+jan=x.nl@…`), SRS (`SRS0=hash=tt=x.nl=jan@…`), BATV (`prvs=tag=jan@…`).
fn after_key(text: &[u8], start: usize, at: usize) -> usize {
    let Some(local) = text.get(start..at) else {
        return start;
    };
    let Some(last) = local.iter().rposition(|&b| b == b'=') else {
        return start;
    };
    let (head, host) = (&local[..last], &local[last + 1..]);
    let begins = |pos: usize, word: &[u8]| {
        local
            .get(pos..pos + word.len())
            .is_some_and(|w| w.eq_ignore_ascii_case(word))
    };
    let rewritten = (0..last).find(|&pos| {
        (pos == 0 || local[pos - 1] == b'=')
            && [b"srs0=", b"srs1=", b"prvs=", b"srs0+", b"srs0-"]
                .iter()
                .any(|word| begins(pos, *word))
    });
    if let Some(pos) = rewritten {
        return start + pos;
    }
    let head_start = head
        .iter()
        .rposition(|&b| b == b'=')
        .map_or(0, |key| key + 1);
    if is_return_path(&head[head_start..]) && domain::is_host(host) {
        start + head_start
    } else {
        start + last + 1
    }
}

/// Whether the part before the `=` of a local part can be that of a VERP return path.
fn is_return_path(head: &[u8]) -> bool {
    let holds = |word: &[u8]| {
        head.windows(word.len())
            .any(|w| w.eq_ignore_ascii_case(word))
    };
    head.iter().skip(1).any(|&b| b == b'+')
        || holds(b"bounce")
        || holds(b"return-")
        || holds(b"sentto-")
}

/// The start of the text in a string literal with a prefix, `b'jo@example.com'`.
fn after_string_prefix(text: &[u8], start: usize, at: usize, end: usize) -> usize {
    let closes =
        text.get(end) == Some(&b'\'') && !text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
    let quote = text
        .get(start..at)
        .and_then(|local| local.iter().position(|&b| b == b'\''));
    match quote {
        Some(len @ 1..=2) if closes => {
            let prefix = &text[start..start + len];
            if STRING_PREFIXES
                .iter()
                .any(|p| prefix.eq_ignore_ascii_case(p))
            {
                start + len + 1
            } else {
                start
            }
        }
        _ => start,
    }
}

/// Skips what opens a local part by RFC 5322, and is punctuation, emphasis, or the marker of a
/// diff or list to a reader.
fn trim(text: &[u8], mut start: usize, at: usize, end: usize) -> usize {
    while start < at {
        let next = text.get(start + 1);
        let skip = match text[start] {
            b'.' | b'*' | b'~' | b'%' | b'\'' | b'-' | b'=' => true,
            // A mailbox may begin with a phone number.
            b'+' => !next.is_some_and(u8::is_ascii_digit),
            b'_' => text.get(end) == Some(&b'_'),
            _ => false,
        };
        if !skip {
            break;
        }
        start += 1;
    }
    start
}

/// Where the quoted string begins that ends at `at`, on this line, or the obsolete mix of atoms
/// and quoted strings (RFC 5322, 4.4): `first."last"@…`.
fn quoted(text: &[u8], at: usize, end: usize) -> Result<usize, Reject> {
    let close = at - 1;
    let floor = at.saturating_sub(MAX_LOCAL);
    if is_escaped(text, close, floor) {
        return Err(Reject::Shape);
    }
    let open = (floor..close)
        .rev()
        .take_while(|&i| text[i] >= b' ' && text[i] != 0x7F)
        .find(|&i| text[i] == b'"' && !is_escaped(text, i, floor))
        .ok_or(Reject::Shape)?;
    let content = &text[open + 1..close];
    if std::str::from_utf8(content).is_err() || content.is_empty() {
        return Err(Reject::Shape);
    }
    let left = before(text, open);
    let names_someone = content.iter().any(|&b| is_name_byte(b));
    let glued = !b" ,:;+".contains(&content[0]);
    if text.get(end) == Some(&b'"') && !(left == Some(b'"') && names_someone && glued) {
        // `"hi!" + name + "@example.com"`: the end of one string and the start of another.
        return Err(Reject::Boundary);
    }
    match left {
        Some(b'.') => Ok(match dot_atom(text, open - 1, end) {
            start if start < open - 1 => start,
            _ => open,
        }),
        Some(byte) if byte.is_ascii_alphanumeric() || b"_)]}".contains(&byte) => {
            // A quote that closes: `user="jo" host="@example.com"`.
            Err(Reject::Boundary)
        }
        _ => Ok(open),
    }
}

/// Whether an odd number of backslashes stands before `pos`.
fn is_escaped(text: &[u8], pos: usize, floor: usize) -> bool {
    let slashes = (floor..pos).rev().take_while(|&i| text[i] == b'\\').count();
    slashes % 2 == 1
}

/// Whether the local part `start..at` ends in a conversion of a template, as `%s@…`,
/// `user%03d@…` and `%(user)s@…` do; then there is no mailbox yet.
pub(super) fn is_template(text: &[u8], start: usize, at: usize) -> bool {
    let conversion = |byte: &u8| b"sduvxr".contains(byte);
    let local = &text[start..at];
    let Some((last, rest)) = local.split_last() else {
        return false;
    };
    if !conversion(last) {
        return false;
    }
    let digits = rest.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let sign = at - 1 - digits;
    match before(text, sign) {
        Some(b'%') => true,
        Some(b')') if sign == start => text[sign.saturating_sub(MAX_LOCAL)..sign]
            .windows(2)
            .rev()
            .take_while(|pair| pair[0] != b' ')
            .any(|pair| pair == b"%("),
        _ => false,
    }
}

/// Whether the local part `start..at` is a class of a regular expression, `\w+@…`.
pub(super) fn is_regex_class(text: &[u8], start: usize, at: usize) -> bool {
    before(text, start) == Some(b'\\')
        && at - start <= 2
        && char_after(text, start).is_some_and(|c| "wWdDsSbB".contains(c))
}
