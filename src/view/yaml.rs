//! The YAML view: where plain scalars stand (YAML 1.2.2), told line by line in one pass.
//!
//! It takes any text, builds no tree and judges nothing: where a text is no YAML (a template, say)
//! it goes on as well as it can. Quoted and block scalars, comments and tags need no help: text
//! stands in them as it is. The names of anchors are kept, as no placeholder can be one: what they
//! name would be lost.

use std::ops::Range;

use super::bare::{Part, Role};

/// The deepest nesting that is followed; a deeper level counts as this one.
const MAX_LEVELS: usize = 1024;

/// Where the reader stands at the end of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// A node, or what goes with it, may begin.
    #[default]
    Node,
    /// A plain scalar may go on.
    Plain {
        start: usize,
        end: usize,
    },
    Double,
    Single,
    /// A block scalar, whose lines are indented more than its parent.
    Block,
}

/// Reads one line after the other.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    state: State,
    /// The columns, in bytes, of the keys and dashes that are open.
    levels: Vec<usize>,
    /// How many brackets are open.
    flow: usize,
    /// The column where the node at hand begins, with its anchor and tag.
    node: Option<usize>,
    /// Whether a quoted scalar or a closing bracket stands before: a colon may then touch it.
    closed: bool,
}

/// A line that is being read.
struct Line<'t> {
    text: &'t [u8],
    start: usize,
    end: usize,
}

/// Why a plain scalar ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    LineEnd,
    Comment,
    /// A colon, or in brackets what separates.
    Sign,
}

impl Line<'_> {
    fn byte(&self, pos: usize) -> Option<u8> {
        (pos < self.end).then(|| self.text[pos])
    }

    /// Whether white space, or nothing, stands at `pos`.
    fn is_gap(&self, pos: usize) -> bool {
        matches!(self.byte(pos), None | Some(b' ' | b'\t'))
    }

    /// Whether a comment begins at `pos`.
    fn is_comment(&self, pos: usize) -> bool {
        self.byte(pos) == Some(b'#')
            && (pos == self.start || matches!(self.text[pos - 1], b' ' | b'\t'))
    }

    /// Where white space ends that begins at `pos`.
    fn ink(&self, pos: usize) -> usize {
        let gap = |b: &&u8| matches!(**b, b' ' | b'\t');
        pos + self.text[pos..self.end].iter().take_while(gap).count()
    }

    /// Where a word ends that begins at `pos`.
    fn word(&self, pos: usize, flow: bool) -> usize {
        let ends = |b: &u8| matches!(b, b' ' | b'\t') || (flow && is_flow_sign(*b));
        let rest = &self.text[pos..self.end];
        pos + rest.iter().position(ends).unwrap_or(rest.len())
    }

    /// Where an anchor, an alias or a tag ends that begins at `pos`. Anchors and aliases have names.
    fn property(&self, pos: usize, flow: bool, parts: &mut Vec<Part>) -> usize {
        let end = self.word(pos + 1, flow);
        let is_name = match self.text[pos] {
            b'&' => true,
            // Nothing but its end goes with an alias. Else it is no YAML, and no name.
            b'*' => {
                let ink = self.ink(end);
                ink >= self.end
                    || self.is_comment(ink)
                    || self.is_colon(ink, flow)
                    || (flow && is_flow_sign(self.text[ink]))
            }
            _ => false,
        };
        if is_name {
            let role = Role::Name;
            parts.push(Part {
                range: pos..end,
                role,
            });
        }
        end
    }

    /// Whether a colon at `pos` separates a key from its value.
    fn is_colon(&self, pos: usize, flow: bool) -> bool {
        self.byte(pos) == Some(b':')
            && (self.is_gap(pos + 1) || (flow && self.byte(pos + 1).is_some_and(is_flow_sign)))
    }

    /// The end of the plain scalar from `pos` on, in this line, and why it ends.
    fn plain(&self, pos: usize, flow: bool) -> (usize, Stop) {
        let mut end = pos;
        let mut at = pos;
        while at < self.end {
            match self.text[at] {
                b' ' | b'\t' => {}
                b'#' if at > pos && self.is_comment(at) => return (end, Stop::Comment),
                b':' if self.is_colon(at, flow) => return (end, Stop::Sign),
                byte if flow && is_flow_sign(byte) => return (end, Stop::Sign),
                _ => end = at + 1,
            }
            at += 1;
        }
        (end, Stop::LineEnd)
    }

    /// Whether the header of a block scalar stands at `pos`.
    fn is_block_header(&self, pos: usize) -> bool {
        let mut at = pos + 1;
        while matches!(self.byte(at), Some(b'+' | b'-' | b'0'..=b'9')) && at < pos + 3 {
            at += 1;
        }
        let ink = self.ink(at);
        ink >= self.end || self.is_comment(ink)
    }

    /// Whether a document begins or ends with this line.
    fn is_marker(&self) -> bool {
        let line = &self.text[self.start..self.end];
        (line.starts_with(b"---") || line.starts_with(b"...")) && self.is_gap(self.start + 3)
    }
}

fn is_flow_sign(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

impl Reader {
    pub(super) fn pending(&self) -> Option<usize> {
        match self.state {
            State::Plain { start, .. } => Some(start),
            _ => None,
        }
    }

    pub(super) fn shift(&mut self, count: usize) {
        if let State::Plain { start, end } = &mut self.state {
            *start -= count;
            *end -= count;
        }
    }

    pub(super) fn end(&mut self, text: &[u8], parts: &mut Vec<Part>) {
        self.end_plain(text, parts);
    }

    pub(super) fn line(&mut self, text: &[u8], range: Range<usize>, parts: &mut Vec<Part>) {
        // A carriage return ends a line too.
        let mut start = range.start;
        for piece in text[range].split(|&b| b == b'\r') {
            let end = start + piece.len();
            self.read(&Line { text, start, end }, parts);
            start = end + 1;
        }
    }

    fn end_plain(&mut self, text: &[u8], parts: &mut Vec<Part>) {
        if let State::Plain { start, end } = self.state {
            parts.push(Part::bare(text, start..end, self.flow > 0));
            self.state = State::Node;
            self.closed = false;
        }
    }

    fn read(&mut self, line: &Line<'_>, parts: &mut Vec<Part>) {
        let spaces = line.text[line.start..line.end].iter();
        let indent = spaces.take_while(|&&b| b == b' ').count();
        let mut pos = line.start;
        if line.is_marker() {
            self.end_plain(line.text, parts);
            *self = Reader::default();
            pos += 3;
        } else if line.ink(pos) >= line.end {
            return;
        } else if self.state == State::Block {
            if self.levels.last().is_none_or(|&level| indent > level) {
                return;
            }
            self.state = State::Node;
        }
        if let State::Plain { .. } = self.state
            && self.goes_on(line, indent, parts)
        {
            return;
        }
        if self.state == State::Node && self.flow == 0 && pos == line.start {
            self.close_levels(indent);
            self.node = None;
            self.closed = false;
            if line.byte(pos) == Some(b'%') {
                return;
            }
        }
        self.nodes(line, pos, parts);
    }

    /// Whether the plain scalar that is open takes the line to its end.
    fn goes_on(&mut self, line: &Line<'_>, indent: usize, parts: &mut Vec<Part>) -> bool {
        let ink = line.ink(line.start);
        let State::Plain { start, .. } = self.state else {
            return false;
        };
        let flow = self.flow > 0;
        let inner = flow || self.levels.last().is_none_or(|&level| indent > level);
        if !inner || line.is_comment(ink) {
            self.end_plain(line.text, parts);
            return false;
        }
        let (end, stop) = line.plain(ink, flow);
        // A key over several lines is none: the text is broken, and the line begins anew.
        if end == ink || (stop == Stop::Sign && !flow) {
            self.end_plain(line.text, parts);
            return false;
        }
        self.state = State::Plain { start, end };
        match stop {
            Stop::LineEnd => true,
            Stop::Comment => {
                self.end_plain(line.text, parts);
                true
            }
            Stop::Sign => {
                self.end_plain(line.text, parts);
                self.nodes(line, end, parts);
                true
            }
        }
    }

    fn close_levels(&mut self, column: usize) {
        while self.levels.last().is_some_and(|&level| level >= column) {
            self.levels.pop();
        }
    }

    fn open_level(&mut self, column: usize) {
        self.close_levels(column);
        if self.levels.len() < MAX_LEVELS {
            self.levels.push(column);
        }
    }

    /// Reads nodes from `pos` to the end of the line.
    fn nodes(&mut self, line: &Line<'_>, mut pos: usize, parts: &mut Vec<Part>) {
        loop {
            if let State::Double | State::Single = self.state {
                match self.quoted(line, pos, parts) {
                    Some(end) => pos = end,
                    None => return,
                }
            }
            pos = line.ink(pos);
            let Some(byte) = line.byte(pos) else {
                return;
            };
            if line.is_comment(pos) {
                return;
            }
            let next = if self.flow > 0 {
                self.flow_node(line, pos, byte, parts)
            } else {
                self.block_node(line, pos, byte, parts)
            };
            match next {
                Some(next) => pos = next,
                None => return,
            }
        }
    }

    /// Reads on in a quoted scalar; where it ends, if that is in this line.
    fn quoted(&mut self, line: &Line<'_>, mut pos: usize, parts: &mut Vec<Part>) -> Option<usize> {
        let start = pos;
        let double = self.state == State::Double;
        let mut doubled = false;
        while let Some(byte) = line.byte(pos) {
            match byte {
                b'\\' if double => pos += 2,
                b'"' if double => break,
                b'\'' if !double && line.byte(pos + 1) == Some(b'\'') => {
                    doubled = true;
                    pos += 2;
                }
                b'\'' if !double => break,
                _ => pos += 1,
            }
        }
        if doubled {
            let role = Role::Doubled;
            parts.push(Part {
                range: start..pos,
                role,
            });
        }
        line.byte(pos)?;
        self.state = State::Node;
        self.closed = true;
        Some(pos + 1)
    }

    /// Takes what begins at `pos` outside of brackets. `None`: the line is read.
    fn block_node(
        &mut self,
        line: &Line<'_>,
        pos: usize,
        byte: u8,
        parts: &mut Vec<Part>,
    ) -> Option<usize> {
        let column = pos - line.start;
        match byte {
            b'-' | b'?' if line.is_gap(pos + 1) => {
                self.open_level(column);
                self.node = None;
                return Some(pos + 1);
            }
            b':' if line.is_colon(pos, false) => {
                let column = self.node.take().unwrap_or(column);
                self.open_level(column);
                return Some(pos + 1);
            }
            b'|' | b'>' if line.is_block_header(pos) => {
                self.state = State::Block;
                return None;
            }
            _ => {}
        }
        self.node.get_or_insert(column);
        self.closed = false;
        match byte {
            b'&' | b'!' | b'*' => Some(line.property(pos, false, parts)),
            b'[' | b'{' => {
                self.flow = 1;
                Some(pos + 1)
            }
            _ => self.scalar(line, pos, byte, parts),
        }
    }

    /// Takes what begins at `pos` in brackets. `None`: the line is read.
    fn flow_node(
        &mut self,
        line: &Line<'_>,
        pos: usize,
        byte: u8,
        parts: &mut Vec<Part>,
    ) -> Option<usize> {
        let closed = std::mem::take(&mut self.closed);
        match byte {
            b'[' | b'{' => {
                self.flow += 1;
                Some(pos + 1)
            }
            b']' | b'}' => {
                self.flow -= 1;
                self.closed = true;
                Some(pos + 1)
            }
            b',' => Some(pos + 1),
            b'?' if line.is_gap(pos + 1) => Some(pos + 1),
            b':' if closed || line.is_colon(pos, true) => Some(pos + 1),
            // A tag in angle brackets may hold commas.
            b'!' if line.byte(pos + 1) == Some(b'<') => Some(line.word(pos, false)),
            b'&' | b'!' | b'*' => Some(line.property(pos, true, parts)),
            _ => self.scalar(line, pos, byte, parts),
        }
    }

    /// Takes a scalar that begins at `pos`. `None`: the line is read.
    fn scalar(
        &mut self,
        line: &Line<'_>,
        pos: usize,
        byte: u8,
        parts: &mut Vec<Part>,
    ) -> Option<usize> {
        match byte {
            b'"' => {
                self.state = State::Double;
                return Some(pos + 1);
            }
            b'\'' => {
                self.state = State::Single;
                return Some(pos + 1);
            }
            _ => {}
        }
        let flow = self.flow > 0;
        let (end, stop) = line.plain(pos + 1, flow);
        let end = end.max(pos + 1);
        if stop == Stop::LineEnd {
            self.state = State::Plain { start: pos, end };
            return None;
        }
        parts.push(Part::bare(line.text, pos..end, flow));
        (stop == Stop::Sign).then_some(end)
    }
}
