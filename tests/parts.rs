//! Texts of which a part, or each line, is written in an encoding or format of its own: the values
//! in them are found, and all else stays as it was.

#[path = "parts/events.rs"]
mod events;
#[path = "parts/laws.rs"]
mod laws;

use nymize::{Key, Pseudonymizer};

const CARD: &str = "4111 1111 1111 1111";
const MAIL: &str = "jan@example.com";
const PHONE: &str = "+31 6 1234 5678";

fn engine() -> Pseudonymizer {
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .regions(["NL"])
        .build()
        .expect("a known region")
}

/// What stands for a value that is found by itself.
fn mark(value: &str) -> String {
    let marked = engine().filter(value).into_owned();
    assert!(
        marked.starts_with("[[") && marked.ends_with("]]"),
        "{value} is a value"
    );
    marked
}

/// The filtered text, which is the same in whatever pieces it comes, and in a second pass.
fn filtered(text: &str) -> String {
    let whole = engine().filter(text).into_owned();
    for size in [1, 2, 3, 5, 7, 16, 64, 1000] {
        let mut stream = engine().stream();
        let mut out = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            stream.push(chunk, &mut out).expect("any text goes");
        }
        stream.finish(&mut out).expect("any text goes");
        assert_eq!(
            String::from_utf8_lossy(&out),
            whole,
            "{text:?} in pieces of {size}"
        );
    }
    assert_eq!(engine().filter(&whole), whole, "a second pass");
    whole
}
