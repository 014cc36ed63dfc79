//! `nymize --rules`, `nymize rules check` and `nymize detectors`.

use crate::cmd::{Home, failed, feed, run, text, wrote};

const PACK: &str =
    "rules:\n  - type: TICKET\n    pattern: 'NYM-[0-9]{3,6}'\n    examples: [NYM-123]\n";
const TERMS: &str = "terms:\n  CODENAME: [Apollo, 阿波罗]\n";

/// A home with both packs.
fn home() -> Home {
    let home = Home::new();
    home.write("house.yaml", PACK);
    home.write("terms.yaml", TERMS);
    home
}

#[test]
fn rules_are_given_with_every_command() {
    let home = home();
    let input = "NYM-123: Apollo is late\n";
    let both = ["--rules", "house.yaml", "--rules", "terms.yaml"];
    let clean = feed(home.nymize(&both), input);
    let clean = wrote(&clean);
    assert!(
        clean.starts_with("[[TICKET_") && clean.contains("]]: [[CODENAME_"),
        "{clean}"
    );
    // In front of a command and behind it; the placeholders are the same.
    let scan = feed(
        home.nymize(&[
            "--rules",
            "terms.yaml",
            "scan",
            "--json",
            "--rules",
            "house.yaml",
        ]),
        input,
    );
    assert_eq!(scan.status.code(), Some(1));
    let lines: Vec<serde_json::Value> = text(&scan.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["type"], "TICKET");
    assert_eq!(lines[1]["type"], "CODENAME");
    for line in &lines {
        assert!(clean.contains(line["placeholder"].as_str().expect("a placeholder")));
    }
    let inspect = feed(home.nymize(&["inspect", "--rules", "house.yaml"]), input);
    assert!(wrote(&inspect).contains("NYM-123"));
    let stats = feed(home.nymize(&[&both[..], &["--stats"]].concat()), input);
    assert!(text(&stats.stderr).contains("nymize: replaced 2 (1 CODENAME, 1 TICKET)"));
}

#[test]
fn types_of_packs_are_chosen_by_name() {
    let home = home();
    let filter = |args: &[&str]| {
        let all = [&["--rules", "house.yaml", "--rules", "terms.yaml"], args].concat();
        let output = feed(home.nymize(&all), "NYM-123 Apollo jan@example.com\n");
        wrote(&output).to_owned()
    };
    assert!(filter(&["--types", "ticket"]).contains("]] Apollo jan@example.com"));
    assert!(filter(&["--skip-types", "TICKET,CODENAME"]).starts_with("NYM-123 Apollo [[EMAIL_"));
    assert!(filter(&["--types", "EMAIL"]).starts_with("NYM-123 Apollo [[EMAIL_"));
    let unknown = run(home.nymize(&["--rules", "house.yaml", "--types", "TICKETS"]));
    failed(
        &unknown,
        &["unknown type \"TICKETS\"; did you mean TICKET?"],
    );
    let unknown = run(home.nymize(&["--types", "TICKET"]));
    failed(&unknown, &["unknown type \"TICKET\""]);
}

#[test]
fn a_pack_that_is_wrong_lets_nothing_out() {
    let home = home();
    home.write("wrong.yaml", "rules:\n  - type: A\n    patern: secret\n");
    home.write("fails.yaml", PACK.replace("[NYM-123]", "[secret]"));
    home.write("latin1.yaml", b"terms: {A: [secr\xe9t]}");
    for (name, said) in [
        ("wrong.yaml", "nymize: wrong.yaml:2:5: pattern is missing"),
        (
            "fails.yaml",
            "nymize: fails.yaml:4:16: the rule finds nothing in this example",
        ),
        (
            "latin1.yaml",
            "cannot read the rule pack latin1.yaml: it is not UTF-8",
        ),
        ("missing.yaml", "cannot read the rule pack missing.yaml: "),
    ] {
        for command in [
            &["--rules", name][..],
            &["scan", "--rules", name],
            &["detectors", "--rules", name],
        ] {
            let output = feed(home.bare(command), "Apollo\n");
            failed(&output, &[said]);
            assert!(!text(&output.stderr).contains("secr"));
        }
    }
    assert!(!home.key_file().exists(), "no key was made");
}

#[test]
fn a_check_tells_of_each_rule() {
    let home = home();
    home.write(
        "mixed.yaml",
        "rules:\n  - {type: A, pattern: ab, examples: [ab, secret, xy]}\n  - {type: B, pattern: 'b('}\n  - {type: C, pattern: cd}\nterms:\n  D: [Zeus, ab]\nmore: 1\n",
    );
    let fine = run(home.bare(&["rules", "check", "house.yaml", "terms.yaml"]));
    assert_eq!(
        wrote(&fine),
        "house.yaml:2 TICKET: ok (1 example, 0 counter-examples)\nterms.yaml:2 CODENAME: ok (2 terms)\n"
    );
    assert_eq!(
        text(&fine.stderr),
        "nymize: warning: terms.yaml:2:22: a term of under 4 characters may be found in many places\n"
    );
    let mixed = run(home.bare(&[
        "rules",
        "check",
        "-q",
        "mixed.yaml",
        "missing.yaml",
        "house.yaml",
    ]));
    assert_eq!(mixed.status.code(), Some(2));
    assert_eq!(
        text(&mixed.stdout),
        "mixed.yaml:2 A: wrong (3 examples, 0 counter-examples)\n\
         mixed.yaml:3 B: wrong (0 examples, 0 counter-examples)\n\
         mixed.yaml:4 C: ok (0 examples, 0 counter-examples)\n\
         mixed.yaml:6 D: ok (2 terms)\n\
         house.yaml:2 TICKET: ok (1 example, 0 counter-examples)\n"
    );
    let said: Vec<&str> = text(&mixed.stderr).lines().collect();
    assert_eq!(
        said[..4],
        [
            "nymize: mixed.yaml:2:43: the rule finds nothing in this example",
            "nymize: mixed.yaml:2:51: the rule finds nothing in this example",
            "nymize: mixed.yaml:3:26: the pattern is wrong here: unclosed group",
            "nymize: mixed.yaml:7:1: unknown key \"more\"; known are rules, terms",
        ]
    );
    assert!(said[4].starts_with("nymize: cannot read the rule pack missing.yaml"));
    assert_eq!(run(home.bare(&["rules", "check"])).status.code(), Some(2));
    assert!(!home.key_file().exists(), "a check needs no key");
}

#[test]
fn detectors_name_the_rules_of_packs() {
    let home = home();
    let output = run(home.bare(&[
        "detectors",
        "--rules",
        "house.yaml",
        "--rules",
        "terms.yaml",
        "--skip-types",
        "TICKET",
    ]));
    let lines: Vec<&str> = wrote(&output).lines().collect();
    assert_eq!(lines.len(), 7);
    assert_eq!(
        lines[5],
        "TICKET   house.yaml:2 off  a rule without a description"
    );
    assert_eq!(lines[6], "CODENAME terms.yaml:2 on   2 terms");
    assert!(lines[0].starts_with("EMAIL    built-in     on   "));
}
