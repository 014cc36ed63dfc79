//! Numbering plans: from digits to a country code and a national number, possible or valid.
//!
//! The tables are compiled by the build script from libphonenumber's metadata (the version that
//! the `phonenumber` crate in `Cargo.lock` carries), the algorithms are those of its
//! `PhoneNumberUtil`. Numbers that can only be dialled within an area are left out: without
//! their area they are not one number but many.

use smallvec::SmallVec;

use crate::finding::Canonical;

/// An index of a state in `STATES`, with bit 15 set where the digits before it are a match.
type Entry = u16;

struct Country {
    code: u16,
    /// The valid national numbers.
    valid: Entry,
    /// The national numbers that are not written without a national prefix.
    prefixed: Entry,
    /// The main region, in `PLANS`.
    plan: u16,
}

struct Plan {
    name: &'static str,
    /// Index in `COUNTRIES`.
    country: u8,
    /// National numbers that look right.
    general: Entry,
    /// What is dialled before a country code.
    exit: Entry,
    /// Bit n: a national number may have n digits.
    lengths: u32,
    /// The first of `RULES` and the one behind the last.
    rules: (u16, u16),
}

/// A way to take a national prefix off.
struct Rule {
    head: Entry,
    keep: Entry,
    tail: Entry,
    end: bool,
    insert: &'static [u8],
}

mod tables {
    use super::{Country, Plan, Rule};
    include!(concat!(env!("OUT_DIR"), "/numbering.rs"));
}
use tables::{CODES, COUNTRIES, PLANS, REGIONS, RULES, STATES};

/// ASCII digits.
pub(super) type Digits = SmallVec<[u8; 24]>;

/// A region of libphonenumber: a country or territory with a numbering plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region(u8);

impl Region {
    /// Reads a two-letter code (ISO 3166-1, and `AC`, `TA`, `XK`) in either case.
    pub(crate) fn parse(name: &str) -> Option<Region> {
        let name = name.to_ascii_uppercase();
        let regions = PLANS.get(..REGIONS)?;
        let index = regions.binary_search_by(|plan| plan.name.cmp(&name)).ok()?;
        u8::try_from(index).ok().map(Region)
    }

    /// Every region, by name.
    pub(crate) fn all() -> impl Iterator<Item = Region> {
        (0..=u8::MAX).take(REGIONS).map(Region)
    }

    /// The two letters.
    pub(crate) fn name(self) -> &'static str {
        self.plan().name
    }

    fn plan(self) -> &'static Plan {
        PLANS
            .get(usize::from(self.0))
            .expect("a Region is made from an index of PLANS")
    }
}

/// A number with its country.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    country: u8,
    national: Digits,
}

/// A number in the form that is used within a region.
pub(super) struct National {
    pub(super) number: Number,
    /// Whether it stood there with all that such a number is written with: a country code, or
    /// the national prefix unless that may be left out.
    pub(super) complete: bool,
}

impl Number {
    /// Reads what stands behind a `+`: a country code and a national number, which may have its
    /// national prefix before it (`+44 (0)20…`).
    pub(super) fn international(digits: &[u8]) -> Option<Number> {
        let (country, rest) = country_code(digits)?;
        let plan = COUNTRIES.get(usize::from(country))?.main();
        Some(Number {
            country,
            national: plan.national(rest),
        })
    }

    /// Reads a number as it is written in `region`, or its country code and a number.
    pub(super) fn national(digits: &[u8], region: Region) -> Option<National> {
        let plan = region.plan();
        let country = COUNTRIES.get(usize::from(plan.country))?;
        if let Some(national) = plan.behind_own_code(digits, country.code) {
            let number = Number {
                country: plan.country,
                national,
            };
            return Some(National {
                number,
                complete: true,
            });
        }
        let national = plan.national(digits);
        let complete =
            !matches(country.prefixed, &national) || plan.without_prefix(digits).is_some();
        Some(National {
            number: Number {
                country: plan.country,
                national,
            },
            complete,
        })
    }

    /// Reads a number that is dialled from `region` with its exit code (`00`, `011`, `0011`, …).
    pub(super) fn dialled(digits: &[u8], region: Region) -> Option<Number> {
        let length = longest(region.plan().exit, digits)?;
        let rest = digits.get(length..)?;
        if rest.first() == Some(&b'0') {
            None
        } else {
            Number::international(rest)
        }
    }

    /// Whether the country has numbers of this length.
    pub(super) fn is_possible(&self) -> bool {
        self.country()
            .is_some_and(|country| country.main().has_length(self.national.len()))
    }

    /// Whether the country has assigned the range that the number is in.
    pub(super) fn is_valid(&self) -> bool {
        self.country()
            .is_some_and(|country| matches(country.valid, &self.national))
    }

    /// Whether it is no longer than E.164 allows, 15 digits; some plans list longer ones.
    pub(super) fn is_e164(&self) -> bool {
        self.code_len() + self.national.len() <= 15
    }

    /// How many digits the number has behind its country code.
    pub(super) fn national_len(&self) -> usize {
        self.national.len()
    }

    /// The number as E.164 text.
    pub(super) fn e164(&self) -> Canonical {
        let mut text = Canonical::new();
        text.push(b'+');
        let code = self.country().map_or(0, |country| country.code);
        for unit in [100, 10, 1] {
            if code >= unit {
                let digit = u8::try_from(code / unit % 10).unwrap_or(0);
                text.push(b'0' + digit);
            }
        }
        text.extend_from_slice(&self.national);
        text
    }

    /// How many digits the country code has.
    pub(super) fn code_len(&self) -> usize {
        self.country().map_or(0, |country| match country.code {
            0..10 => 1,
            10..100 => 2,
            _ => 3,
        })
    }

    fn country(&self) -> Option<&'static Country> {
        COUNTRIES.get(usize::from(self.country))
    }
}

impl Country {
    fn main(&self) -> &'static Plan {
        PLANS
            .get(usize::from(self.plan))
            .expect("the build script makes the indices")
    }
}

impl Plan {
    fn has_length(&self, length: usize) -> bool {
        length < 32 && self.lengths & (1 << length) != 0
    }

    fn is_too_long(&self, length: usize) -> bool {
        length >= 32 || self.lengths >> length == 0
    }

    /// The national number in `digits`: without its prefix where that leaves a possible number.
    fn national(&self, digits: &[u8]) -> Digits {
        match self.without_prefix(digits) {
            Some(rest) if self.has_length(rest.len()) || self.is_too_long(rest.len()) => rest,
            _ => Digits::from_slice(digits),
        }
    }

    /// The national number where `digits` are the own country code and a number rather than a
    /// national number that begins alike.
    fn behind_own_code(&self, digits: &[u8], code: u16) -> Option<Digits> {
        let (country, rest) = country_code(digits)?;
        if COUNTRIES.get(usize::from(country))?.code != code {
            return None;
        }
        let national = self
            .without_prefix(rest)
            .unwrap_or_else(|| Digits::from_slice(rest));
        let better = !matches(self.general, digits) && matches(self.general, &national);
        (better || self.is_too_long(digits.len())).then(|| self.national(&national))
    }

    /// Takes the national prefix, and a carrier code, off. `None`: there is none, or the number
    /// looks right with it alone.
    fn without_prefix(&self, digits: &[u8]) -> Option<Digits> {
        let rules = RULES.get(usize::from(self.rules.0)..usize::from(self.rules.1))?;
        let rest = rules.iter().find_map(|rule| rule.apply(digits))?;
        (!matches(self.general, digits) || matches(self.general, &rest)).then_some(rest)
    }
}

impl Rule {
    /// What is left of `digits`, if the rule fits. More digits are preferred to fewer in each
    /// part, as in the regular expression that the rule comes from.
    fn apply(&self, digits: &[u8]) -> Option<Digits> {
        if self.keep == 0 {
            let head = longest(self.head, digits)?;
            return digits.get(head..).map(Digits::from_slice);
        }
        ends(self.head, digits).find_map(|head| {
            let behind = digits.get(head..)?;
            ends(self.keep, behind).find_map(|keep| {
                let (kept, behind) = behind.split_at_checked(keep)?;
                let tail = longest(self.tail, behind)?;
                let rest = behind.get(tail..)?;
                if self.end && !rest.is_empty() {
                    return None;
                }
                let mut national = Digits::from_slice(self.insert);
                national.extend_from_slice(kept);
                national.extend_from_slice(rest);
                Some(national)
            })
        })
    }
}

/// The country of the code that `digits` begin with, and the digits behind it. No code is the
/// beginning of another.
fn country_code(digits: &[u8]) -> Option<(u8, &[u8])> {
    let mut code = 0;
    for (index, digit) in digits.iter().take(3).enumerate() {
        code = code * 10 + usize::from(digit.wrapping_sub(b'0'));
        if index == 0 && code == 0 {
            return None;
        }
        if let Some(country) = CODES.get(code).and_then(|&country| country.checked_sub(1)) {
            return Some((country, digits.get(index + 1..)?));
        }
    }
    None
}

fn step(entry: Entry, digit: u8) -> Entry {
    STATES
        .get(usize::from(entry & 0x7FFF))
        .and_then(|state| state.get(usize::from(digit.wrapping_sub(b'0'))))
        .copied()
        .unwrap_or(0)
}

const fn is_match(entry: Entry) -> bool {
    entry & 0x8000 != 0
}

/// Whether all of `digits` match.
fn matches(entry: Entry, digits: &[u8]) -> bool {
    is_match(
        digits
            .iter()
            .fold(entry, |entry, &digit| step(entry, digit)),
    )
}

/// The lengths of the beginnings of `digits` that match, the longest first.
fn ends(entry: Entry, digits: &[u8]) -> impl Iterator<Item = usize> + use<> {
    let mut lengths = u32::from(is_match(entry));
    let mut entry = entry;
    for (length, &digit) in (1..32).zip(digits) {
        entry = step(entry, digit);
        lengths |= u32::from(is_match(entry)) << length;
    }
    (0..32)
        .rev()
        .filter(move |&length| lengths & (1 << length) != 0)
}

/// The length of the longest beginning of `digits` that matches.
fn longest(entry: Entry, digits: &[u8]) -> Option<usize> {
    ends(entry, digits).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(name: &str) -> Region {
        Region::parse(name).unwrap_or_else(|| panic!("{name}"))
    }

    fn e164(number: &Number) -> String {
        String::from_utf8(number.e164().to_vec()).expect("digits")
    }

    #[test]
    fn regions_are_found_by_name() {
        assert_eq!(Region::parse("nl").map(Region::name), Some("NL"));
        assert_eq!(Region::parse("XX"), None);
        assert_eq!(
            Region::parse("001"),
            None,
            "a code of no region has no national numbers"
        );
        assert_eq!(Region::parse(""), None);
        for region in Region::all() {
            assert_eq!(Region::parse(region.name()), Some(region));
        }
        assert!(Region::all().count() > 240);
    }

    #[test]
    fn national_forms() {
        for (name, digits, expected) in [
            ("NL", "0612345678", "+31612345678"),
            ("NL", "31612345678", "+31612345678"),
            ("IT", "0236618300", "+390236618300"),
            ("AR", "0111537970000", "+5491137970000"),
            ("AR", "03715156543 20", "+5493715654320"),
            ("BR", "0211123456789", "+551123456789"),
            ("BR", "0311196123 4567", "+5511961234567"),
            ("RU", "83011234567", "+73011234567"),
            ("HU", "0612345678", "+3612345678"),
            ("BB", "2345678", "+12462345678"),
            ("GB", "02079460958", "+442079460958"),
            ("NZ", "64033316005", "+6433316005"),
            ("SM", "886377", "+3780549886377"),
        ] {
            let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).collect();
            let found = Number::national(&digits, region(name)).expect("digits");
            assert_eq!(e164(&found.number), expected, "{name} {digits:?}");
        }
    }

    #[test]
    fn exit_codes_depend_on_the_region() {
        let dialled = |digits: &str, name| {
            Number::dialled(digits.as_bytes(), region(name)).map(|number| e164(&number))
        };
        assert_eq!(
            dialled("0031612345678", "NL").as_deref(),
            Some("+31612345678")
        );
        assert_eq!(
            dialled("01131612345678", "US").as_deref(),
            Some("+31612345678")
        );
        assert_eq!(
            dialled("001131612345678", "AU").as_deref(),
            Some("+31612345678")
        );
        assert_eq!(
            dialled("81031612345678", "RU").as_deref(),
            Some("+31612345678")
        );
        assert_eq!(
            dialled("00116503336000", "SG").as_deref(),
            Some("+16503336000")
        );
        assert_eq!(dialled("01131612345678", "NL"), None);
    }
}
