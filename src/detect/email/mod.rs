//! EMAIL: a local part, an `@`, and a domain under a known top level.
//!
//! # Syntax
//! RFC 5321 and RFC 5322 dot-atom or quoted string, RFC 6531 beyond ASCII; 64 bytes before the
//! `@`, 63 in a label, 254 in all.
//!
//! # Refused on purpose
//! Address literals (`jo@[203.0.113.9]`: the IP is found by itself), comments inside of an
//! address, host names of one label (`root@localhost`), the user-info of URLs, remotes, prompts
//! and version pins (see [`context`]).

mod canonical;
mod context;
mod domain;
mod local;

use super::{Candidate, Detector, Options, Reject, Shape};
use crate::finding::{Finding, Strength};
use crate::kind::Kind;

/// The longest address, in bytes (RFC 5321, 4.5.3.1.3, less the angle brackets of a path).
const MAX_ADDRESS: usize = 254;

/// The detector of [`Kind::Email`].
pub(crate) struct Email;

impl Detector for Email {
    fn kind(&self) -> Kind {
        Kind::Email
    }

    fn max_len(&self) -> usize {
        MAX_ADDRESS
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::At]
    }

    fn verify(&self, candidate: &Candidate<'_>, _: &Options) -> Result<Finding, Reject> {
        let &Candidate { text, at, .. } = candidate;
        if text.get(at) != Some(&b'@') {
            return Err(Reject::Shape);
        }
        let end = domain::end(text, at + 1)?;
        let start = local::start(candidate, end)?;
        if start == at {
            return Err(Reject::Shape);
        }
        if end - start > MAX_ADDRESS {
            return Err(Reject::Length);
        }
        context::check(candidate, start, end)?;
        Ok(Finding::new(
            Kind::Email,
            Strength::Strong,
            start..end,
            canonical::canonical(&text[start..at], &text[at + 1..end]),
        ))
    }
}

#[cfg(test)]
mod tests;
