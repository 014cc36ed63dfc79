//! Near misses: places that were looked at and refused, with the reason. For people, not for the
//! filter: this asks every detector again.

use super::anchor::{Anchor, Place, Seen, places};
use super::judge::{Desk, Line, Rules};
use super::openings::Opening;
use super::shapes::{Page, Wanted};
use crate::detect::Reject;
use crate::finding::Finding;
use crate::kind::Kind;

/// A place that has the shape of a kind and is no value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearMiss {
    /// What it could have been.
    pub kind: Kind,
    /// Where its shape was seen: an offset in bytes.
    pub at: usize,
    /// Why it is none.
    pub reason: Reject,
}

/// How far behind a near miss another of its kind is taken for a part of the same thing, in bytes.
const SAME_THING: usize = 24;

/// The near misses of `text` outside of its findings, in order. Places that merely look a little
/// alike ([`Reject::Shape`]) are left out.
pub(crate) fn near_misses(rules: &Rules, text: &[u8], found: &[Finding]) -> Vec<NearMiss> {
    let mut page = Page::default();
    // All numbers: one that has no form has its reason, too.
    let wanted = Wanted {
        formed: false,
        ..rules.wanted
    };
    page.find(rules.level, text, 0, text.len(), wanted);
    let mut anchors: Vec<Anchor> = Vec::new();
    let mut seen = Seen::default();
    for block in &page.hits {
        places(text, block, rules.limits, &mut seen, |_, place| {
            if let Place::Anchor(anchor) = place {
                anchors.push(anchor);
            }
        });
    }
    anchors.sort_by_key(|anchor| anchor.at);
    let mut desk = Desk::default();
    let mut misses: Vec<NearMiss> = Vec::new();
    for anchor in anchors {
        let at = anchor.at;
        let next = found.partition_point(|finding| finding.range().end <= at);
        if found
            .get(next)
            .is_some_and(|finding| finding.range().start <= at)
        {
            continue;
        }
        let left = next
            .checked_sub(1)
            .map_or(0, |last| found[last].range().end);
        let right = found
            .get(next)
            .map_or(usize::MAX, |finding| finding.range().start);
        let line = Line::around(text, (at, at), 1, Opening::ALL);
        desk.verify(rules, &line, &anchor, left..right, |kind, verdict| {
            let Err(reason) = verdict else {
                return;
            };
            let known = misses
                .iter_mut()
                .rev()
                .take_while(|miss| at - miss.at < SAME_THING)
                .find(|miss| miss.kind == kind);
            match known {
                _ if reason == Reject::Shape => {}
                Some(miss) if telling(reason) > telling(miss.reason) => miss.reason = reason,
                Some(_) => {}
                None => misses.push(NearMiss { kind, at, reason }),
            }
        });
    }
    misses
}

/// How much a reason tells a person who wonders why a value was not found.
fn telling(reason: Reject) -> u8 {
    match reason {
        Reject::Checksum => 7,
        Reject::Registry => 6,
        Reject::Numbering => 5,
        Reject::Kept => 4,
        Reject::Context => 3,
        Reject::Length => 2,
        Reject::Boundary => 1,
        Reject::Shape => 0,
    }
}
