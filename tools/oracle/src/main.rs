//! Asks nymize, and two ports of Google's libphonenumber, about the same numbers of all regions, and
//! lists where the answers differ, by kind: `cargo run --release`, and perhaps a seed for other numbers.
//! Exit status 1 where a difference is of no known kind, or where too few numbers were made. README.md
//! judges the kinds.

mod generate;
mod judge;
mod ours;
mod random;
mod report;
mod theirs;

use std::collections::BTreeSet;
use std::process::ExitCode;

use generate::Sample;
use judge::Question;
use ours::Ours;
use random::Random;
use report::Report;
use theirs::{Theirs, crate_reads, digits};

/// So many numbers are compared, at least.
const ENOUGH: usize = 50_000;
/// What the numbers are made from, where nothing else is said.
const SEED: u64 = 20_261_201;

struct Comparison {
    same: Theirs,
    newer: Theirs,
    report: Report,
}

impl Comparison {
    /// The forms with a country code, which are read the same everywhere.
    fn international(&mut self, sample: &Sample, ours: &Ours) {
        let e164 = sample.e164();
        self.ask(Question::Compact, ours, &e164, "001", &sample.region);
        self.ask(Question::Line, ours, &e164, "001", &sample.region);
        if let Some((spaces, _)) = self.same.written(&e164) {
            let dashes = spaces.replace(' ', "-");
            self.ask(Question::Spaces, ours, &spaces, "001", &sample.region);
            self.ask(Question::Dashes, ours, &dashes, "001", &sample.region);
        }
        self.ask_crate(&e164, None);
    }

    /// The forms that are used in the region of the number, and in another one.
    fn national(&mut self, sample: &Sample, ours: &Ours, other: &str) {
        let region = sample.region.as_str();
        let Some((_, written)) = self.same.written(&sample.e164()) else {
            return;
        };
        let digits = digits(&written);
        self.ask(Question::National, ours, &written, region, region);
        self.ask(Question::Digits, ours, &digits, region, region);
        self.ask(Question::Word, ours, &digits, region, region);
        self.ask_crate(&digits, Some(region));
        let both = Ours::new(&[other, region]);
        let answer = Question::Regions.put(&both, &digits);
        // The first region that the number is valid in. Where it lacks the prefix that it is written with
        // there, the port does not say whether that may be left out: either answer will do.
        let there = self.same.read(&digits, other);
        if there
            .as_ref()
            .is_some_and(|number| number.is_dialled(&digits))
        {
            return; // Exit codes are asked about above.
        }
        let there = there.filter(|number| {
            number.valid && (!number.lacks_prefix(&digits) || answer.is(&number.e164))
        });
        let expected = there.or_else(|| self.same.read(&digits, region));
        let regions = format!("{other}, {region}");
        self.report.compare(
            Question::Regions,
            &answer,
            &digits,
            expected.as_ref(),
            &regions,
        );
    }

    fn ask(&mut self, question: Question, ours: &Ours, written: &str, region: &str, shown: &str) {
        let answer = question.put(ours, written);
        let same = self.same.read(written, region);
        self.report
            .compare(question, &answer, written, same.as_ref(), shown);
        let newer = self.newer.read(written, region);
        self.report
            .compare_metadata(question, written, same.as_ref(), newer.as_ref(), shown);
    }

    fn ask_crate(&mut self, text: &str, region: Option<&str>) {
        let same = self.same.read(text, region.unwrap_or("001"));
        let theirs = crate_reads(text, region);
        self.report
            .compare_crate(text, region.unwrap_or_default(), same.as_ref(), theirs);
    }
}

fn main() -> ExitCode {
    let seed = std::env::args()
        .nth(1)
        .map_or(Ok(SEED), |seed| seed.parse());
    let Ok(seed) = seed else {
        eprintln!("the seed is a number");
        return ExitCode::FAILURE;
    };
    let samples = generate::samples(seed);
    let of_regions = samples.iter().filter(|sample| sample.is_of_a_region());
    let regions: BTreeSet<&str> = of_regions.map(|sample| sample.region.as_str()).collect();
    let regions = Vec::from_iter(regions);
    let codes: BTreeSet<u16> = samples.iter().map(|sample| sample.code).collect();
    let mut random = Random::new(seed + 2);
    let mut comparison = Comparison {
        same: Theirs::with_our_metadata(),
        newer: Theirs::as_they_come(),
        report: Report::default(),
    };
    let anywhere = Ours::new(&[]);
    let mut home = ("", Ours::new(&[]));
    for sample in &samples {
        comparison.international(sample, &anywhere);
        if sample.is_of_a_region() {
            if home.0 != sample.region {
                home = (&sample.region, Ours::new(&[&sample.region]));
            }
            let other = regions[random.below(regions.len())];
            comparison.national(sample, &home.1, other);
        }
    }
    println!(
        "{} numbers of {} regions and {} country codes.\n",
        samples.len(),
        regions.len(),
        codes.len()
    );
    comparison.report.print();
    if comparison.report.is_explained() && samples.len() >= ENOUGH {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
