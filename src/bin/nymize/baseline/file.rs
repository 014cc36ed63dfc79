//! A baseline as it is written: YAML, in a stable order, with no date, so that two branches
//! change it in different lines.
//!
//! # Syntax
//! ```yaml
//! version: 1
//! key: "e36b669b95f32301"     # nymize key fingerprint
//! scope: ""
//! hash_length: 8
//! accepted:
//!   "docs/contact.md":
//!     "[[EMAIL_3cdd8ba8]]": 2
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use super::Accepted;
use super::comments::{Comments, Place};
use crate::engine::Identity;
use crate::failure::Failure;
use crate::report::json;

const VERSION: u64 = 1;

const HEAD: &str = "\
# What `nymize scan --baseline` accepts: the placeholders of each file, and how often.
# Made by `nymize baseline`, which keeps comments above an entry and behind it. No value is in here.
";

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u64,
    key: String,
    #[serde(default)]
    scope: String,
    hash_length: usize,
    accepted: Unique<Unique<u64>>,
}

/// A map without the same key twice: a careless merge would else lose entries unseen.
struct Unique<V>(BTreeMap<String, V>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Unique<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = Unique<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique<V>, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some((key, value)) = map.next_entry()? {
                    if entries.insert(key, value).is_some() {
                        return Err(A::Error::custom("twice"));
                    }
                }
                Ok(Unique(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// Reads the text of a baseline. What is wrong is told by its place alone.
pub(super) fn parse(
    path: &Path,
    text: &str,
) -> Result<(Identity, BTreeMap<String, Accepted>), Failure> {
    let wrong = |line: usize, column: usize| {
        Failure::new(format!(
            "{}:{line}:{column}: this is no baseline as this version of nymize writes it",
            path.display()
        ))
        .hint(
            "an unknown key, an entry that is there twice, or a count that is none? \
             `nymize baseline` makes a new one where there is no file",
        )
    };
    let written: Written = serde_yaml::from_str(text).map_err(|error| {
        let place = error.location();
        place.map_or_else(|| wrong(1, 1), |place| wrong(place.line(), place.column()))
    })?;
    if written.version != VERSION {
        return Err(wrong(1, 1));
    }
    let identity = Identity {
        fingerprint: written.key,
        scope: written.scope,
        hash_length: written.hash_length,
    };
    let files = written.accepted.0;
    Ok((
        identity,
        files
            .into_iter()
            .map(|(name, counts)| (name, counts.0))
            .collect(),
    ))
}

/// The text of a baseline, with the comments of the one that it replaces.
pub(super) fn render(
    identity: &Identity,
    files: &BTreeMap<String, Accepted>,
    comments: &Comments,
) -> String {
    let mut out = String::new();
    if comments.are_empty() {
        out.push_str(HEAD);
    }
    let mut line = |place: Place<'_>, indent: &str, text: &str| {
        for comment in comments.above(place) {
            out.push_str(indent);
            out.push_str(comment);
            out.push('\n');
        }
        out.push_str(indent);
        out.push_str(text);
        if let Some(comment) = comments.behind(place) {
            out.push_str("  ");
            out.push_str(comment);
        }
        out.push('\n');
    };
    let top = [
        ("version", VERSION.to_string()),
        ("key", quoted(&identity.fingerprint)),
        ("scope", quoted(&identity.scope)),
        ("hash_length", identity.hash_length.to_string()),
    ];
    for (name, value) in top {
        line(Place::Top(name), "", &format!("{name}: {value}"));
    }
    let none = if files.is_empty() { " {}" } else { "" };
    line(Place::Top("accepted"), "", &format!("accepted:{none}"));
    for (file, accepted) in files {
        line(Place::File(file), "  ", &format!("{}:", quoted(file)));
        for (placeholder, count) in accepted {
            let entry = format!("{}: {count}", quoted(placeholder));
            line(Place::Entry(file, placeholder), "    ", &entry);
        }
    }
    for comment in comments.above(Place::End) {
        out.push_str(comment);
        out.push('\n');
    }
    out
}

/// A JSON string is a YAML one in double quotes, but for what YAML takes for line ends and for a
/// byte order mark.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    json::string(text, &mut out);
    out.replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
        .replace('\u{feff}', "\\ufeff")
}
