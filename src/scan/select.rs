//! Who wins where findings overlap.
//!
//! Proof beats shape: findings are taken by [`rank`], then the longer, then the earlier. Accepted
//! findings and placeholders are *walls*: what is left between them is judged again, as if the
//! text began and ended there, until nothing new is found. So what a second pass over the output
//! would find is found in the first.

mod gaps;

use std::cmp::Reverse;
use std::ops::Range;

use super::anchor::Anchor;
use super::judge::{raw_reach, reach, settled};
use crate::detect::Shape;
use crate::finding::{Finding, Strength};
use crate::kind::Kind;

/// The place of a finding in the order of kinds; the lowest wins. What starts with `+` (a strong
/// phone) is a PHONE before it is a CARD.
pub(super) fn rank(finding: &Finding) -> u8 {
    match (finding.kind(), finding.strength()) {
        (Kind::Email, _) => 0,
        (Kind::Iban, _) => 1,
        (Kind::Phone, Strength::Strong) => 2,
        (Kind::Card, _) => 3,
        (Kind::Ip, _) => 4,
        (Kind::Phone, Strength::Weak) => 5,
        (Kind::Custom(_), _) => 6,
    }
}

/// The best rank that a finding at a shape can have.
pub(super) fn rank_of_shape(shape: Shape) -> u8 {
    match shape {
        Shape::At => 0,
        Shape::LettersDigits => 1,
        Shape::Plus => 2,
        Shape::Digits => 3,
        Shape::Quad | Shape::Colons => 4,
    }
}

/// The order in which the shapes at one place are judged: what may settle others comes first.
pub(super) fn turn(shape: Shape) -> u8 {
    match shape {
        Shape::At => 0,
        Shape::LettersDigits => 1,
        Shape::Plus => 2,
        Shape::Quad | Shape::Colons => 3,
        Shape::Digits => 4,
    }
}

/// How often the gaps are judged anew. Each round but the last finds something; real text needs
/// one or two.
const ROUNDS: usize = 8;
/// The same with the rules of packs: what one of them finds may be the edge that another needs.
const ROUNDS_WITH_PACKS: usize = 64;

/// The walls of a batch, in order.
#[derive(Default)]
pub(super) struct Walls {
    /// The end of the last wall before the batch.
    left: usize,
    ranges: Vec<Range<usize>>,
}

impl Walls {
    /// Leaves walls where placeholders stand, and up to `left`.
    pub(super) fn reset(&mut self, left: usize, placeholders: &[Range<usize>]) {
        self.left = left;
        self.ranges.clear();
        self.ranges.extend_from_slice(placeholders);
    }

    /// The open space around `at`; `None` inside a wall.
    fn around(&self, at: usize) -> Option<Range<usize>> {
        let next = self.ranges.partition_point(|range| range.end <= at);
        let left = match next.checked_sub(1) {
            Some(last) => self.ranges[last].end.max(self.left),
            None => self.left,
        };
        let right = self
            .ranges
            .get(next)
            .map_or(usize::MAX, |range| range.start);
        (left <= at && at < right).then_some(left..right)
    }

    /// Whether nothing of `range` is built over yet.
    fn is_free(&self, range: &Range<usize>) -> bool {
        self.around(range.start)
            .is_some_and(|open| range.end <= open.end)
    }

    fn build(&mut self, range: Range<usize>) {
        let i = self.ranges.partition_point(|wall| wall.end <= range.start);
        self.ranges.insert(i, range);
    }
}

/// What a selection works with: buffers that are used again.
#[derive(Default)]
pub(super) struct Table {
    candidates: Vec<Finding>,
    /// What each anchor was last judged in; `None` where it was settled by a finding around it.
    judged: Vec<Option<Range<usize>>>,
}

/// What is selected from.
pub(super) struct Batch<'b> {
    /// In order.
    pub(super) anchors: &'b [Anchor],
    /// Whether nothing is encoded there: then no raw byte beyond the reach of a shape is read.
    pub(super) plain: bool,
    /// Whether the rules of packs are asked too.
    pub(super) with_packs: bool,
}

/// Puts the findings that win into `winners`, in order. `verify` judges an anchor within the given
/// open space; `more` looks for others when all anchors have been judged, in what the walls leave
/// open.
pub(super) fn select(
    table: &mut Table,
    batch: &Batch<'_>,
    walls: &mut Walls,
    winners: &mut Vec<Finding>,
    mut verify: impl FnMut(&Anchor, Range<usize>, &mut Vec<Finding>),
    mut more: impl FnMut(&Walls, &mut Vec<Finding>),
) {
    let Batch { anchors, plain, .. } = *batch;
    let Table { candidates, judged } = table;
    winners.clear();
    judged.clear();
    judged.resize(anchors.len(), None);
    let rounds = if batch.with_packs {
        ROUNDS_WITH_PACKS
    } else {
        ROUNDS
    };
    for _ in 0..rounds {
        candidates.clear();
        for (anchor, judged) in anchors.iter().zip(judged.iter_mut()) {
            let Some(open) = walls.around(anchor.at) else {
                continue;
            };
            if candidates.last().is_some_and(|last| settled(anchor, last)) {
                continue;
            }
            let near = within_reach(anchor, open.clone(), plain);
            if judged.as_ref() != Some(&near) {
                verify(anchor, open, candidates);
                *judged = Some(near);
            }
        }
        if candidates.is_empty() {
            more(walls, candidates);
        }
        if candidates.is_empty() {
            break;
        }
        // Where none touches another, as nearly always, they need not be weighed against each other.
        if !are_apart(candidates) {
            candidates.sort_by_key(|f| (rank(f), Reverse(f.range().len()), f.range().start));
        }
        for finding in candidates.drain(..) {
            if walls.is_free(&finding.range()) {
                walls.build(finding.range());
                winners.push(finding);
            }
        }
        if anchors.len() == 1 && !batch.with_packs {
            break;
        }
    }
    if !are_apart(winners) {
        winners.sort_by_key(|finding| finding.range().start);
    }
}

/// Whether the findings are in order and do not overlap.
fn are_apart(findings: &[Finding]) -> bool {
    findings.is_sorted_by(|left, right| left.range().end <= right.range().start)
}

/// An open space without what is farther away than a detector of the anchor's shape sees: so that a
/// wall out there is no reason to judge anew. The far ends stand for "no wall".
fn within_reach(anchor: &Anchor, open: Range<usize>, plain: bool) -> Range<usize> {
    let (left, right) = if plain {
        reach(anchor.shape)
    } else {
        raw_reach(anchor.shape)
    };
    let start = if open.start + left < anchor.at {
        0
    } else {
        open.start
    };
    let end = if open.end > anchor.at + right {
        usize::MAX
    } else {
        open.end
    };
    start..end
}
