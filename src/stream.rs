//! A text that arrives in pieces: the window over it, and what is held back.
//!
//! A complete line of text is decided and handed out at once; a JSON value when it is whole. See
//! [`lane`] for what is held.

mod bare;
mod event;
mod feed;
pub(crate) mod lane;
mod piece;
mod quoted;

use std::fmt;
use std::io;
use std::sync::Arc;

use self::feed::Feed;
pub use self::piece::{Found, Piece, Quote};
use crate::counts::Counts;
use crate::error::Error;
use crate::finding::Finding;
use crate::pseudonym::Pseudonyms;
use crate::scan::Rules;
use crate::view::Settings;
use crate::view::api::Api;

/// Filters a text that arrives in pieces. The output does not depend on how it is cut.
///
/// ```
/// # fn main() -> Result<(), nymize::Error> {
/// let engine = nymize::Pseudonymizer::builder(nymize::Key::from_bytes([7; 32])).build()?;
/// let mut stream = engine.stream();
/// let mut out = Vec::new();
/// stream.push(b"mail jan@exam", &mut out)?;
/// assert!(out.is_empty(), "what could still grow is held back");
/// stream.push(b"ple.com\nand", &mut out)?;
/// assert!(out.ends_with(b"]]\n"), "a complete line comes at once");
/// stream.finish(&mut out)?;
/// assert!(out.ends_with(b"]]\nand"));
/// # Ok(())
/// # }
/// ```
///
/// A JSON value of up to 32 MiB comes when all of it is there:
///
/// ```
/// # fn main() -> Result<(), nymize::Error> {
/// # let engine = nymize::Pseudonymizer::builder(nymize::Key::from_bytes([7; 32])).build()?;
/// let mut stream = engine.stream();
/// let mut out = Vec::new();
/// stream.push(b"{\"mail\":\n \"jan@example.com\",", &mut out)?;
/// assert!(out.is_empty());
/// stream.push(b"\"n\":1}\n", &mut out)?;
/// assert!(out.ends_with(b"\",\"n\":1}\n"));
/// # Ok(())
/// # }
/// ```
pub struct Stream {
    feed: Feed,
    output: Output,
}

/// Findings that were left where they are: a payload in base64, of a text type, in a request body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Whose request body it is.
    pub api: Api,
    /// Where the payload begins, in bytes from the start of the input.
    pub offset: u64,
    /// What it holds.
    pub counts: Counts,
}

impl fmt::Display for Warning {
    /// Says what and where, never a value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a text in base64 at byte {} holds", self.offset)?;
        for (kind, count) in self.counts.iter() {
            write!(f, " {count} {kind}")?;
        }
        write!(f, ", and was left as it is")
    }
}

/// Appends the placeholder of a finding; of a JSON number's, in quotes that are escaped `level`
/// times.
pub(crate) fn render(
    pseudonyms: &Pseudonyms,
    finding: &Finding,
    level: Option<u8>,
    out: &mut Vec<u8>,
) {
    let quote = |out: &mut Vec<u8>| {
        if let Some(level) = level {
            out.resize(out.len() + quotes_len(level) - 1, b'\\');
            out.push(b'"');
        }
    };
    quote(out);
    pseudonyms.render(finding.kind().label(), finding.canonical(), out);
    quote(out);
}

/// The length of a quote that is escaped `level` times: each level doubles the backslashes and adds
/// one for the quote.
fn quotes_len(level: u8) -> usize {
    1 << level
}

/// Turns what a lane gives into pieces.
struct Output {
    pseudonyms: Arc<Pseudonyms>,
    counts: Counts,
    /// How many bytes of the text were given.
    given: u64,
    /// What is being written in the place of a finding.
    replacement: Vec<u8>,
}

impl Output {
    fn give(
        &mut self,
        piece: lane::Piece<'_>,
        sink: &mut dyn FnMut(Piece<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let start = self.given;
        match piece {
            lane::Piece::Added(quote) => sink(Piece::Added(quote)),
            lane::Piece::Raw(bytes) => {
                self.given += bytes.len() as u64;
                sink(Piece::Raw(bytes))
            }
            lane::Piece::Found(finding, raw, level) => {
                self.given += raw.len() as u64;
                self.replacement.clear();
                render(&self.pseudonyms, &finding, level, &mut self.replacement);
                self.counts.add(finding.kind());
                let quotes = level.map_or(0, quotes_len);
                sink(Piece::Found(Found::new(
                    finding.kind(),
                    start,
                    raw,
                    &self.replacement,
                    quotes,
                )))
            }
        }
    }
}

impl Stream {
    pub(crate) fn new(
        rules: Arc<Rules>,
        pseudonyms: Arc<Pseudonyms>,
        settings: Settings,
    ) -> Stream {
        Stream {
            feed: Feed::new(rules, settings),
            output: Output {
                pseudonyms,
                counts: Counts::default(),
                given: 0,
                replacement: Vec::new(),
            },
        }
    }

    /// Takes the next piece of the text, and appends to `out` what is decided.
    ///
    /// # Errors
    /// When the format is [`Format::Json`](crate::Format::Json) and the text is no JSON; the stream
    /// must then be dropped.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.push_to(chunk, out)
    }

    /// Says that the text ends here, and appends the rest to `out`. The stream can then be used
    /// for another text.
    ///
    /// # Errors
    /// As for [`Stream::push`].
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.finish_to(out)
    }

    /// What was replaced so far.
    pub fn counts(&self) -> &Counts {
        &self.output.counts
    }

    /// What was found so far and had to stay.
    pub fn warnings(&self) -> &[Warning] {
        self.feed.warnings()
    }

    /// Like [`Stream::push`], but hands what is decided to a writer.
    ///
    /// # Errors
    /// Also when the writer fails; the stream must then be dropped.
    pub fn push_to(&mut self, chunk: &[u8], out: &mut impl io::Write) -> Result<(), Error> {
        self.push_pieces(chunk, |piece| out.write_all(piece.replacement()))
    }

    /// Like [`Stream::finish`], but hands the rest to a writer.
    ///
    /// # Errors
    /// Also when the writer fails.
    pub fn finish_to(&mut self, out: &mut impl io::Write) -> Result<(), Error> {
        self.finish_pieces(|piece| out.write_all(piece.replacement()))
    }

    /// Like [`Stream::push`], but tells of each finding, with its place in the text: for reports,
    /// and for callers who decide for each whether it is replaced.
    ///
    /// # Errors
    /// Also when the sink fails; the stream must then be dropped.
    pub fn push_pieces(
        &mut self,
        chunk: &[u8],
        mut sink: impl FnMut(Piece<'_>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let output = &mut self.output;
        self.feed
            .push(chunk, &mut |piece| output.give(piece, &mut sink))
    }

    /// Like [`Stream::finish`], but tells of each finding that is left.
    ///
    /// # Errors
    /// Also when the sink fails.
    pub fn finish_pieces(
        &mut self,
        mut sink: impl FnMut(Piece<'_>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let output = &mut self.output;
        self.feed
            .finish(&mut |piece| output.give(piece, &mut sink))?;
        output.given = 0;
        Ok(())
    }
}

impl fmt::Debug for Stream {
    /// Says nothing of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}
