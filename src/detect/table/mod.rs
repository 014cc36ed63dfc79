//! Constant data, sorted, with source and date.

pub(crate) mod tld;
