//! The secret under which values are hashed. No I/O here: key files are read and
//! made in `keyfile`.

use std::fmt;

use rand::TryRng;
use rand::rngs::SysRng;
use zeroize::Zeroizing;

use super::hash;
use crate::error::{Error, ErrorKind};

/// The length of a key, in bytes.
pub(crate) const KEY_LEN: usize = 32;

/// The label under which keys of scopes are derived. TYPEs are in capitals, so
/// no placeholder is ever made under it.
const SCOPE_LABEL: &str = "nymize scope";
/// The label under which fingerprints are derived.
const FINGERPRINT_LABEL: &str = "nymize fingerprint";
/// How many bytes of its HMAC a fingerprint shows.
const FINGERPRINT_LEN: usize = 8;

/// The secret under which values are hashed: 32 bytes.
///
/// Whoever holds it can test guesses ("is `[[PHONE_d24b7c03]]` this number?"), so
/// it is kept as a password is kept. It is zeroized on drop, and has no `Clone` and
/// no serialization; its `Debug` shows nothing of it.
///
/// ```
/// use nymize::Key;
///
/// let key = Key::from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")?;
/// assert_eq!(key.fingerprint(), "e36b669b95f32301");
/// # Ok::<(), nymize::Error>(())
/// ```
pub struct Key {
    bytes: Zeroizing<[u8; KEY_LEN]>,
    warnings: Vec<String>,
}

impl Key {
    /// A key of these 32 bytes, which should come from a good source of randomness.
    pub fn from_bytes(bytes: [u8; KEY_LEN]) -> Self {
        Key {
            bytes: Zeroizing::new(bytes),
            warnings: Vec::new(),
        }
    }

    /// A key from its 64 hex digits, in either case, with nothing around them.
    ///
    /// # Errors
    /// When the text is anything else. A key is never padded or cut.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        decode_hex(text.as_bytes())
            .map(Key::from_zeroizing)
            .ok_or_else(|| {
                Error::new(ErrorKind::Key {
                    place: "the key".to_owned(),
                    reason: format!("is not 64 hex digits, but {} bytes", text.len()),
                })
            })
    }

    /// A key for this process alone, from the randomness of the operating system.
    /// The placeholders of two such keys cannot be joined.
    ///
    /// # Panics
    /// When the operating system gives no random bytes.
    pub fn ephemeral() -> Self {
        Key::random().expect("the operating system gives random bytes")
    }

    /// Like [`Key::ephemeral`], for a caller that can pass the failure on.
    pub(crate) fn random() -> Result<Self, Error> {
        let mut bytes = Zeroizing::new([0; KEY_LEN]);
        SysRng.try_fill_bytes(&mut *bytes).map_err(|_| {
            Error::new(ErrorKind::Key {
                place: "no key was made".to_owned(),
                reason: "the operating system gives no random bytes".to_owned(),
            })
        })?;
        Ok(Key::from_zeroizing(bytes))
    }

    pub(crate) fn from_zeroizing(bytes: Zeroizing<[u8; KEY_LEN]>) -> Self {
        Key {
            bytes,
            warnings: Vec::new(),
        }
    }

    /// What is not as it should be with the file that the key was read from, though
    /// the key can be used: others can read it, or could until now. One sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    pub(crate) fn with_warnings(mut self, warnings: Vec<String>) -> Self {
        self.warnings = warnings;
        self
    }

    /// A fingerprint by which two machines can see that they hold the same key: the
    /// first 16 hex digits of HMAC-SHA256(key, "nymize fingerprint" ‖ 0x00). It is
    /// one-way, and no placeholder is made in the same way, so it may be shown to anybody.
    pub fn fingerprint(&self) -> String {
        let hash = hash::derive(&self.bytes, FINGERPRINT_LABEL, b"");
        let (shown, _) = hash.split_at(FINGERPRINT_LEN);
        hex::encode(shown)
    }

    /// The key of a scope: HMAC-SHA256(key, "nymize scope" ‖ 0x00 ‖ `scope`); this key
    /// itself where `scope` is empty.
    pub(crate) fn scoped(&self, scope: &str) -> Key {
        if scope.is_empty() {
            return Key::from_zeroizing(self.bytes.clone());
        }
        let derived = hash::derive(&self.bytes, SCOPE_LABEL, scope.as_bytes());
        Key::from_bytes(derived)
    }

    pub(crate) fn bytes(&self) -> &[u8; KEY_LEN] {
        &self.bytes
    }
}

impl fmt::Debug for Key {
    /// Shows that it is a key, and nothing of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

/// Exactly 64 hex digits as the 32 bytes that they stand for.
pub(crate) fn decode_hex(digits: &[u8]) -> Option<Zeroizing<[u8; KEY_LEN]>> {
    let mut bytes = Zeroizing::new([0; KEY_LEN]);
    hex::decode_to_slice(digits, &mut *bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::hash::Hasher;
    use super::*;

    /// The bytes 0, 1, … 31.
    const HEX: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    fn key() -> Key {
        Key::from_hex(HEX).unwrap()
    }

    /// label, canonical value, HMAC-SHA256 as Python's `hmac` gives it.
    const VECTORS: &[(&str, &str, &str)] = &[
        (
            "EMAIL",
            "jan@noordwind.nl",
            "e75e28dcee6c7965d4deccb03fad5c5493dc3a19bccaae3af50a96f82aa138ad",
        ),
        (
            "EMAIL",
            "stra\u{df}e@xn--strae-oqa.example",
            "1ed84717111466d06675f0516170bc0a1bec00bb0470e0bb007143971bd5e5d3",
        ),
        (
            "IBAN",
            "NL91ABNA0417164300",
            "1bcbdb2c72fc1bebede5cad346db4b8094e35b36322e9f83a991640e5e271cd8",
        ),
        (
            "CARD",
            "4111111111111111",
            "1c23d9b3e881d1fa254ce4a12e0794f630f4ba56e5f7775abe13ba1a1f5a1fbb",
        ),
        (
            "PHONE",
            "+31612345678",
            "ea44edfc3b460e98c27e08b98192ae56f97ea3f5b68aef0cb65209c1208b52f1",
        ),
        (
            "PHONE",
            "+14155552671;ext=12",
            "a06c886f3c281ebd1d6e8ed4688846b8bdfc2a36f3cb5fe056ed4eba7f9c09c5",
        ),
        (
            "IP",
            "2001:db8::1",
            "0bff9aa83d5c905e3a0676947652bb87c05687126aca0b81302b3747fe4e85fa",
        ),
        (
            "IP",
            "192.0.2.1",
            "ff4fd085220e5aba73a929a33f7aebe8503cf2e0dca3d93a1566164729cce15b",
        ),
        (
            "PHONE",
            "4111111111111111",
            "8684acefc9e7fff4e372c6dd0a21959b6e886062cb05d830d15f22389da517b3",
        ),
        (
            "A",
            "",
            "f2c9218359ab810cf25587c3cbacf0cd12d604bd707a87c8d3da84180d7026aa",
        ),
    ];

    #[test]
    fn hashes_are_frozen() {
        let hasher = Hasher::new(&key());
        for (label, canonical, expected) in VECTORS {
            let hash = hasher.hash(label, canonical.as_bytes());
            assert_eq!(hex::encode(hash), *expected, "{label} {canonical}");
        }
    }

    #[test]
    fn scopes_are_frozen() {
        for (scope, expected) in [
            (
                "",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            ),
            (
                "tenant-1",
                "7a844940ae728ceac0678924555faeb79c971ea2b91c0e10e93105c4a413d610",
            ),
            (
                "tenant-2",
                "50c39747eaa5d8af6b8546e81a42e791a6f58372ef36d8112ae01bcd7b615e94",
            ),
            (
                "é",
                "f1cf6699672f19e9e001bef0d416d09034e31566afe58cbb6036f0db1b4de817",
            ),
        ] {
            assert_eq!(
                hex::encode(key().scoped(scope).bytes()),
                expected,
                "{scope:?}"
            );
        }
    }

    #[test]
    fn fingerprint_is_frozen() {
        assert_eq!(key().fingerprint(), "e36b669b95f32301");
        assert_ne!(key().scoped("a").fingerprint(), key().fingerprint());
    }

    #[test]
    fn only_64_hex_digits_are_a_key() {
        assert_eq!(key().bytes()[31], 31);
        assert_eq!(
            Key::from_hex(&HEX.to_uppercase()).unwrap().bytes(),
            key().bytes()
        );
        let bad = [
            String::new(),
            HEX[1..].to_owned(),
            HEX[2..].to_owned(),
            format!("{HEX}0"),
            format!("{HEX}00"),
            format!("{HEX}\n"),
            format!(" {}", &HEX[1..]),
            format!("{}g", &HEX[1..]),
            format!("0x{}", &HEX[2..]),
            "é".repeat(32),
        ];
        for text in bad {
            let error = Key::from_hex(&text).unwrap_err().to_string();
            assert!(!error.contains("1a1b"), "{error}");
        }
    }

    #[test]
    fn ephemeral_keys_differ() {
        assert_ne!(Key::ephemeral().bytes(), Key::ephemeral().bytes());
    }

    #[test]
    fn debug_shows_nothing() {
        assert_eq!(format!("{:?}", key()), "Key { .. }");
    }
}
