//! Numbers of every region and kind: the examples of the metadata, numbers made from its patterns,
//! neighbours of both, and digits at random.

use std::collections::BTreeSet;

use phonenumber::Metadata;
use phonenumber::metadata::{DATABASE, Descriptor};
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::random::Random;

/// A national number, and where it was made for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sample {
    /// Two letters, or `001`.
    pub region: String,
    pub code: u16,
    pub national: String,
}

impl Sample {
    pub fn e164(&self) -> String {
        format!("+{}{}", self.code, self.national)
    }

    pub fn is_of_a_region(&self) -> bool {
        self.region != "001"
    }
}

/// How many numbers are made from the pattern of each kind of number of a region.
const FROM_PATTERN: usize = 9;
/// How many numbers of random digits each region gets.
const RANDOM: usize = 24;
/// No number is longer; `0*` in a pattern would have no end.
const LONGEST: usize = 17;

/// The samples, each once, region by region.
pub fn samples(seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed);
    let mut samples = BTreeSet::new();
    for region in regions() {
        let mut add = |national: String| {
            if (4..=LONGEST).contains(&national.len()) {
                samples.insert(Sample {
                    region: region.id().to_owned(),
                    code: region.country_code(),
                    national,
                });
            }
        };
        for kind in kinds(region) {
            let pattern = regex_syntax::parse(&format!("(?x:{})", kind.national_number().as_str()));
            let pattern = pattern.expect("a pattern of the metadata");
            let examples = kind.example().map(str::to_owned).into_iter();
            let made: Vec<String> = examples
                .chain((0..FROM_PATTERN).map(|_| text_of(&pattern, &mut random)))
                .collect();
            for national in made {
                neighbours(&national, &mut random).for_each(&mut add);
                add(national);
            }
        }
        let lengths: BTreeSet<u16> = kinds(region)
            .flat_map(|kind| kind.possible_length().to_vec())
            .collect();
        let lengths = Vec::from_iter(lengths);
        for _ in 0..RANDOM {
            let length = lengths
                .get(random.below(lengths.len()))
                .copied()
                .unwrap_or(9);
            add((0..length).map(|_| random.digit()).collect());
        }
    }
    samples.into_iter().collect()
}

/// All regions, the main one of a country code first, and the codes of no region.
pub fn regions() -> impl Iterator<Item = &'static Metadata> {
    (1..1000_u16)
        .filter_map(|code| DATABASE.by_code(&code))
        .flatten()
}

/// The kinds that make a number valid.
pub fn kinds(region: &Metadata) -> impl Iterator<Item = &Descriptor> {
    let all = region.descriptors();
    [
        all.fixed_line(),
        all.mobile(),
        all.toll_free(),
        all.premium_rate(),
        all.shared_cost(),
        all.personal_number(),
        all.voip(),
        all.pager(),
        all.uan(),
        all.voicemail(),
    ]
    .into_iter()
    .flatten()
}

/// The number with a digit changed at its beginning and anywhere, one more, and one less.
fn neighbours(national: &str, random: &mut Random) -> impl Iterator<Item = String> + use<> {
    let mut other = |most: usize| {
        let place = random.below(national.len().min(most));
        let mut near: Vec<char> = national.chars().collect();
        near[place] = random.digit();
        near.into_iter().collect::<String>()
    };
    let changed = [other(3), other(LONGEST)];
    let longer = format!("{national}{}", random.digit());
    let shorter = national[..national.len() - 1].to_owned();
    changed.into_iter().chain([longer, shorter])
}

/// A text that the pattern matches.
fn text_of(pattern: &Hir, random: &mut Random) -> String {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => String::new(),
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).expect("digits"),
        HirKind::Class(class) => digit_of(class, random).to_string(),
        HirKind::Capture(capture) => text_of(&capture.sub, random),
        HirKind::Concat(parts) => parts.iter().map(|part| text_of(part, random)).collect(),
        HirKind::Alternation(ways) => text_of(&ways[random.below(ways.len())], random),
        HirKind::Repetition(repetition) => {
            let least = repetition.min as usize;
            let most = repetition.max.map_or(least + 2, |most| most as usize);
            let count = least + random.below(most - least + 1);
            (0..count)
                .map(|_| text_of(&repetition.sub, random))
                .collect()
        }
    }
}

/// An ASCII digit of a class; `\d` has those of other scripts too.
fn digit_of(class: &Class, random: &mut Random) -> char {
    let holds = |digit: char| match class {
        Class::Unicode(class) => class
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&digit)),
        Class::Bytes(class) => {
            let digit = digit as u8;
            class
                .iter()
                .any(|range| (range.start()..=range.end()).contains(&digit))
        }
    };
    let digits: Vec<char> = ('0'..='9').filter(|&digit| holds(digit)).collect();
    digits[random.below(digits.len())]
}
