//! One line for each finding, for people: `path:line:column TYPE placeholder`.

use std::borrow::Cow;

use super::Record;
use super::color::{Painter, Style};

/// Appends the line of a finding.
pub(crate) fn write(record: &Record<'_>, painter: Painter, out: &mut Vec<u8>) {
    let path = match record.path {
        Some(path) => path.to_string_lossy(),
        None => Cow::Borrowed("<stdin>"),
    };
    let place = format!(":{}:{}", record.line, record.column);
    let mut line = String::new();
    painter.paint(Style::Path, &harmless(&path), &mut line);
    painter.paint(Style::Place, &place, &mut line);
    line.push(' ');
    painter.paint(Style::Kind, record.kind.label(), &mut line);
    line.push(' ');
    painter.paint(Style::Placeholder, record.placeholder, &mut line);
    if let Some(value) = record.value {
        line.push(' ');
        painter.paint(Style::Value, &harmless(value), &mut line);
    }
    line.push('\n');
    out.extend_from_slice(line.as_bytes());
}

/// The text without anything that a terminal would obey: control characters are shown by
/// their pictures (U+2400 …), or as U+FFFD.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(picture).collect())
}

fn picture(character: char) -> char {
    match u32::from(character) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or('\u{fffd}'),
        0x7f => '\u{2421}',
        0x80..=0x9f => '\u{fffd}',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown_not_obeyed() {
        assert_eq!(harmless("a\u{1b}[31m\u{7f}\u{9b}é"), "a␛[31m␡\u{fffd}é");
        assert_eq!(harmless("plain é"), "plain é");
    }
}
