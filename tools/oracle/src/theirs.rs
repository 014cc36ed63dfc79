//! What the two ports of libphonenumber answer, and what the metadata says that we are built from.

use std::collections::BTreeMap;

use phonenumber::Metadata;
use phonenumber::metadata::DATABASE;
use regex::Regex;
use rlibphonenumber::{
    NumberLengthType, PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberFormat, Region,
};

use crate::generate::kinds;

/// One port's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub e164: String,
    pub code: u16,
    pub national: String,
    pub possible: bool,
    pub valid: bool,
}

pub fn rlib_parse(text: &str, region: &str) -> Option<PhoneNumber> {
    let region = Region::from_code(region)
        .ok()
        .filter(|region| *region != Region::World);
    PHONE_NUMBER_UTIL.parse(text, region).ok()
}

pub fn rlib(text: &str, region: &str) -> Option<Answer> {
    let number = rlib_parse(text, region)?;
    Some(Answer {
        code: u16::try_from(number.country_code).ok()?,
        national: number.get_national_significant_number(),
        e164: number.format_as(PhoneNumberFormat::E164).into_owned(),
        possible: number.is_possible_with_reason() == Ok(NumberLengthType::IsPossible),
        valid: number.is_valid(),
    })
}

/// `phonenumber` tells validity alone.
pub fn crate_reads(text: &str, region: Option<&str>) -> Option<(String, bool)> {
    let region = match region {
        Some(name) => Some(name.parse().ok()?),
        None => None,
    };
    let number = phonenumber::parse(region, text).ok()?;
    let e164 = number.format().mode(phonenumber::Mode::E164).to_string();
    Some((e164, number.is_valid()))
}

/// The metadata of the version that nymize is built from, read with plain regular expressions.
#[derive(Default)]
pub struct Plain {
    patterns: BTreeMap<String, Regex>,
}

impl Plain {
    fn matches(&mut self, pattern: &str, text: &str, whole: bool) -> bool {
        let source = format!("^(?x:{pattern}){}", if whole { "$" } else { "" });
        let regex = self
            .patterns
            .entry(source)
            .or_insert_with_key(|source| Regex::new(source).expect("a pattern of the metadata"));
        regex.is_match(text)
    }

    fn has_kind(&mut self, region: &Metadata, national: &str) -> bool {
        let general = region.descriptors().general().national_number().as_str();
        self.matches(general, national, true)
            && kinds(region).any(|kind| {
                kind.possible_length().contains(&(national.len() as u16))
                    && self.matches(kind.national_number().as_str(), national, true)
            })
    }

    /// Whether a number of this country code is valid: the first region that claims it decides.
    pub fn is_valid(&mut self, code: u16, national: &str) -> bool {
        let regions = DATABASE.by_code(&code).unwrap_or_default();
        for region in regions {
            match region.leading_digits() {
                Some(leading) if self.matches(leading.as_str(), national, false) => {
                    return self.has_kind(region, national);
                }
                Some(_) => {}
                None if self.has_kind(region, national) => return true,
                None => {}
            }
        }
        false
    }

    /// Whether the main region of the code has numbers of this length, of any kind.
    pub fn is_possible(code: u16, national: &str) -> bool {
        let regions = DATABASE.by_code(&code).unwrap_or_default();
        let length = national.len() as u16;
        regions
            .first()
            .is_some_and(|main| kinds(main).any(|kind| kind.possible_length().contains(&length)))
    }
}
