//! The way of a text through view and judge: what is read as what, what is held, and what is given.
//!
//! A lane works on a window that it is lent: positions are indices into it. Text is decided line by
//! line. A JSON value is held until it is whole, up to [`HOLD`] bytes; a longer one is given as
//! text is, but for what an undecided place may still claim.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memrchr};

use super::Warning;
use super::event;
use super::feed::Feed;
use super::piece::Quote;
use crate::counts::Counts;
use crate::error::{Error, ErrorKind};
use crate::finding::Finding;
use crate::scan::{Form, Judge, LEFT_RAW, RIGHT_RAW, Rules};
use crate::view::api::{Api, Kept};
use crate::view::bare;
use crate::view::json::{Progress, Reader, Reading};
use crate::view::{Format, JsonNumbers, Settings, base64};

/// How many bytes of an incomplete line are gathered before they are judged, and how many bytes of
/// a whole JSON value are judged before they are given.
const PAGE: usize = 64 * 1024;
/// The longest JSON value, or first line of JSON values, that is held as a whole, in bytes.
const HOLD: usize = 32 * 1024 * 1024;
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What a lane gives.
pub(crate) enum Piece<'t> {
    /// Bytes that stay.
    Raw(&'t [u8]),
    /// A finding and its bytes; with a level, it is a JSON number, and its placeholder stands in
    /// quotes that are escaped so often.
    Found(Finding, &'t [u8], Option<u8>),
    /// Bytes that are not in the text: a quote of a scalar.
    Added(Quote),
}

/// Takes what a lane gives.
pub(crate) type Sink<'s> = dyn FnMut(Piece<'_>) -> io::Result<()> + 's;

/// How the text from here on is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing but white space has been seen.
    #[default]
    Begin,
    /// Text to the end.
    Text,
    /// Text whose scalars may have to be quoted.
    Bare,
    /// Text to the end of the line, as it is no JSON.
    Line,
    /// Between JSON values.
    Between,
    /// In a JSON value that is held.
    Held,
    /// In a JSON value that is too long to be held.
    Long,
    /// It was to be JSON and is not.
    Failed,
}

pub(crate) struct Lane {
    pub(super) rules: Arc<Rules>,
    pub(super) settings: Settings,
    pub(super) mode: Mode,
    judge: Judge,
    /// What was found and not given.
    pub(super) found: Vec<Finding>,
    reader: Reader,
    /// The reader of scalars without quotes, while they are read.
    pub(super) bare: Option<bare::Reader>,
    /// How many bytes were given.
    pub(super) given: usize,
    /// How many bytes were judged.
    pub(super) judged: usize,
    /// Where the JSON value begins that is read, or the last one ended.
    start: usize,
    /// Whether the first line of JSON has not ended: nothing of it is given, as it may be text.
    first: bool,
    /// Whether a line has ended since the last JSON value.
    fresh: bool,
    /// Up to here a value failed that went on over lines: they are read one by one.
    broken: usize,
    warnings: Vec<Warning>,
}

impl Lane {
    pub(crate) fn new(rules: Arc<Rules>, settings: Settings) -> Lane {
        Lane {
            rules,
            settings,
            mode: Mode::Begin,
            judge: Judge::default(),
            found: Vec::new(),
            reader: Reader::default(),
            bare: None,
            given: 0,
            judged: 0,
            start: 0,
            first: false,
            fresh: false,
            broken: 0,
            warnings: Vec::new(),
        }
    }

    /// What was told of payloads since the last time. Offsets are indices into the window.
    pub(crate) fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Reads on in `text`, and gives what is decided to `sink`, in order. With `last`, nothing
    /// follows the text, and the lane can then be used for another.
    ///
    /// # Errors
    /// When the sink fails, or for a text that must be JSON and is not: then nothing of the value
    /// at hand has been given.
    pub(crate) fn give(
        &mut self,
        text: &[u8],
        last: bool,
        sink: &mut Sink<'_>,
    ) -> Result<(), Failure> {
        loop {
            let goes_on = match self.mode {
                Mode::Begin => self.begin(text, last, sink)?,
                Mode::Text => self.text(text, last, sink)?,
                Mode::Bare => self.bare(text, last, sink)?,
                Mode::Line => self.line(text, last, sink)?,
                Mode::Between => self.between(text, last, sink)?,
                Mode::Held => self.held(text, last, sink)?,
                Mode::Long => self.long(text, last, sink)?,
                Mode::Failed => return Err(Failure::NotJson(self.start)),
            };
            if !goes_on {
                break;
            }
        }
        if last {
            (self.given, self.judged, self.start, self.broken) = (0, 0, 0, 0);
            self.bare = None;
            self.judge = Judge::default();
            self.mode = Mode::Begin;
        }
        Ok(())
    }

    /// How many bytes at the head of the window are needed no more.
    pub(crate) fn gone(&self) -> usize {
        self.given.min(self.judged).saturating_sub(LEFT_RAW + 1)
    }

    /// Says that the first `count` bytes of the window are gone.
    pub(crate) fn shift(&mut self, count: usize) {
        self.given -= count;
        self.judged -= count;
        self.start = self.start.saturating_sub(count);
        self.broken = self.broken.saturating_sub(count);
        self.judge.shift(count);
        if let Some(reader) = &mut self.bare {
            reader.shift(count);
        }
        for finding in &mut self.found {
            finding.shift(count);
        }
        self.reader.shift(count);
    }

    /// Looks at the first bytes.
    fn begin(&mut self, text: &[u8], last: bool, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        if self.settings.format == Format::Text {
            self.mode = Mode::Text;
            return Ok(true);
        }
        if self.judged == 0 && text.len() < BOM.len() && BOM.starts_with(text) && !last {
            return Ok(false);
        }
        let mark = if self.judged == 0 && text.starts_with(BOM) {
            BOM.len()
        } else {
            self.judged
        };
        if let Some(reader) = bare::Reader::new(self.settings.format) {
            self.pass(text, mark, sink)?;
            self.bare = Some(reader);
            self.mode = Mode::Bare;
            return Ok(true);
        }
        let ink = text[mark..].iter().position(|&b| !is_space(b));
        let Some(pos) = ink.map(|i| mark + i) else {
            self.pass(text, text.len(), sink)?;
            return Ok(false);
        };
        let json = self.settings.format == Format::Json;
        if json || matches!(text[pos], b'{' | b'[') {
            self.pass(text, pos, sink)?;
            self.first = !json;
            self.value(pos);
        } else {
            self.mode = Mode::Text;
        }
        Ok(true)
    }

    /// Gives bytes in which nothing can be found.
    fn pass(&mut self, text: &[u8], end: usize, sink: &mut Sink<'_>) -> Result<(), Failure> {
        self.judged = end;
        self.hand_out(text, end, sink)
    }

    fn value(&mut self, pos: usize) {
        self.reader.begin(pos, self.start);
        self.start = pos;
        self.fresh = false;
        self.mode = Mode::Held;
    }

    fn text(&mut self, text: &[u8], last: bool, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let end = if last {
            text.len()
        } else {
            memrchr(b'\n', &text[self.judged..]).map_or(self.judged, |i| self.judged + i + 1)
        };
        if end > self.judged || last {
            self.whole_lines(text, end, sink)?;
        }
        self.page(text, last, sink)?;
        Ok(false)
    }

    fn line(&mut self, text: &[u8], last: bool, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let end = memchr(b'\n', &text[self.judged..]).map(|i| self.judged + i + 1);
        if let Some(end) = end.or(last.then_some(text.len())) {
            self.whole_lines(text, end, sink)?;
            self.start = end;
            self.fresh = true;
            self.mode = Mode::Between;
            return Ok(true);
        }
        self.page(text, last, sink)?;
        Ok(false)
    }

    /// Judges and gives text up to `end`, where a line ends or nothing follows. Data of events is
    /// read as JSON where it is JSON.
    fn whole_lines(&mut self, text: &[u8], end: usize, sink: &mut Sink<'_>) -> Result<(), Failure> {
        let mut from = self.judged;
        while let Some(event) = event::next(text, from, end) {
            from = event.end;
            if self.is_json(&text[..event.end], event.start) {
                self.judge_text(&text[..event.start], event.start, true);
                // The findings before it lie in no opening.
                self.hand_out(text, event.start, sink)?;
                self.judge_json(&text[..event.end], event.end, true);
                self.hand_out(text, event.end, sink)?;
            }
            self.reader.openings_mut().clear();
        }
        self.judge_text(&text[..end], end, true);
        self.hand_out(text, end, sink)
    }

    /// Whether `text[start..]` is one JSON value and nothing else; its openings are then told.
    fn is_json(&mut self, text: &[u8], start: usize) -> bool {
        let how = Reading {
            numbers: self.settings.numbers == JsonNumbers::Quote,
            one_line: true,
            nested: true,
            short: self.rules.has_custom(),
        };
        self.reader.begin(start, 0);
        match self.reader.read(text, how, true) {
            Progress::Ended(end) => text[end..].iter().all(|&b| is_space(b)),
            Progress::More | Progress::Failed(_) => false,
        }
    }

    /// Judges what has been gathered of a long line.
    fn page(&mut self, text: &[u8], last: bool, sink: &mut Sink<'_>) -> Result<(), Failure> {
        if !last && text.len() - self.judged > PAGE && !event::may_come(text, self.judged) {
            let end = text.len() - RIGHT_RAW;
            while end > self.judged {
                self.judge_text(text, end.min(self.judged + PAGE), false);
                self.hand_out(text, self.judge.frontier(self.judged), sink)?;
            }
        }
        Ok(())
    }

    fn between(&mut self, text: &[u8], last: bool, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let space = &text[self.start..];
        let ink = space.iter().position(|&b| !is_space(b));
        let space = &space[..ink.unwrap_or(space.len())];
        let too_long = text.len() - self.given > HOLD;
        if self.first && (memchr(b'\n', space).is_some() || too_long || (last && ink.is_none())) {
            self.first = false;
            self.commit(text, self.start, sink)?;
        }
        let end = self.start + space.len();
        if !self.first {
            self.pass(text, end, sink)?;
        }
        self.fresh |= memchr(b'\n', space).is_some();
        match ink {
            Some(_) => match self.may_be_value(text, end, last) {
                Some(true) => self.value(end),
                Some(false) => {
                    self.start = end;
                    self.reader.openings_mut().clear();
                    self.fail(text, end, sink)?;
                }
                None => return Ok(false),
            },
            // The line may still hold the first value: it is looked at again.
            None if self.first => {}
            None => self.start = end,
        }
        Ok(ink.is_some())
    }

    /// Whether a value may begin at `pos`, behind others; `None` where that is not at hand. Numbers
    /// in a row are no values: `[1] 4111 1111 1111 1111` is text, and so is such a line among JSON.
    fn may_be_value(&self, text: &[u8], pos: usize, last: bool) -> Option<bool> {
        /// No number that anybody writes is longer.
        const LONGEST: usize = 64;
        let is_number = matches!(text[pos], b'0'..=b'9' | b'-');
        if self.settings.format == Format::Json || !is_number {
            return Some(true);
        }
        let rest = &text[pos..text.len().min(pos + LONGEST)];
        let end = match memchr(b'\n', rest) {
            Some(end) => end,
            None if rest.len() == LONGEST || last => rest.len(),
            None => return None,
        };
        let alone = !rest[..end].trim_ascii_end().iter().any(|&b| is_space(b));
        Some(self.fresh && alone)
    }

    fn held(&mut self, text: &[u8], last: bool, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let from = if self.first { self.given } else { self.start };
        let at_hand = &text[..text.len().min(from + HOLD)];
        let cut = at_hand.len() < text.len();
        let how = self.reading(true);
        match self.reader.read(at_hand, how, last && !cut) {
            Progress::More if !cut => Ok(false),
            Progress::More => {
                self.first = false;
                self.mode = Mode::Long;
                Ok(true)
            }
            Progress::Ended(end) => {
                self.ended(&text[..end], sink)?;
                self.start = end;
                self.mode = Mode::Between;
                Ok(true)
            }
            Progress::Failed(at) => {
                self.reader.openings_mut().clear();
                self.fail(text, at, sink)?;
                Ok(true)
            }
        }
    }

    /// Gives the value that ends with `text`, unless it must wait for others on its line.
    fn ended(&mut self, text: &[u8], sink: &mut Sink<'_>) -> Result<(), Failure> {
        // Mostly nothing is found in what an API keeps: that is looked up only for what was found.
        let short = text.len() - self.judged <= PAGE + RIGHT_RAW;
        let all_known = !self.rules.has_custom() && !self.rules.has_allowed();
        let begins = self.judge.mark().filter(|_| short && all_known);
        let Some(mark) = begins.filter(|_| !self.first && !self.reader.may_hold_payload()) else {
            self.exempt(text);
            return match self.first {
                true => Ok(()),
                false => self.commit(text, text.len(), sink),
            };
        };
        let from = self.judged;
        self.judge_json(text, text.len(), true);
        if self.judge.has_met_placeholder(&mark) || self.may_have_found_kept() {
            let kept = self.reader.kept(text, self.start, self.settings.api);
            let found = self.found.iter().map(|finding| finding.range().start);
            let is_kept = |kept: &Kept| {
                let mut found = found.clone();
                found.any(|at| kept.ranges.iter().any(|range| range.contains(&at)))
            };
            if let Some(kept) = kept
                && (self.judge.has_met_placeholder(&mark) || is_kept(&kept))
            {
                self.found.clear();
                self.judge.back_to(mark);
                self.judged = from;
                self.take_back(&kept);
                self.judge_json(text, text.len(), true);
            }
        }
        self.hand_out(text, text.len(), sink)?;
        self.reader.openings_mut().clear();
        Ok(())
    }

    /// Whether something was found in what an API may keep, as far as its keys tell.
    fn may_have_found_kept(&self) -> bool {
        let openings = self.reader.openings();
        let mut found = self.found.iter().map(|finding| finding.range().start);
        !self.found.is_empty() && {
            let tables = self.reader.tables(self.settings.api);
            found.any(|at| openings.tables(at) & tables != 0)
        }
    }

    fn reading(&self, nested: bool) -> Reading {
        Reading {
            numbers: self.settings.numbers == JsonNumbers::Quote,
            one_line: self.start < self.broken,
            nested,
            short: self.rules.has_custom(),
        }
    }

    /// What was held, and begins at [`Lane::start`], is no JSON value.
    fn fail(&mut self, text: &[u8], at: usize, sink: &mut Sink<'_>) -> Result<(), Failure> {
        // What is read as text now must not reach back into a value before it on its line.
        self.judge.build_wall(self.given);
        if self.settings.format == Format::Json {
            self.mode = Mode::Failed;
            self.start = at;
        } else if self.first {
            self.first = false;
            self.mode = Mode::Text;
        } else if let Some(i) = memchr(b'\n', &text[self.start..at]) {
            // Its first line is text. The others may be values, each in a line: so nothing is read
            // more than twice.
            let end = self.start + i + 1;
            self.judge_text(&text[..end], end, true);
            self.hand_out(text, end, sink)?;
            self.start = end;
            self.broken = self.broken.max(at);
            self.mode = Mode::Between;
        } else {
            self.mode = Mode::Line;
        }
        Ok(())
    }

    /// Goes on in a value that is not held.
    fn long(&mut self, text: &[u8], last: bool, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let at_hand = &text[..text.len().min(self.reader.pos() + PAGE)];
        let cut = at_hand.len() < text.len();
        let how = self.reading(false);
        match self.reader.read(at_hand, how, last && !cut) {
            Progress::More => {
                self.reader.tell_open();
                let to = at_hand.len().saturating_sub(RIGHT_RAW);
                if cut || to > self.judged + PAGE {
                    // What was held until it was too long is much: page by page.
                    while to > self.judged + PAGE {
                        self.judge_json(at_hand, self.judged + PAGE, false);
                        self.hand_out(text, self.judge.frontier(self.judged), sink)?;
                    }
                    self.judge_json(at_hand, to.max(self.judged), false);
                    self.hand_out(text, self.judge.frontier(self.judged), sink)?;
                    let gone = self.gone();
                    self.reader.openings_mut().forget(gone);
                }
                Ok(cut)
            }
            Progress::Ended(end) => {
                self.commit(text, end, sink)?;
                self.start = end;
                self.mode = Mode::Between;
                Ok(true)
            }
            Progress::Failed(at) => {
                if self.settings.format == Format::Json {
                    self.mode = Mode::Failed;
                    self.start = at;
                    return Ok(true);
                }
                self.reader.cut(at);
                self.commit(text, at, sink)?;
                self.judge.build_wall(self.given);
                self.mode = Mode::Line;
                Ok(true)
            }
        }
    }

    /// Judges and gives the JSON up to `end`, which is told.
    fn commit(&mut self, text: &[u8], end: usize, sink: &mut Sink<'_>) -> Result<(), Failure> {
        let text = &text[..end];
        while end - self.judged > PAGE + RIGHT_RAW {
            self.judge_json(text, self.judged + PAGE, false);
            self.hand_out(text, self.judge.frontier(self.judged), sink)?;
        }
        self.judge_json(text, end, true);
        self.hand_out(text, end, sink)?;
        self.reader.openings_mut().clear();
        Ok(())
    }

    pub(super) fn judge_text(&mut self, text: &[u8], end: usize, complete: bool) {
        let (rules, from) = (&self.rules, self.judged);
        let found = &mut self.found;
        self.judge
            .judge(rules, text, None, from, end, complete, found);
        self.judged = end;
    }

    fn judge_json(&mut self, text: &[u8], end: usize, complete: bool) {
        let (rules, from) = (&self.rules, self.judged);
        let (openings, found) = (Some(self.reader.openings()), &mut self.found);
        self.judge
            .judge(rules, text, openings, from, end, complete, found);
        self.judged = end;
    }

    /// Gives the window up to `end`, with the findings in their places.
    fn hand_out(&mut self, text: &[u8], end: usize, sink: &mut Sink<'_>) -> Result<(), Failure> {
        let openings = self.reader.openings();
        let mut hint = 0;
        for finding in self.found.drain(..) {
            let range = finding.range();
            sink(Piece::Raw(&text[self.given..range.start]))?;
            let level = match openings.around(range.start, &mut hint).map(|o| o.form) {
                Some(Form::Number { level }) => Some(level),
                _ => None,
            };
            sink(Piece::Found(finding, &text[range.clone()], level))?;
            self.given = range.end;
        }
        if end > self.given {
            sink(Piece::Raw(&text[self.given..end]))?;
            self.given = end;
        }
        Ok(())
    }

    /// Takes back what must be kept of a request body, which begins at [`Lane::start`] and ends
    /// with `text`.
    fn exempt(&mut self, text: &[u8]) {
        let kept = self.reader.kept(text, self.start, self.settings.api);
        let Some(kept) = kept else {
            return;
        };
        self.take_back(&kept);
        for payload in kept.payloads {
            self.look_into(text, payload, kept.api);
        }
    }

    /// Takes back the openings of what is kept.
    fn take_back(&mut self, kept: &Kept) {
        let mut ranges = kept.ranges.iter().peekable();
        self.reader.openings_mut().retain(|opening| {
            while ranges.next_if(|range| range.end <= opening.start).is_some() {}
            ranges
                .peek()
                .is_none_or(|range| range.start > opening.start)
        });
    }

    /// Warns of findings in a payload, which stays as it is.
    fn look_into(&mut self, text: &[u8], payload: Range<usize>, api: Api) {
        let mut counts = Counts::default();
        let mut count = |piece: Piece<'_>| {
            if let Piece::Found(finding, ..) = piece {
                counts.add(finding.kind());
            }
            Ok(())
        };
        let settings = Settings {
            format: Format::Text,
            ..self.settings
        };
        let mut feed = Feed::new(self.rules.clone(), settings);
        base64::decode(&text[payload.clone()], |piece| {
            // A sink that takes all, and text that may be anything: it cannot fail.
            let _ = feed.push(piece, &mut count);
        });
        let _ = feed.finish(&mut count);
        if counts.total() > 0 {
            self.warnings.push(Warning {
                api,
                offset: payload.start as u64,
                counts,
            });
        }
    }
}

/// Why a lane could not go on.
#[derive(Debug)]
pub(crate) enum Failure {
    Sink(io::Error),
    /// The text is no JSON at this place.
    NotJson(usize),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Sink(error)
    }
}

impl Failure {
    /// As the caller sees it; `place` is the line and column of a position.
    pub(crate) fn into_error(self, place: impl FnOnce(usize) -> (u64, u64)) -> Error {
        Error::new(match self {
            Failure::Sink(error) => ErrorKind::Write(error),
            Failure::NotJson(at) => {
                let (line, column) = place(at);
                ErrorKind::NotJson { line, column }
            }
        })
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}
