//! What is recorded, and how the provider behaves as a server.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use common::{get, post, post_with, send_raw, start};
use mock_provider::{Config, Handle, Log, MockProvider, Recorded};
use serde_json::{Value, json};

fn recorded(provider: &Handle) -> Vec<Recorded> {
    provider.requests().expect("the log is read")
}

/// Waits for a request that no answer tells the end of.
fn wait_for_request(provider: &Handle) -> Recorded {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(request) = recorded(provider).pop() {
            return request;
        }
        assert!(Instant::now() < end, "nothing was recorded");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_log_line_holds_the_whole_request_and_no_credentials() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, "an earlier line\n").expect("a file");
    let config = Config {
        log: Log::File(path.clone()),
        ..Config::default()
    };
    let provider = MockProvider::start(config).expect("the provider starts");
    assert_eq!(provider.log_path(), Some(path.as_path()));

    let secrets = [
        ("Authorization", "Bearer SECRET-1"),
        ("X-Api-Key", "SECRET-2"),
        ("api-key", "SECRET-3"),
        ("x-goog-api-key", "SECRET-4"),
        ("Proxy-Authorization", "SECRET-5"),
        ("Cookie", "SECRET-6"),
    ];
    let mut headers = vec![("X-Trace", "one"), ("Anthropic-Version", "2023-06-01")];
    headers.extend(secrets);
    post_with(
        &provider,
        "/v1/any?key=SECRET-7&alt=sse",
        &headers,
        "{\"a\": \"jan\\u0040x.example\",\n \"a\": 1}",
    );

    let log = std::fs::read_to_string(&path).expect("the log");
    let (earlier, line) = log.split_once('\n').expect("two lines");
    assert_eq!(earlier, "an earlier line");
    assert!(!log.contains("SECRET"), "{log}");
    assert!(
        line.ends_with("\"body\":{\"a\":\"jan@x.example\",\"a\":1}}\n"),
        "{line}"
    );
    let line: Value = serde_json::from_str(line).expect("JSON");
    let names: Vec<_> = line
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(names, ["method", "path", "headers", "body"]);
    assert_eq!(line["method"], "POST");
    assert_eq!(line["path"], "/v1/any?key=&alt=sse");
    assert_eq!(
        (
            line["headers"]["x-trace"].as_str(),
            line["headers"]["anthropic-version"].as_str()
        ),
        (Some("one"), Some("2023-06-01"))
    );
    for (name, _) in secrets {
        let name = name.to_lowercase();
        assert_eq!(line["headers"].get(&name), Some(&Value::Null), "{name}");
    }
    let requests = recorded(&provider);
    assert_eq!(
        (requests.len(), requests[0].body["a"].as_i64()),
        (1, Some(1))
    );
}

#[test]
fn unknown_paths_and_methods_are_refused_and_recorded_but_for_the_health_answer() {
    let provider = start(None);
    assert_eq!(get(&provider, "/").status, 200);
    assert!(recorded(&provider).is_empty());
    let answer = post(&provider, "/v1/embeddings", r#"{"input": "x"}"#);
    assert_eq!(
        (answer.status, answer.content_type.as_str()),
        (404, "application/json")
    );
    assert!(answer.json()["error"]["message"].is_string());
    assert_eq!(get(&provider, "/v1/models?q=x").status, 405);
    assert_eq!(post(&provider, "/", "plain text").status, 404);
    let seen: Vec<_> = recorded(&provider)
        .into_iter()
        .map(|one| (one.method, one.path, one.body))
        .collect();
    let line = |method: &str, path: &str, body| (method.to_owned(), path.to_owned(), body);
    assert_eq!(
        seen,
        [
            line("POST", "/v1/embeddings", json!({"input": "x"})),
            line("GET", "/v1/models?q=x", json!("")),
            line("POST", "/", json!("plain text")),
        ]
    );
}

#[test]
fn the_same_request_gets_the_same_answer_from_any_provider() {
    let body = r#"{"model": "m", "max_tokens": 9, "thinking": {"type": "adaptive"}, "messages": [], "stream": true}"#;
    let (one, two) = (start(Some("f")), start(Some("f")));
    let first = post(&one, "/v1/messages", body).body;
    assert_eq!(first, post(&one, "/v1/messages", body).body);
    assert_eq!(first, post(&two, "/v1/messages", body).body);
}

#[test]
fn a_body_over_the_limit_is_answered_413_and_recorded_as_far_as_it_was_kept() {
    let config = Config {
        max_body: 100,
        ..Config::default()
    };
    let provider = MockProvider::start(config).expect("the provider starts");
    let whole = format!(
        "{{\"model\":\"m\",\"messages\":[],\"x\":\"{}\"}}",
        "y".repeat(66)
    );
    assert_eq!(whole.len(), 100);
    assert_eq!(post(&provider, "/v1/chat/completions", &whole).status, 200);
    let long = format!("{whole} ");
    assert_eq!(post(&provider, "/v1/chat/completions", &long).status, 413);
    let answer = post(&provider, "/v1/messages", &long);
    assert_eq!(
        (answer.status, answer.json()["error"]["type"].as_str()),
        (413, Some("request_too_large"))
    );
    let requests = recorded(&provider);
    assert_eq!(requests.len(), 3);
    assert!(requests[0].body.is_object());
    assert_eq!(requests[1].body, whole);
}

#[test]
fn a_request_that_breaks_off_is_recorded_as_far_as_it_came() {
    let provider = start(None);
    let head = "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";
    let socket =
        send_raw(&provider, format!("{head}{{\"a\": \"raw value").as_bytes()).expect("sent");
    socket.shutdown(Shutdown::Write).expect("shut down");
    assert_eq!(wait_for_request(&provider).body, "{\"a\": \"raw value");
}

#[test]
fn bytes_that_are_no_text_are_recorded_and_refused() {
    let provider = start(None);
    let answer = post(&provider, "/v1/responses", b"\x1f\x8b\x00\xff jan");
    assert_eq!(answer.status, 400);
    assert_eq!(recorded(&provider)[0].body, "\u{1f}\u{fffd}\0\u{fffd} jan");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(post(&provider, "/v1/responses", &deep).status, 400);
    assert_eq!(recorded(&provider)[1].body, deep);
}

#[test]
fn connections_are_served_at_once_and_no_line_is_torn() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config {
        log: Log::File(folder.path().join("log")),
        ..Config::default()
    };
    let provider = MockProvider::start(config).expect("the provider starts");
    // A connection that says nothing must not hold up the others.
    let silent = send_raw(&provider, b"POST /v1/messages HTTP/1.1\r\n").expect("sent");
    let (threads, each) = (8, 10);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let provider = &provider;
            scope.spawn(move || {
                for turn in 0..each {
                    let said = format!("{thread}/{turn} {}", "x".repeat(20_000));
                    let body = json!({"model": "m", "stream": turn % 2 == 0, "messages": [{"role": "user", "content": said}]});
                    let answer = post(provider, "/v1/chat/completions", body.to_string());
                    assert_eq!(answer.status, 200);
                    assert!(answer.body.contains(&format!("{thread}/{turn}")) || turn % 2 == 0);
                }
            });
        }
    });
    drop(silent);
    let mut seen: Vec<String> = recorded(&provider)
        .iter()
        .filter_map(|one| {
            one.body["messages"][0]["content"]
                .as_str()?
                .split(' ')
                .next()
                .map(str::to_owned)
        })
        .collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), threads * each);
}

#[test]
fn one_connection_takes_several_requests_and_a_stream_comes_frame_by_frame() {
    let provider = start(None);
    let body =
        r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"hello there"}]}"#;
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut socket = send_raw(&provider, request.as_bytes()).expect("sent");
    for turn in 1..=2 {
        let mut lines = BufReader::new(socket.try_clone().expect("a socket")).lines();
        let mut chunks = 0;
        for line in lines.by_ref().map(|line| line.expect("text")) {
            chunks += usize::from(line.starts_with("data: "));
            if line == "0" {
                break;
            }
        }
        assert!(chunks > 4, "{chunks}");
        assert_eq!(lines.next().expect("a last line").expect("text"), "");
        assert_eq!(recorded(&provider).len(), turn);
        if turn == 1 {
            socket.write_all(request.as_bytes()).expect("sent");
        }
    }
}

#[test]
fn only_loopback_is_listened_on() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let config = Config {
            listen: address.parse().expect("an address"),
            ..Config::default()
        };
        let error = MockProvider::start(config).expect_err("not loopback");
        assert!(
            error.to_string().contains("not a loopback address"),
            "{error}"
        );
    }
}

#[test]
fn dropping_the_handle_frees_the_port_even_with_connections_open() {
    let provider = start(None);
    let address = provider.url().replace("http://", "");
    let mut open = TcpStream::connect(&address).expect("connected");
    drop(provider);
    assert!(TcpStream::connect(&address).is_err());
    assert!(matches!(open.read(&mut [0; 1]), Ok(0) | Err(_)));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_recorded_is_not_answered() {
    let config = Config {
        log: Log::File("/dev/full".into()),
        ..Config::default()
    };
    let provider = MockProvider::start(config).expect("the provider starts");
    let answer = post(&provider, "/v1/messages", "{}");
    assert_eq!(
        (answer.status, answer.json()["error"]["type"].as_str()),
        (500, Some("api_error"))
    );
}

#[cfg(unix)]
#[test]
fn a_new_log_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let config = Config {
        log: Log::File(path.clone()),
        ..Config::default()
    };
    let _provider = MockProvider::start(config).expect("the provider starts");
    let mode = std::fs::metadata(&path)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0);
}
