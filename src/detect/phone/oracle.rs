//! The numbering plans against the `phonenumber` crate, which reads the same metadata.

use phonenumber::country::Id;
use phonenumber::metadata::{DATABASE, Metadata};

use super::numbers::{Number, Region};

/// The country code and national number that the crate reads, and whether it holds them valid.
fn crate_reads(text: &str, region: Option<&str>) -> Option<(String, bool)> {
    let id: Option<Id> = region.map(|name| name.parse().expect("both know the region"));
    let number = phonenumber::parse(id, text).ok()?;
    let e164 = number.format().mode(phonenumber::Mode::E164).to_string();
    Some((e164, number.is_valid()))
}

fn we_read(digits: &str, region: Option<&str>) -> Option<(String, bool)> {
    let number = match region {
        None => Number::international(digits.as_bytes())?,
        Some(name) => Number::national(digits.as_bytes(), Region::parse(name)?)?.number,
    };
    let e164 = String::from_utf8(number.e164().to_vec()).expect("digits");
    Some((e164, number.is_valid()))
}

/// The example numbers of a region and neighbours of them.
fn samples(region: &Metadata) -> Vec<String> {
    let all = region.descriptors();
    let kinds = [
        all.fixed_line(),
        all.mobile(),
        all.toll_free(),
        all.premium_rate(),
        all.uan(),
    ];
    let mut seed = u32::from(region.country_code()) * 7919;
    let mut samples = Vec::new();
    for example in kinds
        .into_iter()
        .flatten()
        .filter_map(|kind| kind.example())
    {
        samples.push(example.to_owned());
        for _ in 0..2 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut near = example.as_bytes().to_vec();
            let place = (seed >> 16) as usize % near.len().min(4);
            near[place] = b'0' + (seed >> 24) as u8 % 10;
            samples.push(String::from_utf8(near).expect("digits"));
        }
    }
    samples
}

/// Numbers that the crate holds valid because it compares a pattern with the beginning of a
/// number alone. They are of no kind (Google's own library, of the same metadata, agrees).
const TOO_LONG_FOR_THEIR_KIND: &[&str] = &[
    "+24156031234",
    "+2631912345",
    "+263512345678",
    "+3531880123456",
    "+39894123456",
    "+537001234567",
    "+60923456789",
    "+63292345678",
    "+855800123456",
    "+8683123456789",
    "+8803812345678",
    "+886870123456",
    "+96174123456",
    "+96175123456",
];

/// Why the crate is wrong, where it differs.
fn excuse(digits: &str, ours: &(String, bool), theirs: &(String, bool)) -> Option<&'static str> {
    let e164 = ours.0.as_str();
    if ["+78", "+3708", "+37580"]
        .iter()
        .any(|code| e164.starts_with(code))
    {
        return Some("it takes an 8 for the national prefix though the number needs it");
    }
    if !ours.1 && theirs.1 && TOO_LONG_FOR_THEIR_KIND.contains(&e164) {
        return Some("it compares with the beginning of the number alone");
    }
    (ours.1 && e164 == format!("+65{digits}"))
        .then_some("it takes the first digits of a national number for the country code")
}

#[test]
fn numbers_are_read_as_the_crate_reads_them() {
    let mut compared = 0;
    let mut unexplained = Vec::new();
    for region in DATABASE.iter().filter(|region| region.id() != "001") {
        let prefix = region.national_prefix().unwrap_or_default();
        for national in samples(region) {
            let code = region.country_code();
            let home = Some(region.id());
            let local = format!("{prefix}{national}");
            let abroad = format!("{code}{national}");
            for (digits, text, home) in [
                (&abroad, format!("+{abroad}"), None),
                (&local, local.clone(), home),
            ] {
                // The crate takes an exit code off; here that is another question.
                let dialled = home
                    .and_then(Region::parse)
                    .is_some_and(|home| Number::dialled(digits.as_bytes(), home).is_some());
                if dialled || digits.starts_with("00") {
                    continue;
                }
                let (ours, theirs) = (we_read(digits, home), crate_reads(&text, home));
                let (Some(ours), Some(theirs)) = (ours, theirs) else {
                    continue;
                };
                compared += 1;
                // How an impossible number is spelt is of no account.
                let same = ours == theirs || !ours.1 && !theirs.1;
                if !same && excuse(digits, &ours, &theirs).is_none() {
                    unexplained.push(format!("{text} {home:?}: {ours:?}, not {theirs:?}"));
                }
            }
        }
    }
    assert!(compared > 4000, "only {compared}");
    assert!(unexplained.is_empty(), "{unexplained:#?}");
}
