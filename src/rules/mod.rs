//! Rule packs: what a house calls its own (ticket numbers, customer ids, code names), in YAML.
//!
//! A pack is read strictly: an unknown key, a pattern that is none, one that would replace whole texts,
//! a rule whose own examples fail, are errors with file, line and column, and a pack with an error is
//! refused as a whole. The configuration's `rules:` and `terms:` are read by the same code
//! ([`RulePack::of_configuration`]).
//!
//! Refused on purpose: rules over a built-in TYPE, and patterns that look around or back (no search
//! is linear with them).

mod examples;
mod field;
mod rule;
mod terms;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use self::field::Problems;
use self::rule::Draft;
use crate::detect::custom::{Rule, Terms};
use crate::error::Error;
use crate::kind::Kind;
use crate::pseudonymizer::Builder;
use crate::yaml::{self, Node, Place, Problem};

/// The longest text of a pack, in bytes.
const MAX_TEXT: usize = 1 << 20;
const MAX_RULES: usize = 500;
/// How many TYPEs of terms, and how many terms of one TYPE.
const MAX_LISTS: usize = 500;
const MAX_TERMS: usize = 10_000;

/// A rule pack: rules and terms that are looked for besides the built-in kinds.
///
/// ```
/// use nymize::{Key, Pseudonymizer, RulePack};
///
/// # fn main() -> Result<(), nymize::Error> {
/// let yaml = r"
/// rules:
///   - type: TICKET
///     pattern: '\bNYM-\d{3,6}\b'
///     examples: [see NYM-1234]
///     counter_examples: [NYM-12]
/// terms:
///   CODENAME: [Apollo, Zeus]
/// ";
/// let pack = RulePack::from_yaml(yaml, "house.yaml")?;
/// let engine = Pseudonymizer::builder(Key::from_bytes([7; 32])).rule_pack(pack).build()?;
/// let clean = engine.filter("NYM-1234: Apollo is late");
/// assert!(clean.starts_with("[[TICKET_") && clean.contains(" [[CODENAME_"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RulePack {
    name: String,
    entries: Vec<PackEntry>,
    rules: Vec<Arc<Rule>>,
    terms: Vec<Arc<Terms>>,
    warnings: Vec<String>,
}

/// A rule of a pack, or its terms of one TYPE.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackEntry {
    /// What it finds.
    pub kind: Kind,
    /// The line in which it begins.
    pub line: u64,
    /// What the pack says of it; may be empty.
    pub description: String,
    /// What it was tried with.
    pub tried: Tried,
}

/// What became of a rule, or of the terms of one TYPE, when a pack was checked.
#[derive(Debug)]
#[non_exhaustive]
pub struct CheckResult {
    /// The TYPE; none where it could not be read.
    pub kind: Option<Kind>,
    /// The line in which it begins.
    pub line: u64,
    /// What was counted: examples and counter-examples of a rule, or terms.
    pub tried: Tried,
    /// What is wrong, in the order of the text.
    pub errors: Vec<Error>,
}

/// What a rule was tried with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tried {
    /// A rule with so many examples.
    Rule {
        /// Texts in which it must find something.
        examples: usize,
        /// Texts in which it must find nothing.
        counter_examples: usize,
    },
    /// So many terms.
    Terms(usize),
}

/// What came out of the check of a pack.
#[derive(Debug)]
#[non_exhaustive]
pub struct Check {
    /// The rules and terms, in the order of the text.
    pub results: Vec<CheckResult>,
    /// What is wrong outside of them.
    pub errors: Vec<Error>,
    /// What is allowed and may not be meant.
    pub warnings: Vec<String>,
}

impl RulePack {
    /// Reads a pack from its text. `file_name` stands in messages.
    ///
    /// # Errors
    /// For the first thing that is wrong, with its line and column: also where a rule finds nothing
    /// in one of its examples, or something in a counter-example. No message quotes a value.
    pub fn from_yaml(text: &str, file_name: &str) -> Result<RulePack, Error> {
        Reading::of(text).pack(file_name)
    }

    /// The `rules:` and `terms:` among the keys of a configuration, which are those of a pack.
    pub(crate) fn of_configuration(root: &Node, file_name: &str) -> Result<RulePack, Error> {
        let mut reading = Reading::default();
        reading.root(root, false);
        reading.pack(file_name)
    }

    /// Reads a pack as [`RulePack::from_yaml`] does, and tells everything that is wrong, rule by rule.
    pub fn check(text: &str, file_name: &str) -> Check {
        Reading::of(text).check(file_name)
    }

    /// The name of the file that it was read from.
    pub fn file_name(&self) -> &str {
        &self.name
    }

    /// Its rules, then its terms, in the order of the text.
    pub fn entries(&self) -> &[PackEntry] {
        &self.entries
    }

    /// What is allowed and may not be meant, one sentence each, with its place.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl fmt::Debug for RulePack {
    /// Shows no term: they are what must not be told.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RulePack")
            .field("name", &self.name)
            .field("entries", &self.entries)
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// Adds the rules and terms of a pack; may be called for several. They are looked for in what the
    /// built-in kinds leave, and never win over one. Default: none.
    pub fn rule_pack(self, pack: RulePack) -> Self {
        self.custom(pack.rules, pack.terms)
    }
}

/// What was read of a text.
#[derive(Default)]
struct Reading {
    rules: Vec<Draft<Rule>>,
    terms: Vec<Draft<Terms>>,
    /// What is wrong outside of rules and terms.
    problems: Problems,
    warnings: Vec<Problem>,
}

impl Reading {
    /// Reads the text of a pack.
    fn of(text: &str) -> Reading {
        let mut reading = Reading::default();
        if text.len() > MAX_TEXT {
            let start = Place { line: 1, column: 1 };
            reading.problems.note(start, "this file is over 1 MiB");
            return reading;
        }
        match yaml::parse(text) {
            Ok(root) => reading.root(&root, true),
            Err(problem) => reading.problems.0.push(problem),
        }
        reading
    }

    /// Reads a root. With `alone`, it is that of a pack and holds nothing else.
    fn root(&mut self, root: &Node, alone: bool) {
        let (rules, terms) = if alone {
            let [rules, terms] = self.problems.fields(root, ["rules", "terms"]);
            (rules, terms)
        } else {
            let entries = self.problems.entries(root);
            let of = |name| {
                let mut found = entries.iter().filter(|(key, ..)| *key == name);
                found.next().map(|(_, _, value)| *value)
            };
            (of("rules"), of("terms"))
        };
        if alone && rules.is_none() && terms.is_none() && self.problems.0.is_empty() {
            self.problems
                .note(root.place, "neither rules nor terms stand here");
        }
        for rule in rules.map_or(&[][..], |rules| self.problems.items(rules, MAX_RULES)) {
            self.rules.push(rule::read(rule));
        }
        self.refuse_duplicates();
        let mut reader = terms::Reader::default();
        let terms = terms.map_or(Vec::new(), |terms| self.problems.entries(terms));
        if let Some((_, key, _)) = terms.get(MAX_LISTS) {
            let most = format!("this is too long: it may hold {MAX_LISTS} types");
            self.problems.note(key.place, most);
        }
        for (_, key, value) in terms.into_iter().take(MAX_LISTS) {
            self.terms.push(reader.read(key, value, MAX_TERMS));
        }
        self.warnings = reader.warnings;
    }

    /// A rule that stands twice is a slip.
    fn refuse_duplicates(&mut self) {
        let mut seen = BTreeMap::new();
        for draft in &mut self.rules {
            let (Some(kind), Some(pattern)) = (draft.kind, draft.pattern.clone()) else {
                continue;
            };
            if let Some(line) = seen.insert((kind, pattern), draft.place.line) {
                let what = format!("a rule of this type and pattern stands in line {line} already");
                draft.problems.note(draft.place, what);
            }
        }
    }

    /// The pack, if nothing is wrong.
    fn pack(self, file: &str) -> Result<RulePack, Error> {
        let drafts = self.rules.iter().map(|draft| &draft.problems);
        let drafts = drafts.chain(self.terms.iter().map(|draft| &draft.problems));
        let all = drafts
            .chain([&self.problems])
            .flat_map(|problems| &problems.0);
        if let Some(first) = all.min() {
            return Err(error(file, first.clone()));
        }
        let rules = self
            .rules
            .iter()
            .filter_map(|draft| entry(draft, draft.tried_as_rule()));
        let terms = self
            .terms
            .iter()
            .filter_map(|draft| entry(draft, Tried::Terms(draft.examples)));
        Ok(RulePack {
            entries: rules.chain(terms).collect(),
            rules: self
                .rules
                .into_iter()
                .filter_map(|draft| draft.made)
                .collect(),
            terms: self
                .terms
                .into_iter()
                .filter_map(|draft| draft.made)
                .collect(),
            warnings: warnings(file, self.warnings),
            name: file.to_owned(),
        })
    }

    fn check(mut self, file: &str) -> Check {
        for draft in self.rules.iter().filter(|draft| draft.examples == 0) {
            let what = "this rule has no examples: nobody has seen it find anything".to_owned();
            let place = draft.place;
            self.warnings.push(Problem { place, what });
        }
        self.warnings.sort();
        let rules = self.rules.into_iter().map(|draft| {
            let tried = draft.tried_as_rule();
            result(file, draft, tried)
        });
        let terms = self.terms.into_iter().map(|draft| {
            let tried = Tried::Terms(draft.examples);
            result(file, draft, tried)
        });
        Check {
            results: rules.chain(terms).collect(),
            errors: errors(file, self.problems),
            warnings: warnings(file, self.warnings),
        }
    }
}

impl Draft<Rule> {
    fn tried_as_rule(&self) -> Tried {
        Tried::Rule {
            examples: self.examples,
            counter_examples: self.counter_examples,
        }
    }
}

fn entry<T>(draft: &Draft<T>, tried: Tried) -> Option<PackEntry> {
    Some(PackEntry {
        kind: draft.kind?,
        line: draft.place.line,
        description: draft.description.clone(),
        tried,
    })
}

fn result<T>(file: &str, draft: Draft<T>, tried: Tried) -> CheckResult {
    CheckResult {
        kind: draft.kind,
        line: draft.place.line,
        tried,
        errors: errors(file, draft.problems),
    }
}

fn errors(file: &str, problems: Problems) -> Vec<Error> {
    let mut problems = problems.0;
    problems.sort();
    problems
        .into_iter()
        .map(|problem| error(file, problem))
        .collect()
}

fn error(file: &str, Problem { place, what }: Problem) -> Error {
    place.error(file, what)
}

fn warnings(file: &str, problems: Vec<Problem>) -> Vec<String> {
    let said = |problem| error(file, problem).to_string();
    problems.into_iter().map(said).collect()
}

#[cfg(test)]
mod tests;
