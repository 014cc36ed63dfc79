//! The pattern of a rule: a regular expression without look-around and back references, so that a
//! search is linear whatever the pattern; and matches of at most [`MAX_LEN`] bytes, so that all of
//! them together are, too.
//!
//! Refused on purpose: what could match bytes that are no UTF-8 (it would cut characters in two).

use std::fmt;
use std::ops::Range;

use regex_automata::meta::{Config, Regex};
use regex_automata::{Anchored, Input, MatchKind, PatternSet};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind, Repetition};

use super::MAX_LEN;

/// How deep groups may nest.
const NEST: u32 = 50;
/// How big a compiled pattern may be, in bytes.
const SIZE: usize = 4 << 20;
/// How big all patterns compiled as one may be, in bytes.
const SIZE_OF_ALL: usize = 16 << 20;
/// How much memory one search may use for states that it makes as it goes, in bytes.
const CACHE: usize = 4 << 20;

/// A compiled pattern.
#[derive(Clone)]
pub(crate) struct Pattern {
    exact: Search,
    /// The pattern without what looks at its surroundings: it matches wherever the pattern does, and
    /// elsewhere. Where the borders of words are told by letters of all scripts, a search for the
    /// pattern is fast only in ASCII; one for this is in every text.
    loose: Option<Search>,
    loose_hir: Hir,
}

/// A search for the matches of at most [`MAX_LEN`] bytes.
#[derive(Clone)]
struct Search {
    regex: Regex,
    /// Whether there are no others.
    bounded: bool,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadPattern {
    /// It is not of the syntax: why, and at which character.
    Syntax(String, usize),
    MatchesEmpty,
    MatchesNothing,
    MatchesAnyCharacter,
    TooLong,
    TooBig,
}

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPattern::Syntax(why, _) => write!(f, "the pattern is wrong here: {why}"),
            BadPattern::MatchesEmpty => f.write_str("the pattern can match the empty string"),
            BadPattern::MatchesNothing => f.write_str("the pattern can match nothing"),
            BadPattern::MatchesAnyCharacter => f.write_str(
                "the pattern can match almost any one character; ask for more of them, as in {4,}",
            ),
            BadPattern::TooLong => {
                write!(f, "every match of the pattern is over {MAX_LEN} bytes long")
            }
            BadPattern::TooBig => f.write_str(
                "the pattern is too big when compiled; ask for less repetition, \
                 or for [0-9A-Za-z] instead of \\w",
            ),
        }
    }
}

/// Blocks of characters that people write words and numbers with. A pattern that one character of
/// a block satisfies, whichever, would replace whole texts.
const BLOCKS: &[(char, char)] = &[
    ('!', '~'),
    ('À', 'ÿ'),
    ('α', 'ω'),
    ('а', 'я'),
    ('א', 'ת'),
    ('ء', 'ي'),
    ('अ', 'ह'),
    ('ก', 'ฮ'),
    ('ぁ', 'ん'),
    ('ア', 'ヴ'),
    ('一', '丰'),
    ('가', '갰'),
];
/// How many characters of a block one character of a pattern may stand for: hexadecimal digits.
const FEW: usize = 16;

impl Pattern {
    pub(crate) fn compile(pattern: &str) -> Result<Pattern, BadPattern> {
        let hir = ParserBuilder::new()
            .utf8(true)
            .nest_limit(NEST)
            .build()
            .parse(pattern)
            .map_err(|error| syntax(pattern, &error))?;
        let shortest = hir.properties().minimum_len();
        match shortest.ok_or(BadPattern::MatchesNothing)? {
            0 => return Err(BadPattern::MatchesEmpty),
            1..=MAX_LEN => {}
            _ => return Err(BadPattern::TooLong),
        }
        let strict = hir.properties().look_set().contains_word_unicode();
        let loose_hir = loosened(&hir);
        let loose = strict.then(|| Search::new(&loose_hir)).transpose()?;
        let exact = Search::new(&hir)?;
        match exact.is_any_character() {
            true => Err(BadPattern::MatchesAnyCharacter),
            false => Ok(Pattern {
                exact,
                loose,
                loose_hir,
            }),
        }
    }

    /// The first match in `text` that begins in `starts` and is at most [`MAX_LEN`] bytes long. What
    /// stands before and behind it is seen by `\b` and the like; which match it is does not depend
    /// on how long the text is.
    pub(crate) fn next(&self, text: &[u8], starts: Range<usize>) -> Option<Range<usize>> {
        let Some(loose) = self.loose.as_ref().filter(|_| !text.is_ascii()) else {
            return self.exact.next(text, starts);
        };
        let mut pos = starts.start;
        while let Some(found) = loose.next(text, pos..starts.end) {
            let exact = self.exact.find_at(text, found.start);
            if exact.is_some() {
                return exact;
            }
            pos = found.start + 1;
        }
        None
    }
}

impl Search {
    fn new(hir: &Hir) -> Result<Search, BadPattern> {
        let regex = Regex::builder()
            .configure(config(SIZE))
            .build_from_hir(hir)
            .map_err(|_| BadPattern::TooBig)?;
        let longest = hir.properties().maximum_len();
        let bounded = longest.is_some_and(|longest| longest <= MAX_LEN);
        Ok(Search { regex, bounded })
    }

    /// Whether almost any one character of some script is a match.
    fn is_any_character(&self) -> bool {
        let is_match = |c: &char| {
            let text = c.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
            self.regex.is_match(&text)
        };
        BLOCKS
            .iter()
            .any(|&(first, last)| (first..=last).filter(is_match).count() > FEW)
    }

    fn next(&self, text: &[u8], starts: Range<usize>) -> Option<Range<usize>> {
        let Range { mut start, end } = starts.start..starts.end.min(text.len());
        if self.bounded {
            let span = start..text.len().min(end + MAX_LEN);
            return self.find(text, span).filter(|found| found.start < end);
        }
        while start < end {
            let block = start..end.min(start + MAX_LEN);
            start = block.end;
            let found = self.next_in_block(text, block);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The first match that begins in `starts`, a few places, and is short enough.
    ///
    /// A search sees no more than such a match can reach. Where what it finds is too long, the places
    /// behind it are halved, so that a text which is full of beginnings with an end far away is not gone
    /// through once for each.
    fn next_in_block(&self, text: &[u8], starts: Range<usize>) -> Option<Range<usize>> {
        if starts.is_empty() {
            return None;
        }
        let reach = starts.start..text.len().min(starts.end - 1 + MAX_LEN);
        let found = self.find(text, reach)?;
        if found.start >= starts.end {
            return None;
        }
        if found.len() <= MAX_LEN {
            return Some(found);
        }
        // A shorter one may begin there, too.
        self.find_at(text, found.start).or_else(|| {
            let rest = found.start + 1..starts.end;
            let middle = usize::midpoint(rest.start, rest.end);
            self.next_in_block(text, rest.start..middle)
                .or_else(|| self.next_in_block(text, middle..rest.end))
        })
    }

    fn find(&self, text: &[u8], span: Range<usize>) -> Option<Range<usize>> {
        (span.start < span.end)
            .then(|| self.regex.find(input(text, span)))
            .flatten()
            .map(|found| found.range())
    }

    /// The match that begins at `start` and is short enough.
    fn find_at(&self, text: &[u8], start: usize) -> Option<Range<usize>> {
        let span = start..text.len().min(start + MAX_LEN);
        let input = input(text, span).anchored(Anchored::Yes);
        self.regex.find(input).map(|found| found.range())
    }
}

fn input(text: &[u8], span: Range<usize>) -> Input<'_> {
    Input::new(text).span(span)
}

fn config(size: usize) -> Config {
    Config::new()
        .nfa_size_limit(Some(size))
        .hybrid_cache_capacity(CACHE)
}

/// The pattern without what looks at its surroundings.
fn loosened(hir: &Hir) -> Hir {
    let all = |hirs: &[Hir]| hirs.iter().map(loosened).collect();
    match hir.kind() {
        HirKind::Look(_) => Hir::empty(),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => hir.clone(),
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            sub: Box::new(loosened(&repetition.sub)),
            ..repetition.clone()
        }),
        HirKind::Capture(capture) => loosened(&capture.sub),
        HirKind::Concat(hirs) => Hir::concat(all(hirs)),
        HirKind::Alternation(hirs) => Hir::alternation(all(hirs)),
    }
}

/// The parser's reason and place. Its reasons are fixed sentences: they quote no pattern.
fn syntax(pattern: &str, error: &regex_syntax::Error) -> BadPattern {
    let (why, at) = match error {
        regex_syntax::Error::Parse(error) => (error.kind().to_string(), error.span().start.offset),
        regex_syntax::Error::Translate(error) => {
            (error.kind().to_string(), error.span().start.offset)
        }
        _ => ("it cannot be read".to_owned(), 0),
    };
    let before = pattern.get(..at).unwrap_or_default();
    BadPattern::Syntax(why, before.chars().count())
}

/// Tells which of many patterns may match somewhere in a text.
#[derive(Clone)]
pub(crate) struct Patterns {
    /// Finds all that match.
    all: Regex,
    /// Finds the first match of any.
    any: Regex,
}

impl Patterns {
    /// `None` where they are too big together.
    pub(crate) fn new<'p>(patterns: impl Iterator<Item = &'p Pattern>) -> Option<Patterns> {
        let hirs: Vec<&Hir> = patterns.map(|pattern| &pattern.loose_hir).collect();
        let of = |kind| {
            Regex::builder()
                .configure(config(SIZE_OF_ALL).match_kind(kind))
                .build_many_from_hir(&hirs)
                .ok()
        };
        Some(Patterns {
            all: of(MatchKind::All)?,
            any: of(MatchKind::LeftmostFirst)?,
        })
    }

    /// An empty answer, to be filled by [`Patterns::matching`].
    pub(crate) fn none(&self) -> PatternSet {
        PatternSet::new(self.all.pattern_len())
    }

    /// Which patterns may have a match in `text[from..]`, and no other has one.
    pub(crate) fn matching(&self, text: &[u8], from: usize, answer: &mut PatternSet) {
        answer.clear();
        if from < text.len() {
            let input = input(text, from..text.len());
            self.all.which_overlapping_matches(&input, answer);
        }
    }

    /// Where in `text` the first match of a pattern may begin.
    pub(crate) fn scout(&self, text: &[u8]) -> Option<usize> {
        self.any.find(text).map(|found| found.start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_would_replace_whole_texts_is_refused() {
        for pattern in [
            "", "a*", "a?", "()", "(?:)", "^", "$", r"\b", "a|", "|a", "(a|b*)", "(?m)^$", ".*",
            "x{0,3}", ".{0,5}", r"\b\b", r"\B",
        ] {
            let refused = Pattern::compile(pattern).err();
            assert_eq!(refused, Some(BadPattern::MatchesEmpty), "{pattern}");
        }
        for pattern in [
            ".",
            ".+",
            "(?s).",
            r"\S",
            r"[^x]",
            r"[\s\S]",
            r"\w",
            r"\w+",
            "[a-z]",
            "[A-Z]+",
            r"\p{L}",
            r".{1,9}",
            r"\p{Han}",
            "[а-я]",
            r"[가-힣]+",
            r"(?-u:[\x00-\x7f])",
            "a|.",
            r"\b.\b",
            r"^.",
            r"[!-/:-@]+",
            r"\P{Lu}",
            "(?i)[a-z]",
            r"(.)",
        ] {
            let refused = Pattern::compile(pattern).err();
            assert_eq!(refused, Some(BadPattern::MatchesAnyCharacter), "{pattern}");
        }
        for pattern in [
            r"\d+",
            "[0-9a-f]+",
            "[A-D]",
            "#",
            "..",
            r"\w{2,}",
            "[a-z]{4}",
            "K[A-Z]",
            "話",
        ] {
            assert_eq!(Pattern::compile(pattern).err(), None, "{pattern}");
        }
    }

    #[test]
    fn other_bad_patterns_say_what_is_wrong_and_where() {
        for (pattern, at) in [
            ("(", 0),
            ("ab[", 2),
            ("é(?=x)", 1),
            (r"(a)\1", 3),
            ("a**b{", 4),
            (r"\p{Nope}", 0),
        ] {
            match Pattern::compile(pattern).err() {
                Some(BadPattern::Syntax(why, place)) => {
                    assert_eq!(place, at, "{pattern}: {why}");
                    assert!(!why.contains(pattern), "{why}");
                }
                other => panic!("{pattern}: {other:?}"),
            }
        }
        assert!(matches!(
            Pattern::compile(r"(?-u:\xff)a"),
            Err(BadPattern::Syntax(..))
        ));
        let nested = "(".repeat(99) + "a" + &")".repeat(99);
        assert!(matches!(
            Pattern::compile(&nested),
            Err(BadPattern::Syntax(..))
        ));
        for (pattern, expected) in [
            (r"\w{200,250}", BadPattern::TooBig),
            (r"(?:[ab]{100}){100}", BadPattern::TooLong),
            ("[a&&b]", BadPattern::MatchesNothing),
            ("a{257}", BadPattern::TooLong),
        ] {
            assert_eq!(Pattern::compile(pattern).err(), Some(expected), "{pattern}");
        }
    }

    /// The meaning of [`Pattern::next`], by asking each start by itself.
    fn by_each_start(pattern: &Pattern, text: &[u8], starts: Range<usize>) -> Option<Range<usize>> {
        (starts.start..starts.end.min(text.len()))
            .find_map(|start| pattern.exact.find_at(text, start))
    }

    #[test]
    fn the_first_match_that_is_short_enough_is_found() {
        let gap = |n| "-".repeat(n);
        for (pattern, text, expected) in [
            ("a.*b", format!("xa{}b", gap(254)), Some(1..257)),
            ("a.*b", format!("xa{}b", gap(255)), None),
            ("a.*b", format!("a{}ab", gap(600)), Some(601..603)),
            ("a.*b", format!("ab{}b", gap(600)), Some(0..2)),
            (
                "a.*b|c",
                format!("a{}c{}b", gap(100), gap(300)),
                Some(101..102),
            ),
            (
                "a.*?b",
                format!("a{}ab{}b", gap(300), gap(9)),
                Some(301..303),
            ),
            (r"a-*\b", format!("a{}x", gap(255)), Some(0..256)),
            ("a-*$", format!("a{}x", gap(255)), None),
        ] {
            let pattern = Pattern::compile(pattern).unwrap();
            assert_eq!(pattern.next(text.as_bytes(), 0..text.len()), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn searches_agree_with_a_look_at_each_start(
            runs in prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "ab", " ", "é"]), 1_usize..200), 1..9),
            pattern in prop::sample::select(vec!["a.*b", "a.*b|c", "[ab]+c", r"\ba+\b", "a.*?b", "ab+?", "a{2,300}c", r"\ba[ b]*\b", r"\ba.*\Bb|\b(c)"]),
            from in 0_usize..300, until in 0_usize..1_500,
        ) {
            let text: String = runs.iter().map(|&(unit, times)| unit.repeat(times)).collect();
            let pattern = Pattern::compile(pattern).unwrap();
            let starts = from.min(text.len())..until.max(from);
            prop_assert_eq!(
                pattern.next(text.as_bytes(), starts.clone()),
                by_each_start(&pattern, text.as_bytes(), starts)
            );
        }
    }
}
