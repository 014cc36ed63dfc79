//! The placeholders of known values under a known key, worked out by another implementation
//! (Python's `hmac`) from the canonical values of the documentation. They are frozen: another
//! placeholder for the same key and value is a breaking change.

use nymize::{Key, Pseudonymizer};

/// TYPE, HMAC-SHA256 of the canonical value, and spellings of that value. Two entries are two
/// different people or things, however alike they look.
const GOLDEN: &[(&str, &str, &[&str])] = &[
    (
        "EMAIL",
        "3cdd8ba820bd7850d0b1cc49528ebc4960ff4819726af7b3118152ee0d09a001",
        &[
            "jan@example.com",
            "Jan@Example.COM",
            "jan%40example.com",
            "jan&#64;example.com",
            "jan@EXAMPLE.com",
            "ja\u{200d}n@example.com",
        ],
    ),
    (
        "EMAIL",
        "5db6891cbaf2b58c2d91ba667e8701ee18a5632ff23a96d90aa4b420fddb36d8",
        &[
            "jan.de.vries+news@example.com",
            "Jan.de.Vries+News@example.com",
        ],
    ),
    (
        "EMAIL",
        "d6276cf480f70b899a32ab1549d75de65238ee6d2dc444b75fccbc9598eaa7ed",
        &["jandevries@example.com"],
    ),
    (
        "EMAIL",
        "ed4e70b1ded697090701ab254047a54e5a40bf16fed8fc31db66b1094198c6de",
        &["stra\u{df}e@example.com", "STRA\u{df}E@example.com"],
    ),
    (
        "EMAIL",
        "57dffbe331c5888d75572e36002e5fef89d966ce955202a46ed2f33ccb6b1378",
        &["strasse@example.com"],
    ),
    (
        "EMAIL",
        "174de6d748b941cba5c8de9c6fcd715f0964482d8e71d5f574ae292fbef66bb8",
        &["\u{130}nci@example.com", "i\u{307}nci@example.com"],
    ),
    (
        "EMAIL",
        "76c4817211d36cb1eaa7233fdba5c174b09fd960af78fad9b92108f9ffb08cbf",
        &["inci@example.com"],
    ),
    (
        "EMAIL",
        "0c860c76bec1cba749c6110375379ce81fcfde81c13cf37845e14911738f18c2",
        &[
            "ren\u{e9}@example.com",
            "rene\u{301}@example.com",
            "REN\u{c9}@example.com",
        ],
    ),
    (
        "EMAIL",
        "c4e9cf9cf9024a1da624ecb7b127c849f8bcdc48b00cd3980d2d23120389d4ce",
        &[
            "jan@b\u{fc}cher.example",
            "jan@B\u{dc}CHER.example",
            "jan@xn--bcher-kva.example",
            "jan@bu\u{308}cher.example",
        ],
    ),
    (
        "IBAN",
        "1bcbdb2c72fc1bebede5cad346db4b8094e35b36322e9f83a991640e5e271cd8",
        &[
            "NL91ABNA0417164300",
            "NL91 ABNA 0417 1643 00",
            "nl91 abna 0417 1643 00",
            "NL91-ABNA-0417-1643-00",
            "NL91\u{a0}ABNA\u{a0}0417\u{a0}1643\u{a0}00",
            "NL91\u{202f}ABNA\u{202f}0417\u{202f}1643\u{202f}00",
        ],
    ),
    (
        "CARD",
        "1c23d9b3e881d1fa254ce4a12e0794f630f4ba56e5f7775abe13ba1a1f5a1fbb",
        &[
            "4111111111111111",
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
        ],
    ),
    (
        "PHONE",
        "ea44edfc3b460e98c27e08b98192ae56f97ea3f5b68aef0cb65209c1208b52f1",
        &[
            "+31612345678",
            "+31 6 1234 5678",
            "+31 6 12345678",
            "+31-6-12345678",
            "0031612345678",
            "0031 6 12345678",
            "+31 (0)6 12345678",
            "06-12345678",
            "06 12345678",
            "0612345678",
            "\u{ff0b}\u{ff13}\u{ff11}\u{ff16}\u{ff11}\u{ff12}\u{ff13}\u{ff14}\u{ff15}\u{ff16}\u{ff17}\u{ff18}",
        ],
    ),
    (
        "PHONE",
        "217bef59f32d4e8f38eab69e636fbc4ec1c3487f28ad36ade38607970e66cb7a",
        &[
            "+1 415 555 2671",
            "+14155552671",
            "(415) 555-2671",
            "415-555-2671",
            "415.555.2671",
        ],
    ),
    (
        "PHONE",
        "a06c886f3c281ebd1d6e8ed4688846b8bdfc2a36f3cb5fe056ed4eba7f9c09c5",
        &["+1 415 555 2671 ext. 12", "(415) 555-2671 x12"],
    ),
    (
        "IP",
        "0bff9aa83d5c905e3a0676947652bb87c05687126aca0b81302b3747fe4e85fa",
        &[
            "2001:db8::1",
            "2001:DB8::1",
            "2001:db8:0:0:0:0:0:1",
            "2001:0db8:0000:0000:0000:0000:0000:0001",
        ],
    ),
    (
        "IP",
        "9bee3f3f53e0ed716a99d36069e3f1166f1771c26c844076ffabc8e1d5322e4a",
        &["93.184.216.34", "::ffff:93.184.216.34", "::ffff:5db8:d822"],
    ),
];

fn engine(digits: usize) -> Pseudonymizer {
    let mut key = [0; 32];
    for (byte, value) in key.iter_mut().zip(0..) {
        *byte = value;
    }
    Pseudonymizer::builder(Key::from_bytes(key))
        .regions(["NL"])
        .hash_length(digits)
        .build()
        .expect("the region is known")
}

#[test]
fn every_spelling_has_the_frozen_placeholder() {
    let mut differences = Vec::new();
    for digits in [8, 16, 64] {
        let engine = engine(digits);
        for (label, hash, spellings) in GOLDEN {
            let expected = format!("to [[{label}_{}]]", &hash[..digits]);
            for spelling in *spellings {
                let filtered = engine.filter(&format!("to {spelling}")).into_owned();
                if filtered != expected {
                    differences.push(format!("{spelling}: {filtered}, not {expected}"));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn different_values_have_different_placeholders() {
    let mut hashes: Vec<&str> = GOLDEN.iter().map(|(_, hash, _)| *hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), GOLDEN.len());
}

#[test]
fn the_placeholder_of_a_finding_is_the_one_in_the_text() {
    let engine = engine(8);
    let text = "call +31 6 1234 5678";
    let found = engine.find(text);
    assert_eq!(found.len(), 1);
    assert_eq!(engine.placeholder(&found[0]), "[[PHONE_ea44edfc]]");
    assert_eq!(engine.filter(text), "call [[PHONE_ea44edfc]]");
}
