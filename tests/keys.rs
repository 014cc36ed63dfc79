//! The key: where it comes from, how it is made, and that nothing comes out without one.

mod cmd;

use std::fs;
use std::process::Output;

use cmd::{EMAIL, Home, KEY, failed, feed, run, text, wrote};

const MAIL: &str = "mail jan@example.com\n";

#[track_caller]
fn filtered(output: &Output) {
    assert_eq!(wrote(output), format!("mail {EMAIL}\n"));
}

fn silent(output: &Output) -> bool {
    output.stderr.is_empty()
}

#[test]
fn first_use_makes_a_key_and_the_second_keeps_it() {
    let home = Home::new();
    let first = feed(home.bare(&["-"]), MAIL);
    assert!(wrote(&first).starts_with("mail [[EMAIL_"));
    assert!(silent(&first), "{}", text(&first.stderr));
    let key = fs::read(home.key_file()).expect("a key file");
    assert_eq!(key.len(), 65);
    assert!(
        key[..64]
            .iter()
            .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    );
    assert_eq!(key[64], b'\n');
    let second = feed(home.bare(&["-"]), MAIL);
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(fs::read(home.key_file()).expect("a key file"), key);

    let other = feed(Home::new().bare(&["-"]), MAIL);
    assert_ne!(first.stdout, other.stdout, "another home has another key");
}

#[test]
fn twenty_first_runs_at_once_agree() {
    let home = Home::new();
    let outputs: Vec<Output> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..20)
            .map(|_| scope.spawn(|| feed(home.bare(&["-"]), MAIL)))
            .collect();
        runs.into_iter()
            .map(|run| run.join().expect("a run"))
            .collect()
    });
    let first = wrote(&outputs[0]);
    for output in &outputs {
        assert_eq!(wrote(output), first);
        assert!(silent(output), "{}", text(&output.stderr));
    }
    let folder = fs::read_dir(home.path(".local/share/nymize")).expect("a folder");
    assert_eq!(folder.count(), 1, "nothing but the key is left");
    #[cfg(unix)]
    {
        assert_eq!(mode(&home.key_file()), 0o600);
        assert_eq!(mode(&home.path(".local/share/nymize")), 0o700);
    }
}

#[cfg(unix)]
fn mode(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("metadata").permissions().mode() & 0o7777
}

#[cfg(unix)]
fn set_mode(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a new mode");
}

#[test]
fn xdg_data_home_comes_before_home() {
    let home = Home::new();
    let xdg = home.path("data");
    let mut command = home.bare(&["key", "path"]);
    command.env("XDG_DATA_HOME", &xdg);
    let path = xdg.join("nymize").join("key");
    assert_eq!(wrote(&run(command)), format!("{}\n", path.display()));
    assert!(!xdg.exists(), "`key path` makes nothing");

    for ignored in ["", "relative/path"] {
        let mut command = home.bare(&["key", "path"]);
        command.env("XDG_DATA_HOME", ignored);
        let expected = format!("{}\n", home.key_file().display());
        assert_eq!(wrote(&run(command)), expected);
    }
}

#[test]
fn without_a_home_there_is_an_error_that_names_the_options() {
    let home = Home::new();
    for value in [None, Some(""), Some("relative")] {
        let mut command = home.bare(&["-"]);
        match value {
            None => command.env_remove("HOME"),
            Some(value) => command.env("HOME", value),
        };
        let options = [
            "--key-file",
            "NYMIZE_KEY_FILE",
            "NYMIZE_KEY",
            "--ephemeral-key",
        ];
        failed(&feed(command, MAIL), &options);
    }
    let mut command = home.nymize(&["-"]);
    command.env_remove("HOME");
    filtered(&feed(command, MAIL));
}

#[cfg(target_os = "linux")]
#[test]
fn a_home_that_cannot_be_written_is_an_error() {
    let home = Home::new();
    let mut command = home.bare(&["-"]);
    command.env("HOME", "/proc/nonexistent");
    failed(&feed(command, MAIL), &["--key-file", "--ephemeral-key"]);
}

#[test]
fn the_option_wins_over_the_variables_and_these_over_the_default() {
    let home = Home::new();
    let other = "f".repeat(64);
    home.write("good", KEY);
    home.write("other", &other);

    let mut option = home.bare(&["--key-file", "good"]);
    option
        .env("NYMIZE_KEY_FILE", "other")
        .env("NYMIZE_KEY", &other);
    filtered(&feed(option, MAIL));

    let mut file = home.bare(&["-"]);
    file.env("NYMIZE_KEY_FILE", "good")
        .env("NYMIZE_KEY", &other);
    filtered(&feed(file, MAIL));

    let mut key = home.bare(&["-"]);
    key.env("NYMIZE_KEY", KEY);
    filtered(&feed(key, MAIL));
    assert!(!home.key_file().exists(), "a key that was given makes none");

    fs::create_dir_all(home.path(".local/share/nymize")).expect("folders");
    home.write(".local/share/nymize/key", KEY);
    filtered(&feed(home.bare(&["-"]), MAIL));
}

#[test]
fn all_forms_of_a_key_file_are_read() {
    let raw: Vec<u8> = (0..32).collect();
    let forms: [&[u8]; 4] = [
        KEY.as_bytes(),
        &[KEY.as_bytes(), b"\n"].concat(),
        KEY.to_uppercase().as_bytes(),
        &raw,
    ]
    .map(|form| &*Box::leak(form.to_vec().into_boxed_slice()));
    for form in forms {
        let home = Home::new();
        home.write("key", form);
        filtered(&feed(home.bare(&["--key-file", "key"]), MAIL));
    }
}

#[test]
fn bad_keys_are_errors_and_stay_as_they_are() {
    let bad: &[&[u8]] = &[
        b"",
        b"\n",
        b"00",
        &KEY.as_bytes()[..32],
        &KEY.as_bytes()[..63],
        &[&KEY.as_bytes()[..62], b"\n"].concat(),
        &[KEY.as_bytes(), b"0"].concat(),
        &[KEY.as_bytes(), b"\n\n"].concat(),
        &[KEY.as_bytes(), b" "].concat(),
        &[b" ", KEY.as_bytes()].concat(),
        &[&KEY.as_bytes()[..63], b"g"].concat(),
        &[0xff; 31],
        &[0xff; 33],
        &[0xff; 64],
        &[b'0'; 100_000],
    ];
    for content in bad {
        let home = Home::new();
        fs::create_dir_all(home.path(".local/share/nymize")).expect("folders");
        let own = home.write(".local/share/nymize/key", content);
        let named = home.write("key", content);
        failed(
            &feed(home.bare(&["-"]), MAIL),
            &["64 hex digits", "nymize/key"],
        );
        failed(
            &feed(home.bare(&["--key-file", "key"]), MAIL),
            &["64 hex digits"],
        );
        let mut command = home.bare(&["-"]);
        command.env("NYMIZE_KEY_FILE", "key");
        failed(&feed(command, MAIL), &["64 hex digits"]);
        for path in [own, named] {
            assert_eq!(
                fs::read(path).expect("the file"),
                *content,
                "left as it was"
            );
        }
    }
}

#[test]
fn bad_variables_are_errors() {
    let home = Home::new();
    let long = format!("{KEY}0");
    for value in [
        "",
        "00",
        &KEY[1..],
        &long,
        &format!(" {KEY}"),
        &"x".repeat(64),
    ] {
        let mut command = home.bare(&["-"]);
        command.env("NYMIZE_KEY", value);
        let output = feed(command, MAIL);
        failed(&output, &["NYMIZE_KEY"]);
        assert!(
            value.len() < 3 || !text(&output.stderr).contains(value),
            "the key shows"
        );
    }
    let mut command = home.nymize(&["-"]);
    command.env("NYMIZE_KEY_FILE", "");
    failed(&feed(command, MAIL), &["NYMIZE_KEY_FILE"]);
    failed(&feed(home.bare(&["--key-file", ""]), MAIL), &["--key-file"]);
    assert!(
        !home.key_file().exists(),
        "no key is made in place of a bad one"
    );
}

#[test]
fn a_named_file_must_exist() {
    let home = Home::new();
    let output = feed(home.bare(&["--key-file", "none"]), MAIL);
    failed(&output, &["none", "nymize key create"]);
    assert!(!home.path("none").exists());
    let mut command = home.bare(&["-"]);
    command.env("NYMIZE_KEY_FILE", "none");
    failed(&feed(command, MAIL), &["none", "nymize key create"]);
    fs::create_dir(home.path("folder")).expect("a folder");
    failed(
        &feed(home.bare(&["--key-file", "folder"]), MAIL),
        &["folder"],
    );
}

#[test]
fn an_ephemeral_key_is_of_one_run_and_says_so() {
    let home = Home::new();
    let twice = MAIL.repeat(2);
    let first = feed(home.bare(&["--ephemeral-key"]), &twice);
    let (one, two) = wrote(&first).split_at(first.stdout.len() / 2);
    assert_eq!(one, two, "one key in one run");
    assert!(text(&first.stderr).contains("this run alone"));
    let second = feed(home.bare(&["--ephemeral-key"]), &twice);
    assert_ne!(first.stdout, second.stdout);
    assert!(!home.key_file().exists());
    let both = home.bare(&["--ephemeral-key", "--key-file", "key"]);
    failed(&feed(both, MAIL), &[]);
}

#[test]
fn key_path_create_and_fingerprint() {
    let home = Home::new();
    let path = format!("{}\n", home.key_file().display());
    assert_eq!(wrote(&run(home.bare(&["key", "path"]))), path);
    assert_eq!(wrote(&run(home.bare(&["key", "create"]))), path);
    let made = fs::read(home.key_file()).expect("a key");
    failed(&run(home.bare(&["key", "create"])), &["is there already"]);
    assert_eq!(fs::read(home.key_file()).expect("a key"), made);

    let own = run(home.bare(&["key", "fingerprint"]));
    let shown = wrote(&own).trim_end();
    assert_eq!(shown.len(), 16);
    assert!(!text(&made).contains(shown));

    // As worked out by another program.
    let given = run(home.nymize(&["key", "fingerprint"]));
    assert_eq!(wrote(&given), "e36b669b95f32301\n");
    failed(&run(home.nymize(&["key", "path"])), &["NYMIZE_KEY"]);
    failed(&run(home.nymize(&["key", "create"])), &["NYMIZE_KEY"]);

    for args in [
        ["key", "create", "new/one"],
        ["key", "create", "--key-file=two"],
    ] {
        assert_eq!(
            wrote(&run(home.bare(&args))).trim_end(),
            args[2].trim_start_matches("--key-file=")
        );
    }
    for name in ["new/one", "two"] {
        assert_eq!(home.read(name).len(), 65);
        #[cfg(unix)]
        assert_eq!(mode(&home.path(name)), 0o600);
    }
    failed(
        &run(home.bare(&["key", "create", "two"])),
        &["is there already"],
    );
}

#[test]
fn a_wrong_option_makes_no_key() {
    let home = Home::new();
    for args in [
        ["--hash-length", "7"],
        ["--hash-length", "9"],
        ["--hash-length", "66"],
        ["--types", "EMIAL"],
    ] {
        failed(&feed(home.bare(&args), MAIL), &[args[1]]);
    }
    assert!(!home.path(".local").exists());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn looser_modes_are_tightened_with_a_warning() {
        for (folder, file) in [
            (0o755, 0o600),
            (0o700, 0o644),
            (0o777, 0o666),
            (0o750, 0o640),
        ] {
            let home = Home::new();
            wrote(&run(home.bare(&["key", "create"])));
            let path = home.path(".local/share/nymize");
            set_mode(&path, folder);
            set_mode(&home.key_file(), file);
            let output = feed(home.bare(&["-"]), MAIL);
            assert!(wrote(&output).starts_with("mail [["));
            assert!(
                text(&output.stderr).contains("warning"),
                "{folder:o} {file:o}"
            );
            assert_eq!(mode(&home.key_file()), 0o600);
            assert_eq!(mode(&path), 0o700);
            assert!(silent(&feed(home.bare(&["-"]), MAIL)), "told once");
        }
    }

    #[test]
    fn a_tighter_mode_stays() {
        let home = Home::new();
        wrote(&run(home.bare(&["key", "create"])));
        set_mode(&home.key_file(), 0o400);
        assert!(silent(&feed(home.bare(&["-"]), MAIL)));
        assert_eq!(mode(&home.key_file()), 0o400);
    }

    #[test]
    fn the_own_file_must_be_a_regular_one() {
        for make in [
            (|path| fs::create_dir(path)) as fn(&std::path::Path) -> std::io::Result<()>,
            |path| symlink("elsewhere", path),
            |path| symlink("/dev/null", path),
            |path| std::os::unix::net::UnixListener::bind(path).map(drop),
        ] {
            let home = Home::new();
            fs::create_dir_all(home.path(".local/share/nymize")).expect("folders");
            make(&home.key_file()).expect("something at the key's place");
            let output = feed(home.bare(&["-"]), MAIL);
            failed(&output, &["not a regular file", "--key-file"]);
        }
    }

    #[test]
    fn a_named_file_may_be_a_link_or_a_pipe() {
        let home = Home::new();
        let target = home.write("target", KEY);
        set_mode(&target, 0o400);
        symlink("target", home.path("link")).expect("a link");
        let output = feed(home.bare(&["--key-file", "link"]), MAIL);
        filtered(&output);
        assert!(silent(&output), "{}", text(&output.stderr));

        let pipe = home.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // In two pieces: a key is read to its end.
                use std::io::Write;
                let mut end = fs::File::options().write(true).open(&pipe).expect("a pipe");
                end.write_all(&KEY.as_bytes()[..20]).expect("a first piece");
                std::thread::sleep(std::time::Duration::from_millis(50));
                end.write_all(&KEY.as_bytes()[20..])
                    .expect("a second piece");
            });
            filtered(&feed(home.bare(&["--key-file", "pipe"]), MAIL));
        });
    }

    #[test]
    fn a_named_file_that_all_can_read_is_told_and_left_alone() {
        let home = Home::new();
        let key = home.write("key", KEY);
        for (mode_set, told) in [(0o644, true), (0o444, true), (0o640, false), (0o440, false)] {
            set_mode(&key, mode_set);
            let output = feed(home.bare(&["--key-file", "key"]), MAIL);
            filtered(&output);
            assert_eq!(
                text(&output.stderr).contains("warning"),
                told,
                "{mode_set:o}"
            );
            assert_eq!(mode(&key), mode_set);
            assert!(silent(&feed(home.bare(&["-q", "--key-file", "key"]), MAIL)));
        }
    }

    #[test]
    fn neither_a_key_nor_a_value_shows_in_what_is_said() {
        let home = Home::new();
        home.write("key", KEY);
        let output = feed(home.bare(&["-v", "--stats", "--key-file", "key"]), MAIL);
        filtered(&output);
        let said = text(&output.stderr);
        assert!(
            said.contains("--key-file") && said.contains("e36b669b95f32301"),
            "{said}"
        );
        assert!(
            !said.contains(&KEY[..16]) && !said.contains("jan@"),
            "{said}"
        );
    }
}
