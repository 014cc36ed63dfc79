//! Constant data, sorted, with source and date.

pub(crate) mod iban;
pub(crate) mod issuer;
pub(crate) mod tld;
