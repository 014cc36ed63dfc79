//! What holds for every text and the rules of a pack: the way it arrives does not matter, a second pass
//! finds nothing, what is no finding stays, JSON stays JSON.

use nymize::{Format, Pseudonymizer};
use proptest::prelude::*;

use super::{builder, streamed};

/// Rules that see edges, that see none, that are as long as may be, that have no end of their own, and
/// words that hide what a built-in kind looks for.
const PACK: &str = r#"
rules:
  - {type: TICKET, pattern: '\bNYM-\d{3,6}\b'}
  - {type: CUSTOMER, pattern: '\d{6,8}', keywords: [customer, klant]}
  - {type: CHECKED, pattern: '\d{4}-\d{4}', checksum: luhn, normalize: [strip: "-"]}
  - {type: SPAN, pattern: '<<.*>>'}
  - {type: LONG, pattern: 'L[a-z]{254}M'}
  - {type: CUT, pattern: 'ab'}
  - {type: EDGE, pattern: '^cd|\bef\d'}
  - {type: PATH, pattern: '\\[a-z]{3,}\\?'}
  - {type: OTHER, pattern: 'b[a-z]{2,9}'}
terms:
  CODENAME: [Apollo, 阿波罗, version, Chrome]
  PERSON: {words: [Zeus, Ödipus, jan@], case: ignore}
"#;

fn laws_engine() -> Pseudonymizer {
    let engine = builder(PACK).regions(["NL", "US", "DE"]).build();
    engine.expect("known regions")
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let longest = format!("L{}M", "a".repeat(254));
    let encoded: String = longest.bytes().map(|b| format!("\\u{b:04x}")).collect();
    let far = format!("<<{}>>", "-".repeat(252));
    let too_far = format!("<<{}>>", "-".repeat(253));
    let fixed: Vec<Vec<u8>> = [
        "NYM-1234",
        "NYM-",
        "customer ",
        "customer",
        "klant: ",
        "1234567",
        "0018-0018",
        "7992-7398",
        "<<",
        ">>",
        "ab",
        "abababab",
        "cd",
        "ef1",
        "ef1ef2ef3",
        r"\\dune",
        r"\dune\",
        r"\\",
        r"\",
        "bcdef",
        "Apollo",
        "apollo",
        "version ",
        "version",
        "Chrome/",
        "ZEUS",
        "zeus",
        "阿波罗",
        "計",
        "Ödipus",
        "O\u{308}DIPUS",
        r"\u0041pollo",
        r"\nApollo",
        r"\\nApollo",
        "%41pollo",
        "&#65;pollo",
        "Ａpollo",
        "A\u{200b}pollo",
        "jan@example.com",
        "jan@",
        "+31 6 1234 5678",
        "06-12345678",
        "NL91ABNA0417164300",
        "4111 1111 1111 1111",
        "4111111111111111",
        "1.2.3.4",
        "126.0.0.0",
        "2001:db8::1",
        "::2",
        "::",
        "[[EMAIL_6c1f0a9e]]",
        "[[CUT_00ab12cd]]",
        "[[",
        "]]",
        "0",
        "1",
        "x",
        "-",
        "_",
        " ",
        "  ",
        ".",
        ":",
        "@",
        "\"",
        ",",
        "/",
        "é",
        "\r\n",
        "\n",
        "\t",
        "\\n",
        "\\\"",
        "\\u00e9",
        "\u{1b}[31m",
        "tel ",
    ]
    .iter()
    .map(|s| s.as_bytes().to_vec())
    .chain([longest, encoded, far, too_far].map(String::into_bytes))
    .chain([b"\xff".to_vec(), b"\0".to_vec(), b"\xe2\x80".to_vec()])
    .collect();
    let piece = prop_oneof![
        12 => prop::sample::select(fixed),
        1 => prop::collection::vec(any::<u8>(), 1..6),
        1 => "[0-9]{1,5}".prop_map(String::into_bytes),
        1 => "[a-zA-Z]{1,5}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn chunks_make_no_difference(text in pieces(), size in prop::sample::select(vec![1_usize, 2, 3, 7, 64])) {
        let engine = laws_engine();
        let whole = engine.filter_bytes(&text).into_owned();
        let cut = streamed(&engine, &text, std::iter::repeat(size));
        prop_assert_eq!(lossy(&cut), lossy(&whole));
    }

    #[test]
    fn a_second_pass_finds_nothing(text in pieces()) {
        let engine = laws_engine();
        let once = engine.filter_bytes(&text).into_owned();
        let twice = engine.filter_bytes(&once).into_owned();
        prop_assert_eq!(lossy(&twice), lossy(&once));
    }

    #[test]
    fn findings_are_disjoint_and_all_else_stays(text in pieces()) {
        let engine = laws_engine();
        let mut expected = Vec::new();
        let mut from = 0;
        for finding in engine.find_bytes(&text) {
            let range = finding.range();
            prop_assert!(from <= range.start && range.start < range.end);
            expected.extend_from_slice(&text[from..range.start]);
            expected.extend_from_slice(engine.placeholder(&finding).as_bytes());
            from = range.end;
        }
        expected.extend_from_slice(&text[from..]);
        prop_assert_eq!(engine.filter_bytes(&text).into_owned(), expected);
    }

    /// Without rules that hold, all is as it was without rules.
    #[test]
    fn rules_never_change_what_a_built_in_kind_finds(text in pieces()) {
        let with = laws_engine();
        let without = Pseudonymizer::builder(nymize::Key::from_bytes([7; 32])).regions(["NL", "US", "DE"]);
        let without = without.build().expect("known regions");
        let ranges = with.find_bytes(&text);
        for finding in without.find_bytes(&text) {
            let range = finding.range();
            let kept = ranges.iter().any(|f| f.kind() == finding.kind() && f.range() == range);
            prop_assert!(kept, "{} at {range:?} in {}", finding.kind(), lossy(&text));
        }
    }

    /// Any text as a JSON string, a key, and JSON in a string; and cut anywhere.
    #[test]
    fn json_stays_json(text in pieces(), ascii in any::<bool>(), size in 1_usize..999) {
        let text = lossy(&text);
        let quote = |text: &str| {
            let quoted = serde_json::to_string(text).expect("a string");
            if !ascii {
                return quoted;
            }
            quoted.chars().map(|c| if c.is_ascii() { c.to_string() } else {
                c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
            }).collect()
        };
        let inner = format!("{{{}:[1234567,{}]}}", quote(&text), quote(&text));
        let json = format!("{{\"customer\":{},{}:1,\"n\":{}}}", quote(&text), quote(&text), quote(&inner));
        let engine = laws_engine();
        let once = engine.filter(&json).into_owned();
        let value: serde_json::Value = serde_json::from_str(&once).expect("JSON");
        let inner = value["n"].as_str().expect("a string");
        prop_assert!(serde_json::from_str::<serde_json::Value>(inner).is_ok(), "{inner}");
        prop_assert_eq!(engine.filter(&once).into_owned(), once.clone());
        let cut = streamed(&engine, json.as_bytes(), std::iter::repeat(size));
        prop_assert_eq!(lossy(&cut), once);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// One line that is longer than any window.
    #[test]
    fn chunks_make_no_difference_in_one_long_line(
        parts in prop::collection::vec(pieces(), 4..8),
        times in 20_usize..120,
        size in prop::sample::select(vec![1_usize, 64, 777, 4096, 65_536, 100_000]),
    ) {
        let engine = laws_engine();
        let text: Vec<u8> = parts.concat().into_iter().filter(|&b| b != b'\n').collect::<Vec<_>>().repeat(times);
        let whole = engine.filter_bytes(&text).into_owned();
        prop_assert!(streamed(&engine, &text, std::iter::repeat(size)) == whole, "cut every {} bytes", size);
        let twice = engine.filter_bytes(&whole).into_owned();
        prop_assert!(twice == whole, "a second pass finds more");
    }
}

/// A value of the greatest length, and one that is written in the longest way, at every place around the
/// borders of pages and batches.
#[test]
fn values_at_the_borders_of_windows_are_found_whole() {
    let engine = builder(PACK)
        .format(Format::Text)
        .build()
        .expect("an engine");
    let longest = format!("L{}M", "z".repeat(254));
    let encoded: String = longest.bytes().map(|b| format!("\\u{b:04x}")).collect();
    let near = format!("<<{}>>", "-".repeat(252));
    for value in [&longest, &encoded, &near] {
        let placeholder = engine.filter(value).into_owned();
        assert!(
            placeholder.ends_with("]]") && placeholder.len() < 20,
            "{placeholder}"
        );
        for before in (0..9_000).step_by(61).chain((64_000..67_200).step_by(157)) {
            let text = format!("{}{value}{}", ".".repeat(before), ".".repeat(5_000));
            let expected = format!("{}{placeholder}{}", ".".repeat(before), ".".repeat(5_000));
            assert!(engine.filter(&text) == expected, "{before}");
            let cut = streamed(&engine, text.as_bytes(), std::iter::repeat(40_001));
            assert!(cut == expected.as_bytes(), "{before}, in pieces");
        }
    }
}

/// A JSON string that is longer than what is held.
#[test]
fn a_json_value_that_is_too_long_to_be_held_is_searched_all_the_same() {
    let engine = super::engine(PACK);
    let unit = "- Apollo NYM-1234 \\u0041pollo \\\\dune customer 1234567; ";
    let json = format!("[\"{}\"]", unit.repeat(34 * 1024 * 1024 / unit.len()));
    let out = streamed(&engine, json.as_bytes(), std::iter::repeat(100_000));
    let expected = engine.filter(&format!("[\"{unit}\"]")).into_owned();
    let expected = expected.replacen("[\"", "", 1).replace("\"]", "");
    assert!(expected.matches("[[").count() == 5, "{expected}");
    let expected = format!("[\"{}\"]", expected.repeat(34 * 1024 * 1024 / unit.len()));
    assert!(out == expected.as_bytes());
}

/// Memory does not grow with a line that never ends, whatever rules look at it.
#[test]
fn an_endless_line_is_given_on_its_way() {
    let engine = builder(PACK)
        .format(Format::Text)
        .build()
        .expect("an engine");
    for unit in [
        "a",
        "<<",
        "ab",
        "1",
        "\\",
        "customer ",
        "L",
        "Apollo ",
        "<<->>",
    ] {
        let mut stream = engine.stream();
        let chunk = unit.repeat(32_768 / unit.len());
        for _ in 0..12 {
            stream
                .push(chunk.as_bytes(), &mut Vec::new())
                .expect("text goes");
        }
        let mut rest = Vec::new();
        stream.finish(&mut rest).expect("text goes");
        assert!(
            rest.len() < 150_000,
            "{unit:?}: {} bytes were held back",
            rest.len()
        );
    }
}

/// Patterns that want to see all of a line, over one of 4 MiB. It ends in seconds because time is linear;
/// the same in the square of the length would take hours.
#[test]
fn a_hostile_line_is_searched_in_linear_time() {
    const LONG: usize = 4 << 20;
    let pack = r"
rules:
  - {type: A, pattern: 'a.*b'}
  - {type: B, pattern: '(?:a+)+c|x.*y.*z'}
  - {type: C, pattern: '[ad]{4,}e', checksum: luhn}
  - {type: D, pattern: '\d{3,}', checksum: luhn, keywords: [id]}
";
    let engine = builder(pack)
        .format(Format::Text)
        .build()
        .expect("an engine");
    let far = format!("a{}b", "-".repeat(300));
    for unit in [
        "a",
        "ad",
        "a-",
        "x",
        "xy",
        "id 1",
        "1",
        far.as_str(),
        "aaaaaaaab ",
    ] {
        let text = unit.repeat(LONG / unit.len());
        let counts = {
            let mut stream = engine.stream();
            let mut out = Vec::new();
            for chunk in text.as_bytes().chunks(128 * 1024) {
                stream.push(chunk, &mut out).expect("text goes");
                out.clear();
            }
            stream.finish(&mut out).expect("text goes");
            stream.counts().total()
        };
        assert_eq!(
            counts > 0,
            unit == "aaaaaaaab " || unit == "1" && counts > 0,
            "{unit:.9}: {counts}"
        );
    }
}
