//! How many findings there were, by kind.

use crate::kind::Kind;

/// How many findings of each kind were replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; Kind::ALL.len()]);

impl Counts {
    pub(crate) fn add(&mut self, kind: Kind) {
        self.0[kind as usize] += 1;
    }

    /// How many findings of `kind` there were.
    pub fn get(&self, kind: Kind) -> u64 {
        self.0[kind as usize]
    }

    /// How many findings there were in all.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The kinds that were found, with their counts, in the order of [`Kind::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Kind, u64)> + '_ {
        Kind::ALL
            .into_iter()
            .map(|kind| (kind, self.get(kind)))
            .filter(|&(_, count)| count > 0)
    }
}

impl std::ops::AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}
