//! `Pseudonymizer::copy` and `Stream::push_to` between a reader and a writer that fail.

use std::io::{self, ErrorKind};

use nymize::{Format, Key, Pseudonymizer};

use super::ways::{Fault, Reader, Writer};

const VALUES: [&str; 9] = [
    "jan.jansen@example.com",
    "NL91 ABNA 0417 1643 00",
    "nl91abna0417164300",
    "4111 1111 1111 1111",
    "5500005555555559",
    "+31 6 1234 5678",
    "06-87654321",
    "93.184.216.34",
    "2001:db8:85a3::8a2e:370:7334",
];

/// A value shows where so many bytes of it do; fewer may stand in a placeholder by chance.
const SHOWS: usize = 6;

struct Input {
    name: &'static str,
    format: Format,
    text: Vec<u8>,
}

fn engine(format: Format) -> Pseudonymizer {
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .regions(["NL"])
        .format(format)
        .build()
        .expect("known regions")
}

/// Texts in which every value stands, in each format, with one at the very end.
fn inputs() -> Vec<Input> {
    let lines: String = VALUES.map(|value| format!("é: {value}, ok\r\n")).concat();
    let one_line = VALUES.join(" · ");
    let members = VALUES.map(|value| format!("\"{value}\":[1.0,\"\\n{value}\"]"));
    let document = format!("{{\n {},\n\"n\":4111111111111111}}", members.join(",\n "));
    let json_lines = VALUES
        .map(|value| format!("{{\"log\":\"\\t{value}\"}}\n"))
        .concat();
    let broken = format!("{{}}\n{{\"cut\":\"{one_line}\n{json_lines}[\"{one_line}\"");
    let nested = serde_json::json!({ "arguments": document }).to_string();
    let escaped: String = VALUES[0]
        .chars()
        .map(|c| format!("\\u{:04x}", c as u32))
        .collect();
    let yaml = VALUES
        .map(|value| format!("- to: {value}\n  x: 1\n"))
        .concat()
        + "n: 5500005555555559";
    let toml = VALUES
        .map(|value| format!("[[t]]\nto = \"{value}\"\n"))
        .concat()
        + "n = 5500005555555559";
    let mut all = Vec::new();
    let mut add = |name, format, text: String| {
        let text = text.into_bytes();
        all.push(Input { name, format, text });
    };
    add("lines", Format::Text, lines.clone());
    add("auto", Format::Auto, lines);
    add(
        "one line, a value at the end",
        Format::Auto,
        one_line.clone(),
    );
    add(
        "cut characters",
        Format::Auto,
        format!("😀{}電話+31612345678😀", VALUES[0]),
    );
    add(
        "escaped",
        Format::Auto,
        format!("x {escaped} %2B31612345678 &#43;31612345678"),
    );
    add("JSON", Format::Auto, document.clone());
    add("JSON that must be", Format::Json, document);
    add("JSON Lines", Format::Auto, json_lines);
    add("a broken line of JSON", Format::Auto, broken);
    add("JSON in JSON", Format::Auto, nested);
    add(
        "looks like JSON",
        Format::Auto,
        format!("[INFO] {one_line}\n[INFO] {one_line}"),
    );
    add("YAML", Format::Yaml, yaml);
    add("TOML", Format::Toml, toml);
    all
}

/// Every piece of every value that would show it.
fn pieces() -> impl Iterator<Item = &'static [u8]> {
    VALUES
        .iter()
        .flat_map(|value| value.as_bytes().windows(SHOWS))
}

/// The whole output, in which no value shows.
fn filtered(input: &Input) -> Vec<u8> {
    let clean = engine(input.format).filter_bytes(&input.text).into_owned();
    for piece in pieces() {
        assert!(
            memchr::memmem::find(&clean, piece).is_none(),
            "{}: {:?} is left in {}",
            input.name,
            String::from_utf8_lossy(piece),
            String::from_utf8_lossy(&clean)
        );
    }
    clean
}

/// What reached the writer is the beginning of the output; so it shows no value, nor a piece of one.
#[track_caller]
fn is_beginning(taken: &[u8], clean: &[u8], how: &str) {
    assert!(
        clean.starts_with(taken),
        "{how}: {}",
        String::from_utf8_lossy(taken)
    );
}

#[test]
fn the_values_of_the_inputs_are_found() {
    for input in inputs() {
        let clean = filtered(&input);
        assert!(clean != input.text, "{}", input.name);
    }
}

#[test]
fn a_reader_that_fails_at_any_byte_lets_no_value_out() {
    for input in inputs() {
        let clean = filtered(&input);
        let engine = engine(input.format);
        for at in 0..=input.text.len() {
            for most in [usize::MAX, 1, 7] {
                let mut out = Vec::new();
                let reader = Reader::new(&input.text, at, most);
                let error = engine.copy(reader, &mut out).expect_err("the reader fails");
                assert!(error.io_error().is_some() && !error.is_write());
                is_beginning(
                    &out,
                    &clean,
                    &format!("{}: byte {at} of {most}", input.name),
                );
            }
        }
        // Where it fails behind the last byte, all has been taken, and yet the end is not written.
        let mut out = Vec::new();
        let reader = Reader::new(&input.text, input.text.len(), 5).interrupted();
        engine.copy(reader, &mut out).expect_err("the reader fails");
        is_beginning(&out, &clean, input.name);
    }
}

#[test]
fn a_writer_that_fails_at_any_byte_gets_no_value() {
    let faults = [
        Fault::Error(ErrorKind::Other),
        Fault::Error(ErrorKind::BrokenPipe),
        Fault::Error(ErrorKind::WouldBlock),
        Fault::Error(ErrorKind::StorageFull),
        Fault::Zero,
    ];
    for input in inputs() {
        let clean = filtered(&input);
        let engine = engine(input.format);
        for at in 0..clean.len() {
            for (most, fault) in [usize::MAX, 1, 3, 64, 5].into_iter().zip(faults) {
                let mut out = Writer::new(at, most, fault).interrupted();
                let error = engine
                    .copy(&input.text[..], &mut out)
                    .expect_err("the writer fails");
                assert!(error.is_write() && error.io_error().is_some());
                assert_eq!(out.taken.len(), at, "all that it takes is written");
                is_beginning(&out.taken, &clean, input.name);
            }
        }
        let mut out = Writer::new(clean.len(), 2, Fault::Zero).interrupted();
        let counts = engine
            .copy(&input.text[..], &mut out)
            .expect("it takes all");
        assert!(out.taken == clean && counts.total() > 0);
        let mut out = Writer::new(usize::MAX, usize::MAX, Fault::Flush);
        let error = engine
            .copy(&input.text[..], &mut out)
            .expect_err("a failing flush");
        assert!(error.is_write() && out.taken == clean);
    }
}

/// Whatever a caller does with a stream that has failed: nothing is written any more, as what it
/// held can no longer be told from what it gave.
#[test]
fn a_stream_whose_writer_failed_writes_nothing_more() {
    for input in inputs() {
        let clean = filtered(&input);
        let engine = engine(input.format);
        for at in 0..clean.len() {
            for size in [1, 64, usize::MAX] {
                let mut out = Writer::new(at, usize::MAX, Fault::Error(ErrorKind::TimedOut));
                let mut stream = engine.stream();
                let mut chunks = input.text.chunks(size.min(input.text.len()));
                let failed = chunks.any(|chunk| stream.push_to(chunk, &mut out).is_err());
                if !failed {
                    stream.finish_to(&mut out).expect_err("the writer fails");
                }
                out.mend();
                for chunk in chunks {
                    let error = stream.push_to(chunk, &mut out).expect_err("it has failed");
                    assert!(error.is_write());
                }
                stream.finish_to(&mut out).expect_err("it has failed");
                stream
                    .push(b"more\n", &mut Vec::new())
                    .expect_err("it has failed");
                assert_eq!(out.taken.len(), at);
                is_beginning(&out.taken, &clean, input.name);
            }
        }
    }
}

/// Streams say that a value is whole at the same byte, whatever the pieces: so a failure at any
/// byte leaves the same behind as one at that byte of a text in single bytes.
#[test]
fn a_stream_that_is_dropped_at_any_byte_has_given_no_value() {
    for input in inputs() {
        let clean = filtered(&input);
        let mut stream = engine(input.format).stream();
        let mut out = Vec::new();
        for byte in &input.text {
            stream
                .push(std::slice::from_ref(byte), &mut out)
                .expect("a good text");
            is_beginning(&out, &clean, input.name);
        }
        stream.finish(&mut out).expect("a good text");
        assert!(out == clean);
    }
}

/// A line that is longer than what is read at once and than what is held: values where the pieces
/// meet, and at the end.
fn long_line() -> Input {
    let mut text = String::new();
    let mut next = 0;
    let filler = "some more words, no numbers; ";
    while text.len() < 200 * 1024 {
        // A value over each border of a window, and one here and there.
        let border = (text.len() / 65_536 + 1) * 65_536;
        let far = (border - text.len()).saturating_sub(8).min(3_000);
        if far > filler.len() && text.len() + far > border - 8 {
            text.push_str(&filler[..1 + far % filler.len()]);
        }
        text.push_str(&filler.repeat(1 + far / filler.len()));
        text.push_str(VALUES[next % VALUES.len()]);
        text.push(' ');
        next += 1;
    }
    text.push_str(VALUES[0]);
    Input {
        name: "a long line",
        format: Format::Auto,
        text: text.into_bytes(),
    }
}

#[test]
fn a_long_line_that_ends_in_a_failure_shows_no_value() {
    let input = long_line();
    let clean = filtered(&input);
    let engine = engine(input.format);
    // Every byte of it, as it comes in single bytes.
    let mut stream = engine.stream();
    let mut out = Vec::new();
    let mut checked = 0;
    for byte in &input.text {
        stream
            .push(std::slice::from_ref(byte), &mut out)
            .expect("text");
        if out.len() > checked {
            assert!(clean[checked..].starts_with(&out[checked..]));
            checked = out.len();
        }
    }
    assert!(checked > 100 * 1024, "it does not wait for the end");
    // As it is read and written by the program: at the borders, and here and there.
    let borders = (0..=input.text.len())
        .step_by(16 * 1024)
        .chain([input.text.len()]);
    let near = borders.flat_map(|at| at.saturating_sub(24)..input.text.len().min(at + 24));
    for at in near.chain((0..input.text.len()).step_by(9_973)) {
        let mut out = Vec::new();
        let reader = Reader::new(&input.text, at, usize::MAX);
        engine.copy(reader, &mut out).expect_err("the reader fails");
        is_beginning(&out, &clean, &format!("byte {at}"));
    }
    for at in (0..clean.len()).step_by(1_009) {
        let mut out = Writer::new(at, usize::MAX, Fault::Error(ErrorKind::StorageFull));
        engine
            .copy(&input.text[..], &mut out)
            .expect_err("the writer fails");
        assert_eq!(out.taken.len(), at);
        is_beginning(&out.taken, &clean, &format!("byte {at}"));
    }
}

/// A value of strict JSON that turns out to be none is not written, and neither is anything after it.
#[test]
fn json_that_breaks_at_any_byte_lets_nothing_of_the_value_out() {
    let good = format!("{{\"a\":\"{}\"}}\n", VALUES[0]);
    let clean = engine(Format::Json).filter(&good).into_owned();
    let bad = format!("{{\"b\":[\"{}\",4111111111111111]}}\n{good}", VALUES[3]);
    for at in 0..bad.find('\n').expect("a line") {
        // A control character breaks JSON wherever it stands.
        let text = format!("{good}{}\u{1}{}", &bad[..at], &bad[at..]);
        for most in [usize::MAX, 1] {
            let mut out = Vec::new();
            let reader = io::Read::take(
                Reader::new(text.as_bytes(), text.len(), most),
                text.len() as u64,
            );
            let error = engine(Format::Json)
                .copy(reader, &mut out)
                .expect_err("no JSON");
            assert!(error.to_string().contains("line 2"), "{error}");
            let out = String::from_utf8_lossy(&out);
            assert!(out.trim_end() == clean.trim_end(), "{at}: {out}");
        }
    }
}
