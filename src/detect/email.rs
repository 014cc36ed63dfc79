//! EMAIL.

use super::{Candidate, Detector, Options, Reject, Shape};
use crate::finding::Finding;
use crate::kind::Kind;

/// The detector of [`Kind::Email`].
pub(crate) struct Email;

impl Detector for Email {
    fn kind(&self) -> Kind {
        Kind::Email
    }
    fn max_len(&self) -> usize {
        64
    }
    fn shapes(&self) -> &'static [Shape] {
        &[]
    }
    fn verify(&self, _: &Candidate<'_>, _: &Options) -> Result<Finding, Reject> {
        Err(Reject::Shape)
    }
}
