//! What holds for every text: nothing changes where nothing is found, and nothing that was found is
//! left, in whatever form it was written.

use std::borrow::Cow;

use nymize::{Format, Pseudonymizer};
use proptest::prelude::*;

use super::spelled::VALUES;
use super::{engine, every_split, pieces, streamed};

/// The formats that take any text.
const FORMATS: [Format; 4] = [Format::Text, Format::Auto, Format::Yaml, Format::Toml];

/// Bytes as they come: any, those of ASCII, and those that shapes are made of.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..400),
        prop::collection::vec(0_u8..0x80, 0..400),
        "[0-9 .:+@()\\-\\n]{0,400}".prop_map(String::into_bytes),
        "\\PC{0,200}".prop_map(String::into_bytes),
        pieces(),
    ]
}

/// A way to write a character that is read as the character itself.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// `\u0040`, with so many backslashes.
    Json(usize),
    /// `%40`
    Percent,
    /// `&#64;`
    Decimal,
    /// `&#x40;`
    Hex,
    /// `\x40`
    C,
    /// Its full-width form.
    Wide,
}

impl Form {
    fn write(self, c: char) -> String {
        let code = u32::from(c);
        let mut bytes = [0; 4];
        match self {
            Form::Json(backslashes) => {
                let signs = "\\".repeat(backslashes);
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units).iter();
                units.map(|unit| format!("{signs}u{unit:04x}")).collect()
            }
            Form::Percent => {
                let bytes = c.encode_utf8(&mut bytes).bytes();
                bytes.map(|byte| format!("%{byte:02X}")).collect()
            }
            Form::Decimal => format!("&#{code};"),
            Form::Hex => format!("&#x{code:x};"),
            Form::C if c.is_ascii() => format!("\\x{code:02x}"),
            // The full-width colon parts a label from a value, and is no colon of an address.
            Form::Wide if ('!'..='~').contains(&c) && c != ':' => {
                char::from_u32(code - 0x20 + 0xFF00).map_or_else(String::new, String::from)
            }
            Form::C | Form::Wide => c.to_string(),
        }
    }
}

fn form() -> impl Strategy<Value = Form> {
    prop_oneof![
        (1_usize..4).prop_map(Form::Json),
        Just(Form::Percent),
        Just(Form::Decimal),
        Just(Form::Hex),
        Just(Form::C),
        Just(Form::Wide),
    ]
}

/// What a value becomes by itself.
fn mark(engine: &Pseudonymizer, value: &str) -> String {
    let marked = engine.filter(value).into_owned();
    assert!(
        marked.starts_with("[[") && marked.ends_with("]]"),
        "{value}"
    );
    marked
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_text_in_which_nothing_is_found_stays_as_it_is(text in bytes(), size in 1_usize..64) {
        for format in FORMATS {
            let engine = engine().with_format(format);
            if engine.find_bytes(&text).is_empty() {
                prop_assert!(matches!(engine.filter_bytes(&text), Cow::Borrowed(same) if same == text));
                let cuts: Vec<usize> = (size..text.len()).step_by(size).collect();
                prop_assert!(streamed(&engine, &text, &cuts) == text);
                let mut out = Vec::new();
                let counts = engine.copy(&text[..], &mut out).expect("nothing fails");
                prop_assert!(out == text && counts.total() == 0);
            }
        }
    }

    /// Each finding's raw text is gone from its place: there stands its placeholder.
    #[test]
    fn no_accepted_value_is_left_at_its_place(text in bytes()) {
        let engine = engine().with_format(Format::Text);
        let out = engine.filter_bytes(&text).into_owned();
        let (mut from, mut at) = (0, 0);
        for finding in engine.find_bytes(&text) {
            let range = finding.range();
            at += range.start - from;
            let placeholder = engine.placeholder(&finding).into_bytes();
            prop_assert!(out[at..].starts_with(&placeholder));
            prop_assert!(!out[at..].starts_with(&text[range.clone()]));
            at += placeholder.len();
            from = range.end;
        }
        prop_assert_eq!(&out[at..], &text[from..]);
        // Nor is it left elsewhere: what is found in what is left is nothing.
        prop_assert!(engine.find_bytes(&out).is_empty());
    }

    /// A value that is written in another form, all of it or what is no letter or digit, gets the
    /// placeholder of the plain value, and nothing of it is left.
    #[test]
    fn a_value_in_another_form_is_found_whole(
        value in prop::sample::select(VALUES.to_vec()), form in form(), all: bool,
        around in prop::sample::select(vec![("", ""), ("see ", " now"), ("\"", "\""), ("(", ")"), ("<b>", "</b>"), ("x\n", "\ny")]),
        around_too: bool,
    ) {
        let engine = engine().with_format(Format::Text);
        // Nobody writes percent signs for these.
        let as_is = |c: char| matches!(form, Form::Percent) && !all && matches!(c, '-' | '.');
        let encode = |c: char| (all || !c.is_alphanumeric()) && !as_is(c);
        let written: String = value.chars()
            .map(|c| if encode(c) { form.write(c) } else { c.to_string() })
            .collect();
        let encoded = |text: &str| text.chars().map(|c| if around_too { form.write(c) } else { c.to_string() }).collect::<String>();
        let (before, after) = (encoded(around.0), encoded(around.1));
        let text = format!("{before}{written}{after}");
        let expected = format!("{before}{}{after}", mark(&engine, value));
        prop_assert_eq!(&*engine.filter(&text), &expected, "{}", text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_split_of_a_small_text_gives_the_whole(text in pieces(), format in prop::sample::select(FORMATS.to_vec())) {
        // Whole characters or not: a text is bytes.
        let text = &text[..text.len().min(120)];
        every_split(&engine().with_format(format), text)?;
    }
}
