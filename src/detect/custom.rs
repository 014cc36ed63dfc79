//! The rules and terms of packs, compiled as one: what a line is searched with.
//!
//! A pack's own search tells of *every* place where a rule or term holds, overlapping ones too; who
//! wins is decided elsewhere, as for all kinds. A text is searched once for all rules together, and
//! only those that hold somewhere in it are asked where.

mod pattern;
mod value;
mod words;

use std::ops::Range;
use std::sync::Arc;

use regex_automata::PatternSet;

pub(crate) use self::pattern::{BadPattern, Pattern};
pub(crate) use self::value::{Checksum, Step};
use self::words::{Lower, Word, Words};
use crate::finding::{Finding, Strength};
use crate::kind::{Kind, Kinds};

/// The longest match, in bytes.
pub(crate) const MAX_LEN: usize = 256;
/// How far before a match a keyword may begin, in bytes.
pub(crate) const CONTEXT: usize = 32;

/// A rule.
#[derive(Clone)]
pub(crate) struct Rule {
    pub(crate) kind: Kind,
    pub(crate) pattern: Pattern,
    pub(crate) checksum: Checksum,
    pub(crate) normalize: Vec<Step>,
    /// Where there are any, one of them must stand before a match.
    pub(crate) keywords: Vec<String>,
}

/// Terms of one kind. They are canonical as they are.
pub(crate) struct Terms {
    pub(crate) kind: Kind,
    pub(crate) words: Vec<String>,
    pub(crate) any_case: bool,
}

/// All rules and terms of an engine.
#[derive(Clone)]
pub(crate) struct Custom {
    compiled: Arc<Compiled>,
    rules_on: Vec<bool>,
    terms_on: Vec<bool>,
}

struct Compiled {
    rules: Vec<Arc<Rule>>,
    terms: Vec<Arc<Terms>>,
    patterns: Patterns,
    keywords: Words,
    /// The rule of each keyword.
    asked_by: Vec<usize>,
    words: Words,
    /// Where each term stands: the list, and its place in it.
    listed: Vec<(usize, usize)>,
}

use self::pattern::Patterns;

/// A piece of one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'t> {
    pub(crate) text: &'t [u8],
    /// Before this, only keywords are read: the world of matches begins here.
    pub(crate) edge: usize,
    /// The first byte that a match may begin at.
    pub(crate) from: usize,
}

/// Buffers of a search.
#[derive(Default)]
pub(crate) struct Desk {
    lower: Lower,
    matching: Option<PatternSet>,
    /// Where keywords begin and end, each with its rule.
    keywords: Vec<(usize, Range<usize>)>,
}

impl Custom {
    /// `None` where they are too big together.
    pub(crate) fn new(rules: Vec<Arc<Rule>>, terms: Vec<Arc<Terms>>) -> Option<Custom> {
        let keyword_of = |rule: &'_ Arc<Rule>| rule.keywords.len();
        let asked_by = rules
            .iter()
            .enumerate()
            .flat_map(|(i, rule)| std::iter::repeat_n(i, keyword_of(rule)))
            .collect();
        let listed = terms
            .iter()
            .enumerate()
            .flat_map(|(list, terms)| (0..terms.words.len()).map(move |i| (list, i)))
            .collect();
        let keywords = rules.iter().flat_map(|rule| &rule.keywords);
        let keywords = Words::new(keywords.map(|text| Word {
            text,
            any_case: true,
        }))?;
        let words = Words::new(terms.iter().flat_map(|terms| {
            terms.words.iter().map(|text| Word {
                text,
                any_case: terms.any_case,
            })
        }))?;
        Some(Custom {
            rules_on: vec![true; rules.len()],
            terms_on: vec![true; terms.len()],
            compiled: Arc::new(Compiled {
                patterns: Patterns::new(rules.iter().map(|rule| &rule.pattern))?,
                rules,
                terms,
                keywords,
                asked_by,
                words,
                listed,
            }),
        })
    }

    /// The same for the kinds that are on; `None` where nothing is left.
    pub(crate) fn with_kinds(&self, kinds: &Kinds) -> Option<Custom> {
        let Compiled { rules, terms, .. } = &*self.compiled;
        let rules_on: Vec<bool> = rules.iter().map(|r| kinds.contains(r.kind)).collect();
        let terms_on: Vec<bool> = terms.iter().map(|t| kinds.contains(t.kind)).collect();
        let compiled = self.compiled.clone();
        let any = rules_on.contains(&true) || terms_on.contains(&true);
        any.then_some(Custom {
            compiled,
            rules_on,
            terms_on,
        })
    }

    /// Tells of every place in a piece where a rule or a term holds.
    pub(crate) fn search(&self, desk: &mut Desk, piece: Piece<'_>, mut tell: impl FnMut(Finding)) {
        self.terms(desk, piece, &mut tell);
        self.rules(desk, piece, &mut tell);
    }

    /// Where the first thing in `text` begins that could be a match, seen from afar: as if anything
    /// could stand around it. None begins before, whatever parts the text.
    pub(crate) fn scout(&self, desk: &mut Desk, text: &[u8]) -> Option<usize> {
        let Compiled {
            patterns, words, ..
        } = &*self.compiled;
        let pattern = patterns.scout(text);
        // A word lies in one line, so it matters only up to where the pattern's begins.
        let word = words.scout(text, &mut desk.lower);
        pattern.into_iter().chain(word).min()
    }

    fn terms(&self, desk: &mut Desk, piece: Piece<'_>, tell: &mut impl FnMut(Finding)) {
        let Compiled {
            terms,
            listed,
            words,
            ..
        } = &*self.compiled;
        let Some(world) = piece.text.get(piece.edge..) else {
            return;
        };
        words.find(world, &mut desk.lower, |word, range| {
            let (list, place) = listed[word];
            let range = range.start + piece.edge..range.end + piece.edge;
            if self.terms_on[list] && range.start >= piece.from {
                let canonical = terms[list].words[place].as_bytes().into();
                tell(Finding::new(
                    terms[list].kind,
                    Strength::Strong,
                    range,
                    canonical,
                ));
            }
        });
    }

    fn rules(&self, desk: &mut Desk, piece: Piece<'_>, tell: &mut impl FnMut(Finding)) {
        let Compiled {
            rules, patterns, ..
        } = &*self.compiled;
        if rules.is_empty() {
            return;
        }
        let world = &piece.text[piece.edge..];
        let from = piece.from - piece.edge;
        let matching = desk.matching.get_or_insert_with(|| patterns.none());
        patterns.matching(world, from, matching);
        if matching.is_empty() {
            return;
        }
        let asks = |pattern: &usize| self.rules_on[*pattern];
        let mut matching: Vec<usize> = matching.iter().map(|p| p.as_usize()).filter(asks).collect();
        matching.sort_unstable();
        if matching.iter().any(|&i| !rules[i].keywords.is_empty()) {
            self.find_keywords(desk, piece);
        }
        for i in matching {
            let mut tell = |range: Range<usize>, finding| {
                tell(Finding::moved(
                    finding,
                    range.start + piece.edge..range.end + piece.edge,
                ));
            };
            let rule = &rules[i];
            if rule.keywords.is_empty() {
                rule.search(world, from..world.len(), &mut tell);
                continue;
            }
            let mut pos = from;
            for (_, keyword) in desk.keywords.iter().filter(|(rule, _)| *rule == i) {
                // As the world's own positions count.
                let near = |at: usize| at.saturating_sub(piece.edge);
                let starts = pos.max(near(keyword.end))..near(keyword.start + CONTEXT + 1);
                if starts.start < starts.end {
                    pos = rule.search(world, starts, &mut tell);
                }
            }
        }
    }

    /// Finds the keywords of the piece, in order.
    fn find_keywords(&self, desk: &mut Desk, piece: Piece<'_>) {
        let Desk {
            lower, keywords, ..
        } = desk;
        keywords.clear();
        self.compiled
            .keywords
            .find(piece.text, lower, |word, range| {
                keywords.push((self.compiled.asked_by[word], range));
            });
        keywords.sort_by_key(|(_, range)| range.start);
    }
}

impl Rule {
    /// Tells of the matches that begin in `starts`, one behind the other. Returns where the last one
    /// ends, or all that begins was looked at.
    fn search(
        &self,
        text: &[u8],
        starts: Range<usize>,
        tell: &mut impl FnMut(Range<usize>, Finding),
    ) -> usize {
        let mut pos = starts.start;
        // What a match leaves is a world of its own, as it is when the match has become a placeholder.
        let mut edge = 0;
        while let Some(range) = self
            .pattern
            .next(&text[edge..], pos - edge..starts.end.max(edge) - edge)
        {
            let range = range.start + edge..range.end + edge;
            let value = value::canonical(&text[range.clone()], self.checksum, &self.normalize);
            // What starts inside of a failed match is looked at, too.
            pos = range.start + 1;
            if let Some(canonical) = value {
                (pos, edge) = (range.end, range.end);
                let strength = match self.checksum {
                    Checksum::None => Strength::Weak,
                    _ => Strength::Strong,
                };
                tell(
                    range.clone(),
                    Finding::new(self.kind, strength, range, canonical),
                );
            }
        }
        pos.max(starts.end)
    }
}

#[cfg(test)]
mod tests;
