//! IP.

use super::{Candidate, Detector, Options, Reject, Shape};
use crate::finding::Finding;
use crate::kind::Kind;

/// The detector of [`Kind::Ip`].
pub(crate) struct Ip;

impl Detector for Ip {
    fn kind(&self) -> Kind {
        Kind::Ip
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

/// Networks that are left alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keep;
