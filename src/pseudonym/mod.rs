//! Placeholders: the key, the keyed hash, and the grammar of `[[TYPE_hash]]`.

mod hash;
mod key;
pub(crate) mod placeholder;

pub(crate) use hash::Hasher;
pub use key::Key;
pub(crate) use key::{KEY_LEN, decode_hex};
