//! How findings are shown.

pub(crate) mod diff;
pub(crate) mod json;
pub(crate) mod locate;
pub(crate) mod preview;
pub(crate) mod text;

use std::path::Path;

use nymize::Kind;

/// What `scan` tells of one finding.
#[derive(Debug)]
pub(crate) struct Record<'r> {
    /// As it was named; none for stdin.
    pub(crate) path: Option<&'r Path>,
    /// The line, from 1.
    pub(crate) line: u64,
    /// The column, from 1, in characters.
    pub(crate) column: u64,
    /// The first byte, in the raw input.
    pub(crate) start: u64,
    /// The byte behind the last, in the raw input.
    pub(crate) end: u64,
    pub(crate) kind: Kind,
    pub(crate) placeholder: &'r str,
    /// The value, when it was asked for.
    pub(crate) value: Option<&'r str>,
}
