//! The client of the tests: ureq, and readers of what a stream holds.
#![allow(dead_code)] // Each test binary uses a part of it.

use std::io::{self, Write};
use std::net::TcpStream;

use mock_provider::{Config, Handle, MockProvider};
use serde_json::Value;

/// A provider that records in memory.
pub(crate) fn start(read_file: Option<&str>) -> Handle {
    let config = Config {
        read_file: read_file.map(str::to_owned),
        ..Config::default()
    };
    MockProvider::start(config).expect("loopback has a free port")
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The events of a stream: name (empty where there is none) and data.
    pub(crate) fn events(&self) -> Vec<(String, String)> {
        assert_eq!(self.content_type, "text/event-stream; charset=utf-8");
        let body = self.body.replace("\r\n", "\n");
        let body = body
            .strip_suffix("\n\n")
            .expect("a stream ends with an empty line");
        body.split("\n\n").map(event).collect()
    }

    /// The data of the events, which must all be JSON.
    pub(crate) fn data(&self) -> Vec<Value> {
        let parse = |(_, data): (String, String)| serde_json::from_str(&data).expect("JSON data");
        self.events().into_iter().map(parse).collect()
    }
}

fn event(text: &str) -> (String, String) {
    let (mut name, mut data) = (String::new(), String::new());
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("event", value)) => name = value.to_owned(),
            Some(("data", value)) => data.push_str(value),
            _ => panic!("no line of an event: {line}"),
        }
    }
    (name, data)
}

pub(crate) fn post(provider: &Handle, path: &str, body: impl AsRef<[u8]>) -> Answer {
    post_with(provider, path, &[], body)
}

pub(crate) fn post_with(
    provider: &Handle,
    path: &str,
    headers: &[(&str, &str)],
    body: impl AsRef<[u8]>,
) -> Answer {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    let mut request = agent.post(format!("{}{path}", provider.url()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    read(request.send(body.as_ref()).expect("the provider answers"))
}

pub(crate) fn get(provider: &Handle, path: &str) -> Answer {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    read(
        agent
            .get(format!("{}{path}", provider.url()))
            .call()
            .expect("the provider answers"),
    )
}

fn read(mut answer: ureq::http::Response<ureq::Body>) -> Answer {
    let content_type = answer
        .headers()
        .get("content-type")
        .expect("a content type");
    Answer {
        status: answer.status().as_u16(),
        content_type: content_type.to_str().expect("ASCII").to_owned(),
        body: answer.body_mut().read_to_string().expect("a whole body"),
    }
}

/// Sends bytes as they are, for what no client library would send.
pub(crate) fn send_raw(provider: &Handle, bytes: &[u8]) -> io::Result<TcpStream> {
    let address = provider.url().replace("http://", "");
    let mut socket = TcpStream::connect(address)?;
    socket.write_all(bytes)?;
    Ok(socket)
}

/// All strings under a key of this name, anywhere below, joined.
pub(crate) fn joined<'a>(values: impl IntoIterator<Item = &'a Value>, pointer: &str) -> String {
    values
        .into_iter()
        .filter_map(|value| value.pointer(pointer)?.as_str())
        .collect()
}
