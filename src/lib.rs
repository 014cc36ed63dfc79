//! Finds identifiers that have a grammar or a checksum (e-mail addresses, IBANs, payment cards, phone
//! numbers, IP addresses) and replaces each by a keyed placeholder, `[[TYPE_hash]]`. The same value gets
//! the same placeholder in every process that has the same key; there is no way back.
//!
//! # In a harness
//!
//! Make one engine at start, and pass every text that reaches the model through it: system prompt,
//! messages of the user and the assistant, tool calls' arguments, tool results. It is immutable, cheap to
//! clone and `Send + Sync`; nothing is kept between calls.
//!
//! ```
//! use nymize::{Key, Kind, Kinds, Pseudonymizer};
//!
//! # fn main() -> Result<(), nymize::Error> {
//! // A harness keeps its key: Key::load_or_create(path)? makes the file on first use, for you alone.
//! let engine = Pseudonymizer::builder(Key::from_bytes([7; 32]))
//!     .regions(["NL"]) // national phone numbers of the Netherlands too
//!     .scope("tenant-7") // placeholders of two scopes cannot be joined
//!     .build()?;
//!
//! // A text, or a whole request body: what begins with `{` or `[` is read as JSON and stays JSON.
//! let clean = engine.filter(r#"{"messages":[{"role":"user","content":"mail jan@example.com"}]}"#);
//! assert!(!clean.contains("jan@example.com"));
//!
//! // What was found, for a notice that holds counts and no value.
//! let found = engine.find("call 06-12345678 or +31 6 1234 5678");
//! assert_eq!(found.len(), 2);
//! assert_eq!(found[0].kind(), Kind::Phone);
//! assert_eq!(engine.placeholder(&found[0]), engine.placeholder(&found[1]));
//!
//! // Other kinds for one call.
//! let ips = engine.with_kinds(Kinds::NONE.with(Kind::Ip));
//! assert_eq!(ips.filter("jan@example.com"), "jan@example.com");
//! # Ok(())
//! # }
//! ```
//!
//! Texts that arrive in pieces go through a [`Stream`], readers and writers through
//! [`Pseudonymizer::copy`]; the output never depends on how the input is cut, and nothing that could
//! still grow into a value is handed out.
//!
//! # What may fail
//!
//! Building an engine (an unknown region, a hash length out of range) and reading a key: no output then.
//! [`Pseudonymizer::filter`] never fails. An [`Error`] names files, lines, columns and options, and quotes
//! neither the input nor a key; [`Finding`]'s `Debug` shows no value.
//!
//! # What is not found
//!
//! Names, street addresses, free text, secrets, national numbers. See README.md for what a placeholder
//! hides and what it does not, and docs/harness.md for the traps of harnesses.

#![forbid(unsafe_code)]

mod allow;
mod checksum;
mod config;
mod counts;
mod detect;
mod error;
mod finding;
mod keyfile;
mod kind;
mod near;
mod origin;
mod pseudonym;
mod pseudonymizer;
mod rules;
mod scan;
mod stream;
mod view;
mod yaml;

pub use allow::AllowList;
pub use config::{
    Config, Effective, Exclude, LeftOut, Obey, PROJECT_FILE, Role, Setting, Settings, VARIABLES,
};
pub use counts::Counts;
pub use detect::Reject;
pub use error::Error;
pub use finding::{Finding, Strength};
pub use kind::{Kind, Kinds, Label};
pub use origin::Origin;
pub use pseudonym::Key;
pub use pseudonymizer::{Builder, Pseudonymizer};
pub use rules::{Check, CheckResult, PackEntry, RulePack, Tried};
pub use scan::NearMiss;
pub use stream::{Found, Piece, Quote, Stream, Warning};
pub use view::api::Api;
pub use view::{Format, JsonNumbers};

/// The README's examples in Rust are compiled as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// And those of docs/configuration.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/configuration.md")]
struct Configuration;
