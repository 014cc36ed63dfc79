//! The right side of the `@`: labels under a top level.

use unicode_normalization::char::is_combining_mark;

use crate::detect::Reject;
use crate::detect::boundary::{char_after, is_unspaced};
use crate::detect::table::tld::{self, LONGEST};

/// The longest label, in bytes of its A-label (RFC 1035, 2.3.4).
const MAX_LABEL: usize = 63;
/// The longest U-label that is looked at, in bytes; longer ones have no A-label of 63 bytes.
const MAX_U_LABEL: usize = 4 * MAX_LABEL;

/// A label whose A-label is never too long, in characters: each takes at most six digits of
/// Punycode, and `xn--` four.
const SHORT_LABEL: usize = 9;
/// How many labels beyond ASCII are looked up as top level: more of them make no domain, but time.
const MAX_LOOK_UPS: usize = 8;

/// What a label is as a top level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TopLevel {
    /// In the public DNS or in private use.
    Listed,
    /// Wholly non-ASCII, and in no list.
    Unlisted,
    /// None.
    No,
}

/// Where the domain that begins at `start` ends.
///
/// That is the longest run of labels under a listed top level: what is glued to it by a dot
/// (`jo@example.com.Then`), a dash, or a script without word spaces is other text. A wholly
/// non-ASCII top level that is in no list counts where no listed one stands before it.
///
/// # Errors
/// `Shape` where there are no two labels, `Registry` where no top level is known.
pub(super) fn end(text: &[u8], start: usize) -> Result<usize, Reject> {
    let (mut listed, mut unlisted) = (None, None);
    let mut before: &[u8] = b"";
    let mut pos = start;
    let (mut labels, mut look_ups) = (0, 0);
    while let Some((label, label_end)) = label_at(text, pos) {
        let well_formed = is_well_formed(label);
        if labels > 0 {
            if listed == Some(pos - 1) && opens_sentence(before, label) {
                break;
            }
            look_ups += usize::from(!label.is_ascii());
            let top = if well_formed && look_ups <= MAX_LOOK_UPS {
                top_level(label)
            } else {
                TopLevel::No
            };
            let prefix = match top {
                TopLevel::Listed => Some(label.len()),
                TopLevel::Unlisted => {
                    unlisted = Some(label_end);
                    unspaced_prefix(label)
                }
                TopLevel::No => glued_prefix(label),
            };
            listed = prefix.map(|len| pos + len).or(listed);
        }
        if !well_formed {
            break;
        }
        labels += 1;
        if text.get(label_end) != Some(&b'.') {
            break;
        }
        before = label;
        pos = label_end + 1;
    }
    listed.or(unlisted).ok_or(if labels < 2 {
        Reject::Shape
    } else {
        Reject::Registry
    })
}

/// Whether `host` is a domain of at least two labels under a listed top level, and nothing else.
pub(super) fn is_host(host: &[u8]) -> bool {
    end(host, 0).is_ok_and(|end| end == host.len())
}

/// The run of label characters at `pos`, and its end; `None` where there is none.
fn label_at(text: &[u8], pos: usize) -> Option<(&[u8], usize)> {
    let mut end = pos;
    while let Some(&byte) = text.get(end) {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            end += 1;
        } else if byte < 0x80 || end - pos > MAX_U_LABEL {
            break;
        } else {
            match char_after(text, end) {
                Some(c) if is_label_char(c) => end += c.len_utf8(),
                _ => break,
            }
        }
    }
    text.get(pos..end)
        .filter(|label| !label.is_empty())
        .map(|label| (label, end))
}

/// Letters, marks and numbers of all scripts, the joiners and dots that RFC 5892 allows in some
/// contexts, and the pictographs that registries sell although IDNA 2008 refuses them.
fn is_label_char(c: char) -> bool {
    c.is_alphanumeric()
        || is_combining_mark(c)
        || matches!(c, '\u{B7}' | '\u{375}' | '\u{5F3}' | '\u{5F4}' | '\u{30FB}')
        || matches!(c, '\u{200C}' | '\u{200D}')
        || matches!(c as u32, 0x2600..=0x27BF | 0x1F300..=0x1FAFF | 0xFE0F)
}

/// No dash at either end, and at most 63 bytes as A-label.
fn is_well_formed(label: &[u8]) -> bool {
    if label.first() == Some(&b'-') || label.last() == Some(&b'-') {
        return false;
    }
    if label.is_ascii() {
        return label.len() <= MAX_LABEL;
    }
    let chars = label.iter().filter(|&b| b & 0xC0 != 0x80).count();
    if chars <= SHORT_LABEL {
        return true;
    }
    a_label(label).is_some_and(|a| a.len() <= MAX_LABEL)
}

/// The A-label of a label that is not ASCII, without the checks of IDNA.
fn a_label(label: &[u8]) -> Option<String> {
    let lower = std::str::from_utf8(label).ok()?.to_lowercase();
    let encoded = idna::punycode::encode_str(&lower)?;
    Some(format!("xn--{encoded}"))
}

fn top_level(label: &[u8]) -> TopLevel {
    if label.is_ascii() {
        return if is_listed(label) || is_foreign_a_label(label) {
            TopLevel::Listed
        } else {
            TopLevel::No
        };
    }
    let Ok(text) = std::str::from_utf8(label) else {
        return TopLevel::No;
    };
    // No internationalised top level has one character.
    if text.chars().nth(1).is_some() && a_label(label).is_some_and(|a| is_listed(a.as_bytes())) {
        TopLevel::Listed
    } else if is_foreign(text) {
        TopLevel::Unlisted
    } else {
        TopLevel::No
    }
}

/// Whether an ASCII label is in one of the tables, in either case.
fn is_listed(label: &[u8]) -> bool {
    let mut buffer = [0; LONGEST];
    let Some(lower) = buffer.get_mut(..label.len()) else {
        return false;
    };
    if label.len() < 2 || !label[0].is_ascii_alphabetic() {
        return false;
    }
    lower.copy_from_slice(label);
    lower.make_ascii_lowercase();
    tld::holds(lower)
}

/// Two or more letters, none of them ASCII.
fn is_foreign(label: &str) -> bool {
    label.chars().nth(1).is_some()
        && label
            .chars()
            .all(|c| !c.is_ascii() && (c.is_alphabetic() || is_combining_mark(c)))
}

/// Whether an ASCII label is the A-label of a wholly non-ASCII one.
fn is_foreign_a_label(label: &[u8]) -> bool {
    label
        .split_at_checked(4)
        .filter(|(prefix, _)| prefix.eq_ignore_ascii_case(b"xn--"))
        .and_then(|(_, code)| std::str::from_utf8(code).ok())
        .and_then(idna::punycode::decode_to_string)
        .is_some_and(|label| is_foreign(&label))
}

/// Where a label of a script without word spaces begins with a listed top level: its length.
fn unspaced_prefix(label: &[u8]) -> Option<usize> {
    /// The longest top level of such a script (ファッション), in characters.
    const LONGEST_UNSPACED: usize = 6;
    let label = std::str::from_utf8(label).ok()?;
    if !label.chars().all(is_unspaced) {
        return None;
    }
    label
        .char_indices()
        .take(LONGEST_UNSPACED + 1)
        .map(|(len, _)| len)
        .filter(|&len| {
            let prefix = label.as_bytes().get(..len).unwrap_or_default();
            a_label(prefix).is_some_and(|a| is_listed(a.as_bytes()))
        })
        .last()
}

/// Where a label begins with a listed ASCII top level, and a dash or a letter that is not Latin
/// is glued to it: the length of the top level.
fn glued_prefix(label: &[u8]) -> Option<usize> {
    let len = label.iter().position(|b| !b.is_ascii_alphanumeric())?;
    let is_glue = char_after(label, len).is_none_or(|c| !is_combining_mark(c) && !is_latin(c));
    (is_glue && label.get(..len).is_some_and(is_listed)).then_some(len)
}

/// The Latin letters beyond ASCII.
fn is_latin(c: char) -> bool {
    c.is_alphabetic() && matches!(c as u32, 0xC0..=0x24F | 0x1E00..=0x1EFF)
}

/// Whether `label`, after a top level in lower case, begins a sentence whose space is missing:
/// `jan@x.nl.It is`.
fn opens_sentence(top: &[u8], label: &[u8]) -> bool {
    top.iter().all(u8::is_ascii_lowercase)
        && label.len() > 1
        && label.first().is_some_and(u8::is_ascii_uppercase)
        && label.iter().skip(1).all(u8::is_ascii_lowercase)
}
