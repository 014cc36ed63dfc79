//! The window over a text that arrives in pieces.

use std::io;
use std::sync::Arc;

use memchr::{memchr_iter, memrchr};

use super::Warning;
use super::lane::{Failure, Lane, Sink};
use crate::error::{Error, ErrorKind};
use crate::scan::Rules;
use crate::view::{Format, Settings};

/// A lane and its window: the bytes that were not given, after a few that were.
pub(crate) struct Feed {
    lane: Lane,
    window: Vec<u8>,
    /// Whether the sink has failed: what is in the window can no longer be told from what was given.
    failed: bool,
    /// Whether lines are counted: only where a message may name them.
    counts_lines: bool,
    /// How many bytes, and line ends, stood before the window.
    before: u64,
    lines: u64,
    /// How many characters of the window's first line stood before it.
    column: u64,
    /// Where a warning's offset counts from has been settled.
    warnings: Vec<Warning>,
}

impl Feed {
    pub(crate) fn new(rules: Arc<Rules>, settings: Settings) -> Feed {
        Feed {
            lane: Lane::new(rules, settings),
            window: Vec::new(),
            failed: false,
            counts_lines: settings.format == Format::Json,
            before: 0,
            lines: 0,
            column: 0,
            warnings: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, chunk: &[u8], sink: &mut Sink<'_>) -> Result<(), Error> {
        if !self.failed {
            self.forget();
            self.window.extend_from_slice(chunk);
        }
        self.give(false, sink)
    }

    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.give(true, sink)?;
        self.window.clear();
        (self.before, self.lines, self.column) = (0, 0, 0);
        Ok(())
    }

    /// What payloads hold that stayed as they are.
    pub(crate) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn give(&mut self, last: bool, sink: &mut Sink<'_>) -> Result<(), Error> {
        if self.failed {
            let again = io::Error::other("an earlier write failed");
            return Err(Error::new(ErrorKind::Write(again)));
        }
        let given = self.lane.give(&self.window, last, sink);
        for warning in self.lane.take_warnings() {
            let offset = warning.offset + self.before;
            self.warnings.push(Warning { offset, ..warning });
        }
        if let Err(Failure::Sink(_)) = given {
            self.failed = true;
            self.window = Vec::new();
        }
        given.map_err(|failure| failure.into_error(|at| self.place(at)))
    }

    /// Drops what was given, but for what a place behind it may read.
    fn forget(&mut self) {
        let gone = self.lane.gone();
        // Moving what stays costs as much as reading it: wait until much is gone.
        if gone == 0 || gone < self.window.len() / 2 {
            return;
        }
        if self.counts_lines {
            let (line, column) = self.place(gone);
            (self.lines, self.column) = (line - 1, column - 1);
        }
        self.before += gone as u64;
        self.window.drain(..gone);
        self.lane.shift(gone);
    }

    /// The line and column, in characters, of a position in the window.
    fn place(&self, at: usize) -> (u64, u64) {
        let text = self.window.get(..at).unwrap_or(&self.window);
        let lines = memchr_iter(b'\n', text).count() as u64;
        let (start, column) = match memrchr(b'\n', text) {
            Some(end) => (end + 1, 0),
            None => (0, self.column),
        };
        let characters = text[start..].iter().filter(|&&b| b & 0xC0 != 0x80).count() as u64;
        (self.lines + lines + 1, column + characters + 1)
    }
}
