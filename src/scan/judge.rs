//! The judge: asks the detectors about each place of a text, line by line, and gives the findings
//! in order.
//!
//! A *batch* holds the places of one line, or of a piece of a long line. Its decisions read no more
//! than the batch and [`LEFT_RAW`]/[`RIGHT_RAW`] bytes around it, and batches are cut by what stands
//! in the text alone, so the findings do not depend on how the text arrives.

mod custom;
mod posts;
mod quiet;

use std::ops::Range;
use std::sync::Arc;

use fearless_simd::Level;
use memchr::{memchr, memrchr};

use super::anchor::{self, Anchor, Limits, Place, Seen, places};
use super::fold::{self, Folded, Purpose, Reading, UNIT_REACH, Ways, is_inert, is_plain};
use super::openings::{Opening, Openings};
use super::select::{self, Table, Walls, rank_of_shape};
use super::shapes::{Page, Wanted};
use crate::allow::Allow;
use crate::detect::custom::Custom;
use crate::detect::{
    Candidate, DETECTORS, Detector, LEFT_REACH, Options, RIGHT_REACH, Reject, Shape,
};
use crate::finding::Finding;
use crate::kind::{Kind, Kinds};

/// How many raw bytes before a place may belong to a value: a local part of 64 characters, each
/// written as an escape of six.
pub(crate) const LEFT_RAW: usize = 448;
/// How many raw bytes from a place on may belong to a value: a domain of 255 such characters.
pub(crate) const RIGHT_RAW: usize = 1_600;
/// How many raw bytes before the place of a number are folded: the context that a word may stand
/// in, and a few encoded characters.
const NUMBER_CONTEXT_RAW: usize = 80;
/// The longest batch of one line, in raw bytes from its first place to its last.
const BATCH_SPAN: usize = 4_096;
/// Places farther from each other than this, in raw bytes, have nothing to do with each other:
/// neither a value at one nor what is read around the other reaches so far.
const APART: usize = 2 * RIGHT_RAW;
/// How often places that only a finding has opened are added to a batch.
const AGAIN: usize = 4;
/// How many bytes are scanned for shapes at once.
const STRIP: usize = 32 * 1024;

/// What is looked for: fixed for an engine.
#[derive(Clone)]
pub(crate) struct Rules {
    options: Options,
    /// What is found and left as it is.
    allow: Option<Arc<Allow>>,
    /// The detectors of each shape, by its number.
    detectors: [Vec<&'static dyn Detector>; Shape::ALL.len()],
    /// The rules of packs; those that are on.
    packs: Option<Custom>,
    custom: Option<Custom>,
    pub(super) limits: Limits,
    pub(super) wanted: Wanted,
    pub(super) level: Level,
}

impl Rules {
    pub(crate) fn new(
        kinds: &Kinds,
        options: Options,
        packs: Option<Custom>,
        hash_digits: usize,
    ) -> Rules {
        let detectors = Shape::ALL.map(|shape| {
            let asked = |d: &&dyn Detector| kinds.contains(d.kind()) && d.shapes().contains(&shape);
            DETECTORS.into_iter().filter(asked).collect::<Vec<_>>()
        });
        let wants = |shape: Shape| !detectors[shape as usize].is_empty();
        let min_digits = options.min_digits();
        let wanted = Wanted {
            digit_run: if wants(Shape::Digits) {
                u32::try_from(min_digits).unwrap_or(u32::MAX)
            } else {
                0
            },
            formed: options.regions.is_empty() && packs.is_none(),
            letters: wants(Shape::LettersDigits),
            // In a form it may stand between groups.
            plus: wants(Shape::Plus) || wants(Shape::Digits) || wants(Shape::LettersDigits),
            at: wants(Shape::At),
            ip: wants(Shape::Quad) || wants(Shape::Colons),
        };
        Rules {
            custom: packs.as_ref().and_then(|packs| packs.with_kinds(kinds)),
            packs,
            options,
            allow: None,
            detectors,
            limits: Limits {
                min_digits,
                hash_digits,
            },
            wanted,
            level: Level::new(),
        }
    }

    /// The same rules for other kinds.
    pub(crate) fn with_kinds(&self, kinds: Kinds) -> Rules {
        let Rules { options, packs, .. } = self.clone();
        let rules = Rules::new(&kinds, options, packs, self.limits.hash_digits);
        rules.with_allow(self.allow.clone())
    }

    /// The same rules, but for what is left as it is.
    pub(crate) fn with_allow(self, allow: Option<Arc<Allow>>) -> Rules {
        Rules { allow, ..self }
    }

    /// Whether a finding is left as it is.
    pub(crate) fn allows(&self, finding: &Finding) -> bool {
        self.allow
            .as_ref()
            .is_some_and(|allow| allow.allows(finding))
    }

    /// Whether anything that is found is left as it is.
    pub(crate) fn has_allowed(&self) -> bool {
        self.allow.is_some()
    }

    /// Whether rules of packs are asked.
    pub(crate) fn has_custom(&self) -> bool {
        self.custom.is_some()
    }

    fn detectors(&self, shape: Shape) -> impl Iterator<Item = &'static dyn Detector> {
        self.detectors[shape as usize].iter().copied()
    }
}

/// The state of one pass over a text. Positions are indices into the text that is given to
/// [`Judge::judge`], until [`Judge::shift`] moves them.
#[derive(Default)]
pub(crate) struct Judge {
    page: Option<Box<Page>>,
    seen: Seen,
    batch: Batch,
    /// The end of the last finding or placeholder.
    wall: usize,
    /// How many placeholders were met.
    placeholders: usize,
    desk: Desk,
    table: Table,
    walls: Walls,
    winners: Vec<Finding>,
    glean: custom::Glean,
    quiet: quiet::Quiet,
    /// The next place for a post, and whether the line has one.
    next_post: usize,
    in_line: bool,
}

/// A place in a text up to which all is decided, to go back to. Rules of packs are not asked there.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    seen: Seen,
    wall: usize,
    placeholders: usize,
}

/// The undecided places of one line.
struct Batch {
    anchors: Vec<Anchor>,
    /// Placeholders that stand in the text: decided from the start.
    placeholders: Vec<Range<usize>>,
    /// Where the first place and the last place were told.
    span: Option<(usize, usize)>,
    /// The opening that the places lie in.
    opening: Opening,
    /// Up to here no line ends behind the last place, or the first place of a new batch.
    unbroken: usize,
}

impl Batch {
    /// Whether no line ends between the last place and `told`.
    fn is_on_line(&mut self, text: &[u8], told: usize) -> bool {
        /// How far is looked ahead, so that not each place of a line looks for its end.
        const AHEAD: usize = 128;
        let from = self.span.map_or(told, |(_, last)| last).max(self.unbroken);
        if told <= from {
            return true;
        }
        let end = text.len().min(told + AHEAD);
        self.unbroken = memchr(b'\n', &text[from..end]).map_or(end, |i| from + i);
        told <= self.unbroken
    }
}

impl Default for Batch {
    fn default() -> Self {
        Batch {
            anchors: Vec::new(),
            placeholders: Vec::new(),
            span: None,
            opening: Opening::ALL,
            unbroken: 0,
        }
    }
}

/// What a verification works with: buffers that are used again.
#[derive(Default)]
pub(super) struct Desk {
    folded: Folded,
}

/// The piece of a line that a batch may read.
pub(super) struct Line<'t> {
    text: &'t [u8],
    range: Range<usize>,
    /// Whether the range begins where the line begins.
    starts: bool,
    opening: Opening,
    /// Whether it is known that no place of the batch is shown anything that folding may change.
    plain: bool,
    /// Whether it is known that no number of the batch is shown such.
    inert: bool,
}

/// What of a line is free around an anchor.
#[derive(Clone)]
struct Space {
    range: Range<usize>,
    /// Whether something begins there, and the text is not merely cut.
    begins: bool,
}

impl Judge {
    /// Judges the places of `text[from..to]` and appends what is decided to `found`, in order.
    /// With `openings`, all that lies outside of them is passed over.
    ///
    /// With `complete`, `to` is behind a line end or the end of the input, and all is decided.
    /// Otherwise at least [`RIGHT_RAW`] bytes must follow `to`, and the last places stay undecided.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn judge(
        &mut self,
        rules: &Rules,
        text: &[u8],
        openings: Option<&Openings>,
        from: usize,
        to: usize,
        complete: bool,
        found: &mut Vec<Finding>,
    ) {
        let mut hint = 0;
        let mut page = self.page.take().unwrap_or_default();
        let mut seen = self.seen;
        let mut strip = from;
        self.next_post = self.next_post.max(from);
        while strip < to {
            let end = to.min(strip + STRIP);
            page.find(rules.level, text, strip, end, rules.wanted);
            for block in &page.hits {
                places(text, block, rules.limits, &mut seen, |told, place| {
                    let opening = match openings {
                        None => Some(Opening::ALL),
                        Some(openings) => openings
                            .around(told, &mut hint)
                            .filter(|opening| place.is_in(opening)),
                    };
                    if rules.custom.is_some() {
                        self.post(rules, text, openings, told + 1, found);
                    }
                    if let Some(opening) = opening {
                        self.add(rules, text, opening, told, place, found);
                    }
                });
            }
            if rules.custom.is_some() {
                self.post(rules, text, openings, end, found);
            }
            strip = end;
        }
        self.page = Some(page);
        self.seen = seen;
        if complete || self.batch.span.is_some_and(|(_, last)| to > last + APART) {
            self.decide(rules, text, usize::MAX, found);
            self.batch.span = None;
        }
    }

    /// The first byte that an undecided place may still claim, when all places before `judged`
    /// were told.
    pub(crate) fn frontier(&self, judged: usize) -> usize {
        let first = self
            .batch
            .span
            .map_or(judged, |(first, _)| first.min(judged));
        first.saturating_sub(LEFT_RAW).max(self.wall)
    }

    /// Says that no value may claim a byte before `pos`.
    pub(crate) fn build_wall(&mut self, pos: usize) {
        self.wall = self.wall.max(pos);
    }

    /// The place that is reached, where nothing is undecided.
    pub(crate) fn mark(&self) -> Option<Mark> {
        self.batch.span.is_none().then_some(Mark {
            seen: self.seen,
            wall: self.wall,
            placeholders: self.placeholders,
        })
    }

    /// Whether a placeholder stood behind a place.
    pub(crate) fn has_met_placeholder(&self, mark: &Mark) -> bool {
        self.placeholders != mark.placeholders
    }

    /// Goes back to a place.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        let Mark {
            seen,
            wall,
            placeholders,
        } = mark;
        (self.seen, self.wall, self.placeholders) = (seen, wall, placeholders);
    }

    /// Says that the first `count` bytes of the text are gone.
    pub(crate) fn shift(&mut self, count: usize) {
        self.wall = self.wall.saturating_sub(count);
        self.next_post = self.next_post.saturating_sub(count);
        self.quiet.shift(count);
        self.seen.shift(count);
        for anchor in &mut self.batch.anchors {
            anchor.at -= count;
        }
        for range in &mut self.batch.placeholders {
            *range = range.start - count..range.end - count;
        }
        if self.batch.span.is_none() {
            // That of places which were decided: it may be gone.
            self.batch.opening = Opening::ALL;
        }
        if self.batch.opening != Opening::ALL {
            let opening = &mut self.batch.opening;
            opening.start = opening.start.saturating_sub(count);
            opening.context = opening.context.saturating_sub(count);
            if opening.end != usize::MAX {
                opening.end -= count;
            }
        }
        self.batch.unbroken = self.batch.unbroken.saturating_sub(count);
        if let Some((first, last)) = &mut self.batch.span {
            *first -= count;
            *last -= count;
        }
    }

    fn add(
        &mut self,
        rules: &Rules,
        text: &[u8],
        opening: Opening,
        told: usize,
        place: Place,
        found: &mut Vec<Finding>,
    ) {
        if let Some((first, last)) = self.batch.span {
            if last < opening.start || told > last + APART || !self.batch.is_on_line(text, told) {
                self.decide(rules, text, usize::MAX, found);
                self.batch.span = None;
            } else if told - first > BATCH_SPAN {
                let cut = self.decide(rules, text, told.saturating_sub(LEFT_RAW), found);
                self.batch.span = Some((cut.max(first), last));
            }
        }
        match place {
            Place::Placeholder(range) => {
                self.placeholders += 1;
                self.batch.placeholders.push(range);
            }
            Place::Post => {}
            Place::Anchor(anchor) => {
                let repeated = self.batch.anchors.last().is_some_and(|last| {
                    anchor.shape == Shape::Colons
                        && (last.at, last.shape) == (anchor.at, anchor.shape)
                });
                if !repeated {
                    self.batch.anchors.push(anchor);
                }
            }
        }
        let first = match self.batch.span {
            Some((first, _)) => first,
            None => {
                self.batch.unbroken = told;
                told
            }
        };
        self.batch.span = Some((first, told));
        self.batch.opening = opening;
    }

    /// Finds out which findings of the batch win.
    fn contest(&mut self, rules: &Rules, line: &Line<'_>) {
        let Judge {
            batch,
            desk,
            table,
            walls,
            winners,
            glean,
            ..
        } = self;
        glean.begin();
        let first = batch.span.map_or(0, |(first, _)| first);
        if batch.anchors.len() > 1 {
            batch
                .anchors
                .sort_by_key(|anchor| (anchor.at, select::turn(anchor.shape)));
        }
        walls.reset(self.wall, &batch.placeholders);
        let verify = |anchor: &Anchor, open: Range<usize>, sink: &mut Vec<Finding>| {
            desk.verify(rules, line, anchor, open, |_, verdict| {
                sink.extend(verdict);
            });
        };
        let batch = select::Batch {
            anchors: &batch.anchors,
            plain: line.plain,
            with_packs: rules.custom.is_some(),
        };
        select::select(table, &batch, walls, winners, verify, |walls, sink| {
            if let Some(custom) = &rules.custom {
                glean.search(custom, line, first, walls, sink);
            }
        });
    }

    /// Adds the places that a winner opens: of `::` and of dots that touch it, and of a row of digits
    /// that it ends. Returns whether there are new ones.
    fn add_opened(&mut self, rules: &Rules, text: &[u8]) -> bool {
        let batch = &mut self.batch;
        let known = batch.anchors.len();
        let mut add = |at: usize, shape: Shape| {
            let anchor = Anchor::plain(at, shape);
            let inside = batch.opening.start <= at && at < batch.opening.end;
            if inside && !batch.anchors.contains(&anchor) {
                batch.anchors.push(anchor);
            }
        };
        for range in self.winners.iter().map(Finding::range) {
            if rules.wanted.ip {
                let before = text[..range.start]
                    .ends_with(b"::")
                    .then(|| anchor::colons_start(text, range.start - 2));
                let after = text[range.end..]
                    .starts_with(b"::")
                    .then_some(Some(range.end));
                let colons = [before, after].into_iter().flatten().flatten();
                colons.for_each(|at| add(at, Shape::Colons));
                // What stood before the dot may have made a row of five numbers.
                if let [b'.', b'0'..=b'9', ..] = text[range.end..] {
                    add(range.end + 1, Shape::Quad);
                }
            }
            if rules.wanted.digit_run > 0 {
                anchor::row_before(text, range.start, rules.limits)
                    .for_each(|at| add(at, Shape::Digits));
            }
        }
        batch.anchors.len() > known
    }

    /// Decides the batch, and appends the findings that end before `limit`. Places from there on
    /// stay, as what comes may yet win over them. Returns where the undecided part begins.
    fn decide(
        &mut self,
        rules: &Rules,
        text: &[u8],
        limit: usize,
        found: &mut Vec<Finding>,
    ) -> usize {
        let Some((first, last)) = self.batch.span else {
            return limit;
        };
        let line = Line::around(
            text,
            (first, last),
            self.batch.anchors.len(),
            self.batch.opening,
        );
        self.contest(rules, &line);
        // A finding may end a word that kept `::` from being a place: `1112::jan@x.nl`.
        for _ in 0..AGAIN {
            let opened = self.add_opened(rules, text);
            let behind = rules.custom.is_some() && self.add_behind(rules, text);
            if !opened && !behind {
                break;
            }
            self.contest(rules, &line);
        }
        let winners = &mut self.winners;
        let cut = winners
            .iter()
            .map(Finding::range)
            .find(|range| range.start < limit && limit < range.end)
            .map_or(limit, |range| range.start);
        winners.retain(|finding| finding.range().end <= cut);
        self.batch.anchors.retain(|anchor| anchor.at >= cut);
        for range in self
            .batch
            .placeholders
            .iter()
            .filter(|range| range.start < cut)
        {
            self.wall = self.wall.max(range.end);
        }
        self.batch.placeholders.retain(|range| range.start >= cut);
        if let Some(end) = winners.last().map(|finding| finding.range().end) {
            self.wall = self.wall.max(end);
        }
        // Only now: what is allowed is a wall like any other finding.
        winners.retain(|finding| !rules.allows(finding));
        found.append(winners);
        cut
    }
}

impl<'t> Line<'t> {
    /// The line of so many places, the first and the last of which are given, in an opening, as far as
    /// values at them may reach.
    pub(super) fn around(
        text: &'t [u8],
        (first, last): (usize, usize),
        places: usize,
        opening: Opening,
    ) -> Line<'t> {
        /// So many places are few.
        const FEW: usize = 3;
        // One byte more, so that a line that begins right there is known to begin.
        let low = first.saturating_sub(LEFT_RAW + 1).max(opening.start);
        let start = memrchr(b'\n', &text[low..first]).map(|i| low + i + 1);
        let high = text.len().min(last + RIGHT_RAW).min(opening.end);
        let end = memchr(b'\n', &text[last..high]).map_or(high, |i| last + i);
        let range = start.unwrap_or(low)..end;
        // A place may lie before what told of it.
        let shown = first.saturating_sub(2 * LEFT_REACH).max(range.start)
            ..range.end.min(last + RIGHT_REACH);
        // Where few places are, it costs less to look at what each is shown.
        let plain = places > FEW && is_plain(&text[shown.clone()]);
        Line {
            text,
            plain,
            inert: plain || (places > FEW && is_inert(&text[shown])),
            range,
            starts: start.is_some() || low == opening.start,
            opening,
        }
    }

    /// From where on the detectors of a shape see the line: what names a number's field may tell
    /// what the number is.
    fn start(&self, shape: Shape) -> usize {
        let named = matches!(shape, Shape::Digits | Shape::Quad);
        if named && self.range.start == self.opening.start {
            self.opening.context
        } else {
            self.range.start
        }
    }

    /// Whether a finding at `range` may stand.
    fn admits(&self, finding: &Finding, range: &Range<usize>) -> bool {
        let Opening { start, end, .. } = self.opening;
        if self.opening.is_number() {
            finding.kind() == Kind::Card && *range == (start..end)
        } else {
            start <= range.start
        }
    }
}

/// How far a detector is shown the text before and after a place, in folded bytes.
pub(super) const fn reach(shape: Shape) -> (usize, usize) {
    match shape {
        Shape::At => (LEFT_REACH, RIGHT_REACH),
        Shape::Plus | Shape::Digits => (56, 88),
        Shape::LettersDigits => (16, 64),
        Shape::Quad => (48, 48),
        Shape::Colons => (64, 64),
    }
}

/// The same in raw bytes, where what is written there may be encoded.
pub(super) const fn raw_reach(shape: Shape) -> (usize, usize) {
    match shape {
        Shape::At => (LEFT_RAW, RIGHT_RAW),
        _ => (NUMBER_CONTEXT_RAW, RIGHT_RAW),
    }
}

impl Desk {
    /// Asks the detectors of the anchor's shape, within the walls `open`.
    pub(super) fn verify(
        &mut self,
        rules: &Rules,
        line: &Line<'_>,
        anchor: &Anchor,
        open: Range<usize>,
        mut tell: impl FnMut(Kind, Result<Finding, Reject>),
    ) {
        let low = line.start(anchor.shape).max(open.start);
        let high = line.range.end.min(open.end);
        let at = anchor.at;
        if at < low || at >= high {
            return;
        }
        let (left, right) = reach(anchor.shape);
        let near = low.max(at.saturating_sub(left))..high.min(at + right);
        let is_plain = || match anchor.shape {
            Shape::At => is_plain(&line.text[word(line.text, at, near.clone())]),
            // All that the detector sees; letters of other scripts are none that a number is made of.
            _ => line.inert || is_inert(&line.text[near.clone()]),
        };
        if !anchor.encoded && (line.plain || is_plain()) {
            let candidate = Candidate {
                text: &line.text[near.clone()],
                at: at - near.start,
                line_start: line.starts && near.start == line.range.start,
            };
            for detector in rules.detectors(anchor.shape) {
                let verdict = verdict(detector, &candidate, &rules.options).and_then(|finding| {
                    let range = finding.range();
                    let range = range.start + near.start..range.end + near.start;
                    if line.admits(&finding, &range) {
                        Ok(finding.moved(range))
                    } else {
                        Err(Reject::Boundary)
                    }
                });
                let found = verdict.is_ok();
                tell(detector.kind(), verdict);
                if found {
                    // Those behind it in the order would lose to it, as they hold the same place.
                    break;
                }
            }
            return;
        }
        let space = Space {
            begins: low == open.start || (line.starts && low == line.start(anchor.shape)),
            range: low..high,
        };
        let address = anchor.shape == Shape::At;
        let ways = Ways::of(line.text, low..high, at, address, anchor.encoded);
        let mut start = None;
        for reading in ways.readings() {
            let coloured = reading == Reading::Coloured;
            if coloured && !self.folded.bytes().contains(&0x1B) {
                // A plain look has seen no colours.
                continue;
            }
            if start.is_some() && !coloured {
                break;
            }
            // A value may go on behind a colour; before one it never begins.
            let begins = if coloured { start } else { None };
            self.read(
                rules,
                line,
                anchor,
                space.clone(),
                reading,
                |kind, verdict| {
                    let verdict = verdict.and_then(|finding| {
                        let range = finding.range();
                        let stands = begins.is_none_or(|begins| begins == range.start)
                            && ways.admit(reading, finding.kind(), &range);
                        stands.then_some(finding).ok_or(Reject::Context)
                    });
                    if let Ok(finding) = &verdict {
                        start = Some(finding.range().start);
                    }
                    tell(kind, verdict);
                },
            );
        }
    }

    /// Asks the detectors about an anchor in `space` that is written in an encoded form.
    fn read(
        &mut self,
        rules: &Rules,
        line: &Line<'_>,
        anchor: &Anchor,
        space: Space,
        reading: Reading,
        mut tell: impl FnMut(Kind, Result<Finding, Reject>),
    ) {
        let at = anchor.at;
        let (left, right) = reach(anchor.shape);
        // A number begins at its place: only context stands before it. An address ends a word there.
        let purpose = match anchor.shape {
            Shape::At => Purpose::Address,
            _ => Purpose::Number,
        };
        let (back, ahead) = raw_reach(anchor.shape);
        let Space {
            range: open,
            begins,
        } = space;
        let mut far = open.start.max(at.saturating_sub(back))..open.end.min(at + ahead);
        // The text may be cut within an escape: no value begins in what may be its tail.
        let cut = !(begins && far.start == open.start);
        let first = far.start + if cut { UNIT_REACH } else { 0 };
        if anchor.shape == Shape::At {
            far.start = address_context(line.text, far.start, at);
        }
        let folded = &mut self.folded;
        let how = (purpose, reading);
        // Far less than what a detector may be shown is often enough.
        let near = fold::apart(line.text, far.start..at.saturating_sub(2 * left))
            .and_then(|start| folded.fold(line.text, start..far.end, at, right, how))
            .filter(|&place| place > left);
        let whole = || folded.fold(line.text, far.clone(), at, right, how);
        let Some(place) = near.or_else(whole) else {
            return;
        };
        let cut = place.saturating_sub(left);
        let candidate = Candidate {
            text: &folded.bytes()[cut..],
            at: place - cut,
            line_start: line.starts && cut == 0 && folded.raw_start() == Some(line.range.start),
        };
        for detector in rules.detectors(anchor.shape) {
            let verdict = verdict(detector, &candidate, &rules.options).and_then(|finding| {
                let range = finding.range();
                let raw = folded.raw_range(range.start + cut..range.end + cut);
                raw.filter(|raw| first <= raw.start && line.admits(&finding, raw))
                    .map(|raw| finding.moved(raw))
                    .ok_or(Reject::Boundary)
            });
            tell(detector.kind(), verdict);
        }
    }
}

/// Where what an address at `at` is judged by begins, not before `low`: at the second `@` before it,
/// in whatever form. No local part goes so far, and a text may be full of them.
fn address_context(text: &[u8], low: usize, at: usize) -> usize {
    let mut seen = 0;
    let mut pos = at;
    while pos > low {
        pos -= 1;
        let sign = match text[pos] {
            b'@' => true,
            b'4' => {
                text[pos + 1] == b'0'
                    && pos > low
                    && (text[pos - 1] == b'%' || text[low..pos].ends_with(b"u00"))
            }
            _ => false,
        };
        seen += usize::from(sign);
        if seen == 2 {
            return pos;
        }
    }
    low
}

/// The bytes that decide whether an address at `at` must be folded: its word.
fn word(text: &[u8], at: usize, near: Range<usize>) -> Range<usize> {
    // The letter that ends an ANSI escape sequence would read as the word's first.
    let is_space = |b: &u8| *b <= b' ' && *b != 0x1B;
    let quoted = at > near.start && text[at - 1] == b'"';
    let before = text[near.start..at].iter().rev();
    let start = if quoted {
        near.start
    } else {
        at - before.take_while(|b| !is_space(b)).count()
    };
    let end = at
        + text[at..near.end]
            .iter()
            .take_while(|b| !is_space(b))
            .count();
    start..end
}

/// A detector's verdict, held to what a detector promises: a range in the text, no longer than its
/// longest value.
fn verdict(
    detector: &dyn Detector,
    candidate: &Candidate<'_>,
    options: &Options,
) -> Result<Finding, Reject> {
    let finding = detector.verify(candidate, options)?;
    let range = finding.range();
    let kept =
        !range.is_empty() && range.end <= candidate.text.len() && range.len() <= detector.max_len();
    debug_assert!(kept, "{} broke its promise", detector.kind());
    if kept {
        Ok(finding)
    } else {
        Err(Reject::Length)
    }
}

/// Whether a pending finding settles an anchor: it lies inside, and no detector of its shape could
/// win over the finding. Nor is an address in dotted groups a card in groups of four.
pub(super) fn settled(anchor: &Anchor, finding: &Finding) -> bool {
    finding.range().contains(&anchor.at)
        && (select::rank(finding) <= rank_of_shape(anchor.shape) || finding.kind() == Kind::Ip)
}
