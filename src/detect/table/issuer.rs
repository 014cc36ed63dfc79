//! Who issues a payment card number: the ranges of leading digits (IIN, ISO/IEC 7812) of the
//! networks, and how many digits their numbers have.
//!
//! The full register of ISO/IEC 7812 is not public. Compiled in December 2026: the larger networks
//! after the open table of `braintree/credit-card-type` (MIT), which was read; the others (Mir, Troy,
//! RuPay, Verve, Elo, Dankort, NAPAS, …) after what is commonly published of them (the networks'
//! notices, `active_merchant`, Wikipedia's "Payment card number"), not checked row by row.
//!
//! Left out on purpose: UATP (all of `1…`: time stamps, IMEI, serial numbers), all of `6…` for
//! Maestro (parcel numbers), private-label and fuel cards, which no network routes.

/// Lengths as bits: bit `n` for `n` digits.
type Lengths = u32;

const fn lengths(list: &[u32]) -> Lengths {
    let mut mask = 0;
    let mut i = 0;
    while i < list.len() {
        mask |= 1 << list[i];
        i += 1;
    }
    mask
}

const FIFTEEN: Lengths = lengths(&[15]);
const SIXTEEN: Lengths = lengths(&[16]);
const SIXTEEN_UP: Lengths = lengths(&[16, 17, 18, 19]);
const VISA: Lengths = lengths(&[13, 16, 18, 19]);
const DINERS: Lengths = lengths(&[14, 16, 19]);
const DISCOVER: Lengths = lengths(&[16, 19]);
const MAESTRO: Lengths = lengths(&[12, 13, 14, 15, 16, 17, 18, 19]);
const VERVE: Lengths = lengths(&[16, 18, 19]);

/// First and last value of the six leading digits, and the lengths in use.
struct Range(u32, u32, Lengths);

/// Sorted, without overlaps: where two networks share a range, the row says what either takes.
#[rustfmt::skip]
const RANGES: &[Range] = &[
    Range(180_000, 180_099, FIFTEEN),    // JCB, old
    Range(213_100, 213_199, FIFTEEN),    // JCB, old
    Range(220_000, 220_499, SIXTEEN_UP), // Mir
    Range(220_500, 220_599, SIXTEEN),    // Borica (Bulgaria)
    Range(222_100, 272_099, SIXTEEN),    // Mastercard, 2-series
    Range(300_000, 305_999, DINERS),     // Diners Club
    Range(309_500, 309_599, DINERS),     // Diners Club
    Range(340_000, 349_999, FIFTEEN),    // American Express
    Range(352_800, 358_999, SIXTEEN_UP), // JCB, LankaPay, RuPay with JCB
    Range(360_000, 369_999, DINERS),     // Diners Club
    Range(370_000, 379_999, FIFTEEN),    // American Express
    Range(380_000, 399_999, DINERS),     // Diners Club, old Hipercard
    Range(400_000, 499_999, VISA),       // Visa, with Elo, Dankort and Maestro on it
    Range(500_000, 509_999, MAESTRO),    // Maestro, Dankort 5019, Elo 5067 and 509, Verve 5061, RuPay 508
    Range(510_000, 559_999, SIXTEEN),    // Mastercard
    Range(560_000, 589_999, MAESTRO),    // Maestro, Uzcard 5614, Cabal 589657
    Range(601_100, 601_199, DISCOVER),   // Discover
    Range(603_522, 603_522, SIXTEEN),    // Cabal
    Range(604_001, 604_200, SIXTEEN_UP), // UkrCard (Prostir)
    Range(604_201, 604_400, SIXTEEN),    // Cabal
    Range(606_282, 606_282, SIXTEEN),    // Hipercard
    Range(606_985, 607_984, SIXTEEN),    // RuPay
    Range(608_001, 608_500, SIXTEEN),    // RuPay
    Range(620_000, 629_999, SIXTEEN_UP), // UnionPay, Discover with UnionPay, Elo 627780
    Range(630_400, 630_499, MAESTRO),    // Maestro, Laser
    Range(633_100, 633_499, VERVE),      // Switch and Solo (16, 18, 19), closed, still on file
    Range(636_297, 636_297, SIXTEEN),    // Elo
    Range(636_368, 636_368, SIXTEEN),    // Elo
    Range(637_095, 637_095, SIXTEEN),    // Hiper
    Range(637_374, 637_374, SIXTEEN),    // Hiper
    Range(637_433, 637_433, SIXTEEN),    // Hiper
    Range(637_568, 637_568, SIXTEEN),    // Hiper
    Range(637_599, 637_599, SIXTEEN),    // Hiper
    Range(637_609, 637_609, SIXTEEN),    // Hiper
    Range(637_612, 637_612, SIXTEEN),    // Hiper
    Range(639_000, 639_099, MAESTRO),    // Maestro
    Range(644_000, 650_001, DISCOVER),   // Discover
    Range(650_002, 650_027, VERVE),      // Verve
    Range(650_028, 659_999, DISCOVER),   // Discover, Elo, RuPay, Troy, BCcard
    Range(670_000, 679_999, MAESTRO),    // Maestro, Bancontact 6703, Solo 6767
    Range(810_000, 817_199, SIXTEEN_UP), // UnionPay
    Range(817_200, 820_199, SIXTEEN),    // RuPay
    Range(860_000, 860_099, SIXTEEN),    // Uzcard
    Range(970_400, 970_499, DISCOVER),   // NAPAS (Vietnam): 16 and 19
    Range(979_200, 979_299, SIXTEEN),    // Troy
    Range(986_000, 986_099, SIXTEEN),    // Humo
];

/// What the table says about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Issuer(Lengths);

impl Issuer {
    /// Whether numbers of this range may have `len` digits.
    pub(crate) fn has_length(self, len: usize) -> bool {
        u32::try_from(len)
            .ok()
            .and_then(|len| 1_u32.checked_shl(len))
            .is_some_and(|bit| self.0 & bit != 0)
    }
}

/// For each two leading digits, the lengths of all ranges that begin with them.
const BY_TWO: [Lengths; 100] = {
    let mut all = [0; 100];
    let mut i = 0;
    while i < RANGES.len() {
        let mut two = RANGES[i].0 / 10_000;
        while two <= RANGES[i].1 / 10_000 {
            all[two as usize] |= RANGES[i].2;
            two += 1;
        }
        i += 1;
    }
    all
};

/// Whether a number of `len` digits may begin with the two ASCII digits `head`: a cheap look.
pub(crate) fn may_begin(head: [u8; 2], len: usize) -> bool {
    Issuer(by_two(head)).has_length(len)
}

/// Whether any number begins with the two ASCII digits `head`.
pub(crate) fn begins(head: [u8; 2]) -> bool {
    by_two(head) != 0
}

fn by_two(head: [u8; 2]) -> Lengths {
    let [tens, ones] = head.map(|byte| usize::from(byte.wrapping_sub(b'0')));
    BY_TWO.get(10 * tens + ones).copied().unwrap_or(0)
}

/// What is known of a number by its first three digits.
#[derive(Clone, Copy)]
enum ByThree {
    /// All of them are of one range, or of none.
    One(Lengths),
    /// The next three decide.
    Many,
}

const BY_THREE: [ByThree; 1_000] = {
    let mut all = [ByThree::One(0); 1_000];
    let mut i = 0;
    while i < RANGES.len() {
        let Range(first, last, lengths) = RANGES[i];
        let mut three = first / 1_000;
        while three <= last / 1_000 {
            let whole = first <= three * 1_000 && three * 1_000 + 999 <= last;
            all[three as usize] = if whole {
                ByThree::One(lengths)
            } else {
                ByThree::Many
            };
            three += 1;
        }
        i += 1;
    }
    all
};

/// The range that `digits` (ASCII, at least six) begins in.
pub(crate) fn issuer(digits: &[u8]) -> Option<Issuer> {
    let value = |digits: &[u8]| {
        digits.iter().try_fold(0, |sum, &byte| {
            byte.is_ascii_digit()
                .then(|| sum * 10 + u32::from(byte - b'0'))
        })
    };
    let three = value(digits.get(..3)?)?;
    let rest = value(digits.get(3..6)?)?;
    match BY_THREE.get(three as usize)? {
        ByThree::One(0) => None,
        ByThree::One(lengths) => Some(Issuer(*lengths)),
        ByThree::Many => range(three * 1_000 + rest),
    }
}

/// The range of six digits.
fn range(prefix: u32) -> Option<Issuer> {
    let next = RANGES.partition_point(|range| range.0 <= prefix);
    let range = RANGES.get(next.checked_sub(1)?)?;
    (prefix <= range.1).then_some(Issuer(range.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_without_overlaps() {
        for range in RANGES {
            assert!(range.0 <= range.1 && (100_000..1_000_000).contains(&range.1));
            assert_ne!(range.2, 0);
        }
        for pair in RANGES.windows(2) {
            assert!(pair[0].1 < pair[1].0, "{} and {}", pair[0].1, pair[1].0);
        }
    }

    #[test]
    fn three_digits_tell_what_the_ranges_tell() {
        for prefix in 0..1_000_000 {
            let digits = format!("{prefix:06}");
            assert_eq!(issuer(digits.as_bytes()), range(prefix), "{digits}");
        }
    }

    #[test]
    fn two_digits_tell_at_least_as_much() {
        for range in RANGES {
            for prefix in [range.0, range.1] {
                let digits = format!("{prefix:06}");
                let head = *digits.as_bytes().first_chunk().unwrap();
                let takes = |len| issuer(digits.as_bytes()).unwrap().has_length(len);
                assert!((0..32).all(|len| takes(len) <= may_begin(head, len)));
            }
        }
        assert!(begins(*b"41") && !begins(*b"10") && !begins(*b"7a"));
        assert!(!may_begin(*b"10", 16) && !may_begin(*b"40", 15) && !may_begin(*b"4a", 16));
    }

    #[test]
    fn lookups() {
        let takes = |prefix: &[u8], len| issuer(prefix).is_some_and(|i| i.has_length(len));
        assert!(takes(b"411111", 16) && takes(b"499999", 13) && !takes(b"400000", 15));
        assert!(takes(b"222100", 16) && takes(b"272099", 16));
        assert!(!takes(b"222099", 16) && !takes(b"272100", 16));
        assert!(takes(b"371449", 15) && !takes(b"371449", 16));
        assert!(takes(b"352800", 19) && !takes(b"352799", 16) && !takes(b"359000", 16));
        assert!(takes(b"650001", 16) && takes(b"650002", 18) && !takes(b"650028", 18));
        assert!(!takes(b"100000", 16) && !takes(b"122000", 15) && !takes(b"899911", 19));
        assert!(!takes(b"612999", 16), "no Maestro in all of 6");
        assert!(!takes(b"999999", 16) && !takes(b"000000", 16));
        assert!(issuer(b"4111").is_none() && issuer(b"4111a1").is_none());
        assert!(!Issuer(u32::MAX).has_length(64));
    }
}
