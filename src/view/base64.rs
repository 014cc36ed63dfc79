//! Base64 (RFC 4648, both alphabets), read a piece at a time.

/// How many bytes of a payload are decoded at once.
const PIECE: usize = 16 * 1024;

/// The bytes that a payload, as it stands in a JSON string, is made of, in pieces. What is no digit
/// (line ends, a `data:` head) is passed over; the first `=` ends it.
pub(crate) fn decode(payload: &[u8], mut piece: impl FnMut(&[u8])) {
    let head = match payload.starts_with(b"data:") {
        true => payload.iter().position(|&b| b == b',').map_or(0, |i| i + 1),
        false => 0,
    };
    let mut out = Vec::with_capacity(PIECE + 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    let mut bytes = payload[head..].iter();
    while let Some(&byte) = bytes.next() {
        let digit = match byte {
            b'\\' if bytes.next() == Some(&b'/') => 63,
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(((bits >> count) & 0xFF) as u8);
            bits &= (1 << count) - 1;
        }
        if out.len() >= PIECE {
            piece(&out);
            out.clear();
        }
    }
    piece(&out);
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_alphabets_heads_and_escapes_are_read() {
        for (payload, text) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm9vYmFy", "foobar"),
            ("data:text/plain;base64,Zm9v", "foo"),
            ("Pz8_", "???"),
            ("Pz8\\/", "???"),
            ("Zm9v\\nYmFy", "foobar"),
        ] {
            let mut out = Vec::new();
            super::decode(payload.as_bytes(), |piece| out.extend_from_slice(piece));
            assert_eq!(String::from_utf8_lossy(&out), text, "{payload}");
        }
    }
}
