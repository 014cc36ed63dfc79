//! Words that are looked for as they are, many at once: terms, and the keywords of rules.
//!
//! A word is found where it is whole: what touches it does not make it a part of a longer one. In
//! scripts that put no spaces between words every letter is an edge, so there it is found wherever
//! it stands.

use std::ops::Range;

use aho_corasick::AhoCorasick;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::detect::boundary;

/// A word to look for.
#[derive(Clone, Debug)]
pub(crate) struct Word<'w> {
    pub(crate) text: &'w str,
    /// Whether it is found in any case.
    pub(crate) any_case: bool,
}

/// Many words.
#[derive(Clone, Default)]
pub(crate) struct Words {
    exact: Option<Automaton>,
    any_case: Option<Automaton>,
}

#[derive(Clone)]
struct Automaton {
    search: AhoCorasick,
    /// The word that each of its patterns is a spelling of.
    words: Vec<usize>,
}

/// A text in lower case, and where each of its bytes came from.
#[derive(Default)]
pub(crate) struct Lower {
    bytes: Vec<u8>,
    /// Empty where the text is ASCII, and every byte stands where it stood.
    origin: Vec<usize>,
}

impl Words {
    /// `None` where they are too many.
    pub(crate) fn new<'w>(words: impl Iterator<Item = Word<'w>> + Clone) -> Option<Words> {
        let of = |any_case: bool| {
            let mut spellings = Vec::new();
            let mut owners = Vec::new();
            for (i, word) in words.clone().enumerate() {
                if word.any_case == any_case {
                    for spelling in spellings_of(&word) {
                        spellings.push(spelling);
                        owners.push(i);
                    }
                }
            }
            if spellings.is_empty() {
                return Some(None);
            }
            let search = AhoCorasick::new(&spellings).ok()?;
            let words = owners;
            Some(Some(Automaton { search, words }))
        };
        Some(Words {
            exact: of(false)?,
            any_case: of(true)?,
        })
    }

    /// Where a word stands first, whole or not. Another may begin before, but then it goes on to there.
    pub(crate) fn scout(&self, text: &[u8], lower: &mut Lower) -> Option<usize> {
        let exact = self
            .exact
            .as_ref()
            .and_then(|exact| exact.search.find(text));
        let any_case = self.any_case.as_ref().and_then(|any_case| {
            lower.fill(text);
            let found = any_case.search.find(&lower.bytes)?;
            Some(lower.origin(found.start(), text))
        });
        exact
            .map(|found| found.start())
            .into_iter()
            .chain(any_case)
            .min()
    }

    /// Tells of each place where a word stands whole, in no order; overlapping ones too.
    pub(crate) fn find(
        &self,
        text: &[u8],
        lower: &mut Lower,
        mut tell: impl FnMut(usize, Range<usize>),
    ) {
        let mut tell_whole = |word: usize, range: Range<usize>| {
            if is_whole(text, &range) {
                tell(word, range);
            }
        };
        if let Some(exact) = &self.exact {
            for found in exact.search.find_overlapping_iter(text) {
                tell_whole(exact.words[found.pattern().as_usize()], found.range());
            }
        }
        if let Some(any_case) = &self.any_case {
            lower.fill(text);
            for found in any_case.search.find_overlapping_iter(&lower.bytes) {
                let range = lower.origin(found.start(), text)..lower.origin(found.end(), text);
                tell_whole(any_case.words[found.pattern().as_usize()], range);
            }
        }
    }
}

/// As it is written, composed and decomposed: one word may be stored either way.
fn spellings_of(word: &Word<'_>) -> Vec<String> {
    let mut spellings = vec![
        word.text.to_owned(),
        word.text.nfc().collect(),
        word.text.nfd().collect(),
    ];
    if word.any_case {
        for spelling in &mut spellings {
            *spelling = spelling.chars().map(lower_case).collect();
        }
    }
    spellings.sort_unstable();
    spellings.dedup();
    spellings
}

/// One character for a letter in either case: small sigma is one, at the end of a word too, and the
/// dot of a capital I is none.
fn lower_case(c: char) -> char {
    match c.to_lowercase().next() {
        Some('ς') => 'σ',
        lower => lower.unwrap_or(c),
    }
}

impl Lower {
    fn fill(&mut self, text: &[u8]) {
        self.bytes.clear();
        self.origin.clear();
        if text.is_ascii() {
            self.bytes.extend(text.iter().map(u8::to_ascii_lowercase));
            return;
        }
        let mut at = 0;
        for chunk in text.utf8_chunks() {
            for c in chunk.valid().chars() {
                let mut buffer = [0; 4];
                let lower = lower_case(c).encode_utf8(&mut buffer).as_bytes();
                self.put(lower, at);
                at += c.len_utf8();
            }
            self.put(chunk.invalid(), at);
            at += chunk.invalid().len();
        }
    }

    fn put(&mut self, bytes: &[u8], at: usize) {
        self.bytes.extend_from_slice(bytes);
        self.origin.extend(bytes.iter().map(|_| at));
    }

    /// Where a position came from.
    fn origin(&self, at: usize, text: &[u8]) -> usize {
        match self.origin.is_empty() {
            true => at,
            false => self.origin.get(at).copied().unwrap_or(text.len()),
        }
    }
}

/// Whether nothing that touches `range` makes it a part of a longer word.
fn is_whole(text: &[u8], range: &Range<usize>) -> bool {
    let joined =
        |a: Option<char>, b: Option<char>| a.is_some_and(in_word) && b.is_some_and(in_word);
    let first = boundary::char_after(text, range.start);
    let last = boundary::char_before(text, range.end);
    let behind = boundary::char_after(text, range.end);
    // A mark belongs to the letter before it, in any script.
    !joined(boundary::char_before(text, range.start), first)
        && !joined(last, behind)
        && !behind.is_some_and(is_combining_mark)
}

/// Whether a character makes one word of itself and a neighbour that does so, too.
fn in_word(c: char) -> bool {
    boundary::is_word_letter(c) || (is_combining_mark(c) && !boundary::is_unspaced(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[(&str, bool)], text: &str) -> Vec<(usize, String)> {
        let words = words
            .iter()
            .map(|&(text, any_case)| Word { text, any_case });
        let mut told = Vec::new();
        Words::new(words)
            .unwrap()
            .find(text.as_bytes(), &mut Lower::default(), |word, range| {
                told.push((word, text[range].to_owned()));
            });
        told.sort();
        told
    }

    #[track_caller]
    fn finds(word: &str, any_case: bool, texts: &[&str], not: &[&str]) {
        for text in texts {
            assert_eq!(
                found(&[(word, any_case)], text).len(),
                1,
                "{word} in {text}"
            );
        }
        for text in not {
            assert!(
                found(&[(word, any_case)], text).is_empty(),
                "{word} in {text}"
            );
        }
    }

    #[test]
    fn words_are_whole() {
        let whole = [
            "Apollo",
            "(Apollo)",
            "the Apollo_2 plan",
            "話Apollo話",
            "\u{1b}Apollo",
            "Apollo's",
        ];
        finds(
            "Apollo",
            false,
            &whole,
            &[
                "Apollonia",
                "xApollo",
                "Apollo11",
                "apollo",
                "éApollo",
                "Apolloé",
            ],
        );
        finds("C++", false, &["C++", "C++11", "C++/Java"], &["AC++"]);
        finds("Cafe", false, &["Cafe"], &["Cafe\u{301}", "Café"]);
    }

    #[test]
    fn words_of_every_script_are_found() {
        finds(
            "阿波罗",
            false,
            &["我们的阿波罗计划", "阿波罗2号", "x阿波罗"],
            &["阿波"],
        );
        finds("アポロ", false, &["アポロ計画", "新アポロ"], &["アポ"]);
        finds("아폴로", false, &["아폴로는", "우리 아폴로"], &[]);
        finds("อพอลโล", false, &["โครงการอพอลโลใหม่"], &["อพอลโล\u{e48}"]);
        finds("аполлон", true, &["АПОЛЛОН", "Аполлон,"], &["аполлона"]);
        finds("مشروع", false, &["هو مشروع جديد"], &["المشروع"]);
        finds("अपोलो", false, &["अपोलो मिशन"], &["अपोलों"]);
    }

    #[test]
    fn case_and_composition_are_trivial_where_asked() {
        finds("Zeus", true, &["ZEUS", "zeus", "Zeus"], &["zeusx"]);
        finds(
            "Ödipus",
            true,
            &["öDIPUS", "O\u{308}DIPUS", "o\u{308}dipus"],
            &["odipus"],
        );
        finds(
            "ΟΔΟΣ",
            true,
            &["οδος", "Οδός".replace('ό', "ο").as_str()],
            &[],
        );
        finds("Straße", true, &["STRAẞE", "straße"], &["STRASSE"]);
        finds("İzmir", true, &["İZMİR", "izmir"], &[]);
        finds("Kelvin", true, &["\u{212a}elvin"], &[]);
        finds("Café", false, &["Cafe\u{301}", "Café"], &["CAFÉ"]);
        let told = found(&[("É", true), ("k", true)], "\u{212a} É");
        assert_eq!(told, [(0, "É".to_owned()), (1, "\u{212a}".to_owned())]);
    }

    #[test]
    fn overlapping_words_are_all_told() {
        let words = [("Apollo", false), ("Apollo 1", false), ("1", false)];
        let names = |text| {
            found(&words, text)
                .into_iter()
                .map(|(i, _)| i)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("Apollo 1"), [0, 1, 2]);
        assert_eq!(names("Apollo 11"), [0], "the longer one is none");
    }

    #[test]
    fn invalid_bytes_are_edges() {
        let words = [Word {
            text: "zeus",
            any_case: true,
        }];
        let mut told = Vec::new();
        let words = Words::new(words.into_iter()).unwrap();
        words.find(
            b"\xe9ZEUS\xff zeus\xe2\x80",
            &mut Lower::default(),
            |_, range| told.push(range),
        );
        assert_eq!(told, [1..5, 7..11]);
    }
}
