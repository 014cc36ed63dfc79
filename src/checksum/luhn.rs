//! The Luhn check digit (ISO/IEC 7812-1, annex B), by the `luhn` crate.

/// Whether `digits`, which must be ASCII digits and nothing else, end in the right check digit.
///
/// The crate skips what is no digit, so callers hand it bare digits; anything else is refused.
pub(crate) fn luhn(digits: &[u8]) -> bool {
    !digits.is_empty()
        && digits.iter().all(u8::is_ascii_digit)
        && std::str::from_utf8(digits).is_ok_and(::luhn::valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        assert!(luhn(b"4111111111111111"));
        assert!(luhn(b"79927398713"));
        assert!(!luhn(b"4111111111111112"));
        assert!(!luhn(b""));
        assert!(!luhn(b"4111a1111b11111111"), "bare digits only");
        assert!(!luhn("４１１１１１１１１１１１１１１１".as_bytes()));
    }
}
