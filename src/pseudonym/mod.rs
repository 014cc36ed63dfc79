//! Placeholders: the key, the keyed hash, and the grammar of `[[TYPE_hash]]`.

mod hash;
mod key;
pub(crate) mod placeholder;

pub use key::Key;
