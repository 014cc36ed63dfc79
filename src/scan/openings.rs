//! Openings: the parts of a text in which findings may lie, where a view has told them apart from
//! what only gives the text its form.
//!
//! Everything outside is a wall. They are kept small, as a document of 32 MiB may hold millions.

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    /// The first byte, as an index into the text.
    pub(crate) start: usize,
    /// Behind the last byte; `usize::MAX` where the end has not been seen yet.
    pub(crate) end: usize,
    /// Where the words begin that tell what stands here (the name of the field); at most
    /// [`MAX_CONTEXT`] bytes before the start. The start itself where there are none.
    pub(crate) context: usize,
    pub(crate) form: Form,
}

/// What an opening holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text: any part of it may be a finding.
    Text,
    /// A number: a finding is all of it, or none, and only a card is one. What replaces it stands
    /// in quotes; `level` says how often they are escaped.
    Number { level: u8 },
}

/// The farthest that an opening's context reaches back, in bytes.
pub(crate) const MAX_CONTEXT: usize = 255;

impl Opening {
    /// A whole text.
    pub(crate) const ALL: Opening = Opening {
        start: 0,
        end: usize::MAX,
        context: 0,
        form: Form::Text,
    };

    pub(crate) fn is_number(&self) -> bool {
        self.form != Form::Text
    }
}

/// Openings in order, disjoint. Positions are indices into the text at hand.
#[derive(Debug, Default)]
pub(crate) struct Openings {
    /// What the entries count from.
    base: usize,
    entries: Vec<Entry>,
    /// What the next entries get.
    tables: u16,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    /// [`OPEN`]: the end has not been seen yet.
    len: u32,
    context: u8,
    /// 0: text, otherwise a number's level and one.
    form: u8,
    /// A set that the view has given it.
    tables: u16,
}

const OPEN: u32 = u32::MAX;

impl Openings {
    /// Appends an opening behind all others, less than 4 GiB from the first.
    pub(crate) fn push(&mut self, opening: Opening) {
        if self.entries.is_empty() {
            self.base = opening.start;
        }
        let narrow = |n: usize| u32::try_from(n).unwrap_or(OPEN);
        let context = opening.start - opening.context;
        self.entries.push(Entry {
            start: narrow(opening.start - self.base),
            len: narrow(opening.end.saturating_sub(opening.start)),
            context: u8::try_from(context).unwrap_or(0),
            tables: self.tables,
            form: match opening.form {
                Form::Text => 0,
                Form::Number { level } => level + 1,
            },
        });
    }

    /// Gives the openings that follow a set, which a view knows the meaning of.
    pub(crate) fn set_tables(&mut self, tables: u16) {
        self.tables = tables;
    }

    /// The set of the opening that holds `pos`, or of the last one before.
    pub(crate) fn tables(&self, pos: usize) -> u16 {
        let last = self.begun(pos, &mut 0).checked_sub(1);
        last.map_or(u16::MAX, |last| self.entries[last].tables)
    }

    /// Ends the last opening, which was open.
    pub(crate) fn close(&mut self, end: usize) {
        if let Some(last) = self.entries.last_mut() {
            let start = self.base + last.start as usize;
            last.len = u32::try_from(end.saturating_sub(start)).unwrap_or(OPEN);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Takes the last openings back, so that `len` are left.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// The opening that holds `pos`. `hint` speeds up a row of questions about growing positions.
    pub(crate) fn around(&self, pos: usize, hint: &mut usize) -> Option<Opening> {
        let index = self.begun(pos, hint).checked_sub(1)?;
        Some(self.opening(self.entries[index])).filter(|opening| pos < opening.end)
    }

    /// The opening that holds `pos`, or the next.
    pub(crate) fn after(&self, pos: usize, hint: &mut usize) -> Option<Opening> {
        self.around(pos, hint).or_else(|| {
            let next = self.entries.get(self.begun(pos, hint))?;
            Some(self.opening(*next))
        })
    }

    /// How many openings begin at or before `pos`.
    fn begun(&self, pos: usize, hint: &mut usize) -> usize {
        let Some(rel) = pos.checked_sub(self.base) else {
            return 0;
        };
        let rel = u32::try_from(rel).unwrap_or(u32::MAX);
        let begun = |i: usize| self.entries.get(i).is_some_and(|entry| entry.start <= rel);
        let mut low = if begun(*hint) { *hint } else { 0 };
        let mut step = 1;
        while begun(low + step) {
            low += step;
            step *= 2;
        }
        let high = self.entries.len().min(low + step);
        let ahead = self.entries[low..high].partition_point(|entry| entry.start <= rel);
        *hint = (low + ahead).saturating_sub(1);
        low + ahead
    }

    /// Drops the openings for which `drop` says so.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Opening) -> bool) {
        let base = self.base;
        self.entries.retain(|entry| keep(&entry.at(base)));
    }

    /// Forgets what lies wholly before `pos`, and the head of an opening that lies around it, so
    /// that an opening without an end keeps small numbers.
    pub(crate) fn forget(&mut self, pos: usize) {
        let gone = self
            .entries
            .partition_point(|entry| entry.at(self.base).end <= pos);
        self.entries.drain(..gone);
        let Some(step) = pos.checked_sub(self.base) else {
            return;
        };
        for entry in &mut self.entries {
            let opening = entry.at(self.base);
            let start = opening.start.max(pos);
            entry.start = u32::try_from(start - pos).unwrap_or(OPEN);
            if entry.len != OPEN {
                entry.len = u32::try_from(opening.end - start).unwrap_or(OPEN);
            }
            if opening.context < pos {
                entry.context = 0;
            }
        }
        self.base += step;
    }

    /// Says that the first `count` bytes of the text are gone; no opening may begin there.
    pub(crate) fn shift(&mut self, count: usize) {
        self.base = self.base.saturating_sub(count);
    }

    fn opening(&self, entry: Entry) -> Opening {
        entry.at(self.base)
    }
}

impl Entry {
    fn at(self, base: usize) -> Opening {
        let start = base + self.start as usize;
        Opening {
            start,
            end: match self.len {
                OPEN => usize::MAX,
                len => start + len as usize,
            },
            context: start - usize::from(self.context),
            form: match self.form.checked_sub(1) {
                None => Form::Text,
                Some(level) => Form::Number { level },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(start: usize, end: usize) -> Opening {
        Opening {
            start,
            end,
            context: start,
            form: Form::Text,
        }
    }

    #[test]
    fn the_opening_around_a_place_is_found_from_any_hint() {
        let mut openings = Openings::default();
        for i in 0..100 {
            openings.push(text(10 * i + 5, 10 * i + 8));
        }
        for from in [0, 3, 50, 99, 500] {
            let mut hint = from;
            for pos in 0..1_000 {
                let expected = (pos % 10 >= 5 && pos % 10 < 8).then(|| {
                    let start = pos / 10 * 10 + 5;
                    text(start, start + 3)
                });
                assert_eq!(openings.around(pos, &mut hint), expected, "{pos}");
                let next = (pos + 2) / 10 * 10 + 5;
                let next = (next < 1_000).then(|| text(next, next + 3));
                assert_eq!(openings.after(pos, &mut hint), expected.or(next), "{pos}");
            }
        }
    }

    #[test]
    fn what_is_behind_is_forgotten_and_an_open_end_stays_open() {
        let mut openings = Openings::default();
        openings.push(text(100, 110));
        openings.push(text(120, usize::MAX));
        openings.forget(500);
        assert_eq!(openings.len(), 1);
        assert_eq!(
            openings.around(600, &mut 0),
            Some(text(500, usize::MAX)),
            "its head is gone"
        );
        openings.shift(500);
        assert_eq!(openings.around(100, &mut 0), Some(text(0, usize::MAX)));
        openings.close(130);
        assert_eq!(openings.around(130, &mut 0), None);
        assert_eq!(openings.around(129, &mut 0), Some(text(0, 130)));
    }
}
