//! The countries whose account numbers have the form of an IBAN, with the structure of
//! their BBAN (what follows the two check digits).
//!
//! Sources:
//! - [`Origin::Registry`]: the SWIFT IBAN registry (ISO 13616), release 99, December 2024:
//!   all of its 89 countries.
//! - [`Origin::Territory`]: codes that the same release lists under "country code includes
//!   other countries/territories"; banks there print them in place of the mother country's.
//! - [`Origin::National`]: schemes in use that their countries have not registered with SWIFT
//!   (Algeria, Iran, Morocco, the franc zones of Africa, …), as they are commonly published
//!   (Wikipedia, "International Bank Account Number", partial adopters); not checked one by one.
//!   Where BCEAO banks are coded by one letter and a digit or by two letters, `2c` takes both.
//!   The ISO 7064 check holds for all of them.

use self::Class::{A, C, N};
use self::Origin::{National, Registry, Territory};

/// What a place of a BBAN may hold, by the letters of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// `n`: a digit.
    N,
    /// `a`: a letter.
    A,
    /// `c`: a letter or a digit.
    C,
}

impl Class {
    /// Whether `byte` (ASCII, either case) may stand there.
    pub(crate) const fn holds(self, byte: u8) -> bool {
        match self {
            N => byte.is_ascii_digit(),
            A => byte.is_ascii_alphabetic(),
            C => byte.is_ascii_alphanumeric(),
        }
    }
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The country's own entry in the SWIFT registry.
    Registry,
    /// A territory that the registry counts to another country.
    Territory,
    /// The country, outside of the registry.
    National,
}

/// One country.
#[derive(Debug)]
pub(crate) struct Country {
    /// ISO 3166 code, upper case.
    pub(crate) code: [u8; 2],
    /// Characters of the whole IBAN, without separators, as the registry gives them; the tests hold
    /// `bban` to it.
    pub(crate) len: usize,
    /// The BBAN as runs of one class.
    pub(crate) bban: &'static [(usize, Class)],
    /// Who says so; only the tests ask.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) origin: Origin,
}

impl Country {
    /// The class of each character of the BBAN, in order.
    pub(crate) fn classes(&self) -> impl Iterator<Item = Class> {
        self.bban
            .iter()
            .flat_map(|&(count, class)| std::iter::repeat_n(class, count))
    }
}

/// Looks a country up by the two letters of its code, upper case.
pub(crate) fn country(code: [u8; 2]) -> Option<&'static Country> {
    COUNTRIES
        .binary_search_by(|country| country.code.cmp(&code))
        .ok()
        .and_then(|i| COUNTRIES.get(i))
}

const fn row(
    code: [u8; 2],
    len: usize,
    bban: &'static [(usize, Class)],
    origin: Origin,
) -> Country {
    Country {
        code,
        len,
        bban,
        origin,
    }
}

/// Sorted by code.
#[rustfmt::skip]
pub(crate) const COUNTRIES: &[Country] = &[
    row(*b"AD", 24, &[(8, N), (12, C)], Registry),
    row(*b"AE", 23, &[(19, N)], Registry),
    row(*b"AL", 28, &[(8, N), (16, C)], Registry),
    row(*b"AO", 25, &[(21, N)], National),
    row(*b"AT", 20, &[(16, N)], Registry),
    row(*b"AX", 18, &[(14, N)], Territory),
    row(*b"AZ", 28, &[(4, A), (20, C)], Registry),
    row(*b"BA", 20, &[(16, N)], Registry),
    row(*b"BE", 16, &[(12, N)], Registry),
    row(*b"BF", 28, &[(2, C), (22, N)], National),
    row(*b"BG", 22, &[(4, A), (6, N), (8, C)], Registry),
    row(*b"BH", 22, &[(4, A), (14, C)], Registry),
    row(*b"BI", 27, &[(23, N)], Registry),
    row(*b"BJ", 28, &[(2, C), (22, N)], National),
    row(*b"BL", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"BR", 29, &[(23, N), (1, A), (1, C)], Registry),
    row(*b"BY", 28, &[(4, C), (4, N), (16, C)], Registry),
    row(*b"CF", 27, &[(23, N)], National),
    row(*b"CG", 27, &[(23, N)], National),
    row(*b"CH", 21, &[(5, N), (12, C)], Registry),
    row(*b"CI", 28, &[(2, C), (22, N)], National),
    row(*b"CM", 27, &[(23, N)], National),
    row(*b"CR", 22, &[(18, N)], Registry),
    row(*b"CV", 25, &[(21, N)], National),
    row(*b"CY", 28, &[(8, N), (16, C)], Registry),
    row(*b"CZ", 24, &[(20, N)], Registry),
    row(*b"DE", 22, &[(18, N)], Registry),
    row(*b"DJ", 27, &[(23, N)], Registry),
    row(*b"DK", 18, &[(14, N)], Registry),
    row(*b"DO", 28, &[(4, C), (20, N)], Registry),
    row(*b"DZ", 26, &[(22, N)], National),
    row(*b"EE", 20, &[(16, N)], Registry),
    row(*b"EG", 29, &[(25, N)], Registry),
    row(*b"ES", 24, &[(20, N)], Registry),
    row(*b"FI", 18, &[(14, N)], Registry),
    row(*b"FK", 18, &[(2, A), (12, N)], Registry),
    row(*b"FO", 18, &[(14, N)], Registry),
    row(*b"FR", 27, &[(10, N), (11, C), (2, N)], Registry),
    row(*b"GA", 27, &[(23, N)], National),
    row(*b"GB", 22, &[(4, A), (14, N)], Registry),
    row(*b"GE", 22, &[(2, A), (16, N)], Registry),
    row(*b"GF", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"GG", 22, &[(4, A), (14, N)], Territory),
    row(*b"GI", 23, &[(4, A), (15, C)], Registry),
    row(*b"GL", 18, &[(14, N)], Registry),
    row(*b"GP", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"GQ", 27, &[(23, N)], National),
    row(*b"GR", 27, &[(7, N), (16, C)], Registry),
    row(*b"GT", 28, &[(24, C)], Registry),
    row(*b"GW", 25, &[(2, C), (19, N)], National),
    row(*b"HN", 28, &[(4, A), (20, N)], Registry),
    row(*b"HR", 21, &[(17, N)], Registry),
    row(*b"HU", 28, &[(24, N)], Registry),
    row(*b"IE", 22, &[(4, A), (14, N)], Registry),
    row(*b"IL", 23, &[(19, N)], Registry),
    row(*b"IM", 22, &[(4, A), (14, N)], Territory),
    row(*b"IQ", 23, &[(4, A), (15, N)], Registry),
    row(*b"IR", 26, &[(22, N)], National),
    row(*b"IS", 26, &[(22, N)], Registry),
    row(*b"IT", 27, &[(1, A), (10, N), (12, C)], Registry),
    row(*b"JE", 22, &[(4, A), (14, N)], Territory),
    row(*b"JO", 30, &[(4, A), (4, N), (18, C)], Registry),
    row(*b"KM", 27, &[(23, N)], National),
    row(*b"KW", 30, &[(4, A), (22, C)], Registry),
    row(*b"KZ", 20, &[(3, N), (13, C)], Registry),
    row(*b"LB", 28, &[(4, N), (20, C)], Registry),
    row(*b"LC", 32, &[(4, A), (24, C)], Registry),
    row(*b"LI", 21, &[(5, N), (12, C)], Registry),
    row(*b"LT", 20, &[(16, N)], Registry),
    row(*b"LU", 20, &[(3, N), (13, C)], Registry),
    row(*b"LV", 21, &[(4, A), (13, C)], Registry),
    row(*b"LY", 25, &[(21, N)], Registry),
    row(*b"MA", 28, &[(24, N)], National),
    row(*b"MC", 27, &[(10, N), (11, C), (2, N)], Registry),
    row(*b"MD", 24, &[(20, C)], Registry),
    row(*b"ME", 22, &[(18, N)], Registry),
    row(*b"MF", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"MG", 27, &[(23, N)], National),
    row(*b"MK", 19, &[(3, N), (10, C), (2, N)], Registry),
    row(*b"ML", 28, &[(2, C), (22, N)], National),
    row(*b"MN", 20, &[(16, N)], Registry),
    row(*b"MQ", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"MR", 27, &[(23, N)], Registry),
    row(*b"MT", 31, &[(4, A), (5, N), (18, C)], Registry),
    row(*b"MU", 30, &[(4, A), (19, N), (3, A)], Registry),
    row(*b"MZ", 25, &[(21, N)], National),
    row(*b"NC", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"NE", 28, &[(2, C), (22, N)], National),
    row(*b"NI", 28, &[(4, A), (20, N)], Registry),
    row(*b"NL", 18, &[(4, A), (10, N)], Registry),
    row(*b"NO", 15, &[(11, N)], Registry),
    row(*b"OM", 23, &[(3, N), (16, C)], Registry),
    row(*b"PF", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"PK", 24, &[(4, A), (16, C)], Registry),
    row(*b"PL", 28, &[(24, N)], Registry),
    row(*b"PM", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"PS", 29, &[(4, A), (21, C)], Registry),
    row(*b"PT", 25, &[(21, N)], Registry),
    row(*b"QA", 29, &[(4, A), (21, C)], Registry),
    row(*b"RE", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"RO", 24, &[(4, A), (16, C)], Registry),
    row(*b"RS", 22, &[(18, N)], Registry),
    row(*b"RU", 33, &[(14, N), (15, C)], Registry),
    row(*b"SA", 24, &[(2, N), (18, C)], Registry),
    row(*b"SC", 31, &[(4, A), (20, N), (3, A)], Registry),
    row(*b"SD", 18, &[(14, N)], Registry),
    row(*b"SE", 24, &[(20, N)], Registry),
    row(*b"SI", 19, &[(15, N)], Registry),
    row(*b"SK", 24, &[(20, N)], Registry),
    row(*b"SM", 27, &[(1, A), (10, N), (12, C)], Registry),
    row(*b"SN", 28, &[(2, C), (22, N)], National),
    row(*b"SO", 23, &[(19, N)], Registry),
    row(*b"ST", 25, &[(21, N)], Registry),
    row(*b"SV", 28, &[(4, A), (20, N)], Registry),
    row(*b"TD", 27, &[(23, N)], National),
    row(*b"TF", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"TG", 28, &[(2, C), (22, N)], National),
    row(*b"TL", 23, &[(19, N)], Registry),
    row(*b"TN", 24, &[(20, N)], Registry),
    row(*b"TR", 26, &[(6, N), (16, C)], Registry),
    row(*b"UA", 29, &[(6, N), (19, C)], Registry),
    row(*b"VA", 22, &[(18, N)], Registry),
    row(*b"VG", 24, &[(4, A), (16, N)], Registry),
    row(*b"WF", 27, &[(10, N), (11, C), (2, N)], Territory),
    row(*b"XK", 20, &[(16, N)], Registry),
    row(*b"YE", 30, &[(4, A), (4, N), (18, C)], Registry),
    row(*b"YT", 27, &[(10, N), (11, C), (2, N)], Territory),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_complete_and_consistent() {
        assert!(COUNTRIES.is_sorted_by(|a, b| a.code < b.code));
        for c in COUNTRIES {
            assert_eq!(c.classes().count() + 4, c.len, "{c:?}");
            assert!(c.len <= 34, "ISO 13616-1: at most 34 characters");
            assert!(c.code.iter().all(u8::is_ascii_uppercase));
        }
        let of = |origin| COUNTRIES.iter().filter(|c| c.origin == origin).count();
        assert_eq!(of(Registry), 89, "release 99 has 89 countries");
    }

    #[test]
    fn lookups() {
        assert_eq!(country(*b"DE").map(|c| c.len), Some(22));
        assert_eq!(country(*b"AD").map(|c| c.len), Some(24));
        assert_eq!(country(*b"YT").map(|c| c.len), Some(27));
        assert!(country(*b"XX").is_none());
        assert!(country(*b"US").is_none());
        assert!(country(*b"AM").is_none());
        assert!(country(*b"de").is_none(), "upper case only");
    }
}
