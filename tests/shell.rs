//! What a shell and a terminal are given: colours, completions, the manual page, help.

mod cmd;

use std::process::{Command, Output};

use cmd::{EMAIL, Home, failed, feed, run, text, wrote};

const MAIL: &str = "mail jan@example.com\n";
const ESC: char = '\u{1b}';

/// The command with nothing in its environment that says how to paint.
fn plain(mut command: Command) -> Command {
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM"] {
        command.env_remove(name);
    }
    command
}

mod colours {
    use super::*;

    /// A scan of [`MAIL`] with these options and this environment.
    fn scan(args: &[&str], env: &[(&str, &str)]) -> Output {
        let home = Home::new();
        let mut command = plain(home.nymize(&[&["scan"], args].concat()));
        command.envs(env.iter().copied());
        feed(command, MAIL)
    }

    fn painted() -> String {
        format!(
            "\u{1b}[35m<stdin>\u{1b}[0m\u{1b}[36m:1:6\u{1b}[0m \u{1b}[1mEMAIL\u{1b}[0m \
             \u{1b}[1;32m{EMAIL}\u{1b}[0m\n"
        )
    }

    #[test]
    fn the_option_comes_before_the_environment() {
        let unpainted = format!("<stdin>:1:6 EMAIL {EMAIL}\n");
        for (args, env, on) in [
            (&[][..], &[][..], false),
            (&["--color=always"], &[], true),
            (&["--color", "always"], &[("NO_COLOR", "1")], true),
            (&["--color=never"], &[("CLICOLOR_FORCE", "1")], false),
            (&["--color=auto"], &[("CLICOLOR_FORCE", "1")], true),
            (&[], &[("CLICOLOR_FORCE", "1")], true),
            (&[], &[("CLICOLOR_FORCE", "")], false),
            (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
            (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], true),
        ] {
            let output = scan(args, env);
            let expected = if on { painted() } else { unpainted.clone() };
            assert_eq!(text(&output.stdout), expected, "{args:?} {env:?}");
            assert_eq!(output.status.code(), Some(1));
        }
    }

    #[test]
    fn the_option_stands_before_a_command_too() {
        let home = Home::new();
        let output = feed(plain(home.nymize(&["--color=always", "scan"])), MAIL);
        assert_eq!(text(&output.stdout), painted());
        let output = feed(plain(home.nymize(&["--color=always", "inspect"])), MAIL);
        assert!(wrote(&output).contains("\u{1b}[1;31mjan@example.com\u{1b}[0m"));
    }

    #[test]
    fn data_is_never_painted() {
        let home = Home::new();
        for args in [
            &["--color=always"][..],
            &["--color=always", "scan", "--json"],
            &["--color=always", "detectors"],
            &["--color=always", "key", "fingerprint"],
        ] {
            let mut command = plain(home.nymize(args));
            command.env("CLICOLOR_FORCE", "1");
            let output = feed(command, MAIL);
            assert!(!output.stdout.is_empty(), "{args:?}");
            assert!(!text(&output.stdout).contains(ESC), "{args:?}");
        }
    }

    #[test]
    fn labels_of_errors_and_warnings_are_painted() {
        let home = Home::new();
        let output = run(plain(home.nymize(&["--color=always", "none"])));
        failed(&output, &["\u{1b}[1;31mnymize:\u{1b}[0m none: "]);
        let output = run(plain(home.nymize(&["none"])));
        assert!(!text(&output.stderr).contains(ESC));
        // Those of wrong options too, which are told before they are parsed.
        for (args, on) in [
            (&["--color=always", "--types=EMIAL"][..], true),
            (&["--types=EMIAL", "--color", "always"], true),
            (&["--types=EMIAL"], false),
            (&["--types=EMIAL", "--", "--color=always"], false),
        ] {
            let output = run(plain(home.nymize(args)));
            failed(&output, &["EMAIL"]);
            assert_eq!(text(&output.stderr).contains(ESC), on, "{args:?}");
        }
        failed(
            &run(home.nymize(&["--color=sometimes"])),
            &["auto", "always", "never"],
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_warning_is_painted() {
        use std::os::unix::fs::PermissionsExt;
        let home = Home::new();
        let key = home.write("key", cmd::KEY);
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).expect("a mode");
        let args = ["--color=always", "--key-file", "key"];
        let output = feed(plain(home.bare(&args)), MAIL);
        assert_eq!(wrote(&output), format!("mail {EMAIL}\n"));
        let label = "nymize: \u{1b}[1;33mwarning:\u{1b}[0m ";
        assert!(
            text(&output.stderr).starts_with(label),
            "{}",
            text(&output.stderr)
        );
    }
}

/// The commands, and those of `key`.
const COMMANDS: [&[&str]; 10] = [
    &["scan"],
    &["baseline"],
    &["inspect"],
    &["detectors"],
    &["key"],
    &["key", "path"],
    &["key", "create"],
    &["key", "fingerprint"],
    &["completions"],
    &["man"],
];

/// Every option that `--help` of a command lists.
fn options(home: &Home, command: &[&str]) -> Vec<String> {
    let output = run(plain(home.bare(&[command, &["--help"]].concat())));
    let help = wrote(&output);
    let options: Vec<String> = help
        .lines()
        .filter(|line| line.trim_start().starts_with('-'))
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        .map(str::to_owned)
        .collect();
    assert!(options.contains(&"--help".to_owned()), "{help}");
    options
}

/// Whether a program is here.
fn has(program: &str) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

mod completions {
    use super::*;

    const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

    #[test]
    fn every_shell_has_a_script_that_knows_the_commands() {
        let home = Home::new();
        for shell in SHELLS {
            let output = run(home.bare(&["completions", shell]));
            let script = wrote(&output);
            for name in [
                "scan",
                "baseline",
                "inspect",
                "fingerprint",
                "hash-length",
                "sarif",
            ] {
                assert!(script.contains(name), "{shell} {name}");
            }
        }
        failed(&run(home.bare(&["completions", "cmd"])), &SHELLS);
        failed(&run(home.bare(&["completions"])), &["SHELL"]);
        assert!(!home.path(".local").exists(), "no key is made");
    }

    /// What bash proposes for these words, the last of which is being typed.
    fn proposed(home: &Home, words: &[&str]) -> Vec<String> {
        let script = home.path("nymize.bash");
        let last = words.len() - 1;
        let program = format!(
            "source '{}'\nCOMP_WORDS=({})\nCOMP_CWORD={last}\n\
             _nymize nymize \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last}-1]}}\"\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display(),
            words
                .iter()
                .map(|word| format!("'{word}'"))
                .collect::<Vec<_>>()
                .join(" ")
        );
        let mut command = Command::new("bash");
        command
            .args(["--norc", "-c", &program])
            .current_dir(home.path(""));
        let output = run(command);
        wrote(&output).lines().map(str::to_owned).collect()
    }

    #[test]
    fn bash_takes_the_script_and_proposes() {
        assert!(has("bash"), "this test needs bash on the PATH");
        let home = Home::new();
        let script = run(home.bare(&["completions", "bash"])).stdout;
        home.write("nymize.bash", &script);
        home.write("notes.txt", "");
        let mut check = Command::new("bash");
        check.arg("-n").arg(home.path("nymize.bash"));
        let output = run(check);
        wrote(&output);
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        for (words, expected) in [
            (&["nymize", "sc"][..], &["scan", "scrub"][..]),
            (&["nymize", "key", "fi"], &["fingerprint"]),
            (&["nymize", "scan", "--sar"], &["--sarif"]),
            (&["nymize", "--color", "a"], &["auto", "always"]),
            (&["nymize", "scan", "--key-file", "no"], &["notes.txt"]),
            (&["nymize", "completions", "z"], &["zsh"]),
        ] {
            assert_eq!(proposed(&home, words), expected, "{words:?}");
        }
    }

    #[test]
    fn a_full_disk_is_an_error() {
        if !cfg!(target_os = "linux") {
            return;
        }
        let home = Home::new();
        for args in [&["completions", "zsh"][..], &["man"]] {
            let full = std::fs::File::options().write(true).open("/dev/full");
            let mut command = home.bare(args);
            command.stdout(full.expect("/dev/full"));
            failed(&run(command), &["cannot write"]);
        }
    }
}

mod man {
    use super::*;

    fn page(home: &Home, command: &[&str]) -> String {
        wrote(&run(home.bare(&[&["man"], command].concat()))).to_owned()
    }

    /// The page as it is read: by groff where it is here, else without its markup.
    fn shown(page: &str) -> String {
        if !has("groff") {
            return page
                .lines()
                .filter(|line| !line.starts_with(['.', '\'']) || line.starts_with(".SH"))
                .map(|line| line.trim_start_matches(".SH "))
                .map(|line| {
                    line.replace("\\fB", "")
                        .replace("\\fI", "")
                        .replace("\\fR", "")
                })
                .map(|line| line.replace("\\-", "-").replace("\\*(Aq", "'") + "\n")
                .collect();
        }
        let mut command = Command::new("groff");
        // Wide, so that no option is parted.
        command.args(["-man", "-Tascii", "-ww", "-rLL=400n", "-P-cbou"]);
        let output = feed(pipes(command), page);
        let shown = wrote(&output).to_owned();
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        shown
    }

    fn pipes(mut command: Command) -> Command {
        use std::process::Stdio;
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[test]
    fn every_command_has_a_page_with_all_its_options() {
        let home = Home::new();
        for command in COMMANDS.into_iter().chain([&[][..]]) {
            let page = page(&home, command);
            let name = [&["nymize"], command].concat().join("-");
            assert!(page.contains(&format!(
                ".TH {name} 1 \" \" \"nymize {}\"",
                env!("CARGO_PKG_VERSION")
            )));
            let shown = shown(&page);
            for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"] {
                assert!(
                    shown.lines().any(|line| line == section),
                    "{command:?} {section}\n{shown}"
                );
            }
            for option in options(&home, command) {
                assert!(shown.contains(&option), "{command:?} {option}\n{shown}");
            }
            if command.len() < 2 {
                assert!(shown.lines().any(|line| line == "EXAMPLES"), "{shown}");
            }
        }
    }

    #[test]
    fn the_page_of_nymize_tells_what_the_help_tells() {
        let home = Home::new();
        let shown = shown(&page(&home, &[]));
        for said in [
            "nymize-scan(1)",
            "nymize-baseline(1)",
            "echo 'mail a@x.com or call +31 6 1234 5678' | nymize",
            "THE KEY",
            "$NYMIZE_KEY_FILE",
            "EXIT STATUS",
        ] {
            assert!(shown.contains(said), "{said}\n{shown}");
        }
    }

    #[test]
    fn the_same_page_comes_out_every_time() {
        let home = Home::new();
        let first = page(&home, &["scan"]);
        let mut command = home.bare(&["man", "scan"]);
        command
            .env("COLUMNS", "40")
            .env("CLICOLOR_FORCE", "1")
            .env("LC_ALL", "nl_NL.UTF-8");
        assert_eq!(wrote(&run(command)), first);
        assert!(first.is_ascii(), "troff reads ASCII everywhere");
    }

    #[test]
    fn an_unknown_command_is_an_error_that_names_the_known() {
        let home = Home::new();
        failed(
            &run(home.bare(&["man", "scna"])),
            &["known are scan, baseline"],
        );
        failed(
            &run(home.bare(&["man", "key", "x"])),
            &["path, create, fingerprint"],
        );
        failed(
            &run(home.bare(&["man", "scan", "x"])),
            &["no commands of its own"],
        );
    }
}

mod help {
    use super::*;

    #[test]
    fn every_command_tells_examples_in_both_forms() {
        let home = Home::new();
        for command in COMMANDS.into_iter().filter(|command| command.len() == 1) {
            for form in ["-h", "--help"] {
                let output = run(plain(home.bare(&[command, &[form]].concat())));
                let call = format!("\nExamples:\n  nymize {}", command[0]);
                assert!(wrote(&output).contains(&call), "{call}");
            }
        }
    }

    /// On a wide terminal and on a narrow one it fits, and piped it holds no escape.
    #[test]
    fn it_is_plain_in_a_pipe() {
        let home = Home::new();
        let output = run(plain(home.bare(&["scan", "--help"])));
        assert!(!wrote(&output).contains(ESC));
        let output = run(plain(home.bare(&["scan", "--help", "--color=always"])));
        assert!(wrote(&output).contains(ESC));
    }
}
