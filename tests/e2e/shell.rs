//! Runs the shell recipes: the real nymize and the real curl, in a home of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use mock_provider::{Config, Handle, MockProvider};
use serde_json::Value;

use crate::cmd::{Home, feed};

/// A provider whose first answer is a call that reads `notes.txt`.
pub(crate) fn provider() -> Handle {
    let config = Config {
        read_file: Some("notes.txt".into()),
        ..Config::default()
    };
    MockProvider::start(config).expect("loopback has a free port")
}

pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/curl-pipe")
        .join(name)
}

/// The version of curl. A machine without it cannot prove anything here: that is a failure.
pub(crate) fn curl_version() -> (u32, u32) {
    let output = Command::new("curl").arg("--version").output();
    let output = output.expect("these tests need curl on the PATH");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().nth(1).unwrap_or_default();
    let mut numbers = version.split('.').map(|n| n.parse().unwrap_or(0));
    (
        numbers.next().unwrap_or_default(),
        numbers.next().unwrap_or_default(),
    )
}

/// `sh ARGS` with nymize on the PATH, and with nothing of the user's: no key, no settings of
/// curl, no proxy.
pub(crate) fn sh<S: AsRef<std::ffi::OsStr>>(home: &Home, base_url: &str, args: &[S]) -> Command {
    assert!(curl_version() >= (7, 76), "these tests need curl 7.76");
    let nymize = Path::new(env!("CARGO_BIN_EXE_nymize"));
    let mut path = nymize.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command
        .args(args)
        .env_clear()
        .env("PATH", path)
        .env("HOME", home.path(""))
        .env("BASE_URL", base_url)
        .current_dir(home.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Sends a body through a script of `examples/curl-pipe`.
pub(crate) fn send(home: &Home, provider: &Handle, name: &str, key: &str, body: &str) -> Output {
    let mut command = sh(home, &provider.url(), &[script(name)]);
    command.env("NYMIZE_KEY", key);
    feed(command, body)
}

/// The data of a stream of events that are JSON.
pub(crate) fn events(stdout: &str) -> Vec<Value> {
    let data = stdout
        .lines()
        .filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]")
        .map(|data| serde_json::from_str(data).expect("JSON"))
        .collect()
}
