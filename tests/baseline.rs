//! Baselines: what is there today is accepted, and only what is new is reported.

mod cmd;

use std::fs;
use std::process::Output;

use cmd::{EMAIL, Home, KEY, PHONE, failed, feed, run, text, wrote};

const MAIL: &str = "mail jan@example.com\n";
const CALL: &str = "call +31612345678\n";
const NAME: &str = ".nymize-baseline.yaml";

/// Accepts what is in these files.
#[track_caller]
fn accept(home: &Home, args: &[&str]) {
    let output = run(home.nymize(&[&["baseline"], args].concat()));
    assert_eq!(wrote(&output), "", "nothing on stdout");
}

fn scan(home: &Home, args: &[&str]) -> Output {
    run(home.nymize(&[&["scan", "--baseline", NAME], args].concat()))
}

/// Only these findings are reported.
#[track_caller]
fn reports(output: &Output, lines: &[String]) {
    assert_eq!(
        text(&output.stdout),
        lines.concat(),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(i32::from(!lines.is_empty())));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

fn written(home: &Home) -> String {
    String::from_utf8(home.read(NAME)).expect("UTF-8")
}

#[test]
fn what_is_there_is_accepted_and_what_is_new_is_reported() {
    let home = Home::new();
    home.write("a.txt", format!("{MAIL}{CALL}"));
    fs::create_dir(home.path("docs")).expect("a folder");
    home.write("docs/b.txt", MAIL);
    accept(&home, &["a.txt", "docs/b.txt"]);
    reports(&scan(&home, &["a.txt", "./docs/../docs/b.txt"]), &[]);

    // Another value, and one that is accepted in another file.
    home.write("a.txt", format!("{MAIL}mail piet@example.com\n{CALL}"));
    home.write("docs/b.txt", format!("{CALL}{MAIL}"));
    let output = scan(&home, &["a.txt", "docs/b.txt"]);
    let stdout = text(&output.stdout);
    assert!(stdout.starts_with("a.txt:2:6 EMAIL [[EMAIL_"), "{stdout}");
    assert!(
        stdout.ends_with(&format!("docs/b.txt:1:6 PHONE {PHONE}\n")),
        "{stdout}"
    );
    assert_eq!(stdout.lines().count(), 2);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_file_is_in_a_stable_form_and_holds_no_value() {
    let home = Home::new();
    home.write("b.txt", format!("{CALL}{MAIL}{MAIL}"));
    home.write("a \"1\"\u{2028}#.txt", MAIL);
    home.write("jan@example.com.txt", MAIL);
    let names = ["b.txt", "a \"1\"\u{2028}#.txt", "jan@example.com.txt"];
    accept(&home, &names);
    let text = written(&home);
    let body = format!(
        "version: 1\nkey: \"e36b669b95f32301\"\nscope: \"\"\nhash_length: 8\naccepted:\n\
         \x20 \"{EMAIL}.txt\":\n\
         \x20   \"{EMAIL}\": 1\n\
         \x20 \"a \\\"1\\\"\\u2028#.txt\":\n\
         \x20   \"{EMAIL}\": 1\n\
         \x20 \"b.txt\":\n\
         \x20   \"{EMAIL}\": 2\n\
         \x20   \"{PHONE}\": 1\n"
    );
    let (head, rest) = text.split_at(text.find("version").expect("a version"));
    assert!(head.lines().all(|line| line.starts_with("# ")), "{head}");
    assert_eq!(rest, body);
    assert!(!text.contains("jan@"));
    reports(&scan(&home, &names), &[]);
    // It is not found by a scan of its own.
    reports(&scan(&home, &[NAME]), &[]);
    // In whatever order: nothing is written again.
    let before = fs::metadata(home.path(NAME))
        .expect("metadata")
        .modified()
        .expect("a time");
    accept(&home, &[names[2], names[0], names[1]]);
    let after = fs::metadata(home.path(NAME))
        .expect("metadata")
        .modified()
        .expect("a time");
    assert_eq!((written(&home), after), (text, before));
}

#[test]
fn of_what_comes_up_more_often_the_last_are_new() {
    let home = Home::new();
    home.write("a", MAIL.repeat(2));
    accept(&home, &["a"]);
    home.write("a", MAIL.repeat(4));
    let lines = [3, 4].map(|line| format!("a:{line}:6 EMAIL {EMAIL}\n"));
    reports(&scan(&home, &["a"]), &lines);
    // A file that is named twice is searched twice.
    home.write("a", MAIL.repeat(2));
    reports(&scan(&home, &["a", "a"]), &[]);
    // And what was accepted with a higher count stays so with a lower one.
    home.write("a", MAIL);
    reports(&scan(&home, &["a"]), &[]);
}

#[test]
fn every_form_of_report_tells_only_what_is_new() {
    let home = Home::new();
    home.write("a", MAIL);
    accept(&home, &["a"]);
    home.write("a", format!("{MAIL}{CALL}"));
    for form in ["--json", "--sarif", "--github"] {
        let output = scan(&home, &[form, "a"]);
        let shown = text(&output.stdout);
        assert!(shown.contains(PHONE) && !shown.contains(EMAIL), "{shown}");
        assert_eq!(output.status.code(), Some(1));
        if form == "--sarif" {
            let log: serde_json::Value = serde_json::from_str(shown).expect("JSON");
            assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1));
        }
    }
    let output = scan(&home, &["--stats", "a"]);
    assert_eq!(
        text(&output.stderr),
        format!("nymize: found 1 (1 PHONE)\nnymize: 1 accepted by {NAME}\n")
    );
}

#[test]
fn stdin_has_nothing_that_is_accepted() {
    let home = Home::new();
    home.write("a", MAIL);
    accept(&home, &["a"]);
    let output = feed(home.nymize(&["scan", "--baseline", NAME, "-"]), MAIL);
    reports(&output, &[format!("<stdin>:1:6 EMAIL {EMAIL}\n")]);
    failed(
        &feed(home.nymize(&["baseline", "-"]), MAIL),
        &["stdin has no path"],
    );
}

#[test]
fn an_update_keeps_what_was_not_named() {
    let home = Home::new();
    fs::create_dir(home.path("docs")).expect("a folder");
    home.write("a", MAIL);
    home.write("docs/b", MAIL);
    accept(&home, &["a", "docs/b"]);
    home.write("a", CALL);
    home.write("docs/b", CALL);
    accept(&home, &["a"]);
    let text = written(&home);
    assert!(
        text.ends_with(&format!(
            "accepted:\n  \"a\":\n    \"{PHONE}\": 1\n  \"docs/b\":\n    \"{EMAIL}\": 1\n"
        )),
        "{text}"
    );
    // What is no longer found is no longer accepted.
    home.write("a", "nothing\n");
    accept(&home, &["a"]);
    assert!(!written(&home).contains("\"a\""));
    home.write("docs/b", "");
    accept(&home, &["docs/b"]);
    assert!(written(&home).ends_with("accepted: {}\n"));
    accept(&home, &["docs/b"]);
}

#[test]
fn comments_stay() {
    let home = Home::new();
    home.write("a #1", format!("{MAIL}{CALL}"));
    home.write("b", MAIL);
    accept(&home, &["--scope=team #1", "a #1", "b"]);
    let commented = written(&home)
        .replace("version: 1\n", "# of this team\nversion: 1\n")
        .replace("  \"a #1\":\n", "  # ours\n  \"a #1\": # a.\n")
        .replace(": 1\n  \"b\"", ": 1   # the desk\n\n  # gone soon\n  \"b\"")
        + "# the end\n";
    home.write(NAME, &commented);
    home.write("b", "");
    accept(&home, &["--scope=team #1", "b"]);
    let text = written(&home);
    for (comment, stays) in [
        ("# of this team\nversion: 1\n", true),
        ("  # ours\n  \"a #1\":  # a.\n", true),
        (": 1  # the desk\n", true),
        ("gone soon", false),
        ("\n# the end\n", true),
        ("scope: \"team #1\"\n", true),
        ("# What `nymize scan --baseline` accepts", true),
    ] {
        assert_eq!(text.contains(comment), stays, "{comment}\n{text}");
    }
    accept(&home, &["--scope=team #1", "b"]);
    assert_eq!(written(&home), text, "the form is stable");
}

#[test]
fn another_key_scope_or_length_is_an_error_that_explains_it() {
    let home = Home::new();
    home.write("a", MAIL);
    accept(&home, &["a"]);
    let before = written(&home);
    let other = KEY.replace("00", "ff");
    for command in [&["scan", "--baseline", NAME, "a"][..], &["baseline", "a"]] {
        let mut under = home.nymize(command);
        under.env("NYMIZE_KEY", &other);
        failed(
            &run(under),
            &[NAME, "fingerprint", "e36b669b95f32301", "remove the file"],
        );
        for (option, said) in [
            (
                "--scope=t",
                "made under no scope; the scope \"t\" is in use",
            ),
            (
                "--hash-length=16",
                "made with a hash length of 8; 16 is in use",
            ),
        ] {
            failed(
                &run(home.nymize(&[command, &[option]].concat())),
                &[NAME, said],
            );
        }
    }
    assert_eq!(written(&home), before);
    // They belong to the baseline where they are used from the start.
    fs::remove_file(home.path(NAME)).expect("removed");
    accept(&home, &["--scope=t", "--hash-length=16", "a"]);
    reports(&scan(&home, &["--scope=t", "--hash-length=16", "a"]), &[]);
    failed(
        &scan(&home, &["a"]),
        &["made under the scope \"t\"; no scope is in use"],
    );
}

#[test]
fn a_key_of_one_run_makes_no_baseline() {
    let home = Home::new();
    home.write("a", MAIL);
    let output = run(home.nymize(&["baseline", "--ephemeral-key", "a"]));
    failed(&output, &["a key that lasts"]);
    assert!(!home.path(NAME).exists());
}

#[test]
fn a_baseline_that_is_not_there_is_an_error() {
    let home = Home::new();
    home.write("a", MAIL);
    failed(&scan(&home, &["a"]), &[NAME, "nymize baseline"]);
}

#[test]
fn nothing_is_accepted_where_not_all_could_be_read() {
    let home = Home::new();
    home.write("a", MAIL);
    failed(
        &run(home.nymize(&["baseline", "a", "none"])),
        &["none", "left as it was"],
    );
    assert!(!home.path(NAME).exists());
}

#[test]
fn what_is_wrong_in_a_file_is_told_by_its_place() {
    let home = Home::new();
    home.write("a", MAIL);
    accept(&home, &["a"]);
    let good = written(&home);
    let line = |needle: &str| {
        let before = good.split(needle).next().expect("the text");
        before.matches('\n').count() + 1
    };
    let entry = format!("    \"{EMAIL}\": 1\n");
    for (from, to, at) in [
        ("version: 1", "version: 2", 1),
        (
            "hash_length: 8",
            "hash_length: jan@example.com",
            line("hash_length"),
        ),
        ("hash_length: 8", "jan@example.com: 8", line("hash_length")),
        (": 1\n", ": many\n", line(&entry)),
        (entry.as_str(), entry.repeat(2).as_str(), 0),
        ("accepted:", "accepted: [", 0),
        (&good[..], "jan@example.com", 0),
        (&good[..], "", 0),
    ] {
        // The first `: 1` is the version's.
        let broken = if from == ": 1\n" {
            good.replace(&entry, &entry.replace(from, to))
        } else {
            good.replacen(from, to, 1)
        };
        assert_ne!(broken, good);
        home.write(NAME, &broken);
        let output = scan(&home, &["a"]);
        let place = if at > 0 {
            format!("{NAME}:{at}:")
        } else {
            format!("{NAME}:")
        };
        failed(&output, &[&place, "no baseline"]);
        assert!(
            !text(&output.stderr).contains("jan@"),
            "{}",
            text(&output.stderr)
        );
    }
    home.write(NAME, b"\xff\xfe");
    failed(&scan(&home, &["a"]), &[NAME]);
}

#[test]
fn paths_are_told_from_the_folder_of_the_file() {
    let home = Home::new();
    fs::create_dir_all(home.path("repo/inner")).expect("folders");
    home.write("repo/inner/a", MAIL);
    home.write("beside", MAIL);
    accept(&home, &["-o", "repo/base.yaml", "repo/inner/a", "beside"]);
    let text = String::from_utf8(home.read("repo/base.yaml")).expect("UTF-8");
    assert!(
        text.contains("  \"inner/a\":\n") && text.contains("  \"../beside\":\n"),
        "{text}"
    );
    let absolute = home.path("repo/inner/a").display().to_string();
    for (folder, paths) in [
        ("", ["repo/inner/a", "beside"]),
        ("repo", ["inner/a", "../beside"]),
        ("repo/inner", [absolute.as_str(), "../../beside"]),
    ] {
        let baseline = home.path("repo/base.yaml").display().to_string();
        let mut command = home.nymize(&["scan", "--baseline", &baseline, paths[0], paths[1]]);
        command.current_dir(home.path(folder));
        reports(&run(command), &[]);
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf_8_is_not_accepted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let home = Home::new();
    let name = OsStr::from_bytes(b"a\xff");
    fs::write(home.path(name), MAIL).expect("a file is written");
    let output = run(home.nymize(&[OsStr::new("baseline"), name]));
    wrote(&output);
    assert!(
        text(&output.stderr).contains("warning: 1 findings"),
        "{}",
        text(&output.stderr)
    );
    let output = run(home.nymize(
        &["scan", "--baseline", NAME]
            .map(OsStr::new)
            .iter()
            .copied()
            .chain([name])
            .collect::<Vec<_>>(),
    ));
    assert_eq!(output.status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn mode_and_link_of_the_file_stay() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.write("a", MAIL);
    home.write("b", CALL);
    accept(&home, &["-o", "target", "a"]);
    fs::set_permissions(home.path("target"), fs::Permissions::from_mode(0o640)).expect("a mode");
    std::os::unix::fs::symlink("target", home.path(NAME)).expect("a link");
    accept(&home, &["b"]);
    assert!(home.path(NAME).is_symlink());
    let mode = fs::metadata(home.path("target"))
        .expect("metadata")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    reports(&scan(&home, &["a", "b"]), &[]);
}
