//! `nymize completions SHELL`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Args;
use crate::failure::{Failure, Status};
use crate::stdio::Output;

/// The options of `nymize completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints a script for the shell.
pub(crate) fn run(args: &CompletionsArgs) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "nymize", &mut script);
    Output::print(&script)?;
    Ok(Status::Done)
}
