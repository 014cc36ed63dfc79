//! A walk through a document along paths: only where a path may go on is anything looked at.
//!
//! The document is known to be JSON. Nothing is kept of it but the stack of open containers.

use std::ops::Range;

use smallvec::SmallVec;

use super::pattern::{End, Step, is_one_of};
use super::tables::{SCHEMA_NAMES, SCHEMA_PROSE, SCHEMA_VALUES};
use super::trie::{NodeId, Signs, Trie, sign};
use crate::scan::Marks;

/// What a path has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    /// What lies here is kept.
    Keep(Range<usize>),
    /// This is a text in base64, or a `data:` URL of one.
    Payload(Range<usize>),
    /// A sign.
    Sign(u16),
}

/// With what a value is entered.
#[derive(Clone, Copy)]
enum State {
    /// The steps of this node are taken.
    Taken(NodeId),
    /// The last step of this node is to be taken here.
    Wanted(NodeId),
}

/// An open container.
struct Frame {
    start: usize,
    object: bool,
    /// Where its states begin in the arena.
    states: usize,
    /// How many elements have been passed.
    index: usize,
}

/// What a walk works with: buffers that are used again.
#[derive(Default)]
pub(super) struct Desk {
    frames: Vec<Frame>,
    /// The nodes that the members of all open containers may take.
    arena: Vec<NodeId>,
    /// The states with which the next value is entered.
    next: Vec<State>,
    /// The members that tests asked for, of the object at hand.
    members: Vec<(&'static str, Option<usize>)>,
}

struct Walk<'t> {
    text: &'t [u8],
    trie: &'t Trie,
    marks: &'t mut Marks,
    /// The signs that are looked for, and were not found.
    open: Signs,
    desk: &'t mut Desk,
}

/// Walks through the value at `text[start..]`, whose structure the marks show, and tells of what the
/// paths name, in order. Where they name signs, it is over when those of `open` have been found.
pub(super) fn walk(
    text: &[u8],
    start: usize,
    trie: &Trie,
    open: Signs,
    (marks, desk): (&mut Marks, &mut Desk),
    tell: &mut dyn FnMut(Hit),
) {
    desk.frames.clear();
    desk.arena.clear();
    desk.next.clear();
    desk.next.push(State::Taken(Trie::ROOT));
    let mut walk = Walk {
        text,
        trie,
        marks,
        open,
        desk,
    };
    let mut pos = space(text, start);
    loop {
        pos = walk.enter(pos, tell);
        if walk.open == 0 {
            return;
        }
        match walk.advance(pos) {
            Some(next) => pos = next,
            None => return,
        }
    }
}

impl<'t> Walk<'t> {
    /// Enters the value at `pos`; returns where to go on: inside of it, or behind it.
    fn enter(&mut self, pos: usize, tell: &mut dyn FnMut(Hit)) -> usize {
        let states = self.desk.arena.len();
        self.desk.members.clear();
        let (object, array) = match self.text.get(pos) {
            Some(b'{') => (true, false),
            Some(b'[') => (false, true),
            _ => (false, false),
        };
        let mut ends = SmallVec::<[(u16, End); 4]>::new();
        let trie = self.trie;
        let mut i = 0;
        while let Some(&state) = self.desk.next.get(i) {
            i += 1;
            match state {
                State::Wanted(node) => self.take(node, pos, object, array),
                State::Taken(node) => {
                    let node = trie.node(node);
                    ends.extend_from_slice(&node.ends);
                    for &child in &node.children {
                        if trie.node(child).below & self.open != 0 {
                            self.take(child, pos, object, array);
                        }
                    }
                }
            }
        }
        ends.sort_unstable_by_key(|&(number, _)| number);
        if ends.iter().any(|(_, end)| matches!(end, End::Free)) {
            self.desk.arena.truncate(states);
            return skip(self.text, self.marks, pos);
        }
        for (_, end) in ends {
            if let Some(behind) = self.reach(end, pos, tell) {
                self.desk.arena.truncate(states);
                return behind;
            }
        }
        if self.desk.arena.len() == states {
            return skip(self.text, self.marks, pos);
        }
        self.desk.frames.push(Frame {
            start: pos,
            object,
            states,
            index: 0,
        });
        pos + 1
    }

    /// Takes the last step of a node at the value at `pos`, or keeps it for what lies below.
    fn take(&mut self, node: NodeId, pos: usize, object: bool, array: bool) {
        match self.trie.node(node).step {
            Step::Deep => {
                if object || array {
                    self.desk.arena.push(node);
                }
                self.desk.next.push(State::Taken(node));
            }
            Step::Each if !array => self.desk.next.push(State::Taken(node)),
            Step::Keys(_) if !object => {}
            Step::Keys(_) => self.desk.arena.push(node),
            _ if array => self.desk.arena.push(node),
            test => {
                if object && self.passes(test, pos) {
                    self.desk.next.push(State::Taken(node));
                }
            }
        }
    }

    /// Does what the end of a path asks for; returns the end of the value where that settles it.
    fn reach(&mut self, end: End, pos: usize, tell: &mut dyn FnMut(Hit)) -> Option<usize> {
        match end {
            End::Sign(number, prefix) => {
                let begins = |value: &[u8]| value.starts_with(prefix.as_bytes());
                if prefix.is_empty() || self.string(pos).is_some_and(begins) {
                    tell(Hit::Sign(number));
                    self.open &= !sign(number);
                }
                None
            }
            End::Whole => {
                let behind = skip(self.text, self.marks, pos);
                tell(Hit::Keep(pos..behind));
                Some(behind)
            }
            End::Schema => Some(schema(self.text, self.marks, pos, tell)),
            End::Leaf { prefix, payload } => {
                let first = *self.text.get(pos)?;
                if matches!(first, b'{' | b'[') {
                    return None;
                }
                let behind = skip(self.text, self.marks, pos);
                if first == b'"' {
                    let inside = pos + 1..behind - 1;
                    let value = &self.text[inside.clone()];
                    if !value.starts_with(prefix.as_bytes()) || is_plain_data_url(value) {
                        return None;
                    }
                    if let Some(keys) = payload
                        && self.is_text(value, keys)
                    {
                        tell(Hit::Payload(inside));
                    }
                } else if !prefix.is_empty() {
                    return None;
                }
                tell(Hit::Keep(pos..behind));
                Some(behind)
            }
            End::Free => None,
        }
    }

    /// Whether a payload is of a text type: by its own `data:` head, or by what stands beside it.
    fn is_text(&mut self, value: &[u8], keys: &'static str) -> bool {
        if let Some(media) = data_url(value) {
            return is_text_type(media);
        }
        let (keys, up) = match keys.strip_prefix('^') {
            Some(keys) => (keys, 2),
            None => (keys, 1),
        };
        let frame = self.desk.frames.len().checked_sub(up);
        frame
            .and_then(|i| self.desk.frames.get(i).map(|frame| frame.start))
            .and_then(|start| self.member(start, keys))
            .and_then(|value| self.string(value))
            .is_some_and(is_text_type)
    }

    /// Goes on behind a value: returns where the next one begins, with its states at hand. `None`
    /// at the end of the document.
    fn advance(&mut self, mut pos: usize) -> Option<usize> {
        loop {
            let frame = self.desk.frames.last_mut()?;
            pos = space(self.text, pos);
            match self.text.get(pos)? {
                b',' => {
                    frame.index += 1;
                    pos += 1;
                    continue;
                }
                b'}' | b']' => {
                    self.desk.arena.truncate(frame.states);
                    self.desk.frames.pop();
                    pos += 1;
                    continue;
                }
                _ => {}
            }
            let Frame {
                object,
                states,
                index,
                ..
            } = *frame;
            self.desk.next.clear();
            if !object {
                for &node in &self.desk.arena[states..] {
                    match self.trie.node(node).step {
                        Step::Each => self.desk.next.push(State::Taken(node)),
                        Step::Index(i) if i == index => self.desk.next.push(State::Taken(node)),
                        Step::Index(_) => {}
                        _ => self.desk.next.push(State::Wanted(node)),
                    }
                }
                return Some(pos);
            }
            let end = string_end(self.text, self.marks, pos + 1);
            let value = behind_colon(self.text, end + 1);
            let key = self.trie.look_up(self.text.get(pos + 1..end)?);
            for &id in &self.desk.arena[states..] {
                let node = self.trie.node(id);
                match node.step {
                    Step::Keys(_) if node.keys.meet(&key) => self.desk.next.push(State::Taken(id)),
                    Step::Deep => self.desk.next.push(State::Wanted(id)),
                    _ => {}
                }
            }
            return Some(value);
        }
    }

    fn passes(&mut self, test: Step, object: usize) -> bool {
        match test {
            Step::Object => true,
            Step::Has(keys) => self.cached(object, keys).is_some(),
            Step::Lacks(keys) => self.cached(object, keys).is_none(),
            Step::Is(key, values) => self
                .cached(object, key)
                .and_then(|value| self.string(value))
                .is_some_and(|value| is_one_of(values, value)),
            _ => false,
        }
    }

    fn cached(&mut self, object: usize, keys: &'static str) -> Option<usize> {
        if let Some(&(_, value)) = self
            .desk
            .members
            .iter()
            .find(|(known, _)| std::ptr::eq(*known, keys))
        {
            return value;
        }
        let value = self.member(object, keys);
        self.desk.members.push((keys, value));
        value
    }

    /// Where the value of a member of an object begins; the last, as parsers have it, where there
    /// are several.
    fn member(&mut self, object: usize, keys: &str) -> Option<usize> {
        let mut found = None;
        let mut pos = object + 1;
        loop {
            pos = space(self.text, pos);
            match self.text.get(pos) {
                Some(b',') => pos += 1,
                Some(b'"') => {
                    let end = string_end(self.text, self.marks, pos + 1);
                    let value = behind_colon(self.text, end + 1);
                    if is_one_of(keys, self.text.get(pos + 1..end)?) {
                        found = Some(value);
                    }
                    pos = skip(self.text, self.marks, value);
                }
                _ => return found,
            }
        }
    }

    /// The inside of the string that begins at `pos`.
    fn string(&mut self, pos: usize) -> Option<&'t [u8]> {
        if self.text.get(pos) != Some(&b'"') {
            return None;
        }
        self.text
            .get(pos + 1..string_end(self.text, self.marks, pos + 1))
    }
}

/// Keeps a tool's JSON Schema, but for what people write and read in it. Returns where it ends.
fn schema(text: &[u8], marks: &mut Marks, start: usize, tell: &mut dyn FnMut(Hit)) -> usize {
    // For each open container: whether it is an object, and whether its keys are names.
    let mut stack: Vec<(bool, bool)> = Vec::new();
    let mut names = false;
    let mut pos = start;
    loop {
        match text.get(pos) {
            Some(b'{') => {
                stack.push((true, names));
                pos += 1;
            }
            Some(b'[') => {
                stack.push((false, false));
                pos += 1;
            }
            _ => {
                let behind = skip(text, marks, pos);
                tell(Hit::Keep(pos..behind));
                pos = behind;
            }
        }
        // On to the next value.
        loop {
            let Some(&(object, keys_are_names)) = stack.last() else {
                return pos;
            };
            pos = space(text, pos);
            match text.get(pos) {
                None => return pos,
                Some(b',') => pos += 1,
                Some(b'}' | b']') => {
                    stack.pop();
                    pos += 1;
                }
                Some(_) if !object => {
                    names = false;
                    break;
                }
                Some(_) => {
                    let end = string_end(text, marks, pos + 1);
                    let key = text.get(pos + 1..end).unwrap_or_default();
                    let is = |list: &[&str]| {
                        !keys_are_names && list.iter().any(|word| word.as_bytes() == key)
                    };
                    tell(Hit::Keep(pos..end + 1));
                    let value = behind_colon(text, end + 1);
                    pos = value;
                    names = is(SCHEMA_NAMES);
                    if is(SCHEMA_PROSE) {
                        pos = skip(text, marks, value);
                    } else if is(SCHEMA_VALUES) {
                        pos = skip(text, marks, value);
                        tell(Hit::Keep(value..pos));
                    } else {
                        break;
                    }
                }
            }
        }
    }
}

/// The media type of a `data:` URL in base64 (RFC 2397).
fn data_url(value: &[u8]) -> Option<&[u8]> {
    let rest = value.strip_prefix(b"data:")?;
    let comma = rest.iter().take(256).position(|&b| b == b',')?;
    rest[..comma].strip_suffix(b";base64")
}

/// Whether it is a `data:` URL whose text is no base64: that is text like any other.
fn is_plain_data_url(value: &[u8]) -> bool {
    value.starts_with(b"data:") && data_url(value).is_none()
}

/// Whether a media type, a format or a file name speaks of text. JSON may write `/` as `\/`.
fn is_text_type(name: &[u8]) -> bool {
    let name: Vec<u8> = name
        .iter()
        .take(256)
        .filter(|&&b| b != b'\\')
        .map(u8::to_ascii_lowercase)
        .collect();
    let end = name.iter().position(|&b| b == b';').unwrap_or(name.len());
    let (name, _) = name.split_at(end);
    let tail = name
        .rsplit(|b| matches!(b, b'.' | b'/' | b'+'))
        .next()
        .unwrap_or_default();
    name.is_empty()
        || name.starts_with(b"text/")
        || is_one_of(
            "json|jsonl|ndjson|csv|tsv|txt|text|md|markdown|html|htm|xml|yaml|yml|toml|ini|log|eml|sql|x-ndjson|x-yaml",
            tail,
        )
}

/// The first byte from `pos` on that is no white space.
fn space(text: &[u8], mut pos: usize) -> usize {
    while matches!(text.get(pos), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        pos += 1;
    }
    pos
}

/// Where the value behind a colon begins.
fn behind_colon(text: &[u8], pos: usize) -> usize {
    space(text, space(text, pos) + 1)
}

/// The closing quote of the string whose inside begins at `pos`.
fn string_end(text: &[u8], marks: &mut Marks, pos: usize) -> usize {
    marks.quote(text, pos).unwrap_or(text.len())
}

/// Where the value that begins at `pos` ends.
fn skip(text: &[u8], marks: &mut Marks, pos: usize) -> usize {
    let end = match text.get(pos) {
        None => text.len(),
        Some(b'"') => string_end(text, marks, pos + 1) + 1,
        Some(b'{' | b'[') => {
            let mut depth = 0_usize;
            let mut at = pos;
            while let Some(bracket) = marks.bracket(text, at) {
                at = bracket + 1;
                match text[bracket] {
                    b'{' | b'[' => depth += 1,
                    _ => depth = depth.saturating_sub(1),
                }
                if depth == 0 {
                    return at;
                }
            }
            text.len()
        }
        Some(_) => {
            let plain = |b: &&u8| !b",:]} \n\r\t".contains(b);
            pos + text[pos..].iter().take_while(plain).count()
        }
    };
    end.min(text.len())
}
