//! The allow list: what is on it stays, in whatever spelling, by every way through the library.

use std::fmt::Write;

use nymize::{AllowList, Format, Key, Kind, Kinds, Pseudonymizer};

fn engine(entries: &[&str]) -> Pseudonymizer {
    try_engine(entries).unwrap_or_else(|error| panic!("{error}"))
}

fn try_engine(entries: &[&str]) -> Result<Pseudonymizer, nymize::Error> {
    let allow: AllowList = entries.iter().copied().collect();
    assert_eq!(allow.len(), entries.len());
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .regions(["NL"])
        .allow(allow)
        .build()
}

#[track_caller]
fn stays(engine: &Pseudonymizer, text: &str) {
    assert_eq!(engine.filter(text), text);
    assert_eq!(engine.find(text), []);
    let mut out = Vec::new();
    engine
        .copy(text.as_bytes(), &mut out)
        .expect("memory takes all");
    assert_eq!(out, text.as_bytes());
    assert_eq!(engine.allowed(text.as_bytes()).len(), 1, "{text}");
}

#[track_caller]
fn goes(engine: &Pseudonymizer, text: &str) {
    assert_ne!(engine.filter(text), text);
    assert_eq!(engine.find(text).len(), 1, "{text}");
    assert!(engine.allowed(text.as_bytes()).is_empty());
}

#[test]
fn values_in_any_spelling() {
    let engine = engine(&[
        "Jan@Example.com",
        "NL91 ABNA 0417 1643 00",
        "4111-1111-1111-1111",
        "+31 (0)6 1234 5678",
        "(415) 555-2671",
        "2001:DB8:0::1",
        "192.0.2.7",
        "info@münchen.example",
        "\"a b\"@example.org",
    ]);
    for text in [
        "jan@example.com",
        "mail JAN@example.COM.",
        "jan%40example.com",
        "nl91abna0417164300",
        "4111111111111111",
        "bel 06-12345678",
        "0031612345678",
        "+1 415 555 2671",
        "2001:db8::1",
        "192.0.2.7:80",
        "info@xn--mnchen-3ya.example",
        "\"a b\"@example.org",
    ] {
        stays(&engine, text);
    }
    for text in [
        "anna@example.com",
        "jan@mail.example.com",
        "NL20INGB0001234567",
        "5555 5555 5555 4444",
        "bel 06-12345679",
        "2001:db8::2",
        "192.0.2.8",
    ] {
        goes(&engine, text);
    }
}

#[test]
fn domains_with_their_subdomains() {
    let engine = engine(&["Example.com", "münchen.example", "sub.example.org"]);
    for text in [
        "jan@example.com",
        "jan@EXAMPLE.com",
        "jan@a.b.example.com",
        "jan@xn--mnchen-3ya.example",
        "jan@post.München.example",
        "jan@sub.example.org",
    ] {
        stays(&engine, text);
    }
    for text in [
        "jan@badexample.com",
        "jan@example.com.evil.org",
        "jan@example.org",
    ] {
        goes(&engine, text);
    }
}

#[test]
fn networks() {
    let all = engine(&["10.0.0.0/8", "2001:db8::/32", "198.51.100.7", "0.0.0.0/0"]);
    stays(&all, "8.8.8.8");
    stays(&all, "2001:db8:1::7");
    goes(&all, "2001:db9::1");
    let engine = engine(&["10.0.0.0/8", "198.51.100.7"]);
    for text in ["10.200.3.4", "::ffff:10.1.2.3", "198.51.100.7"] {
        stays(&engine, text);
    }
    for text in ["11.0.0.1", "198.51.100.8", "64:ff9b::a00:1"] {
        goes(&engine, text);
    }
}

#[test]
fn patterns_match_the_whole_canonical_form() {
    let engine = engine(&[
        r"/test-\d+@example\.org/",
        "/NL91.*|DE/",
        r"/\+3161234567\d/",
    ]);
    for text in [
        "TEST-12@example.org",
        "nl91 abna 0417 1643 00",
        "bel 06-12345678",
    ] {
        stays(&engine, text);
    }
    for text in [
        "xtest-12@example.org",
        "test-12@example.org.uk",
        "test-@example.org",
        "NL20INGB0001234567",
        "DE89370400440532013000",
        "bel 06-12345688",
    ] {
        goes(&engine, text);
    }
}

#[test]
fn what_is_no_entry_is_refused_without_a_word_of_it() {
    for entry in [
        "",
        " jan@example.com",
        "jan@example.com\n",
        "jan@example",
        "jan",
        "Jan de Vries",
        "com",
        "*.example.com",
        "@example.com",
        "jan@example.com, anna@example.com",
        "private",
        "10.0.0.0/33",
        "10.0.0/8",
        "06-12345678",
        "4111111111111112",
        "[[EMAIL_3cdd8ba8]]",
        "//",
        "/jan(/",
        "/a)|(b/",
        "/(?=jan).*/",
        "/.*/",
        "/x?/",
        "/(a{500}){500}/",
        &"a".repeat(2_000),
    ] {
        let error = try_engine(&["ok@example.org", entry])
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("allow list, entry 2: "), "{error}");
        for piece in ["jan", "Jan", "example", "4111", "06-", "private", "0/33"] {
            assert!(!error.contains(piece), "{error}");
        }
    }
}

#[test]
fn what_is_allowed_is_a_wall_all_the_same() {
    let none = engine(&[]);
    let some = engine(&["a@x.nl"]);
    let placeholder = none.filter("a@x.nl");
    for (text, others) in [
        ("a@x.nl anna@example.org", 1),
        ("a@x.nl:anna@example.org", 1),
        // Only a wall behind them makes a place of the colons.
        ("1112::a@x.nl", 1),
    ] {
        let replaced = none.filter(text).replacen(&*placeholder, "a@x.nl", 1);
        assert_eq!(some.filter(text), replaced);
        assert_eq!(some.find(text).len(), others);
    }
}

#[test]
fn json_and_yaml_stay_as_they_are() {
    let engine = engine(&["4111111111111111", "jan@example.com"]);
    let json = r#"{"card":4111111111111111,"mail":"jan\u0040example.com"}"#;
    assert_eq!(engine.filter(json), json);
    let yaml = "card: 4111111111111111\nmail: jan@example.com\nother: anna@example.com\n";
    let filtered = engine.with_format(Format::Yaml).filter(yaml).into_owned();
    assert!(filtered.starts_with("card: 4111111111111111\nmail: jan@example.com\nother: '[["));
}

#[test]
fn other_kinds_and_formats_keep_the_list() {
    let engine = engine(&["jan@example.com", "192.0.2.7"]);
    let mail = engine.with_kinds(Kinds::NONE.with(Kind::Email));
    stays(&mail, "jan@example.com");
    goes(&mail, "anna@example.com");
    stays(&engine.with_format(Format::Text), "192.0.2.7");
}

#[test]
fn near_misses_are_not_told_of_what_is_allowed() {
    let text = "1.2.3.4.5 and jan@example.com";
    let misses = |engine: &Pseudonymizer| engine.near_misses(text.as_bytes());
    assert_eq!(misses(&engine(&[])), misses(&engine(&["jan@example.com"])));
}

#[test]
fn ten_thousand_entries() {
    let entries: Vec<String> = (0..10_000)
        .map(|i| match i % 4 {
            0 => format!("user-{i}@example.org"),
            1 => format!("d{i}.example.net"),
            2 => format!("10.{}.{}.0/24", i / 256 % 256, i % 256),
            _ => format!("2001:db8:{i:x}::/48"),
        })
        .collect();
    let allow: AllowList = entries.iter().map(String::as_str).collect();
    let engine = Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .allow(allow)
        .build()
        .expect("entries");
    let mut text = String::new();
    for i in (0..10_000).step_by(4) {
        writeln!(
            text,
            "user-{i}@example.org x@a.d{}.example.net 10.{}.{}.9",
            i + 1,
            (i + 2) / 256,
            (i + 2) % 256
        )
        .expect("a string takes all");
    }
    assert_eq!(engine.filter(&text), text);
    goes(&engine, "user-1@example.org");
    goes(&engine, "10.0.3.1");
    let debug = format!(
        "{:?}",
        entries.iter().map(String::as_str).collect::<AllowList>()
    );
    assert!(!debug.contains("example"), "{debug}");
}
