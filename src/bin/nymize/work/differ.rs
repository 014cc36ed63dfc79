//! One file, as a diff.

use super::{Seen, Sink, Target, Ticket};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::notice::Tally;
use crate::report::diff::{Diff, MOST, TooLong};
use crate::walk::Item;

/// Writes what would change to the output.
pub(crate) struct Differ<'d, 'q> {
    item: &'d Item,
    diff: Diff,
    /// What was written and not handed over.
    out: Vec<u8>,
    ticket: &'d mut Ticket<'q>,
    tally: Tally,
}

impl<'d, 'q> Differ<'d, 'q> {
    pub(crate) fn new(item: &'d Item, ticket: &'d mut Ticket<'q>) -> Self {
        Differ {
            item,
            diff: Diff::new(item.named()),
            out: Vec::new(),
            ticket,
            tally: Tally::default(),
        }
    }

    /// Writes the rest; what would be replaced.
    pub(crate) fn end(mut self) -> Result<Tally, Failure> {
        self.diff.end(&mut self.out);
        self.ticket.write(&self.out)?;
        Ok(self.tally)
    }

    fn checked(&self, told: Result<(), TooLong>) -> Result<(), Failure> {
        told.map_err(|TooLong| {
            let (path, most) = (self.item.path.display(), MOST >> 20);
            Failure::new(format!(
                "{path}: more than {most} MiB change in one piece: no diff"
            ))
        })
    }
}

impl Sink for Differ<'_, '_> {
    fn raw(&mut self, text: &[u8]) -> Result<(), Failure> {
        let told = self.diff.raw(text, &mut self.out);
        self.checked(told)?;
        let written = self.ticket.write(&self.out);
        self.out.clear();
        written
    }

    fn found(&mut self, seen: Seen<'_>) -> Result<(), Failure> {
        self.tally.add(seen.kind, 1);
        let told = self.diff.found(seen.raw, seen.replacement);
        self.checked(told)
    }

    fn added(&mut self, quote: &[u8]) -> Result<(), Failure> {
        let told = self.diff.found(b"", quote);
        self.checked(told)
    }
}

impl Target for Differ<'_, '_> {
    fn begin(&mut self, _: Encoding) {}
}
