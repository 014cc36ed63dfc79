//! A text that arrives in pieces: the window over it, and what is held back.
//!
//! A complete line is decided and handed out at once. Of a line that is not complete yet, up to
//! [`PAGE`] bytes are kept before it is looked at; then all but the last [`RIGHT_RAW`] bytes of it
//! are judged, and handed out but for what an undecided place may still claim.

use std::io;
use std::sync::Arc;

use memchr::memrchr;

use crate::counts::Counts;
use crate::error::{Error, ErrorKind};
use crate::finding::Finding;
use crate::pseudonym::Pseudonyms;
use crate::scan::{Judge, LEFT_RAW, RIGHT_RAW, Rules};

/// How many bytes of an incomplete line are gathered before they are judged.
const PAGE: usize = 64 * 1024;

/// Filters a text that arrives in pieces. The output does not depend on how it is cut.
///
/// ```
/// # fn main() -> Result<(), nymize::Error> {
/// let engine = nymize::Pseudonymizer::builder(nymize::Key::from_bytes([7; 32])).build()?;
/// let mut stream = engine.stream();
/// let mut out = Vec::new();
/// stream.push(b"mail jan@exam", &mut out);
/// assert!(out.is_empty(), "what could still grow is held back");
/// stream.push(b"ple.com\nand", &mut out);
/// assert!(out.ends_with(b"]]\n"), "a complete line comes at once");
/// stream.finish(&mut out);
/// assert!(out.ends_with(b"]]\nand"));
/// # Ok(())
/// # }
/// ```
pub struct Stream {
    rules: Arc<Rules>,
    pseudonyms: Arc<Pseudonyms>,
    judge: Judge,
    /// The window: bytes that were not handed out, after at most [`LEFT_RAW`] + 1 that were.
    window: Vec<u8>,
    /// How many bytes of the window were handed out.
    given: usize,
    /// How many bytes of the window were judged.
    judged: usize,
    found: Vec<Finding>,
    /// The placeholder that is being written.
    placeholder: Vec<u8>,
    counts: Counts,
}

impl Stream {
    pub(crate) fn new(rules: Arc<Rules>, pseudonyms: Arc<Pseudonyms>) -> Stream {
        Stream {
            rules,
            pseudonyms,
            judge: Judge::default(),
            window: Vec::new(),
            given: 0,
            judged: 0,
            found: Vec::new(),
            placeholder: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Takes the next piece of the text, and appends to `out` what is decided.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        self.take(chunk);
        self.give(false, &mut |bytes| {
            out.extend_from_slice(bytes);
            Ok(())
        })
        .expect("a vector takes all bytes");
    }

    /// Says that the text ends here, and appends the rest to `out`. The stream can then be used
    /// for another text.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.give(true, &mut |bytes| {
            out.extend_from_slice(bytes);
            Ok(())
        })
        .expect("a vector takes all bytes");
    }

    /// What was replaced so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Like [`Stream::push`], but hands what is decided to a writer.
    ///
    /// # Errors
    /// When the writer fails; the stream must then be dropped.
    pub fn push_to(&mut self, chunk: &[u8], out: &mut impl io::Write) -> Result<(), Error> {
        self.take(chunk);
        self.give(false, &mut |bytes| out.write_all(bytes))
            .map_err(|error| Error::new(ErrorKind::Write(error)))
    }

    /// Like [`Stream::finish`], but hands the rest to a writer.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn finish_to(&mut self, out: &mut impl io::Write) -> Result<(), Error> {
        self.give(true, &mut |bytes| out.write_all(bytes))
            .map_err(|error| Error::new(ErrorKind::Write(error)))
    }

    fn take(&mut self, chunk: &[u8]) {
        self.forget();
        self.window.extend_from_slice(chunk);
    }

    /// Judges what can be judged and gives what is decided to `sink`, in order.
    fn give(
        &mut self,
        last: bool,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let end = if last {
            self.window.len()
        } else {
            memrchr(b'\n', &self.window[self.judged..]).map_or(self.judged, |i| self.judged + i + 1)
        };
        if end > self.judged || last {
            self.judge_to(end, true);
            self.hand_out(end, sink)?;
        }
        if !last && self.window.len() - self.judged > PAGE {
            self.judge_to(self.window.len() - RIGHT_RAW, false);
            self.hand_out(self.judge.frontier(self.judged), sink)?;
        }
        if last {
            self.window.clear();
            (self.given, self.judged) = (0, 0);
            self.judge = Judge::default();
        }
        Ok(())
    }

    fn judge_to(&mut self, end: usize, complete: bool) {
        let text = if complete {
            &self.window[..end]
        } else {
            &self.window[..]
        };
        self.judge.judge(
            &self.rules,
            text,
            self.judged,
            end,
            complete,
            &mut self.found,
        );
        self.judged = end;
    }

    /// Gives the window up to `end`, with the findings replaced.
    fn hand_out(
        &mut self,
        end: usize,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        for finding in self.found.drain(..) {
            let range = finding.range();
            sink(&self.window[self.given..range.start])?;
            self.placeholder.clear();
            self.pseudonyms.render(
                finding.kind().label(),
                finding.canonical(),
                &mut self.placeholder,
            );
            sink(&self.placeholder)?;
            self.counts.add(finding.kind());
            self.given = range.end;
        }
        if end > self.given {
            sink(&self.window[self.given..end])?;
            self.given = end;
        }
        Ok(())
    }

    /// Drops what was handed out, but for what a place behind it may read.
    fn forget(&mut self) {
        let gone = self.given.min(self.judged).saturating_sub(LEFT_RAW + 1);
        // Moving what stays costs as much as reading it: wait until much is gone.
        if gone >= self.window.len() / 2 {
            self.window.drain(..gone);
            self.given -= gone;
            self.judged -= gone;
            self.judge.shift(gone);
        }
    }
}

impl std::fmt::Debug for Stream {
    /// Says nothing of the text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}
