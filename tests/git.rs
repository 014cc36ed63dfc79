//! What is staged, and the recipes of `docs/git.md`, run as they stand there.

mod cmd;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use cmd::{EMAIL, Home, KEY, failed, feed, run, text, wrote};

const MAIL: &str = "mail jan@example.com\n";

/// The block of `docs/git.md` behind `<!-- test: NAME -->`.
fn recipe(name: &str) -> &'static str {
    let mark = format!("<!-- test: {name} -->\n```");
    let docs = include_str!("../docs/git.md");
    let (_, rest) = docs.split_once(&mark).expect("the recipe is there");
    let (_, block) = rest.split_once('\n').expect("a block");
    block.split_once("```").expect("its end").0
}

fn clean() -> String {
    format!("mail {EMAIL}\n")
}

fn repository() -> Home {
    let home = Home::new();
    home.git(&["init", "-q", "."]);
    home
}

/// The PATH, with the program on it.
fn path() -> OsString {
    let folder = Path::new(env!("CARGO_BIN_EXE_nymize"))
        .parent()
        .expect("a folder");
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_owned()]
        .into_iter()
        .chain(env::split_paths(&path));
    env::join_paths(folders).expect("a PATH")
}

/// git, which runs hooks and filters with the program on its PATH.
fn git(home: &Home, args: &[&str]) -> Output {
    let mut command = home.git_command(args);
    command.env("PATH", path());
    run(command)
}

/// Runs a recipe.
#[track_caller]
fn sh(home: &Home, script: &str) -> String {
    let mut command = Command::new("sh");
    let script = format!("set -e\n{script}");
    command
        .args(["-c", &script])
        .current_dir(home.path(""))
        .env("PATH", path())
        .env("HOME", home.path(""))
        .env("NYMIZE_KEY", KEY)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::null());
    for name in ["GIT_AUTHOR", "GIT_COMMITTER"] {
        command.env(format!("{name}_NAME"), "Jo");
        command.env(format!("{name}_EMAIL"), "jo@example.com");
    }
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    let output = run(command);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[cfg(unix)]
fn hook(home: &Home, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = home.put(".git/hooks/pre-commit", script);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
}

mod staged {
    use super::*;

    /// B65.
    #[test]
    fn what_is_staged_is_found_though_the_file_is_clean() {
        let home = repository();
        home.write("notes.txt", MAIL);
        home.git(&["add", "notes.txt"]);
        home.write("notes.txt", "nothing\n");
        home.write("not_staged", MAIL);
        let output = run(home.nymize(&["scan", "--staged"]));
        assert_eq!(
            text(&output.stdout),
            format!("notes.txt:1:6 EMAIL {EMAIL}\n")
        );
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(wrote(&run(home.nymize(&["scan", "notes.txt"]))), "");
        // The other way round.
        home.git(&["add", "notes.txt"]);
        home.write("notes.txt", MAIL);
        assert_eq!(wrote(&run(home.nymize(&["scan", "--staged"]))), "");
    }

    #[test]
    fn it_is_what_the_commit_would_change() {
        let home = repository();
        home.write("old", MAIL);
        home.write("changed", "nothing\n");
        home.write("gone", MAIL);
        home.git(&["add", "."]);
        home.git(&["commit", "-q", "-m", "x"]);
        assert_eq!(wrote(&run(home.nymize(&["scan", "--staged"]))), "");
        home.write("changed", MAIL);
        home.put("sub/é new\n", MAIL);
        fs::rename(home.path("old"), home.path("renamed")).expect("renamed");
        home.git(&["rm", "-q", "gone"]);
        home.git(&["add", "."]);
        let output = run(home.nymize(&["scan", "--staged", "--json"]));
        let paths: Vec<serde_json::Value> = text(&output.stdout)
            .lines()
            .map(|line| {
                serde_json::from_str::<serde_json::Value>(line).expect("JSON")["path"].clone()
            })
            .collect();
        assert_eq!(paths, ["changed", "renamed", "sub/é new\n"]);
        let output = run(home.nymize(&["scan", "--staged", "sub", "renamed"]));
        assert_eq!(text(&output.stdout).lines().count(), 2);
    }

    #[test]
    fn paths_count_from_the_working_folder() {
        let home = repository();
        home.put("sub/deep/here", MAIL);
        home.put("other/there", MAIL);
        home.git(&["add", "."]);
        home.git(&["config", "diff.relative", "true"]);
        let mut command = home.nymize(&["scan", "--staged"]);
        command.current_dir(home.path("sub"));
        let output = run(command);
        assert_eq!(
            text(&output.stdout),
            format!("../other/there:1:6 EMAIL {EMAIL}\ndeep/here:1:6 EMAIL {EMAIL}\n")
        );
    }

    #[test]
    fn many_and_large_blobs_are_read() {
        let home = repository();
        for number in 0..40 {
            home.write(&format!("f{number:02}"), MAIL.repeat(number));
        }
        let large = format!("{}{MAIL}", "words and more words\n".repeat(100_000));
        home.write("large", &large);
        home.write("png", b"\x89PNG\r\n\x1a\n".repeat(50_000));
        home.write(
            "wide",
            "\u{feff}jan@example.com"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>(),
        );
        home.write("x.lock", MAIL);
        home.write("body.json", "{\"card\": 4111111111111111}");
        home.write("empty", "");
        home.git(&["add", "."]);
        let args = ["scan", "--staged", "--exclude=*.lock"];
        let output = run(home.nymize(&args));
        let shown = text(&output.stdout);
        assert_eq!(shown.lines().count(), 780 + 3);
        assert!(shown.contains("\nlarge:100001:6 EMAIL ") && shown.contains("\nwide:1:2 EMAIL "));
        assert!(shown.starts_with("body.json:1:10 CARD "));
        let said = text(&output.stderr);
        assert_eq!(said, "nymize: skipped 2 (1 binary, 1 excluded)\n");
        for jobs in ["-j1", "-j5"] {
            let other = run(home.nymize(&[&args[..], &[jobs]].concat()));
            assert_eq!(text(&other.stdout), shown);
        }
        let large = run(home.nymize(&["scan", "--staged", "--max-size=1M", "large"]));
        assert_eq!(text(&large.stderr), "nymize: skipped 1 (1 too large)\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_other_repositories_have_no_text() {
        let home = repository();
        std::os::unix::fs::symlink("jan@example.com", home.path("link")).expect("a link");
        home.put("inner/a", MAIL);
        let inner = home.path("inner");
        let inner = inner.to_str().expect("UTF-8");
        home.git(&["-C", inner, "init", "-q"]);
        home.git(&["-C", inner, "add", "."]);
        home.git(&["-C", inner, "commit", "-q", "-m", "x"]);
        home.git(&["-c", "advice.addEmbeddedRepo=false", "add", "."]);
        assert_eq!(wrote(&run(home.nymize(&["scan", "--staged"]))), "");
    }

    #[test]
    fn scrub_rewrites_the_file_and_stages_nothing() {
        let home = repository();
        home.write("notes.txt", MAIL);
        home.write("other", MAIL);
        home.git(&["add", "notes.txt"]);
        let output = run(home.nymize(&["scrub", "--staged"]));
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(
            said.contains("notes.txt: what is staged of it holds 1 (1 EMAIL)"),
            "{said}"
        );
        assert_eq!(text(&home.read("notes.txt")), clean());
        assert_eq!(text(&home.read("other")), MAIL, "it is not staged");
        assert_eq!(text(&home.git(&["show", ":notes.txt"])), MAIL);
        // Until what is staged is clean, the commit must not pass.
        let output = run(home.nymize(&["scrub", "--staged"]));
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        home.git(&["add", "notes.txt"]);
        wrote(&run(home.nymize(&["scrub", "--staged"])));
        // A file that is gone from the folder is still in the commit.
        home.put("sub/gone", MAIL);
        home.git(&["add", "sub"]);
        fs::remove_dir_all(home.path("sub")).expect("removed");
        let output = run(home.nymize(&["scrub", "--staged"]));
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(!home.path("sub").exists());
    }

    #[test]
    fn what_is_no_repository_is_told() {
        let home = Home::new();
        let mut command = home.nymize(&["scan", "--staged"]);
        command.env(
            "GIT_CEILING_DIRECTORIES",
            home.path("").parent().expect("a folder"),
        );
        failed(&run(command), &["git: fatal: not a git repository"]);
        let mut command = home.nymize(&["scan", "--staged"]);
        command.env("PATH", "");
        failed(&run(command), &["cannot run git"]);
    }
}

#[cfg(unix)]
mod recipes {
    use super::*;

    #[test]
    fn a_hook_that_checks() {
        let home = repository();
        hook(&home, recipe("check-hook"));
        home.write("notes.txt", MAIL);
        home.git(&["add", "notes.txt"]);
        let output = git(&home, &["commit", "-q", "-m", "x"]);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains("notes.txt:1:6 EMAIL"), "{said}");
        assert_eq!(text(&home.read("notes.txt")), MAIL);
        // What `git commit PATH` commits is in an index of its own.
        home.write("notes.txt", "nothing\n");
        home.git(&["add", "notes.txt"]);
        home.write("notes.txt", MAIL);
        let output = git(&home, &["commit", "-q", "-m", "x", "notes.txt"]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let output = git(&home, &["commit", "-q", "-m", "x"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(home.git(&["show", "HEAD:notes.txt"]), b"nothing\n");
    }

    /// B62, B63.
    #[test]
    fn a_hook_that_rewrites() {
        let home = repository();
        hook(&home, recipe("scrub-hook"));
        home.write("notes.txt", MAIL);
        home.write("beside.txt", "nothing\n");
        home.git(&["add", "."]);
        home.write("beside.txt", "not for this commit\n");
        let output = git(&home, &["commit", "-q", "-m", "x"]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert_eq!(text(&home.read("notes.txt")), clean());
        assert_eq!(text(&home.git(&["show", ":notes.txt"])), MAIL);
        home.git(&["add", "notes.txt"]);
        let output = git(&home, &["commit", "-q", "-m", "x"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&home.git(&["show", "HEAD:notes.txt"])), clean());
        assert_eq!(home.git(&["show", "HEAD:beside.txt"]), b"nothing\n");
        assert_eq!(home.read("beside.txt"), b"not for this commit\n");
    }

    /// An error stops the commit, as a finding does.
    #[test]
    fn a_hook_without_a_key() {
        let home = repository();
        hook(&home, recipe("check-hook"));
        home.write("notes.txt", "nothing\n");
        home.git(&["add", "."]);
        let mut command = home.git_command(&["commit", "-q", "-m", "x"]);
        command.env("PATH", path()).env("NYMIZE_KEY", "");
        let output = run(command);
        assert_ne!(output.status.code(), Some(0));
        assert!(
            text(&output.stderr).contains("NYMIZE_KEY"),
            "{}",
            text(&output.stderr)
        );
        assert!(
            !git(&home, &["rev-parse", "-q", "--verify", "HEAD"])
                .status
                .success()
        );
    }

    #[test]
    fn a_list_of_files() {
        let home = repository();
        home.write("notes.txt", MAIL);
        home.write("ignored", MAIL);
        home.write(".gitignore", "*\n!notes.txt\n");
        home.git(&["add", "."]);
        let script = format!("{} && exit 9 || test $? = 1", recipe("lists").trim());
        assert_eq!(sh(&home, &script), format!("notes.txt:1:6 EMAIL {EMAIL}\n"));
    }

    #[test]
    fn textconv_shows_placeholders() {
        let home = repository();
        home.write("app.log", "a\n");
        home.write("app.txt", "a\n");
        sh(&home, recipe("textconv"));
        home.git(&["add", "."]);
        home.git(&["commit", "-q", "-m", "x"]);
        home.write("app.log", format!("a\n{MAIL}"));
        home.write("app.txt", format!("a\n{MAIL}"));
        let shown = |args: &[&str]| {
            let output = git(&home, args);
            assert!(output.status.success(), "{}", text(&output.stderr));
            text(&output.stdout).to_owned()
        };
        let diff = shown(&["diff", "app.log"]);
        assert!(
            diff.contains(&format!("+mail {EMAIL}\n")) && !diff.contains("jan@"),
            "{diff}"
        );
        assert!(shown(&["diff", "app.txt"]).contains("+mail jan@example.com\n"));
        assert!(shown(&["diff", "--no-textconv", "app.log"]).contains("jan@"));
        assert_eq!(text(&home.read("app.log")), format!("a\n{MAIL}"));
    }

    /// The page says that it loses what was in the file: it does.
    #[test]
    fn a_clean_filter_loses_data() {
        let home = repository();
        home.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
        let shown = sh(&home, recipe("clean-filter"));
        assert_eq!(
            shown,
            format!("{MAIL}{}", clean()),
            "before, no status, and after"
        );
        assert_eq!(text(&home.read("notes.txt")), clean());
    }

    /// B66: as far as a clean filter may be used at all.
    #[test]
    fn a_clean_filter_is_idempotent_and_fails_when_it_must() {
        let home = repository();
        for (key, value) in [("clean", "nymize"), ("required", "true")] {
            home.git(&["config", &format!("filter.nymize.{key}"), value]);
        }
        home.write(".gitattributes", "*.txt filter=nymize\n");
        home.write("notes.txt", MAIL);
        home.write("empty.txt", "");
        home.write("bytes.txt", b"\xff\0\xe9 jan@example.com\r\n");
        let add = |key: &str| {
            let mut command = home.git_command(&["add", "."]);
            command.env("PATH", path()).env("NYMIZE_KEY", key);
            run(command)
        };
        assert!(!add("bad").status.success());
        assert!(
            git(&home, &["ls-files", "-s", "notes.txt"])
                .stdout
                .is_empty()
        );
        assert!(add(KEY).status.success());
        assert_eq!(text(&home.git(&["show", ":notes.txt"])), clean());
        assert_eq!(text(&home.git(&["show", ":empty.txt"])), "");
        let bytes = home.git(&["show", ":bytes.txt"]);
        assert_eq!(bytes, [b"\xff\0\xe9 ", EMAIL.as_bytes(), b"\r\n"].concat());
        assert!(git(&home, &["commit", "-q", "-m", "x"]).status.success());
        assert!(git(&home, &["status", "--short"]).stdout.is_empty());
        // What comes out of the repository goes in as it is.
        home.write("notes.txt", clean());
        assert!(git(&home, &["diff", "--exit-code"]).status.success());
    }

    /// What the page says of diffs: they apply to a filtered tree.
    #[test]
    fn a_filtered_diff_applies_to_a_filtered_tree() {
        let home = repository();
        home.write("notes.txt", format!("a\n{MAIL}b\n{MAIL}c\n"));
        home.git(&["add", "."]);
        home.write(
            "notes.txt",
            format!("a\n{MAIL}b\ncall +31612345678\n{MAIL}c\n"),
        );
        let diff = home.git(&["diff"]);
        home.git(&["checkout", "-q", "."]);
        run(home.nymize(&["scrub", "notes.txt"]));
        let filtered = feed(home.nymize::<&str>(&[]), diff);
        home.write("patch", wrote(&filtered));
        home.git(&["apply", "patch"]);
        assert_eq!(text(&home.read("notes.txt")).lines().count(), 6);
    }
}
