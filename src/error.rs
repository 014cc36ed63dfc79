//! The one error type. It holds no byte of the input and no byte of a key:
//! messages name files, lines, columns and options, never text.

use std::fmt;
use std::io;

use crate::near::near;

/// Why something could not be done. Its text never quotes the input.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
}

/// What went wrong, for the crate's own use; callers see text only.
#[derive(Debug)]
#[non_exhaustive]
pub(crate) enum ErrorKind {
    /// A TYPE that does not exist. The name comes from an option, never from the input.
    UnknownKind(String),
    /// A region that libphonenumber does not know, and those that look like it. The name comes from
    /// an option.
    UnknownRegion {
        name: String,
        near: Vec<&'static str>,
    },
    /// An unusable `ip.keep` word or CIDR block. The word comes from an option.
    BadIpKeep(String),
    /// A format that does not exist. The name comes from an option.
    UnknownFormat(String),
    /// A way to treat JSON numbers that does not exist. The name comes from an option.
    UnknownJsonNumbers(String),
    /// An API that is not known. The name comes from an option.
    UnknownApi(String),
    /// The input is no JSON, from this place on.
    NotJson { line: u64, column: u64 },
    /// `hash_length` out of its range.
    BadHashLength(usize),
    /// A key file or key variable that cannot be used: where, and what to do.
    Key { place: String, reason: String },
    /// What is wrong at a place of a file that people write: a rule pack, a configuration. Without a
    /// line, of the whole file.
    Place {
        file: String,
        line: u64,
        column: u64,
        what: String,
    },
    /// The rules of all packs together are more than can be searched for at once.
    TooManyRules,
    /// Reading the input failed.
    Read(io::Error),
    /// Writing the output failed.
    Write(io::Error),
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Error { kind }
    }

    /// The I/O error beneath, for a caller that treats a closed pipe apart.
    pub fn io_error(&self) -> Option<&io::Error> {
        match &self.kind {
            ErrorKind::Read(error) | ErrorKind::Write(error) => Some(error),
            _ => None,
        }
    }

    /// Whether the failure was in writing the output.
    pub fn is_write(&self) -> bool {
        matches!(self.kind, ErrorKind::Write(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::UnknownKind(name) => {
                let known: Vec<&str> = crate::Kind::ALL.iter().map(crate::Kind::label).collect();
                write!(f, "unknown type {name:?}; ")?;
                match &near(&name.to_ascii_uppercase(), &known)[..] {
                    [] => write!(f, "known are {}", known.join(", ")),
                    near => write!(
                        f,
                        "did you mean {}? Known are {}",
                        near.join(" or "),
                        known.join(", ")
                    ),
                }
            }
            ErrorKind::UnknownRegion { name, near } => {
                write!(
                    f,
                    "unknown region {name:?}; regions are two-letter codes such as NL, US or GB"
                )?;
                if !near.is_empty() {
                    write!(f, " (near: {})", near.join(", "))?;
                }
                Ok(())
            }
            ErrorKind::BadIpKeep(word) => write!(
                f,
                "cannot keep {word:?}: use private, link-local, documentation or a CIDR block"
            ),
            ErrorKind::UnknownFormat(name) => {
                write!(f, "unknown format {name:?}; known are auto, text and json")
            }
            ErrorKind::UnknownJsonNumbers(name) => write!(
                f,
                "unknown way to treat JSON numbers {name:?}; known are quote and keep"
            ),
            ErrorKind::UnknownApi(name) => write!(
                f,
                "unknown API {name:?}; known are auto, none, openai-chat, openai-responses, \
                 openai-other, anthropic, gemini, ollama, bedrock and mcp"
            ),
            ErrorKind::NotJson { line, column } => {
                write!(f, "not JSON: line {line}, column {column}")
            }
            ErrorKind::BadHashLength(n) => {
                write!(f, "hash length {n} is not an even number from 8 to 64")
            }
            ErrorKind::Key { place, reason } => write!(f, "{place}: {reason}"),
            ErrorKind::Place {
                file, line, what, ..
            } if *line == 0 => write!(f, "{file}: {what}"),
            ErrorKind::Place {
                file,
                line,
                column,
                what,
            } => write!(f, "{file}:{line}:{column}: {what}"),
            ErrorKind::TooManyRules => {
                f.write_str("the rules of all packs together are too many, or too big")
            }
            ErrorKind::Read(error) => write!(f, "cannot read the input: {error}"),
            ErrorKind::Write(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.io_error().map(|error| error as _)
    }
}
