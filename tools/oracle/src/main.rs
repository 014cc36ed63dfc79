//! Asks nymize, and two ports of Google's libphonenumber, about the same numbers of all regions, and
//! lists where the answers differ, by kind. `cargo run --release`; exit status 1 where a difference is
//! of no known kind, or where too few numbers were made.

mod generate;
mod judge;
mod ours;
mod random;
mod theirs;

use std::collections::BTreeMap;
use std::process::ExitCode;

use generate::Sample;
use judge::{Kind, Question, agrees, kind};
use ours::Ours;
use random::Random;
use rlibphonenumber::PhoneNumberFormat;
use theirs::{Plain, crate_reads, rlib, rlib_parse};

/// So many numbers are compared, at least.
const ENOUGH: usize = 50_000;
/// So many examples of each kind are shown.
const EXAMPLES: usize = 4;

/// How often something came up, and where.
#[derive(Default)]
struct Count {
    times: usize,
    examples: Vec<String>,
}

impl Count {
    /// Keeps examples from all over: the 1st, 4th, 16th, …
    fn add(&mut self, example: impl FnOnce() -> String) {
        self.times += 1;
        if self.times.is_power_of_two() && self.times.trailing_zeros() % 2 == 0 {
            self.examples.push(example());
            self.examples.truncate(EXAMPLES);
        }
    }
}

#[derive(Default)]
struct Comparison {
    plain: Plain,
    asked: BTreeMap<Question, usize>,
    differ: BTreeMap<(Kind, Question), Count>,
    /// Of the crate `phonenumber`: the same, and how it differs.
    crate_asked: usize,
    crate_differs: BTreeMap<&'static str, Count>,
}

impl Comparison {
    fn ask(
        &mut self,
        question: Question,
        ours: &ours::Answer,
        written: &str,
        theirs: Option<&theirs::Answer>,
        region: &str,
    ) {
        *self.asked.entry(question).or_default() += 1;
        if agrees(question, ours, theirs) {
            return;
        }
        let kind = kind(question, written, ours, theirs, &mut self.plain);
        let said = match theirs {
            None => "no number".to_owned(),
            Some(number) if question.wanted(theirs) => number.e164.clone(),
            Some(number) => format!("{} is none", number.e164),
        };
        self.differ
            .entry((kind, question))
            .or_default()
            .add(|| format!("`{written}` {region}: they {said}, we {}", ours.shown()));
    }

    /// The crate tells validity; where it agrees with neither of us two, why.
    fn ask_crate(&mut self, text: &str, region: Option<&str>, number: Option<&theirs::Answer>) {
        self.crate_asked += 1;
        let theirs = crate_reads(text, region);
        let valid = theirs
            .as_ref()
            .filter(|theirs| theirs.1)
            .map(|theirs| theirs.0.as_str());
        let known = number
            .filter(|number| number.valid)
            .map(|number| number.e164.as_str());
        if valid == known {
            return;
        }
        let kind = match (number, &theirs) {
            (Some(number), _)
                if self.plain.is_valid(number.code, &number.national) != number.valid =>
            {
                "rlibphonenumber has newer metadata"
            }
            (Some(number), Some((e164, true))) if !number.valid && *e164 == number.e164 => {
                "the crate compares with the beginning of a number alone"
            }
            (Some(number), Some((e164, _))) if *e164 != number.e164 => {
                "the crate takes other digits for a prefix"
            }
            (_, None) => "the crate reads no number",
            _ => "other",
        };
        let said = theirs.map_or("no number".to_owned(), |(e164, valid)| {
            format!("{e164}{}", if valid { "" } else { " is none" })
        });
        let other = known.unwrap_or("none");
        self.crate_differs.entry(kind).or_default().add(|| {
            format!(
                "`{text}` {}: it {said}, rlibphonenumber {other}",
                region.unwrap_or("")
            )
        });
    }

    fn international(&mut self, sample: &Sample, ours: &Ours) {
        let e164 = sample.e164();
        let theirs = rlib(&e164, "001");
        let mut ask = |question, before: &str, written: &str, theirs: Option<&theirs::Answer>| {
            let answer = ours.read(before, written, " now");
            self.ask(question, &answer, written, theirs, &sample.region);
        };
        ask(Question::Compact, "see ", &e164, theirs.as_ref());
        ask(Question::Line, "", &e164, theirs.as_ref());
        if let Some(number) = rlib_parse(&e164, "001") {
            let spaces = number
                .format_as(PhoneNumberFormat::International)
                .into_owned();
            let dashes = spaces.replace(' ', "-");
            for (question, written) in [(Question::Spaces, &spaces), (Question::Dashes, &dashes)] {
                ask(question, "see ", written, rlib(written, "001").as_ref());
            }
        }
        self.ask_crate(&e164, None, theirs.as_ref());
    }

    fn national(&mut self, sample: &Sample, ours: &Ours, other: &str) {
        let region = sample.region.as_str();
        let Some(number) = rlib_parse(&sample.e164(), region) else {
            return;
        };
        let written = number.format_as(PhoneNumberFormat::National).into_owned();
        let digits: String = written.chars().filter(char::is_ascii_digit).collect();
        let theirs = rlib(&written, region);
        let answer = ours.read("see ", &written, " now");
        self.ask(
            Question::National,
            &answer,
            &written,
            theirs.as_ref(),
            region,
        );
        let theirs = rlib(&digits, region);
        let answer = ours.read("see ", &digits, " now");
        self.ask(Question::Digits, &answer, &digits, theirs.as_ref(), region);
        let answer = ours.read("tel ", &digits, "");
        self.ask(Question::Word, &answer, &digits, theirs.as_ref(), region);
        self.ask_crate(&digits, Some(region), theirs.as_ref());
        let elsewhere = rlib(&digits, other).filter(|number| number.valid);
        let answer = Ours::new(&[other, region]).read("see ", &digits, " now");
        let regions = format!("{other}, {region}");
        let first = elsewhere.or(theirs);
        self.ask(
            Question::Regions,
            &answer,
            &digits,
            first.as_ref(),
            &regions,
        );
    }

    fn print(&self, samples: usize, regions: usize) {
        println!("{samples} numbers, {regions} regions and codes.\n");
        println!("| asked | numbers | answers that differ |\n|---|---|---|");
        for (question, name) in Question::ALL {
            let of_it = self.differ.iter().filter(|((_, of), _)| *of == question);
            let differ: usize = of_it.map(|(_, count)| count.times).sum();
            println!("| {name} | {} | {differ} |", self.asked[&question]);
        }
        println!("\n| kind | asked | times | examples |\n|---|---|---|---|");
        for ((kind, question), count) in &self.differ {
            println!(
                "| {kind:?} | {question:?} | {} | {} |",
                count.times,
                count.examples.join("; ")
            );
        }
        println!(
            "\nThe crate phonenumber, asked {} times whether a number is valid, beside rlibphonenumber:\n",
            self.crate_asked
        );
        println!("| kind | times | examples |\n|---|---|---|");
        for (kind, count) in &self.crate_differs {
            println!(
                "| {kind} | {} | {} |",
                count.times,
                count.examples.join("; ")
            );
        }
    }
}

fn main() -> ExitCode {
    let samples = generate::samples();
    let mut regions: Vec<&str> = samples
        .iter()
        .map(|sample| sample.region.as_str())
        .collect();
    regions.dedup();
    let named: Vec<&str> = regions
        .iter()
        .copied()
        .filter(|name| *name != "001")
        .collect();
    let codes = samples
        .iter()
        .filter(|sample| !sample.is_of_a_region())
        .map(|sample| sample.code);
    let codes: std::collections::BTreeSet<u16> = codes.collect();
    let mut random = Random::new(7);
    let mut comparison = Comparison::default();
    let anywhere = Ours::new(&[]);
    let mut home = (String::new(), Ours::new(&[]));
    for sample in &samples {
        comparison.international(sample, &anywhere);
        if sample.is_of_a_region() {
            if home.0 != sample.region {
                home = (sample.region.clone(), Ours::new(&[&sample.region]));
            }
            let other = named[random.below(named.len())];
            comparison.national(sample, &home.1, other);
        }
    }
    comparison.print(samples.len(), named.len() + codes.len());
    let unexplained = comparison
        .differ
        .keys()
        .filter(|(kind, _)| *kind == Kind::Unexplained)
        .count();
    if unexplained > 0 || samples.len() < ENOUGH {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
