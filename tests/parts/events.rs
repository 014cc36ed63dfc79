//! Streams of events: `data: {…}`.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{CARD, MAIL, PHONE, engine, filtered, mark};

/// The values of all events of a stream that are JSON.
fn events(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| {
        let (_, value) = line.split_once("data:")?;
        value.trim().starts_with(['{', '[']).then_some(value)
    });
    data.map(|value| serde_json::from_str(value).expect("an event is JSON"))
        .collect()
}

#[test]
fn an_event_is_read_as_json_and_stays_json() {
    let escaped =
        r#"{"text":"\njan\u0040example.com\t\"jan@example.com\" \\\"x","card":4111111111111111}"#;
    let mail = mark(MAIL);
    let card = mark("4111111111111111");
    let clean = format!(r#"{{"text":"\n{mail}\t\"{mail}\" \\\"x","card":"{card}"}}"#);
    for (before, after) in [
        ("data: ", "\n\n"),
        ("data:", "\n"),
        ("data: \t", ""),
        ("event: message\r\ndata: ", "\r\n\r\n"),
        ("\u{feff}data: ", " \n"),
        (
            "HTTP/1.1 200 OK\r\n\r\ndata: [DONE]\ndata: ",
            "\n\ndata: [DONE]\n",
        ),
    ] {
        let out = filtered(&format!("{before}{escaped}{after}"));
        assert_eq!(out, format!("{before}{clean}{after}"));
    }
}

#[test]
fn what_begins_like_an_event_and_is_none_is_text() {
    let mail = mark(MAIL);
    for (text, expected) in [
        ("data: {jan@example.com}\n", format!("data: {{{mail}}}\n")),
        (
            "data: {\"a\":\"jan@example.com\ndata: {\"b\":\"jan@example.com\"}\n",
            format!("data: {{\"a\":\"{mail}\ndata: {{\"b\":\"{mail}\"}}\n"),
        ),
        ("data: {} jan@example.com\n", format!("data: {{}} {mail}\n")),
        (
            "data: [jan@example.com]\nmetadata: {\"a\":1} jan@example.com",
            format!("data: [{mail}]\nmetadata: {{\"a\":1}} {mail}"),
        ),
    ] {
        assert_eq!(filtered(text), expected);
    }
}

#[test]
fn events_between_lines_of_json_and_of_text_are_read_alike() {
    let card = mark("4111111111111111");
    let event = "data: {\"card\":4111111111111111}\n";
    let clean = format!("data: {{\"card\":\"{card}\"}}\n");
    for before in [
        "{\"a\":1}\n",
        "text\n",
        "\n",
        "[1]\nbroken\n",
        "x data: {}\n",
    ] {
        let text = format!("{before}{event}{event}");
        assert_eq!(filtered(&text), format!("{before}{clean}{clean}"));
    }
}

#[test]
fn an_event_longer_than_a_page_is_held_and_one_longer_than_1_mib_is_text() {
    for (filler, is_json) in [(200_000, true), (1_100_000, false)] {
        let text = format!(
            "data: {{\"pad\":\"{}\",\"card\":4111111111111111,\"m\":\"\\njan@example.com\"}}\n",
            "x ".repeat(filler / 2)
        );
        let whole = engine().filter(&text).into_owned();
        assert_eq!(whole.contains("\"card\":\"[["), is_json);
        assert_eq!(whole.contains("\"card\":[["), !is_json);
        assert!(whole.ends_with(&format!("\"m\":\"\\n{}\"}}\n", mark(MAIL))));
        for size in [1_000, 70_000, 300_000] {
            let mut stream = engine().stream();
            let mut out = Vec::new();
            for chunk in text.as_bytes().chunks(size) {
                stream.push(chunk, &mut out).expect("any text goes");
            }
            stream.finish(&mut out).expect("any text goes");
            assert!(out == whole.as_bytes(), "pieces of {size}");
        }
    }
}

#[test]
fn a_stream_of_a_provider_keeps_its_form() {
    let pieces = [
        json!({"id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": format!("mail {MAIL}")}}]}),
        json!({"type": "content_block_delta", "delta": {"type": "input_json_delta",
            "partial_json": format!("{{\"to\":\"{MAIL}\",\"card\":4111111111111111}}")}}),
        json!({"usage": {"total_tokens": 4_111_111_111_111_111_u64}, "text": [CARD, PHONE]}),
    ];
    let stream: String = pieces
        .iter()
        .map(|piece| format!("event: delta\ndata: {piece}\n\n"))
        .collect();
    let out = filtered(&stream);
    let clean = events(&out);
    assert_eq!(clean.len(), pieces.len());
    assert_eq!(
        clean[0]["choices"][0]["delta"]["content"],
        format!("mail {}", mark(MAIL))
    );
    let inner = clean[1]["delta"]["partial_json"]
        .as_str()
        .expect("a string");
    let inner: Value = serde_json::from_str(inner).expect("JSON in a string stays JSON");
    assert_eq!(inner, json!({"to": mark(MAIL), "card": mark(CARD)}));
    assert_eq!(clean[2]["text"], json!([mark(CARD), mark(PHONE)]));
    assert_eq!(out.lines().count(), stream.lines().count());
}

fn piece() -> impl Strategy<Value = String> {
    prop::sample::select(
        [
            "jan@example.com",
            "4111111111111111",
            "+31 6 1234 5678",
            "\n",
            "\t",
            "\"",
            "\\",
            "/",
            "é",
            "\u{1}",
            " ",
            "x",
            "\u{2028}",
            "😀",
            "{",
            "}",
            "data: {",
            "93.184.216.34",
            "\u{1b}[1m",
        ]
        .map(str::to_owned)
        .to_vec(),
    )
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => text().prop_map(Value::from),
        1 => Just(json!(4_111_111_111_111_111_u64)),
        1 => Just(json!(31_612_345_678_u64)),
        1 => any::<f32>().prop_map(Value::from),
        1 => Just(json!(null)),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// In an event a value is filtered as it is by itself.
    #[test]
    fn every_event_is_filtered_as_its_json_is(
        values in prop::collection::vec(value(), 1..4),
        space in prop::sample::select(vec!["", " "]),
        end in prop::sample::select(vec!["\n", "\r\n\r\n"]),
        ascii in any::<bool>(),
    ) {
        let written = |value: &Value| {
            let json = Value::Array(vec![value.clone()]).to_string();
            if ascii { json.replace('@', "\\u0040").replace('<', "\\u003c") } else { json }
        };
        let stream: String = values.iter().map(|v| format!("data:{space}{}{end}", written(v))).collect();
        let expected: String = values
            .iter()
            .map(|v| format!("data:{space}{}{end}", engine().filter(&written(v))))
            .collect();
        let out = filtered(&stream);
        prop_assert_eq!(events(&out).len(), values.len());
        prop_assert_eq!(out, expected);
    }
}
