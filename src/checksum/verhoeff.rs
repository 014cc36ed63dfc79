//! The Verhoeff check digit (J. Verhoeff, "Error Detecting Decimal Codes", Mathematical Centre Tract 29,
//! Amsterdam 1969), as India's Aadhaar uses it: a walk through the dihedral group of order ten, which
//! notices every single wrong digit and every swap of neighbours.

/// The permutation that a place of the number applies; place *n* applies it *n* times. It has order 8.
const PERMUTATION: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/// Whether `digits`, which must be ASCII digits and nothing else, end in the right check digit.
pub(crate) fn verhoeff(digits: &[u8]) -> bool {
    let sum = digits
        .iter()
        .rev()
        .enumerate()
        .try_fold(0, |sum, (place, byte)| {
            let digit = byte
                .is_ascii_digit()
                .then(|| (0..place % 8).fold(byte - b'0', |d, _| PERMUTATION[usize::from(d)]))?;
            Some(times(sum, digit))
        });
    !digits.is_empty() && sum == Some(0)
}

/// The product of two elements of the dihedral group of order ten: 0 to 4 turn a pentagon, 5 to 9
/// reflect it first.
fn times(a: u8, b: u8) -> u8 {
    match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => 5 + (a + b) % 5,
        (false, true) => 5 + (a + 5 - b) % 5,
        (false, false) => (a + 5 - b) % 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        assert!(verhoeff(b"2363"), "the example that encyclopedias give");
        assert!(verhoeff(b"1428570"));
        assert!(verhoeff(b"123451"));
        assert!(verhoeff(b"0"));
        assert!(!verhoeff(b"2364"));
        assert!(!verhoeff(b"3263"), "a swap is noticed");
        assert!(!verhoeff(b""));
        assert!(!verhoeff(b"236 3"), "bare digits only");
    }

    /// The table of the group as it is printed everywhere.
    #[test]
    fn the_group_is_the_printed_one() {
        const TABLE: [[u8; 10]; 10] = [
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
            [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
            [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
            [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
            [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
            [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
            [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
            [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
            [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        ];
        for (a, row) in (0..).zip(TABLE) {
            for (b, product) in (0..).zip(row) {
                assert_eq!(times(a, b), product, "{a} times {b}");
            }
        }
    }

    /// What the code is for: of all numbers of five digits, a wrong digit or a swap never passes.
    #[test]
    fn every_slip_of_one_digit_and_every_swap_is_noticed() {
        for number in 0..10_000_u32 {
            let text = format!("{number:04}");
            let right: Vec<u8> = (b'0'..=b'9')
                .map(|check| [text.as_bytes(), &[check]].concat())
                .find(|all| verhoeff(all))
                .unwrap();
            for i in 0..right.len() {
                let mut slip = right.clone();
                slip[i] = b'0' + (slip[i] - b'0' + 1) % 10;
                assert!(!verhoeff(&slip));
                let mut swapped = right.clone();
                swapped.swap(i, (i + 1) % right.len());
                let neighbours = i + 1 < right.len();
                assert!(!neighbours || swapped == right || !verhoeff(&swapped));
            }
        }
    }
}
