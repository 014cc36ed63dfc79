//! Constant data, sorted, with source and date.
