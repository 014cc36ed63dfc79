//! The program between pipes, disks and signals that fail.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::cmd::{EMAIL, Home, KEY, failed, feed, run, text, wrote};

const MAIL: &str = "mail jan@example.com\n";
/// More than any pipe or buffer holds.
const MANY: usize = 60_000;

fn clean() -> String {
    format!("mail {EMAIL}\n")
}

/// Inputs of every kind of reading, large enough that writing begins before reading ends.
fn inputs() -> [(&'static str, Vec<u8>); 5] {
    let body = "{\"to\":\"jan@example.com\",\"n\":4111111111111111}\n";
    let utf16 = format!("\u{feff}{}", MAIL.repeat(MANY));
    [
        ("lines.txt", MAIL.repeat(MANY).into_bytes()),
        ("line.txt", MAIL.trim_end().repeat(MANY).into_bytes()),
        ("lines.json", body.repeat(MANY).into_bytes()),
        (
            "one.json",
            format!("[{}0]", body.repeat(MANY).replace('\n', ",\n")).into_bytes(),
        ),
        (
            "utf16.txt",
            utf16.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        ),
    ]
}

/// The names in the home, in order.
fn names(home: &Home) -> Vec<String> {
    let entries = fs::read_dir(home.path("")).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    names
}

/// Runs the program in a shell, as `"$0"`.
fn shell(home: &Home, script: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_nymize")])
        .current_dir(home.path(""))
        .env("HOME", home.path(""))
        .env("NYMIZE_KEY", KEY)
        .stdin(Stdio::null());
    command
}

#[test]
fn head_takes_one_byte_and_nothing_is_said() {
    let home = Home::new();
    for (name, content) in inputs() {
        home.write(name, &content);
        for script in [
            format!("{{ \"$0\" {name}; echo $? >&2; }} | head -c 1"),
            format!("{{ \"$0\" <{name}; echo $? >&2; }} | head -c 1"),
            format!("{{ \"$0\" -o /dev/stdout {name}; echo $? >&2; }} | head -c 1"),
        ] {
            let output = run(shell(&home, &script));
            assert_eq!(text(&output.stderr), "0\n", "{script}");
            let head = if name == "utf16.txt" {
                0xff
            } else if name.ends_with("json") {
                content[0]
            } else {
                b'm'
            };
            assert_eq!(output.stdout, [head], "{script}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_nothing_is_quoted() {
    let home = Home::new();
    for (name, content) in inputs() {
        home.write(name, content);
        for script in [
            format!("exec \"$0\" {name} >/dev/full"),
            format!("exec \"$0\" <{name} >/dev/full"),
            format!("exec \"$0\" {name} -o /dev/full"),
        ] {
            let output = run(shell(&home, &script));
            assert_eq!(output.status.code(), Some(2), "{script}");
            let said = text(&output.stderr);
            assert!(
                said.contains("cannot write") && said.lines().count() == 1,
                "{said}"
            );
            assert!(!said.contains("jan") && !said.contains("4111"), "{said}");
        }
    }
}

/// A file that grows beyond what is allowed, as on a full disk: `-o` leaves what was there.
#[cfg(target_os = "linux")]
#[test]
fn an_output_file_that_does_not_fit_appears_not_at_all() {
    let home = Home::new();
    home.write("there", "as it was");
    let mut expected = vec!["there".to_owned()];
    for (name, content) in inputs() {
        home.write(name, content);
        expected.push(name.to_owned());
        expected.sort();
        for out in ["there", "out"] {
            let script = format!("trap '' XFSZ; ulimit -f 100; exec \"$0\" {name} -o {out}");
            let output = run(shell(&home, &script));
            failed(&output, &["cannot write", out]);
            assert_eq!(home.read("there"), b"as it was");
            assert_eq!(names(&home), expected);
        }
    }
}

/// What is found out late: the file is not begun, or not kept.
#[test]
fn an_input_that_fails_late_leaves_the_output_file_as_it_was() {
    let home = Home::new();
    home.write("there", "as it was");
    let lines = "{\"to\":\"jan@example.com\"}\n".repeat(MANY);
    home.write(
        "bad.json",
        format!("{lines}{{\"to\":\"jan@example.com\"]\n"),
    );
    home.write("good.txt", MAIL);
    let odd: Vec<u8> = "\u{feff}jan@example.com"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .chain([0])
        .collect();
    for out in ["there", "out"] {
        let output = run(home.nymize(&["--format", "json", "bad.json", "-o", out]));
        failed(&output, &["bad.json", "line 60001"]);
        failed(
            &feed(home.nymize(&["good.txt", "-", "-o", out]), &odd),
            &["stdin"],
        );
        let mut command = home.nymize(&["good.txt", "-", "-o", out]);
        command.stdin(File::open("/").expect("a folder opens"));
        failed(&run(command), &["cannot read stdin"]);
        assert_eq!(home.read("there"), b"as it was");
        assert_eq!(names(&home), ["bad.json", "good.txt", "there"]);
    }
}

#[test]
fn a_folder_as_stdin_is_an_error_and_nothing_is_written() {
    let home = Home::new();
    for script in [
        "exec \"$0\" </",
        "exec \"$0\" - </",
        "exec \"$0\" --format json </",
        "exec \"$0\" scan </",
    ] {
        failed(&run(shell(&home, script)), &["cannot read stdin"]);
    }
}

/// A child whose stdin is a connection, and the other end of that.
fn connected(mut command: Command) -> (Child, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
    let ours =
        TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
    let (mut theirs, _) = listener.accept().expect("a connection");
    // What we never read: closing then tears the connection down, and reading fails.
    theirs.write_all(b"unread").expect("a byte is sent");
    let child = command
        .stdin(OwnedFd::from(theirs))
        .spawn()
        .expect("a child");
    (child, ours)
}

#[test]
fn a_stdin_that_breaks_off_lets_out_what_was_whole() {
    let json = "{\"a\":\"jan@example.com\"}";
    let clean_json = json.replace("jan@example.com", EMAIL);
    for (sent, whole) in [
        (format!("{MAIL}mail jan@exam"), clean()),
        (
            format!("{MAIL}mail jan@example.com, card 4111 1111 1111 1111"),
            clean(),
        ),
        (
            format!("{json}\n{json}\n{{\"b\":[\"jan@example.com\","),
            format!("{clean_json}\n{clean_json}"),
        ),
    ] {
        let home = Home::new();
        let (mut child, mut ours) = connected(home.nymize::<&str>(&[]));
        ours.write_all(sent.as_bytes()).expect("it is taken");
        let mut stdout = child.stdout.take().expect("a pipe");
        let mut out = vec![0; whole.len()];
        stdout.read_exact(&mut out).expect("what is whole comes");
        drop(ours);
        stdout.read_to_end(&mut out).expect("the end");
        let output = child.wait_with_output().expect("an end");
        assert_eq!(text(&out).trim_end(), whole.trim_end());
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(
            said.contains("cannot read stdin") && !said.contains("jan"),
            "{said}"
        );
    }
}

/// Waits until there is something that begins so.
fn wait_for(home: &Home, prefix: &str) {
    let begun = Instant::now();
    while !names(home).iter().any(|name| name.starts_with(prefix)) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "no {prefix} comes"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_signal_leaves_the_output_file_as_it_was_and_nothing_behind() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        for out in ["there", "out"] {
            let home = Home::new();
            home.write("there", "as it was");
            let mut command = home.nymize(&["-o", out]);
            let mut child = command.stdin(Stdio::piped()).spawn().expect("a child");
            let mut stdin = child.stdin.take().expect("a pipe");
            stdin
                .write_all(&MAIL.repeat(20_000).into_bytes())
                .expect("it is taken");
            wait_for(&home, ".nymize-");
            kill_process(Pid::from_child(&child), signal).expect("a signal is sent");
            let status = child.wait().expect("an end");
            assert_eq!(
                status.signal(),
                Some(signal.as_raw()),
                "it ends by the signal"
            );
            assert_eq!(home.read("there"), b"as it was");
            assert_eq!(names(&home), ["there"]);
            drop(stdin);
        }
    }
}

mod utf_16 {
    use super::*;

    const TEXT: &str = "é😀 mail jan@example.com, 電話+31612345678😀\r\nNL91ABNA0417164300";

    fn clean() -> String {
        let home = Home::new();
        wrote(&feed(home.nymize(&["--format", "text"]), TEXT)).to_owned()
    }

    fn encoded(text: &str, big: bool) -> Vec<u8> {
        let units = text.encode_utf16();
        units
            .flat_map(|unit| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect()
    }

    /// What becomes of the first `units` units.
    fn expected(units: usize, big: bool) -> Vec<u8> {
        let all: Vec<u16> = TEXT.encode_utf16().collect();
        let (cut, lone) = match all[..units].split_last() {
            Some((&high, rest)) if (0xd800..0xdc00).contains(&high) => (rest, Some(high)),
            _ => (&all[..units], None),
        };
        let cut = String::from_utf16(cut).expect("whole characters");
        let engine = nymize::Pseudonymizer::builder(nymize::Key::from_hex(KEY).expect("a key"));
        let engine = engine
            .format(nymize::Format::Text)
            .build()
            .expect("an engine");
        let mut out = encoded(&engine.filter(&cut), big);
        out.extend(lone.into_iter().flat_map(|unit| {
            if big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        }));
        out
    }

    #[test]
    fn a_text_that_is_cut_at_any_byte_is_filtered_or_refused() {
        let home = Home::new();
        for big in [false, true] {
            let mark = encoded("\u{feff}", big);
            let body = encoded(TEXT, big);
            let whole = [&mark[..], &encoded(&clean(), big)].concat();
            for cut in 0..=body.len() {
                let output = feed(home.nymize::<&str>(&[]), [&mark, &body[..cut]].concat());
                if cut % 2 == 0 {
                    assert_eq!(output.status.code(), Some(0), "{cut}");
                    assert_eq!(
                        output.stdout,
                        [&mark[..], &expected(cut / 2, big)].concat(),
                        "{cut}"
                    );
                } else {
                    assert_eq!(output.status.code(), Some(2), "{cut}");
                    assert!(
                        whole.starts_with(&output.stdout),
                        "{cut}: {:?}",
                        output.stdout
                    );
                    let said = text(&output.stderr);
                    assert!(said.contains("stdin") && !said.contains("jan"), "{said}");
                }
            }
        }
    }

    /// The same for a text that comes in pieces: each byte by itself.
    #[test]
    fn a_text_that_breaks_off_in_a_line_shows_no_value() {
        let text = format!("\u{feff}{TEXT}");
        for (big, cut) in [(false, 61), (false, 62), (true, 101), (true, 103)] {
            let home = Home::new();
            let mut command = home.nymize::<&str>(&[]);
            let mut child = command.stdin(Stdio::piped()).spawn().expect("a child");
            let mut stdin = child.stdin.take().expect("a pipe");
            for byte in &encoded(&text, big)[..cut] {
                stdin
                    .write_all(std::slice::from_ref(byte))
                    .expect("a byte is taken");
            }
            drop(stdin);
            let output = child.wait_with_output().expect("an end");
            let whole = [encoded("\u{feff}", big), encoded(&clean(), big)].concat();
            if cut % 2 == 1 {
                assert_eq!(output.status.code(), Some(2));
                assert!(whole.starts_with(&output.stdout));
            } else {
                let expected = [encoded("\u{feff}", big), expected(cut / 2 - 1, big)].concat();
                assert_eq!(output.stdout, expected);
            }
        }
    }
}
