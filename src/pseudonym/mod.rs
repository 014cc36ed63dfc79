//! Placeholders: the key, the keyed hash, and the grammar of `[[TYPE_hash]]`.

mod hash;
mod key;
pub(crate) mod placeholder;

use hash::Hasher;
pub use key::Key;
pub(crate) use key::{KEY_LEN, decode_hex};

/// Writes placeholders: the keyed hash, and how many of its digits are shown.
pub(crate) struct Pseudonyms {
    hasher: Hasher,
    digits: usize,
}

impl Pseudonyms {
    /// `digits` is an even number from 8 to 64.
    pub(crate) fn new(key: &Key, digits: usize) -> Pseudonyms {
        Pseudonyms {
            hasher: Hasher::new(key),
            digits,
        }
    }

    /// Appends the placeholder of a value, given by its TYPE and its canonical form.
    pub(crate) fn render(&self, label: &str, canonical: &[u8], out: &mut Vec<u8>) {
        let hash = self.hasher.hash(label, canonical);
        placeholder::render(label, &hash, self.digits, out);
    }
}
