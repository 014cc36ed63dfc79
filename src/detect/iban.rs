//! IBAN.

use super::{Candidate, Detector, Options, Reject, Shape};
use crate::finding::Finding;
use crate::kind::Kind;

/// The detector of [`Kind::Iban`].
pub(crate) struct Iban;

impl Detector for Iban {
    fn kind(&self) -> Kind {
        Kind::Iban
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
