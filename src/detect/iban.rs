//! International bank account numbers (ISO 13616).
//!
//! # Syntax
//! Two letters (a country of the table), two check digits (`02` to `98`), and the country's
//! BBAN, in either case: compact, or in groups that are parted by one separator.
//! - Groups of four (the last may be shorter) take any of ` - . / _` and a tab, also two
//!   blanks at once: nothing but an IBAN has that form and passes the proof.
//! - Other groups, as people copy them from a statement (`NL91 ABNA 0417164300`,
//!   `FR14 20041 01005 0500013M026 06`), take single spaces or single dashes, one of the two
//!   throughout. Each must hold a digit, but for the bank's letters after the check digits and
//!   places that the registry reserves for letters: so words of a sentence are no groups.
//!
//! It ends where the country's length ends; what follows after a separator is no part of it.
//!
//! # Refused on purpose
//! Countries without IBAN, `XX`, check digits that ISO 7064 cannot give (00, 01, 99), letters
//! where the registry wants digits, places inside a longer word or hex token, masked ones.

use smallvec::{SmallVec, smallvec};

use super::boundary::{after, char_after, char_before, is_word_letter};
use super::table::iban::{Class, Country, country};
use super::{Candidate, Detector, Options, Reject, Shape};
use crate::checksum::mod97;
use crate::finding::{Canonical, Finding, Strength};
use crate::kind::Kind;

/// The longest IBAN that ISO 13616 allows, and separators of two bytes between its groups of four.
const MAX_LEN: usize = 34 + 2 * (34_usize.div_ceil(4) - 1);
/// The most separators in groups that are not of four.
const MAX_ODD_SEPARATORS: usize = 8;

/// The detector of [`Kind::Iban`].
pub(crate) struct Iban;

impl Detector for Iban {
    fn kind(&self) -> Kind {
        Kind::Iban
    }

    fn max_len(&self) -> usize {
        MAX_LEN
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::LettersDigits]
    }

    fn verify(&self, candidate: &Candidate<'_>, _: &Options) -> Result<Finding, Reject> {
        let (text, at) = (candidate.text, candidate.at);
        let head = text.get(at..at + 4).ok_or(Reject::Shape)?;
        let &[a, b, c, d] = head else {
            return Err(Reject::Shape);
        };
        if !(a.is_ascii_alphabetic() && b.is_ascii_alphabetic()) {
            return Err(Reject::Shape);
        }
        if !(c.is_ascii_digit() && d.is_ascii_digit()) {
            return Err(Reject::Shape);
        }
        if char_before(text, at).is_some_and(is_word_letter) {
            return Err(Reject::Boundary);
        }
        let country =
            country([a.to_ascii_uppercase(), b.to_ascii_uppercase()]).ok_or(Reject::Registry)?;
        if matches!([c, d], [b'0', b'0' | b'1'] | [b'9', b'9']) {
            return Err(Reject::Checksum);
        }
        let read = match Read::unparted(text, at, country) {
            Some(read) => read?,
            None => Read::new(text, at, country)?,
        };
        if mod97(read.rotated()) != Some(1) {
            return Err(Reject::Checksum);
        }
        if !read.ends_well(text) {
            return Err(Reject::Boundary);
        }
        if !crate_agrees(&read.compact) {
            return Err(Reject::Shape);
        }
        Ok(Finding::new(
            Kind::Iban,
            Strength::Strong,
            at..read.end,
            read.compact,
        ))
    }
}

/// Whether `iban_validate` finds the structure right, too.
///
/// It alone would not do: version 5.0.1 follows the registry, but does not know Honduras,
/// Pakistan, the territories and what is not registered; and it reads compact or paper form
/// in upper case only. So it can veto, and where it does not know the country our own table
/// has had the only word.
fn crate_agrees(compact: &[u8]) -> bool {
    match std::str::from_utf8(compact).map(str::parse::<iban::Iban>) {
        Ok(Ok(_) | Err(iban::ParseIbanError::UnknownCountry(_))) => true,
        Ok(Err(_)) | Err(_) => false,
    }
}

/// What stands at a place: the characters of one IBAN, and how they are grouped.
struct Read {
    /// Upper case, without separators: the canonical form.
    compact: Canonical,
    /// Where it ends in the text.
    end: usize,
    /// The number of separators.
    separators: usize,
}

/// The grouping so far.
struct Groups {
    /// Characters in the group that is being read, whether one of them is a digit, and whether
    /// all of them stand where the registry wants letters.
    len: usize,
    digit: bool,
    letters: bool,
    /// Separators so far, the first of them, and whether all are that one byte.
    separators: usize,
    first: u8,
    alike: bool,
    /// Whether all groups so far have four characters.
    fours: bool,
    /// Whether all groups so far hold a digit where they should.
    digits: bool,
}

impl Groups {
    fn close(&mut self) {
        self.fours &= self.len == 4;
        self.digits &= self.digit || self.letters || self.separators == 1;
        (self.len, self.digit, self.letters) = (0, false, true);
    }

    /// Ends a group at a separator of one or two bytes; whether the groups are still fine.
    fn part(&mut self, separator: &[u8]) -> bool {
        self.close();
        let Some(&byte) = separator.first() else {
            return false;
        };
        if self.separators == 0 {
            self.first = byte;
        }
        self.alike &= separator == [self.first] && matches!(byte, b' ' | b'-');
        self.separators += 1;
        self.fours || self.odd()
    }

    /// Whether groups that are not of four are fine.
    fn odd(&self) -> bool {
        self.alike && self.digits && self.separators <= MAX_ODD_SEPARATORS
    }

    /// Whether all groups are fine, after the last character.
    fn done(&mut self) -> bool {
        let fours = self.fours && self.len <= 4;
        self.close();
        self.separators == 0 || fours || self.odd()
    }
}

impl Read {
    /// The same as [`Read::new`], where nothing parts the characters; otherwise `None`.
    fn unparted(text: &[u8], at: usize, country: &Country) -> Option<Result<Read, Reject>> {
        let end = at + country.len;
        let bytes = text.get(at..end)?;
        if !bytes.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        // Behind the country's code and the check digits.
        let mut rest = bytes.get(4..)?;
        for &(count, class) in country.bban {
            let (run, behind) = rest.split_at_checked(count)?;
            if !run.iter().all(|&byte| class.holds(byte)) {
                return Some(Err(Reject::Shape));
            }
            rest = behind;
        }
        let mut compact: Canonical = smallvec![0; bytes.len()];
        for (to, byte) in compact.iter_mut().zip(bytes) {
            *to = byte.to_ascii_uppercase();
        }
        Some(Ok(Read {
            compact,
            end,
            separators: 0,
        }))
    }

    /// Reads the characters of an IBAN of `country` at `at`, as far as its length.
    fn new(text: &[u8], at: usize, country: &Country) -> Result<Read, Reject> {
        let mut groups = Groups {
            len: 0,
            digit: false,
            letters: true,
            separators: 0,
            first: 0,
            alike: true,
            fours: true,
            digits: true,
        };
        let head = [Class::A, Class::A, Class::N, Class::N];
        let mut compact: Canonical = SmallVec::new();
        let mut pos = at;
        for class in head.into_iter().chain(country.classes()) {
            let gap = separator(text, pos);
            if gap > 0 && !compact.is_empty() {
                let end = pos + gap;
                if !groups.part(text.get(pos..end).unwrap_or_default()) {
                    return Err(Reject::Shape);
                }
                pos = end;
            }
            let Some(byte) = after(text, pos).filter(u8::is_ascii_alphanumeric) else {
                return Err(Reject::Length);
            };
            if !class.holds(byte) {
                return Err(Reject::Shape);
            }
            groups.len += 1;
            groups.digit |= byte.is_ascii_digit();
            groups.letters &= class == Class::A;
            compact.push(byte.to_ascii_uppercase());
            pos += 1;
        }
        let separators = groups.separators;
        if !groups.done() {
            return Err(Reject::Shape);
        }
        Ok(Read {
            compact,
            end: pos,
            separators,
        })
    }

    /// The characters in the order of the check: the first four last.
    fn rotated(&self) -> impl Iterator<Item = u8> {
        let bytes = self.compact.iter().copied();
        bytes.clone().skip(4).chain(bytes.take(4))
    }

    /// Whether what follows leaves it a value of its own.
    ///
    /// MT940 (`:25:DE89370400440532013000EUR`) writes the currency of the account right after it.
    fn ends_well(&self, text: &[u8]) -> bool {
        let at_edge = |pos| !char_after(text, pos).is_some_and(is_word_letter);
        at_edge(self.end)
            || (self.separators == 0
                && at_edge(self.end + 3)
                && text
                    .get(self.end..self.end + 3)
                    .is_some_and(|code| CURRENCIES.iter().any(|known| known.as_slice() == code)))
    }
}

/// The bytes of the separator between two groups at `pos`: 1, 2, or 0 for none.
fn separator(text: &[u8], pos: usize) -> usize {
    match after(text, pos) {
        Some(b' ') => 1 + usize::from(after(text, pos + 1) == Some(b' ')),
        Some(b'-' | b'.' | b'/' | b'_' | b'\t') => 1,
        _ => 0,
    }
}

/// ISO 4217 codes of the currencies that accounts with an IBAN are held in most.
const CURRENCIES: &[[u8; 3]] = &[
    *b"AED", *b"BGN", *b"CHF", *b"CZK", *b"DKK", *b"EUR", *b"GBP", *b"GEL", *b"HUF", *b"ILS",
    *b"ISK", *b"NOK", *b"PLN", *b"RON", *b"RSD", *b"SAR", *b"SEK", *b"TRY", *b"UAH", *b"USD",
];

#[cfg(test)]
mod tests {
    use super::super::table::iban::{COUNTRIES, Origin};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_nothing_parts_is_read_alike_both_ways(
            which in 0..COUNTRIES.len(),
            rest in "[0-9A-Za-z]{0,40}[ -]?[0-9A-Z]{0,3}",
        ) {
            let country = &COUNTRIES[which];
            let text = format!("{}12{rest}", String::from_utf8_lossy(&country.code));
            if let Some(read) = Read::unparted(text.as_bytes(), 0, country) {
                let plain = |read: Result<Read, Reject>| {
                    read.map(|read| (read.compact, read.end, read.separators))
                };
                let other = Read::new(text.as_bytes(), 0, country);
                prop_assert_eq!(plain(read), plain(other));
            }
        }
    }

    fn verify(text: &str) -> Result<(String, String), Reject> {
        let at = place(text);
        let candidate = Candidate {
            text: text.as_bytes(),
            at,
            line_start: true,
        };
        let finding = Iban.verify(&candidate, &Options::default())?;
        assert_eq!(finding.range().start, at);
        assert!(finding.range().len() <= Iban.max_len());
        Ok((
            text[finding.range()].to_owned(),
            String::from_utf8_lossy(finding.canonical()).into_owned(),
        ))
    }

    /// Where the shape stands: the first two letters and two digits after no letter or digit.
    fn place(text: &str) -> usize {
        let bytes = text.as_bytes();
        (0..bytes.len().saturating_sub(3))
            .find(|&i| {
                (i == 0 || !bytes[i - 1].is_ascii_alphanumeric())
                    && bytes[i..i + 2].iter().all(u8::is_ascii_alphabetic)
                    && bytes[i + 2..i + 4].iter().all(u8::is_ascii_digit)
            })
            .unwrap_or(0)
    }

    /// Text, and the value in it.
    const ACCEPT: &[(&str, &str)] = &[
        ("pay DE89370400440532013000 now", "DE89370400440532013000"),
        (
            "DE89 3704 0044 0532 0130 00 EUR 50",
            "DE89 3704 0044 0532 0130 00",
        ),
        (
            "DE89-3704-0044-0532-0130-00.",
            "DE89-3704-0044-0532-0130-00",
        ),
        ("nl91 abna 0417 1643 00 / x", "nl91 abna 0417 1643 00"),
        (
            "MT84MALT011000012345mtlcast001s",
            "MT84MALT011000012345mtlcast001s",
        ),
        ("BE68 5390 0754 7034 4111", "BE68 5390 0754 7034"),
        ("NO93 8601 1117 947 0000 0000 00", "NO93 8601 1117 947"),
        (
            "SC18 SSCB 1101 0000 0000 0000 1497 USD USD 5",
            "SC18 SSCB 1101 0000 0000 0000 1497 USD",
        ),
        (
            "(FR14 2004 1010 0505 0001 3M02 606)",
            "FR14 2004 1010 0505 0001 3M02 606",
        ),
        (
            "„DE89 3704 0044 0532 0130 00“",
            "DE89 3704 0044 0532 0130 00",
        ),
        ("口座DE89370400440532013000です", "DE89370400440532013000"),
        ("?iban=DE89370400440532013000&x", "DE89370400440532013000"),
        ("x_DE89370400440532013000_y", "DE89370400440532013000"),
        ("DE89370400440532013000-2026.pdf", "DE89370400440532013000"),
        // Odd groups, as they stand on statements.
        ("NL91ABNA 0417 1643 00", "NL91ABNA 0417 1643 00"),
        ("NL91 ABNA 0417164300 on", "NL91 ABNA 0417164300"),
        ("GB29 NWBK 601613 31926819 is", "GB29 NWBK 601613 31926819"),
        (
            "DE89 370 400 44 0532 0130 00",
            "DE89 370 400 44 0532 0130 00",
        ),
        (
            "FR14 20041 01005 0500013M026 06",
            "FR14 20041 01005 0500013M026 06",
        ),
        (
            "IT60 X 05428 11101 000000123456",
            "IT60 X 05428 11101 000000123456",
        ),
        (
            "DE89  3704  0044  0532  0130  00",
            "DE89  3704  0044  0532  0130  00",
        ),
        (
            "DE89.3704.0044.0532.0130.00.",
            "DE89.3704.0044.0532.0130.00",
        ),
        // Not in the crate, or not in the registry.
        (
            "HN88CABF00000000000250005469",
            "HN88CABF00000000000250005469",
        ),
        (
            "PK36 SCBL 0000 0011 2345 6702",
            "PK36 SCBL 0000 0011 2345 6702",
        ),
        (
            "RU0304452522540817810538091310419",
            "RU0304452522540817810538091310419",
        ),
        ("IR200170000000339545727003", "IR200170000000339545727003"),
        ("RE4220041010050500013M02606", "RE4220041010050500013M02606"),
        (":25:DE89370400440532013000EUR", "DE89370400440532013000"),
    ];

    const REJECT: &[(&str, Reject)] = &[
        ("XX57WEST12345698765432", Reject::Registry),
        ("AM47212110090000000235698740", Reject::Registry),
        ("US00 1234", Reject::Registry),
        ("DE89370400440532013001", Reject::Checksum),
        ("DE99362153351426668320", Reject::Checksum),
        ("NL01RHYT4534441751", Reject::Checksum),
        ("DE893704004405320130005", Reject::Boundary),
        ("AE07033123456789012345670331234567890123", Reject::Boundary),
        ("DE89370400440532013000a", Reject::Boundary),
        ("DE89370400440532013000é", Reject::Boundary),
        ("DE89370400440532013000EURO", Reject::Boundary),
        ("DE89 3704 0044 0532 0130 00EUR", Reject::Boundary),
        ("éDE89370400440532013000", Reject::Boundary),
        ("DE8937040044053201300", Reject::Length),
        ("FR76 1234 5678", Reject::Length),
        ("DE98ZZZ09999999999", Reject::Shape),
        ("DE89 XXXX XXXX XXXX XXXX 00", Reject::Shape),
        ("SE935000M000058398257466", Reject::Shape),
        ("BA39-1290-0794-AAAA-BBBB", Reject::Shape),
        ("NL123456789B01", Reject::Shape),
        ("MD24 the money was not all there", Reject::Shape),
        ("MD24 AG00 this is 14 words and so on", Reject::Shape),
        ("CH93 CH94 CH95 CH96 CH97 CH98", Reject::Shape),
        ("DE89--3704--0044--0532--0130--00", Reject::Length),
        ("DE89 3704-00440532 0130 00", Reject::Shape),
        ("DE89", Reject::Length),
        ("DE", Reject::Shape),
        ("", Reject::Shape),
    ];

    #[test]
    fn accepts() {
        for &(text, value) in ACCEPT {
            let (found, canonical) = verify(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            assert_eq!(found, value, "{text}");
            let compact: String = value.chars().filter(|c| c.is_alphanumeric()).collect();
            assert_eq!(canonical, compact.to_uppercase());
        }
    }

    #[test]
    fn rejects_with_the_reason() {
        for &(text, reason) in REJECT {
            assert_eq!(verify(text).unwrap_err(), reason, "{text}");
        }
    }

    #[test]
    fn the_longest_is_as_long_as_promised() {
        assert_eq!(Iban.max_len(), 50);
        assert!(
            COUNTRIES
                .iter()
                .all(|c| c.len + 2 * ((c.len - 1) / 4) <= 50)
        );
    }

    /// The check digits that make `code` + `bban` right.
    fn check_digits(code: &str, bban: &str) -> u32 {
        98 - mod97(bban.bytes().chain(code.bytes()).chain(*b"00")).unwrap()
    }

    /// A right IBAN of any country of the table.
    fn any_iban() -> impl Strategy<Value = (&'static Country, String)> {
        (0..COUNTRIES.len(), proptest::collection::vec(0_u8..36, 34)).prop_map(|(i, seeds)| {
            let country = &COUNTRIES[i];
            let code = std::str::from_utf8(&country.code).unwrap();
            let bban: String = country
                .classes()
                .zip(seeds)
                .map(|(class, seed)| match (class, seed) {
                    (Class::N, n) | (Class::C, n @ 0..10) => char::from(b'0' + n % 10),
                    (Class::A | Class::C, n) => char::from(b'A' + n % 26),
                })
                .collect();
            let check = check_digits(code, &bban);
            (country, format!("{code}{check:02}{bban}"))
        })
    }

    fn grouped(iban: &str, separator: &str) -> String {
        let groups: Vec<&str> = (0..iban.len())
            .step_by(4)
            .map(|i| &iban[i..(i + 4).min(iban.len())])
            .collect();
        groups.join(separator)
    }

    proptest! {
        #[test]
        fn planted_values_are_found_whole(
            (_, iban) in any_iban(),
            separator in prop::sample::select(vec!["", " ", "-", "  ", "."]),
            lower in any::<bool>(),
            left in prop::sample::select(vec!["", "IBAN ", "\"", "(", "x,", "=", "/", "口座", ">", "+"]),
            right in prop::sample::select(vec!["", ".", ", ok", "\"", ")", " 1234", "\r\n", "です", "_", "</p>"]),
        ) {
            let mut value = grouped(&iban, separator);
            if lower {
                value.make_ascii_lowercase();
            }
            let text = format!("{left}{value}{right}");
            prop_assert_eq!(verify(&text), Ok((value, iban)));
        }

        #[test]
        fn wrong_check_digits_are_refused((_, iban) in any_iban(), add in 1_u32..97) {
            let check: u32 = iban[2..4].parse().unwrap();
            let wrong = (check + add) % 97;
            let text = format!("{}{wrong:02}{}", &iban[..2], &iban[4..]);
            prop_assume!(wrong != check && wrong + 97 != check);
            prop_assert_eq!(verify(&text), Err(Reject::Checksum));
        }

        #[test]
        fn the_crate_has_the_same_structures((country, iban) in any_iban()) {
            match iban.parse::<iban::Iban>() {
                Ok(_) => {}
                Err(iban::ParseIbanError::UnknownCountry(_)) => prop_assert!(
                    country.origin != Origin::Registry || [*b"HN", *b"PK"].contains(&country.code)
                ),
                Err(e) => prop_assert!(false, "{iban}: {e}"),
            }
        }

        #[test]
        fn a_letter_for_a_digit_is_refused_by_both((country, iban) in any_iban(), pick in 0_usize..30) {
            let at = 4 + pick % (country.len - 4);
            prop_assume!(country.classes().nth(at - 4) == Some(Class::N));
            let bban = format!("{}Q{}", &iban[4..at], &iban[at + 1..]);
            let wrong = format!("{}{:02}{bban}", &iban[..2], check_digits(&iban[..2], &bban));
            prop_assert_eq!(verify(&wrong), Err(Reject::Shape));
            prop_assert!(wrong.parse::<iban::Iban>().is_err());
        }

        #[test]
        fn no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80), at in 0_usize..90) {
            let candidate = Candidate { text: &bytes, at, line_start: false };
            let _ = Iban.verify(&candidate, &Options::default());
        }

        #[test]
        fn no_panic_on_near_misses(text in "(DE|NL|mt|FR)[0-9]{2}[ -]?[0-9A-Z .-]{0,40}é?") {
            let _ = verify(&text);
        }
    }
}
