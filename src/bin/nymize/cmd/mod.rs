//! One file for each thing that the program does.

pub(crate) mod baseline;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod detectors;
pub(crate) mod filter;
pub(crate) mod inspect;
pub(crate) mod key;
pub(crate) mod man;
pub(crate) mod rules;
pub(crate) mod scan;
pub(crate) mod scrub;
