//! Configuration as people meet it: files in a home and in a repository, variables, options.

mod cmd;

#[path = "config/files.rs"]
mod files;
#[path = "config/found.rs"]
mod found;
#[path = "config/protects.rs"]
mod protects;
#[path = "config/schema.rs"]
mod schema;
#[path = "config/shown.rs"]
mod shown;

use std::fs;
use std::process::Command;

use cmd::{EMAIL, Home, KEY, PHONE, failed, feed, run, text, wrote};

const USER: &str = ".config/nymize/config.yaml";
const PROJECT: &str = ".nymize.yaml";

/// Writes a file and the folders that it lies in.
fn write(home: &Home, name: &str, content: &str) {
    if let Some(folder) = home.path(name).parent() {
        fs::create_dir_all(folder).expect("folders");
    }
    home.write(name, content);
}

/// What the program makes of a text on stdin.
#[track_caller]
fn filtered(command: Command, input: &str) -> String {
    wrote(&feed(command, input)).to_owned()
}

/// The kinds that `scan` finds in a text, in order.
#[track_caller]
fn scanned(mut command: Command, input: &str) -> Vec<String> {
    command.arg("-");
    let output = feed(command, input);
    assert!(output.status.code() < Some(2), "{}", text(&output.stderr));
    let lines = text(&output.stdout).lines();
    lines
        .map(|line| line.split(' ').nth(1).expect("a kind").to_owned())
        .collect()
}

#[test]
fn what_is_wrong_ends_the_run_before_it_begins() {
    for name in [USER, PROJECT] {
        for (content, said) in [
            (
                "typs: [EMAIL]\n",
                ":1:1: unknown key `typs`; did you mean `types`?",
            ),
            (
                "# é\nscope: a\nhash_length: 7\n",
                ":3:14: `hash_length` is an even",
            ),
            (
                "phone:\n  regions: [UK]\n",
                ":2:13: unknown region in `phone.regions`; ",
            ),
            ("ip: {keep: [secret]}\n", ":1:13: `ip.keep` takes private,"),
            (
                "types: [EMIAL]\n",
                ":1:9: unknown type in `types`; did you mean EMAIL?",
            ),
            (
                "scope: secret\nscope: secret\n",
                ":2:1: key `scope` stands here a second time",
            ),
            ("scope: 'secret\n", "this is not YAML"),
            (
                "files: {exclude: ['a[']}\n",
                ":1:19: `files.exclude` takes globs",
            ),
        ] {
            let home = Home::new();
            write(&home, name, content);
            let output = feed(home.bare::<&str>(&[]), "mail jan@example.com\n");
            failed(&output, &[name, said]);
            assert!(!text(&output.stderr).contains("secret"));
            assert!(
                !home.key_file().exists(),
                "no key is made for a wrong configuration"
            );
        }
    }
}

#[test]
fn a_wrong_entry_of_allow_has_its_place() {
    let home = Home::new();
    write(&home, USER, "allow:\n  - a@x.nl\n  - /secret(/\n");
    let output = feed(home.bare::<&str>(&[]), "mail jan@example.com\n");
    failed(
        &output,
        &[":3:5: this pattern of `allow` is no regular expression"],
    );
    assert!(!text(&output.stderr).contains("secret"));
    write(&home, USER, "allow:\n  - a@x.nl\n  - secret\n");
    let output = feed(home.bare::<&str>(&[]), "mail jan@example.com\n");
    failed(&output, &[":3:5: this entry of `allow` is no value"]);
    assert!(!text(&output.stderr).contains("secret"));
    assert!(!home.key_file().exists());
}

#[test]
fn options_over_variables_over_project_over_user() {
    let home = Home::new();
    let scope = |command: &mut Command| {
        let output = command.output().expect("it runs");
        let shown = wrote(&output).to_owned();
        let line = shown.lines().find(|line| line.starts_with("scope: "));
        line.expect("a scope").to_owned()
    };
    let show = ["config", "show"];
    assert_eq!(scope(&mut home.nymize(&show)), "scope: \"\"  # default");
    write(&home, USER, "scope: of-user\n");
    assert!(scope(&mut home.nymize(&show)).starts_with("scope: \"of-user\"  # "));
    write(&home, PROJECT, "\nscope: of-project\n");
    let line = scope(&mut home.nymize(&show));
    assert!(
        line.starts_with("scope: \"of-project\"  # ") && line.ends_with("/.nymize.yaml:2:8"),
        "{line}"
    );
    let mut command = home.nymize(&show);
    let line = scope(command.env("NYMIZE_SCOPE", "of-environment"));
    assert_eq!(line, "scope: \"of-environment\"  # NYMIZE_SCOPE");
    let mut command = home.nymize(&["--scope", "of-option", "config", "show"]);
    let line = scope(command.env("NYMIZE_SCOPE", "of-environment"));
    assert_eq!(line, "scope: \"of-option\"  # --scope");
    // And the placeholders are those of the scope that is shown.
    let with_option = filtered(home.nymize(&["--scope", "of-project"]), "jan@example.com");
    assert_eq!(
        filtered(home.nymize::<&str>(&[]), "jan@example.com"),
        with_option
    );
    assert_ne!(with_option, EMAIL);
}

#[test]
fn variables_set_what_they_are_for() {
    let home = Home::new();
    let input = "jan@example.com 06-12345678 10.1.2.3";
    for (name, value, expected) in [
        (
            "NYMIZE_TYPES",
            "phone,EMAIL",
            format!("{EMAIL} 06-12345678 10.1.2.3"),
        ),
        ("NYMIZE_SKIP_TYPES", "EMAIL,IP", input.to_owned()),
        (
            "NYMIZE_IP_KEEP",
            "private",
            format!("{EMAIL} 06-12345678 10.1.2.3"),
        ),
        ("NYMIZE_REGION", "be, nl", format!("{EMAIL} {PHONE} [[IP_")),
        (
            "NYMIZE_HASH_LENGTH",
            "16",
            "[[EMAIL_3cdd8ba820bd7850]]".to_owned(),
        ),
    ] {
        let mut command = home.nymize::<&str>(&[]);
        command.env(name, value);
        let output = filtered(command, input);
        assert!(output.starts_with(&expected), "{name}: {output}");
        let mut command = home.nymize::<&str>(&[]);
        command.env(name, ",");
        failed(&feed(command, input), &[name]);
    }
    // An option says the last word.
    let mut command = home.nymize(&["--types", "IP"]);
    command
        .env("NYMIZE_TYPES", "EMAIL")
        .env("NYMIZE_SKIP_TYPES", "IP");
    assert!(filtered(command, input).starts_with("jan@example.com 06-12345678 [[IP_"));
}

#[test]
fn what_is_allowed_stays_and_inspect_says_so() {
    let home = Home::new();
    write(
        &home,
        USER,
        "allow:\n  - JAN@example.com\n  - example.org\n  - +31 6 1234 5678\n",
    );
    let input = "jan@example.com anna@mail.example.org 0031612345678\n";
    assert_eq!(filtered(home.nymize::<&str>(&[]), input), input);
    assert!(scanned(home.nymize(&["scan"]), input).is_empty());
    let output = feed(home.nymize(&["inspect"]), input);
    assert_eq!(
        wrote(&output),
        "No sensitive identifiers detected in the input.\n"
    );
    for said in ["allowed, and left: 1:1 EMAIL", "1:17 EMAIL", "1:39 PHONE"] {
        assert!(
            text(&output.stderr).contains(said),
            "{}",
            text(&output.stderr)
        );
    }
    let output = feed(home.nymize(&["inspect"]), format!("{input}anna@x.nl\n"));
    let shown = wrote(&output);
    assert!(
        shown.contains("allowed, and left as it is") && shown.contains("│ 1:17 EMAIL"),
        "{shown}"
    );
    assert!(!text(&output.stderr).contains('@'));
}

#[test]
fn no_config_reads_none() {
    let home = Home::new();
    write(&home, USER, "this: is wrong\n");
    write(&home, PROJECT, "so: is this\n");
    let output = filtered(home.nymize(&["--no-config"]), "jan@example.com");
    assert_eq!(output, EMAIL);
    failed(
        &run(home.nymize(&["--no-config", "--config", PROJECT])),
        &["--no-config"],
    );
    // Variables are no configuration file.
    let mut command = home.nymize(&["--no-config"]);
    command.env("NYMIZE_SKIP_TYPES", "EMAIL");
    assert_eq!(filtered(command, "jan@example.com"), "jan@example.com");
}

mod key_file {
    use super::*;

    const OTHER: &str = "1111111111111111111111111111111111111111111111111111111111111111\n";

    #[test]
    fn counts_where_nothing_else_names_a_key() {
        let home = Home::new();
        write(&home, USER, "key_file: keys/own\n");
        write(&home, ".config/nymize/keys/own", &format!("{KEY}\n"));
        write(&home, "other", OTHER);
        let input = "jan@example.com";
        assert_eq!(filtered(home.bare::<&str>(&[]), input), EMAIL);
        assert!(!home.key_file().exists());
        assert_ne!(filtered(home.bare(&["--key-file", "other"]), input), EMAIL);
        let mut command = home.bare::<&str>(&[]);
        command.env("NYMIZE_KEY_FILE", "other");
        assert_ne!(filtered(command, input), EMAIL);
        let mut command = home.bare::<&str>(&[]);
        command.env("NYMIZE_KEY", OTHER.trim());
        assert_ne!(filtered(command, input), EMAIL);
        // With no configuration, a key is made in its place.
        assert_ne!(filtered(home.bare(&["--no-config"]), input), EMAIL);
        assert!(home.key_file().exists());
    }

    #[test]
    fn is_what_the_key_commands_mean() {
        let home = Home::new();
        write(&home, USER, "key_file: ~/secret/key\n");
        // A project's file is no matter of the key.
        write(&home, PROJECT, "wrong: yes\n");
        let path = home.path("secret/key").display().to_string();
        assert_eq!(wrote(&run(home.bare(&["key", "path"]))).trim_end(), path);
        failed(
            &run(home.bare(&["key", "fingerprint"])),
            &["nymize key create"],
        );
        assert_eq!(wrote(&run(home.bare(&["key", "create"]))).trim_end(), path);
        assert!(home.path("secret/key").exists() && !home.key_file().exists());
        let own = run(home.bare(&["--no-config", "key", "path"]));
        assert_eq!(
            wrote(&own).trim_end(),
            home.key_file().display().to_string()
        );
        let output = run(home.bare(&["key", "path", "--no-config"]));
        assert_eq!(wrote(&output), wrote(&own));
    }

    #[test]
    fn is_the_users_to_name() {
        let home = Home::new();
        write(&home, PROJECT, "scope: x\nkey_file: secret\n");
        write(&home, "secret", OTHER);
        for args in [&[][..], &["scan"], &["--config", PROJECT]] {
            let output = feed(home.nymize(args), "jan@example.com");
            failed(&output, &[".nymize.yaml:2:1: `key_file` belongs in"]);
            assert!(!text(&output.stderr).contains("secret"));
        }
    }
}

mod rules {
    use super::*;

    const PACK: &str = "rules:\n  - type: TICKET\n    pattern: '\\bTCK-[0-9]{4}\\b'\n    examples: \
                        [TCK-1234]\n";

    #[test]
    fn of_the_user_and_of_the_project_add_up() {
        let home = Home::new();
        write(&home, USER, "terms: {CODENAME: [Apollo]}\n");
        write(
            &home,
            PROJECT,
            "rule_packs: [packs/own.yaml]\nterms:\n  OTHER: [Zeus]\n",
        );
        write(&home, "packs/own.yaml", PACK);
        write(&home, "named.yaml", "terms: {NAMED: [Hermes]}\n");
        let input = "Apollo Zeus TCK-1234 Hermes jan@example.com\n";
        let kinds = |text: &str| -> Vec<String> {
            let placeholders = text.split("[[").skip(1);
            let kinds = placeholders.filter_map(|rest| rest.rsplit_once('_'));
            kinds.map(|(kind, _)| kind.to_owned()).collect()
        };
        let all = ["CODENAME", "OTHER", "TICKET", "NAMED", "EMAIL"];
        let output = filtered(home.nymize(&["--rules", "named.yaml"]), input);
        assert_eq!(kinds(&output), all);
        assert_eq!(
            scanned(home.nymize(&["scan", "--rules", "named.yaml"]), input),
            all
        );
        let output = filtered(home.nymize(&["--no-config"]), input);
        assert_eq!(kinds(&output), ["EMAIL"]);
        // Their TYPEs are TYPEs like others.
        let output = filtered(home.nymize(&["--types", "ticket,CODENAME"]), input);
        assert_eq!(kinds(&output), ["CODENAME", "TICKET"]);
        let output = feed(home.nymize(&["--types", "TICKETS"]), input);
        failed(
            &output,
            &["--types: unknown type \"TICKETS\"; did you mean TICKET?"],
        );
        let listed = run(home.nymize(&["detectors", "--skip-types", "OTHER"]));
        for line in ["TICKET   ", "CODENAME ", "OTHER    "] {
            let state = if line.starts_with("OTHER") {
                " off "
            } else {
                " on "
            };
            let listed = wrote(&listed).lines().find(|l| l.starts_with(line));
            assert!(
                listed.is_some_and(|listed| listed.contains(state)),
                "{line}"
            );
        }
        let shown = run(home.nymize(&["config", "show"]));
        let said = "# rules and terms: ";
        assert_eq!(wrote(&shown).matches(said).count(), 3, "{}", wrote(&shown));
        assert!(wrote(&shown).contains("packs/own.yaml (") && !wrote(&shown).contains("Apollo"));
    }

    /// A project's rules are taken by the filter, and silence nothing of what is built in.
    #[test]
    fn of_a_project_do_not_win_over_what_is_built_in() {
        let home = Home::new();
        write(
            &home,
            PROJECT,
            "rules: [{type: GARBLE, pattern: '[a-z.@]{4,}', keywords: [mail]}]\n",
        );
        let output = filtered(home.nymize::<&str>(&[]), "mail jan@example.com");
        assert!(output.contains(EMAIL), "{output}");
    }

    #[test]
    fn that_are_wrong_have_a_place() {
        let home = Home::new();
        for (content, said) in [
            ("scope: x\nterms: {EMAIL: [secret]}\n", ".nymize.yaml:2:9: "),
            (
                "scope: x\nrules: [{type: T, pattern: 'a('}]\n",
                ".nymize.yaml:2:",
            ),
            (
                "rules: [{type: T, pattern: 'T-1', examples: [secret]}]\n",
                ".nymize.yaml:1:",
            ),
            (
                "scope: x\nrule_packs: [none.yaml]\n",
                ".nymize.yaml:2:14: this file of `rule_packs` cannot be read",
            ),
            ("rule_packs: [pack.yaml]\n", "pack.yaml:2:3: "),
        ] {
            write(&home, PROJECT, content);
            write(&home, "pack.yaml", "terms:\n  IP: [secret]\n");
            let output = feed(home.bare::<&str>(&[]), "x");
            failed(&output, &[said]);
            assert!(
                !text(&output.stderr).contains("secret"),
                "{}",
                text(&output.stderr)
            );
            assert!(!home.key_file().exists());
        }
    }

    #[test]
    fn may_be_allowed_their_values() {
        let home = Home::new();
        write(
            &home,
            USER,
            &format!("allow: [TCK-0000, Apollo, /TCK-9.*/]\nterms: {{CODENAME: [Apollo]}}\n{PACK}"),
        );
        let input = "TCK-0000 Apollo TCK-9999";
        assert_eq!(filtered(home.nymize::<&str>(&[]), input), input);
        assert!(filtered(home.nymize::<&str>(&[]), "TCK-0001").starts_with("[[TICKET_"));
    }

    #[test]
    fn that_may_not_be_meant_are_warned_of() {
        let home = Home::new();
        write(&home, PROJECT, "terms: {CODENAME: [Ra]}\n");
        let output = feed(home.nymize::<&str>(&[]), "x");
        wrote(&output);
        assert!(
            text(&output.stderr).contains("nymize.yaml:1:20: "),
            "{}",
            text(&output.stderr)
        );
        assert!(!text(&output.stderr).contains("Ra"));
    }
}
