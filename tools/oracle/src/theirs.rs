//! What the two ports of libphonenumber answer.
//!
//! rlibphonenumber brings newer metadata than nymize is built from. Here it is asked twice: with the
//! metadata of the crate `phonenumber`, which nymize is built from too, and with its own. The first must
//! answer as nymize does; what the second answers otherwise is what an update would change.

use phonenumber::Metadata;
use phonenumber::metadata::{Descriptor, Format};
use rlibphonenumber::{
    NumberFormat, NumberLengthType, PhoneMetadata, PhoneMetadataCollection, PhoneNumber,
    PhoneNumberDesc, PhoneNumberFormat, PhoneNumberUtil, Region,
    get_national_significant_number_owned,
};

use crate::generate::{kinds, regions};

/// One port's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub e164: String,
    pub possible: bool,
    pub valid: bool,
    /// The digits of its national form.
    pub national: String,
    /// How many digits it has behind its country code.
    pub length: usize,
}

pub struct Theirs(PhoneNumberUtil);

impl Answer {
    /// Whether `digits` are the number without the national prefix that it is written with: one digit or two,
    /// as an area code has more.
    pub fn lacks_prefix(&self, digits: &str) -> bool {
        let prefix = self.national.strip_suffix(digits);
        prefix.is_some_and(|prefix| (1..=2).contains(&prefix.len()))
    }

    /// Whether `digits` are the number behind an exit code.
    pub fn is_dialled(&self, digits: &str) -> bool {
        let number = self.e164.trim_start_matches('+');
        digits.len() > number.len() && digits.ends_with(number)
    }
}

impl Theirs {
    /// With the metadata that nymize is built from.
    pub fn with_our_metadata() -> Theirs {
        let metadata = regions().map(converted).collect();
        let util = PhoneNumberUtil::new_for_metadata(PhoneMetadataCollection { metadata });
        Theirs(util.expect("both know the regions"))
    }

    /// With its own.
    pub fn as_they_come() -> Theirs {
        Theirs(PhoneNumberUtil::new().expect("its own metadata"))
    }

    /// The number in `text`, as it is read in `region`; `001`: nowhere.
    pub fn read(&self, text: &str, region: &str) -> Option<Answer> {
        let number = self.parse(text, region)?;
        let reason = self.0.is_possible_number_with_reason(&number);
        Some(Answer {
            length: get_national_significant_number_owned(&number).len(),
            e164: self.0.format(&number, PhoneNumberFormat::E164).into_owned(),
            possible: reason == Ok(NumberLengthType::IsPossible),
            valid: self.0.is_valid_number(&number),
            national: digits(&self.0.format(&number, PhoneNumberFormat::National)),
        })
    }

    /// The number as it is written abroad and at home.
    pub fn written(&self, text: &str) -> Option<(String, String)> {
        let number = self.parse(text, "001")?;
        let format = |format| self.0.format(&number, format).into_owned();
        let abroad = format(PhoneNumberFormat::International);
        Some((abroad, format(PhoneNumberFormat::National)))
    }

    fn parse(&self, text: &str, region: &str) -> Option<PhoneNumber> {
        let region = Region::from_code(region).ok();
        let region = region.filter(|region| *region != Region::World);
        self.0.parse(text, region).ok()
    }
}

pub fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The E.164 text that the crate `phonenumber` reads, and whether it holds it valid; it does not tell
/// whether a number is possible.
pub fn crate_reads(text: &str, region: Option<&str>) -> Option<(String, bool)> {
    let region = match region {
        Some(name) => Some(name.parse().ok()?),
        None => None,
    };
    let number = phonenumber::parse(region, text).ok()?;
    let e164 = number.format().mode(phonenumber::Mode::E164).to_string();
    Some((e164, number.is_valid()))
}

/// A region of one port's metadata in the form of the other.
#[expect(
    deprecated,
    reason = "the port reads these fields, and means that others do not"
)]
fn converted(region: &Metadata) -> PhoneMetadata {
    let all = region.descriptors();
    let kind = |kind: Option<&Descriptor>| kind.map(described);
    // As Google's build tool does: what any kind of number may have.
    let mut lengths: Vec<i32> = kinds(region)
        .flat_map(|kind| kind.possible_length().iter().map(|&length| length.into()))
        .collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut local: Vec<i32> = kinds(region)
        .flat_map(|kind| {
            kind.possible_local_length()
                .iter()
                .map(|&length| length.into())
        })
        .filter(|length| !lengths.contains(length))
        .collect();
    local.sort_unstable();
    local.dedup();
    let general = PhoneNumberDesc {
        possible_length: lengths,
        possible_length_local_only: local,
        ..described(all.general())
    };
    let prefix = region.national_prefix().unwrap_or_default();
    let formats = |formats: &[Format]| formats.iter().map(|f| format(f, prefix)).collect();
    let for_parsing = region
        .national_prefix_for_parsing()
        .map(|prefix| prefix.as_str());
    PhoneMetadata {
        general_desc: Some(general),
        fixed_line: kind(all.fixed_line()),
        mobile: kind(all.mobile()),
        toll_free: kind(all.toll_free()),
        premium_rate: kind(all.premium_rate()),
        shared_cost: kind(all.shared_cost()),
        personal_number: kind(all.personal_number()),
        voip: kind(all.voip()),
        pager: kind(all.pager()),
        uan: kind(all.uan()),
        voicemail: kind(all.voicemail()),
        id: region.id().to_owned(),
        country_code: Some(region.country_code().into()),
        international_prefix: region
            .international_prefix()
            .map(|prefix| pattern(prefix.as_str())),
        national_prefix: region.national_prefix().map(str::to_owned),
        national_prefix_for_parsing: for_parsing.or(region.national_prefix()).map(pattern),
        national_prefix_transform_rule: region.national_prefix_transform_rule().map(str::to_owned),
        number_format: formats(region.formats()),
        intl_number_format: formats(region.international_formats()),
        main_country_for_code: Some(region.is_main_country_for_code()),
        leading_digits: region
            .leading_digits()
            .map(|leading| pattern(leading.as_str())),
        ..PhoneMetadata::default()
    }
}

#[expect(deprecated, reason = "as above")]
fn described(kind: &Descriptor) -> PhoneNumberDesc {
    let lengths = |lengths: &[u16]| lengths.iter().map(|&length| length.into()).collect();
    PhoneNumberDesc {
        national_number_pattern: Some(pattern(kind.national_number().as_str())),
        possible_length: lengths(kind.possible_length()),
        possible_length_local_only: lengths(kind.possible_local_length()),
        example_number: kind.example().map(str::to_owned),
    }
}

#[expect(deprecated, reason = "as above")]
fn format(format: &Format, prefix: &str) -> NumberFormat {
    let leading = format.leading_digits().iter();
    NumberFormat {
        pattern: pattern(format.pattern().as_str()),
        format: format.format().to_owned(),
        leading_digits_pattern: leading.map(|digits| pattern(digits.as_str())).collect(),
        national_prefix_formatting_rule: format
            .national_prefix()
            .map(|rule| rule.replace("$NP", prefix).replace("$FG", "$1")),
        national_prefix_optional_when_formatting: Some(format.is_national_prefix_optional()),
        domestic_carrier_code_formatting_rule: None,
    }
}

/// A pattern as the port keeps it: without white space, in a group between anchors, which it cuts off
/// where it wants a beginning or a part.
fn pattern(pattern: &str) -> String {
    let compact: String = pattern.split_whitespace().collect();
    format!("^(?:{compact})$")
}
