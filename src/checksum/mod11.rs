//! ISO 7064 MOD 11-2, as the Chinese resident number uses it (GB 11643-1999).

/// Whether `chars` (ASCII digits, the last may be `X` for ten) end in the right check character.
pub(crate) fn mod11_2(chars: &[u8]) -> bool {
    let Some((last, body)) = chars.split_last() else {
        return false;
    };
    let last = match last {
        b'X' | b'x' => Some(10),
        &byte => char::from(byte).to_digit(10),
    };
    let sum = body.iter().try_fold(0, |sum, &byte| {
        char::from(byte)
            .to_digit(10)
            .map(|digit| (sum + digit) * 2 % 11)
    });
    match (sum, last) {
        (Some(sum), Some(last)) => (sum + last) % 11 == 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        assert!(mod11_2(b"11010519491231002X"), "the example of GB 11643");
        assert!(mod11_2(b"440524188001010014"));
        assert!(!mod11_2(b"440524188001010015"));
        assert!(!mod11_2(b"4405241880010100 4"));
        assert!(!mod11_2(b""));
    }
}
