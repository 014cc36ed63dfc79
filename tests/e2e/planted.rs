//! The values that the conversations hold, and what a provider may see of them.

use nymize::{Key, Kind, Pseudonymizer};
use serde_json::Value;

/// Mentioned in every place, each time in another spelling: one person, one placeholder.
pub(crate) const JAN: [&str; 4] = [
    "jan@noordwind.example",
    "Jan@Noordwind.Example",
    "JAN@NOORDWIND.EXAMPLE",
    "jan@noordwind.EXAMPLE",
];
pub(crate) const IN_SYSTEM: &str = "sysadmin@noordwind.example";
pub(crate) const IN_USER: &str = "+31 6 1234 5678";
/// Sent as `escaped\u0040noordwind.example`.
pub(crate) const ESCAPED: &str = "escaped@noordwind.example";
pub(crate) const IN_TOOL_DESCRIPTION: &str = "desk@noordwind.example";
pub(crate) const IN_SCHEMA_EXAMPLE: &str = "NL91 ABNA 0417 1643 00";
pub(crate) const IN_ARGUMENTS: &str = "4111 1111 1111 1111";
pub(crate) const IN_ARGUMENT_KEY: &str = "anna@noordwind.example";
pub(crate) const IN_RESULT: &str = "203.0.113.77";
pub(crate) const IN_RESULT_TOO: &str = "DE89 3704 0044 0532 0130 00";
pub(crate) const IN_UNKNOWN: &str = "+49 30 901820";
pub(crate) const IN_UNKNOWN_BLOCK: &str = "2001:db8::77";

/// Every spelling of every value that is sent, with its kind.
const SPELLINGS: [(&str, Kind); 15] = [
    (JAN[0], Kind::Email),
    (JAN[1], Kind::Email),
    (JAN[2], Kind::Email),
    (JAN[3], Kind::Email),
    (IN_SYSTEM, Kind::Email),
    (IN_USER, Kind::Phone),
    (ESCAPED, Kind::Email),
    (IN_TOOL_DESCRIPTION, Kind::Email),
    (IN_SCHEMA_EXAMPLE, Kind::Iban),
    (IN_ARGUMENTS, Kind::Card),
    (IN_ARGUMENT_KEY, Kind::Email),
    (IN_RESULT, Kind::Ip),
    (IN_RESULT_TOO, Kind::Iban),
    (IN_UNKNOWN, Kind::Phone),
    (IN_UNKNOWN_BLOCK, Kind::Ip),
];

/// What the file holds that the model asks to read. Its line ends are escapes in JSON.
pub(crate) fn file_content() -> String {
    format!(
        "from:\t{}\n{}\r\naccount: {IN_RESULT_TOO}\n\n{}",
        JAN[2], IN_RESULT, JAN[0]
    )
}

/// Spelling → placeholder under one key, as the library gives it.
pub(crate) struct Placeholders(Vec<(&'static str, String)>);

impl Placeholders {
    pub(crate) fn under(key: &str) -> Placeholders {
        let key = Key::from_hex(key).expect("64 hex digits");
        let engine = Pseudonymizer::builder(key).build().expect("an engine");
        let placeholders = SPELLINGS.map(|(raw, kind)| {
            let found = engine.find(raw);
            assert_eq!(found.len(), 1, "one finding in {raw}");
            assert_eq!((found[0].kind(), found[0].range()), (kind, 0..raw.len()));
            (raw, engine.placeholder(&found[0]))
        });
        Placeholders(placeholders.into())
    }

    pub(crate) fn of(&self, raw: &str) -> &str {
        let found = self.0.iter().find(|(spelling, _)| *spelling == raw);
        &found.expect("a planted value").1
    }

    /// What must reach the provider of `sent`: every value replaced, and nothing else touched.
    pub(crate) fn filtered(&self, sent: &Value) -> Value {
        serde_json::from_str(&self.filtered_text(&sent.to_string())).expect("valid JSON")
    }

    /// The length of what must go over the wire in the place of [`written`].
    pub(crate) fn wire_length(&self, sent: &Value) -> usize {
        let pretty = serde_json::to_string_pretty(sent).expect("JSON");
        self.filtered_text(&pretty).len()
    }

    pub(crate) fn filtered_text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (raw, placeholder) in &self.0 {
            text = text.replace(raw, placeholder);
        }
        text
    }
}

/// The body as it is written to the request file: in lines, and with one value behind an escape.
pub(crate) fn written(body: &Value) -> String {
    let text = serde_json::to_string_pretty(body).expect("JSON");
    let escaped = text.replace(ESCAPED, &ESCAPED.replace('@', "\\u0040"));
    assert_ne!(text, escaped, "the escaped value is in the body");
    escaped
}

/// Fails when a line of the log holds a planted value in whatever case or grouping.
#[track_caller]
pub(crate) fn assert_no_value(line: &str) {
    let plain = |text: &str| -> String {
        text.to_lowercase()
            .chars()
            .filter(|c| !matches!(c, ' ' | '-'))
            .collect()
    };
    let seen = plain(line);
    for (raw, _) in SPELLINGS {
        assert!(!seen.contains(&plain(raw)), "{raw} is in {line}");
    }
}
