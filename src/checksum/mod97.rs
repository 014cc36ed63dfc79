//! ISO 7064 MOD 97-10, as ISO 13616 uses it: letters count as 10 to 35.

/// The remainder of `chars` by 97; `None` where a byte is no ASCII letter or digit.
///
/// An IBAN is right when the remainder of its characters, the first four moved to the end, is 1.
pub(crate) fn mod97(chars: impl IntoIterator<Item = u8>) -> Option<u32> {
    /// Division is slow: it waits until two more digits might not fit.
    const MUCH: u64 = u64::MAX / 1_000;
    let sum = chars.into_iter().try_fold(0_u64, |sum, byte| {
        let sum = match byte {
            b'0'..=b'9' => sum * 10 + u64::from(byte - b'0'),
            b'A'..=b'Z' => sum * 100 + u64::from(byte - b'A') + 10,
            b'a'..=b'z' => sum * 100 + u64::from(byte - b'a') + 10,
            _ => return None,
        };
        Some(if sum > MUCH { sum % 97 } else { sum })
    })?;
    u32::try_from(sum % 97).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_have_the_remainder_of_their_steps() {
        let mut expected = 0;
        let mut chars = Vec::new();
        for byte in (b'0'..=b'9').chain(b'A'..=b'Z').cycle().take(500) {
            chars.push(byte);
            let value = char::from(byte).to_digit(36).unwrap();
            expected = (expected * if value < 10 { 10 } else { 100 } + value) % 97;
            assert_eq!(mod97(chars.iter().copied()), Some(expected));
        }
    }

    #[test]
    fn known_numbers() {
        let moved = |iban: &str| mod97(iban.bytes().skip(4).chain(iban.bytes().take(4)));
        assert_eq!(moved("DE89370400440532013000"), Some(1));
        assert_eq!(moved("nl91abna0417164300"), Some(1));
        assert_eq!(moved("DE89370400440532013001"), Some(28));
        assert_eq!(moved("DE89 3704"), None);
    }
}
