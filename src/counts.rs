//! How many findings there were, by kind.

use std::collections::BTreeMap;

use crate::kind::Kind;

/// How many findings of each kind were replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    built_in: [u64; Kind::ALL.len()],
    /// Those of rule packs; no entry is 0.
    custom: BTreeMap<Kind, u64>,
}

impl Counts {
    pub(crate) fn add(&mut self, kind: Kind) {
        match kind.index() {
            Some(index) => self.built_in[index] += 1,
            None => *self.custom.entry(kind).or_default() += 1,
        }
    }

    /// How many findings of `kind` there were.
    pub fn get(&self, kind: Kind) -> u64 {
        match kind.index() {
            Some(index) => self.built_in[index],
            None => self.custom.get(&kind).copied().unwrap_or(0),
        }
    }

    /// How many findings there were in all.
    pub fn total(&self) -> u64 {
        self.built_in.iter().chain(self.custom.values()).sum()
    }

    /// The kinds that were found, with their counts: in the order of [`Kind::ALL`], then those of
    /// rule packs by their names.
    pub fn iter(&self) -> impl Iterator<Item = (Kind, u64)> + '_ {
        Kind::ALL
            .into_iter()
            .map(|kind| (kind, self.get(kind)))
            .filter(|&(_, count)| count > 0)
            .chain(self.custom.iter().map(|(&kind, &count)| (kind, count)))
    }
}

impl std::ops::AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        for (mine, theirs) in self.built_in.iter_mut().zip(other.built_in) {
            *mine += theirs;
        }
        for (&kind, count) in &other.custom {
            *self.custom.entry(kind).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Label;

    #[test]
    fn kinds_of_rule_packs_are_counted_behind_the_others() {
        let custom = |name| Kind::Custom(Label::new(name).unwrap());
        let mut counts = Counts::default();
        for kind in [custom("B"), Kind::Ip, custom("A"), custom("B")] {
            counts.add(kind);
        }
        let mut sum = counts.clone();
        sum += &counts;
        assert_eq!(sum.total(), 8);
        assert_eq!(
            sum.iter().collect::<Vec<_>>(),
            [(Kind::Ip, 2), (custom("A"), 2), (custom("B"), 4)]
        );
        assert_eq!(sum.get(custom("B")), 4);
        assert_eq!(sum.get(custom("C")), 0);
    }
}
