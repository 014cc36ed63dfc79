//! The command line: a filter for a pipe, and what belongs to it. It parses,
//! dispatches, and turns what went wrong into a message and an exit status; all else
//! is in the library, of which it sees the public part alone.

#![forbid(unsafe_code)]

mod args;
mod baseline;
mod cmd;
mod encoding;
mod engine;
mod failure;
mod git;
mod help;
mod keys;
mod list;
mod notice;
mod packs;
mod paths;
mod report;
mod settings;
mod stdio;
mod temporary;
mod walk;
mod work;

use std::env;
use std::panic;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use failure::{Failure, Status};
use report::color;

fn main() -> ExitCode {
    // The text of a panic may hold a piece of the input: it is not shown.
    panic::set_hook(Box::new(|_| {
        notice::error("an internal error; nothing more is written. Please report it");
    }));
    match panic::catch_unwind(run) {
        Ok(Ok(status)) => status.into(),
        Ok(Err(failure)) => {
            failure.tell();
            failure.status().into()
        }
        Err(_) => Status::Error.into(),
    }
}

fn run() -> Result<Status, Failure> {
    color::choose_early(env::args_os().skip(1));
    let args = Args::parse().checked()?;
    color::choose(args.color);
    let common = args.common;
    match args.command {
        None => cmd::filter::run(common, &args.files, args.output.as_deref(), args.jobs),
        Some(Command::Scan(scan)) => {
            let common = scan.common.over(common);
            let baseline = scan.baseline.as_deref();
            cmd::scan::run(&common, &scan.files, &scan.paths, scan.form, baseline)
        }
        Some(Command::Scrub(scrub)) => cmd::scrub::run(
            scrub.common.over(common),
            &scrub.files,
            &scrub.paths,
            scrub.force,
        ),
        Some(Command::Baseline(baseline)) => cmd::baseline::run(baseline, common),
        Some(Command::Inspect(inspect)) => {
            cmd::inspect::run(inspect.common.over(common), inspect.file.as_deref())
        }
        Some(Command::Detectors(detectors)) => {
            let rules = detectors.rules.over(common.rules);
            let config = detectors.config.over(common.config);
            let talk = common.talk.talk();
            let kinds = detectors.kinds.over(common.kinds);
            cmd::detectors::run(&kinds, &rules, &config, talk)
        }
        Some(Command::Rules { command }) => cmd::rules::run(command, common),
        Some(Command::Key { command }) => cmd::key::run(command, common),
        Some(Command::Config { command }) => cmd::config::run(command, common),
        Some(Command::Completions(completions)) => cmd::completions::run(&completions),
        Some(Command::Man(man)) => cmd::man::run(&man),
    }
}
