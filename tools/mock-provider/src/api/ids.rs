//! Ids, fingerprints and signatures that look like the real ones but follow from the request
//! alone: the same request gets the same answer.

use serde_json::Value;

/// The time of every answer, in epoch seconds: 2026-01-01T00:00:00Z.
pub(crate) const CREATED: u64 = 1_767_225_600;

const ALNUM: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A stream of ids for one answer; not for secrets.
pub(crate) struct Ids {
    state: u64,
}

impl Ids {
    pub(crate) fn of(request: &Value) -> Self {
        // FNV-1a, 64 bits (RFC 9923): its result is the same everywhere and for good.
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Ids {
            state: request
                .to_string()
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325, fold),
        }
    }

    /// `prefix` and `len` letters and digits.
    pub(crate) fn alnum(&mut self, prefix: &str, len: usize) -> String {
        self.push(prefix, ALNUM, len)
    }

    /// `prefix` and `len` lower-case hex digits.
    pub(crate) fn hex(&mut self, prefix: &str, len: usize) -> String {
        self.push(prefix, b"0123456789abcdef", len)
    }

    /// Base64 of `bytes` bytes, with its padding.
    pub(crate) fn base64(&mut self, bytes: usize) -> String {
        let groups = self.push("", BASE64, bytes / 3 * 4);
        // The last digit of an open group holds 2 or 4 bits: the others of it are zero.
        match bytes % 3 {
            1 => self.push(&groups, BASE64, 1) + &self.push("", b"AQgw", 1) + "==",
            2 => self.push(&groups, BASE64, 2) + &self.push("", b"AEIMQUYcgkosw048", 1) + "=",
            _ => groups,
        }
    }

    fn push(&mut self, prefix: &str, alphabet: &[u8], len: usize) -> String {
        let count = alphabet.len() as u64;
        let mut out = String::from(prefix);
        for _ in 0..len {
            let at = (self.next() % count) as usize;
            out.push(alphabet.get(at).copied().map_or('0', char::from));
        }
        out
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ids_follow_from_the_request_alone_and_differ_within_an_answer() {
        let (mut one, mut two) = (Ids::of(&json!({"a": 1})), Ids::of(&json!({"a": 1})));
        let first = one.alnum("call_", 24);
        assert_eq!(first, two.alnum("call_", 24));
        assert_eq!(first.len(), 29);
        assert_ne!(first, one.alnum("call_", 24));
        assert_ne!(first, Ids::of(&json!({"a": 2})).alnum("call_", 24));
    }

    #[test]
    fn base64_has_the_length_of_its_bytes() {
        let mut ids = Ids::of(&json!({}));
        for (bytes, padding) in [(268, "=="), (269, "="), (270, "")] {
            let text = ids.base64(bytes);
            assert_eq!(text.len(), 360);
            assert!(
                text.trim_end_matches('=').len() + padding.len() == 360 && text.ends_with(padding)
            );
        }
    }
}
