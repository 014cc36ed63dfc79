//! Patterns to one minimal, shared, deterministic automaton over digits.
//!
//! Numbers are short, so the automaton is unrolled: it has no loops, and a state is nothing but
//! its ten successors. Equal states are stored once, across all patterns of all countries.

use std::collections::HashMap;

use crate::pattern::{Digits, Node};

/// No number is longer than this (libphonenumber's limit for a national number).
const DEPTH: u8 = 17;

/// A state and whether the digits that led to it are a match: bit 15 says so, the other bits are
/// an index into [`Automaton::states`]. State 0 leads nowhere.
pub(crate) type Entry = u16;
const MATCH: Entry = 0x8000;

/// The states of all patterns that were compiled.
pub(crate) struct Automaton {
    /// For each state its successors for the digits 0 to 9.
    pub(crate) states: Vec<[Entry; 10]>,
    known: HashMap<[Entry; 10], u16>,
}

/// Some patterns side by side, each with a tag.
#[derive(Default)]
pub(crate) struct Patterns {
    steps: Vec<Step>,
    starts: Vec<usize>,
}

enum Step {
    /// Takes a digit of the set, then goes on at the step.
    Digit(Digits, usize),
    /// Goes on at all of these at once.
    Fork(Vec<usize>),
    /// The pattern with this tag has matched the digits so far.
    Tag(u16),
}

impl Patterns {
    /// Adds a pattern that must match the whole number.
    pub(crate) fn whole(&mut self, node: &Node, tag: u16) {
        let end = self.push(Step::Tag(tag));
        let start = self.add(node, end);
        self.starts.push(start);
    }

    /// Adds a pattern that must match the beginning of the number.
    pub(crate) fn prefix(&mut self, node: &Node, tag: u16) {
        let tagged = self.push(Step::Tag(tag));
        let end = self.push(Step::Fork(vec![tagged]));
        let more = self.push(Step::Digit(0x3FF, end));
        self.steps[end] = Step::Fork(vec![tagged, more]);
        let start = self.add(node, end);
        self.starts.push(start);
    }

    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Adds the steps of `node`, which go on at `next`; returns the first of them.
    fn add(&mut self, node: &Node, next: usize) -> usize {
        match node {
            Node::One(digits) => self.push(Step::Digit(*digits, next)),
            Node::All(nodes) => nodes
                .iter()
                .rev()
                .fold(next, |next, node| self.add(node, next)),
            Node::Any(nodes) => {
                let firsts = nodes.iter().map(|node| self.add(node, next)).collect();
                self.push(Step::Fork(firsts))
            }
            Node::Repeat { node, min, max } => {
                let mut first = next;
                for _ in *min..*max {
                    let once = self.add(node, first);
                    first = self.push(Step::Fork(vec![once, next]));
                }
                (0..*min).fold(first, |first, _| self.add(node, first))
            }
            Node::Group(node) => self.add(node, next),
            Node::End => panic!("$ in the middle of a pattern"),
        }
    }

    /// Follows the forks from `starts`: the sorted steps that take a digit or carry a tag.
    fn closure(&self, mut starts: Vec<usize>) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut seen = vec![false; self.steps.len()];
        while let Some(step) = starts.pop() {
            if std::mem::replace(&mut seen[step], true) {
                continue;
            }
            match &self.steps[step] {
                Step::Fork(nexts) => starts.extend(nexts),
                Step::Digit(..) | Step::Tag(_) => reached.push(step),
            }
        }
        reached.sort_unstable();
        reached
    }
}

impl Automaton {
    pub(crate) fn new() -> Self {
        Automaton {
            states: vec![[0; 10]],
            known: HashMap::from([([0; 10], 0)]),
        }
    }

    /// Compiles `patterns`. `accept` decides, from the tags that match and the number of digits,
    /// whether the number is in the language.
    pub(crate) fn compile(
        &mut self,
        patterns: &Patterns,
        accept: &dyn Fn(&[u16], u8) -> bool,
    ) -> Entry {
        let start = patterns.closure(patterns.starts.clone());
        self.entry(patterns, accept, start, 0, &mut HashMap::new())
    }

    /// Whether the language at `entry` holds `number`, which is made of digits.
    pub(crate) fn accepts(&self, entry: Entry, number: &str) -> bool {
        let last = number.bytes().fold(entry, |entry, digit| {
            self.states[usize::from(entry & !MATCH)][usize::from(digit - b'0')]
        });
        last & MATCH != 0
    }

    /// Compiles one pattern that must match whole.
    pub(crate) fn whole(&mut self, node: &Node) -> Entry {
        let mut patterns = Patterns::default();
        patterns.whole(node, 0);
        self.compile(&patterns, &|tags, _| !tags.is_empty())
    }

    fn entry(
        &mut self,
        patterns: &Patterns,
        accept: &dyn Fn(&[u16], u8) -> bool,
        steps: Vec<usize>,
        depth: u8,
        done: &mut HashMap<(Vec<usize>, u8), Entry>,
    ) -> Entry {
        if steps.is_empty() {
            return 0;
        }
        if let Some(&entry) = done.get(&(steps.clone(), depth)) {
            return entry;
        }
        let mut tags = Vec::new();
        let mut nexts: [Vec<usize>; 10] = Default::default();
        for &step in &steps {
            match &patterns.steps[step] {
                Step::Tag(tag) => tags.push(*tag),
                Step::Digit(digits, next) => {
                    for (digit, nexts) in nexts.iter_mut().enumerate() {
                        if digits & (1 << digit) != 0 {
                            nexts.push(*next);
                        }
                    }
                }
                Step::Fork(_) => unreachable!("a closure holds no forks"),
            }
        }
        let mut successors = [0; 10];
        if depth < DEPTH {
            // Many digits lead to the same place: compute it once.
            for digit in 0..10 {
                successors[digit] = match (0..digit).find(|&d| nexts[d] == nexts[digit]) {
                    Some(same) => successors[same],
                    None => {
                        let reached = patterns.closure(nexts[digit].clone());
                        self.entry(patterns, accept, reached, depth + 1, done)
                    }
                };
            }
        }
        tags.sort_unstable();
        tags.dedup();
        let matched = if accept(&tags, depth) { MATCH } else { 0 };
        let entry = self.state(successors) | matched;
        done.insert((steps, depth), entry);
        entry
    }

    fn state(&mut self, successors: [Entry; 10]) -> u16 {
        if let Some(&state) = self.known.get(&successors) {
            return state;
        }
        let state = u16::try_from(self.states.len()).expect("states fit in 15 bits");
        assert!(state < MATCH, "states fit in 15 bits");
        self.states.push(successors);
        self.known.insert(successors, state);
        state
    }
}
