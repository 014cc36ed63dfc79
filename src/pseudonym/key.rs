//! Key.
/// The secret under which values are hashed.
pub struct Key;
