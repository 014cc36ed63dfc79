//! JSON in spellings that are drawn by chance: characters may be escaped that need not be, white
//! space may stand wherever it may, keys may be equal, numbers are written in every way.

use std::fmt::Write as _;

use proptest::prelude::*;

/// Values that are found by themselves, with no word around them.
pub(crate) const VALUES: [&str; 9] = [
    "jan.jansen@example.com",
    "info@bücher.example",
    "NL91ABNA0417164300",
    "4111 1111 1111 1111",
    "378282246310005",
    "+31 6 1234 5678",
    "+14155552671",
    "93.184.216.34",
    "2001:db8:85a3::8a2e:370:7334",
];

/// A value of JSON before it is written.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// `null`, `true`, a number: as it is written.
    Plain(&'static str),
    Text(String),
    List(Vec<Node>),
    /// Keys may be equal.
    Map(Vec<(String, Node)>),
    /// A string that holds JSON.
    Quoted(Box<Node>),
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(VALUES.to_vec()).prop_map(str::to_owned),
        3 => prop::sample::select(vec![
            " ", ", ", "\n", "\t", "\"", "\\", "/", "\u{8}", "\u{0}", "\u{7f}", "é", "😀", "電話", "[[",
            "[[EMAIL_6c1f0a9e]]", "{\"a\":", "[1]", "C:\\new\\table", "<b>", "\u{200b}", "\u{2028}", "tel ",
        ]).prop_map(str::to_owned),
        2 => "[a-z ,.]{0,8}",
        1 => "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.join(" "))
}

pub(crate) fn node() -> impl Strategy<Value = Node> {
    let plain = prop::sample::select(vec![
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1.0",
        "1E+2",
        "12345678901234567890",
        "1.7976931348623157e308",
        "4111111111111111",
        "4111111111111112",
        "31612345678",
        "-4111111111111111",
        "4111111111111111.0",
        "93.184",
    ]);
    let leaf = prop_oneof![plain.prop_map(Node::Plain), text().prop_map(Node::Text)];
    leaf.prop_recursive(5, 32, 5, |inner| {
        let key = prop_oneof![2 => text(), 1 => Just("a".to_owned())];
        let members = prop::collection::vec((key, inner.clone()), 0..5);
        let list = prop::collection::vec(inner.clone(), 0..5).prop_map(Node::List);
        let map = members.prop_map(Node::Map);
        let quoted =
            prop_oneof![list.clone(), map.clone()].prop_map(|node| Node::Quoted(Box::new(node)));
        prop_oneof![list, map, quoted]
    })
}

/// A document: a container.
pub(crate) fn document() -> impl Strategy<Value = Node> {
    node().prop_map(|node| match node {
        Node::List(_) | Node::Map(_) => node,
        other => Node::List(vec![other]),
    })
}

/// A row of choices, used again from its start when it is at its end.
pub(crate) struct Choices {
    row: Vec<u8>,
    next: usize,
}

impl Choices {
    pub(crate) fn new(row: Vec<u8>) -> Choices {
        Choices { row, next: 0 }
    }

    /// A number below `n`.
    fn below(&mut self, n: u8) -> u8 {
        let choice = self.row.get(self.next % self.row.len().max(1)).copied();
        self.next += 1;
        choice.unwrap_or(0) % n
    }
}

/// Writes a document.
pub(crate) fn written(node: &Node, choices: &mut Choices) -> String {
    let mut out = String::new();
    write(node, choices, &mut out);
    out
}

fn space(choices: &mut Choices, out: &mut String) {
    out.push_str(["", "", "", "", " ", "\n", "\r\n\t"][usize::from(choices.below(7))]);
}

fn write(node: &Node, choices: &mut Choices, out: &mut String) {
    match node {
        Node::Plain(text) => out.push_str(text),
        Node::Text(text) => string(text, how(choices), choices, out),
        Node::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                space(choices, out);
                write(item, choices, out);
                space(choices, out);
            }
            out.push(']');
        }
        Node::Map(members) => {
            out.push('{');
            for (i, (key, value)) in members.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                space(choices, out);
                string(key, how(choices), choices, out);
                space(choices, out);
                out.push(':');
                space(choices, out);
                write(value, choices, out);
            }
            space(choices, out);
            out.push('}');
        }
        // Nobody escapes the letters of JSON, which may be those of its own escapes.
        Node::Quoted(inner) => {
            let how = [Escaped::Few, Escaped::Wide][usize::from(choices.below(2))];
            string(&written(inner, choices), how, choices, out);
        }
    }
}

/// Which characters of a string are written as `\u…`, beyond those that must be: as encoders do.
#[derive(Clone, Copy)]
enum Escaped {
    Few,
    /// What is not ASCII, as most do by default.
    Wide,
    /// What is no letter or digit: more than those do that are safe in HTML.
    Signs,
    All,
}

fn string(text: &str, escaped: Escaped, choices: &mut Choices, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        let escape = match escaped {
            Escaped::Few => false,
            Escaped::Wide => !c.is_ascii(),
            Escaped::Signs => !c.is_ascii_alphanumeric(),
            Escaped::All => true,
        };
        match c {
            _ if escape => unit_escapes(c, choices, out),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '/' if choices.below(2) == 0 => out.push_str("\\/"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => unit_escapes(c, choices, out),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn how(choices: &mut Choices) -> Escaped {
    [Escaped::Few, Escaped::Wide, Escaped::Signs, Escaped::All][usize::from(choices.below(4))]
}

fn unit_escapes(c: char, choices: &mut Choices, out: &mut String) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let written = if choices.below(2) == 0 {
            write!(out, "\\u{unit:04x}")
        } else {
            write!(out, "\\u{unit:04X}")
        };
        written.expect("a string takes all");
    }
}
