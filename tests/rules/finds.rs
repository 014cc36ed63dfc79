//! What rules and terms find, and what wins over them.

use nymize::{Kind, Kinds, Label};

use super::{builder, engine, found, text_engine};

const HOUSE: &str = r#"
rules:
  - type: TICKET
    pattern: '\bNYM-\d{3,6}\b'
  - type: CUSTOMER
    pattern: '\b\d{7}\b'
    keywords: [customer, customer_id]
  - type: CONTRACT
    pattern: '[Cc]-[0-9]{3}[- ]?[0-9]{3}'
    normalize: [upper, strip: " -"]
terms:
  CODENAME: [Apollo, 阿波罗]
  PLACE: {words: [Mount Doom], case: ignore}
"#;

fn custom(name: &str) -> Kind {
    Kind::Custom(Label::new(name).expect("a TYPE"))
}

#[test]
fn rules_and_terms_find_their_own_beside_the_built_in_kinds() {
    let engine = engine(HOUSE);
    let text = "NYM-1234: jan@example.com climbs MOUNT DOOM with Apollo, 我们的阿波罗计划";
    assert_eq!(
        found(&engine, text),
        [
            "TICKET NYM-1234",
            "EMAIL jan@example.com",
            "PLACE MOUNT DOOM",
            "CODENAME Apollo",
            "CODENAME 阿波罗"
        ]
    );
    let clean = engine.filter(text);
    assert_eq!(engine.filter(&clean), clean);
    for name in ["TICKET", "PLACE", "CODENAME"] {
        assert!(clean.contains(&format!("[[{name}_")), "{clean}");
    }
}

#[test]
fn one_value_has_one_placeholder() {
    let engine = engine(HOUSE);
    let all = |texts: &[&str]| {
        let mut all: Vec<String> = texts
            .iter()
            .map(|text| engine.filter(text).into_owned())
            .collect();
        all.dedup();
        all
    };
    assert_eq!(
        all(&[
            "C-123-456",
            "c-123456",
            "C-123 456",
            "C\u{2011}123\u{a0}456",
            "C%2D123456"
        ])
        .len(),
        1
    );
    assert_eq!(
        all(&["Mount Doom", "mount doom", "MOUNT DOOM", "Mount\u{a0}Doom"]).len(),
        1
    );
    assert_eq!(all(&["NYM-123", "NYM-124"]).len(), 2);
    // Frozen: HMAC-SHA256 of the TYPE, 0 and the canonical value.
    assert_eq!(engine.filter("c-123 456"), golden("CONTRACT", "C123456"));
    assert_eq!(engine.filter("mount DOOM"), golden("PLACE", "Mount Doom"));
}

/// The placeholder of a value, by a term that is that value.
fn golden(name: &str, value: &str) -> String {
    let engine = engine(&format!("terms: {{{name}: ['{value}']}}"));
    engine.filter(value).into_owned()
}

#[test]
fn escapes_are_edges_and_encoded_letters_are_letters() {
    let json = engine(HOUSE);
    for (raw, rest) in [
        (r#"{"a":"\nApollo"}"#, [r#"{"a":"\n"#, r#""}"#]),
        (r#"{"a":"\u0041pollo\u0021"}"#, [r#"{"a":""#, r#"\u0021"}"#]),
        (r#"{"a":"x\tNYM-1234\\"}"#, [r#"{"a":"x\t"#, r#"\\"}"#]),
        (r#"{"Apollo":1}"#, [r#"{""#, r#"":1}"#]),
        (
            r#"{"a":"\u6211\u963f\u6ce2\u7f57"}"#,
            [r#"{"a":"\u6211"#, r#""}"#],
        ),
        (
            r#"{"a":"[\"\\u0041pollo\"]"}"#,
            [r#"{"a":"[\""#, r#"\"]"}"#],
        ),
    ] {
        let clean = json.filter(raw);
        let [before, after] = rest;
        assert!(
            clean.starts_with(&format!("{before}[[")) && clean.ends_with(&format!("]]{after}")),
            "{clean}"
        );
    }
    let text = text_engine(HOUSE);
    for raw in [
        "\\nApollo",
        "\u{1b}[31mApollo\u{1b}[0m",
        "%0AApollo",
        "\\\"Apollo\\\"",
        "Ａｐｏｌｌｏ",
        "Ap\u{ad}ollo",
    ] {
        assert_eq!(text.find(raw).len(), 1, "{raw}");
    }
}

#[test]
fn a_backslash_is_never_cut_in_two() {
    let engine =
        engine(r"rules: [{type: P, pattern: '\\[a-z]+'}, {type: Q, pattern: '[A-Z]{2}\\'}]");
    for (raw, start, end) in [
        (r#"["D:\\dune"]"#, r#"["D:[[P_"#, r#"]]"]"#),
        (r#"["AB\\C"]"#, r#"["[[Q_"#, r#"]]C"]"#),
        (r#"["AB\\dune"]"#, r#"["AB[[P_"#, r#"]]"]"#),
    ] {
        let clean = engine.filter(raw).into_owned();
        assert!(clean.starts_with(start) && clean.ends_with(end), "{clean}");
        serde_json::from_str::<serde_json::Value>(&clean).expect("JSON");
    }
}

#[test]
fn a_name_of_a_json_field_is_a_keyword_of_its_value() {
    let engine = engine(HOUSE);
    assert_eq!(
        found(&engine, r#"{"customer":"1234567","order":"7654321"}"#),
        ["CUSTOMER 1234567"]
    );
    assert_eq!(
        found(&engine, r#"{"customer_id": "x 1234567"}"#),
        ["CUSTOMER 1234567"]
    );
    assert_eq!(
        found(&engine, r#"{"[[customer_12345678]] x":"1234567"}"#),
        Vec::<String>::new()
    );
    assert_eq!(
        found(&engine, r#"{"[[CUSTOMER_12345678]]":"1234567"}"#),
        Vec::<String>::new()
    );
    // Numbers are left alone but for cards.
    assert_eq!(
        found(&engine, r#"{"customer":1234567}"#),
        Vec::<String>::new()
    );
    // The name is no edge: the world begins with the string.
    let engine = super::engine(r"rules: [{type: S, pattern: '^\d{3}'}]");
    assert_eq!(found(&engine, r#"{"a":"123456"}"#), ["S 123", "S 456"]);
}

#[test]
fn short_strings_of_json_are_searched_too() {
    let engine = engine("rules: [{type: N, pattern: '[0-9]', keywords: [ward]}]\nterms: {T: [X1]}");
    assert_eq!(found(&engine, r#"{"ward":"7","t":"X1"}"#), ["N 7", "T X1"]);
}

#[test]
fn no_rule_wins_over_a_built_in_kind() {
    let engine = engine(
        r"
rules:
  - {type: ALL, pattern: '[a-z0-9@.+ :\[\]_A-Z-]{2,}'}
terms: {T: [example, '+31', '4111']}
",
    );
    for value in [
        "jan@example.com",
        "+31612345678",
        "4111111111111111",
        "NL91ABNA0417164300",
        "93.184.216.34",
    ] {
        let kinds: Vec<_> = engine
            .find(value)
            .iter()
            .map(nymize::Finding::kind)
            .collect();
        assert_eq!(kinds.len(), 1, "{value}");
        assert!(Kind::ALL.contains(&kinds[0]), "{value}: {kinds:?}");
        let around = format!("see {value} there");
        let kinds: Vec<_> = engine
            .find(&around)
            .iter()
            .map(nymize::Finding::kind)
            .collect();
        assert_eq!(kinds.len(), 3, "{around}");
        assert!(Kind::ALL.contains(&kinds[1]), "{around}: {kinds:?}");
    }
    let placeholder = "a [[EMAIL_6c1f0a9e]] b";
    assert_eq!(
        found(&engine, placeholder),
        ["ALL a ", "ALL  b"],
        "placeholders are walls"
    );
}

#[test]
fn the_longer_wins_then_the_earlier() {
    let engine = engine(
        r"
rules:
  - {type: A, pattern: 'abc'}
  - {type: B, pattern: 'bcde'}
  - {type: C, pattern: 'efgh'}
",
    );
    assert_eq!(found(&engine, "abcdefgh"), ["B bcde"]);
    assert_eq!(found(&engine, "abcd efgh"), ["A abc", "C efgh"]);
    let same =
        super::engine("terms: {ONE: [Apollo 11]}\nrules: [{type: TWO, pattern: 'Apollo 11'}]");
    assert_eq!(found(&same, "Apollo 11").len(), 1);
}

#[test]
fn what_a_finding_opens_is_looked_at_again() {
    let engine = engine("rules: [{type: CUT, pattern: 'ab'}]\nterms: {T: [version]}");
    for (text, kinds) in [
        ("version 1.2.3.4", ["T", "IP"]),
        ("abNL91ABNA0417164300", ["CUT", "IBAN"]),
        ("ab2001:db8::1", ["CUT", "IP"]),
        ("ab4111111111111111", ["CUT", "CARD"]),
        ("xab5.5.5.5", ["CUT", "IP"]),
        ("abab", ["CUT", "CUT"]),
    ] {
        let found: Vec<String> = engine
            .find(text)
            .iter()
            .map(|f| f.kind().to_string())
            .collect();
        assert_eq!(found, kinds, "{text}");
        let once = engine.filter(text).into_owned();
        assert_eq!(engine.filter(&once), once);
    }
}

#[test]
fn a_match_lies_in_one_line_and_is_not_longer_than_256_bytes() {
    let engine =
        text_engine(r"rules: [{type: S, pattern: 'x[\s\S]*y'}, {type: W, pattern: 'K\s\d'}]");
    for text in ["x\ny", "x\ry", "x\r\ny", "x\u{2028}y", "x\\ny", "K\n1"] {
        assert_eq!(found(&engine, text), Vec::<String>::new(), "{text:?}");
    }
    assert_eq!(found(&engine, "K 1 x--y\n"), ["W K 1", "S x--y"]);
    let of = |n: usize| engine.find(&format!("x{}y", "-".repeat(n))).len();
    assert_eq!((of(254), of(255)), (1, 0));
    let wide = |n: usize| engine.find(&format!("x{}y", "é".repeat(n))).len();
    assert_eq!((wide(127), wide(128)), (1, 0), "bytes, not characters");
}

#[test]
fn kinds_of_packs_are_chosen_as_all_others_are() {
    let engine = engine(HOUSE);
    let text = "NYM-1234 Apollo jan@example.com";
    let with = |kinds: Kinds| found(&engine.with_kinds(kinds), text);
    assert_eq!(
        with(Kinds::NONE.with(custom("TICKET"))),
        ["TICKET NYM-1234"]
    );
    assert_eq!(
        with(Kinds::ALL.without(custom("TICKET"))),
        ["CODENAME Apollo", "EMAIL jan@example.com"]
    );
    assert_eq!(
        with(Kinds::NONE.with(Kind::Email)),
        ["EMAIL jan@example.com"]
    );
    let again = engine.with_kinds(Kinds::NONE).with_kinds(Kinds::ALL);
    assert_eq!(found(&again, text).len(), 3);
}

#[test]
fn packs_add_up_and_may_be_given_twice() {
    let pack = |yaml| nymize::RulePack::from_yaml(yaml, "p").expect("a pack");
    let house = pack(HOUSE);
    let both = builder(HOUSE)
        .rule_pack(house)
        .rule_pack(pack("terms: {CODENAME: [Zeus]}"))
        .build();
    let both = both.expect("an engine");
    assert_eq!(
        found(&both, "Apollo and Zeus"),
        ["CODENAME Apollo", "CODENAME Zeus"]
    );
    assert_eq!(both.filter("Apollo"), engine(HOUSE).filter("Apollo"));
}

#[test]
fn counts_name_the_kinds_of_packs() {
    let mut stream = engine(HOUSE).stream();
    let mut out = Vec::new();
    stream
        .push(b"NYM-123 NYM-124 jan@example.com Apollo\n", &mut out)
        .expect("text goes");
    let counts: Vec<String> = stream
        .counts()
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    assert_eq!(counts, ["1 EMAIL", "1 CODENAME", "2 TICKET"]);
    assert_eq!(stream.counts().get(custom("TICKET")), 2);
}

#[test]
fn a_base64_payload_is_warned_of_for_rules_too() {
    let engine = engine("terms: {T: [Apollo]}");
    // "about Apollo"
    let body = r#"{"model":"x","messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"text/plain","data":"YWJvdXQgQXBvbGxv"}}]}],"max_tokens":1}"#;
    let mut stream = engine.stream();
    let mut out = Vec::new();
    stream.push(body.as_bytes(), &mut out).expect("JSON goes");
    stream.finish(&mut out).expect("JSON goes");
    assert_eq!(String::from_utf8_lossy(&out), body);
    assert_eq!(stream.warnings().len(), 1);
    assert!(stream.warnings()[0].to_string().contains("1 T"));
}
