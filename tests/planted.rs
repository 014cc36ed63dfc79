//! What is planted is found whole, and what surrounds it stays: generated values of each kind in
//! generated surroundings.

use std::ops::Range;
use std::sync::OnceLock;

use nymize::{Key, Kind, Pseudonymizer};
use phonenumber::{Mode, metadata::DATABASE};
use proptest::prelude::*;

fn engine() -> &'static Pseudonymizer {
    static ENGINE: OnceLock<Pseudonymizer> = OnceLock::new();
    ENGINE.get_or_init(|| {
        Pseudonymizer::builder(Key::from_bytes([7; 32]))
            .build()
            .expect("no setting is wrong")
    })
}

/// What may stand before a value, and after it. An empty one is the start or the end of the text.
fn surroundings() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop_oneof![
        prop::sample::select(vec![
            ("", ""),
            ("see ", " now"),
            ("(", ")"),
            ("[", "]"),
            ("\"", "\""),
            ("'", "'"),
            ("<", ">"),
            ("`", "`"),
            ("*", "*"),
            ("{\"k\":\"", "\",\"n\":1}"),
            ("key: ", "\r\nnext"),
            ("x\ty\t", "\tz"),
            ("a,", ",b"),
            ("a;", ";b"),
            ("a | ", " | b"),
            ("\u{201c}", "\u{201d}"),
            ("「", "」"),
            ("\u{ab}", "\u{bb}"),
            ("一二", "三四"),
            ("これは", "です"),
            ("line\n", "\nline"),
            ("\\n", "\\n"),
            ("\\\"", "\\\""),
            ("\\t", "\\r\\n"),
            ("\u{1b}[31m", "\u{1b}[0m"),
            ("\u{feff}", ""),
            ("<b>", "</b>"),
            ("&nbsp;", "&nbsp;"),
            ("%20", "%20"),
            ("[[EMAIL_6c1f0a9e]] ", " [[IP_6c1f0a9e]]"),
            ("\u{2028}", "\u{2028}"),
            ("\u{200b}", "\u{200b}"),
        ]),
        (
            prop::sample::select(vec![
                "", "to ", "(", "=> ", "\n\n", "说", "\u{a0}", "-- ", "\u{ff1a}"
            ]),
            prop::sample::select(vec![
                "", ".", ", ok", "!", "?", ";", " - ", "\u{3002}", "...", "\n", ")", "\u{2026}"
            ]),
        ),
    ]
}

fn found_whole(kind: Kind, value: &str, around: (&str, &str)) -> Result<(), TestCaseError> {
    let text = format!("{}{value}{}", around.0, around.1);
    let found: Vec<(Kind, Range<usize>)> = engine()
        .find(&text)
        .iter()
        .map(|f| (f.kind(), f.range()))
        .collect();
    let start = around.0.len();
    prop_assert_eq!(
        found,
        vec![(kind, start..start + value.len())],
        "{:?}",
        text
    );
    let filtered = engine().filter(&text).into_owned();
    prop_assert!(filtered.starts_with(around.0) && filtered.ends_with(around.1));
    Ok(())
}

fn email() -> impl Strategy<Value = String> {
    let word = "[a-z][a-z0-9]{0,9}";
    let local = (
        word,
        prop::collection::vec(
            (prop::sample::select(vec![".", "_", "-", "+", "'"]), word),
            0..3,
        ),
    )
        .prop_map(|(first, more)| {
            more.into_iter()
                .fold(first, |all, (mark, word)| all + mark + &word)
        });
    let domain = (
        prop::collection::vec("[a-z][a-z0-9]{1,8}(-[a-z0-9]{1,4})?", 1..4),
        prop::sample::select(vec![
            "com", "org", "nl", "de", "co.uk", "io", "museum", "example", "com.br", "dev",
        ]),
    )
        .prop_map(|(labels, top)| labels.join(".") + "." + top);
    (local, domain).prop_map(|(local, domain)| format!("{local}@{domain}"))
}

/// In fours, whole, by dashes, or in lower case.
fn grouped(compact: &str, style: usize) -> String {
    let fours = |separator: &str| {
        let groups: Vec<_> = compact
            .as_bytes()
            .chunks(4)
            .map(|g| std::str::from_utf8(g).expect("ASCII"))
            .collect();
        groups.join(separator)
    };
    match style {
        0 => compact.to_owned(),
        1 => fours(" "),
        2 => fours("-"),
        3 => fours("\u{a0}"),
        _ => compact.to_lowercase(),
    }
}

fn iban() -> impl Strategy<Value = String> {
    let bban = prop_oneof![
        "[A-Z]{4}[0-9]{10}".prop_map(|b| ("NL", b)),
        "[0-9]{18}".prop_map(|b| ("DE", b)),
        "[A-Z]{4}[0-9]{14}".prop_map(|b| ("GB", b)),
        "[0-9]{16}".prop_map(|b| ("AT", b)),
        "[0-9]{24}".prop_map(|b| ("PL", b)),
        "[A-Z]{4}[0-9]{5}[A-Z0-9]{18}".prop_map(|b| ("MT", b)),
        "[0-9]{17}".prop_map(|b| ("CH", b)),
    ];
    (bban, 0_usize..5).prop_map(|((country, bban), style)| {
        let remainder = format!("{bban}{country}00")
            .bytes()
            .fold(0_u32, |sum, byte| {
                let value = (byte as char).to_digit(36).expect("a letter or digit");
                (sum * if value < 10 { 10 } else { 100 } + value) % 97
            });
        grouped(&format!("{country}{:02}{bban}", 98 - remainder), style)
    })
}

fn card() -> impl Strategy<Value = String> {
    let body = prop_oneof![
        "4[0-9]{14}",
        "5[1-5][0-9]{13}",
        "2[3-6][0-9]{13}",
        "6011[0-9]{11}",
        "35[3-8][0-9]{12}",
    ];
    (body, 0_usize..4).prop_map(|(body, style)| {
        let sum: u32 = body
            .bytes()
            .rev()
            .enumerate()
            .map(|(i, b)| u32::from(b - b'0') * if i % 2 == 0 { 2 } else { 1 })
            .map(|n| if n > 9 { n - 9 } else { n })
            .sum();
        grouped(&format!("{body}{}", (10 - sum % 10) % 10), style)
    })
}

fn ip() -> impl Strategy<Value = String> {
    let v4 = (11_u8..224, any::<u8>(), any::<u8>(), 1_u8..255)
        .prop_filter("these identify nobody", |&(a, ..)| a != 127)
        .prop_map(|(a, b, c, d)| format!("{a}.{b}.{c}.{d}"));
    let v6 = prop::array::uniform6(1_u16..).prop_map(|g| {
        format!(
            "2001:db8:{:x}:{:x}:{:x}:{:x}:{:x}:{:x}",
            g[0], g[1], g[2], g[3], g[4], g[5]
        )
    });
    let short = (1_u16.., 1_u16..).prop_map(|(a, b)| format!("2a02:{a:x}::{b:x}"));
    prop_oneof![v4, v6, short]
}

/// The example numbers of every region, in the ways in which libphonenumber writes them.
fn phones() -> &'static [String] {
    static PHONES: OnceLock<Vec<String>> = OnceLock::new();
    PHONES.get_or_init(|| {
        let mut all = Vec::new();
        for plan in DATABASE.iter() {
            let kinds = [plan.descriptors().fixed_line(), plan.descriptors().mobile()];
            for example in kinds.into_iter().flatten().filter_map(|d| d.example()) {
                let text = format!("+{}{example}", plan.country_code());
                if let Ok(number) = phonenumber::parse(None, &text) {
                    all.push(number.format().mode(Mode::International).to_string());
                    all.push(number.format().mode(Mode::E164).to_string());
                }
            }
        }
        all.sort();
        all.dedup();
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn emails(value in email(), around in surroundings()) {
        found_whole(Kind::Email, &value, around)?;
    }

    #[test]
    fn ibans(value in iban(), around in surroundings()) {
        found_whole(Kind::Iban, &value, around)?;
    }

    #[test]
    fn cards(value in card(), around in surroundings()) {
        found_whole(Kind::Card, &value, around)?;
    }

    #[test]
    fn ips(value in ip(), around in surroundings()) {
        found_whole(Kind::Ip, &value, around)?;
    }

    #[test]
    fn phones_of_all_regions(value in any::<prop::sample::Index>(), around in surroundings()) {
        found_whole(Kind::Phone, value.get::<String>(phones()), around)?;
    }
}
