//! The keyed hash: HMAC-SHA256 (RFC 2104, FIPS 180-4). The one place that
//! imports `hmac` and `sha2`.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sha2::block_api::compress256;
use zeroize::{Zeroize, Zeroizing};

use super::key::{KEY_LEN, Key};

/// The length of a hash, in bytes.
pub(crate) const HASH_LEN: usize = 32;

/// The length of a block of SHA-256, in bytes.
const BLOCK: usize = 64;
/// The bytes of a message that fit into its last block, before the padding.
const LAST: usize = BLOCK - 9;

/// A state of SHA-256.
type State = [u32; 8];

/// The state that SHA-256 begins with (FIPS 180-4, section 5.3.3).
const BEGIN: State = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// HMAC-SHA256 under one key, keyed once: each value starts from the two states behind the key, and
/// costs two compressions, or one more for each 64 bytes above 55. The `hmac` crate, which the tests
/// hold it to, moves its buffers about as well: 140 ns a value against 105.
///
/// The states are as secret as the key. They are zeroized on drop.
#[derive(Clone)]
pub(crate) struct Hasher {
    inner: State,
    outer: State,
}

impl Hasher {
    /// Takes up the key.
    pub(crate) fn new(key: &Key) -> Self {
        let behind = |pad: u8| {
            let mut block = Zeroizing::new([pad; BLOCK]);
            for (byte, key) in block.iter_mut().zip(key.bytes()) {
                *byte ^= key;
            }
            let mut state = BEGIN;
            compress256(&mut state, std::slice::from_ref(&*block));
            state
        };
        Hasher {
            inner: behind(0x36),
            outer: behind(0x5c),
        }
    }

    /// The hash of a value: HMAC-SHA256(key, `label` ‖ 0x00 ‖ `canonical`).
    ///
    /// `label` is the TYPE. It is hashed too, so that the same digits as a PHONE
    /// and as a CARD cannot be joined; it never holds a zero byte.
    pub(crate) fn hash(&self, label: &str, canonical: &[u8]) -> [u8; HASH_LEN] {
        let len = label.len() + 1 + canonical.len();
        let inner = if len <= LAST {
            // Nearly all values: one block.
            let mut block = padded(len);
            let (head, tail) = block.split_at_mut(label.len());
            for (to, byte) in head.iter_mut().zip(label.as_bytes()) {
                *to = *byte;
            }
            for (to, byte) in tail.iter_mut().skip(1).zip(canonical) {
                *to = *byte;
            }
            compressed(self.inner, block)
        } else {
            long(self.inner, [label.as_bytes(), &[0], canonical])
        };
        let mut block = padded(HASH_LEN);
        block[..HASH_LEN].copy_from_slice(&bytes(inner));
        bytes(compressed(self.outer, block))
    }
}

impl Drop for Hasher {
    fn drop(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

/// The last block of a message of which `len` bytes are in it, behind one block: all but those.
fn padded(len: usize) -> [u8; BLOCK] {
    padded_behind(len, BLOCK + len)
}

/// The same behind more blocks, for a message of `total` bytes.
fn padded_behind(len: usize, total: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[len] = 0x80;
    block[BLOCK - 8..].copy_from_slice(&(8 * total as u64).to_be_bytes());
    block
}

fn compressed(mut state: State, block: [u8; BLOCK]) -> State {
    compress256(&mut state, &[block]);
    state
}

fn bytes(state: State) -> [u8; HASH_LEN] {
    let mut bytes = [0; HASH_LEN];
    for (to, word) in bytes.chunks_exact_mut(4).zip(state) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    bytes
}

/// Goes on from a state behind one block with a message of any length.
fn long(mut state: State, parts: [&[u8]; 3]) -> State {
    let message = parts.concat();
    let (blocks, rest) = message.as_chunks();
    compress256(&mut state, blocks);
    let total = BLOCK + message.len();
    let mut block = [0; BLOCK];
    if rest.len() > LAST {
        block[..rest.len()].copy_from_slice(rest);
        block[rest.len()] = 0x80;
        state = compressed(state, block);
        block = [0; BLOCK];
        block[BLOCK - 8..].copy_from_slice(&(8 * total as u64).to_be_bytes());
    } else {
        block = padded_behind(rest.len(), total);
        block[..rest.len()].copy_from_slice(rest);
    }
    compressed(state, block)
}

/// One HMAC-SHA256(`key`, `label` ‖ 0x00 ‖ `message`), for what is derived from a key.
pub(super) fn derive(key: &[u8; KEY_LEN], label: &str, message: &[u8]) -> [u8; HASH_LEN] {
    let mut hmac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    hmac.update(label.as_bytes());
    hmac.update(&[0]);
    hmac.update(message);
    hmac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_length_is_hashed_as_the_crate_does() {
        let key = [0x5a; KEY_LEN];
        let hasher = Hasher::new(&Key::from_bytes(key));
        let message: Vec<u8> = (0..=255).cycle().take(400).collect();
        for label in ["IP", "EMAIL", "A_LONG_LABEL_OF_32_BYTES_IS_LEGAL"] {
            for len in 0..message.len() {
                let message = &message[..len];
                assert_eq!(
                    hasher.hash(label, message),
                    derive(&key, label, message),
                    "{len}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn every_key_is_hashed_as_the_crate_does(key: [u8; KEY_LEN], message: Vec<u8>) {
            let hasher = Hasher::new(&Key::from_bytes(key));
            prop_assert_eq!(hasher.hash("CARD", &message), derive(&key, "CARD", &message));
        }
    }
}
