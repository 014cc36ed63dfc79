//! `nymize rules check FILE...`: tries each rule of the packs with its examples.

use std::io::Write;
use std::path::Path;

use nymize::{CheckResult, RulePack, Tried};

use crate::args::{Common, RulesCheck, RulesCommand};
use crate::failure::{Failure, Status};
use crate::notice::{self, Talk};
use crate::packs;
use crate::report::text::harmless;
use crate::stdio::Output;

pub(crate) fn run(command: RulesCommand, common: Common) -> Result<Status, Failure> {
    let RulesCommand::Check(RulesCheck { talk, files }) = command;
    let talk = talk.over(common.talk).talk();
    let mut output = Output::stdout()?;
    let mut status = Status::Done;
    for file in &files {
        match check(file, &mut output, talk) {
            Ok(true) => {}
            Ok(false) => status = Status::Error,
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => {
                failure.tell();
                status = Status::Error;
            }
        }
    }
    output.finish()?;
    Ok(status)
}

/// Checks one pack, and says of each rule how it went. Returns whether nothing is wrong.
fn check(file: &Path, output: &mut Output, talk: Talk) -> Result<bool, Failure> {
    let name = file.to_string_lossy();
    let check = RulePack::check(&packs::read(file)?, &name);
    let mut fine = check.errors.is_empty();
    for result in &check.results {
        writeln!(output, "{}", line(&name, result))
            .map_err(|error| Failure::write("stdout", &error))?;
        fine &= result.errors.is_empty();
    }
    // What is wrong stands behind what it is about.
    output
        .flush()
        .map_err(|error| Failure::write("stdout", &error))?;
    for warning in &check.warnings {
        talk.warn(warning);
    }
    let errors = check.results.iter().flat_map(|result| &result.errors);
    for error in errors.chain(&check.errors) {
        notice::error(&error.to_string());
    }
    Ok(fine)
}

fn line(file: &str, result: &CheckResult) -> String {
    let kind = result.kind.map_or("?".to_owned(), |kind| kind.to_string());
    let verdict = if result.errors.is_empty() {
        "ok"
    } else {
        "wrong"
    };
    format!(
        "{}:{} {kind}: {verdict} ({})",
        harmless(file),
        result.line,
        tried(result.tried)
    )
}

/// What was tried, for people.
pub(crate) fn tried(tried: Tried) -> String {
    let many = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    match tried {
        Tried::Rule {
            examples,
            counter_examples,
        } => format!(
            "{}, {}",
            many(examples, "example"),
            many(counter_examples, "counter-example")
        ),
        Tried::Terms(count) => many(count, "term"),
        _ => String::new(),
    }
}
