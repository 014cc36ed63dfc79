//! `nymize scrub`: files rewritten in place, whole or not at all. The numbers are those of the
//! reports that each test keeps right.

mod cmd;

use std::fs;
use std::process::Output;

use cmd::{EMAIL, Home, PHONE, failed, feed, run, text};

const MAIL: &str = "mail jan@example.com\n";

fn clean() -> String {
    format!("mail {EMAIL}\n")
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn said(output: &Output) -> &str {
    text(&output.stderr)
}

#[track_caller]
fn ended(output: &Output, status: i32) {
    assert_eq!(output.status.code(), Some(status), "{}", said(output));
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
}

/// The names of unfinished files that lie in the home.
fn unfinished(home: &Home) -> Vec<String> {
    let entries = fs::read_dir(home.path("")).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.starts_with(".nymize-"))
        .collect()
}

mod content {
    use super::*;

    /// B62: what was rewritten is told by the exit status, once.
    #[test]
    fn files_are_rewritten_and_the_second_run_has_nothing_to_do() {
        let home = Home::new();
        home.write("a", MAIL);
        home.put("sub/.env", "call +31612345678");
        home.write("clean", "nothing\n");
        let output = run(home.nymize(&["scrub", "--stats", "."]));
        ended(&output, 1);
        assert_eq!(
            said(&output),
            "nymize: a: replaced 1 (1 EMAIL)\nnymize: sub/.env: replaced 1 (1 PHONE)\n\
             nymize: replaced 2 (1 EMAIL, 1 PHONE)\n"
        );
        assert_eq!(text(&home.read("a")), clean());
        assert_eq!(text(&home.read("sub/.env")), format!("call {PHONE}"));
        assert_eq!(text(&home.read("clean")), "nothing\n");
        let output = run(home.nymize(&["scrub", "."]));
        ended(&output, 0);
        assert_eq!(said(&output), "");
        home.write("a", MAIL);
        let output = run(home.nymize(&["scrub", "-q", "a"]));
        ended(&output, 1);
        assert_eq!(said(&output), "");
    }

    #[test]
    fn a_file_becomes_what_the_filter_makes_of_it() {
        let home = Home::new();
        let far = "é words and more of them, ".repeat(20_000);
        let number = "{\n \"card\": 4111111111111111,\n \"x\": \"a\\njan@example.com\"\n}\n";
        let files: [(&str, Vec<u8>); 10] = [
            ("a.json", number.into()),
            ("a.txt", number.into()),
            (
                "b.ndjson",
                format!("{{\"a\":\"jan\\u0040example.com\"}}\n{{b {MAIL}").into(),
            ),
            ("no_end", "x\r\n\r\rjan@example.com".into()),
            ("bom", format!("\u{feff}{MAIL}").into()),
            ("latin", b"\xe9\xff jan@example.com \xf0\x9f\x98".to_vec()),
            ("late", format!("{far}\n{far}{MAIL}{far}").into()),
            (
                "wide",
                utf16(&format!("\u{feff}é😀 {MAIL}{far}+31612345678\r\n")),
            ),
            (
                "wide_late",
                utf16(&format!("\u{feff}{far}\n{far}😀{MAIL}{far}")),
            ),
            ("once", format!("{EMAIL} {MAIL}").into()),
        ];
        let mut expected = Vec::new();
        for (name, content) in &files {
            home.write(name, content);
            let filtered = run(home.nymize(&[name])).stdout;
            assert!(filtered != *content, "{name}");
            expected.push(filtered);
        }
        ended(&run(home.nymize(&["scrub", "."])), 1);
        for ((name, _), expected) in files.iter().zip(&expected) {
            assert!(home.read(name) == *expected, "{name}");
        }
        assert_eq!(unfinished(&home), [""; 0]);
    }

    #[test]
    fn a_marked_line_stays() {
        let home = Home::new();
        home.write(
            "a",
            format!("{MAIL}keep jan@example.com // nymize:allow\n{MAIL}"),
        );
        let output = run(home.nymize(&["scrub", "--stats", "a"]));
        ended(&output, 1);
        let clean = clean();
        let expected = format!("{clean}keep jan@example.com // nymize:allow\n{clean}");
        assert_eq!(text(&home.read("a")), expected);
        assert!(said(&output).contains("allowed 1 by nymize:allow"));
        ended(&run(home.nymize(&["scrub", "a"])), 0);
    }

    #[test]
    fn what_is_left_out_is_as_it_was() {
        let home = Home::new();
        home.git(&["init", "-q", "."]);
        for name in [".git/description", "ignored", "x.lock", "sub/deep.lock"] {
            home.put(name, MAIL);
        }
        home.write(".gitignore", "ignored\n");
        home.write("binary", format!("\0{MAIL}"));
        let output = run(home.nymize(&["scrub", ".", "--exclude", "*.lock"]));
        ended(&output, 0);
        assert_eq!(
            said(&output),
            "nymize: skipped 4 (1 binary, 1 ignored, 2 excluded)\n"
        );
        for name in [".git/description", "ignored", "x.lock", "sub/deep.lock"] {
            assert_eq!(text(&home.read(name)), MAIL);
        }
        failed(&run(home.nymize(&["scrub"])), &["PATH"]);
        failed(&feed(home.nymize(&["scrub", "-"]), MAIL), &["stdin"]);
        failed(&run(home.nymize(&["scrub", "/dev/null"])), &["/dev/null"]);
    }

    #[test]
    fn files_of_a_list_are_rewritten() {
        let home = Home::new();
        home.write("a", MAIL);
        home.write("b\nc", MAIL);
        home.write("d", MAIL);
        let args = ["scrub", "-q0", "--files-from", "-"];
        ended(&feed(home.nymize(&args), "a\0b\nc\0"), 1);
        assert_eq!(text(&home.read("a")), clean());
        assert_eq!(text(&home.read("b\nc")), clean());
        assert_eq!(text(&home.read("d")), MAIL);
    }

    #[test]
    fn diff_changes_nothing() {
        let home = Home::new();
        home.write("a", MAIL);
        let output = run(home.nymize(&["scrub", "--diff", "--stats", "."]));
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            text(&output.stdout),
            format!("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-{MAIL}+{}", clean())
        );
        assert_eq!(said(&output), "nymize: would replace 1 (1 EMAIL)\n");
        assert_eq!(text(&home.read("a")), MAIL);
    }

    #[test]
    fn what_fails_does_not_stop_the_others_and_2_beats_1() {
        let home = Home::new();
        home.write("a", MAIL);
        home.write("packed", b"\x1f\x8b\x08");
        let output = run(home.nymize(&["scrub", "none", "packed", "a"]));
        ended(&output, 2);
        for name in ["none", "packed"] {
            assert!(
                said(&output).contains(&format!("nymize: {name}: ")),
                "{name}"
            );
        }
        assert_eq!(text(&home.read("a")), clean());
        home.write(
            "bad.json",
            "{\"a\":\"jan@example.com\"}\n{broken jan@example.com",
        );
        let output = run(home.nymize(&["scrub", "--format=json", "bad.json"]));
        ended(&output, 2);
        assert!(
            said(&output).contains("line 2, column 2"),
            "{}",
            said(&output)
        );
        assert!(!said(&output).contains("jan"));
        assert!(text(&home.read("bad.json")).starts_with("{\"a\":\"jan@"));
        assert_eq!(unfinished(&home), [""; 0]);
    }

    #[test]
    fn without_a_key_nothing_is_rewritten() {
        let home = Home::new();
        home.write("a", MAIL);
        let mut command = home.bare(&["scrub", "a"]);
        command.env("NYMIZE_KEY", "short");
        failed(&run(command), &["NYMIZE_KEY"]);
        assert_eq!(text(&home.read("a")), MAIL);
    }
}

#[cfg(unix)]
mod keeps {
    use std::fs::{Metadata, Permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn metadata(home: &Home, name: &str) -> Metadata {
        fs::metadata(home.path(name)).expect("metadata")
    }

    fn set_mode(home: &Home, name: &str, mode: u32) {
        fs::set_permissions(home.path(name), Permissions::from_mode(mode)).expect("a mode");
    }

    /// B55: no mode is lost, and a private file is never an open one.
    #[test]
    fn the_mode() {
        let home = Home::new();
        for mode in [0o600, 0o640, 0o644, 0o664, 0o755, 0o700, 0o666] {
            home.write("a", MAIL);
            set_mode(&home, "a", mode);
            ended(&run(home.nymize(&["scrub", "a"])), 1);
            assert_eq!(metadata(&home, "a").mode() & 0o7777, mode, "{mode:o}");
            assert_eq!(text(&home.read("a")), clean());
        }
    }

    /// B55: what is read-only is not rewritten unless somebody insists.
    #[test]
    fn read_only_files() {
        let home = Home::new();
        home.write("a", MAIL);
        home.write("clean", "nothing\n");
        set_mode(&home, "a", 0o444);
        set_mode(&home, "clean", 0o444);
        let output = run(home.nymize(&["scrub", "a", "clean"]));
        ended(&output, 2);
        assert!(said(&output).contains("a: the file is read-only; --force"));
        assert!(!said(&output).contains("clean"), "{}", said(&output));
        assert_eq!(text(&home.read("a")), MAIL);
        ended(&run(home.nymize(&["scrub", "--force", "a", "clean"])), 1);
        assert_eq!(text(&home.read("a")), clean());
        assert_eq!(metadata(&home, "a").mode() & 0o7777, 0o444);
    }

    /// B58: a file in which nothing is found is not touched.
    #[test]
    fn a_file_without_findings() {
        let home = Home::new();
        home.write("clean", "nothing\n");
        home.write("marked", format!("{} nymize:allow\n", MAIL.trim_end()));
        home.write("wide", utf16("\u{feff}nothing\n"));
        home.write("a.json", "{\"a\": 1}\n");
        let names = ["clean", "marked", "wide", "a.json"];
        let state = |name: &str| {
            let it = metadata(&home, name);
            let times = (it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec());
            (it.ino(), times, home.read(name))
        };
        let before = names.map(state);
        std::thread::sleep(std::time::Duration::from_millis(20));
        ended(&run(home.nymize(&["scrub", "."])), 0);
        assert_eq!(names.map(state), before);
    }

    /// B56: the target is rewritten, and the link stays one.
    #[test]
    fn links_to_files_of_the_tree() {
        let home = Home::new();
        home.put("real/a", MAIL);
        fs::create_dir(home.path("links")).expect("a folder");
        symlink("../real/a", home.path("links/one")).expect("a link");
        symlink("one", home.path("links/two")).expect("a link");
        symlink(home.path("real/a"), home.path("three")).expect("a link");
        let args = [
            "scrub",
            "--stats",
            "links/two",
            "three",
            "real/a",
            "links/one",
        ];
        let output = run(home.nymize(&args));
        ended(&output, 1);
        // Whatever it is called, it is one file.
        assert_eq!(
            said(&output),
            "nymize: links/two: replaced 1 (1 EMAIL)\nnymize: replaced 1 (1 EMAIL)\n"
        );
        assert_eq!(text(&home.read("real/a")), clean());
        for link in ["links/one", "links/two", "three"] {
            assert!(home.path(link).is_symlink(), "{link}");
        }
        assert!(!home.path("real/a").is_symlink());
    }

    /// B56: a link must not lead a hook out of its tree.
    #[test]
    fn links_that_lead_out() {
        let home = Home::new();
        let outside = home.put("outside/a", MAIL);
        home.put("tree/here", MAIL);
        home.put("tree/sub/own", MAIL);
        home.put("tree/other/a", MAIL);
        symlink(&outside, home.path("tree/file")).expect("a link");
        symlink("../outside", home.path("tree/folder")).expect("a link");
        symlink("../other/a", home.path("tree/sub/beside")).expect("a link");
        symlink("nowhere", home.path("tree/broken")).expect("a link");
        let scrub = |folder: &str, args: &[&str]| {
            let mut command = home.nymize(&["scrub"]);
            command.args(args).current_dir(home.path(folder));
            run(command)
        };
        for path in ["file", "folder", "folder/a", "../tree/file"] {
            let output = scrub("tree", &[path]);
            ended(&output, 2);
            assert!(
                said(&output).contains("leads out of"),
                "{path}: {}",
                said(&output)
            );
        }
        ended(&scrub("tree", &["broken"]), 2);
        // The working folder is the tree, and then its repository is.
        ended(&scrub("tree/sub", &["beside"]), 2);
        assert_eq!(text(&home.read("tree/other/a")), MAIL);
        fs::create_dir(home.path("tree/.git")).expect("a folder");
        ended(&scrub("tree/sub", &["beside"]), 1);
        assert_eq!(text(&home.read("tree/other/a")), clean());
        // In a folder they are passed over.
        ended(&scrub("tree", &["."]), 1);
        assert_eq!(text(&home.read("tree/here")), clean());
        assert_eq!(text(&home.read("outside/a")), MAIL);
        // What lies elsewhere may be named itself.
        ended(&scrub("tree", &["../outside/a"]), 1);
        assert_eq!(text(&home.read("outside/a")), clean());
    }

    /// B57: other names of the file go on naming the old one, which is said.
    #[test]
    fn hard_links_are_told_of() {
        let home = Home::new();
        let path = home.write("a", MAIL);
        fs::hard_link(path, home.path("b")).expect("a link");
        let output = run(home.nymize(&["scrub", "a"]));
        ended(&output, 1);
        let warning = "nymize: warning: a: has 2 names (hard links)";
        assert!(said(&output).contains(warning), "{}", said(&output));
        assert_eq!(text(&home.read("a")), clean());
        assert_eq!(text(&home.read("b")), MAIL);
        ended(&run(home.nymize(&["scrub", "a"])), 0);
    }

    /// B57: where nobody but root may give a file away, there is nothing to see for others.
    #[test]
    fn the_owner() {
        let home = Home::new();
        let path = home.write("a", MAIL);
        if std::os::unix::fs::chown(&path, Some(12345), Some(23456)).is_err() {
            return;
        }
        set_mode(&home, "a", 0o4750);
        ended(&run(home.nymize(&["scrub", "a"])), 1);
        let after = metadata(&home, "a");
        assert_eq!((after.uid(), after.gid()), (12345, 23456));
        assert_eq!(after.mode() & 0o7777, 0o4750);
    }

    /// B57: where the file system has them.
    #[test]
    fn attributes_and_access_lists() {
        let home = Home::new();
        let path = home.write("a", MAIL);
        let noted = xattr::set(&path, "user.note", b"kept").is_ok();
        // Version 2: the owner rw, user 12345 r, the group r, the mask r, others nothing.
        let entries: [(u16, u16, u32); 5] = [
            (1, 6, u32::MAX),
            (2, 4, 12345),
            (4, 4, u32::MAX),
            (16, 4, u32::MAX),
            (32, 0, u32::MAX),
        ];
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (tag, permissions, id) in entries {
            list.extend(tag.to_le_bytes());
            list.extend(permissions.to_le_bytes());
            list.extend(id.to_le_bytes());
        }
        const LIST: &str = "system.posix_acl_access";
        let listed = xattr::set(&path, LIST, &list).is_ok();
        let mode = metadata(&home, "a").mode();
        let output = run(home.nymize(&["scrub", "a"]));
        ended(&output, 1);
        assert!(!said(&output).contains("warning"), "{}", said(&output));
        if noted {
            let kept = xattr::get(&path, "user.note").expect("readable");
            assert_eq!(kept.as_deref(), Some(&b"kept"[..]));
        }
        if listed {
            assert_eq!(xattr::get(&path, LIST).expect("readable"), Some(list));
        }
        assert_eq!(metadata(&home, "a").mode(), mode);
    }
}

#[cfg(target_os = "linux")]
mod whole_or_not_at_all {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command};
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    /// Large enough that the program is still at it when it is looked at.
    fn large(home: &Home) -> Vec<u8> {
        let content = MAIL.repeat(200_000).into_bytes();
        home.write("large", &content);
        content
    }

    /// Waits until the program has begun to write.
    fn begun(home: &Home) {
        let since = Instant::now();
        while unfinished(home).is_empty() {
            assert!(
                since.elapsed() < Duration::from_secs(60),
                "it does not begin"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn send(child: &Child, signal: Signal) {
        let pid = Pid::from_child(child);
        kill_process(pid, signal).expect("the program is there");
    }

    /// B54, B59: the old content, and nothing beside it.
    #[test]
    fn after_a_signal() {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            let home = Home::new();
            let before = large(&home);
            let child = home.nymize(&["scrub", "large"]).spawn().expect("a child");
            begun(&home);
            send(&child, signal);
            let output = child.wait_with_output().expect("an end");
            assert_eq!(
                output.status.signal(),
                Some(signal.as_raw()),
                "{}",
                said(&output)
            );
            assert_eq!(unfinished(&home), [""; 0]);
            assert!(home.read("large") == before);
        }
    }

    /// Who starts it with `nohup` wants it to go on.
    #[test]
    fn an_ignored_signal_stays_ignored() {
        let home = Home::new();
        large(&home);
        let mut command = Command::new("sh");
        let nymize = home.nymize(&["scrub", "-q", "large"]);
        command
            .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
            .arg(nymize.get_program())
            .args(nymize.get_args())
            .current_dir(home.path(""))
            .env("NYMIZE_KEY", cmd::KEY);
        let mut child = command.spawn().expect("a child");
        begun(&home);
        send(&child, Signal::HUP);
        assert_eq!(child.wait().expect("an end").code(), Some(1));
        assert!(home.read("large") == clean().repeat(200_000).as_bytes());
    }

    /// B54, B59: nobody can clean up after that, but no value is left, and nobody else can read it.
    #[test]
    fn after_it_was_killed() {
        let home = Home::new();
        let before = large(&home);
        let mut child = home.nymize(&["scrub", "large"]).spawn().expect("a child");
        begun(&home);
        let name = unfinished(&home).pop().expect("an unfinished file");
        let mode = fs::metadata(home.path(&name))
            .expect("metadata")
            .permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
        child.kill().expect("killed");
        child.wait().expect("an end");
        assert!(home.read("large") == before);
        let left = home.read(&name);
        assert!(!text(&left).contains("jan@"));
    }

    /// B54: a disk that is full, as far as this program is concerned.
    #[test]
    fn on_a_full_disk() {
        let home = Home::new();
        let before = large(&home);
        let mut command = Command::new("sh");
        let nymize = home.nymize(&["scrub", "large"]);
        command
            .args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\""])
            .arg(nymize.get_program())
            .args(nymize.get_args())
            .current_dir(home.path(""))
            .env("NYMIZE_KEY", cmd::KEY);
        let output = run(command);
        ended(&output, 2);
        assert!(
            said(&output).contains("large: not rewritten: "),
            "{}",
            said(&output)
        );
        assert_eq!(unfinished(&home), [""; 0]);
        assert!(home.read("large") == before);
    }

    /// What somebody else writes meanwhile is not overwritten.
    #[test]
    fn when_the_file_changes_meanwhile() {
        let home = Home::new();
        large(&home);
        let child = home.nymize(&["scrub", "large"]).spawn().expect("a child");
        begun(&home);
        home.write("large", "somebody else was here\n");
        let output = child.wait_with_output().expect("an end");
        ended(&output, 2);
        assert!(
            said(&output).contains("it changed while it was read"),
            "{}",
            said(&output)
        );
        assert_eq!(home.read("large"), b"somebody else was here\n");
        assert_eq!(unfinished(&home), [""; 0]);
    }

    /// B64: hooks run several of it at once, on pieces of the list, and the first run makes the key.
    #[test]
    fn many_at_once_agree_on_one_key() {
        let home = Home::new();
        let names: Vec<String> = (0..64).map(|number| format!("f{number}")).collect();
        for name in &names {
            home.write(name, MAIL);
        }
        let children: Vec<Child> = names
            .chunks(4)
            .map(|batch| {
                let mut command = home.bare(&["scrub"]);
                command.args(batch).spawn().expect("a child")
            })
            .collect();
        for child in children {
            ended(&child.wait_with_output().expect("an end"), 1);
        }
        let first = home.read("f0");
        assert!(text(&first).starts_with("mail [[EMAIL_"));
        for name in &names {
            assert_eq!(home.read(name), first);
        }
        assert_eq!(unfinished(&home), [""; 0]);
    }
}
