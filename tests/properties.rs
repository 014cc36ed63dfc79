//! What holds for every text: the way it arrives does not matter, a second pass finds nothing, and
//! what is no finding stays as it is.

#[allow(
    unreachable_pub,
    dead_code,
    reason = "the fuzz targets' own, of which this uses the reader of JSON"
)]
#[path = "../tools/fuzz/src/checks/mod.rs"]
mod checks;
#[path = "properties/json.rs"]
mod json;
#[path = "properties/spelled.rs"]
mod spelled;
#[path = "properties/text.rs"]
mod text;

use nymize::{Finding, Format, Key, Pseudonymizer};
use proptest::prelude::*;

fn engine() -> Pseudonymizer {
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .regions(["NL", "US", "DE"])
        .build()
        .expect("known regions")
}

/// Values of maximal and of ordinary length, near misses, and what stands between them.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let longest = format!(
        "{}@{}.{}.{}.com",
        "a".repeat(64),
        "b".repeat(61),
        "c".repeat(61),
        "d".repeat(50)
    );
    let encoded: String = "jan.jansen@example.com"
        .bytes()
        .map(|b| format!("\\u{b:04x}"))
        .collect();
    let fixed: Vec<Vec<u8>> = [
        "jan@example.com",
        "+31 6 1234 5678",
        "+14155552671",
        "(415) 555-2671",
        "06-12345678",
        "NL91ABNA0417164300",
        "nl91 abna 0417 1643 00",
        "MT84 MALT 0110 0001 2345 MTLC AST0 01S",
        "4111 1111 1111 1111",
        "378282246310005",
        "6205-5000-0000-0000-004",
        "93.184.216.34",
        "2001:db8::1",
        "2001:0db8:0000:0000:0000:ff00:0042:8329",
        "[[EMAIL_6c1f0a9e]]",
        "[[PHONE_",
        "]]",
        "4111 1111 1111 1112",
        "jan%40example.com",
        "\u{ff14}\u{ff11}\u{ff11}\u{ff11}",
        "::",
        "1:1:1:1:",
        "1.1.1.1.",
        "a.a.a.a@",
        "12:30:45",
        "2024-01-15 10:30",
        "\\n",
        "\\\\",
        "\\u0040",
        "%2B31",
        "&#64;",
        "\u{200b}",
        "\u{2011}",
        "é",
        "電話",
        "\r\n",
        "\n",
        " ",
        "  ",
        "\t",
        "\"",
        ",",
        ".",
        "-",
        "+",
        "/",
        ":",
        "@",
        "(",
        ")",
        "_",
        "x",
        "tel ",
        "0",
        "00",
        "ext. 12",
        "\u{1b}[31m",
        "<",
        ">",
    ]
    .iter()
    .map(|s| s.as_bytes().to_vec())
    .chain([
        longest.into_bytes(),
        encoded.into_bytes(),
        b"\xff".to_vec(),
        b"\0".to_vec(),
        b"\xe2\x80".to_vec(),
    ])
    .collect();
    let piece = prop_oneof![
        8 => prop::sample::select(fixed),
        1 => prop::collection::vec(any::<u8>(), 1..6),
        1 => "[0-9]{1,5}".prop_map(String::into_bytes),
        1 => "[a-zA-Z]{1,5}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn streamed(engine: &Pseudonymizer, text: &[u8], cuts: &[usize]) -> Vec<u8> {
    let mut stream = engine.stream();
    let mut out = Vec::new();
    let mut from = 0;
    for &cut in cuts {
        let to = cut.clamp(from, text.len());
        stream
            .push(&text[from..to], &mut out)
            .expect("any text goes");
        from = to;
    }
    stream.push(&text[from..], &mut out).expect("any text goes");
    stream.finish(&mut out).expect("any text goes");
    out
}

/// Where a small text is cut makes no difference: in two at any byte, in three, and at every byte.
fn every_split(engine: &Pseudonymizer, text: &[u8]) -> Result<(), TestCaseError> {
    let whole = engine.filter_bytes(text).into_owned();
    for first in 0..=text.len() {
        prop_assert!(
            streamed(engine, text, &[first]) == whole,
            "{:?} cut at {}",
            String::from_utf8_lossy(text),
            first
        );
        // A third piece where it costs little, or where there are few.
        let step = 1 + text.len() / 16;
        for second in (first..=text.len()).step_by(step) {
            prop_assert!(
                streamed(engine, text, &[first, second]) == whole,
                "{:?} cut at {} and {}",
                String::from_utf8_lossy(text),
                first,
                second
            );
        }
    }
    prop_assert_eq!(in_single_bytes(engine, text), Some(whole));
    Ok(())
}

/// The output for a text that comes in single bytes; none where it is refused.
fn in_single_bytes(engine: &Pseudonymizer, text: &[u8]) -> Option<Vec<u8>> {
    let mut stream = engine.stream();
    let mut out = Vec::new();
    for byte in text {
        stream.push(std::slice::from_ref(byte), &mut out).ok()?;
    }
    stream.finish(&mut out).ok()?;
    Some(out)
}

/// The text without its findings: what must come out as it went in.
fn rest(text: &[u8], found: &[Finding]) -> Vec<Vec<u8>> {
    let mut from = 0;
    let mut rest = Vec::new();
    for finding in found {
        rest.push(text[from..finding.range().start].to_vec());
        from = finding.range().end;
    }
    rest.push(text[from..].to_vec());
    rest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn chunks_make_no_difference(text in pieces(), cuts in prop::collection::vec(0_usize..600, 0..12)) {
        let engine = engine();
        let mut cuts = cuts;
        cuts.sort_unstable();
        prop_assert_eq!(streamed(&engine, &text, &cuts), engine.filter_bytes(&text).into_owned());
    }

    #[test]
    fn a_second_pass_finds_nothing(text in pieces()) {
        let engine = engine();
        let once = engine.filter_bytes(&text).into_owned();
        let twice = engine.filter_bytes(&once).into_owned();
        prop_assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&once));
    }

    #[test]
    fn findings_are_disjoint_and_all_else_stays(text in pieces()) {
        let engine = engine();
        let found = engine.find_bytes(&text);
        let mut end = 0;
        for finding in &found {
            prop_assert!(end <= finding.range().start && finding.range().start < finding.range().end);
            end = finding.range().end;
        }
        prop_assert!(end <= text.len());
        let placeholders: Vec<String> = found.iter().map(|f| engine.placeholder(f)).collect();
        let mut expected = Vec::new();
        for (i, piece) in rest(&text, &found).iter().enumerate() {
            expected.extend_from_slice(piece);
            expected.extend_from_slice(placeholders.get(i).map_or(&b""[..], |p| p.as_bytes()));
        }
        prop_assert_eq!(engine.filter_bytes(&text).into_owned(), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// One line that is longer than any window.
    #[test]
    fn chunks_make_no_difference_in_one_long_line(
        parts in prop::collection::vec(pieces(), 4..8),
        times in 20_usize..120,
        size in prop::sample::select(vec![1_usize, 777, 4096, 65_536, 100_000]),
    ) {
        let engine = engine();
        let text: Vec<u8> = parts.concat().into_iter().filter(|&b| b != b'\n').collect::<Vec<_>>().repeat(times);
        let cuts: Vec<usize> = (1..).map(|i| i * size).take_while(|&cut| cut < text.len()).collect();
        let whole = engine.filter_bytes(&text).into_owned();
        prop_assert!(streamed(&engine, &text, &cuts) == whole, "cut every {} bytes", size);
    }
}

/// Memory does not grow with a line that never ends, whatever stands in it.
#[test]
fn an_endless_line_is_given_on_its_way() {
    for unit in [
        "1",
        "a",
        "+",
        "@",
        "a@",
        "+1",
        "4 ",
        "1.",
        ":",
        "jan@example.com ",
        "[[",
        "\\",
        "%4",
    ] {
        // As JSON, `[[[[…` is a value that is held until it ends.
        let engine = Pseudonymizer::builder(Key::from_bytes([7; 32]))
            .regions(["NL", "US", "DE"])
            .format(Format::Text)
            .build()
            .expect("known regions");
        let mut stream = engine.stream();
        let chunk = unit.repeat(32_768 / unit.len());
        let (mut given, mut taken) = (0, 0);
        for _ in 0..12 {
            let mut out = Vec::new();
            stream
                .push(chunk.as_bytes(), &mut out)
                .expect("text is never refused");
            taken += chunk.len();
            given += out.len();
        }
        let mut rest = Vec::new();
        stream.finish(&mut rest).expect("text is never refused");
        assert!(
            rest.len() < 150_000,
            "{unit:?}: {} of {taken} bytes were held back",
            rest.len()
        );
        assert!(given > 0);
    }
}

/// Texts that once had more to find in their second pass.
#[test]
fn a_second_pass_finds_nothing_in_what_once_had_more() {
    for text in [
        "4111 1111 1111 1112::jan@example.com\n",
        "jan@example.com::1",
        "2001::jan@example.com::2",
    ] {
        let once = engine().filter(text).into_owned();
        assert_eq!(engine().filter(&once), once);
    }
}
