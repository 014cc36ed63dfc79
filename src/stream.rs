//! Stream.
/// A stream.
pub struct Stream;
