//! The rules of packs: they are asked about what the built-in detectors leave open of a batch, and
//! what they find opens new places for the detectors.

use std::ops::Range;

use super::super::anchor::{self, Anchor};
use super::super::fold::{Folded, is_inert};
use super::super::select::Walls;
use super::{Judge, LEFT_RAW, Line, Rules};
use crate::detect::custom::{self, Custom, Piece};
use crate::finding::Finding;
use crate::kind::Kind;

/// The longest match in raw bytes: each byte written as an escape of six.
pub(super) const MAX_RAW: usize = 6 * custom::MAX_LEN;
/// How far before the first place of a batch matches are looked for, in a line whose beginning lies
/// farther back: what begins there may have been hidden by what was decided since. The bytes before
/// are context.
const BACK: usize = 320;
const _: () = assert!(BACK + 2 * custom::CONTEXT < LEFT_RAW);

/// Buffers of a search.
#[derive(Default)]
pub(super) struct Glean {
    folded: Folded,
    desk: custom::Desk,
    /// The open spaces of the batch in which nothing was found, in order.
    empty: Vec<Range<usize>>,
    /// Those of the search at hand.
    seen: Vec<Range<usize>>,
}

impl Glean {
    /// Begins another batch.
    pub(super) fn begin(&mut self) {
        self.empty.clear();
    }

    /// Appends all that holds between the walls. `first` is the first place of the batch.
    pub(super) fn search(
        &mut self,
        custom: &Custom,
        line: &Line<'_>,
        first: usize,
        walls: &Walls,
        found: &mut Vec<Finding>,
    ) {
        if line.opening.is_number() {
            return;
        }
        let from = match line.starts {
            true => line.range.start,
            false => line.range.start.max(first.saturating_sub(BACK)),
        };
        let mut known = 0;
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        for gap in walls.gaps(line.range.clone()).filter(|gap| from < gap.end) {
            while self.empty.get(known).is_some_and(|e| e.start < gap.start) {
                known += 1;
            }
            let before = found.len();
            if self.empty.get(known) != Some(&gap) {
                self.gap(custom, line, gap.clone(), from, found);
            }
            if found.len() == before {
                seen.push(gap);
            }
        }
        self.seen = std::mem::replace(&mut self.empty, seen);
    }

    /// Searches one open space.
    fn gap(
        &mut self,
        custom: &Custom,
        line: &Line<'_>,
        gap: Range<usize>,
        from: usize,
        found: &mut Vec<Finding>,
    ) {
        let raw = line.text;
        let start = context_start(line, gap.start);
        let Glean { folded, desk, .. } = self;
        if is_inert(&raw[start..gap.end]) {
            let at = |pos: usize| pos - start;
            let text = &raw[start..gap.end];
            for piece in lines(text, at(gap.start), at(from.max(gap.start))) {
                custom.search(desk, piece.1, |finding| {
                    let base = start + piece.0;
                    let range = finding.range().start + base..finding.range().end + base;
                    found.push(finding.moved(range));
                });
            }
            return;
        }
        folded.fold_all(raw, start..gap.end);
        let at = |pos: usize| folded.position(pos);
        for piece in lines(folded.bytes(), at(gap.start), at(from.max(gap.start))) {
            custom.search(desk, piece.1, |finding| {
                let range = finding.range();
                let whole = folded
                    .raw_range(range.start + piece.0..range.end + piece.0)
                    .map(|range| whole_rows(raw, range, &gap))
                    .filter(|range| range.len() <= MAX_RAW);
                found.extend(whole.map(|range| finding.moved(range)));
            });
        }
    }
}

/// Where the words begin that tell what stands in a gap: in the name of a JSON field, where the gap
/// begins with the opening. Nothing is read inside of a placeholder, nor beyond one.
fn context_start(line: &Line<'_>, start: usize) -> usize {
    if start > line.opening.start || line.opening.context >= start {
        return start;
    }
    let context = &line.text[line.opening.context..start];
    line.opening.context + memchr::memmem::rfind(context, b"]]").map_or(0, |at| at + 2)
}

/// The lines of a text, each with its place. Matches begin at `from`, and their world at `edge`.
fn lines(text: &[u8], edge: usize, from: usize) -> impl Iterator<Item = (usize, Piece<'_>)> {
    let mut at = 0;
    let ends = memchr::memchr2_iter(b'\n', b'\r', text).chain([text.len()]);
    ends.filter_map(move |end| {
        let start = std::mem::replace(&mut at, end + 1);
        let edge = edge.max(start);
        let from = from.max(edge);
        (from < end).then(|| {
            let piece = Piece {
                text: &text[start..end],
                edge: edge - start,
                from: from - start,
            };
            (start, piece)
        })
    })
}

/// A range that cuts no row of backslashes in two: in JSON, two of them are one character.
fn whole_rows(raw: &[u8], range: Range<usize>, gap: &Range<usize>) -> Range<usize> {
    let is_row = |b: &&u8| **b == b'\\';
    let Range { mut start, mut end } = range;
    if raw[start] == b'\\' {
        start -= raw[gap.start..start]
            .iter()
            .rev()
            .take_while(is_row)
            .count();
    }
    if raw[end - 1] == b'\\' {
        end += raw[end..gap.end].iter().take_while(is_row).count();
    }
    start..end
}

impl Judge {
    /// Adds the places of what begins directly behind what a rule has found, where the bytes of the
    /// finding hid that it begins. Returns whether there are new ones.
    pub(super) fn add_behind(&mut self, rules: &Rules, text: &[u8]) -> bool {
        let known = self.batch.anchors.len();
        let opening = self.batch.opening;
        for finding in &self.winners {
            let end = finding.range().end;
            if matches!(finding.kind(), Kind::Custom(_)) && end < opening.end {
                anchor::begins(text, end, rules.limits, |at, shape| {
                    let anchor = Anchor::plain(at, shape);
                    if !self.batch.anchors.contains(&anchor) {
                        self.batch.anchors.push(anchor);
                    }
                });
            }
        }
        self.batch.anchors.len() > known
    }
}
