//! The command line: a filter for a pipe, and what belongs to it. It parses,
//! dispatches, and turns what went wrong into a message and an exit status; all else
//! is in the library, of which it sees the public part alone.

#![forbid(unsafe_code)]

mod args;
mod cmd;
mod encoding;
mod engine;
mod failure;
mod keys;
mod list;
mod notice;
mod report;
mod settings;
mod stdio;

use std::panic;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use failure::{Failure, Status};

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
    let args = Args::parse().checked()?;
    let common = args.common;
    match args.command {
        None => cmd::filter::run(common, &args.files, args.output.as_deref()),
        Some(Command::Scan(scan)) => {
            cmd::scan::run(scan.common.over(common), &scan.paths, scan.form)
        }
        Some(Command::Inspect(inspect)) => cmd::inspect::run(
            inspect.common.over(common),
            inspect.file.as_deref(),
            inspect.color,
        ),
        Some(Command::Detectors(detectors)) => {
            let config = detectors.config.over(common.config);
            cmd::detectors::run(&detectors.kinds.over(common.kinds), &config)
        }
        Some(Command::Key { command }) => cmd::key::run(command, common),
        Some(Command::Config { command }) => cmd::config::run(command, common),
    }
}
