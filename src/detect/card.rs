//! CARD.

use super::{Candidate, Detector, Options, Reject, Shape};
use crate::finding::Finding;
use crate::kind::Kind;

/// The detector of [`Kind::Card`].
pub(crate) struct Card;

impl Detector for Card {
    fn kind(&self) -> Kind {
        Kind::Card
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
