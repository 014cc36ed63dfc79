//! From entries as they are written to what is looked up.

use regex::bytes::{Regex, RegexBuilder, RegexSetBuilder};

use super::{Allow, AllowList, Entry};
use crate::error::{Error, ErrorKind};
use crate::finding::Finding;
use crate::kind::Kind;

/// The longest entry, in bytes: longer than every value and every useful pattern.
const MAX_ENTRY: usize = 1_024;
/// How much memory one pattern may take, and all together, in bytes.
const MAX_PATTERN: usize = 256 * 1024;
const MAX_PATTERNS: usize = 4 * 1024 * 1024;

impl AllowList {
    /// What the entries mean. `find` finds all that there is in a text.
    ///
    /// # Errors
    /// For an entry that is nothing of all that may be allowed, with its place.
    pub(crate) fn compile(&self, find: impl Fn(&[u8]) -> Vec<Finding>) -> Result<Allow, Error> {
        let mut allow = Allow::default();
        let mut patterns = Vec::new();
        // The entries that may be values, with their numbers.
        let mut values = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            check(entry).map_err(|what| entry.error(index, what))?;
            if let Some(pattern) = entry.pattern() {
                let whole = anchored(pattern).map_err(|what| entry.error(index, what))?;
                patterns.push(whole);
            } else if !allow.networks.add(&entry.text) {
                values.push((index, entry));
            }
        }
        let text = |(_, entry): &(usize, &Entry)| entry.text.clone();
        let mut domains = Vec::new();
        for (candidate, found) in values.iter().zip(whole_lines(&values, text, &find)) {
            match found {
                Some(value) => {
                    let known = allow.values.entry(value.kind()).or_default();
                    known.insert(value.canonical().into());
                }
                None => domains.push(*candidate),
            }
        }
        // A domain is what makes an address of a local part.
        let text = |(_, entry): &(usize, &Entry)| format!("a@{}", entry.text);
        for ((index, entry), found) in domains.iter().zip(whole_lines(&domains, text, &find)) {
            let domain = found
                .as_ref()
                .filter(|value| value.kind() == Kind::Email)
                .and_then(|value| value.canonical().strip_prefix(b"a@"))
                .ok_or_else(|| entry.error(*index, NOTHING))?;
            allow.domains.insert(domain.to_vec());
        }
        if !patterns.is_empty() {
            allow.patterns = RegexSetBuilder::new(patterns)
                .size_limit(MAX_PATTERNS)
                .dfa_size_limit(MAX_PATTERNS)
                .build()
                .map_err(|_| too_many())?;
        }
        Ok(allow)
    }
}

const NOTHING: &str = "this entry of `allow` is no value as a whole, no domain, no CIDR block and no \
                       /pattern/; a phone number has its country code there (+31…)";

fn too_many() -> Error {
    Error::new(ErrorKind::Place {
        file: "allow".to_owned(),
        line: 0,
        column: 0,
        what: "the patterns together are too large".to_owned(),
    })
}

impl Entry {
    /// What stands between slashes.
    fn pattern(&self) -> Option<&str> {
        self.text.strip_prefix('/')?.strip_suffix('/')
    }

    fn error(&self, index: usize, what: &str) -> Error {
        match &self.origin {
            Some(origin) => origin.error(what),
            None => Error::new(ErrorKind::Place {
                file: format!("allow list, entry {}", index + 1),
                line: 0,
                column: 0,
                what: what.to_owned(),
            }),
        }
    }
}

fn check(entry: &Entry) -> Result<(), &'static str> {
    let text = &entry.text;
    if text.is_empty() {
        return Err("this entry of `allow` is empty");
    }
    if text.len() > MAX_ENTRY {
        return Err("this entry of `allow` is too long");
    }
    if text.contains(char::is_control) || text.trim() != text {
        return Err("this entry of `allow` has a control character, or a space at its end");
    }
    Ok(())
}

/// The pattern as one that must match from end to end.
fn anchored(pattern: &str) -> Result<String, &'static str> {
    if pattern.is_empty() {
        return Err("this pattern of `allow` is empty");
    }
    let built = |pattern: &str| -> Result<Regex, regex::Error> {
        RegexBuilder::new(pattern)
            .size_limit(MAX_PATTERN)
            .dfa_size_limit(MAX_PATTERN)
            .build()
    };
    // Tried alone first: `a)|(b` is a pattern only between the brackets that are put around it.
    let whole = format!(r"\A(?:{pattern})\z");
    let regex = match built(pattern).and_then(|_| built(&whole)) {
        Ok(regex) => regex,
        Err(regex::Error::CompiledTooBig(_)) => return Err("this pattern of `allow` is too large"),
        Err(_) => return Err("this pattern of `allow` is no regular expression"),
    };
    if regex.is_match(b"") {
        return Err("this pattern of `allow` matches the empty text, so all too much");
    }
    Ok(whole)
}

/// For each item the value that its text is as a whole. All texts are searched at once, a line each,
/// behind a space: what opens a line is judged by more than its form.
fn whole_lines<T>(
    items: &[T],
    text: impl Fn(&T) -> String,
    find: impl Fn(&[u8]) -> Vec<Finding>,
) -> Vec<Option<Finding>> {
    let mut lines = String::new();
    let ranges: Vec<_> = items
        .iter()
        .map(|item| {
            lines.push(' ');
            let start = lines.len();
            lines.push_str(&text(item));
            let end = lines.len();
            lines.push('\n');
            start..end
        })
        .collect();
    let mut found = find(lines.as_bytes()).into_iter().peekable();
    ranges
        .into_iter()
        .map(|range| {
            while found
                .next_if(|finding| finding.range().start < range.start)
                .is_some()
            {}
            found.next_if(|finding| finding.range() == range)
        })
        .collect()
}
