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
