//! The guard: called before each tool call. A model that has seen a placeholder writes it
//! back as if it were the value; in a file the real value is then lost, and in a mail it goes
//! to nobody.

use std::collections::BTreeSet;

use nymize::Kind;
use serde_json::Value;

/// What the guard thinks of a tool call.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    Go,
    /// Go on, and tell the user.
    Warn(String),
    /// Do not run the tool; tell the user and the model.
    Refuse(String),
}

/// For a tool that needs real values.
pub(crate) fn before_exempt(name: &str, arguments: &Value) -> Verdict {
    let found = placeholders(&arguments.to_string());
    if found.is_empty() {
        return Verdict::Go;
    }
    Verdict::Refuse(format!(
        "{name} needs real values, and was given {}",
        count(found.len())
    ))
}

/// For a tool that writes `new` to `path`, which holds `old` now. Placeholders that were there
/// already may stay. `strict`: refuse rather than warn.
pub(crate) fn before_write(path: &str, old: &str, new: &str, strict: bool) -> Verdict {
    let before = placeholders(old);
    let added = placeholders(new).difference(&before).count();
    if added == 0 {
        return Verdict::Go;
    }
    let message = format!("{path} is given {} that it did not hold", count(added));
    if strict {
        Verdict::Refuse(message)
    } else {
        Verdict::Warn(format!("{message}; real values may be lost"))
    }
}

fn count(n: usize) -> String {
    match n {
        1 => "a placeholder".to_owned(),
        n => format!("{n} placeholders"),
    }
}

/// The placeholders in a text, as `TYPE_hash`. Models do not copy them exactly: brackets get
/// lost or escaped, letters change case. So what counts is a known TYPE, `_`, and at least eight
/// hex digits.
fn placeholders(text: &str) -> BTreeSet<String> {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_inner(c)).filter_map(|word| {
        let (label, hash) = word.rsplit_once('_')?;
        let known = label.parse::<Kind>().is_ok();
        let hashed = hash.len() >= 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        (known && hashed).then(|| {
            let hash = hash.to_ascii_lowercase();
            format!("{}_{hash}", label.to_ascii_uppercase())
        })
    });
    words.collect()
}
