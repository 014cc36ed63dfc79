//! Finds identifiers that have a grammar or a checksum and replaces each by a keyed placeholder.

mod checksum;
mod counts;
mod detect;
mod error;
mod finding;
mod keyfile;
mod kind;
mod pseudonym;
mod pseudonymizer;
mod scan;
mod stream;
mod view;

pub use counts::Counts;
pub use detect::Reject;
pub use error::Error;
pub use finding::{Finding, Strength};
pub use kind::{Kind, Kinds};
pub use pseudonym::Key;
pub use pseudonymizer::{Builder, Pseudonymizer};
pub use scan::NearMiss;
pub use stream::{Stream, Warning};
pub use view::api::Api;
pub use view::{Format, JsonNumbers};
