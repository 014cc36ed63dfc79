//! Annotations by workflow commands of GitHub Actions: one `::error …::…` a line.
//!
//! # Syntax
//! ```text
//! command  = "::error " property *("," property) "::" data
//! property = name "=" value
//! ```
//! In data `%`, CR and LF are percent-encoded, in values of properties `:` and `,` too.

use std::path::Path;

use super::text::harmless;
use super::{Record, rule};
use crate::paths::{Base, with_slashes};

/// Appends the command of a finding. One in stdin has no file to be shown at.
pub(crate) fn write(record: &Record<'_>, base: &Base, out: &mut Vec<u8>) {
    let label = record.kind.label();
    let mut line = format!("::error title={}", property(&format!("nymize: {label}")));
    let place = match record.path {
        Some(path) => {
            line.push_str(&format!(
                ",file={},line={},endLine={},col={},endColumn={}",
                property(&file(base, path)),
                record.line,
                record.line,
                record.column,
                record.end_column
            ));
            String::new()
        }
        None => format!("stdin, line {}, column {}: ", record.line, record.column),
    };
    let message = format!("{place}{}", rule::message(record));
    line.push_str("::");
    line.push_str(&data(&message));
    line.push('\n');
    out.extend_from_slice(line.as_bytes());
}

fn file(base: &Base, path: &Path) -> String {
    String::from_utf8_lossy(&with_slashes(&base.tell(path))).into_owned()
}

fn data(text: &str) -> String {
    let text = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    // The log is shown by something that obeys the other controls.
    harmless(&text).into_owned()
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_command_is_encoded() {
        assert_eq!(data("a%\r\n:,b\u{1b}"), "a%25%0D%0A:,b␛");
        assert_eq!(property("a%\r\n:,b"), "a%25%0D%0A%3A%2Cb");
        assert_eq!(property("::error::x"), "%3A%3Aerror%3A%3Ax");
    }
}
