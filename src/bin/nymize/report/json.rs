//! One JSON object a line.

use std::fmt::Write;

use super::Record;

/// Appends the line of a finding. The order of the members is part of the format.
pub(crate) fn write(record: &Record<'_>, out: &mut Vec<u8>) {
    let mut line = String::from("{\"path\":");
    match record.path {
        Some(path) => string(&path.to_string_lossy(), &mut line),
        None => line.push_str("null"),
    }
    // Writing to a String does not fail.
    let _ = write!(
        line,
        ",\"line\":{},\"column\":{},\"start\":{},\"end\":{},\"type\":",
        record.line, record.column, record.start, record.end
    );
    string(record.kind.label(), &mut line);
    line.push_str(",\"placeholder\":");
    string(record.placeholder, &mut line);
    if let Some(value) = record.value {
        line.push_str(",\"value\":");
        string(value, &mut line);
    }
    line.push_str("}\n");
    out.extend_from_slice(line.as_bytes());
}

/// A JSON string (RFC 8259, section 7). DEL and the C1 controls are escaped too, so that no
/// terminal obeys them.
pub(crate) fn string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use nymize::Kind;

    use super::*;

    #[test]
    fn the_record_is_valid_json_in_its_order() {
        let record = Record {
            path: Some(Path::new("a \"b\"\\\n\u{1b}é.txt")),
            line: 1,
            column: 2,
            start: 3,
            end_column: 4,
            end: 4,
            kind: Kind::Email,
            placeholder: "[[EMAIL_6c1f0a9e]]",
            value: Some("\"a b\"@x.nl"),
        };
        let mut out = Vec::new();
        write(&record, &mut out);
        let line = String::from_utf8(out).unwrap();
        assert_eq!(
            line,
            "{\"path\":\"a \\\"b\\\"\\\\\\u000a\\u001bé.txt\",\"line\":1,\"column\":2,\
             \"start\":3,\"end\":4,\"type\":\"EMAIL\",\
             \"placeholder\":\"[[EMAIL_6c1f0a9e]]\",\"value\":\"\\\"a b\\\"@x.nl\"}\n"
        );
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["path"], "a \"b\"\\\n\u{1b}é.txt");
    }
}
