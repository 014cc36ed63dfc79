//! The written form of a number: groups of digits and what may part them.

use smallvec::SmallVec;

use super::context;
use crate::detect::boundary;

/// The longest number without its extension, in bytes from its first byte on.
pub(super) const NUMBER_LEN: usize = 40;
/// The longest extension with what leads it in.
pub(super) const EXTENSION_LEN: usize = 24;
/// An exit code of four digits, a country code of three, a number of fifteen.
const MAX_DIGITS: usize = 22;

/// A run of digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Group {
    pub(super) fn len(self) -> usize {
        self.end - self.start
    }
}

pub(super) type Groups = SmallVec<[Group; 16]>;

/// The groups from `at` on, where the first digit stands, as far as they may be one number of
/// which the first byte is at `start`. A date or a time behind a space is no part of it.
pub(super) fn groups(text: &[u8], start: usize, at: usize) -> Groups {
    let mut groups = Groups::new();
    let limit = text.len().min(start + NUMBER_LEN);
    let mut digits = 0;
    let mut pos = at;
    loop {
        let end = digits_end(text, pos);
        digits += end - pos;
        if end > limit || digits > MAX_DIGITS || groups.len() == groups.inline_size() {
            return groups;
        }
        groups.push(Group { start: pos, end });
        let Some(next) = separated(text, &groups, digits) else {
            return groups;
        };
        // What has come before may be the whole number: +687 20.12.34 is not.
        let enough = digits >= 7 && text.get(next - 1) == Some(&b' ');
        if enough && context::is_date_or_time(text, next) {
            return groups;
        }
        pos = next;
    }
}

/// Behind the digits that begin at `pos`.
pub(super) fn digits_end(text: &[u8], pos: usize) -> usize {
    let rest = text.get(pos..).unwrap_or_default();
    pos + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Where the next group begins, when what parts it from the last one may stand in a number.
fn separated(text: &[u8], groups: &Groups, digits: usize) -> Option<usize> {
    let (first, last) = (groups.first()?, groups.last()?);
    let rest = text.get(last.end..)?;
    let length = rest
        .iter()
        .take(5)
        .take_while(|byte| b" .-/()~".contains(byte))
        .count();
    let (separator, behind) = rest.split_at_checked(length)?;
    if !behind.first()?.is_ascii_digit() {
        return None;
    }
    let next = last.end + length;
    // A wide one parts an area code from the rest, not any two groups: that would be a list.
    let after_area = digits <= 5 && text.get(first.start) == Some(&b'0')
        || digits <= 8 && text.get(first.start..last.end)?.contains(&b'(');
    let fits = match separator {
        b" " | b"." | b"-" | b"/" | b"//" => true,
        b"(" | b" (" | b"-(" | b".(" | b"/(" => true,
        b")" | b") " | b")-" | b")." | b")/" | b") (" | b")(" => true,
        b" -" | b" - " | b" / " | b"/ " | b"- " | b") - " | b") / " | b") -" | b")/ " => after_area,
        // The wait for a dial tone, in an exit code.
        b"~" => groups.len() == 1 && first.len() == 1 && text.get(first.start) == Some(&b'0'),
        // Digits spelt one by one, with wider gaps between groups of them.
        b"  " | b"   " => {
            groups.iter().all(|group| group.len() == 1) && digits_end(text, next) == next + 1
        }
        _ => false,
    };
    fits.then_some(next)
}

/// Whether the brackets between two positions are in pairs, not within each other.
pub(super) fn is_balanced(text: &[u8], start: usize, end: usize) -> bool {
    let mut open = false;
    for byte in text.get(start..end).unwrap_or_default() {
        match (byte, open) {
            (b'(', false) => open = true,
            (b')', true) => open = false,
            (b'(' | b')', _) => return false,
            _ => {}
        }
    }
    !open
}

/// Whether a value may end at `end`, by what comes then. `proven`: it is a number for certain,
/// with a `+` before it, so that a sign between it and what comes makes no sum or range of them.
pub(super) fn may_end(text: &[u8], end: usize, proven: bool) -> bool {
    let second = boundary::after(text, end + 1);
    let digit_next = second.is_some_and(|byte| byte.is_ascii_digit());
    match boundary::after(text, end) {
        None => true,
        Some(b'@' | b'%' | b'$' | b'^') => false,
        Some(b'+') => proven || !digit_next,
        Some(b'.' | b':' | b'~') => !digit_next,
        Some(b'-') => proven || !second.is_some_and(boundary::is_alnum),
        // Two numbers may be parted by a slash; a date, a file number or a fraction is none.
        Some(b'/') => !digit_next || starts_number(text, end + 1),
        Some(byte) if byte.is_ascii() => !boundary::is_alnum(byte),
        Some(_) => boundary::char_after(text, end).is_none_or(may_touch),
    }
}

/// Whether what stands at `at` is long enough to be a number itself.
fn starts_number(text: &[u8], at: usize) -> bool {
    let digits: usize = groups(text, at, at).iter().map(|group| group.len()).sum();
    digits >= 6
}

/// Whether a character that is not ASCII may stand beside the digits of a number.
pub(super) fn may_touch(c: char) -> bool {
    let mark = matches!(c as u32, 0x0300..=0x036F);
    let currency = matches!(
        c,
        '¢' | '£' | '¤' | '¥' | '֏' | '؋' | '৲' | '৳' | '฿' | '៛' | '\u{20A0}'
            ..='\u{20CF}'
                | '\u{FDFC}'
                | '\u{FF04}'
                | '\u{FFE0}'
                | '\u{FFE1}'
                | '\u{FFE5}'
                | '\u{FFE6}'
    );
    let unit = matches!(c, '°' | '′' | '″' | '‰' | '±' | '×' | '²' | '³' | 'µ');
    !(mark || currency || unit || boundary::is_word_letter(c))
}

/// An extension that begins at `end`, where the digits of a number end: where its own digits
/// begin and end.
///
/// # Syntax
/// `;ext=12`; or, behind at most two spaces and a comma: `ext`, `ext.`, `extension`, `extn`,
/// `x`, `#`, `~`, and words that do the same in other languages, then `.` or `:`, then at most
/// two spaces, then one to seven digits.
pub(super) fn extension(text: &[u8], end: usize) -> Option<Group> {
    let rest = text.get(end..text.len().min(end + EXTENSION_LEN))?;
    let mut pos = 0;
    if let Some(b";ext=") = rest.get(..5) {
        pos = 5;
    } else {
        pos += spaces(rest, pos, 1);
        if rest.get(pos) == Some(&b',') {
            pos += 1;
            pos += spaces(rest, pos, 1);
        }
        let is_sign = matches!(rest.get(pos), Some(b'#' | b'~'));
        pos += lead_in(rest.get(pos..)?)?;
        if matches!(rest.get(pos), Some(b'.' | b':')) {
            pos += 1;
        }
        let gap = spaces(rest, pos, 2);
        if is_sign && gap > 0 {
            // A comment: `# 2001 was the year`.
            return None;
        }
        pos += gap;
    }
    let last = digits_end(rest, pos);
    // `x 2001:db8::7`
    let goes_on =
        rest.get(last) == Some(&b':') && rest.get(last + 1).is_some_and(u8::is_ascii_alphanumeric);
    let whole = (1..=7).contains(&(last - pos)) && !goes_on && may_end(text, end + last, false);
    whole.then_some(Group {
        start: end + pos,
        end: end + last,
    })
}

fn spaces(text: &[u8], pos: usize, most: usize) -> usize {
    text.iter()
        .skip(pos)
        .take(most)
        .take_while(|&&byte| byte == b' ')
        .count()
}

/// Words and signs that announce an extension, the longer before its beginning.
const WORDS: [&str; 18] = [
    "extension",
    "extensie",
    "extn",
    "ext",
    "xtn",
    "x",
    "#",
    "~",
    "durchwahl",
    "dw",
    "toestel",
    "tst",
    "poste",
    "anexo",
    "ramal",
    "interno",
    "int",
    "доб",
];

/// The length of the word or sign that announces an extension.
fn lead_in(text: &[u8]) -> Option<usize> {
    // Nearly all numbers have no extension: look at one byte first.
    if !matches!(
        text.first()?.to_ascii_lowercase(),
        b'a' | b'd' | b'e' | b'i' | b'p' | b'r' | b't' | b'x' | b'#' | b'~' | 0xD0
    ) {
        return None;
    }
    let found = WORDS.iter().find(|word| {
        text.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    })?;
    Some(found.len())
}
