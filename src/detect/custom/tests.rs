use super::*;
use crate::kind::Label;

fn kind(name: &str) -> Kind {
    Kind::Custom(Label::new(name).unwrap())
}

fn rule(name: &str, pattern: &str) -> Rule {
    Rule {
        kind: kind(name),
        pattern: Pattern::compile(pattern).unwrap(),
        checksum: Checksum::None,
        normalize: Vec::new(),
        keywords: Vec::new(),
    }
}

fn asks(name: &str, pattern: &str, keywords: &[&str]) -> Rule {
    Rule {
        keywords: keywords.iter().map(|&word| word.to_owned()).collect(),
        ..rule(name, pattern)
    }
}

fn custom(rules: Vec<Rule>, terms: Vec<Terms>) -> Custom {
    let rules = rules.into_iter().map(Arc::new).collect();
    Custom::new(rules, terms.into_iter().map(Arc::new).collect()).unwrap()
}

/// TYPE and text of all that holds, in order.
fn told(custom: &Custom, piece: Piece<'_>) -> Vec<String> {
    let mut told = Vec::new();
    custom.search(&mut Desk::default(), piece, |finding| {
        let text = String::from_utf8_lossy(&piece.text[finding.range()]).into_owned();
        told.push((finding.range().start, format!("{} {text}", finding.kind())));
    });
    told.sort();
    told.into_iter().map(|(_, told)| told).collect()
}

fn all(text: &str) -> Piece<'_> {
    Piece {
        text: text.as_bytes(),
        edge: 0,
        from: 0,
    }
}

#[test]
fn every_rule_and_term_that_holds_is_told() {
    let terms = Terms {
        kind: kind("T"),
        words: vec!["Apollo".into(), "Zeus".into()],
        any_case: false,
    };
    let custom = custom(
        vec![
            rule("A", r"\bA\d+"),
            rule("B", r"\d{2}"),
            rule("C", "never"),
        ],
        vec![terms],
    );
    assert_eq!(
        told(&custom, all("A123 Zeus 45")),
        ["A A123", "B 12", "T Zeus", "B 45"]
    );
    assert_eq!(told(&custom, all("nothing")), Vec::<String>::new());
    let off = custom.with_kinds(&Kinds::ALL.without(kind("B"))).unwrap();
    assert_eq!(told(&off, all("A123 Zeus 45")), ["A A123", "T Zeus"]);
    let off = custom.with_kinds(&Kinds::NONE.with(kind("T"))).unwrap();
    assert_eq!(told(&off, all("A123 Zeus 45")), ["T Zeus"]);
    assert!(custom.with_kinds(&Kinds::NONE.with(Kind::Email)).is_none());
}

#[test]
fn a_match_is_an_edge_for_the_next() {
    let custom = custom(vec![rule("A", r"\bK\d"), rule("S", "^ab")], Vec::new());
    assert_eq!(told(&custom, all("K1K2K3 xK4")), ["A K1", "A K2", "A K3"]);
    assert_eq!(told(&custom, all("abab ab")), ["S ab", "S ab"]);
}

#[test]
fn keywords_stand_whole_and_near_in_any_case() {
    let custom = custom(
        vec![
            asks("ID", r"\d+", &["customer", "Kunden-Nr."]),
            rule("X", "x{9}"),
        ],
        Vec::new(),
    );
    let gap = |n| "-".repeat(n);
    for (text, expected) in [
        ("customer 7".to_owned(), vec!["ID 7"]),
        ("CUSTOMER: 12, 34".to_owned(), vec!["ID 12", "ID 34"]),
        ("7 customer".to_owned(), vec![]),
        ("customers 7".to_owned(), vec![]),
        ("customer_7".to_owned(), vec!["ID 7"]),
        ("kunden-nr.42".to_owned(), vec!["ID 42"]),
        // The keyword begins 32 bytes before the number, and 33.
        (format!("customer{}7", gap(24)), vec!["ID 7"]),
        (format!("customer{}7", gap(25)), vec![]),
        (format!("customer{}customer 7", gap(99)), vec!["ID 7"]),
        (
            format!("customer 1{}customer 2", gap(40)),
            vec!["ID 1", "ID 2"],
        ),
    ] {
        assert_eq!(told(&custom, all(&text)), expected, "{text}");
    }
}

#[test]
fn the_edge_parts_context_from_the_world_of_matches() {
    let custom = custom(
        vec![
            asks("ID", r"\b\d+", &["id"]),
            rule("Z", "^z"),
            rule("W", r"\bw"),
        ],
        Vec::new(),
    );
    let piece = |text: &'static str, edge, from| Piece {
        text: text.as_bytes(),
        edge,
        from,
    };
    assert_eq!(told(&custom, piece("id\": \"7", 6, 6)), ["ID 7"]);
    assert_eq!(
        told(&custom, piece("id7", 2, 2)),
        Vec::<String>::new(),
        "id is no word there"
    );
    assert_eq!(told(&custom, piece("xzw", 1, 1)), ["Z z"]);
    assert_eq!(
        told(&custom, piece("xw w", 0, 1)),
        ["W w"],
        "from is no edge"
    );
    assert_eq!(told(&custom, piece("z w", 0, 1)), ["W w"]);
}

#[test]
fn a_failed_match_hides_nothing_that_begins_inside() {
    let custom = custom(
        vec![Rule {
            checksum: Checksum::Luhn,
            ..rule("L", r"\d{11}")
        }],
        Vec::new(),
    );
    assert_eq!(told(&custom, all("2279927398713")), ["L 79927398713"]);
    assert_eq!(told(&custom, all("79927398714")), Vec::<String>::new());
}

#[test]
fn too_much_together_is_refused() {
    let rules = (0..9)
        .map(|i| Arc::new(rule("A", &format!(r"\w{{60}}{i}"))))
        .collect();
    assert!(Custom::new(rules, Vec::new()).is_none());
}
