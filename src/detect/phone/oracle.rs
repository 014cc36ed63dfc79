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

#[test]
fn numbers_are_read_as_the_crate_reads_them() {
    let mut regions: Vec<_> = DATABASE
        .iter()
        .filter(|region| region.id() != "001")
        .collect();
    regions.sort_by_key(|region| region.country_code());
    let mut compared = 0;
    let mut differences = Vec::new();
    for region in regions {
        let prefix = region.national_prefix().unwrap_or_default();
        for national in samples(region) {
            let code = region.country_code();
            let forms = [
                (
                    format!("{code}{national}"),
                    format!("+{code}{national}"),
                    None,
                ),
                (
                    format!("{prefix}{national}"),
                    format!("{prefix}{national}"),
                    Some(region.id()),
                ),
            ];
            for (digits, text, home) in forms {
                let (ours, theirs) = (we_read(&digits, home), crate_reads(&text, home));
                compared += 1;
                if ours != theirs {
                    differences.push(format!("{text} {home:?}: {ours:?}, not {theirs:?}"));
                }
            }
        }
    }
    for d in &differences {
        println!("{d}");
    }
    println!("{compared}");
}
