//! What is said on stderr. stdout carries data alone.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};

use nymize::Kind;

use crate::report::color::{Painter, Style};

/// How much is said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Talk {
    pub(crate) stats: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
}

impl Talk {
    /// Something that people should know, though the run goes on.
    pub(crate) fn warn(self, text: &str) {
        if !self.quiet {
            let mut label = String::new();
            Painter::stderr().paint(Style::Warning, "warning:", &mut label);
            say(&format!("{label} {text}"));
        }
    }

    /// A hint, or what was asked for and has a consequence.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    /// What `-v` shows.
    pub(crate) fn detail(self, text: impl FnOnce() -> String) {
        if self.verbose {
            say(&text());
        }
    }

    /// The counts of a run, as in `nymize: replaced 2 (1 EMAIL, 1 PHONE)`: with `--stats`
    /// always, else where something was replaced and a person is there to read it.
    pub(crate) fn counts(self, done: &str, counts: &Tally) {
        let for_people = !self.quiet && counts.total() > 0 && io::stderr().is_terminal();
        if self.stats || for_people {
            say(&format!("{done} {counts}"));
        }
    }

    /// The same for commands whose output tells already: with `--stats` alone.
    pub(crate) fn counts_if_asked(self, done: &str, counts: &Tally) {
        self.stat(&format!("{done} {counts}"));
    }

    /// Another figure that `--stats` asks for.
    pub(crate) fn stat(self, text: &str) {
        if self.stats {
            say(text);
        }
    }
}

/// What went wrong, or what to do about it: its label is painted.
pub(crate) fn error(text: &str) {
    let mut label = String::new();
    Painter::stderr().paint(Style::Error, "nymize:", &mut label);
    line(&label, text);
}

/// Anything else that people should read.
pub(crate) fn say(text: &str) {
    line("nymize:", text);
}

/// One line on stderr. That stderr may be closed is no reason to fail.
fn line(label: &str, text: &str) {
    let _ = writeln!(io::stderr(), "{label} {text}");
}

/// Findings by kind, over all inputs of a run.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<Kind, u64>);

impl Tally {
    pub(crate) fn add(&mut self, kind: Kind, count: u64) {
        *self.0.entry(kind).or_default() += count;
    }

    pub(crate) fn add_all(&mut self, other: &Tally) {
        for (&kind, &count) in &other.0 {
            self.add(kind, count);
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// The kinds that were counted.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.0.keys().copied()
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.total())?;
        let mut before = " (";
        for (kind, count) in self.0.iter().filter(|&(_, &count)| count > 0) {
            write!(f, "{before}{count} {kind}")?;
            before = ", ";
        }
        if before == ", " {
            f.write_str(")")
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_read_as_the_notice_does() {
        let mut tally = Tally::default();
        assert_eq!(tally.to_string(), "0");
        tally.add(Kind::Phone, 1);
        tally.add(Kind::Ip, 0);
        tally.add(Kind::Email, 1);
        assert_eq!(tally.to_string(), "2 (1 EMAIL, 1 PHONE)");
    }
}
