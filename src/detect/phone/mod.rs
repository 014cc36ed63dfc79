//! PHONE. The weaker the shape, the stronger the proof:
//!
//! 1. `+` or `00` and a country code: possible by the country's numbering plan; valid where the
//!    `+` may be a sign of something else (a diff, arithmetic).
//! 2. North American shape with separators: possible.
//! 3. National form, or a country code without `+`: valid in a given region, or possible there
//!    behind a telephone word.
//! 4. Nothing else: dates, times, amounts, quads, ISBN, stamps, pieces of longer numbers.

mod context;
mod form;
mod groups;
mod numbers;
#[cfg(test)]
mod oracle;
mod plus;
mod weak;
mod words;

pub(crate) use numbers::Region;

use self::groups::{EXTENSION_LEN, Group, Groups, NUMBER_LEN};
use self::numbers::{Digits, Number};
use super::{Candidate, Detector, Options, Reject, Shape, boundary};
use crate::finding::{Finding, Strength};
use crate::kind::Kind;

/// The detector of [`Kind::Phone`].
pub(crate) struct Phone;

impl Detector for Phone {
    fn kind(&self) -> Kind {
        Kind::Phone
    }

    fn max_len(&self) -> usize {
        NUMBER_LEN + EXTENSION_LEN
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Plus, Shape::Digits]
    }

    fn verify(&self, candidate: &Candidate<'_>, options: &Options) -> Result<Finding, Reject> {
        match boundary::after(candidate.text, candidate.at) {
            Some(b'+') => plus::verify(candidate),
            Some(b'0'..=b'9') => weak::verify(candidate, options),
            _ => Err(Reject::Shape),
        }
    }
}

/// Whether digits in groups of these sizes may begin with a number that needs neither a plan nor a
/// country code. A cheap look: what it refuses is none, whatever stands between and around the
/// groups.
pub(crate) fn has_form(sizes: &[u8; 5]) -> bool {
    let sizes = sizes.map(usize::from);
    (2..=4).any(|count| weak::has_north_american_sizes(&sizes[..count]))
}

/// Whether a first group of `size` digits may open what [`has_form`] takes.
pub(crate) fn may_open(size: u8) -> bool {
    matches!(size, 1 | 3)
}

/// Some groups of a candidate, read as one number.
struct Reading<'t> {
    text: &'t [u8],
    start: usize,
    groups: &'t [Group],
    /// All digits in order.
    digits: &'t [u8],
}

impl Reading<'_> {
    fn end(&self) -> usize {
        self.groups.last().map_or(self.start, |group| group.end)
    }

    /// The digits without a trunk zero in brackets, `(0)`, if there is one.
    fn digits_without_trunk(&self) -> Option<Digits> {
        let trunk = self.groups.iter().position(|group| {
            let before = boundary::before(self.text, group.start);
            before == Some(b'(') && self.text.get(group.start..group.end + 1) == Some(b"0)")
        })?;
        let (before, after) = self.groups.split_at_checked(trunk)?;
        let mut rest = digits(self.text, before);
        rest.extend_from_slice(&digits(self.text, after.get(1..)?));
        Some(rest)
    }

    /// Whether the reading is whole: brackets in pairs, and nothing behind it that it is a part of.
    fn is_whole(&self, proven: bool) -> bool {
        groups::is_balanced(self.text, self.start, self.end())
            && (groups::may_end(self.text, self.end(), proven)
                || groups::extension(self.text, self.end()).is_some())
    }

    /// The finding, with the extension, if there is one.
    fn finding(&self, number: &Number, strength: Strength) -> Finding {
        let mut canonical = number.e164();
        let mut end = self.end();
        if let Some(extension) = groups::extension(self.text, end) {
            canonical.extend_from_slice(b";ext=");
            canonical.extend_from_slice(
                self.text
                    .get(extension.start..extension.end)
                    .unwrap_or_default(),
            );
            end = extension.end;
        }
        Finding::new(Kind::Phone, strength, self.start..end, canonical)
    }
}

/// No number with its country code or national prefix is shorter.
const MIN_DIGITS: usize = 7;

/// The first reading, from the longest on, that `judge` takes. `proven`: see [`groups::may_end`].
fn first_reading<T>(
    text: &[u8],
    start: usize,
    groups: &Groups,
    proven: bool,
    judge: impl Fn(&Reading<'_>) -> Option<T>,
) -> Option<T> {
    let digits = digits(text, groups);
    let mut length = digits.len();
    for count in (1..=groups.len()).rev() {
        let reading = Reading {
            text,
            start,
            groups: groups.get(..count)?,
            digits: digits.get(..length)?,
        };
        if length < MIN_DIGITS {
            return None;
        }
        if reading.is_whole(proven)
            && let Some(found) = judge(&reading)
        {
            return Some(found);
        }
        length -= groups.get(count - 1)?.len();
    }
    None
}

/// All digits of the groups in order.
fn digits(text: &[u8], groups: &[Group]) -> Digits {
    let mut digits = Digits::new();
    for group in groups {
        digits.extend_from_slice(text.get(group.start..group.end).unwrap_or_default());
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_form_may_open() {
        for sizes in [[3, 7, 0, 0, 0], [3, 3, 4, 0, 0], [1, 3, 3, 4, 9]] {
            assert!(has_form(&sizes) && may_open(sizes[0]), "{sizes:?}");
        }
        for sizes in [
            [4, 7, 0, 0, 0],
            [2, 3, 3, 4, 0],
            [3, 3, 3, 0, 0],
            [10, 0, 0, 0, 0],
        ] {
            assert!(!has_form(&sizes), "{sizes:?}");
        }
    }

    /// Regions, text, what is found first, its canonical form.
    const ACCEPT: &[(&str, &str, &str, &str)] = &[
        (
            "",
            "call +31 6 1234 5678 now",
            "+31 6 1234 5678",
            "+31612345678",
        ),
        (
            "",
            "+31612345678 2024-01-15 12:30",
            "+31612345678",
            "+31612345678",
        ),
        (
            "",
            "tel:+1-201-555-0123;ext=12",
            "+1-201-555-0123;ext=12",
            "+12015550123;ext=12",
        ),
        (
            "",
            "+44 (0)20 7946 0958",
            "+44 (0)20 7946 0958",
            "+442079460958",
        ),
        (
            "",
            "Tel. +39 (0)6 698 12345",
            "+39 (0)6 698 12345",
            "+390669812345",
        ),
        ("", "(+31) 612345678", "(+31) 612345678", "+31612345678"),
        ("", "tel:+31.612345678", "+31.612345678", "+31612345678"),
        ("", "+4930-12345", "+4930-12345", "+493012345"),
        (
            "NL",
            "[0612345678](https://wa.me/31612345678)",
            "0612345678",
            "+31612345678",
        ),
        ("NL", "06-20010115", "06-20010115", "+31620010115"),
        ("US", "1001, 4155552671, 35", "4155552671", "+14155552671"),
        (
            "US",
            "4155552671, 4155552672, 4155552673",
            "4155552671",
            "+14155552671",
        ),
        ("", "+1.8005550123", "+1.8005550123", "+18005550123"),
        (
            "",
            "0031 (0)6 12345678",
            "0031 (0)6 12345678",
            "+31612345678",
        ),
        ("", "(see +31612345678)", "+31612345678", "+31612345678"),
        ("", "at+64 3 331 6005", "+64 3 331 6005", "+6433316005"),
        (
            "",
            "Ring ++1 (650) 333-6000",
            "++1 (650) 333-6000",
            "+16503336000",
        ),
        ("", "x +31 6 9876 5432", "+31 6 9876 5432", "+31698765432"),
        ("", "00 49 30 123456", "00 49 30 123456", "+4930123456"),
        ("", "(415) 555-2671", "(415) 555-2671", "+14155552671"),
        (
            "",
            "1-800-555-0199x22",
            "1-800-555-0199x22",
            "+18005550199;ext=22",
        ),
        ("", "415.555.2671.See you", "415.555.2671", "+14155552671"),
        ("", "E(415)555-2671", "(415)555-2671", "+14155552671"),
        ("", "+31612345678-thuis.wav", "+31612345678", "+31612345678"),
        (
            "",
            "+31612345678+31687654321",
            "+31612345678",
            "+31612345678",
        ),
        ("", "+687 20.12.34", "+687 20.12.34", "+687201234"),
        ("", "bel 0031698765432", "0031698765432", "+31698765432"),
        ("US", "4155552671,4155552672", "4155552671", "+14155552671"),
        ("US", "from=4155552671&to=x", "4155552671", "+14155552671"),
        ("NL", "bel 06-12345678", "06-12345678", "+31612345678"),
        (
            "NL",
            "020-1234567/06-12345678",
            "020-1234567",
            "+31201234567",
        ),
        ("NL", "-0612345678", "0612345678", "+31612345678"),
        ("NL", "31612345678", "31612345678", "+31612345678"),
        (
            "NL",
            "06 12345678 2024-06-01",
            "06 12345678",
            "+31612345678",
        ),
        ("NL", "tel 12345678", "12345678", "+3112345678"),
        (
            "NL",
            "https://wa.me/31612345678",
            "31612345678",
            "+31612345678",
        ),
        (
            "DE",
            "030-3-2 23 12 34",
            "030-3-2 23 12 34",
            "+493032231234",
        ),
        (
            "DE",
            "0 3 0 -3 2 23 12 34",
            "0 3 0 -3 2 23 12 34",
            "+493032231234",
        ),
        (
            "AR",
            "0 11 15 3797-0000",
            "0 11 15 3797-0000",
            "+5491137970000",
        ),
        (
            "AU",
            "0011 44 20 7946 0958",
            "0011 44 20 7946 0958",
            "+442079460958",
        ),
        (
            "PL",
            "0~0 1800 7493 524 ~1234",
            "0~0 1800 7493 524 ~1234",
            "+18007493524;ext=1234",
        ),
        ("NZ", "64(0)33316005", "64(0)33316005", "+6433316005"),
        ("US,NL", "0612345678", "0612345678", "+31612345678"),
        ("MX,US", "2001234567", "2001234567", "+522001234567"),
        ("US,MX", "2012345678", "2012345678", "+12012345678"),
        ("US", "\"phone\":2015550123", "2015550123", "+12015550123"),
        (
            "US",
            "\"phone_number\": 2015550123",
            "2015550123",
            "+12015550123",
        ),
    ];

    /// Regions, text, why its first candidate is none; none of the others is one either.
    const REJECT: &[(&str, &str, Reject)] = &[
        ("", "-> 1.5E+845098038 Inexact", Reject::Length),
        ("", "1e+400000001", Reject::Length),
        ("", "4.E+623578292", Reject::Length),
        ("", "ksh (<< 93u+20120801-3.1~)", Reject::Shape),
        ("", "CA +5320-06025 America", Reject::Numbering),
        ("", "CA +4953-09709 America", Reject::Numbering),
        ("", "GG +492717-0023210 Europe", Reject::Numbering),
        ("US", "in Clause 252.227-7013 (c)", Reject::Numbering),
        ("US", "[*1640.0020.0002]", Reject::Numbering),
        ("NL", "02111-1307, USA", Reject::Context),
        ("US", "[*0328.0020.0004][", Reject::Numbering),
        ("DE", "@NCURSES6_TIC_5.0.19991023 6", Reject::Boundary),
        ("US", "SET_CALL: u32 = 2147790711;", Reject::Boundary),
        (
            "US",
            "[`6027084245`](https://x.y/z/commit/6027084245)",
            Reject::Numbering,
        ),
        ("US", "time:[4026531834]", Reject::Numbering),
        ("US", "1573767, 3222811527, 836907274", Reject::Numbering),
        ("US", "[Bug 3106532]", Reject::Numbering),
        ("", "US +433649-1161209 America", Reject::Numbering),
        ("", "Decimal('+35236450.6')", Reject::Numbering),
        ("", "'+3.140000; -3.140000'", Reject::Numbering),
        ("", "0061 3099 11046 094D 05B0", Reject::Numbering),
        ("", "0063 0001 03    Created", Reject::Numbering),
        ("", "CIBAUD 002003600000 /*", Reject::Numbering),
        ("", "+0612345678", Reject::Registry),
        ("", "+ 49 30 123456", Reject::Registry),
        ("", "+2147483647", Reject::Registry),
        ("", "+9223372036854775807", Reject::Numbering),
        ("", "score +15 000 points", Reject::Numbering),
        ("", "+15 000 000 000", Reject::Numbering),
        ("", "@@ -1204,17 +1204,23 @@", Reject::Boundary),
        ("", "+31612345678@x.nl", Reject::Numbering),
        ("", "+31612345678abc", Reject::Numbering),
        ("", "price +31612345678€", Reject::Numbering),
        ("", "415-555-2671-22", Reject::Numbering),
        ("", "$415-555-2671", Reject::Boundary),
        ("", "415-555-2671%", Reject::Numbering),
        ("", "v415.555.2671", Reject::Boundary),
        ("", "011 44 20 7946 0958", Reject::Numbering),
        ("", "2015550123", Reject::Shape),
        ("", "id 0012345678901", Reject::Numbering),
        ("", "0045 0304 0300;1E14", Reject::Numbering),
        ("", "0 0 1 1 1 1 1 0 0 1 1 0 1 1", Reject::Numbering),
        ("US", "pub const X: u32 = 2147767507;", Reject::Boundary),
        ("US", "{\"x\": 2147767507}", Reject::Numbering),
        (
            "US",
            "files with more than 2147483647 lines",
            Reject::Numbering,
        ),
        ("NL", "Boston, MA 02110-1301 USA", Reject::Context),
        ("US", "1.3.6.1.5.5.7.48.1.4", Reject::Numbering),
        ("", "0061 10376 0315 0300 05AE", Reject::Numbering),
        ("", "u128(0x9082_006008059382)", Reject::Boundary),
        ("DE", "[0.0035963655, 0.7346052]", Reject::Numbering),
        ("DE", "0395 0313 0300;1F2A", Reject::Numbering),
        ("DE", "0 1 2 3 4 5 6 7 8 9", Reject::Numbering),
        ("DE", "0301040105090206", Reject::Numbering),
        ("DE", "1647725122227", Reject::Numbering),
        ("CN", "facture 2024-000123", Reject::Numbering),
        ("DE", "Mijn BSN is 063954720.", Reject::Numbering),
        ("IT", "KvK: 012345672", Reject::Numbering),
        ("CN", "net 192.168.1.10/24", Reject::Numbering),
        ("US", "2012-01-02 08:00", Reject::Context),
        ("US", "20120102 08:00", Reject::Numbering),
        ("US", "2026081201 7200 3600", Reject::Numbering),
        ("US", "03/27/2011", Reject::Context),
        ("US", "192.168.100.200", Reject::Numbering),
        ("US", "203.29.94.136", Reject::Numbering),
        ("US", "12-15 (2009)", Reject::Numbering),
        ("US", "650+253+1234", Reject::Length),
        ("US", "\"product_id\":2015550123", Reject::Numbering),
        ("US", "sku=2125550123", Reject::Numbering),
        ("US", "#2015550123", Reject::Boundary),
        ("US", "0x2125550123", Reject::Length),
        ("US", "978-0-306-40615-7", Reject::Numbering),
        ("US", "7121115678", Reject::Numbering),
        ("US", "x -74.0059412 m", Reject::Boundary),
        ("NO", "40.712776, -74.005974", Reject::Numbering),
        ("NO", "41.234.567,89", Reject::Numbering),
        ("SG", "4111 1111 8123 4567", Reject::Numbering),
        ("DE", "ISBN 0-306-40615-2", Reject::Numbering),
        ("DE", "https://x.de/0301234567", Reject::Boundary),
        ("NL", "0612345678@x.nl", Reject::Numbering),
        ("NL", "a0612345678", Reject::Boundary),
        ("NL", "0612345678a", Reject::Numbering),
        ("NL", "12345678", Reject::Numbering),
        ("NL", "612345678", Reject::Numbering),
        ("NL", "tel 12345", Reject::Length),
        ("GB", "(20) 3346 1234", Reject::Numbering),
    ];

    /// What each candidate of a text is, in order.
    fn judged(regions: &str, text: &str) -> Vec<Result<Finding, Reject>> {
        let regions = regions.split(',').filter_map(Region::parse).collect();
        let options = Options {
            regions,
            ..Options::default()
        };
        let bytes = text.as_bytes();
        let begins = |&at: &usize| {
            let digit = bytes[at].is_ascii_digit();
            bytes[at] == b'+' || digit && (at == 0 || !bytes[at - 1].is_ascii_digit())
        };
        (0..bytes.len())
            .filter(begins)
            .map(|at| {
                Phone.verify(
                    &Candidate {
                        text: bytes,
                        at,
                        line_start: true,
                    },
                    &options,
                )
            })
            .collect()
    }

    #[test]
    fn accepts() {
        for &(regions, text, raw, canonical) in ACCEPT {
            let found = judged(regions, text).into_iter().find_map(Result::ok);
            let found = found.unwrap_or_else(|| panic!("nothing in {text:?}"));
            assert_eq!(&text[found.range()], raw, "in {text:?}");
            assert_eq!(
                String::from_utf8_lossy(found.canonical()),
                canonical,
                "{text:?}"
            );
            assert!(found.range().len() <= Phone.max_len());
            let strong = raw.contains('+');
            assert_eq!(found.strength() == Strength::Strong, strong, "{text:?}");
        }
    }

    #[test]
    fn rejects() {
        let mut wrong = Vec::new();
        for &(regions, text, reason) in REJECT {
            let judged = judged(regions, text);
            let first = judged.first().cloned();
            if first != Some(Err(reason)) || judged.iter().any(Result::is_ok) {
                wrong.push((text, reason, judged));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_list_of_numbers_is_found_number_by_number() {
        let text = "06-12345678/020-1234567, (020) 555-0123 / +31612345678;0612345679";
        let mut raws = Vec::new();
        for found in judged("NL", text).into_iter().flatten() {
            raws.push(&text[found.range()]);
        }
        for raw in [
            "06-12345678",
            "(020) 555-0123",
            "+31612345678",
            "0612345679",
        ] {
            assert!(raws.contains(&raw), "{raw}");
        }
        // The second is found once the first is a wall.
        let behind = "/020-1234567, x";
        let found = judged("NL", behind)
            .into_iter()
            .find_map(Result::ok)
            .expect("a number");
        assert_eq!(&behind[found.range()], "020-1234567");
    }

    #[test]
    fn no_text_makes_it_panic_or_lie_about_its_length() {
        let parts = [
            "+", "(", ")", "0", "1", "415", "555", "2671", "-", " ", ".", "/", "~", "x", "ext. 12",
            "31", "00", "é", "話", "\u{0301}", "€", ":", "2024", "  ", ";ext=", "06", "12345678",
        ];
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(parts[(seed >> 33) as usize % parts.len()]);
            }
            for found in judged("NL,US", &text).into_iter().flatten() {
                let range = found.range();
                assert!(range.len() <= Phone.max_len(), "{text:?}");
                let raw = &text[range];
                assert!(
                    raw.ends_with(|c: char| c.is_ascii_digit()),
                    "{raw:?} in {text:?}"
                );
            }
        }
    }
}
