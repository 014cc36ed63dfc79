//! YAML and TOML stay what they are: each filtered text is read by a parser, and is the text that
//! was given with the values in its strings replaced.

use nymize::{Format, JsonNumbers, Key, Pseudonymizer};
use proptest::prelude::*;
use serde_yaml::{Mapping, Value};

fn engine(format: Format) -> Pseudonymizer {
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .regions(["NL"])
        .format(format)
        .build()
        .expect("an engine")
}

/// What a YAML value must become: strings are filtered as text is, numbers that are cards become
/// strings.
fn expected(value: Value) -> Value {
    let text = engine(Format::Text);
    match value {
        Value::String(s) => {
            let lines: Vec<_> = s.split('\n').map(|line| text.filter(line)).collect();
            Value::String(lines.join("\n"))
        }
        Value::Number(n) => {
            let digits = n.to_string();
            let filtered = text.filter(&digits);
            if filtered.starts_with("[[CARD_") {
                Value::String(filtered.into_owned())
            } else {
                Value::Number(n)
            }
        }
        Value::Sequence(items) => items.into_iter().map(expected).collect(),
        Value::Mapping(map) => {
            let map: Mapping = map
                .into_iter()
                .map(|(key, value)| (expected(key), expected(value)))
                .collect();
            Value::Mapping(map)
        }
        other => other,
    }
}

fn documents(text: &str) -> Result<Vec<Value>, serde_yaml::Error> {
    serde_yaml::Deserializer::from_str(text)
        .map(serde::Deserialize::deserialize)
        .collect()
}

/// Filters YAML and holds the result to what it must be.
fn check(text: &str) -> String {
    let before = documents(text).expect("YAML");
    let filtered = engine(Format::Yaml).filter(text).into_owned();
    let after = documents(&filtered).unwrap_or_else(|error| panic!("{error}\n{filtered}"));
    let before: Vec<_> = before.into_iter().map(expected).collect();
    assert_eq!(after, before, "\n{text}\n{filtered}");
    filtered
}

#[test]
fn a_yaml_file_stays_yaml() {
    let text = include_str!("data/formats/deploy.yaml");
    let filtered = check(text);
    for value in [
        "@example.com",
        "203.0.113.7",
        "2001:db8::7",
        "0417 1643",
        "4111111111111111",
    ] {
        assert!(!filtered.contains(value), "{value}");
    }
    assert!(filtered.contains("    count: 1234567890\n"));
    assert!(filtered.contains("    not a card: 4111111111111112\n"));
    assert_eq!(filtered.lines().count(), text.lines().count());
}

#[test]
fn only_what_would_not_parse_is_quoted() {
    let engine = engine(Format::Yaml);
    let mail = engine.filter("jan@example.com");
    let hole = mail.trim_matches('\'');
    assert_eq!(mail, format!("'{hole}'"));
    for (text, form) in [
        ("mail: @", "mail: '@'"),
        ("mail:\t@ ", "mail:\t'@' "),
        ("mail: @ # @", "mail: '@' # @"),
        ("mail: @ it's", "mail: '@ it''s'"),
        ("mail: to @", "mail: to @"),
        ("mail: 'to @'", "mail: 'to @'"),
        ("mail: \"@\"", "mail: \"@\""),
        ("mail: &a @", "mail: &a '@'"),
        ("mail: !!str @", "mail: !!str '@'"),
        ("@: 1", "'@': 1"),
        ("to @: 1", "to @: 1"),
        ("- @", "- '@'"),
        ("- - @", "- - '@'"),
        ("? @\n: @", "? '@'\n: '@'"),
        ("[@, to @, \"@\"]", "['@', 'to @', \"@\"]"),
        ("{a: @, @: b}", "{a: '@', '@': b}"),
        ("a: |\n @\n b: @\nb: @", "a: |\n @\n b: @\nb: '@'"),
        ("a: >-\n\n @\n\nb: @", "a: >-\n\n @\n\nb: '@'"),
        ("- |\n @\n- @", "- |\n @\n- '@'"),
        ("a: @\n  b\n\n  c's\nd: 1", "a: '@\n  b\n\n  c''s'\nd: 1"),
        ("a: b\n  @\nd: @", "a: b\n  @\nd: '@'"),
        ("a:\n  @\n  b", "a:\n  '@\n  b'"),
        ("[a\n @ # @\n, @]", "['a\n @' # @\n, '@']"),
        ("--- @\n...\n@", "--- '@'\n...\n'@'"),
        ("a: \"b\n @\n\"\nc: @", "a: \"b\n @\n\"\nc: '@'"),
        ("a: 'b''\n @\n'\nc: @", "a: 'b''\n @\n'\nc: '@'"),
        ("a: b\r\nc: @\r\n", "a: b\r\nc: '@'\r\n"),
        ("a: b\rc: @\r", "a: b\rc: '@'\r"),
        ("\u{FEFF}@: 1", "\u{FEFF}'@': 1"),
        ("é: @", "é: '@'"),
        // Templates are no YAML; what is a value there is quoted all the same.
        (
            "{{- if x }}\na: @\n{{ end }}\nb: @",
            "{{- if x }}\na: '@'\n{{ end }}\nb: '@'",
        ),
    ] {
        let text = text.replace('@', "jan@example.com");
        assert_eq!(engine.filter(&text), form.replace('@', hole), "{text}");
    }
}

/// An anchor and its aliases go by one name, and no placeholder can be one. So names stay, and what
/// only looks like one does not.
#[test]
fn names_of_anchors_stay() {
    let engine = engine(Format::Yaml);
    for same in [
        "a: &4111111111111111 x\nb: *4111111111111111\n",
        "a: &06-12345678 x\nb: [*06-12345678, {c: *06-12345678 }]\n*06-12345678 : d\n",
        "- &NL91ABNA0417164300 a\n- *NL91ABNA0417164300 # c\n- ? *NL91ABNA0417164300\n  : b\n",
    ] {
        assert_eq!(check(same), same);
    }
    // Names that not all parsers take.
    let same = "a: &jan@example.com b\nc: *jan@example.com\n- [*jan@example.com, &203.0.113.7 x]\n";
    assert_eq!(engine.filter(same), same);
    for (text, kept) in [
        ("a: *jan@example.com and more\n", "and more"),
        ("a: x *jan@example.com\n", "a: x *"),
        ("a: x &jan@example.com\n", "a: x &"),
        ("a: 'x\n  *jan@example.com'\n", "a: 'x\n  *"),
        ("a: |\n  &jan@example.com x\n", "a: |\n  &"),
        ("# *jan@example.com\n", "# *"),
        (
            "a: &jan@example.com piet@example.com\n",
            "a: &jan@example.com '",
        ),
        ("a: &06 12345678\n", "a: &"),
    ] {
        let filtered = engine.filter(text);
        assert!(
            filtered.contains(kept) && filtered.contains("[["),
            "{filtered}"
        );
        assert_eq!(engine.filter(&filtered), filtered);
    }
}

#[test]
fn a_quote_that_is_written_twice_is_one() {
    let yaml = engine(Format::Yaml);
    let hole = engine(Format::Text)
        .filter("o'brien@example.com")
        .into_owned();
    assert!(hole.starts_with("[[EMAIL_"));
    for (text, form) in [
        ("a: 'o''brien@example.com'\n", "a: '@'\n"),
        (
            "[x, 'to ''me'', o''brien@example.com', y]\n",
            "[x, 'to ''me'', @', y]\n",
        ),
        (
            "a: 'it''s\n  o''brien@example.com\n  '\n",
            "a: 'it''s\n  @\n  '\n",
        ),
        (
            "'o''brien@example.com': o'brien@example.com\n",
            "'@': '@'\n",
        ),
        ("a: \"o'brien@example.com\"\n", "a: \"@\"\n"),
    ] {
        let form = form.replace('@', &hole);
        assert_eq!(check(text), form);
        let mut stream = yaml.stream();
        let mut out = Vec::new();
        for byte in text.as_bytes().chunks(1) {
            stream.push(byte, &mut out).expect("it takes any text");
        }
        stream.finish(&mut out).expect("it takes any text");
        assert_eq!(String::from_utf8(out).expect("UTF-8"), form);
    }
    let two = yaml.filter("a: \"o''brien@example.com\"\n").into_owned();
    assert!(
        two.contains("[[") && !two.contains(&hole),
        "it is another in double quotes"
    );
}

/// A quote is a neighbour that was not there: what it makes a value of is found in the first pass.
#[test]
fn quotes_make_no_value_for_a_second_pass() {
    let yaml = engine(Format::Yaml);
    for text in [
        "[ :2001:db8::1 jan@example.com ]\n",
        "{jan@example.com or jo@example.com:: 1}\n",
        "{to jan@example.com 2222:3333:4444::5555:: 1}\n",
        "- jan@example.com, 'x' and:2001:db8::1::\n",
        "[x, a\n :2001:db8::1 it's\n jan@example.com, y]\n",
        "{:db8:13::103`+31612345678 \"\"0: 1}\n",
    ] {
        let once = yaml.filter(text).into_owned();
        assert_eq!(yaml.filter(&once), once, "{text}");
    }
    let found = yaml
        .filter("[ :2001:db8::1 it's jan@example.com ]\n")
        .into_owned();
    assert_eq!(found.matches("[[").count(), 2, "{found}");
    assert!(
        found.contains(" it''s ") && found.starts_with("[ ':[["),
        "{found}"
    );
    // What stands before the quote still counts.
    let version = yaml
        .filter("version: [4.3.2.1 by jan@example.com]\n")
        .into_owned();
    assert!(version.starts_with("version: ['4.3.2.1 by [["), "{version}");
}

#[test]
fn numbers_of_yaml_are_left_alone_but_for_cards() {
    let yaml = engine(Format::Yaml);
    // In text it is a phone number of the region.
    assert_ne!(
        engine(Format::Text).filter("n: 31612345678"),
        "n: 31612345678"
    );
    for same in [
        "n: 31612345678",
        "n: [31612345678]",
        "31612345678: n",
        "n: 4111111111111112",
    ] {
        assert_eq!(yaml.filter(same), same);
    }
    for phone in ["n: +31612345678", "n: 0612345678", "n: 'x 31612345678'"] {
        assert!(yaml.filter(phone).contains("[[PHONE_"), "{phone}");
    }
    let keep = Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .format(Format::Yaml)
        .json_numbers(JsonNumbers::Keep)
        .build()
        .expect("an engine");
    assert_eq!(keep.filter("n: 4111111111111111"), "n: 4111111111111111");
    assert!(keep.filter("n: 4111 1111 1111 1111").contains("'[[CARD_"));
}

#[test]
fn a_toml_file_stays_toml() {
    let text = include_str!("data/formats/settings.toml");
    let filtered = engine(Format::Toml).filter(text).into_owned();
    let before: toml::Table = text.parse().expect("TOML");
    let after: toml::Table = filtered
        .parse()
        .unwrap_or_else(|e| panic!("{e}\n{filtered}"));
    let before = toml_expected(toml::Value::Table(before));
    assert_eq!(toml::Value::Table(after), before, "{filtered}");
    assert!(!filtered.contains("@example.com") && !filtered.contains("4111111111111111"));
    assert!(filtered.contains("\ncount = 1234567890\ndate = 1979-05-27T07:32:00Z\n"));
}

fn toml_expected(value: toml::Value) -> toml::Value {
    use toml::Value;
    let text = engine(Format::Text);
    match value {
        Value::String(s) => {
            let lines: Vec<_> = s.split('\n').map(|line| text.filter(line)).collect();
            Value::String(lines.join("\n"))
        }
        Value::Integer(n) => {
            // The parser drops the sign, without which it is no phone number.
            let spelled = if n == 31612345678 {
                "+31612345678".into()
            } else {
                n.to_string()
            };
            let filtered = text.filter(&spelled);
            if filtered.starts_with("[[") && n != 1234567890 {
                Value::String(filtered.into_owned())
            } else {
                Value::Integer(n)
            }
        }
        Value::Array(items) => Value::Array(items.into_iter().map(toml_expected).collect()),
        Value::Table(table) => Value::Table(
            table
                .into_iter()
                .map(|(key, value)| (text.filter(&key).into_owned(), toml_expected(value)))
                .collect(),
        ),
        other => other,
    }
}

/// A scalar in any style, at `indent`.
fn scalar(flow: bool) -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![
        "jan@example.com",
        "+31 6 1234 5678",
        "203.0.113.7",
        "2001:db8::7",
        "4111111111111111",
        "NL91 ABNA 0417 1643 00",
        "a",
        "it's",
        "12",
        "true",
    ]);
    let words = prop::collection::vec(value, 1..4).prop_map(|words| words.join(" "));
    (words, 0..5).prop_map(move |(words, style)| match style {
        0 => format!("\"{words}\""),
        1 => format!("'{}'", words.replace('\'', "''")),
        2 => format!("&a {words}"),
        3 if !flow => format!("{words} # {words}"),
        _ => words,
    })
}

fn flow() -> impl Strategy<Value = String> {
    let item = prop_oneof![
        scalar(true),
        (scalar(true), scalar(true)).prop_map(|(a, b)| format!("{{k: {a}, l: {b}}}"))
    ];
    prop::collection::vec(item, 0..4).prop_map(|items| format!("[{}]", items.join(", ")))
}

/// The lines of a block node.
fn block() -> impl Strategy<Value = Vec<String>> {
    let leaf = prop_oneof![
        4 => scalar(false).prop_map(|s| vec![s]),
        2 => flow().prop_map(|s| vec![s]),
        1 => (scalar(true), scalar(true)).prop_map(|(a, b)| {
            // Plain or quoted, over lines: only where both have no sign of their own.
            let plain = |s: String| s.trim_matches(['"', '\'', '&']).replace("''", "'");
            vec![format!("and {}", plain(a)), format!("and {}", plain(b))]
        }),
        1 => scalar(false).prop_map(|s| vec!["|".to_owned(), format!(" {s}"), String::new(), format!("  k: {s}")]),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let indent = |lines: Vec<String>| {
            lines.into_iter().map(|line| {
                if line.is_empty() {
                    line
                } else {
                    format!("  {line}")
                }
            })
        };
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(move |items| {
                items
                    .into_iter()
                    .flat_map(|item| {
                        let mut lines: Vec<_> = indent(item).collect();
                        lines[0].replace_range(..1, "-");
                        lines
                    })
                    .collect()
            }),
            prop::collection::vec((scalar(true), inner), 1..4).prop_map(move |entries| {
                entries
                    .into_iter()
                    .enumerate()
                    .flat_map(|(i, (key, value))| {
                        let key = key.trim_start_matches("&a ").to_owned();
                        let key = match key.as_bytes()[0] {
                            quote @ (b'"' | b'\'') => format!("{}{i}{key}", quote as char)
                                .replacen(&format!("{i}{}", quote as char), &format!("{i}"), 1),
                            _ => format!("{key} {i}"),
                        };
                        let mut lines: Vec<_> = indent(value).collect();
                        if lines[0].starts_with("  -") || lines[0].contains(": ") {
                            lines.insert(0, format!("{key}:"));
                        } else {
                            lines[0] = format!("{key}: {}", lines[0].trim_start());
                        }
                        lines
                    })
                    .collect()
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn generated_yaml_keeps_its_structure(lines in block()) {
        let text = lines.join("\n") + "\n";
        // A generated text that is no YAML says nothing.
        prop_assume!(documents(&text).is_ok());
        let filtered = check(&text);
        prop_assert_eq!(engine(Format::Yaml).filter(&filtered).into_owned(), filtered);
    }

    #[test]
    fn any_cut_gives_the_same(lines in block(), size in 1_usize..40, format in 0_usize..2) {
        let format = [Format::Yaml, Format::Toml][format];
        let text = lines.join("\n");
        let engine = engine(format);
        let mut stream = engine.stream();
        let mut out = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            stream.push(chunk, &mut out).expect("it takes any text");
        }
        stream.finish(&mut out).expect("it takes any text");
        prop_assert_eq!(String::from_utf8(out).expect("UTF-8"), engine.filter(&text).into_owned());
    }

    /// Any bytes at all: only quotes are added, and nothing else is lost; names of anchors stay.
    #[test]
    fn any_text_is_taken(text in "([-?:&*!|>'\"\\[\\]{},#% \n\r\t]|a|é|jan@example.com|---|\\.\\.\\.){0,60}") {
        for format in [Format::Yaml, Format::Toml] {
            let filtered = engine(format).filter(&text).into_owned();
            let plain = engine(Format::Text).filter(&text).into_owned();
            let bare = |s: &str| s.replace(['\'', '"'], "");
            let rest = engine(Format::Text).filter(&filtered);
            prop_assert_eq!(bare(&rest), bare(&plain));
            let again = engine(format).filter(&filtered).into_owned();
            prop_assert_eq!(again, filtered);
        }
    }
}

/// The records of a CSV text (RFC 4180), parted by `sign`.
fn records(text: &str, sign: char) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            c if c == sign && !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty() && row.is_empty(), "{text}");
    rows
}

#[test]
fn csv_keeps_its_records() {
    let text = engine(Format::Text);
    for (sign, csv) in [
        (
            ',',
            "name,mail,phone\r\n\"Jan, de\",jan@example.com,+31 6 1234 5678\r\n\"say \"\"jan@example.com\"\"\",\"two\nlines 203.0.113.7\",4111111111111111\r\n",
        ),
        (
            ';',
            "a;b\nNL91ABNA0417164300;jan@example.com\n\"4111 1111 1111 1111\";\n",
        ),
        ('\t', "jan@example.com\t2001:db8::7\t+31612345678\nx\t\ty\n"),
    ] {
        let filtered = text.filter(csv).into_owned();
        let expected: Vec<Vec<_>> = records(csv, sign)
            .iter()
            .map(|row| {
                row.iter()
                    .map(|field| text.filter(field).into_owned())
                    .collect()
            })
            .collect();
        assert_eq!(records(&filtered, sign), expected, "{filtered}");
        assert!(!filtered.contains("example.com") && !filtered.contains("4111"));
    }
}

#[test]
fn an_env_file_keeps_its_variables() {
    let text = engine(Format::Text);
    let env = "# jan@example.com\nexport MAIL=jan@example.com\nQUOTED=\"to jan@example.com # no comment\"\n\
               SINGLE='203.0.113.7'\nPHONE=+31612345678\nCARD=4111111111111111\nURL=postgres://u:p@203.0.113.7:5432/db\nEMPTY=\n";
    let variables = |text: &str| -> Vec<(String, String)> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.map(|line| {
            line.trim_start_matches("export ")
                .split_once('=')
                .expect("a variable")
        });
        pairs
            .map(|(name, value)| (name.to_owned(), value.trim_matches(['"', '\'']).to_owned()))
            .collect()
    };
    let filtered = text.filter(env).into_owned();
    let expected: Vec<_> = variables(env)
        .into_iter()
        .map(|(name, value)| {
            // As in the file, something stands before the value.
            let value = text.filter(&format!("={value}"))[1..].to_owned();
            (name, value)
        })
        .collect();
    assert_eq!(variables(&filtered), expected, "{filtered}");
    for value in ["example.com", "203.0.113.7", "612345678", "4111"] {
        assert!(!filtered.contains(value), "{value}: {filtered}");
    }
}

#[test]
fn markdown_keeps_its_marks() {
    let text = engine(Format::Text);
    let hole = text.filter("jan@example.com").into_owned();
    for form in [
        "[write](mailto:@) or <@>, **@**, `@`, _@_ and ~~@~~\n",
        "| name | mail |\n|---|---|\n| Jan | @ |\n",
        "- @\n* @\n1. @\n> @\n# @\n",
        "```sh\nsend @\n```\n",
        "![@](x.png \"@\")\n[id]: mailto:@ \"@\"\n",
    ] {
        let raw = form.replace('@', "jan@example.com");
        assert_eq!(text.filter(&raw), form.replace('@', &hole), "{form}");
    }
}

/// A filtered patch applies to the filtered file, and makes the filtered result of it.
#[test]
fn a_filtered_patch_applies_to_the_filtered_file() {
    let text = engine(Format::Text);
    let before = "one\nmail jan@example.com\n- +31 6 1234 5678\nlast\n";
    let after = "one\nmail piet@example.com now\n+31612345678\n- +31 6 1234 5678\nlast\n";
    let patch = "--- a/f\n+++ b/f\n@@ -1,4 +1,5 @@\n one\n-mail jan@example.com\n+mail piet@example.com now\n\
                 ++31612345678\n - +31 6 1234 5678\n last\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("f");
    std::fs::write(&file, &*text.filter(before)).expect("written");
    std::fs::write(folder.path().join("p"), &*text.filter(patch)).expect("written");
    let applied = std::process::Command::new("git")
        .args(["apply", "p"])
        .current_dir(folder.path())
        .output()
        .expect("git");
    assert!(
        applied.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&applied.stderr),
        text.filter(patch)
    );
    let made = std::fs::read_to_string(&file).expect("read");
    assert_eq!(made, text.filter(after));
    assert!(!made.contains("example.com"));
}
