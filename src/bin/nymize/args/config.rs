//! The options of the configuration, and the command that shows it.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::Common;
use crate::settings::Purpose;

/// Which configuration files are read.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Obey FILE in full, in the place of the project's .nymize.yaml
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Read no configuration file, neither the user's nor the project's
    #[arg(long)]
    pub(crate) no_config: bool,
}

impl ConfigArgs {
    pub(crate) fn over(self, outer: ConfigArgs) -> ConfigArgs {
        if self.config.is_some() || self.no_config {
            self
        } else {
            outer
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print what counts, as a configuration file, and where each value comes from
    Show(Box<Show>),
    /// Print a JSON Schema of configuration files, for editors
    Schema,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) common: Common,

    /// For which command: the filter and `inspect` obey a project's file in what protects more,
    /// `scan` and `scrub` in full
    #[arg(long = "for", value_name = "COMMAND", default_value = "filter")]
    pub(crate) command: For,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum For {
    Filter,
    Inspect,
    Scan,
    Scrub,
}

impl For {
    pub(crate) fn purpose(self) -> Purpose {
        match self {
            For::Filter | For::Inspect => Purpose::Filter,
            For::Scan | For::Scrub => Purpose::Files,
        }
    }
}
