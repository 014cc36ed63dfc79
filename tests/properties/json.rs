//! What holds for every JSON text, however it is spelled.

use nymize::{Format, Key, Pseudonymizer};
use proptest::prelude::*;

use super::checks::json::{Tree, is_json};
use super::spelled::{Choices, VALUES, document, written};
use super::{engine, every_split, in_single_bytes, streamed};

fn strict() -> Pseudonymizer {
    engine().with_format(Format::Json)
}

/// Whether a value shows in a text.
fn shows(text: &str) -> Option<&'static str> {
    VALUES.into_iter().find(|value| text.contains(value))
}

/// No string and no key holds a planted value, at any level.
fn hides_values(tree: &Tree) -> Result<(), TestCaseError> {
    match tree {
        Tree::String(text) => {
            prop_assert_eq!(shows(text), None, "in {:?}", text);
            if let Some(inner @ (Tree::Array(_) | Tree::Object(_))) = Tree::read(text.as_bytes()) {
                hides_values(&inner)?;
            }
        }
        Tree::Array(items) => items.iter().try_for_each(hides_values)?,
        Tree::Object(members) => {
            for (key, value) in members {
                prop_assert_eq!(shows(key), None, "in the key {:?}", key);
                hides_values(value)?;
            }
        }
        Tree::Number(number) => prop_assert_ne!(number.to_string(), "4111111111111111"),
        Tree::Null | Tree::Bool(_) => {}
    }
    Ok(())
}

/// Pieces of JSON, and of what is nearly JSON.
fn near_json() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\n",
        " ",
        "\"a\":",
        "\"jan@example.com\"",
        "jan@example.com",
        "4111111111111111",
        "{\"a\":\"\\u006aan@example.com\"}",
        "[4111111111111111]",
        "\"[\\\"+31612345678\\\"]\"",
        "{\"a\":1}\n",
        "[[EMAIL_6c1f0a9e]]",
        "\u{feff}",
        "\\u00",
        "\\ud83d",
        "é",
        "-",
        "1e5",
        "nul",
        "true",
        "[INFO] ",
    ]);
    prop::collection::vec(pieces, 0..9).prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Valid JSON in, valid JSON out, of the same structure: the same keys in the same order, equal
    /// ones too; the same values but for strings that hold findings and numbers that are cards.
    #[test]
    fn json_of_any_spelling_keeps_its_structure_and_no_value(
        node in document(), row in prop::collection::vec(any::<u8>(), 1..64),
    ) {
        let text = written(&node, &mut Choices::new(row));
        // `file,v 1.2.3.4` is a revision of RCS.
        prop_assume!(!text.contains(",v "));
        let before = Tree::read(text.as_bytes()).expect("it is written well");
        let clean = engine().filter(&text).into_owned();
        let after = Tree::read(clean.as_bytes());
        prop_assert!(after.is_some(), "{} became {}", text, clean);
        let after = after.expect("just asked");
        prop_assert!(before.has_become(&after), "{} became {}", text, clean);
        if let Err(shown) = hides_values(&after) {
            prop_assert!(false, "{} became {}: {}", text, clean, shown);
        }
    }

    #[test]
    fn a_second_pass_over_json_finds_nothing(
        node in document(), row in prop::collection::vec(any::<u8>(), 1..64),
    ) {
        let text = written(&node, &mut Choices::new(row));
        let once = engine().filter(&text).into_owned();
        prop_assert_eq!(&*engine().filter(&once), &once, "{}", text);
        // Nor does one of another key, for JSON alone.
        let other = Pseudonymizer::builder(Key::from_bytes([8; 32])).regions(["NL", "US", "DE"]).format(Format::Json);
        prop_assert_eq!(&*other.build().expect("known regions").filter(&once), &once);
    }

    /// What surrounds a document makes no difference to it: lines before it, text behind it.
    #[test]
    fn json_lines_are_filtered_each_by_itself(
        nodes in prop::collection::vec(document(), 1..4), row in prop::collection::vec(any::<u8>(), 1..64),
        broken in prop::sample::select(vec!["", "plain text\n", "{\"cut\":\"x\n", "[1,\n", "]\n", "\n\n"]),
    ) {
        let mut choices = Choices::new(row);
        // JSON Lines: no line end within a document.
        let lines: Vec<String> = nodes.iter().map(|node| written(node, &mut choices).replace(['\r', '\n'], " ")).collect();
        let text = format!("{}\n{broken}{}\n", lines[0], lines.join("\n"));
        let clean: Vec<_> = lines.iter().map(|line| engine().filter(line)).collect();
        let expected = format!("{}\n{broken}{}\n", clean[0], clean.join("\n"));
        prop_assert_eq!(&*engine().filter(&text), &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_split_of_a_small_document_gives_the_whole(
        node in document(), row in prop::collection::vec(any::<u8>(), 1..64),
    ) {
        let text = written(&node, &mut Choices::new(row));
        prop_assume!(text.len() <= 300);
        every_split(&engine(), text.as_bytes())?;
        prop_assert_eq!(in_single_bytes(&strict(), text.as_bytes()), Some(strict().filter_bytes(text.as_bytes()).into_owned()));
    }

    #[test]
    fn any_split_of_what_is_nearly_json_gives_the_whole(text in near_json()) {
        every_split(&engine(), &text)?;
        // Where it must be JSON, it is refused, or it is JSON and comes whole.
        let single = in_single_bytes(&strict(), &text);
        if let Some(out) = single {
            prop_assert_eq!(out, streamed(&strict(), &text, &[]));
        } else {
            prop_assert!(!is_json(&text));
        }
    }
}
