//! The program: its first line, its options, its exit status.

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_mock-provider"))
}

fn output(args: &[&str]) -> Output {
    program().args(args).output().expect("the program runs")
}

#[test]
fn the_first_line_is_the_url_and_the_log_is_written_before_the_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    let mut child = program()
        .args([
            "--listen",
            "127.0.0.1:0",
            "--read-file",
            "notes.txt",
            "--log",
        ])
        .arg(&log)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut url = String::new();
    BufReader::new(child.stdout.take().expect("piped"))
        .read_line(&mut url)
        .expect("a line");
    assert!(
        url.starts_with("http://127.0.0.1:") && url.ends_with('\n'),
        "{url}"
    );
    let request = r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#;
    let answer = ureq::post(format!("{}/v1/chat/completions", url.trim())).send(request);
    let log = std::fs::read_to_string(&log).expect("the log");
    child.kill().expect("the program is still there");
    child.wait().expect("it ends");
    let answer = answer
        .expect("an answer")
        .body_mut()
        .read_to_string()
        .expect("a body");
    assert!(answer.contains("notes.txt"), "{answer}");
    assert!(log.ends_with(&format!("\"body\":{request}}}\n")), "{log}");
}

#[test]
fn help_and_version_go_to_stdout() {
    assert!(String::from_utf8_lossy(&output(&["--help"]).stdout).contains("--read-file PATH"));
    assert_eq!(
        output(&["-V"]).stdout,
        concat!("mock-provider ", env!("CARGO_PKG_VERSION"), "\n").as_bytes()
    );
}

#[test]
fn misuse_is_exit_2_with_a_message_and_no_url() {
    let bad: [&[&str]; 6] = [
        &[],
        &["--log"],
        &["--log", "x", "--nope"],
        &["--listen", "localhost", "--log", "x"],
        &["--listen", "0.0.0.0:0", "--log", "x"],
        &["--log", "/nonexistent/folder/log"],
    ];
    for args in bad {
        let output = output(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            output.stdout.is_empty() && output.stderr.starts_with(b"mock-provider: "),
            "{args:?}"
        );
    }
}
