//! The engine: an immutable, shareable value.
/// The engine.
pub struct Pseudonymizer;
/// Builds a [`Pseudonymizer`].
pub struct Builder;
/// Findings by kind.
pub struct Counts;
