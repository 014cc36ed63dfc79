//! The keyed hash: HMAC-SHA256 (RFC 2104, FIPS 180-4). The one place that
//! imports `hmac` and `sha2`.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::key::{KEY_LEN, Key};

/// The length of a hash, in bytes.
pub(crate) const HASH_LEN: usize = 32;

/// HMAC-SHA256 under one key, keyed once: each value starts from a copy of the
/// state, which costs two compressions less than to begin with the key.
///
/// The state is as secret as the key. It is zeroized on drop (the feature
/// `zeroize` of `hmac` and `sha2`).
#[derive(Clone)]
pub(crate) struct Hasher {
    state: Hmac<Sha256>,
}

impl Hasher {
    /// Takes up the key.
    pub(crate) fn new(key: &Key) -> Self {
        Hasher {
            state: keyed(key.bytes()),
        }
    }

    /// The hash of a value: HMAC-SHA256(key, `label` ‖ 0x00 ‖ `canonical`).
    ///
    /// `label` is the TYPE. It is hashed too, so that the same digits as a PHONE
    /// and as a CARD cannot be joined; it never holds a zero byte.
    pub(crate) fn hash(&self, label: &str, canonical: &[u8]) -> [u8; HASH_LEN] {
        finish(self.state.clone(), label, canonical)
    }
}

/// One HMAC-SHA256(`key`, `label` ‖ 0x00 ‖ `message`), for what is derived from a key.
pub(super) fn derive(key: &[u8; KEY_LEN], label: &str, message: &[u8]) -> [u8; HASH_LEN] {
    finish(keyed(key), label, message)
}

fn keyed(key: &[u8; KEY_LEN]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes a key of any length")
}

fn finish(mut state: Hmac<Sha256>, label: &str, message: &[u8]) -> [u8; HASH_LEN] {
    state.update(label.as_bytes());
    state.update(&[0]);
    state.update(message);
    state.finalize().into_bytes().into()
}
