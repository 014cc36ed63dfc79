//! `nymize man [COMMAND]...`: manual pages, made from the same texts as `--help`.

use std::io;

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::args::Args;
use crate::failure::{Failure, Status};
use crate::help;
use crate::stdio::Output;

/// The options of `nymize man`.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The command whose page is wanted, as in `nymize man key create`; none: nymize itself
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// Prints a page.
pub(crate) fn run(args: &ManArgs) -> Result<Status, Failure> {
    let mut root = Args::command();
    root.build();
    let mut command = &root;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let known: Vec<&str> = command
                .get_subcommands()
                .map(clap::Command::get_name)
                .collect();
            let command = command.get_bin_name().unwrap_or("nymize");
            Failure::new(match known[..] {
                [] => format!("`{command}` has no commands of its own"),
                _ => format!(
                    "`{command}` has no such command; known are {}",
                    known.join(", ")
                ),
            })
        })?;
    }
    let mut out = Vec::new();
    page(command.clone(), &mut out)
        .map_err(|error| Failure::new(format!("the manual page: {error}")))?;
    Output::print(&out)?;
    Ok(Status::Done)
}

/// Writes the page of a command: what clap knows of it, then the sections of its help.
fn page(command: clap::Command, out: &mut Vec<u8>) -> io::Result<()> {
    let has_commands = command.has_subcommands();
    let more = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let man = Man::new(command)
        // None; one that is empty would be left out, and the next taken for it.
        .date(" ")
        .source(concat!("nymize ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if has_commands {
        man.render_subcommands_section(out)?;
    }
    for (title, lines) in help::sections(&more) {
        section(title, &lines).to_writer(out)?;
    }
    Ok(())
}

/// A section of the help. Examples keep their lines; all else is text to be filled.
fn section(title: &str, lines: &[&str]) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [title.to_uppercase().as_str()]);
    let verbatim = title == "Examples";
    if verbatim {
        roff.control("nf", []);
    }
    for line in lines {
        match (line.is_empty(), verbatim) {
            (true, false) => roff.control("PP", []),
            _ => roff.text([roman(*line)]),
        };
    }
    if verbatim {
        roff.control("fi", []);
    }
    roff
}
