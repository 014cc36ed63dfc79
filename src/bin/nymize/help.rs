//! What `--help` says behind the options, and the manual pages too: sections, each under a line
//! that ends with a colon. Every example is parsed by a test.

pub(crate) const FILTER: &str = "\
Examples:
  echo 'mail a@x.com or call +31 6 1234 5678' | nymize
  nymize prompt.txt                       what a provider would be sent
  nymize inspect prompt.txt               the same, side by side with the values
  nymize scan prompts/                    where the findings are; exit status 1 if any
  nymize scrub prompts/                   the files rewritten; exit status 1 if any was
  nymize --region NL,US notes.txt         national phone numbers of these regions too
  nymize -o clean.log server.log          to a file, whole or not at all
  nymize -j 4 -o clean.log huge.log       by four threads
  tail -f server.log | nymize             each line as soon as it is there

  # Nothing is sent when nymize fails:
  body=$(nymize request.json) && printf %s \"$body\" | curl --json @- \"$URL\"

The key:
  The same value gets the same placeholder wherever the same key is. The key is looked for
  in this order: --key-file, $NYMIZE_KEY_FILE, $NYMIZE_KEY (64 hex digits), `key_file`
  in the user's configuration, then $XDG_DATA_HOME/nymize/key or ~/.local/share/nymize/key,
  which is made on first use. Keep it as you keep a password: who holds it can test guesses.

Configuration:
  Read from $XDG_CONFIG_HOME/nymize/config.yaml or ~/.config/nymize/config.yaml, and from the
  project's .nymize.yaml, which the filter obeys only in what protects more.

Limits:
  Names, street addresses and other free text are not found.

Exit status:
  0 done, 1 found (scan) or changed (scrub), 2 error; after an error nothing more is written.";

pub(crate) const SCAN: &str = "\
Examples:
  nymize scan prompts/ notes.md               path:line:column TYPE placeholder
  nymize scan --staged                        what the next commit would hold
  nymize scan --json - <prompt.txt            an object a line, for programs
  nymize scan --github prompts.md             annotations, in a workflow of GitHub Actions
  nymize scan --sarif prompts.md >scan.sarif  for code-scanning services and editors
  nymize scan --baseline .nymize-baseline.yaml prompts.md
                                              only what the baseline does not accept

Exit status:
  0 nothing found, 1 found, 2 error; after a file that cannot be read the others are still
  searched.";

pub(crate) const SCRUB: &str = "\
Examples:
  nymize scrub prompts/                   every text file below prompts/
  nymize scrub --diff prompts/            what would change; the files stay
  git ls-files -z | nymize scrub -0 --files-from -

What it keeps:
  A file is replaced whole or not at all, and keeps its mode, its owner and its links. One in
  which nothing is found is not written. A line that holds `nymize:allow` stays as it is.

Exit status:
  0 nothing to change, 1 something was changed, 2 error.";

pub(crate) const BASELINE: &str = "\
Examples:
  nymize baseline                             accept what is in the working folder today
  nymize baseline docs README.md              and bring what it says of these up to date
  nymize scan --baseline .nymize-baseline.yaml docs

The file:
  It tells findings by path, placeholder and number, without values, and names the key's
  fingerprint, the scope and the hash length: under others it is refused. Commit it, so that
  what is accepted is reviewed. Comments in it stay.

Exit status:
  0 done, 2 error; the file is then as it was.";

pub(crate) const INSPECT: &str = "\
Examples:
  nymize inspect prompt.txt
  nymize inspect --region NL <notes.txt
  nymize inspect --color always prompt.txt | less -R

Limits:
  It shows the values themselves, which are personal data.";

pub(crate) const DETECTORS: &str = "\
Examples:
  nymize detectors
  nymize detectors --skip-types PHONE";

pub(crate) const CONFIG: &str = "\
Examples:
  nymize config show                          what counts for the filter, and where it comes from
  nymize config show --for scan               what counts for scan and scrub
  nymize config schema >nymize.schema.json    for editors

Where it is read from, the highest first:
  Options, NYMIZE_ variables, the project's .nymize.yaml, from the working folder up to the
  repository's root (or the FILE of --config or NYMIZE_CONFIG), the user's
  $XDG_CONFIG_HOME/nymize/config.yaml or ~/.config/nymize/config.yaml.";
pub(crate) const RULES: &str = "\
Examples:
  nymize rules check house.yaml           try its examples and counter-examples
  nymize --rules house.yaml notes.txt     what your house calls its own is replaced too
  nymize detectors --rules house.yaml     each detector, where it comes from, on or off

Exit status:
  0 all hold, 2 a pack is refused.";

pub(crate) const KEY: &str = "\
Examples:
  nymize key path                             where the key is looked for
  nymize key create team.key                  a key for a team; an existing file is never touched
  nymize key fingerprint --key-file team.key  to compare two machines; it may be shown to anybody";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  nymize completions bash >~/.local/share/bash-completion/completions/nymize
  nymize completions zsh >~/.zfunc/_nymize    with ~/.zfunc in $fpath
  nymize completions fish >~/.config/fish/completions/nymize.fish";

pub(crate) const MAN: &str = "\
Examples:
  nymize man | man -l -
  nymize man >~/.local/share/man/man1/nymize.1
  nymize man scan >~/.local/share/man/man1/nymize-scan.1
  nymize man key create | man -l -";

/// The sections of a text: what each is called, and its lines.
pub(crate) fn sections(text: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    let mut lines = text.lines().peekable();
    std::iter::from_fn(move || {
        let title = lines.next()?.strip_suffix(':')?;
        let mut content = Vec::new();
        while let Some(line) = lines.next_if(|line| line.is_empty() || line.starts_with(' ')) {
            content.push(line.strip_prefix("  ").unwrap_or(line));
        }
        while content.pop_if(|line| line.is_empty()).is_some() {}
        Some((title, content))
    })
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::args::Args;

    /// The arguments of each call of nymize in a line; a description stands behind two spaces.
    fn calls(line: &str) -> Vec<Vec<&str>> {
        line.match_indices("nymize ")
            .map(|(at, _)| &line[at..])
            .map(|call| call.split("  ").next().unwrap_or(call))
            .map(|call| call.split([')', '|', '<', '>']).next().unwrap_or(call))
            .map(|call| call.split_whitespace().collect())
            .collect()
    }

    #[test]
    fn every_command_has_examples_and_all_of_them_parse() {
        let mut command = Args::command();
        command.build();
        let mut parsed = 0;
        let own = command
            .get_subcommands()
            .filter(|sub| sub.get_name() != "help");
        for sub in own.chain([&command]) {
            let text = sub.get_after_help().map(ToString::to_string);
            let text = text.unwrap_or_else(|| panic!("{} has no examples", sub.get_name()));
            let (title, examples) = sections(&text).next().expect("a section");
            assert_eq!(title, "Examples");
            for call in examples.iter().flat_map(|line| calls(line)) {
                if let Err(error) = Args::try_parse_from(&call) {
                    panic!("{call:?}: {error}");
                }
                parsed += 1;
            }
            let told: usize = sections(&text).map(|(_, lines)| lines.len() + 1).sum();
            let lines = text.lines().count();
            assert!(
                told > lines - sections(&text).count(),
                "all lines are in sections"
            );
            let longest = text.lines().map(str::len).max();
            assert!(longest <= Some(100), "{}", sub.get_name());
        }
        assert!(parsed > 20, "the examples were found");
    }
}
