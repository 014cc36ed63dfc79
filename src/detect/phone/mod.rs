//! PHONE.
mod numbers;
pub(crate) use numbers::Region;

use super::{Candidate, Detector, Options, Reject, Shape};
use crate::finding::Finding;
use crate::kind::Kind;

/// The detector of [`Kind::Phone`].
pub(crate) struct Phone;

impl Detector for Phone {
    fn kind(&self) -> Kind {
        Kind::Phone
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
