//! Lines and openings in which no rule of a pack can hold, told from afar: they need no posts.
//!
//! Only short ones are passed over. They are one batch each, with posts or without, so what the
//! built-in kinds find in them is the same.

use std::ops::Range;

use super::super::fold::is_inert;
use crate::detect::custom::{self, Custom};

/// The longest piece that is passed over, in bytes: shorter than what parts two batches of a line.
pub(super) const LONGEST: usize = 3 * 1024;
const _: () = assert!(LONGEST < super::APART && LONGEST < super::BATCH_SPAN);
/// How much of a text is looked at together, in bytes.
const REACH: usize = 8 * 1024;
/// How far from a look that found something the next one is, in bytes: so that a text in which every
/// look finds something costs a few looks at each of its bytes, and not hundreds.
const PAUSE: usize = 1024;

/// What was seen so far.
#[derive(Default)]
pub(super) struct Quiet {
    desk: custom::Desk,
    /// No match begins here.
    clear: Range<usize>,
    /// Where it is looked again.
    again: usize,
}

impl Quiet {
    /// Whether it is seen that no rule holds in `text[piece]`, whatever becomes a wall in it.
    pub(super) fn covers(&mut self, custom: &Custom, text: &[u8], piece: Range<usize>) -> bool {
        if piece.len() > LONGEST || !is_inert(&text[piece.clone()]) {
            return false;
        }
        let known = self.clear.start <= piece.start && piece.end <= self.clear.end;
        if !known && piece.start >= self.again {
            self.look(custom, text, &piece);
        }
        self.clear.start <= piece.start && piece.end <= self.clear.end
    }

    fn look(&mut self, custom: &Custom, text: &[u8], piece: &Range<usize>) {
        let end = text.len().min(piece.start + REACH).max(piece.end);
        let found = custom.scout(&mut self.desk, &text[piece.start..end]);
        let clear = found.map_or(end, |at| piece.start + at);
        self.clear = piece.start..clear;
        // What lies at the end may be cut off.
        self.again = match found {
            Some(_) => clear.max(piece.start + PAUSE),
            None => piece.start + 1,
        };
    }

    /// Says that the first `count` bytes of the text are gone.
    pub(super) fn shift(&mut self, count: usize) {
        let clear = self.clear.start.saturating_sub(count)..self.clear.end.saturating_sub(count);
        self.clear = clear;
        self.again = self.again.saturating_sub(count);
    }
}
