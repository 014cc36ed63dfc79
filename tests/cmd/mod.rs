//! Runs the real binary in a home of its own: no test touches the user's key.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The bytes 0, 1, … 31: a key whose placeholders were worked out by another program.
pub(crate) const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// `jan@example.com` under [`KEY`].
pub(crate) const EMAIL: &str = "[[EMAIL_3cdd8ba8]]";
/// `+31612345678` under [`KEY`].
pub(crate) const PHONE: &str = "[[PHONE_ea44edfc]]";

/// A folder that is home and working folder in one.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Home {
        Home(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("a file is written");
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("a readable file")
    }

    /// Writes a file in a folder, which is made where there is none.
    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let folder = path.parent().expect("a folder");
        fs::create_dir_all(folder).expect("a folder is made");
        self.write(name, content)
    }

    /// Runs git in this folder, as somebody; it must go well.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> Vec<u8> {
        let output = run(self.git_command(args));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {said}");
        output.stdout
    }

    /// The same, not run yet.
    pub(crate) fn git_command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=Jo", "-c", "user.email=jo@example.com"])
            .args(["-c", "init.defaultBranch=main"])
            .args(args)
            .current_dir(self.0.path())
            .env("HOME", self.0.path())
            .env("NYMIZE_KEY", KEY)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        without_git(&mut command);
        command.env_remove("XDG_CONFIG_HOME");
        command
    }

    /// Where the program makes its key.
    pub(crate) fn key_file(&self) -> PathBuf {
        self.path(".local/share/nymize/key")
    }

    /// The program without a key.
    pub(crate) fn bare<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nymize"));
        command
            .args(args)
            .current_dir(self.0.path())
            .env("HOME", self.0.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("NYMIZE_") || name.starts_with("XDG_") || name == "NO_COLOR" {
                command.env_remove(&*name);
            }
        }
        without_git(&mut command);
        command
    }

    /// The program under [`KEY`].
    pub(crate) fn nymize<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = self.bare(args);
        command.env("NYMIZE_KEY", KEY);
        command
    }
}

/// These tests may themselves be run by a hook of git, which sets these.
fn without_git(command: &mut Command) {
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
}

/// Runs a command to its end with this on stdin.
pub(crate) fn feed(mut command: Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        let input = input.as_ref();
        scope.spawn(move || {
            // The program may end before it has read all.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the program ends")
    })
}

pub(crate) fn run(mut command: Command) -> Output {
    command.output().expect("the program runs")
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// It went well, and this is what it wrote.
#[track_caller]
pub(crate) fn wrote(output: &Output) -> &str {
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text(&output.stdout)
}

/// It failed with status 2, wrote nothing to stdout, and its message holds each of `said`.
#[track_caller]
pub(crate) fn failed(output: &Output, said: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        output.stdout.is_empty(),
        "stdout: {}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(!stderr.contains("panic"), "{stderr}");
    for said in said {
        assert!(stderr.contains(said), "{said:?} is not in {stderr}");
    }
}
