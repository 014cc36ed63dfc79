//! A verified place in a text.

use std::fmt;
use std::ops::Range;

use smallvec::SmallVec;

use crate::kind::Kind;

/// The one spelling of a value that is hashed. Short ones, which are nearly all, stay off the heap; a
/// finding is still so small that compilers move it without a call.
pub(crate) type Canonical = SmallVec<[u8; 40]>;

/// How well a finding is proven. It decides who wins where two findings overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Strength {
    /// A checksum, a grammar with a registry behind it, or an explicit `+`.
    Strong,
    /// A shape that metadata calls possible or valid.
    Weak,
}

/// A verified place: kind, half-open range of bytes, and the canonical form of
/// the value, which only [`Pseudonymizer::placeholder`](crate::Pseudonymizer::placeholder) reads.
///
/// Its `Debug` leaves the canonical form out, so that no log holds a value.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    kind: Kind,
    strength: Strength,
    range: Range<usize>,
    canonical: Canonical,
}

impl Finding {
    pub(crate) fn new(
        kind: Kind,
        strength: Strength,
        range: Range<usize>,
        canonical: Canonical,
    ) -> Self {
        Finding {
            kind,
            strength,
            range,
            canonical,
        }
    }

    /// What was found.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How well it is proven.
    pub fn strength(&self) -> Strength {
        self.strength
    }

    /// Where it stands: a half-open range of bytes in the text that was searched.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    pub(crate) fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// The same finding at another place: used to go from a window or a decoded
    /// text back to the bytes it was made of.
    pub(crate) fn moved(mut self, range: Range<usize>) -> Self {
        self.range = range;
        self
    }

    /// The same finding where its format writes each `sign` of the value twice.
    pub(crate) fn undoubled(mut self, sign: u8) -> Self {
        let mut again = false;
        self.canonical.retain(|byte| {
            again = *byte == sign && !again;
            *byte != sign || again
        });
        self
    }

    /// Says that the first `count` bytes of the text are gone.
    pub(crate) fn shift(&mut self, count: usize) {
        self.range = self.range.start - count..self.range.end - count;
    }
}

const _: () = assert!(size_of::<Finding>() <= 128);

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finding")
            .field("kind", &self.kind)
            .field("strength", &self.strength)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}
