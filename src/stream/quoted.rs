//! A scalar as it will stand in quotes. What a place is judged by are its neighbours, and a quote is
//! a new one: so what a second pass would find there is found in the first.

use std::ops::Range;

use memchr::{memchr, memrchr};

use crate::finding::Finding;
use crate::scan::{Judge, LEFT_RAW, RIGHT_RAW, Rules};

/// What stands for a finding. Which placeholder it is makes no difference to what is around it.
const PLACEHOLDER: &[u8] = b"[[A_00000000]]";

/// The text that is judged, and where its bytes come from.
#[derive(Default)]
struct Shown {
    bytes: Vec<u8>,
    /// Pieces of the raw text: where each begins in the bytes, and its range.
    pieces: Vec<(usize, Range<usize>)>,
}

impl Shown {
    /// Puts a piece of the text, with each `sign` in it twice.
    fn put(&mut self, text: &[u8], mut range: Range<usize>, sign: u8) {
        while !range.is_empty() {
            let cut = memchr(sign, &text[range.clone()]);
            let end = cut.map_or(range.end, |at| range.start + at + 1);
            self.pieces.push((self.bytes.len(), range.start..end));
            self.bytes.extend_from_slice(&text[range.start..end]);
            if cut.is_some() {
                self.bytes.push(sign);
            }
            range.start = end;
        }
    }

    /// The raw range of what is found in the bytes.
    fn raw(&self, found: &Range<usize>) -> Option<Range<usize>> {
        let from = |at: usize| {
            let last = self.pieces.partition_point(|piece| piece.0 <= at);
            let (begins, range) = self.pieces.get(last.checked_sub(1)?)?;
            Some((range, at - begins))
        };
        let (first, skipped) = from(found.start)?;
        let (last, taken) = from(found.end.checked_sub(1)?)?;
        let range = first.end.min(first.start + skipped)..last.end.min(last.start + taken + 1);
        (!range.is_empty()).then_some(range)
    }
}

/// Adds to the findings in `range` what is found there only because of the quotes around it.
pub(super) fn find(
    rules: &Rules,
    text: &[u8],
    range: Range<usize>,
    quote: &'static [u8],
    inside: &mut Vec<Finding>,
) {
    let (Some(first), Some(last), Some(&sign)) = (inside.first(), inside.last(), quote.first())
    else {
        return;
    };
    if first.range().start == range.start && inside.len() == 1 && last.range().end >= range.end {
        return;
    }
    let near = range.start.saturating_sub(LEFT_RAW)..range.start;
    let line = memrchr(b'\n', &text[near.clone()]).map_or(near.start, |at| near.start + at + 1);
    let mut shown = Shown::default();
    shown.bytes.extend_from_slice(&text[line..range.start]);
    let from = shown.bytes.len();
    shown.bytes.push(sign);
    let mut at = range.start;
    for finding in &*inside {
        shown.put(text, at..finding.range().start, sign);
        shown.bytes.extend_from_slice(PLACEHOLDER);
        at = finding.range().end;
    }
    shown.put(text, at..range.end, sign);
    shown.bytes.push(sign);
    let rest = &text[at.max(range.end)..];
    let rest = &rest[..rest.len().min(RIGHT_RAW)];
    let end = memchr(b'\n', rest).unwrap_or(rest.len());
    shown.bytes.extend_from_slice(&rest[..end]);

    let (all, mut more) = (shown.bytes.len(), Vec::new());
    Judge::default().judge(rules, &shown.bytes, None, from, all, true, &mut more);
    let more = more.into_iter().filter_map(|finding| {
        let raw = shown.raw(&finding.range())?;
        let stands = range.start <= raw.start && raw.end <= range.end;
        stands.then(|| finding.undoubled(sign).moved(raw))
    });
    inside.extend(more);
    inside.sort_by_key(|finding| finding.range().start);
}
