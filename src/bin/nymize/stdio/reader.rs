//! The text of an input: what it is, told by its beginning, and its bytes, decoded, in pieces.

use std::io;

use super::{Input, PIECE};
use crate::encoding::{self, Decoder, Encoding, Verdict};
use crate::failure::Failure;

/// How many bytes of a file tell whether it is binary.
const BINARY_HEAD: u64 = 8 * 1024;

/// The decoded text of an input, in pieces.
pub(crate) struct TextReader {
    input: Input,
    raw: Vec<u8>,
    text: Vec<u8>,
    encoding: Option<Encoding>,
    decoder: Option<Decoder>,
    /// How many bytes were read to tell the encoding, and were not given yet.
    waiting: Option<usize>,
    ended: bool,
}

/// What the beginning of an input says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    /// It can be read.
    Text,
    /// It can be read, but has a NUL where text has none.
    Binary,
    /// It cannot be read: what it seems to be, and whether it says itself that it is text.
    Refused { what: &'static str, is_text: bool },
}

impl TextReader {
    pub(crate) fn new(input: Input) -> Self {
        // Small files are many: for them a large buffer costs as much as the reading.
        let wanted = input
            .length()
            .map_or(PIECE as u64, |length| length.saturating_add(1));
        let size = wanted.clamp(BINARY_HEAD, PIECE as u64);
        TextReader {
            raw: vec![0; size as usize],
            input,
            text: Vec::new(),
            encoding: None,
            decoder: None,
            waiting: None,
            ended: false,
        }
    }

    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    /// How many bytes of an input that is not decoded are given at once, if they are there.
    pub(crate) fn most(&self) -> usize {
        self.raw.len()
    }

    /// How the input is encoded, once the first piece was read.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or(Encoding::Bytes)
    }

    /// Whether the input so far ends within a unit of UTF-16: if nothing follows, it is refused.
    pub(crate) fn is_cut(&self) -> bool {
        self.decoder.as_ref().is_some_and(Decoder::is_cut)
    }

    /// The next piece of text, as soon as there is any; none at the end.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, Failure> {
        if self.ended {
            return Ok(None);
        }
        if self.encoding.is_none()
            && let Nature::Refused { what, .. } = self.nature()?
        {
            return Err(self.refused(what));
        }
        let filled = match self.waiting.take() {
            Some(waiting) => waiting,
            None => self.read(0)?,
        };
        self.ended |= filled == 0;
        let raw = self.raw.get(..filled).unwrap_or_default();
        let Some(decoder) = &mut self.decoder else {
            return Ok((!raw.is_empty()).then_some(raw));
        };
        self.text.clear();
        decoder.decode(raw, &mut self.text);
        if self.ended && !decoder.finish(&mut self.text) {
            return Err(self.refused(ODD));
        }
        Ok((!self.ended || !self.text.is_empty()).then_some(&self.text))
    }

    /// All of the text that is left, which may have `most` bytes.
    pub(crate) fn rest(&mut self, most: usize) -> Result<Vec<u8>, Failure> {
        let mut all = Vec::new();
        while let Some(text) = self.next()? {
            all.extend_from_slice(text);
            if all.len() > most {
                let mib = most / (1024 * 1024);
                let said = format!(
                    "{}: longer than the {mib} MiB that can be shown",
                    self.input.name()
                );
                return Err(Failure::new(said).hint("`nymize scan` lists what is in it"));
            }
        }
        Ok(all)
    }

    /// Reads until it is clear what the input is. To be asked once, before anything is read.
    pub(crate) fn nature(&mut self) -> Result<Nature, Failure> {
        let mut filled = 0;
        let encoding = loop {
            let more = self.read(filled)?;
            filled += more;
            self.waiting = Some(filled);
            match encoding::sniff(self.head(), more == 0) {
                Verdict::Open => {}
                Verdict::Refused(what) => {
                    return Ok(Nature::Refused {
                        what,
                        is_text: false,
                    });
                }
                Verdict::Text(encoding) => break encoding,
            }
        };
        self.encoding = Some(encoding);
        self.decoder = Decoder::new(encoding);
        // A pipe may give less at once than is to be looked at.
        let wanted = self
            .input
            .length()
            .map_or(0, |length| length.min(BINARY_HEAD));
        while (filled as u64) < wanted {
            let more = self.read(filled)?;
            if more == 0 {
                break;
            }
            filled += more;
            self.waiting = Some(filled);
        }
        let head = self.head();
        Ok(if encoding == Encoding::Bytes {
            let head = head.get(..BINARY_HEAD as usize).unwrap_or(head);
            match memchr::memchr(0, head) {
                Some(_) => Nature::Binary,
                None => Nature::Text,
            }
        } else if self.input.length().is_some_and(|length| length % 2 == 1) {
            Nature::Refused {
                what: ODD,
                is_text: head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff"),
            }
        } else {
            Nature::Text
        })
    }

    fn head(&self) -> &[u8] {
        let filled = self.waiting.unwrap_or_default();
        self.raw.get(..filled).unwrap_or_default()
    }

    /// One read behind what is there.
    fn read(&mut self, filled: usize) -> Result<usize, Failure> {
        loop {
            let free = self.raw.get_mut(filled..).unwrap_or_default();
            match self.input.reader.read(free) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let name = self.input.name();
                    return Err(Failure::new(format!("cannot read {name}: {error}")));
                }
                Ok(n) => return Ok(n),
            }
        }
    }

    /// What is said of an input that cannot be read for what it is.
    pub(crate) fn refused(&self, what: &str) -> Failure {
        Failure::new(format!("{}: this is {what}", self.input.name()))
    }
}

const ODD: &str = "UTF-16 text that ends within a character; it may be cut";
