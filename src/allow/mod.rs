//! Values that are left as they are: known ones, those of a domain or a network, those of a pattern.
//!
//! A finding is made first, and then looked up by its canonical form: so the spelling of a value
//! counts for nothing, and ten thousand entries cost no more than one. What is allowed stays a wall:
//! the text around it is read as if it had been replaced.

mod read;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::net::IpAddr;

use memchr::memrchr;
use regex::bytes::RegexSet;

use crate::detect::ip::Networks;
use crate::finding::{Canonical, Finding};
use crate::kind::Kind;
use crate::origin::Origin;

/// What is allowed, as it is written.
///
/// # Syntax
/// Each entry is one of
/// - a value of any kind in any spelling, such as `jan@example.com`, `NL91 ABNA 0417 1643 00` or
///   `+31 6 1234 5678`; a phone number has its country code, as a national form is a number of its
///   region alone;
/// - a domain, `example.com`: the e-mail addresses in it and in its subdomains;
/// - an IP address or a CIDR block, `192.0.2.0/24`, `2001:db8::/32`;
/// - a pattern between slashes, `/test-[0-9]+@example\.org/`, in the syntax of the `regex` crate. It
///   must match the whole canonical form: addresses in lower case, IBANs in upper case without
///   spaces, phone numbers as `+31612345678`, cards as digits.
///
/// ```
/// # fn main() -> Result<(), nymize::Error> {
/// use nymize::{AllowList, Key, Pseudonymizer};
///
/// let allow: AllowList = ["support@example.org", "example.com"].into_iter().collect();
/// let engine = Pseudonymizer::builder(Key::from_bytes([7; 32])).allow(allow).build()?;
/// let text = "to Support@EXAMPLE.org and anna@mail.example.com";
/// assert_eq!(engine.filter(text), text);
/// assert_ne!(engine.filter("jan@example.org"), "jan@example.org");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AllowList {
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, Eq)]
struct Entry {
    text: String,
    /// Where it is written, if in a file.
    origin: Option<Origin>,
}

impl AllowList {
    /// Whether nothing is allowed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entries, as they are written, and where.
    pub fn entries(&self) -> impl Iterator<Item = (&str, Option<&Origin>)> {
        self.entries
            .iter()
            .map(|entry| (entry.text.as_str(), entry.origin.as_ref()))
    }

    /// Adds an entry that is written somewhere.
    pub(crate) fn push(&mut self, text: impl Into<String>, origin: Option<Origin>) {
        self.entries.push(Entry {
            text: text.into(),
            origin,
        });
    }
}

impl<T: Into<String>> Extend<T> for AllowList {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        for text in entries {
            self.push(text, None);
        }
    }
}

impl<T: Into<String>> FromIterator<T> for AllowList {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut list = AllowList::default();
        list.extend(entries);
        list
    }
}

impl fmt::Debug for AllowList {
    /// Shows no entry: they are values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AllowList")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// What is allowed, as it is looked up.
#[derive(Clone, Default)]
pub(crate) struct Allow {
    values: HashMap<Kind, HashSet<Canonical>>,
    /// Canonical domains.
    domains: HashSet<Vec<u8>>,
    networks: Networks,
    patterns: RegexSet,
}

impl Allow {
    /// Whether a finding is left as it is.
    pub(crate) fn allows(&self, finding: &Finding) -> bool {
        let canonical = finding.canonical();
        let is_value = self
            .values
            .get(&finding.kind())
            .is_some_and(|values| values.contains(canonical));
        is_value
            || match finding.kind() {
                Kind::Email => self.has_domain_of(canonical),
                Kind::Ip => self.has_network_of(canonical),
                _ => false,
            }
            || (!self.patterns.is_empty() && self.patterns.is_match(canonical))
    }

    fn has_domain_of(&self, address: &[u8]) -> bool {
        if self.domains.is_empty() {
            return false;
        }
        let start = memrchr(b'@', address).map_or(0, |at| at + 1);
        let domain = address.get(start..).unwrap_or_default();
        let dots = memchr::memchr_iter(b'.', domain).map(|dot| dot + 1);
        std::iter::once(0)
            .chain(dots)
            .filter_map(|start| domain.get(start..))
            .any(|suffix| self.domains.contains(suffix))
    }

    fn has_network_of(&self, address: &[u8]) -> bool {
        std::str::from_utf8(address)
            .ok()
            .and_then(|text| text.parse::<IpAddr>().ok())
            .is_some_and(|address| self.networks.contains(address))
    }
}
