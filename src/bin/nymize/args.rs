//! The options and subcommands.

mod config;
mod files;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgAction, ColorChoice, Parser, Subcommand};
use nymize::{Api, Format, JsonNumbers};

pub(crate) use self::config::{ConfigArgs, ConfigCommand, Show};
pub(crate) use self::files::{FileArgs, Scrub};
use crate::cmd::baseline::BaselineArgs;
use crate::cmd::completions::CompletionsArgs;
use crate::cmd::man::ManArgs;
use crate::failure::Failure;
use crate::help;
use crate::list::{self, KindList, RegionList};
use crate::notice::Talk;

/// Replace e-mail addresses, IBANs, payment cards, phone numbers and IP addresses by keyed
/// placeholders, before a text reaches an LLM provider.
///
/// Reads FILEs, or stdin, and writes the filtered text to stdout. Every byte outside a
/// finding goes through as it came.
#[derive(Debug, Parser)]
#[command(
    name = "nymize",
    version,
    after_help = help::FILTER,
    override_usage = "nymize [OPTIONS] [FILE]...\n       nymize [OPTIONS] <COMMAND> ..."
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Write to FILE, which appears whole or not at all; it cannot be one of the inputs
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How many threads filter a text that is read line by line; JSON, YAML, TOML and UTF-16 are
    /// filtered by one [default: 1]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// The files to filter, one after the other; none, or `-`: stdin. A file that is called
    /// like a command is `./scan`, or comes after `--`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// When to use colours in what is for people: reports, previews and messages. `auto` is on a
    /// terminal, and obeys NO_COLOR and CLICOLOR_FORCE
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        hide_default_value = true
    )]
    pub(crate) color: ColorChoice,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Args {
    /// Refuses what is the filter's alone in front of a command.
    pub(crate) fn checked(self) -> Result<Self, Failure> {
        let of_filter = self.output.is_some() || self.jobs.is_some() || !self.files.is_empty();
        if self.command.is_some() && of_filter {
            return Err(Failure::new(
                "FILEs, --output and --jobs here belong to the filter; give a command its own after its name",
            ));
        }
        Ok(self)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say where the findings are, and change nothing; exit status 1 when there are any
    #[command(after_help = help::SCAN)]
    Scan(Scan),
    /// Accept what is there today, so that `scan --baseline` reports only what is new
    #[command(after_help = help::BASELINE)]
    Baseline(BaselineArgs),
    /// Rewrite files in place, with placeholders; exit status 1 when any was changed
    #[command(after_help = help::SCRUB)]
    Scrub(Scrub),
    /// Show a text, what would be sent, and the list of placeholders with their values
    #[command(after_help = help::INSPECT)]
    Inspect(Inspect),
    /// List the detectors
    #[command(after_help = help::DETECTORS)]
    Detectors(Detectors),
    /// Check rule packs
    #[command(after_help = help::RULES)]
    Rules {
        #[command(subcommand)]
        command: RulesCommand,
    },
    /// Show, make or compare the key
    #[command(after_help = help::KEY)]
    Key {
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Show the configuration that counts, or its schema
    #[command(after_help = help::CONFIG)]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print what a shell needs to complete nymize's commands and options
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page of nymize, or of one of its commands
    #[command(after_help = help::MAN)]
    Man(ManArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Scan {
    #[command(flatten)]
    pub(crate) common: Common,

    #[command(flatten)]
    pub(crate) form: ScanForm,

    /// Report only what FILE does not accept: a baseline, which `nymize baseline` makes
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) files: FileArgs,

    /// The files and folders to search; none, or `-`: stdin
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ScanForm {
    /// Write one JSON object a line for each finding
    #[arg(long, group = "form", conflicts_with = "diff")]
    pub(crate) json: bool,

    /// Write a SARIF 2.1.0 log, for code-scanning services and editors
    #[arg(long, group = "form", conflicts_with = "diff")]
    pub(crate) sarif: bool,

    /// Write annotations of GitHub Actions (`::error ...`)
    #[arg(long, group = "form", conflicts_with = "diff")]
    pub(crate) github: bool,

    /// Show the values too, which are personal data; in text and JSON alone
    #[arg(long, conflicts_with_all = ["sarif", "github"])]
    pub(crate) show_values: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Inspect {
    #[command(flatten)]
    pub(crate) common: Common,

    /// The file to look at; none, or `-`: stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Detectors {
    #[command(flatten)]
    pub(crate) kinds: KindArgs,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Try each rule of the packs with its examples; exit status 2 when one fails
    Check(RulesCheck),
}

#[derive(Debug, clap::Args)]
pub(crate) struct RulesCheck {
    #[command(flatten)]
    pub(crate) talk: TalkArgs,

    /// The rule packs
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Print the path at which the key file is looked for
    Path(KeyOnly),
    /// Make a key file where there is none, and print its path
    Create(KeyCreate),
    /// Print a one-way fingerprint of the key, by which two machines can be compared
    Fingerprint(KeyOnly),
}

#[derive(Debug, clap::Args)]
pub(crate) struct KeyCreate {
    #[command(flatten)]
    pub(crate) only: KeyOnly,

    /// Where to make it [default: where it is looked for]
    #[arg(value_name = "PATH", conflicts_with = "key_file")]
    pub(crate) path: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct KeyOnly {
    /// The key file
    #[arg(long, value_name = "PATH")]
    pub(crate) key_file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

/// What the filter, `scan` and `inspect` share.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) kinds: KindArgs,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// Look for national phone numbers of these regions, in order (NL,US); may be repeated
    #[arg(long = "region", value_name = "LIST", value_parser = list::regions)]
    pub(crate) regions: Vec<RegionList>,

    /// Keep placeholders apart from those of other scopes (tenants, providers, sessions)
    #[arg(long, value_name = "S")]
    pub(crate) scope: Option<String>,

    /// Hex digits in a placeholder: an even number from 8 to 64 [default: 8]
    #[arg(long, value_name = "N")]
    pub(crate) hash_length: Option<usize>,

    #[command(flatten)]
    pub(crate) view: ViewArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

/// How the input is read.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// How to read the input. `auto`: stdin that begins with { or [, and .json, .jsonl, .ndjson and
    /// .ipynb files as JSON, .yaml and .yml as YAML, .toml as TOML, all else as text; or `text`,
    /// `json` (what is no JSON is an error), `yaml`, `toml` [default: auto]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Whose request bodies to expect, the ids, signatures and payloads of which stay: `auto`,
    /// `none`, or the API's name [default: auto]
    #[arg(long, value_name = "NAME")]
    pub(crate) api: Option<Api>,

    /// What becomes of a JSON number that is a card: `quote` puts a placeholder in quotes in its
    /// place, `keep` leaves it [default: quote]
    #[arg(long, value_name = "WHAT")]
    pub(crate) json_numbers: Option<JsonNumbers>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct KindArgs {
    /// Replace these types only (EMAIL, IBAN, CARD, PHONE, IP, those of rule packs); may be repeated
    #[arg(long, value_name = "LIST", value_parser = list::kinds)]
    pub(crate) types: Vec<KindList>,

    /// Leave these types alone; may be repeated
    #[arg(long, value_name = "LIST", value_parser = list::kinds)]
    pub(crate) skip_types: Vec<KindList>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RulesArgs {
    /// Look for what this rule pack says, too; may be repeated
    #[arg(long = "rules", value_name = "FILE")]
    pub(crate) packs: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct KeyArgs {
    /// The file that holds the key
    #[arg(long, value_name = "PATH", conflicts_with = "ephemeral_key")]
    pub(crate) key_file: Option<PathBuf>,

    /// Use a key of this run alone: its placeholders match those of no other run
    #[arg(long)]
    pub(crate) ephemeral_key: bool,
}

#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct TalkArgs {
    /// Say on stderr how much was found, by type
    #[arg(long)]
    stats: bool,

    /// Say nothing on stderr but errors, and what --stats asks for
    #[arg(short, long)]
    quiet: bool,

    /// Say on stderr what is used: the key's place, types, encodings; never a value
    #[arg(short, long, action = ArgAction::SetTrue)]
    verbose: bool,
}

// Options may stand before a command and behind it. LISTs are united, in order; of all else
// what is written last counts.

impl Common {
    pub(crate) fn over(self, outer: Common) -> Common {
        Common {
            kinds: self.kinds.over(outer.kinds),
            rules: self.rules.over(outer.rules),
            regions: [outer.regions, self.regions].concat(),
            scope: self.scope.or(outer.scope),
            hash_length: self.hash_length.or(outer.hash_length),
            view: self.view.over(outer.view),
            config: self.config.over(outer.config),
            key: self.key.over(outer.key),
            talk: self.talk.over(outer.talk),
        }
    }
}

impl KindArgs {
    pub(crate) fn over(self, outer: KindArgs) -> KindArgs {
        KindArgs {
            types: [outer.types, self.types].concat(),
            skip_types: [outer.skip_types, self.skip_types].concat(),
        }
    }
}

impl RulesArgs {
    pub(crate) fn over(self, outer: RulesArgs) -> RulesArgs {
        RulesArgs {
            packs: [outer.packs, self.packs].concat(),
        }
    }
}

impl ViewArgs {
    fn over(self, outer: ViewArgs) -> ViewArgs {
        ViewArgs {
            format: self.format.or(outer.format),
            api: self.api.or(outer.api),
            json_numbers: self.json_numbers.or(outer.json_numbers),
        }
    }
}

impl KeyArgs {
    fn over(self, outer: KeyArgs) -> KeyArgs {
        if self.key_file.is_some() || self.ephemeral_key {
            self
        } else {
            outer
        }
    }
}

impl TalkArgs {
    pub(crate) fn over(self, outer: TalkArgs) -> TalkArgs {
        TalkArgs {
            stats: self.stats || outer.stats,
            quiet: self.quiet || outer.quiet,
            verbose: self.verbose || outer.verbose,
        }
    }

    pub(crate) fn talk(self) -> Talk {
        Talk {
            stats: self.stats,
            quiet: self.quiet,
            verbose: self.verbose,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn clap_finds_no_fault() {
        Args::command().debug_assert();
    }

    fn common(line: &str) -> Common {
        let args = Args::try_parse_from(line.split(' ')).unwrap();
        match args.command {
            Some(Command::Scan(scan)) => scan.common.over(args.common),
            _ => args.common,
        }
    }

    #[test]
    fn lists_are_united_over_both_places() {
        let common = common("nymize --types EMAIL --region NL scan --types IP,CARD --region US,NL");
        let lists = common.kinds.types.iter();
        let types: Vec<_> = lists.flat_map(|list| list.0.clone()).collect();
        assert_eq!(types, ["EMAIL", "IP", "CARD"]);
        let lists = common.regions.iter();
        let regions: Vec<_> = lists.flat_map(|list| list.0.clone()).collect();
        assert_eq!(regions, ["NL", "US", "NL"]);
    }

    #[test]
    fn the_inner_configuration_counts() {
        let common = common("nymize --no-config scan --config c");
        assert!(!common.config.no_config);
        assert_eq!(common.config.config, Some(PathBuf::from("c")));
    }

    #[test]
    fn the_inner_key_counts() {
        let common = common("nymize --ephemeral-key scan --key-file k");
        assert!(!common.key.ephemeral_key);
        assert_eq!(common.key.key_file, Some(PathBuf::from("k")));
    }
}
