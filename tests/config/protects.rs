//! The cloned-repository rule: the filter takes from a project's file what protects as much or more;
//! `scan` obeys it in full, and so does the filter where `--config` names it.

use super::*;

const INPUT: &str = "jan@example.com 06-12345678 010-1234567 10.1.2.3 4111111111111111\n";

struct Case {
    user: &'static str,
    project: &'static str,
    /// The kinds that the filter, and the project obeyed in full, find in [`INPUT`].
    protected: &'static [&'static str],
    obeyed: &'static [&'static str],
    /// The key that `-v` tells was left out.
    left_out: Option<&'static str>,
}

const CASES: &[Case] = &[
    Case {
        user: "",
        project: "allow: [example.com]\n",
        protected: &["EMAIL", "IP", "CARD"],
        obeyed: &["IP", "CARD"],
        left_out: Some("allow"),
    },
    Case {
        user: "",
        project: "skip_types: [EMAIL, CARD]\n",
        protected: &["EMAIL", "IP", "CARD"],
        obeyed: &["IP"],
        left_out: Some("skip_types"),
    },
    Case {
        user: "",
        project: "types: [IP]\n",
        protected: &["EMAIL", "IP", "CARD"],
        obeyed: &["IP"],
        left_out: Some("types"),
    },
    Case {
        user: "types: [EMAIL]\n",
        project: "types: [EMAIL, CARD]\n",
        protected: &["EMAIL", "CARD"],
        obeyed: &["EMAIL", "CARD"],
        left_out: None,
    },
    Case {
        user: "skip_types: [CARD]\n",
        project: "types: [IP, CARD]\n",
        protected: &["EMAIL", "IP", "CARD"],
        obeyed: &["IP", "CARD"],
        left_out: Some("types"),
    },
    Case {
        user: "",
        project: "ip: {keep: [private]}\n",
        protected: &["EMAIL", "IP", "CARD"],
        obeyed: &["EMAIL", "CARD"],
        left_out: Some("ip.keep"),
    },
    Case {
        user: "",
        project: "phone: {regions: [NL]}\n",
        protected: &["EMAIL", "PHONE", "PHONE", "IP", "CARD"],
        obeyed: &["EMAIL", "PHONE", "PHONE", "IP", "CARD"],
        left_out: None,
    },
    Case {
        user: "phone: {regions: [NL]}\n",
        project: "phone: {regions: []}\n",
        protected: &["EMAIL", "PHONE", "PHONE", "IP", "CARD"],
        obeyed: &["EMAIL", "IP", "CARD"],
        left_out: None,
    },
    Case {
        user: "allow: [example.com]\nip: {keep: [private]}\n",
        project: "types: [EMAIL, IBAN, CARD, PHONE, IP]\n",
        protected: &["CARD"],
        obeyed: &["CARD"],
        left_out: None,
    },
];

/// The kinds of the placeholders in a filtered text.
fn kinds(text: &str) -> Vec<&str> {
    let placeholders = text.split("[[").skip(1);
    placeholders
        .filter_map(|rest| rest.split('_').next())
        .collect()
}

#[test]
fn key_by_key() {
    for case in CASES {
        let home = Home::new();
        write(&home, USER, case.user);
        write(&home, PROJECT, case.project);
        let name = format!("{}over {}", case.project, case.user);
        let output = feed(home.nymize(&["-v"]), INPUT);
        assert_eq!(kinds(wrote(&output)), case.protected, "{name}");
        let said = text(&output.stderr);
        match case.left_out {
            Some(key) => {
                let line = said
                    .lines()
                    .find(|line| line.contains(&format!("`{key}` of the project")));
                assert!(
                    line.is_some_and(|line| line.contains(".nymize.yaml:1:")),
                    "{said}"
                );
            }
            None => assert!(!said.contains("left out"), "{said}"),
        }
        let output = feed(home.nymize::<&str>(&[]), INPUT);
        assert!(output.stderr.is_empty(), "only -v tells");
        let inspected = feed(home.nymize(&["inspect"]), INPUT);
        let sent = wrote(&inspected)
            .split("what would be sent")
            .nth(1)
            .expect("a panel");
        let sent = sent.split("├─").next().expect("a panel");
        assert_eq!(kinds(sent), case.protected, "inspect: {name}");
        assert_eq!(
            scanned(home.nymize(&["scan"]), INPUT),
            case.obeyed,
            "scan: {name}"
        );
        let named = filtered(home.nymize(&["--config", PROJECT]), INPUT);
        assert_eq!(kinds(&named), case.obeyed, "--config: {name}");
    }
}

#[test]
fn scope_and_hash_length_are_obeyed() {
    let home = Home::new();
    write(&home, USER, "scope: mine\n");
    write(&home, PROJECT, "scope: tenant-1\nhash_length: 16\n");
    let output = filtered(home.nymize::<&str>(&[]), "jan@example.com");
    let expected = filtered(
        home.nymize(&["--no-config", "--scope=tenant-1", "--hash-length=16"]),
        "jan@example.com",
    );
    assert_eq!(output, expected);
    assert!(output.starts_with("[[EMAIL_6e6b243c"), "{output}");
}

/// The number is Dutch for the user, whatever the project says.
#[test]
fn regions_come_behind_the_users_own() {
    let home = Home::new();
    write(&home, USER, "phone: {regions: [NL]}\n");
    write(&home, PROJECT, "phone: {regions: [BE, NL]}\n");
    let input = "tel 06-12345678";
    assert_eq!(
        filtered(home.nymize::<&str>(&[]), input),
        format!("tel {PHONE}")
    );
    let shown = run(home.nymize(&["config", "show"]));
    assert!(wrote(&shown).contains("regions: [\"NL\", \"BE\"]  # "));
    let shown = run(home.nymize(&["config", "show", "--for", "scan"]));
    assert!(wrote(&shown).contains("regions: [\"BE\", \"NL\"]  # "));
}

/// Everything that could silence it at once, and a user without a configuration.
#[test]
fn a_cloned_repository_cannot_silence_the_filter() {
    let home = Home::new();
    write(
        &home,
        PROJECT,
        "types: [IBAN]\nskip_types: [EMAIL, PHONE, CARD, IP, IBAN]\nip: {keep: [0.0.0.0/0, \"::/0\"]}\n\
         allow: [example.com, /.+/, 0.0.0.0/0]\n",
    );
    let output = filtered(home.nymize::<&str>(&[]), INPUT);
    assert_eq!(output, filtered(home.nymize(&["--no-config"]), INPUT));
    // Obeyed in full, nothing is left on: which is told, not done in silence.
    failed(
        &feed(home.nymize(&["scan"]), INPUT),
        &["no type is left on"],
    );
}
