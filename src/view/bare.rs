//! What needs help in a format whose other parts are as safe for a placeholder as text is: scalars
//! without quotes. A placeholder begins with `[`, so a scalar that it would open has to be quoted, or
//! the text would mean something else.

use std::ops::Range;

use super::{Format, toml, yaml};

/// A part of a text that its format does not take as it stands. Positions are indices into the text
/// at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its first byte to its last one, over all its lines.
    pub(crate) range: Range<usize>,
    pub(crate) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A scalar, or key, that stands without quotes. Where it is strict, a bracket anywhere in it would
    /// end it, not at its beginning alone.
    Bare { strict: bool },
    /// The same, and it is a whole number in decimal digits.
    Number { strict: bool },
    /// A piece of a scalar in which each single quote is written twice.
    Doubled,
    /// The name of a place, which another part of the text calls by it: it stays.
    Name,
}

impl Part {
    /// A scalar without quotes.
    pub(super) fn bare(text: &[u8], range: Range<usize>, strict: bool) -> Part {
        let bytes = &text[range.clone()];
        let number =
            bytes.first().is_some_and(|&b| b != b'0') && bytes.iter().all(u8::is_ascii_digit);
        let role = if number {
            Role::Number { strict }
        } else {
            Role::Bare { strict }
        };
        Part { range, role }
    }
}

/// Tells such parts of a text, line by line.
#[derive(Debug)]
pub(crate) enum Reader {
    Yaml(yaml::Reader),
    Toml(toml::Reader),
}

impl Reader {
    /// The reader for a format; `None` for one whose scalars need no quotes of ours.
    pub(crate) fn new(format: Format) -> Option<Reader> {
        match format {
            Format::Yaml => Some(Reader::Yaml(yaml::Reader::default())),
            Format::Toml => Some(Reader::Toml(toml::Reader::default())),
            Format::Auto | Format::Text | Format::Json => None,
        }
    }

    /// Reads the next line, which has no line end in `range`, and appends the parts that end in it
    /// or before it.
    pub(crate) fn line(&mut self, text: &[u8], range: Range<usize>, parts: &mut Vec<Part>) {
        match self {
            Reader::Yaml(reader) => reader.line(text, range, parts),
            Reader::Toml(reader) => reader.line(text, range, parts),
        }
    }

    /// Says that the text ends, or that a line is passed over.
    pub(crate) fn end(&mut self, text: &[u8], parts: &mut Vec<Part>) {
        if let Reader::Yaml(reader) = self {
            reader.end(text, parts);
        }
    }

    /// Where the scalar begins that may go on in the next line.
    pub(crate) fn pending(&self) -> Option<usize> {
        match self {
            Reader::Yaml(reader) => reader.pending(),
            Reader::Toml(_) => None,
        }
    }

    /// What a scalar is quoted with; the sign is doubled inside.
    pub(crate) fn quote(&self) -> &'static [u8] {
        match self {
            Reader::Yaml(_) => b"'",
            // A bare scalar of TOML holds no quote.
            Reader::Toml(_) => b"\"",
        }
    }

    /// Says that the first `count` bytes of the text are gone.
    pub(crate) fn shift(&mut self, count: usize) {
        if let Reader::Yaml(reader) = self {
            reader.shift(count);
        }
    }
}
