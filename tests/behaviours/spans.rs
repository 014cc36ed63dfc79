//! Which places of a text are replaced, where several could be.

use super::{VALUES, engine, filtered, mark, marks};
use nymize::Kind;

/// What is replaced is a place, not a text.
#[test]
fn b78_places_are_replaced_and_not_texts() {
    let mail = mark("alice@example.com");
    let ip = mark("93.184.216.34");
    for (text, expected) in [
        (
            "alice:alice@example.com alice",
            format!("alice:{mail} alice"),
        ),
        (
            "a alice@example.com a@ a alice@example.co m",
            format!("a {mail} a@ a {} m", mark("alice@example.co")),
        ),
        (
            "93.184.216.34 93.184.216.340 93.184.216.34.5.6 x93.184.216.34y",
            format!("{ip} 93.184.216.340 93.184.216.34.5.6 x93.184.216.34y"),
        ),
    ] {
        assert_eq!(filtered(text), expected);
    }
    // A number that is the tail of another.
    let text = "411111 4111111111111111 1111, 06-12345678 106-12345678";
    for finding in engine().find(text) {
        assert!(text[finding.range()].len() > 10);
    }
}

/// Where findings could overlap there is one, and no text is lost.
#[test]
fn b79_one_place_has_one_placeholder() {
    for (text, kinds) in [
        ("+4111111111111111", 1),
        ("0612345678@example.com", 1),
        ("jan@93.184.216.34", 1),
        ("4111 1111 1111 1111@example.com", 1),
        ("+31 6 1234 5678@example.com", 1),
        ("NL91ABNA0417164300@example.com", 1),
        ("2001:db8::93.184.216.34", 1),
        ("jan@example.com@example.org", 1),
    ] {
        let out = filtered(text);
        assert!(marks(&out).len() >= kinds, "{text}: {out}");
        assert!(!out.contains("]][["), "{text}: {out}");
        let found = engine().find(text);
        let mut end = 0;
        for finding in &found {
            assert!(end <= finding.range().start, "{text}");
            end = finding.range().end;
        }
        // All between the placeholders is what stood between the findings.
        let mut rebuilt = String::new();
        let mut at = 0;
        for finding in &found {
            rebuilt += &text[at..finding.range().start];
            rebuilt += &engine().placeholder(finding);
            at = finding.range().end;
        }
        assert_eq!(out, rebuilt + &text[at..]);
    }
}

/// A candidate that fails takes nothing from a value that begins inside it.
#[test]
fn b80_after_a_failed_candidate_the_search_goes_on() {
    let card = mark("4111 1111 1111 1111");
    for (text, expected) in [
        ("7 4111111111111111", format!("7 {card}")),
        ("12 34 4111 1111 1111 1111", format!("12 34 {card}")),
        (
            "4111 1111 1111 1111 2024-05-06",
            format!("{card} 2024-05-06"),
        ),
        (
            "NL00 NL91 ABNA 0417 1643 00",
            format!("NL00 {}", mark("NL91ABNA0417164300")),
        ),
        (
            "jan@@jan@noordwind.nl",
            format!("jan@@{}", mark("jan@noordwind.nl")),
        ),
        (
            "+999 +31 6 1234 5678",
            format!("+999 {}", mark("+31612345678")),
        ),
    ] {
        assert_eq!(filtered(text), expected, "{text}");
    }
    // A number of forty digits is one number, and none of ours.
    let long = "4111111111111111".repeat(3);
    assert_eq!(filtered(&long[..40]), long[..40]);
}

#[test]
fn b81_a_card_is_no_phone() {
    for card in [
        "4111-1111-1111-1111",
        "4111 1111 1111 1111",
        "5555-5555-5555-4444",
        "3782 822463 10005",
        "6011-0009-9013-9424",
    ] {
        for text in [card.to_owned(), format!("tel: {card}"), format!("({card})")] {
            let found = engine().find(&text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].kind(), Kind::Card, "{text}");
            assert_eq!(&text[found[0].range()], card);
        }
    }
}

#[test]
fn b82_a_value_ends_with_its_line() {
    for value in VALUES {
        for next in ["1. Next", "12", "2024", " 34", "(1)", "a", "\t5"] {
            for end in ["\n", "\r\n", "\r"] {
                let text = format!("{value}{end}{next}");
                assert_eq!(
                    filtered(&text),
                    format!("{}{end}{next}", mark(value)),
                    "{text:?}"
                );
            }
        }
    }
}
