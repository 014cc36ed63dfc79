//! Posts: places that are told only so that a text is covered with batches all over, as the rules of
//! packs may hold where nothing has the shape of a built-in kind.
//!
//! They stand where a line's text, or an opening, begins, and every [`STEP`] bytes from there on. That
//! depends on the text alone, as does then where batches are cut.

use std::ops::Range;

use memchr::memchr;

use super::super::anchor::Place;
use super::super::openings::{Opening, Openings};
use super::quiet::LONGEST;
use super::{Judge, Rules};
use crate::finding::Finding;

/// From one post to the next. A batch that is cut sees [`super::RIGHT_RAW`] bytes behind its last
/// place, and decides what ends [`super::LEFT_RAW`] bytes before the next: so at least
/// [`super::custom::MAX_RAW`] bytes of what it decides about are in sight.
pub(super) const STEP: usize = 512;

impl Judge {
    /// Adds the posts before `until`. All places before them must have been told.
    pub(super) fn post(
        &mut self,
        rules: &Rules,
        text: &[u8],
        openings: Option<&Openings>,
        until: usize,
        found: &mut Vec<Finding>,
    ) {
        let mut hint = 0;
        while self.next_post < until {
            let at = self.next_post;
            let Some(openings) = openings else {
                self.post_in_line(rules, text, until, found);
                continue;
            };
            let opening = openings
                .after(at, &mut hint)
                .filter(|opening| opening.start.max(at) < until);
            let Some(opening) = opening else {
                self.next_post = until;
                return;
            };
            let at = at.max(opening.start);
            let whole = at == opening.start && opening.end <= text.len();
            if opening.is_number() || (whole && self.is_quiet(rules, text, at..opening.end)) {
                self.next_post = opening.end;
                continue;
            }
            self.add(rules, text, opening, at, Place::Post, found);
            self.next_post = opening.end.min(at + STEP);
        }
    }

    /// Adds the next post of a text that is read line by line.
    fn post_in_line(&mut self, rules: &Rules, text: &[u8], until: usize, found: &mut Vec<Finding>) {
        let at = self.next_post;
        if !self.in_line {
            // White space at the head of a text is passed over before it reaches the judge, or not,
            // as the pieces of the text fall: so it never decides where posts stand.
            let blank = text[at..until].iter().take_while(|&&b| is_blank(b)).count();
            if blank > 0 {
                self.next_post = at + blank;
                return;
            }
            let near = &text[at..text.len().min(at + LONGEST)];
            if let Some(end) = memchr(b'\n', near).map(|end| at + end)
                && self.is_quiet(rules, text, at..end)
            {
                self.next_post = end + 1;
                return;
            }
        }
        self.add(rules, text, Opening::ALL, at, Place::Post, found);
        let far = at + STEP;
        let line_end = memchr(b'\n', &text[at..text.len().min(far)]);
        self.next_post = line_end.map_or(far, |end| at + end + 1);
        self.in_line = line_end.is_none();
    }
}

impl Judge {
    fn is_quiet(&mut self, rules: &Rules, text: &[u8], piece: Range<usize>) -> bool {
        let custom = rules.custom.as_ref();
        custom.is_some_and(|custom| self.quiet.covers(custom, text, piece))
    }
}

/// White space, line ends, and the bytes of a byte order mark.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF)
}
