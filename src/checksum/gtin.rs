//! The check digit of trade item numbers: EAN-13, UPC-A, ISBN-13 (GS1 General Specifications, 7.9).

/// Whether `digits`, which must be ASCII digits and nothing else, end in the right check digit:
/// weights 1 and 3 in turn from the right.
pub(crate) fn gtin(digits: &[u8]) -> bool {
    let sum = digits
        .iter()
        .rev()
        .enumerate()
        .try_fold(0, |sum, (i, &byte)| {
            let digit = char::from(byte).to_digit(10)?;
            Some((sum + digit * if i % 2 == 0 { 1 } else { 3 }) % 10)
        });
    !digits.is_empty() && sum == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        assert!(gtin(b"4006381333931"), "EAN-13");
        assert!(gtin(b"9783161484100"), "ISBN-13");
        assert!(gtin(b"036000291452"), "UPC-A");
        assert!(!gtin(b"4006381333932"));
        assert!(!gtin(b"5901234123458"));
        assert!(!gtin(b""));
        assert!(!gtin(b"400638133393X"));
    }
}
