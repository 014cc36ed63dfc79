//! `nymize scan` over files and folders: which files are read, what is said of the others, and in
//! which order.

mod cmd;

use std::fs;
use std::process::Output;

use cmd::{EMAIL, Home, PHONE, failed, feed, run, text};

const MAIL: &str = "mail jan@example.com\n";

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The files in which something was found, in the order they were told in.
fn found_in(output: &Output) -> Vec<String> {
    let mut files: Vec<String> = text(&output.stdout)
        .lines()
        .map(|line| line.split(':').next().expect("a path").to_owned())
        .collect();
    files.dedup();
    files
}

fn said(output: &Output) -> &str {
    text(&output.stderr)
}

#[track_caller]
fn ended(output: &Output, status: i32) {
    assert_eq!(output.status.code(), Some(status), "{}", said(output));
}

/// A repository with a file in every place where one may be.
fn tree() -> Home {
    let home = Home::new();
    home.git(&["init", "-q", "."]);
    for name in [
        "notes.txt",
        ".env",
        ".hidden/deep/file",
        "src/picture.svg",
        "src/no_extension",
        "src/odd.q7z",
        "build/out.txt",
        "src/local.log",
    ] {
        home.put(name, MAIL);
    }
    home.write(".gitignore", "/build\n*.log\n");
    home.write(".git/description", MAIL);
    home
}

mod which_files {
    use super::*;

    /// B61.
    #[test]
    fn a_folder_is_read_whole_but_for_what_git_ignores() {
        let home = tree();
        let output = run(home.nymize(&["scan", "."]));
        ended(&output, 1);
        assert_eq!(
            found_in(&output),
            [
                ".env",
                ".hidden/deep/file",
                "notes.txt",
                "src/no_extension",
                "src/odd.q7z",
                "src/picture.svg"
            ]
        );
        assert_eq!(said(&output), "nymize: skipped 2 (2 ignored)\n");
        let line = format!(".env:1:6 EMAIL {EMAIL}\n");
        assert!(text(&output.stdout).starts_with(&line));
        let quiet = run(home.nymize(&["scan", "-q", "."]));
        assert_eq!((said(&quiet), &quiet.stdout), ("", &output.stdout));
    }

    #[test]
    fn no_ignore_reads_what_git_ignores() {
        let home = tree();
        let output = run(home.nymize(&["scan", "--no-ignore", "."]));
        let files = found_in(&output);
        assert_eq!(files.len(), 8, "{files:?}");
        assert!(files.contains(&"build/out.txt".to_owned()));
        assert!(!files.iter().any(|file| file.starts_with(".git/")));
        assert_eq!(said(&output), "");
    }

    #[test]
    fn the_rules_of_folders_above_count() {
        let home = tree();
        home.put("src/deep/x.log", MAIL);
        home.put("src/deep/y.txt", MAIL);
        home.write("src/deep/.gitignore", "!x.log\n");
        let mut command = home.nymize(&["scan", "deep"]);
        command.current_dir(home.path("src"));
        assert_eq!(found_in(&run(command)), ["deep/x.log", "deep/y.txt"]);
    }

    #[test]
    fn what_version_control_keeps_is_not_read() {
        let home = Home::new();
        for name in [
            ".git/x",
            ".hg/x",
            ".svn/x",
            ".jj/x",
            "sub/.git",
            ".github/x",
        ] {
            home.put(name, MAIL);
        }
        let output = run(home.nymize(&["scan", "--no-ignore", "."]));
        assert_eq!(found_in(&output), [".github/x"]);
        assert_eq!(said(&output), "");
    }

    #[test]
    fn excluded_files_are_left_out_and_counted() {
        let home = tree();
        home.put("vendor/a/b.txt", MAIL);
        let args = [
            "scan",
            ".",
            "--exclude",
            "*.q7z",
            "--exclude=/vendor",
            "--exclude=.hidden/",
        ];
        let output = run(home.nymize(&args));
        assert_eq!(
            found_in(&output),
            [".env", "notes.txt", "src/no_extension", "src/picture.svg"]
        );
        assert_eq!(said(&output), "nymize: skipped 5 (2 ignored, 3 excluded)\n");
        for glob in ["a[", "[!x", "", "#x", "{a"] {
            let args = ["scan", ".", "--exclude", glob];
            failed(&run(home.nymize(&args)), &["--exclude"]);
        }
    }

    #[test]
    fn a_named_file_is_read_unless_exclusion_is_forced() {
        let home = tree();
        let named = [
            "scan",
            "notes.txt",
            "src/local.log",
            "src/odd.q7z",
            "build",
            "--exclude=*.q7z",
        ];
        let output = run(home.nymize(&named));
        assert_eq!(
            found_in(&output),
            ["notes.txt", "src/local.log", "src/odd.q7z", "build/out.txt"]
        );
        let output = run(home.nymize(&[&named[..], &["--force-exclude"]].concat()));
        assert_eq!(found_in(&output), ["notes.txt", "build/out.txt"]);
        assert_eq!(said(&output), "nymize: skipped 2 (1 ignored, 1 excluded)\n");
        // What git tracks it does not ignore, whatever .gitignore says: a commit may hold it.
        home.git(&["add", "-f", "src/local.log"]);
        let output = run(home.nymize(&["scan", "--force-exclude", "src/local.log"]));
        assert_eq!(found_in(&output), ["src/local.log"]);
        // A file in a folder that is left out.
        let args = [
            "scan",
            "--force-exclude",
            "--exclude=src",
            "src/odd.q7z",
            "./src/picture.svg",
        ];
        let output = run(home.nymize(&args));
        ended(&output, 0);
        assert_eq!(said(&output), "nymize: skipped 2 (2 excluded)\n");
    }

    #[test]
    fn binary_files_are_skipped_and_counted() {
        let home = Home::new();
        home.write("late", [&[b'x'; 9000][..], b"\0 jan@example.com"].concat());
        home.write("nul", b"\0 jan@example.com");
        home.write("eight", [&[b'x'; 8191][..], b"\0 jan@example.com"].concat());
        home.write("wide.txt", utf16(&format!("\u{feff}{MAIL}")));
        home.write("document", "%PDF-1.7\njan@example.com");
        home.write("image", b"\x89PNG\r\n\x1a\n");
        let output = run(home.nymize(&["scan", "."]));
        ended(&output, 1);
        assert_eq!(found_in(&output), ["late", "wide.txt"]);
        assert_eq!(said(&output), "nymize: skipped 4 (4 binary)\n");
        // Whoever names one wants to know that it cannot be read.
        failed(
            &run(home.nymize(&["scan", "document"])),
            &["document", "PDF"],
        );
        failed(&run(home.nymize(&["scan", "image"])), &["image", "PNG"]);
        let output = run(home.nymize(&["scan", "nul"]));
        ended(&output, 0);
        assert_eq!(said(&output), "nymize: skipped 1 (1 binary)\n");
        let output = run(home.nymize(&["scan", "-v", "nul"]));
        assert!(
            said(&output).contains("nymize: nul: skipped: binary\n"),
            "{}",
            said(&output)
        );
        // A hook names every file.
        let output = run(home.nymize(&["scan", "--force-exclude", "image", "wide.txt"]));
        ended(&output, 1);
        assert_eq!(said(&output), "nymize: skipped 1 (1 binary)\n");
    }

    #[test]
    fn utf_16_that_is_cut_is_an_error_in_a_folder_too() {
        let home = Home::new();
        home.write(
            "cut",
            [&utf16(&format!("\u{feff}{MAIL}"))[..], b"x"].concat(),
        );
        home.write("whole", MAIL);
        let output = run(home.nymize(&["scan", "."]));
        ended(&output, 2);
        assert_eq!(found_in(&output), ["whole"]);
        assert!(
            said(&output).contains("cut: this is UTF-16"),
            "{}",
            said(&output)
        );
    }

    #[test]
    fn nul_separated_text_through_a_pipe_is_text() {
        let home = Home::new();
        let output = feed(home.nymize(&["scan"]), "a\0jan@example.com\0b");
        assert_eq!(text(&output.stdout), format!("<stdin>:1:3 EMAIL {EMAIL}\n"));
    }

    #[test]
    fn large_files_are_skipped_and_counted_only_when_asked_for() {
        let home = Home::new();
        home.write("large", format!("{MAIL}{}", "x".repeat(2000)));
        home.write("small", MAIL);
        let output = run(home.nymize(&["scan", "."]));
        assert_eq!(found_in(&output), ["large", "small"]);
        let output = run(home.nymize(&["scan", "--max-size", "1K", "."]));
        assert_eq!(found_in(&output), ["small"]);
        assert_eq!(said(&output), "nymize: skipped 1 (1 too large)\n");
        failed(
            &run(home.nymize(&["scan", "--max-size=many", "."])),
            &["--max-size"],
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_in_a_folder_are_not_followed() {
        use std::os::unix::fs::symlink;
        let home = Home::new();
        home.put("tree/real/a.txt", MAIL);
        home.put("outside/b.txt", MAIL);
        symlink("real/a.txt", home.path("tree/inside")).expect("a link");
        symlink("real", home.path("tree/folder")).expect("a link");
        symlink("../outside/b.txt", home.path("tree/out")).expect("a link");
        symlink("../outside", home.path("tree/out_folder")).expect("a link");
        symlink("nowhere", home.path("tree/broken")).expect("a link");
        symlink(".", home.path("tree/loop")).expect("a link");
        let output = run(home.nymize(&["scan", "tree"]));
        ended(&output, 1);
        assert_eq!(found_in(&output), ["tree/real/a.txt"]);
        assert_eq!(
            said(&output),
            "nymize: skipped 2 (2 links out of the folder)\n"
        );
        // A link that is named is read.
        let output = run(home.nymize(&["scan", "tree/out", "tree/out_folder"]));
        assert_eq!(found_in(&output), ["tree/out", "tree/out_folder/b.txt"]);
        ended(&run(home.nymize(&["scan", "tree/broken"])), 2);
    }

    #[test]
    fn lists_name_files() {
        let home = tree();
        home.put("src/two\nlines é", MAIL);
        home.write("list", "notes.txt\n\nsrc/odd.q7z\nbuild");
        let output = run(home.nymize(&["scan", "--files-from", "list", ".env"]));
        assert_eq!(
            found_in(&output),
            [".env", "notes.txt", "src/odd.q7z", "build/out.txt"]
        );
        let args = ["scan", "--json", "-0", "--files-from", "-"];
        let output = feed(home.nymize(&args), "src/two\nlines é\0notes.txt\0");
        assert!(
            text(&output.stdout).starts_with("{\"path\":\"src/two\\u000alines é\","),
            "{}",
            text(&output.stdout)
        );
        assert_eq!(text(&output.stdout).lines().count(), 2);
        // Nothing listed is nothing to do, and not stdin.
        let output = feed(home.nymize(&["scan", "--files-from", "-"]), "");
        ended(&output, 0);
        let output = feed(
            home.nymize(&["scan", "--files-from", "-"]),
            "none\nnotes.txt\n",
        );
        ended(&output, 2);
        assert_eq!(found_in(&output), ["notes.txt"]);
        assert!(said(&output).contains("none: "));
    }

    #[test]
    fn lists_that_are_wrong_are_told() {
        let home = tree();
        failed(
            &run(home.nymize(&["scan", "--files-from", "none"])),
            &["none"],
        );
        let nul = feed(home.nymize(&["scan", "--files-from", "-"]), "a\0b\0");
        failed(&nul, &["-0"]);
        failed(&run(home.nymize(&["scan", "-0", "."])), &["--files-from"]);
        let twice = feed(home.nymize(&["scan", "--files-from", "-", "-"]), "a\n");
        failed(&twice, &["stdin"]);
        failed(
            &run(home.nymize(&["scan", "--staged", "--files-from", "list"])),
            &["--staged"],
        );
    }

    #[test]
    fn nothing_is_read_twice() {
        let home = tree();
        let output = run(home.nymize(&["scan", "src", "./src/odd.q7z", "src", "notes.txt", "."]));
        let lines = text(&output.stdout).lines().count();
        assert_eq!(lines, 6, "{}", text(&output.stdout));
    }

    #[test]
    fn what_cannot_be_read_does_not_stop_the_others() {
        let home = tree();
        home.put("src/packed.gz", b"\x1f\x8b\x08");
        let output = run(home.nymize(&["scan", "none", "src/packed.gz", ".env", "nor/this"]));
        ended(&output, 2);
        assert_eq!(found_in(&output), [".env"]);
        for name in ["none", "src/packed.gz", "nor/this"] {
            assert!(
                said(&output).contains(&format!("nymize: {name}: ")),
                "{name}"
            );
        }
    }

    /// Root reads everything: there is nothing to see then.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_read_is_an_error() {
        use std::os::unix::fs::PermissionsExt;
        let home = tree();
        let closed = home.path(".hidden/deep");
        let mode = |mode| {
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(&closed, permissions).expect("a mode");
        };
        mode(0o000);
        if fs::read_dir(&closed).is_err() {
            let output = run(home.nymize(&["scan", "."]));
            ended(&output, 2);
            assert!(
                said(&output).contains(".hidden/deep: "),
                "{}",
                said(&output)
            );
            assert!(
                said(&output).contains("skipped 2 (2 ignored)"),
                "{}",
                said(&output)
            );
            assert_eq!(found_in(&output).len(), 5);
        }
        mode(0o755);
    }
}

mod what_is_said {
    use super::*;

    #[test]
    fn the_order_does_not_depend_on_the_threads() {
        let home = Home::new();
        // Much to say of some, so that they must wait for their turn.
        for number in 0..60 {
            let lines = if number % 20 == 7 { 28_000 } else { number };
            home.put(&format!("d{}/f{number:02}", number % 7), MAIL.repeat(lines));
        }
        let first = run(home.nymize(&["scan", "-j1", "."]));
        ended(&first, 1);
        assert_eq!(text(&first.stdout).lines().count(), 3 * 28_000 + 1689);
        let mut sorted = found_in(&first);
        sorted.sort();
        assert_eq!(found_in(&first), sorted);
        for jobs in ["-j2", "--jobs=64"] {
            let other = run(home.nymize(&["scan", jobs, "."]));
            assert!(other.stdout == first.stdout, "{jobs}");
        }
        failed(&run(home.nymize(&["scan", "-j0", "."])), &["--jobs"]);
    }

    #[test]
    fn totals_come_at_the_end() {
        let home = tree();
        home.write("phone", "+31612345678");
        let output = run(home.nymize(&["scan", "--stats", "."]));
        assert_eq!(
            said(&output),
            "nymize: skipped 2 (2 ignored)\nnymize: found 7 (6 EMAIL, 1 PHONE)\n"
        );
        let output = run(home.nymize(&["scan", "--stats", "list", ".gitignore"]));
        assert!(said(&output).ends_with("nymize: found 0\n"));
    }

    #[test]
    fn a_mark_on_a_line_allows_what_is_in_it() {
        let home = Home::new();
        home.write(
            "notes.py",
            "a = 'jan@example.com'  # nymize:allow\nb = 'jan@example.com'\n\
             # nymize:allow\nc = '+31612345678'  # nymize:allowed\n",
        );
        let output = run(home.nymize(&["scan", "--stats", "notes.py"]));
        assert_eq!(
            text(&output.stdout),
            format!("notes.py:2:6 EMAIL {EMAIL}\nnotes.py:4:6 PHONE {PHONE}\n")
        );
        assert!(said(&output).contains("nymize: allowed 1 by nymize:allow\n"));
        let marked = "jan@example.com nymize:allow\n";
        ended(&feed(home.nymize(&["scan"]), marked), 0);
        // In front of a provider nobody may switch the filter off by what he writes.
        let filtered = feed(home.nymize::<&str>(&[]), marked);
        assert_eq!(text(&filtered.stdout), format!("{EMAIL} nymize:allow\n"));
    }

    #[test]
    fn files_are_read_as_the_filter_reads_them() {
        let home = Home::new();
        home.write(
            "a.json",
            "{\n \"card\": 4111111111111111,\n \"x\": \"a\\njan@example.com\"\n}\n",
        );
        home.write(
            "b.jsonl",
            "{\"a\":\"jan\\u0040example.com\"}\n{broken jan@example.com\n{\"b\":1}\n",
        );
        home.write("c.txt", utf16(&format!("\u{feff}é\n{MAIL}")));
        let output = run(home.nymize(&["scan", "."]));
        let shown = text(&output.stdout);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].starts_with("a.json:2:10 CARD [[CARD_"), "{shown}");
        assert_eq!(lines[1], format!("a.json:3:11 EMAIL {EMAIL}"));
        assert_eq!(lines[2], format!("b.jsonl:1:7 EMAIL {EMAIL}"));
        assert_eq!(lines[3], format!("b.jsonl:2:9 EMAIL {EMAIL}"));
        assert_eq!(lines[4], format!("c.txt:2:6 EMAIL {EMAIL}"));
    }

    #[test]
    fn what_must_be_json_and_is_none_is_told() {
        let home = Home::new();
        home.write("a.json", "{\"a\": jan@example.com}");
        home.write("b.json", "{\"a\": \"jan@example.com\"}");
        let output = run(home.nymize(&["scan", "--format=json", "."]));
        ended(&output, 2);
        assert_eq!(
            said(&output),
            "nymize: a.json: not JSON: line 1, column 7\n"
        );
        assert_eq!(found_in(&output), ["b.json"]);
    }

    #[test]
    fn a_text_in_base64_is_told_of() {
        let home = Home::new();
        // "Mail jan@example.com"
        home.write(
            "body.json",
            "{\"model\":\"m\",\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":[\
             {\"type\":\"document\",\"source\":{\"type\":\"base64\",\"media_type\":\"text/plain\",\
             \"data\":\"TWFpbCBqYW5AZXhhbXBsZS5jb20=\"}}]}]}",
        );
        let output = run(home.nymize(&["scan", "body.json"]));
        assert!(
            said(&output).contains("body.json: a text in base64"),
            "{}",
            said(&output)
        );
    }

    #[test]
    fn messages_quote_no_value() {
        let home = Home::new();
        home.write("a", MAIL);
        home.write(
            "cut",
            [&utf16(&format!("\u{feff}{MAIL}"))[..], b"x"].concat(),
        );
        home.write("b.json", "{\"a\": jan@example.com}");
        for args in [
            &["scan", "-v", "--stats", "."][..],
            &["scan", "-v", "--format=json", "."],
            &["scan", "-v", "--json", ".", "none"],
        ] {
            let output = run(home.nymize(args));
            assert!(!said(&output).contains("jan"), "{}", said(&output));
            assert!(!text(&output.stdout).contains("jan"));
        }
    }

    #[test]
    fn a_reader_that_goes_away_ends_it_quietly() {
        use std::io::Read;
        let home = Home::new();
        for number in 0..40 {
            home.write(&format!("f{number}"), MAIL.repeat(5_000));
        }
        let mut child = home.nymize(&["scan", "-j4", "."]).spawn().expect("a child");
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut [0; 10]).expect("some output");
        drop(stdout);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(said(&output), "");
        ended(&output, 1);
    }
}

mod long_lines {
    use super::*;

    /// A line is as long as it likes: what is held of it does not grow.
    #[cfg(target_os = "linux")]
    #[test]
    fn one_endless_line_needs_little_memory() {
        use std::io::{BufRead, BufReader, Write};
        let home = Home::new();
        let mut file = fs::File::create(home.path("long")).expect("a file");
        let piece = "words without an end to the line, ".repeat(1000);
        let size = 48 << 20;
        for _ in 0..size / piece.len() {
            file.write_all(piece.as_bytes()).expect("written");
        }
        file.write_all(b"jan@example.com").expect("written");
        drop(file);
        let pipe = home.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        // The pipe keeps the program until its memory has been looked at.
        let mut command = home.nymize(&["scan", "--json", "-j1", "long", "pipe"]);
        let mut child = command.spawn().expect("a child");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("a line");
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a status");
        fs::write(&pipe, "").expect("written");
        assert_eq!(child.wait().expect("an end").code(), Some(1));
        let column = size / piece.len() * piece.len() + 1;
        assert!(
            line.contains(&format!("\"line\":1,\"column\":{column},")),
            "{line}"
        );
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak
            .and_then(|peak| peak.trim().strip_suffix(" kB"))
            .expect("a peak");
        let peak: u64 = peak.parse().expect("a number");
        assert!(peak < 32 * 1024, "{peak} KiB");
    }

    #[test]
    fn columns_hold_in_long_lines() {
        let home = Home::new();
        let words = "€ und é 😀, ".repeat(20_000);
        home.write(
            "long",
            format!("x\n{words}jan@example.com {words}jan@example.com"),
        );
        let output = run(home.nymize(&["scan", "long"]));
        let column = words.chars().count() + 1;
        let second = 2 * column + 15;
        assert_eq!(
            text(&output.stdout),
            format!("long:2:{column} EMAIL {EMAIL}\nlong:2:{second} EMAIL {EMAIL}\n")
        );
    }
}

mod diffs {
    use super::*;

    #[test]
    fn a_diff_makes_the_files_what_scrub_makes_them() {
        let home = Home::new();
        home.git(&["init", "-q", "."]);
        let mut lines: Vec<String> = (0..60).map(|n| format!("line {n}")).collect();
        for at in [0, 4, 11, 12, 19, 40, 59] {
            lines[at] = format!("{at}: jan@example.com, jan%40example.com");
        }
        home.write("many", lines.join("\n"));
        home.write("a b", MAIL);
        home.write(
            "one \"quoted\"\t",
            format!("{MAIL}x\r\n\x07 +31612345678\r\n"),
        );
        home.write("clean", "nothing\n");
        home.write("short", "a\nb\nc\nd\ne\njan@example.com");
        let output = run(home.nymize(&["scan", "--diff", "."]));
        ended(&output, 1);
        let diff = text(&output.stdout);
        assert!(!diff.contains("clean"));
        assert_eq!(diff.matches("@@ -").count(), 3 + 3, "{diff}");
        assert!(diff.contains("@@ -1,23 +1,23 @@\n"), "{diff}");
        assert!(diff.contains("\n@@ -57,4 +57,4 @@\n"), "{diff}");
        assert_eq!(
            run(home.nymize(&["scrub", "--diff", "."])).stdout,
            output.stdout
        );
        // What a file encodes stays encoded.
        assert_eq!(diff.matches("jan%40example.com").count(), 7);

        home.write("patch", &output.stdout);
        let names = ["many", "a b", "one \"quoted\"\t", "clean", "short"];
        let before: Vec<_> = names.map(|name| home.read(name)).into();
        home.git(&["apply", "patch"]);
        fs::remove_file(home.path("patch")).expect("removed");
        let patched: Vec<_> = names.map(|name| home.read(name)).into();
        ended(&run(home.nymize(&["scan", "."])), 0);
        for (name, content) in names.iter().zip(&before) {
            home.write(name, content);
        }
        ended(&run(home.nymize(&["scrub", "."])), 1);
        let scrubbed: Vec<_> = names.map(|name| home.read(name)).into();
        assert_eq!(patched, scrubbed);
        ended(&run(home.nymize(&["scan", "--diff", "."])), 0);
    }

    #[test]
    fn a_diff_is_no_report() {
        let home = Home::new();
        failed(
            &run(home.nymize(&["scan", "--diff", "--json", "."])),
            &["--json"],
        );
        let output = feed(home.nymize(&["scan", "--diff", "--stats"]), MAIL);
        ended(&output, 1);
        assert_eq!(
            text(&output.stdout),
            format!("--- a/stdin\n+++ b/stdin\n@@ -1 +1 @@\n-{MAIL}+mail {EMAIL}\n")
        );
        assert_eq!(said(&output), "nymize: found 1 (1 EMAIL)\n");
    }
}

/// On a terminal, long work shows how far it is; what takes no time does not.
#[cfg(target_os = "linux")]
mod progress {
    use std::fs::File;
    use std::io::Read;
    use std::process::Stdio;
    use std::time::Duration;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    use super::*;

    /// The two ends of a terminal.
    fn terminal() -> (File, File) {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).expect("a terminal");
        unlockpt(&ours).expect("a terminal");
        let name = ptsname(&ours, Vec::new()).expect("its name");
        let name = name.into_string().expect("UTF-8");
        let theirs = File::options().read(true).write(true).open(name);
        (File::from(ours), theirs.expect("its other end"))
    }

    /// What is shown on a terminal while the work takes so long.
    fn shown(args: &[&str], takes: Duration) -> (String, String) {
        let home = Home::new();
        home.write("a", MAIL);
        let pipe = home.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let (mut ours, theirs) = terminal();
        let mut command = home.nymize(args);
        command.stderr(Stdio::from(theirs)).env("TERM", "xterm");
        let child = command.spawn().expect("a child");
        drop(command);
        std::thread::sleep(takes);
        fs::write(&pipe, MAIL).expect("written");
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(1));
        let mut bytes = Vec::new();
        // Linux ends a terminal with an error when nobody has its other end.
        let _ = ours.read_to_end(&mut bytes);
        (
            String::from_utf8_lossy(&bytes).into_owned(),
            text(&output.stdout).to_owned(),
        )
    }

    #[test]
    fn long_work_shows_how_far_it_is() {
        let (shown, found) = shown(&["scan", "a", "pipe"], Duration::from_millis(1800));
        assert!(shown.contains("1 of 2 files"), "{shown:?}");
        assert!(
            shown.ends_with("nymize: found 2 (2 EMAIL)\r\n"),
            "{shown:?}"
        );
        assert_eq!(
            found,
            format!("a:1:6 EMAIL {EMAIL}\npipe:1:6 EMAIL {EMAIL}\n")
        );
    }

    #[test]
    fn short_work_and_quiet_work_do_not() {
        let (short, _) = shown(&["scan", "a", "pipe"], Duration::ZERO);
        assert_eq!(short, "nymize: found 2 (2 EMAIL)\r\n");
        let (quiet, _) = shown(&["scan", "-q", "a", "pipe"], Duration::from_millis(1800));
        assert_eq!(quiet, "");
    }
}

/// What says what is looked for must go on saying it.
#[test]
fn the_file_of_rules_and_terms_in_use_keeps_them() {
    let home = Home::new();
    let config = "rule_packs: [house.yaml]\nterms:\n  CODENAME: [Apollo]\n# jan@example.com\n";
    let pack = "rules:\n  - type: TICKET\n    pattern: 'NYM-[0-9]{4}'\n    examples: [NYM-1234]\n";
    home.write(".nymize.yaml", config);
    home.write("house.yaml", pack);
    home.write("a", "NYM-1234 of Apollo\n");
    let output = run(home.nymize(&["scan", "."]));
    assert_eq!(output.status.code(), Some(1));
    let found = text(&output.stdout);
    let places: Vec<_> = found
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .collect();
    let places: Vec<_> = places.into_iter().map(|(place, _)| place).collect();
    assert_eq!(
        places,
        [".nymize.yaml:4:3 EMAIL", "a:1:1 TICKET", "a:1:13 CODENAME"]
    );
    let output = run(home.nymize(&["scrub", "."]));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(home.read("house.yaml"), pack.as_bytes());
    let kept = String::from_utf8(home.read(".nymize.yaml")).expect("UTF-8");
    assert!(kept.starts_with("rule_packs: [house.yaml]\nterms:\n  CODENAME: [Apollo]\n# [[EMAIL_"));
}
