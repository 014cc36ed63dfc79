//! What a stream gives to callers who want to see each finding.

use std::fmt;
use std::ops::Range;

use crate::kind::Kind;

/// A piece of a text that goes through a [`Stream`](crate::Stream). The pieces come in order, and
/// together they are the whole text.
///
/// ```
/// # fn main() -> Result<(), nymize::Error> {
/// use nymize::Piece;
///
/// let engine = nymize::Pseudonymizer::builder(nymize::Key::from_bytes([7; 32])).build()?;
/// let mut stream = engine.stream();
/// let mut places = Vec::new();
/// let mut note = |piece: Piece<'_>| {
///     if let Piece::Found(found) = piece {
///         places.push((found.kind(), found.range()));
///     }
///     Ok(())
/// };
/// stream.push_pieces(b"to jan@exam", &mut note)?;
/// stream.push_pieces(b"ple.com\n", &mut note)?;
/// stream.finish_pieces(&mut note)?;
/// assert_eq!(places, [(nymize::Kind::Email, 3..18)]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Piece<'t> {
    /// Bytes in which nothing was found.
    Raw(&'t [u8]),
    /// A finding.
    Found(Found<'t>),
    /// A quote that the filter adds, in a format that would not hold its form without.
    Added(Quote),
}

/// A quote of a scalar that had none. All of one scalar go together: without those that open and
/// close it, none belongs there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// Opens the scalar.
    Opens(&'static [u8]),
    /// Doubles a quote that stands in it.
    Doubles(&'static [u8]),
    /// Closes it.
    Closes(&'static [u8]),
}

impl Quote {
    /// What is added.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Quote::Opens(bytes) | Quote::Doubles(bytes) | Quote::Closes(bytes) => bytes,
        }
    }
}

/// A finding at its place in a text that arrives in pieces. Its `Debug` shows no value.
#[derive(Clone, Copy)]
pub struct Found<'t> {
    kind: Kind,
    start: u64,
    raw: &'t [u8],
    replacement: &'t [u8],
    /// How long each of the quotes is in which the placeholder stands.
    quotes: usize,
}

impl<'t> Piece<'t> {
    /// The bytes of the text.
    pub fn raw(&self) -> &'t [u8] {
        match self {
            Piece::Raw(bytes) => bytes,
            Piece::Found(found) => found.raw,
            Piece::Added(_) => b"",
        }
    }

    /// What the filter writes for it.
    pub fn replacement(&self) -> &'t [u8] {
        match self {
            Piece::Raw(bytes) => bytes,
            Piece::Found(found) => found.replacement,
            Piece::Added(quote) => quote.bytes(),
        }
    }
}

impl<'t> Found<'t> {
    pub(crate) fn new(
        kind: Kind,
        start: u64,
        raw: &'t [u8],
        replacement: &'t [u8],
        quotes: usize,
    ) -> Self {
        Found {
            kind,
            start,
            raw,
            replacement,
            quotes,
        }
    }

    /// What was found.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Where it stands: a half-open range of bytes, counted from the start of the text.
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + self.raw.len() as u64
    }

    /// Its bytes, as they stand in the text.
    pub fn raw(&self) -> &'t [u8] {
        self.raw
    }

    /// What the filter writes in its place: the placeholder, in quotes where it is a JSON number.
    pub fn replacement(&self) -> &'t [u8] {
        self.replacement
    }

    /// Its placeholder.
    pub fn placeholder(&self) -> &'t str {
        let inside = self.quotes..self.replacement.len() - self.quotes;
        std::str::from_utf8(&self.replacement[inside]).expect("a placeholder is ASCII")
    }
}

impl fmt::Debug for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Piece::Raw(bytes) => write!(f, "Raw({} bytes)", bytes.len()),
            Piece::Found(found) => found.fmt(f),
            Piece::Added(quote) => quote.fmt(f),
        }
    }
}

impl fmt::Debug for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("kind", &self.kind)
            .field("range", &self.range())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Pseudonymizer};

    const TEXT: &[u8] = b"{\"a\":4111111111111111,\"b\":\"x jan@example.com\",\
        \"c\":\"{\\\"n\\\":4111111111111111}\"}\n";

    fn engine() -> Pseudonymizer {
        let key = Key::from_bytes([7; 32]);
        Pseudonymizer::builder(key)
            .build()
            .expect("the defaults are good")
    }

    /// The pieces are the text, findings stand where they say, and a second text begins at 0.
    #[test]
    fn pieces_are_the_text() {
        let mut stream = engine().stream();
        let whole = engine().filter_bytes(TEXT).into_owned();
        for size in [1, 7, TEXT.len()] {
            let (mut raw, mut out, mut found) = (Vec::new(), Vec::new(), Vec::new());
            let mut take = |piece: Piece<'_>| {
                if let Piece::Found(one) = piece {
                    assert_eq!(one.range().start, raw.len() as u64);
                    assert_eq!(one.raw(), &TEXT[raw.len()..raw.len() + one.raw().len()]);
                    found.push((one.kind(), one.placeholder().to_owned()));
                }
                raw.extend_from_slice(piece.raw());
                out.extend_from_slice(piece.replacement());
                Ok(())
            };
            for chunk in TEXT.chunks(size) {
                stream
                    .push_pieces(chunk, &mut take)
                    .expect("a sink that takes all");
            }
            stream
                .finish_pieces(&mut take)
                .expect("a sink that takes all");
            assert_eq!(raw, TEXT);
            assert_eq!(out, whole);
            let kinds: Vec<_> = found.iter().map(|one| one.0).collect();
            assert_eq!(kinds, [Kind::Card, Kind::Email, Kind::Card]);
            assert_eq!(found[0].1, found[2].1, "without the quotes");
            assert!(found[0].1.starts_with("[[CARD_") && found[0].1.ends_with("]]"));
        }
    }

    #[test]
    fn debug_shows_no_value() {
        let mut shown = String::new();
        let take = |piece: Piece<'_>| {
            shown += &format!("{piece:?}");
            Ok(())
        };
        engine()
            .stream()
            .push_pieces(b"to jan@example.com\n", take)
            .expect("a sink that takes all");
        assert!(shown.contains("Email") && !shown.contains("jan"), "{shown}");
    }
}
