//! `nymize config show`.

use super::*;

#[test]
fn what_is_shown_is_a_configuration_that_says_the_same() {
    let home = Home::new();
    write(
        &home,
        PROJECT,
        "types: [EMAIL, IP, PHONE]\nskip_types: [PHONE]\nphone: {regions: [NL, \"NO\"]}\nip:\n  keep: \
         [private]\nscope: \"a \\\"b\\\" \\\\ # é\\u001b\\n\"\nhash_length: 32\nallow: ['jan@example.com', \
         '/\\d+ # \"x\"/', 4111111111111111]\nfiles: {exclude: ['a b', '!c'], max_size: 3K}\n",
    );
    let show = ["config", "show", "--for", "scan"];
    let first = run(home.nymize(&show));
    let first = wrote(&first);
    assert!(!first.contains('\u{1b}'));
    write(&home, "shown.yaml", first);
    let again = run(home.nymize(&["config", "show", "--for=scan", "--config=shown.yaml"]));
    let values = |shown: &str| -> Vec<String> {
        let lines = shown.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| {
                line.rsplit_once("  # ")
                    .map_or(line, |(value, _)| value)
                    .to_owned()
            })
            .collect()
    };
    assert_eq!(values(first), values(wrote(&again)));
    for line in [
        "types: [\"EMAIL\", \"IP\"]",
        "  regions: [\"NL\", \"NO\"]",
        "  keep: [\"private\"]",
        "hash_length: 32",
        "  - \"jan@example.com\"",
        "  - \"4111111111111111\"",
        "  exclude: [\"a b\", \"!c\"]",
        "  max_size: 3072",
    ] {
        assert!(
            values(first).contains(&line.to_owned()),
            "{line} in {first}"
        );
    }
}

#[test]
fn origins_are_told() {
    let home = Home::new();
    write(&home, USER, "types: [EMAIL, IP]\nallow: [a@x.nl]\n");
    write(&home, PROJECT, "skip_types: [EMAIL]\nallow: [b@x.nl]\n");
    let mut command = home.nymize(&["config", "show", "--for", "scrub", "--skip-types", "CARD"]);
    command.env("NYMIZE_REGION", "NL,DE");
    let output = run(command);
    let shown = wrote(&output);
    let user = home
        .path(USER)
        .canonicalize()
        .expect("a path")
        .display()
        .to_string();
    let line = |begin: &str| {
        let line = shown.lines().find(|line| line.starts_with(begin));
        line.unwrap_or_else(|| panic!("{begin} in {shown}"))
            .to_owned()
    };
    assert!(line("types: [\"IP\"]").contains(".yaml:1:9, "), "{shown}");
    assert!(
        line("types:").contains(".nymize.yaml:1:14, --skip-types"),
        "{shown}"
    );
    assert!(line("  regions: [\"NL\", \"DE\"]").ends_with("# NYMIZE_REGION"));
    assert!(line("hash_length: 8").ends_with("# default"));
    assert!(line("  - \"a@x.nl\"").ends_with("config.yaml:2:9"));
    assert!(line("  - \"b@x.nl\"").ends_with(".nymize.yaml:2:9"));
    assert!(
        shown.contains("config.yaml (the user's)\n"),
        "{user}: {shown}"
    );
    assert!(shown.contains(".nymize.yaml (the project's)\n"));
}

#[test]
fn no_key_is_shown_made_or_needed() {
    let home = Home::new();
    let output = run(home.bare(&["config", "show"]));
    assert!(wrote(&output).contains("/.local/share/nymize/key (default)\n"));
    assert!(!home.key_file().exists());
    let output = run(home.nymize(&["config", "show"]));
    assert!(wrote(&output).contains("# key: NYMIZE_KEY\n"));
    assert!(!wrote(&output).contains(&KEY[..8]));
    write(&home, USER, "key_file: own\n");
    write(&home, ".config/nymize/own", KEY);
    let output = run(home.bare(&["config", "show"]));
    let shown = wrote(&output);
    assert!(
        shown.contains("key_file: \"") && shown.contains("config.yaml:1:11"),
        "{shown}"
    );
    assert!(!shown.contains(&KEY[..8]));
    let mut command = home.bare(&["config", "show", "--no-config"]);
    command.env_remove("HOME");
    assert!(wrote(&run(command)).contains("# key: none is named\n"));
}

#[test]
fn what_the_filter_leaves_out_is_told() {
    let home = Home::new();
    write(
        &home,
        PROJECT,
        "scope: x\nallow: [b@x.nl]\nfiles: {max_size: 1K}\n",
    );
    let output = run(home.nymize(&["config", "show"]));
    let shown = wrote(&output);
    assert!(shown.contains("allow: []  # default\n"), "{shown}");
    assert!(
        shown.contains(".nymize.yaml:2:9: `allow` of the project is left out"),
        "{shown}"
    );
    assert!(
        shown.contains("(the project's, obeyed in what protects more)"),
        "{shown}"
    );
    assert!(
        !shown.contains("max_size"),
        "the filter reads no folders: {shown}"
    );
    let output = run(home.nymize(&["config", "show", "--for", "scan"]));
    assert!(!wrote(&output).contains("left out"));
}

#[test]
fn detectors_are_on_or_off_by_the_configuration() {
    let home = Home::new();
    write(&home, USER, "skip_types: [CARD]\n");
    let state = |args: &[&str], kind: &str| {
        let output = run(home.nymize(args));
        let line = wrote(&output)
            .lines()
            .find(|line| line.starts_with(kind))
            .map(str::to_owned);
        line.expect("a line").contains(" on ")
    };
    assert!(!state(&["detectors"], "CARD") && state(&["detectors"], "IBAN"));
    assert!(state(&["detectors", "--no-config"], "CARD"));
    assert!(state(&["detectors", "--types", "CARD"], "CARD"));
}
