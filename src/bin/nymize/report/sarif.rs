//! SARIF 2.1.0 (OASIS): one log with one run, for code-scanning services and editors.
//!
//! Results are written as they come, so that a log of any length takes no memory; what needs to
//! know them all (the rules) comes behind them, where the order of members is free. No value is
//! ever in a log, as logs are uploaded: its placeholder stands for it, and is its fingerprint.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Record, rule};
use crate::paths::{Base, uri};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What paths are relative to: by custom, the root of the repository.
const ROOT: &str = "%SRCROOT%";

const LEVEL: &str = "error";

/// Appends what comes before the results.
pub(crate) fn begin(out: &mut Vec<u8>) {
    let head = format!(
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[\
         {{\"columnKind\":\"unicodeCodePoints\",\"results\":["
    );
    out.extend_from_slice(head.as_bytes());
}

/// Appends one result, with a comma before it: the first one's is taken off by the caller.
pub(crate) fn write(record: &Record<'_>, base: &Base, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\n");
    append(&result(record, base), out);
}

/// Appends what comes after the results: the rules, and whether all inputs could be read.
pub(crate) fn end(labels: &BTreeSet<&str>, complete: bool, out: &mut Vec<u8>) {
    let tail = Tail {
        tool: Tool {
            driver: Driver {
                name: "nymize",
                semantic_version: env!("CARGO_PKG_VERSION"),
                rules: labels.iter().map(|label| descriptor(label)).collect(),
            },
        },
        invocations: [Invocation {
            execution_successful: complete,
        }],
    };
    let mut object = Vec::new();
    append(&tail, &mut object);
    // The members of the tail belong to the run that `begin` has opened.
    out.extend_from_slice(b"\n],");
    out.extend_from_slice(object.get(1..).unwrap_or_default());
    out.extend_from_slice(b"]}\n");
}

fn append(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("strings and numbers are JSON");
}

fn result<'r>(record: &'r Record<'_>, base: &Base) -> Finding<'r> {
    let label = record.kind.label();
    Finding {
        rule_id: label,
        level: LEVEL,
        message: Text {
            text: rule::message(record),
        },
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: artifact(record, base),
                region: Region {
                    start_line: record.line,
                    start_column: record.column,
                    end_line: record.line,
                    end_column: record.end_column,
                    byte_offset: record.start,
                    byte_length: record.end.saturating_sub(record.start),
                },
            },
        }],
        partial_fingerprints: Fingerprints {
            placeholder: record.placeholder,
        },
    }
}

fn artifact(record: &Record<'_>, base: &Base) -> Artifact {
    let Some(path) = record.path else {
        return Artifact {
            uri: None,
            uri_base_id: None,
            description: Some(Text {
                text: "standard input".to_owned(),
            }),
        };
    };
    let uri = uri(base, path);
    Artifact {
        uri_base_id: (!uri.starts_with("file:")).then_some(ROOT),
        uri: Some(uri),
        description: None,
    }
}

fn descriptor(label: &str) -> Descriptor<'_> {
    let noun = rule::noun(label);
    let proof = rule::proof(label);
    Descriptor {
        id: label,
        short_description: Text {
            text: format!("The text holds {noun}."),
        },
        full_description: Text {
            text: format!("The text holds {noun}. {proof}"),
        },
        help: Text {
            text: format!("{proof} {}", rule::REMEDY),
        },
        default_configuration: Configuration { level: LEVEL },
        properties: Properties {
            tags: ["privacy", "security"],
        },
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'r> {
    rule_id: &'r str,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    partial_fingerprints: Fingerprints<'r>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    start_column: u64,
    end_line: u64,
    end_column: u64,
    byte_offset: u64,
    byte_length: u64,
}

#[derive(Serialize)]
struct Fingerprints<'r> {
    #[serde(rename = "nymizePlaceholder/v1")]
    placeholder: &'r str,
}

#[derive(Serialize)]
struct Tail<'r> {
    tool: Tool<'r>,
    invocations: [Invocation; 1],
}

#[derive(Serialize)]
struct Tool<'r> {
    driver: Driver<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'r> {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor<'r> {
    id: &'r str,
    short_description: Text,
    full_description: Text,
    help: Text,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Properties {
    tags: [&'static str; 2],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}
