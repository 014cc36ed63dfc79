//! The JSON view: what is content and what is form, what is held, and what becomes of broken JSON.

use std::io::{self, Read, Write};

use nymize::{Error, Format, JsonNumbers, Key, Kind, Pseudonymizer};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const MAIL: &str = "jan@example.com";
const CARD: &str = "4111111111111111";

fn builder() -> nymize::Builder {
    Pseudonymizer::builder(Key::from_bytes([7; 32])).regions(["NL"])
}

fn engine() -> Pseudonymizer {
    builder().build().expect("known regions")
}

fn json_engine() -> Pseudonymizer {
    builder()
        .format(Format::Json)
        .build()
        .expect("known regions")
}

/// What stands for a value that is found by itself.
fn mark(value: &str) -> String {
    let marked = engine().filter(value).into_owned();
    assert!(
        marked.starts_with("[[") && marked.ends_with("]]"),
        "{value} is a value"
    );
    marked
}

fn streamed(engine: &Pseudonymizer, text: &[u8], size: usize) -> Result<Vec<u8>, Error> {
    let mut stream = engine.stream();
    let mut out = Vec::new();
    for chunk in text.chunks(size) {
        stream.push(chunk, &mut out)?;
    }
    stream.finish(&mut out)?;
    Ok(out)
}

/// The filtered text, which is the same in whatever pieces it comes, and in a second pass.
fn filtered(engine: &Pseudonymizer, text: &str) -> String {
    let whole = engine.filter(text).into_owned();
    for size in [1, 2, 3, 5, 7, 16, 64] {
        let out = streamed(engine, text.as_bytes(), size).expect("this is filtered");
        assert_eq!(
            String::from_utf8_lossy(&out),
            whole,
            "{text:?} in pieces of {size}"
        );
    }
    assert_eq!(engine.filter(&whole), whole, "a second pass over {whole:?}");
    whole
}

/// Each `<mail>`, `<card>` … of a text as the value, and as its placeholder.
fn pair(text: &str) -> (String, String) {
    let values = [
        ("<mail>", MAIL),
        ("<card>", CARD),
        ("<phone>", "+31612345678"),
        ("<iban>", "NL91ABNA0417164300"),
        ("<ip>", "93.184.216.34"),
    ];
    let mut raw = text.to_owned();
    let mut clean = text.to_owned();
    for (name, value) in values {
        raw = raw.replace(name, value);
        if clean.contains(name) {
            clean = clean.replace(name, &mark(value));
        }
    }
    (raw, clean)
}

fn check(text: &str) {
    let (raw, clean) = pair(text);
    assert_eq!(filtered(&engine(), &raw), clean, "{raw}");
}

#[test]
fn an_escape_before_a_value_is_no_part_of_it() {
    for escape in [
        "\\n",
        "\\t",
        "\\r",
        "\\b",
        "\\f",
        "\\\"",
        "\\/",
        "\\\\",
        "\\u003c",
        "\\u000a",
        "\\ud83d\\ude00 ",
        "\\\\n",
        "\\\\t",
        "\\\\\\\"",
        "\\u001b[31m",
    ] {
        for value in ["<mail>", "<card>", "<phone>", "<iban>", "<ip>"] {
            let text = format!(
                "{{\"log\":\"{escape}{value}{}\"}}",
                if escape == "\\\"" { escape } else { "" }
            );
            check(&text);
        }
    }
}

#[test]
fn a_value_written_with_escapes_is_its_plain_one() {
    let clean = format!("{{\"a\":\"{}\"}}", mark(MAIL));
    for written in [
        "jan\\u0040example.com",
        "\\u006aan@example.com",
        "jan@example\\u002Ecom",
        "jan%40example.com",
    ] {
        let raw = format!("{{\"a\":\"{written}\"}}");
        assert_eq!(filtered(&engine(), &raw), clean, "{raw}");
    }
}

#[test]
fn a_value_never_crosses_the_border_of_its_string() {
    for text in [
        r#"{"a":"jan@","b":"example.com"}"#,
        r#"["4111 1111","1111 1111"]"#,
        r#"["+31","612345678"]"#,
        r#"[411111111111,1111]"#,
        r#"["NL91","ABNA0417164300"]"#,
        r#"{"jan@":"example.com"}"#,
        r#"["93.184.216",34]"#,
    ] {
        assert_eq!(filtered(&engine(), text), text);
    }
}

#[test]
fn keys_and_values_at_every_level_are_filtered() {
    check(r#"{"<mail>":{"<card>":["<mail>",["<phone>",{"x":"<iban>"}]]},"y":"<ip>"}"#);
    check("\u{feff} \r\n\t{ \"a\" :\n\"<mail>\" , \"a\":\"<mail>\"}\r\n");
}

#[test]
fn all_other_bytes_stay() {
    let text = r#" {"big":12345678901234567890,"f":1.0,"e":1e400,"n":-0,"a":1,"a":2 , "é":"é", "s":"\ud800 \/ \u0000","t":[true,false,null,{},[]],"m":"<mail>"}  "#;
    check(text);
    let (raw, _) = pair(text);
    assert_eq!(engine().find(&raw).len(), 1);
}

#[test]
fn a_number_is_a_card_or_nothing() {
    let (raw, _) = pair(r#"{"card":<card>,"more":[<card>, <card>]}"#);
    let card = format!("\"{}\"", mark(CARD));
    let clean = raw.replace(CARD, &card);
    assert_eq!(filtered(&engine(), &raw), clean);
    serde_json::from_str::<Value>(&clean).expect("it is still JSON");
    for text in [
        "{\"a\":4111111111111111.0}",
        "{\"a\":-4111111111111111}",
        "{\"a\":4111111111111111e0}",
        "{\"a\":4111111111111112}",
        "{\"a\":14111111111111111}",
        "{\"phone\":31612345678,\"n\":612345678}",
        "{\"ip\":93.1842}",
    ] {
        assert_eq!(filtered(&engine(), text), text);
    }
    let keep = builder()
        .json_numbers(JsonNumbers::Keep)
        .build()
        .expect("an engine");
    assert_eq!(filtered(&keep, &raw), raw);
    let text = pair(r#"{"card":"<card>"}"#);
    assert_eq!(filtered(&keep, &text.0), text.1);
}

#[test]
fn the_name_of_a_field_tells_what_its_number_is() {
    let text = r#"{"order":"201234567","telefoon":"201234567"}"#;
    let found = builder()
        .build()
        .expect("an engine")
        .find(r#"{"order":"20 123 4567"}"#);
    assert!(found.is_empty(), "{found:?}");
    assert!(
        !engine().filter(text).contains("telefoon\":\"2"),
        "{}",
        engine().filter(text)
    );
    let versions = r#"{"version":"4.3.2.1"}"#;
    assert_eq!(filtered(&engine(), versions), versions);
}

/// `text` as the inside of a JSON string, `times` over.
fn quoted(text: &str, times: usize) -> String {
    (0..times).fold(text.to_owned(), |text, _| {
        let string = Value::from(text).to_string();
        string[1..string.len() - 1].to_owned()
    })
}

#[test]
fn json_in_strings_is_json() {
    let inner = r#"{"mail":"<mail>","card":<card>,"list":["\n<phone>",<card>],"q":"\"<mail>\""}"#;
    let (raw, clean) = pair(inner);
    let clean = clean.replace(&format!(":{}", mark(CARD)), &format!(":\"{}\"", mark(CARD)));
    let clean = clean.replace(
        &format!(",{}]", mark(CARD)),
        &format!(",\"{}\"]", mark(CARD)),
    );
    for times in 1..=8 {
        // Each level is the value of a field of the next.
        let wrap = |inner: &str| {
            (0..times).fold(inner.to_owned(), |json, _| {
                json!({ "arguments": json }).to_string()
            })
        };
        let out = filtered(&engine(), &wrap(&raw));
        assert_eq!(out, wrap(&clean), "{times} levels");
    }
}

#[test]
fn what_is_no_json_in_a_string_is_text() {
    for inner in [
        r#"{"card": <card>"#,
        "[INFO] <card>",
        "{{<card>}}",
        "[<card>] x",
    ] {
        let (raw, clean) = pair(inner);
        let raw = format!("{{\"a\":\"{}\"}}", quoted(&raw, 1));
        let clean = format!("{{\"a\":\"{}\"}}", quoted(&clean, 1));
        assert_eq!(filtered(&engine(), &raw), clean);
    }
}

#[test]
fn the_backslash_before_an_inner_quote_stays() {
    check(r#"{"log":"{\"mail\":\"<mail>\"}"}"#);
    check(r#"{"log":"x {\"mail\":\"<mail>\"}"}"#);
    check(r#"{"log":"{\"a\":\"{\\\"mail\\\":\\\"<mail>\\\"}\"}"}"#);
}

#[test]
fn a_broken_line_is_text_and_the_next_is_json() {
    let card = mark(CARD);
    let raw = format!(
        "{{\"a\":{CARD}}}\n{{\"a\":{CARD},\"b\":\"cut\n{{\"a\":{CARD}}}\nplain {CARD}\n[{CARD}]\n{CARD}\n"
    );
    let clean = format!(
        "{{\"a\":\"{card}\"}}\n{{\"a\":{card},\"b\":\"cut\n{{\"a\":\"{card}\"}}\nplain {card}\n[\"{card}\"]\n\"{card}\"\n"
    );
    assert_eq!(filtered(&engine(), &raw), clean);
    // A line that is cut between two members seems to go on in the next.
    let raw = format!("{{\"a\":1}}\n{{\"a\":{CARD},\n{{\"a\":{CARD}}}\n{{\"a\":{CARD}}}\n");
    let clean =
        format!("{{\"a\":1}}\n{{\"a\":{card},\n{{\"a\":\"{card}\"}}\n{{\"a\":\"{card}\"}}\n");
    assert_eq!(filtered(&engine(), &raw), clean);
    let raw = format!("{{}}\n[\n[\n[{CARD}\n[{CARD}]\n");
    let clean = format!("{{}}\n[\n[\n[{card}\n[\"{card}\"]\n");
    assert_eq!(filtered(&engine(), &raw), clean);
}

#[test]
fn several_values_are_read_each_by_itself() {
    let card = mark(CARD);
    let raw =
        format!("{{\"a\":{CARD}}}{{\"a\":\n{CARD}}} [{CARD}]\n\n  {{\"b\":[\n\"{MAIL}\"]\n}}");
    let clean = format!(
        "{{\"a\":\"{card}\"}}{{\"a\":\n\"{card}\"}} [\"{card}\"]\n\n  {{\"b\":[\n\"{}\"]\n}}",
        mark(MAIL)
    );
    assert_eq!(filtered(&engine(), &raw), clean);
}

/// Texts that begin like JSON: text from the byte on that tells, and to the end.
const NO_JSON: &[&str] = &[
    "[INFO] <mail>\n",
    "[1] <mail>\n",
    "[3] <ip> connected\n",
    "[\"a\"] x\n",
    "[jo@web ~]$ echo <card>\n",
    "[2024-01-15] x\n",
    "[10:30:00] x\n",
    "[true] story\n",
    "[tru] story\n",
    "{{tpl}} <card>\n",
    "{ // comment\n",
    "{ /* comment */\n",
    "{'a': <card>}\n",
    "{a: <card>}\n",
    "[a](b)\n",
    "[01]\n",
    "[1 2]\n",
    "[1,]\n",
    "{\"a\"}\n",
    "[\"\\q\"]\n",
    "[\"\\u00zz\"]\n",
    "{\"a\":1} trailing\n",
    "[[EMAIL_6c1f0a9e]] {\"a\":<card>}\n",
];

#[test]
fn what_begins_like_json_and_is_none_is_text_at_once_and_for_good() {
    for head in NO_JSON {
        let (raw, clean) = pair(&format!("{head}{{\"a\":<card>}}\n"));
        let engine = engine();
        let mut stream = engine.stream();
        let mut out = Vec::new();
        let line = raw.find('\n').expect("a line") + 1;
        stream
            .push(&raw.as_bytes()[..line], &mut out)
            .expect("text");
        assert!(out.ends_with(b"\n"), "{head:?} is text at once");
        assert_eq!(filtered(&engine, &raw), clean);
    }
}

#[test]
fn a_broken_first_value_over_many_lines_is_text_and_nothing_is_lost() {
    for text in [
        "{\n\"a\":<card>,\n\"b\":\"<mail>\"\n",
        "[\n[\n<mail>\n]]\n{\"a\":<card>}",
        "[",
        "{\"a",
        "[\"\\",
        "[\"\\u00",
    ] {
        check(text);
    }
}

#[test]
fn text_is_never_read_as_json() {
    let text = builder().format(Format::Text).build().expect("an engine");
    let raw = format!("{{\"a\":{CARD}}}");
    assert_eq!(text.filter(&raw), format!("{{\"a\":{}}}", mark(CARD)));
}

#[test]
fn what_must_be_json_and_is_none_is_an_error_with_its_place() {
    for (text, place) in [
        ("hello", "line 1, column 1"),
        ("{\"a\":1}\n{\"é\":x}", "line 2, column 6"),
        ("[1,\n2", "line 2, column 2"),
        ("[[EMAIL_6c1f0a9e]]", "line 1, column 3"),
        ("{\"a\":\"jan@example.com\nx\"}", "line 1, column 22"),
        ("{\"a\":1} x", "line 1, column 9"),
    ] {
        for size in [1, 3, 100] {
            let error = streamed(&json_engine(), text.as_bytes(), size)
                .expect_err(text)
                .to_string();
            assert!(error.ends_with(place), "{text:?}: {error}");
            assert!(!error.contains("jan"));
        }
    }
    // Far behind the window, too.
    let lines = "{\"a\":\"é\"}\n".repeat(50_000);
    let error =
        streamed(&json_engine(), format!("{lines}  [}}").as_bytes(), 4_096).expect_err("no JSON");
    assert!(
        error.to_string().ends_with("line 50001, column 4"),
        "{error}"
    );
    let good = pair(" {\"a\":\"<mail>\"}\n[]\n\"<mail>\"\n7");
    let out = streamed(&json_engine(), good.0.as_bytes(), 5).expect("JSON");
    assert_eq!(String::from_utf8_lossy(&out), good.1);
    assert!(streamed(&json_engine(), b" \n", 5).is_ok());
}

#[test]
fn nothing_of_a_value_that_fails_is_written() {
    let mut stream = json_engine().stream();
    let mut out = Vec::new();
    stream
        .push(b"{\"a\":1}\n{\"secret\":\"", &mut out)
        .expect("so far");
    assert_eq!(out, b"{\"a\":1}\n");
    assert!(stream.push(b"x\"]", &mut out).is_err());
    assert!(stream.push(b"more", &mut out).is_err());
    assert!(stream.finish(&mut out).is_err());
    assert_eq!(out, b"{\"a\":1}\n");
}

/// Fails when `left` bytes have been read.
struct Failing<'t> {
    text: &'t [u8],
    left: usize,
}

impl Read for Failing<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.left.min(buf.len()).min(self.text.len());
        if n == 0 {
            return Err(io::Error::other("the reader fails"));
        }
        buf[..n].copy_from_slice(&self.text[..n]);
        self.text = &self.text[n..];
        self.left -= n;
        Ok(n)
    }
}

#[test]
fn a_reader_that_fails_half_way_leaves_no_half_value() {
    let line = format!("{{\"a\":\"{MAIL}\",\"b\":[{CARD},\"x\"]}}\n");
    let text = line.repeat(3);
    let clean = engine().filter(&text).into_owned();
    let ends: Vec<usize> = (0..=3).map(|i| clean.len() / 3 * i).collect();
    for left in 0..text.len() {
        let mut out = Vec::new();
        let input = Failing {
            text: text.as_bytes(),
            left,
        };
        engine()
            .copy(input, &mut out)
            .expect_err("the reader fails");
        assert!(clean.as_bytes().starts_with(&out));
        // The line end behind a value comes with what follows.
        assert!(
            ends.iter()
                .any(|&end| end == out.len() || end == out.len() + 1),
            "{left}: {}",
            out.len()
        );
    }
}

/// Takes `left` bytes and then fails.
struct Full {
    taken: Vec<u8>,
    left: usize,
}

impl Write for Full {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let n = self.left.min(buf.len());
        if n == 0 && !buf.is_empty() {
            return Err(io::Error::other("the writer is full"));
        }
        self.left -= n;
        self.taken.extend_from_slice(&buf[..n]);
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_gets_no_value() {
    let text = format!("{{\"a\":\"{MAIL}\",\"b\":[{CARD}]}}\n").repeat(3);
    let clean = engine().filter(&text).into_owned();
    for left in 0..clean.len() {
        let mut out = Full {
            taken: Vec::new(),
            left,
        };
        let error = engine()
            .copy(text.as_bytes(), &mut out)
            .expect_err("the writer fails");
        assert!(error.is_write());
        assert_eq!(out.taken, &clean.as_bytes()[..left]);
    }
}

#[test]
fn a_value_is_held_to_32_mib_and_a_longer_one_is_not() {
    const MIB: usize = 1024 * 1024;
    let engine = engine();
    let unit = format!("\"{MAIL}\",{CARD},\"{}\",", "x ".repeat(8_000));
    for (size, held) in [(31 * MIB, true), (34 * MIB, false)] {
        let mut stream = engine.stream();
        let mut out = Vec::new();
        stream.push(b"[", &mut out).expect("JSON");
        let mut most = 1;
        let piece = unit.repeat(16);
        while most < size {
            stream.push(piece.as_bytes(), &mut out).expect("JSON");
            most += piece.len();
            if most < 32 * MIB {
                assert!(out.is_empty(), "held at {most}");
            }
        }
        assert_eq!(out.is_empty(), held);
        stream.push(b"0]\n", &mut out).expect("JSON");
        stream.finish(&mut out).expect("JSON");
        let marks = stream.counts().get(Kind::Email);
        assert_eq!(marks, stream.counts().get(Kind::Card));
        assert_eq!(marks as usize, (most - 1) / unit.len());
        let values: Vec<Value> = serde_json::from_slice(&out).expect("JSON stays JSON");
        assert_eq!(values.len() as u64, 3 * marks + 1);
        assert_eq!(values[0], Value::from(mark(MAIL)));
        assert_eq!(values[1], Value::from(mark(CARD)));
    }
}

#[test]
fn a_long_string_is_filtered_in_pieces() {
    let engine = engine();
    let filler = "some more words ".repeat(2_000);
    let words =
        format!("mail {MAIL} or call +31 6 1234 5678, card {CARD}. \\\"{MAIL}\\\" {filler}");
    let text = format!(
        "{{\"a\":\"{}\"}}",
        words.repeat(36 * 1024 * 1024 / words.len())
    );
    let clean = engine.filter(&text).into_owned();
    assert!(!clean.contains(MAIL) && !clean.contains(CARD));
    let value: Value = serde_json::from_str(&clean).expect("JSON");
    assert_eq!(
        value["a"].as_str().map(|s| s.matches("[[EMAIL_").count()),
        Some(2 * (36 * 1024 * 1024 / words.len()))
    );
    for size in [999_983, 64 * 1024] {
        assert!(streamed(&engine, text.as_bytes(), size).expect("JSON") == clean.as_bytes());
    }
    // A break far behind what can be held: the rest of its line is text.
    let broken = text.replace("\"}", "\n\"}") + &format!("\n{{\"b\":{CARD}}}\n");
    let out = engine.filter(&broken).into_owned();
    assert!(!out.contains(MAIL) && out.ends_with(&format!("{{\"b\":\"{}\"}}\n", mark(CARD))));
}

#[test]
fn hostile_json_takes_linear_time() {
    let engine = engine();
    let mib = 128 * 1024;
    for text in [
        "[\n".repeat(2 * mib),
        "{}\n".to_owned() + &"[\n".repeat(2 * mib),
        "{}\n".to_owned() + &"{\"a\":\n".repeat(mib),
        "[".repeat(4 * mib),
        "[".repeat(2 * mib) + &"]".repeat(2 * mib),
        "{\"a\":".repeat(mib),
        "[1]\n[1\n".repeat(mib / 2),
        "{}\n".to_owned() + &"\"\n".repeat(mib),
        format!("[\"{}\"]", "\\\"".repeat(2 * mib)),
        format!("[\"{}\"]", "[".repeat(4 * mib)),
        format!("[\"{}\"]", "{\\\"a\\\":".repeat(mib / 2)),
        format!("[{}]", "\"[\\\"[\",".repeat(mib / 4) + "1"),
        "[1".to_owned() + &"1".repeat(4 * mib),
    ] {
        // An unoptimized build does more than 1 MB/s on these; a square one would take hours, which
        // no run lets pass.
        let out = engine.filter(&text);
        assert_eq!(out.len(), text.len());
    }
}

#[test]
fn small_pieces_of_one_long_token_take_linear_time() {
    let engine = engine();
    for text in [
        format!("[\"{}\"]", "x".repeat(600_000)),
        format!("[{}]", "1".repeat(600_000)),
        format!("[{}]", " ".repeat(600_000)),
    ] {
        assert!(streamed(&engine, text.as_bytes(), 3).expect("JSON") == text.as_bytes());
    }
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,6}",
        1 => Just("model".to_owned()),
        1 => Just(MAIL.to_owned()),
        1 => "\\PC{0,4}",
    ]
}

fn words() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(MAIL.to_owned()),
        Just("+31 6 1234 5678".to_owned()),
        Just("4111 1111 1111 1111".to_owned()),
        Just("93.184.216.34".to_owned()),
        Just("\n".to_owned()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("{\"a\":".to_owned()),
        Just("é😀".to_owned()),
        "[a-z ,.]{0,5}",
        "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.join(" "))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(json!(4111111111111111_u64)),
        any::<f64>().prop_map(Value::from),
        words().prop_map(Value::from),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key(), inner.clone()), 0..6)
                .prop_map(|members| Value::from(members.into_iter().collect::<Map<_, _>>())),
            inner.prop_map(|value| Value::from(value.to_string())),
        ]
    })
}

/// Whether a filtered value is what it must be: each string as if it stood alone.
fn same(text: &Pseudonymizer, raw: &Value, clean: &Value) -> bool {
    match (raw, clean) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(text, a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let one = |(key, a): (&String, &Value)| {
                b.get(&*text.filter(key)).is_some_and(|b| same(text, a, b))
            };
            a.len() == b.len() && a.iter().all(one)
        }
        (Value::String(a), Value::String(b)) => match serde_json::from_str(a) {
            Ok(inner @ (Value::Array(_) | Value::Object(_))) => {
                serde_json::from_str(b).is_ok_and(|b| same(text, &inner, &b))
            }
            // A line's first byte is read with another eye, and so is a string's.
            _ => *b == text.filter(a) || format!("\"{b}\"") == text.filter(&format!("\"{a}\"")),
        },
        (Value::Number(n), Value::String(b)) => *b == text.filter(&n.to_string()),
        (a, b) => a == b,
    }
}

/// Whether `clean` is `text` with its findings replaced, and all else as it was.
fn only_findings_changed(engine: &Pseudonymizer, text: &str, clean: &str) -> bool {
    let mut rest = clean;
    let mut from = 0;
    for finding in engine.find(text) {
        let range = finding.range();
        let Some(tail) = rest.strip_prefix(&text[from..range.start]) else {
            return false;
        };
        // A number's placeholder stands in quotes.
        let (quote, tail) = tail.split_at(tail.find("[[").unwrap_or(0));
        let number = text.as_bytes()[range.clone()]
            .iter()
            .all(u8::is_ascii_digit);
        let quotes = quote.is_empty() || (number && quote.trim_start_matches('\\') == "\"");
        let tail = tail.strip_prefix(&engine.placeholder(&finding));
        match tail.and_then(|tail| tail.strip_prefix(quote)) {
            Some(tail) if quotes => rest = tail,
            _ => return false,
        }
        from = range.end;
    }
    rest == &text[from..]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_json_stays_json_of_the_same_structure(
        value in value(), pretty: bool, wrapped in prop::sample::select(vec!["", "\n", "[] "]), size in 1_usize..65,
    ) {
        prop_assume!(value.is_object() || value.is_array());
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let text = wrapped.to_owned() + &text.expect("a value is JSON");
        let engine = engine();
        let clean = engine.filter(&text).into_owned();
        let out = streamed(&engine, text.as_bytes(), size).expect("JSON");
        prop_assert_eq!(&*String::from_utf8_lossy(&out), &*clean, "in pieces of {}", size);
        let again = engine.filter(&clean).into_owned();
        prop_assert_eq!(&again, &clean, "a second pass");
        let mut values = serde_json::Deserializer::from_str(&clean).into_iter::<Value>();
        let parsed = values.by_ref().last().expect("a value").expect("JSON");
        let plain = builder().format(Format::Text).build().expect("an engine");
        // Read back, as reading a float may round it.
        let value: Value = serde_json::from_str(&text[wrapped.len()..]).expect("JSON");
        prop_assert!(same(&plain, &value, &parsed), "{} became {}", text, clean);
        prop_assert!(only_findings_changed(&engine, &text, &clean), "{} became {}", text, clean);
    }

    #[test]
    fn pieces_of_json_in_any_order_are_filtered_alike_in_any_chunks(
        parts in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"jan@example.com\"", "4111111111111111", "\n", " ",
            "{\"a\":\"x\"}\n", "[1]\n", "\"", "\\", "\\\"", "\\u00", "x", "[[EMAIL_6c1f0a9e]]", "jan@example.com",
            "{\"a\":4111111111111111}\n", "true", "nul", "\u{feff}", "-", "1e5", "\"[\\\"jan@example.com\\\",4111111111111111]\"",
        ]), 0..30),
        cuts in prop::collection::vec(1_usize..9, 1..8),
    ) {
        let text = parts.concat();
        let engine = engine();
        let clean = engine.filter(&text).into_owned();
        let mut stream = engine.stream();
        let mut out = Vec::new();
        let mut rest = text.as_bytes();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, tail) = rest.split_at(rest.len().min(*cut));
            stream.push(chunk, &mut out).expect("not strict");
            rest = tail;
        }
        stream.finish(&mut out).expect("not strict");
        prop_assert_eq!(&*String::from_utf8_lossy(&out), &*clean);
        let again = engine.filter(&clean).into_owned();
        prop_assert_eq!(&again, &clean);
    }
}

#[test]
fn numbers_in_a_row_are_no_json() {
    let engine = builder().build().expect("an engine");
    let card = "4111 1111 1111 1111";
    let hole = engine.filter(card).into_owned();
    for text in [
        "[1] @",
        "[1] @\n{\"a\":1}\n",
        "{} @",
        "{\"a\":1}\n@\n{\"a\":\"@\"}\n",
        "{\"a\":1}\n{\"a\":1} @ x\n[\"@\"]\n",
        "{\"a\":1}\n\n12 13\n@",
    ] {
        let raw = text.replace('@', card);
        let clean = text.replace('@', &hole);
        assert_eq!(engine.filter(&raw), clean, "{text}");
        for size in [1, 2, 3, 7, 64] {
            let mut stream = engine.stream();
            let mut out = Vec::new();
            for chunk in raw.as_bytes().chunks(size) {
                stream
                    .push(chunk, &mut out)
                    .expect("it is not held to JSON");
            }
            stream.finish(&mut out).expect("it is not held to JSON");
            assert_eq!(String::from_utf8_lossy(&out), clean, "{text} by {size}");
        }
    }
    // A number in a line of its own is a value.
    let text = "{}\n4111111111111111\n-1\n";
    assert_eq!(
        engine.filter(text),
        format!(
            "{{}}\n\"{}\"\n-1\n",
            engine.filter("x 4111111111111111").trim_start_matches("x ")
        )
    );
}
