//! What is kept of a request, and where: one JSON line each, written before the answer.
//!
//! The line holds the whole request: of a JSON body every key, also one that stands twice in an
//! object, with escapes decoded, so that looking for a value in the log finds it. Left out are
//! only the values of headers and query parameters that carry credentials.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hyper::HeaderMap;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

/// Headers whose values are credentials: named in the log, with `null` for a value.
const SECRET_HEADERS: [&str; 6] = [
    "api-key",
    "authorization",
    "cookie",
    "proxy-authorization",
    "x-api-key",
    "x-goog-api-key",
];
/// Query parameters whose values are credentials (Gemini takes `?key=`): written `key=`.
const SECRET_PARAMETERS: [&str; 4] = ["access_token", "api-key", "api_key", "key"];

/// Where requests are recorded.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Log {
    /// In memory alone, read by [`Handle::requests`](crate::Handle::requests). The default.
    #[default]
    Memory,
    /// Appended to this file, which is made (for the owner alone) where it does not exist.
    File(PathBuf),
}

/// One request as recorded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recorded {
    /// The method, `POST`.
    pub method: String,
    /// Path and query, without the values of parameters that carry credentials.
    pub path: String,
    /// Names in lower case; a header sent twice is joined by `, `; `null` where the value is a
    /// credential.
    pub headers: Map<String, Value>,
    /// The body: parsed where it is JSON, a string elsewhere (U+FFFD for what is no UTF-8).
    pub body: Value,
    /// The line of the log, without its end. It also holds what `body` cannot: the first of two
    /// equal keys.
    pub line: String,
}

impl Recorded {
    fn parse(line: &str) -> io::Result<Self> {
        let mut value: Map<String, Value> = serde_json::from_str(line)?;
        let mut text = |name: &str| match value.remove(name) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("log line without {name}"),
            )),
        };
        let (method, path) = (text("method")?, text("path")?);
        let headers = match value.remove("headers") {
            Some(Value::Object(headers)) => headers,
            _ => Map::new(),
        };
        let body = value.remove("body").unwrap_or_default();
        Ok(Recorded {
            method,
            path,
            headers,
            body,
            line: line.to_owned(),
        })
    }
}

/// The log line of a request, without its end. `whole`: the body came to its end; a piece of a
/// body is recorded as a string.
pub(crate) fn line(
    method: &str,
    path: &str,
    headers: &HeaderMap,
    body: &[u8],
    whole: bool,
) -> String {
    let parsed = if whole {
        serde_json::from_slice::<Lossless>(body).ok()
    } else {
        None
    };
    let body = match parsed {
        Some(body) => serde_json::to_string(&body),
        None => serde_json::to_string(&String::from_utf8_lossy(body)),
    };
    let body = body.expect("strings and JSON trees with string keys always serialize");
    let (method, path) = (json!(method), json!(redact_query(path)));
    let headers = Value::Object(redact_headers(headers));
    format!(r#"{{"method":{method},"path":{path},"headers":{headers},"body":{body}}}"#)
}

fn redact_headers(headers: &HeaderMap) -> Map<String, Value> {
    let mut out = Map::new();
    for name in headers.keys() {
        let value = if SECRET_HEADERS.contains(&name.as_str()) {
            Value::Null
        } else {
            let values = headers
                .get_all(name)
                .iter()
                .map(|value| String::from_utf8_lossy(value.as_bytes()));
            Value::String(values.collect::<Vec<_>>().join(", "))
        };
        out.insert(name.as_str().to_owned(), value);
    }
    out
}

fn redact_query(path: &str) -> String {
    let Some((path, query)) = path.split_once('?') else {
        return path.to_owned();
    };
    let kept = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if SECRET_PARAMETERS.contains(&name) => &pair[..=name.len()],
        _ => pair,
    });
    format!("{path}?{}", kept.collect::<Vec<_>>().join("&"))
}

/// The lines recorded so far. Each is written whole and by itself.
pub(crate) enum Recorder {
    Memory(Mutex<Vec<String>>),
    /// `start`: the length of the file before this provider's first line.
    File {
        path: PathBuf,
        file: Mutex<File>,
        start: u64,
    },
}

impl Recorder {
    pub(crate) fn open(log: &Log) -> io::Result<Self> {
        let Log::File(path) = log else {
            return Ok(Recorder::Memory(Mutex::default()));
        };
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
        let start = file.metadata()?.len();
        Ok(Recorder::File {
            path: path.clone(),
            file: Mutex::new(file),
            start,
        })
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Recorder::Memory(_) => None,
            Recorder::File { path, .. } => Some(path),
        }
    }

    /// Adds one line; it is out of this process when this returns.
    pub(crate) fn append(&self, mut line: String) -> io::Result<()> {
        match self {
            Recorder::Memory(lines) => lines
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(line),
            Recorder::File { file, .. } => {
                line.push('\n');
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.write_all(line.as_bytes())?;
                file.flush()?;
            }
        }
        Ok(())
    }

    pub(crate) fn requests(&self) -> io::Result<Vec<Recorded>> {
        match self {
            Recorder::Memory(lines) => {
                let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.iter().map(|line| Recorded::parse(line)).collect()
            }
            Recorder::File { path, file, start } => {
                // The lock keeps a line that is being written from being read in part.
                let _whole_lines = file.lock().unwrap_or_else(PoisonError::into_inner);
                let mut reader = File::open(path)?;
                reader.seek(SeekFrom::Start(*start))?;
                let mut text = String::new();
                reader.read_to_string(&mut text)?;
                text.lines().map(Recorded::parse).collect()
            }
        }
    }
}

/// JSON with every key kept, in order, equal keys too: what `serde_json::Value` cannot hold.
enum Lossless {
    Leaf(Value),
    Array(Vec<Lossless>),
    Object(Vec<(String, Lossless)>),
}

impl<'de> Deserialize<'de> for Lossless {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LosslessVisitor)
    }
}

struct LosslessVisitor;

impl<'de> Visitor<'de> for LosslessVisitor {
    type Value = Lossless;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Lossless, E> {
        Ok(Lossless::Leaf(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Lossless, E> {
        Ok(Lossless::Leaf(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Lossless, E> {
        Ok(Lossless::Leaf(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Lossless, E> {
        Ok(Lossless::Leaf(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Lossless, E> {
        let number = serde_json::Number::from_f64(value).ok_or_else(|| E::custom("not finite"))?;
        Ok(Lossless::Leaf(Value::Number(number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Lossless, E> {
        Ok(Lossless::Leaf(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Lossless, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Lossless::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Lossless, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Lossless::Object(pairs))
    }
}

impl Serialize for Lossless {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Lossless::Leaf(value) => value.serialize(serializer),
            Lossless::Array(items) => serializer.collect_seq(items),
            Lossless::Object(pairs) => {
                let mut map = serializer.serialize_map(Some(pairs.len()))?;
                for (key, value) in pairs {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body_of(raw: &[u8]) -> String {
        let line = line("POST", "/", &HeaderMap::new(), raw, true);
        let body = line
            .split_once(r#""body":"#)
            .expect("every line has a body")
            .1;
        body.strip_suffix('}')
            .expect("every line is an object")
            .to_owned()
    }

    #[test]
    fn both_of_two_equal_keys_are_recorded() {
        assert_eq!(
            body_of(br#"{"a": 1, "b": [true, null, -2, 0.5], "a": {"a": "x", "a": "y"}}"#),
            r#"{"a":1,"b":[true,null,-2,0.5],"a":{"a":"x","a":"y"}}"#
        );
    }

    #[test]
    fn escapes_are_decoded_and_line_ends_never_split_a_line() {
        assert_eq!(
            body_of("{\r\n\"a\":\n\"jan\\u0040x.example\\n\"}".as_bytes()),
            r#"{"a":"jan@x.example\n"}"#
        );
        assert_eq!(body_of(b"no\njson"), r#""no\njson""#);
        assert_eq!(body_of(b"caf\xe9"), "\"caf\u{fffd}\"");
        assert_eq!(body_of(b""), r#""""#);
    }

    #[test]
    fn a_piece_of_a_body_is_a_string_even_where_it_parses() {
        let line = line("POST", "/", &HeaderMap::new(), b"12", false);
        assert!(line.ends_with(r#""body":"12"}"#), "{line}");
    }

    #[test]
    fn credentials_in_the_query_are_left_out() {
        assert_eq!(
            redact_query("/m:x?alt=sse&key=AIza123&keys=1&key"),
            "/m:x?alt=sse&key=&keys=1&key"
        );
        assert_eq!(redact_query("/m:x"), "/m:x");
    }
}
