//! What nymize answers, through its public API. The number that it reads is told by its placeholder,
//! which is the HMAC of the E.164 text.

use hmac::{Hmac, KeyInit, Mac};
use nymize::{Format, Key, Kind, Kinds, Pseudonymizer, Reject};
use sha2::Sha256;

const KEY: [u8; 32] = [7; 32];
const DIGITS: usize = 64;

pub struct Ours(Pseudonymizer);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The number from its first digit to the last, with its placeholder.
    Number(String),
    /// A piece of it.
    Piece,
    /// Nothing; and what is said of the place where it begins, if anything.
    Nothing(Option<Reject>),
}

impl Answer {
    /// In a few words.
    pub fn shown(&self) -> String {
        match self {
            Answer::Number(_) => "a number".to_owned(),
            Answer::Piece => "a piece of it".to_owned(),
            Answer::Nothing(Some(reason)) => format!("nothing ({reason})"),
            Answer::Nothing(None) => "nothing".to_owned(),
        }
    }

    pub fn is(&self, e164: &str) -> bool {
        matches!(self, Answer::Number(placeholder) if *placeholder == placeholder_of(e164))
    }
}

impl Ours {
    pub fn new(regions: &[&str]) -> Ours {
        let engine = Pseudonymizer::builder(Key::from_bytes(KEY))
            .kinds(Kinds::NONE.with(Kind::Phone))
            .regions(regions)
            .hash_length(DIGITS)
            .format(Format::Text)
            .build();
        Ours(engine.expect("every region of the metadata is known"))
    }

    /// What it finds of the `number` that stands in `before number after`.
    pub fn read(&self, before: &str, number: &str, after: &str) -> Answer {
        let text = format!("{before}{number}{after}");
        let found = self.0.find(&text);
        let whole = before.len()..before.len() + number.len();
        match found.as_slice() {
            [finding] if finding.range() == whole => Answer::Number(self.0.placeholder(finding)),
            [] => {
                let near = self.0.near_misses(text.as_bytes());
                Answer::Nothing(near.first().map(|miss| miss.reason))
            }
            _ => Answer::Piece,
        }
    }
}

/// The placeholder of a number, made here from its description alone.
fn placeholder_of(e164: &str) -> String {
    let mut hash = Hmac::<Sha256>::new_from_slice(&KEY).expect("any length is a key");
    hash.update(b"PHONE\0");
    hash.update(e164.as_bytes());
    let hash: String = hash
        .finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("[[PHONE_{hash}]]")
}
