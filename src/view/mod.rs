//! Views: how the raw bytes of a format are seen, so that findings are looked for in what is
//! content and never in what only gives the format its form. They know no detector.

pub(crate) mod api;
pub(crate) mod bare;
pub(crate) mod base64;
mod grammar;
pub(crate) mod json;
mod nested;
mod toml;
mod yaml;

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};

/// How a text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// JSON where the text is JSON, else text. It is JSON when its first byte, after a byte order
    /// mark and white space, is `{` or `[`, and the line on which that first value ends holds
    /// nothing but JSON values; otherwise it is text to its end. Later lines that are no JSON are
    /// read as text, each by itself.
    #[default]
    Auto,
    /// Text, whatever it looks like. Only the data of a server-sent event, which is a line
    /// `data: {…}` of up to 1 MiB, is read as JSON, in [`Format::Auto`] too.
    Text,
    /// JSON, one value or many (JSON Lines). Anything else is an error.
    Json,
    /// YAML: text, but that a plain scalar or key which a placeholder would break is put in single
    /// quotes. A whole number is left alone, unless it is a card number.
    Yaml,
    /// TOML: text, but that a value or key without quotes is put in quotes. A whole number is left
    /// alone, unless it is a card number.
    Toml,
}

impl Format {
    /// All, in the order in which they are listed to people.
    pub const ALL: [Format; 5] = [
        Format::Auto,
        Format::Text,
        Format::Json,
        Format::Yaml,
        Format::Toml,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Auto => "auto",
            Format::Text => "text",
            Format::Json => "json",
            Format::Yaml => "yaml",
            Format::Toml => "toml",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    /// Reads a name.
    ///
    /// # Errors
    /// For an unknown name; the error lists the known ones.
    fn from_str(name: &str) -> Result<Self, Error> {
        Format::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::new(ErrorKind::UnknownFormat(name.to_owned())))
    }
}

/// What becomes of a number that is a card number, in JSON, YAML and TOML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonNumbers {
    /// It is replaced by a placeholder in quotes, so that the text keeps its format.
    #[default]
    Quote,
    /// It stays.
    Keep,
}

impl FromStr for JsonNumbers {
    type Err = Error;

    /// Reads `quote` or `keep`.
    ///
    /// # Errors
    /// For any other name.
    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "quote" => Ok(JsonNumbers::Quote),
            "keep" => Ok(JsonNumbers::Keep),
            _ => Err(Error::new(ErrorKind::UnknownJsonNumbers(name.to_owned()))),
        }
    }
}

/// How a text is seen: the settings of all views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) format: Format,
    pub(crate) numbers: JsonNumbers,
    pub(crate) api: api::Api,
}
