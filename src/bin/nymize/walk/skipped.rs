//! What was left out, and why: said at the end, so that nothing passes for clean unseen.

use std::fmt;
use std::ops::AddAssign;

/// Why something is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is no text.
    Binary,
    /// It is larger than the largest that is read.
    Large,
    /// A `.gitignore` names it; a folder counts as one.
    Ignored,
    /// An option names it; a folder counts as one.
    Excluded,
    /// It is a link that leads out of the folder it was found in.
    Link,
}

impl Why {
    const ALL: [Why; 5] = [
        Why::Binary,
        Why::Large,
        Why::Ignored,
        Why::Excluded,
        Why::Link,
    ];

    /// What it is called in messages.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Why::Binary => "binary",
            Why::Large => "too large",
            Why::Ignored => "ignored",
            Why::Excluded => "excluded",
            Why::Link => "links out of the folder",
        }
    }
}

/// How much was left out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Skipped([u64; Why::ALL.len()]);

impl Skipped {
    pub(crate) fn add(&mut self, why: Why, count: u64) {
        self.0[why as usize] += count;
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl AddAssign<&Skipped> for Skipped {
    fn add_assign(&mut self, other: &Skipped) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.total())?;
        let mut before = " (";
        for why in Why::ALL {
            let count = self.0[why as usize];
            if count > 0 {
                write!(f, "{before}{count} {}", why.label())?;
                before = ", ";
            }
        }
        if before == ", " {
            f.write_str(")")
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_as_the_notice_does() {
        let mut skipped = Skipped::default();
        assert_eq!(skipped.to_string(), "0");
        skipped.add(Why::Ignored, 1);
        skipped.add(Why::Binary, 2);
        assert_eq!(skipped.to_string(), "3 (2 binary, 1 ignored)");
    }
}
