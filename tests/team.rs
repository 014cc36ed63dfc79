//! `docs/team.md`: its commands, run as they stand there, in a repository of their own.

mod cmd;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use cmd::{Home, run, text, wrote};
use serde_yaml::Value;

const DOCS: &str = include_str!("../docs/team.md");
const BASELINE: &str = ".nymize-baseline.yaml";

/// The blocks of code in this language, in order.
fn blocks(language: &str) -> Vec<&'static str> {
    let opening = format!("\n```{language}\n");
    DOCS.split(opening.as_str())
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .collect()
}

/// A shell with nymize on the PATH, in the repository of a home, with nothing of the user's.
fn sh(home: &Home, script: &str) -> Command {
    let nymize = Path::new(env!("CARGO_BIN_EXE_nymize"));
    let mut path = nymize.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command
        .args(["-euc", script])
        .env_clear()
        .env("PATH", path)
        .env("HOME", home.path("repo").parent().expect("a folder"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(home.path("repo"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A home with a repository that has a history.
fn home() -> Home {
    let home = Home::new();
    fs::create_dir_all(home.path("repo/prompts")).expect("folders");
    home.write("repo/prompts/a.md", "write to jan@example.com\n");
    home.write("repo/prompts/b.md", "call +31612345678\n");
    let git = run(sh(&home, "git init -q"));
    assert!(git.status.success(), "this test needs git on the PATH");
    home
}

/// All of the page up to the new key, in one shell.
fn set_up() -> String {
    blocks("sh")
        .iter()
        .take(5)
        .map(|block| format!("{block}\n"))
        .collect()
}

/// The command of the workflow's step of this name.
fn step(name: &str) -> String {
    let workflow: Value = serde_yaml::from_str(blocks("yaml")[0]).expect("YAML");
    let steps = workflow["jobs"]["scan"]["steps"]
        .as_sequence()
        .expect("steps");
    let step = steps
        .iter()
        .find(|step| step["name"].as_str() == Some(name));
    let step = step.expect("a step");
    assert_eq!(
        step["env"]["NYMIZE_KEY"].as_str(),
        Some("${{ secrets.NYMIZE_KEY }}")
    );
    step["run"].as_str().expect("a command").to_owned()
}

/// Runs a step as CI does, with this secret.
fn in_ci(home: &Home, name: &str, secret: &str) -> Output {
    let mut command = sh(home, &step(name));
    command
        .env("NYMIZE_KEY", secret)
        .env("HOME", home.path("nobody"));
    run(command)
}

const CHECK: &str = "The key is the team's";
const SCAN: &str = "Nothing new, told at its lines";
const LOG: &str = "The same for code scanning";

#[test]
fn the_page_sets_a_team_up() {
    let home = home();
    let output = run(sh(&home, &set_up()));
    let shown = wrote(&output);
    let fingerprint = String::from_utf8(home.read("repo/.nymize-fingerprint")).expect("UTF-8");
    let key = home.path("team.key").display().to_string();
    assert_eq!(
        shown,
        format!("{key}\n{fingerprint}"),
        "{}",
        text(&output.stderr)
    );
    let baseline = String::from_utf8(home.read(&format!("repo/{BASELINE}"))).expect("UTF-8");
    assert!(baseline.contains(fingerprint.trim()) && baseline.contains("prompts/a.md"));
    assert!(!home.key_file().exists(), "nobody's own key was made");
    // What was committed.
    let staged = run(sh(&home, "git diff --cached --name-only"));
    assert_eq!(wrote(&staged), format!("{BASELINE}\n.nymize-fingerprint\n"));
}

#[test]
fn the_steps_of_ci_hold_under_the_key_and_fail_under_another() {
    let home = home();
    wrote(&run(sh(&home, &set_up())));
    let console = blocks("console")[0];
    let command = console.strip_prefix("$ ").expect("a command");
    let secret = command
        .split(" | gh secret set NYMIZE_KEY")
        .next()
        .expect("a command");
    let secret = wrote(&run(sh(&home, secret))).to_owned();
    assert_eq!(secret.len(), 64);

    for name in [CHECK, SCAN, LOG] {
        assert_eq!(in_ci(&home, name, &secret).status.code(), Some(0), "{name}");
    }
    home.write("repo/prompts/c.md", "and piet@example.com\n");
    let output = in_ci(&home, SCAN, &secret);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    assert!(
        shown.starts_with("::error title=nymize%3A EMAIL,file=prompts/c.md,line=1,"),
        "{shown}"
    );
    assert_eq!(shown.lines().count(), 1);
    // A finding is no failure of the step that makes the log: it is to be uploaded.
    assert_eq!(in_ci(&home, LOG, &secret).status.code(), Some(0));
    let log = home.read("repo/nymize.sarif");
    let log: serde_json::Value = serde_json::from_slice(&log).expect("JSON");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1));

    for (secret, said) in [
        (cmd::KEY, "fingerprint"),
        ("", "NYMIZE_KEY is set but empty"),
    ] {
        assert_ne!(in_ci(&home, CHECK, secret).status.code(), Some(0));
        for name in [SCAN, LOG] {
            let output = in_ci(&home, name, secret);
            assert_ne!(output.status.code(), Some(0), "{name}");
            assert!(
                text(&output.stderr).contains(said),
                "{}",
                text(&output.stderr)
            );
        }
    }
}

#[test]
fn a_fork_can_scan_without_the_key() {
    let home = home();
    let output = run(sh(&home, blocks("sh")[5]));
    assert_eq!(wrote(&output).lines().count(), 2);
    assert!(!home.key_file().exists());
}

#[test]
fn a_new_key_makes_a_new_baseline() {
    let home = home();
    wrote(&run(sh(&home, &set_up())));
    let before = home.read(&format!("repo/{BASELINE}"));
    let new = run(sh(
        &home,
        &format!("{}\n{}", set_up_again(), blocks("sh")[6]),
    ));
    assert!(new.status.success(), "{}", text(&new.stderr));
    assert_ne!(home.read(&format!("repo/{BASELINE}")), before);
    let check = format!(
        "export NYMIZE_KEY_FILE=\"$HOME/team-2.key\"\n{}",
        blocks("sh")[3]
    );
    wrote(&run(sh(&home, &check)));
}

/// What a shell that is opened later has to set.
fn set_up_again() -> &'static str {
    let lines = blocks("sh")[1].lines();
    lines.last().expect("the line that names the key")
}

#[test]
fn every_block_is_run_here() {
    assert_eq!(blocks("sh").len(), 7);
    assert_eq!((blocks("yaml").len(), blocks("console").len()), (1, 1));
    assert_eq!(DOCS.matches("\n```").count(), 2 * (7 + 1 + 1));
}
