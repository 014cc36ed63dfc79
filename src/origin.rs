//! Where a setting comes from, so that messages and `config show` can tell.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, ErrorKind};
use crate::yaml::Place;

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// A place of a configuration file.
    File {
        /// The file, as it was named or found.
        file: Arc<str>,
        /// The line, from 1.
        line: u64,
        /// The column, from 1, in characters.
        column: u64,
    },
    /// An environment variable.
    Variable(&'static str),
    /// An option of a command line.
    Option(&'static str),
}

impl Origin {
    pub(crate) fn file(file: &Arc<str>, place: Place) -> Origin {
        Origin::File {
            file: file.clone(),
            line: place.line,
            column: place.column,
        }
    }

    /// Whether both are of one source: the same file, variable or option.
    pub(crate) fn is_beside(&self, other: &Origin) -> bool {
        match (self, other) {
            (Origin::File { file: a, .. }, Origin::File { file: b, .. }) => a == b,
            _ => self == other,
        }
    }

    /// An error that names this place, and never what stands there.
    pub(crate) fn error(&self, what: impl Into<String>) -> Error {
        let (file, line, column) = match self {
            Origin::File { file, line, column } => (&**file, *line, *column),
            Origin::Variable(name) | Origin::Option(name) => (*name, 0, 0),
        };
        Error::new(ErrorKind::Place {
            file: file.to_owned(),
            line,
            column,
            what: what.into(),
        })
    }
}

impl fmt::Display for Origin {
    /// `FILE:LINE:COLUMN`, or the name of the variable or the option.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File { file, line, column } => write!(f, "{file}:{line}:{column}"),
            Origin::Variable(name) | Origin::Option(name) => f.write_str(name),
        }
    }
}
