//! `docs/rule-packs.md` is true: its packs are written to files, and its commands run, in order.

use std::fs;
use std::process::Command;

use nymize::RulePack;

use crate::cmd::{Home, KEY};

const DOCS: &str = include_str!("../../docs/rule-packs.md");
const HOUSE: &str = include_str!("../../examples/rules/house.yaml");

/// A block of code: the line before it, its language, and its lines.
fn blocks() -> Vec<(&'static str, &'static str, String)> {
    let mut blocks = Vec::new();
    let mut before = "";
    let mut lines = DOCS.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((before, language, code.join("\n") + "\n"));
        }
        before = line;
    }
    blocks
}

/// What a terminal shows of a command.
fn shown(home: &Home, command: &str) -> String {
    let script = format!(
        "nymize() {{ {:?} \"$@\"; }}; {command} 2>&1",
        env!("CARGO_BIN_EXE_nymize")
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(home.path(""));
    shell
        .env("HOME", home.path(""))
        .env("NYMIZE_KEY", KEY)
        .env_remove("NYMIZE_KEY_FILE");
    let output = shell.output().expect("a shell");
    let mut shown = String::from_utf8(output.stdout).expect("UTF-8");
    match output.status.code() {
        Some(0) => {}
        code => shown += &format!("[exit status {}]\n", code.expect("a status")),
    }
    shown
}

#[test]
fn the_page_on_rule_packs_is_true() {
    let home = Home::new();
    let mut commands = 0;
    let mut real = String::new();
    let mut said = String::new();
    for (before, language, code) in blocks() {
        if let Some(name) = before.strip_prefix("<!-- file: ") {
            assert_eq!(language, "yaml");
            home.write(name.trim_end_matches(" -->"), code);
            continue;
        }
        match language {
            "console" => {
                said += &code;
                for command in code.lines().filter_map(|line| line.strip_prefix("$ ")) {
                    real += &format!("$ {command}\n{}", shown(&home, command));
                    commands += 1;
                }
            }
            // The library's documentation compiles the same.
            "rust" => {}
            other => panic!("a block of {other}, or a pack without a name"),
        }
    }
    assert_eq!(real, said);
    assert_eq!(commands, 8);
}

#[test]
fn the_example_pack_is_in_order() {
    let check = RulePack::check(HOUSE, "house.yaml");
    assert!(check.errors.is_empty());
    for result in &check.results {
        assert!(result.errors.is_empty(), "{:?}", result.errors);
    }
    assert_eq!(check.results.len(), 5);
    // Only the term of three characters is warned of.
    assert_eq!(check.warnings.len(), 1);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rules");
    let files = fs::read_dir(folder).expect("a folder");
    assert_eq!(files.count(), 1, "each pack of examples/rules has its test");
}
