//! Scalars without quotes: where they stand in a format whose other parts are as safe for a
//! placeholder as text is. A placeholder begins with `[`, so a scalar that it would open has to be
//! quoted, or the text would mean something else.

use std::ops::Range;

use super::{Format, toml, yaml};

/// A scalar, or key, that stands without quotes. Positions are indices into the text at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bare {
    /// Its first byte to its last one, over all its lines.
    pub(crate) range: Range<usize>,
    /// Whether a bracket anywhere in it would end it, not at its beginning alone.
    pub(crate) strict: bool,
    /// Whether it is a whole number in decimal digits.
    pub(crate) number: bool,
}

impl Bare {
    pub(super) fn new(text: &[u8], range: Range<usize>, strict: bool) -> Bare {
        let bytes = &text[range.clone()];
        let number =
            bytes.first().is_some_and(|&b| b != b'0') && bytes.iter().all(u8::is_ascii_digit);
        Bare {
            range,
            strict,
            number,
        }
    }
}

/// Tells the scalars without quotes of a text, line by line.
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

    /// Reads the next line, which has no line end in `range`, and appends the scalars that end in
    /// it or before it.
    pub(crate) fn line(&mut self, text: &[u8], range: Range<usize>, bares: &mut Vec<Bare>) {
        match self {
            Reader::Yaml(reader) => reader.line(text, range, bares),
            Reader::Toml(reader) => reader.line(text, range, bares),
        }
    }

    /// Says that the text ends, or that a line is passed over.
    pub(crate) fn end(&mut self, text: &[u8], bares: &mut Vec<Bare>) {
        if let Reader::Yaml(reader) = self {
            reader.end(text, bares);
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
