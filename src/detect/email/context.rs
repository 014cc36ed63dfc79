//! What has the form of an address and is none, told by what stands around it.

use super::{domain, local};
use crate::detect::boundary::before;
use crate::detect::{Candidate, Reject};

/// The schemes whose `scheme://user@host` is an address all the same.
const MAIL_SCHEMES: [&[u8]; 6] = [b"mailto", b"sip", b"sips", b"xmpp", b"acct", b"email"];
/// The logins of hosts for source code.
const FORGE_USERS: [&[u8]; 8] = [
    b"git", b"hg", b"svn", b"gitea", b"gitlab", b"forgejo", b"aur", b"gerrit",
];
/// The commands and words before a remote path.
const REMOTE_WORDS: [&[u8]; 8] = [
    b"scp", b"rsync", b"sshfs", b"sftp", b"git", b"clone", b"remote", b"ssh",
];
/// The identifiers of conversations, not of people: Microsoft Teams, WhatsApp.
const CONVERSATIONS: [&[u8]; 2] = [b"thread.skype", b"g.us"];
/// The ends of file names that are top levels as well, after `@2x`.
const IMAGE_ENDS: [&[u8]; 6] = [b"zip", b"mov", b"ai", b"ps", b"app", b"md"];
/// How far context is read to the left, in bytes.
const REACH: usize = 32;

/// Judges the address `start..end` by the text around it.
///
/// # Errors
/// `Context` where it is the user-info of a URL, the login of a remote, a prompt, a template, a
/// version or a label of code.
pub(super) fn check(candidate: &Candidate<'_>, start: usize, end: usize) -> Result<(), Reject> {
    let &Candidate { text, at, .. } = candidate;
    let (name, domain) = (&text[start..at], &text[at + 1..end]);
    // `q@k.mT`: the transposed matrix of PyTorch, in a spelling that nobody gives to Malta.
    let refused = domain.ends_with(b".mT")
        || is_version(domain)
        || is_scaled_image(domain)
        || CONVERSATIONS.iter().any(|c| domain.eq_ignore_ascii_case(c))
        || name.ends_with(b".git")
        || matches!(name, b"this" | b"super")
        || local::is_template(text, start, at)
        || local::is_regex_class(text, start, at)
        || is_remote(text, start, at, end)
        || is_prompt(text, start, end)
        || is_quoted_inside(text, start, end)
        || is_user_info(text, start, end);
    if refused {
        Err(Reject::Context)
    } else {
        Ok(())
    }
}

fn is_digits(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit)
}

/// `v2.0.0-beta.dev`, `1.0.dev`; but not four numbers, which are the name of a host
/// (`127.0.0.1.nip.io`).
fn is_version(domain: &[u8]) -> bool {
    let mut labels = domain.split(|&b| b == b'.');
    let major = labels.next().unwrap_or_default();
    let major = major
        .strip_prefix(b"v")
        .or(major.strip_prefix(b"V"))
        .unwrap_or(major);
    let minor = labels.next().unwrap_or_default();
    is_digits(major)
        && minor.first().is_some_and(u8::is_ascii_digit)
        && domain
            .split(|&b| b == b'.')
            .take(4)
            .filter(|l| is_digits(l))
            .count()
            < 4
}

/// `icon@2x.zip`.
fn is_scaled_image(domain: &[u8]) -> bool {
    domain
        .iter()
        .position(|&b| b == b'.')
        .map(|dot| (&domain[..dot], &domain[dot + 1..]))
        .is_some_and(|(scale, end)| {
            scale.strip_suffix(b"x").is_some_and(is_digits) && IMAGE_ENDS.contains(&end)
        })
}

/// The bytes that end a word of a command or a path.
fn ends_word(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F || b"\"'`<>()|,;".contains(&byte)
}

/// `git@github.com:org/repo.git`, `root@host.example.com:/tmp`. A password after the colon
/// (`jo@example.com:s3cret`) makes no remote.
fn is_remote(text: &[u8], start: usize, at: usize, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let forge = FORGE_USERS
        .iter()
        .any(|user| text[start..at].eq_ignore_ascii_case(user));
    let path = match rest.split_first() {
        Some((b':', path)) => path,
        Some((b'/', _)) => return forge,
        _ => return false,
    };
    let Some(&first) = path.first() else {
        return false;
    };
    if first <= b' ' {
        return false;
    }
    if forge || matches!(first, b'/' | b'~' | b':') {
        return true;
    }
    let len = path
        .iter()
        .position(|&b| ends_word(b))
        .unwrap_or(path.len());
    let path = &path[..len];
    path.starts_with(b"./")
        || path.starts_with(b"../")
        || path
            .windows(4)
            .position(|w| w == b".git")
            .is_some_and(|dot| !path.get(dot + 4).is_some_and(u8::is_ascii_alphanumeric))
        || (path.contains(&b'/') && follows_remote_word(text, start))
}

/// Whether one of [`REMOTE_WORDS`] stands in the bytes before `start`.
fn follows_remote_word(text: &[u8], start: usize) -> bool {
    text[start.saturating_sub(REACH)..start]
        .split(|b| !b.is_ascii_alphanumeric())
        .any(|word| REMOTE_WORDS.contains(&word))
}

/// `[jo@web01.example.com ~]$ ls`, `jo@mac.example.com ~ % ls`, `jo@web01.example.com$ ls`.
fn is_prompt(text: &[u8], start: usize, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let sign = |byte: &u8| b"$#%".contains(byte);
    match rest {
        [b' ', b'~', b' ', s, ..] => sign(s),
        [b'$', b' ', ..] | [b'$'] => true,
        [b' ', ..] => {
            before(text, start) == Some(b'[')
                && rest
                    .iter()
                    .take(64)
                    .position(|&b| b == b']')
                    .and_then(|close| rest.get(close + 1))
                    .is_some_and(sign)
        }
        _ => false,
    }
}

/// `"jo@example.com"@example.org`: the local part of another address.
fn is_quoted_inside(text: &[u8], start: usize, end: usize) -> bool {
    before(text, start) == Some(b'"')
        && text.get(end..end + 2) == Some(b"\"@")
        && domain::end(text, end + 2).is_ok()
}

/// Whether the address stands where a URL has its user-info, `https://user:pass@host/`. With
/// another `@` behind it in the same authority it is the user's name, and an address.
fn is_user_info(text: &[u8], start: usize, end: usize) -> bool {
    let Some(authority) = authority_start(text, start) else {
        return false;
    };
    let colon = authority - 3;
    let scheme = text[..colon]
        .iter()
        .rposition(|b| !b.is_ascii_alphanumeric())
        .map_or(0, |pos| pos + 1);
    let scheme = &text[scheme..colon];
    if MAIL_SCHEMES.iter().any(|s| scheme.eq_ignore_ascii_case(s)) {
        return false;
    }
    let before = &text[authority..start];
    let host_end = before.iter().position(|b| b"/?#".contains(b));
    let between = before[..host_end.unwrap_or(before.len())]
        .rsplit(|&b| b == b'@')
        .next()
        .unwrap_or_default();
    let in_authority = match host_end {
        None => true,
        // A slash in the password.
        Some(_) => between
            .iter()
            .position(|&b| b == b':')
            .map(|pos| &between[pos + 1..])
            .is_some_and(is_password),
    };
    let names_user = text[end..]
        .iter()
        .take_while(|&&b| !ends_word(b) && !b"/?#".contains(&b))
        .any(|&b| b == b'@');
    in_authority && !names_user
}

/// Whether what stands after the first colon of an authority is no port, nor the variable for one,
/// nor a part of an IPv6 address.
fn is_password(port: &[u8]) -> bool {
    port.first().is_some_and(|b| !b"$<:%{".contains(b))
        && !is_digits(port)
        && !port.contains(&b':')
        && !port.contains(&b']')
}

/// The byte behind the `://` that stands before `start` with no space or quote between.
fn authority_start(text: &[u8], start: usize) -> Option<usize> {
    (3..=start)
        .rev()
        .take_while(|&pos| pos == start || !ends_word(text[pos]))
        .find(|&pos| &text[pos - 3..pos] == b"://")
}
