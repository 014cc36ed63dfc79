//! The JSON view: where in a JSON text a value may stand, told in one pass over its bytes.
//!
//! It builds no tree and copies no string: it names the insides of strings and keys, and the
//! numbers that may be cards, as [`Openings`] of the raw text. The scan decodes escapes where it
//! judges a place. Refused on purpose: comments, single quotes, `NaN` and other dialects.

use super::api::{self, Api, Body, Kept, Tables};
use super::grammar::{Event, Grammar};
use super::nested::Nested;
use crate::scan::{Form, MAX_CONTEXT, Marks, Opening, Openings};

/// The shortest inside of a string that can hold a value (`::1`), in bytes.
const SHORTEST: usize = 3;
/// The shortest number that is looked at, in digits: the shortest card.
pub(super) const SHORTEST_NUMBER: usize = 12;

/// How many levels of containers are known by their keys; what is deeper may be kept by any table.
const LEVELS: usize = 32;

/// How far a reading came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The text at hand is read; the value is not complete.
    More,
    /// The value ended before this position.
    Ended(usize),
    /// What stands here cannot belong to a JSON value.
    Failed(usize),
}

/// What is read, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// Whether a number may be a finding.
    pub(crate) numbers: bool,
    /// Whether a value ends where its line ends.
    pub(crate) one_line: bool,
    /// Whether strings that hold JSON are read as JSON. They must be at hand as a whole.
    pub(crate) nested: bool,
    /// Whether strings count that are too short for a value of a built-in kind.
    pub(crate) short: bool,
}

impl Reading {
    /// The shortest inside of a string that is told, in bytes.
    pub(super) fn shortest(self) -> usize {
        if self.short { 1 } else { SHORTEST }
    }
}

/// Reads one value after the other. Positions are indices into the text at hand.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    grammar: Grammar,
    marks: Marks,
    nested: Nested,
    openings: Openings,
    pos: usize,
    /// Where the inside of the string, or the number, begins.
    token: usize,
    /// Whether the string that is being read has been told.
    told: bool,
    /// Where the inside of the last key begins, until its value has begun.
    key: Option<usize>,
    digits_only: bool,
    /// The shortest inside of a string that is told.
    shortest: usize,
    /// What the keys have told.
    body: Body,
    /// The tables of APIs that may keep what the last key leads to.
    kept: Tables,
    /// The same for what is in each open container, beside the outermost.
    levels: [Tables; LEVELS],
    /// Where the last value ended, when the marks hold from there on.
    ended: Option<usize>,
}

impl Reader {
    /// Begins a value at `pos`. What was told stays until it is taken. Where a value has ended at
    /// `behind`, there is only white space between them.
    pub(crate) fn begin(&mut self, pos: usize, behind: usize) {
        if self.ended.take() == Some(behind) {
            self.marks.forget(pos);
        } else {
            self.marks.begin(pos, false);
        }
        self.grammar.reset();
        self.pos = pos;
        self.key = None;
        self.body.begin();
        (self.kept, self.levels) = (0, [0; LEVELS]);
    }

    /// How far the text is read.
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// What was told.
    pub(crate) fn openings(&self) -> &Openings {
        &self.openings
    }

    /// What was told, to be cut down.
    pub(crate) fn openings_mut(&mut self) -> &mut Openings {
        &mut self.openings
    }

    /// What an API keeps of the value that was read last, and began at `start`. `None` where it is
    /// no body.
    pub(crate) fn kept(&mut self, text: &[u8], start: usize, wanted: Api) -> Option<Kept> {
        api::kept(text, start, wanted, (&mut self.marks, &mut self.body))
    }

    /// The tables of APIs that may fit the value that was read last.
    pub(crate) fn tables(&self, wanted: Api) -> Tables {
        self.body.tables(wanted)
    }

    /// Whether the value may hold a payload in base64.
    pub(crate) fn may_hold_payload(&self) -> bool {
        self.body.may_hold_payload()
    }

    /// Says that the first `count` bytes of the text are gone.
    pub(crate) fn shift(&mut self, count: usize) {
        self.pos = self.pos.saturating_sub(count);
        self.ended = self.ended.and_then(|ended| ended.checked_sub(count));
        if !self.marks.shift(count) {
            self.marks.begin(self.pos, self.grammar.in_string());
            self.ended = None;
        }
        self.token = self.token.saturating_sub(count);
        self.key = self.key.and_then(|key| key.checked_sub(count));
        self.openings.shift(count);
    }

    /// Tells of the string that is being read, so that what is there of it can be judged.
    pub(crate) fn tell_open(&mut self) {
        if self.grammar.in_string() && !self.told {
            self.told = true;
            self.tell_string(usize::MAX);
        }
    }

    /// Ends the string that is being read at `pos`: what follows is no JSON.
    pub(crate) fn cut(&mut self, pos: usize) {
        if self.grammar.in_string() {
            if self.told {
                self.openings.close(pos);
            } else if self.token < pos {
                self.tell_string(pos);
            }
        }
    }

    /// Reads on in `text`; with `last`, nothing follows it.
    pub(crate) fn read(&mut self, text: &[u8], how: Reading, last: bool) -> Progress {
        if !how.nested {
            // Of a text without an end, what was marked is not kept.
            self.marks.begin(self.pos, self.grammar.in_string());
        }
        self.shortest = how.shortest();
        while self.pos < text.len() {
            if self.grammar.in_string() {
                match self.string(text, how) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(at) => return Progress::Failed(at),
                }
            } else if let Some(progress) = self.step(text, how) {
                return progress;
            }
            if self.grammar.is_done() {
                self.ended = Some(self.pos);
                return Progress::Ended(self.pos);
            }
        }
        if !last {
            return Progress::More;
        }
        if self.grammar.in_number() && self.grammar.end_number() {
            self.tell_number(text, text.len(), how);
            if self.grammar.is_done() {
                return Progress::Ended(text.len());
            }
        }
        Progress::Failed(text.len())
    }

    /// Takes one byte outside of strings, and the white space from there on.
    #[inline]
    fn step(&mut self, text: &[u8], how: Reading) -> Option<Progress> {
        let byte = text[self.pos];
        match self.grammar.step(byte) {
            Event::Inside => {
                self.digits_only &= byte.is_ascii_digit();
                match byte {
                    b'}' | b']' => (self.key, self.kept) = (None, 0),
                    b'{' | b'[' => {
                        let below = self.level(self.grammar.depth() - 1) | self.kept;
                        if let Some(level) = self.levels.get_mut(self.grammar.depth()) {
                            *level = below;
                        }
                        self.kept = 0;
                    }
                    // Mostly a space follows.
                    b',' | b':' if text.get(self.pos + 1) == Some(&b' ') => self.pos += 1,
                    _ => {}
                }
                if byte <= b' ' && self.grammar.takes_space() {
                    return self.space(text, how);
                }
            }
            Event::Key => self.begin_string(true),
            Event::String => self.begin_string(false),
            Event::Number => {
                self.token = self.pos;
                self.digits_only = byte != b'-';
                self.key = None;
            }
            Event::NumberEnd => {
                self.tell_number(text, self.pos, how);
                return None;
            }
            Event::Fail => return Some(Progress::Failed(self.pos)),
        }
        self.pos += 1;
        None
    }

    /// The tables that may keep what is in the open container of a level, beside its own keys.
    fn level(&self, depth: usize) -> Tables {
        self.levels.get(depth).copied().unwrap_or(Tables::MAX)
    }

    /// Passes over white space, which begins here.
    fn space(&mut self, text: &[u8], how: Reading) -> Option<Progress> {
        let start = self.pos;
        self.pos = match text.get(start + 1) {
            Some(byte) if *byte > b' ' => start + 1,
            _ => start + white(&text[start..]),
        };
        if how.one_line
            && let Some(end) = memchr::memchr(b'\n', &text[start..self.pos])
        {
            return Some(Progress::Failed(start + end));
        }
        None
    }

    fn begin_string(&mut self, key: bool) {
        self.token = self.pos + 1;
        self.told = false;
        if key {
            self.key = Some(self.token);
        }
    }

    /// Reads on in a string. `Ok(false)`: its end is not at hand.
    fn string(&mut self, text: &[u8], how: Reading) -> Result<bool, usize> {
        loop {
            let Some(at) = self.marks.special(text, self.pos) else {
                // An escape may go on in what comes.
                let row = text[self.pos..].iter().rev().take_while(|&&b| b == b'\\');
                self.pos = text.len() - row.count() % 2;
                return Ok(false);
            };
            match text[at] {
                b'"' => {
                    self.pos = at;
                    self.end_string(text, how);
                    self.pos = at + 1;
                    return Ok(true);
                }
                b'u' => match escape(&text[at - 1..]) {
                    Some(len) => self.pos = at - 1 + len,
                    None if may_be_escape(&text[at - 1..]) => {
                        self.pos = at - 1;
                        return Ok(false);
                    }
                    None => return Err(at - 1),
                },
                _ => {
                    let row = text[self.pos..at].iter().rev().take_while(|&&b| b == b'\\');
                    return Err(at - row.count() % 2);
                }
            }
        }
    }

    fn end_string(&mut self, text: &[u8], how: Reading) {
        let is_key = self.grammar.in_key();
        let tables = self.level(self.grammar.depth()) | self.kept;
        self.openings.set_tables(tables);
        if self.told {
            self.openings.close(self.pos);
        } else if is_key {
            let outer = self.grammar.depth() == 1;
            self.kept = self.body.key(&text[self.token..self.pos], outer);
            self.tell_string(self.pos);
        } else if !(how.nested
            && self
                .nested
                .read(text, self.token..self.pos, how, &mut self.openings))
        {
            self.tell_string(self.pos);
        }
        if !is_key {
            self.key = None;
        }
        self.grammar.close_string();
    }

    fn tell_string(&mut self, end: usize) {
        if end - self.token < self.shortest {
            return;
        }
        let key = self.key.filter(|key| self.token - key <= MAX_CONTEXT);
        self.openings.push(Opening {
            start: self.token,
            end,
            context: key.unwrap_or(self.token),
            form: Form::Text,
        });
    }

    fn tell_number(&mut self, text: &[u8], end: usize, how: Reading) {
        debug_assert!(end <= text.len());
        if how.numbers && self.digits_only && end - self.token >= SHORTEST_NUMBER {
            let tables = self.level(self.grammar.depth()) | self.kept;
            self.openings.set_tables(tables);
            self.openings.push(Opening {
                start: self.token,
                end,
                context: self.token,
                form: Form::Number { level: 0 },
            });
        }
    }
}

/// How many bytes of white space `text` begins with: it may be indented deeply.
fn white(text: &[u8]) -> usize {
    const STEP: usize = 16;
    let is_white = |b: &u8| matches!(b, b' ' | b'\n' | b'\r' | b'\t');
    let steps = text.chunks_exact(STEP).take_while(|chunk| {
        let dark = chunk
            .iter()
            .fold(0, |dark, b| dark | u8::from(!is_white(b)));
        dark == 0
    });
    let from = steps.count() * STEP;
    from + text[from..].iter().take_while(|b| is_white(b)).count()
}

/// The length of the escape that `text` begins with (RFC 8259, section 7).
pub(super) fn escape(text: &[u8]) -> Option<usize> {
    match text.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => text
            .get(2..6)?
            .iter()
            .all(u8::is_ascii_hexdigit)
            .then_some(6),
        _ => None,
    }
}

/// Whether `text` is the beginning of an escape.
fn may_be_escape(text: &[u8]) -> bool {
    match text {
        [_] => true,
        [_, b'u', digits @ ..] => digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit),
        _ => false,
    }
}
