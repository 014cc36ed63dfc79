//! What was asked, and where the answers differ.

use std::collections::BTreeMap;

use crate::judge::{Kind, Question, agrees, kind};
use crate::ours;
use crate::theirs::Answer;

/// So many examples of each kind are shown.
const EXAMPLES: usize = 4;

/// How often something came up, and where.
#[derive(Default)]
struct Count {
    times: usize,
    examples: Vec<String>,
}

impl Count {
    /// Keeps the 1st, the 4th, the 16th, … as examples, so that they come from several regions.
    fn add(&mut self, example: impl FnOnce() -> String) {
        self.times += 1;
        let kept = self.times.is_power_of_two() && self.times.trailing_zeros().is_multiple_of(2);
        if kept && self.examples.len() < EXAMPLES {
            self.examples.push(example());
        }
    }
}

#[derive(Default)]
pub struct Report {
    asked: BTreeMap<Question, usize>,
    /// Where nymize differs from rlibphonenumber with the same metadata.
    differ: BTreeMap<(Kind, Question), Count>,
    /// Where newer metadata changes rlibphonenumber's answer.
    newer: BTreeMap<Question, Count>,
    crate_asked: usize,
    crate_differs: BTreeMap<&'static str, Count>,
}

impl Report {
    pub fn compare(
        &mut self,
        question: Question,
        ours: &ours::Answer,
        written: &str,
        theirs: Option<&Answer>,
        region: &str,
    ) {
        *self.asked.entry(question).or_default() += 1;
        if agrees(question, ours, theirs) {
            return;
        }
        let said = said(question, theirs);
        self.differ
            .entry((kind(question, written, ours, theirs), question))
            .or_default()
            .add(|| format!("`{written}` {region}: they {said}, we {}", ours.shown()));
    }

    pub fn compare_metadata(
        &mut self,
        question: Question,
        written: &str,
        same: Option<&Answer>,
        newer: Option<&Answer>,
        region: &str,
    ) {
        let (same, newer) = (said(question, same), said(question, newer));
        if same != newer {
            self.newer
                .entry(question)
                .or_default()
                .add(|| format!("`{written}` {region}: {same}, now {newer}"));
        }
    }

    /// The crate tells validity alone.
    pub fn compare_crate(
        &mut self,
        text: &str,
        region: &str,
        same: Option<&Answer>,
        theirs: Option<(String, bool)>,
    ) {
        self.crate_asked += 1;
        let known = same
            .filter(|number| number.valid)
            .map(|number| number.e164.as_str());
        let valid = theirs
            .as_ref()
            .filter(|theirs| theirs.1)
            .map(|theirs| theirs.0.as_str());
        if known == valid {
            return;
        }
        let same_number = match (same, &theirs) {
            (Some(same), Some((e164, _))) => same.e164 == *e164,
            _ => false,
        };
        let kind = match (same_number, known, valid) {
            (true, None, Some(_)) => "holds it valid",
            (true, _, _) => "holds it invalid",
            (false, None, Some(_)) => "reads other digits, and holds them valid",
            (false, Some(_), None) => "reads other digits or none, and holds them invalid",
            (false, _, _) => "reads another valid number",
        };
        let shown = theirs.map_or("none".to_owned(), |(e164, valid)| {
            format!("{e164}{}", if valid { "" } else { " (invalid)" })
        });
        self.crate_differs.entry(kind).or_default().add(|| {
            format!(
                "`{text}` {region}: {shown}, not {}",
                known.unwrap_or("none")
            )
        });
    }

    /// Whether each difference is of a kind that was judged.
    pub fn is_explained(&self) -> bool {
        self.differ
            .keys()
            .all(|(kind, _)| *kind != Kind::Unexplained)
    }

    pub fn print(&self) {
        println!("| asked | numbers | differ | differ by newer metadata |\n|---|---|---|---|");
        for (question, name) in Question::ALL {
            let of_it = self.differ.iter().filter(|((_, of), _)| *of == question);
            let differ: usize = of_it.map(|(_, count)| count.times).sum();
            let newer = self
                .newer
                .get(&question)
                .map(|count| count.times.to_string());
            let newer = newer.unwrap_or("–".to_owned());
            println!(
                "| {name} | {} | {differ} | {newer} |",
                self.asked[&question]
            );
        }
        println!("\n| kind | asked | times | examples |\n|---|---|---|---|");
        for ((kind, question), count) in &self.differ {
            println!(
                "| {kind:?} | {question:?} | {} | {} |",
                count.times,
                count.examples.join("; ")
            );
        }
        println!("\nNewer metadata:\n\n| asked | times | examples |\n|---|---|---|");
        for (question, count) in &self.newer {
            println!(
                "| {question:?} | {} | {} |",
                count.times,
                count.examples.join("; ")
            );
        }
        println!(
            "\nThe crate phonenumber beside rlibphonenumber with the same metadata, {} times:\n",
            self.crate_asked
        );
        println!("| it | times | examples |\n|---|---|---|");
        for (kind, count) in &self.crate_differs {
            println!(
                "| {kind} | {} | {} |",
                count.times,
                count.examples.join("; ")
            );
        }
    }
}

/// An answer in a few words.
fn said(question: Question, answer: Option<&Answer>) -> String {
    match answer {
        Some(number) if question.wanted(answer) => number.e164.clone(),
        _ => "none".to_owned(),
    }
}
