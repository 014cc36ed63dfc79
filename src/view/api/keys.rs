//! What the keys of a JSON value tell of it while it is read: which tables may fit it, and which of
//! them may keep anything below a key. So most values need no walk.

use super::pattern::{End, Pattern, Step};
use super::trie::{BUCKETS, Signs, bucket, sign};

/// A set of tables, one bit each.
pub(crate) type Tables = u16;

/// What a key tells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    /// As one of the outermost object: the signs that it is.
    pub(super) seen: Signs,
    /// The signs that may lie behind it.
    pub(super) behind: Signs,
    /// The tables that may keep what it leads to.
    pub(super) kept: Tables,
    /// Whether it may name a payload in base64.
    pub(super) payload: bool,
}

/// The keys that tell something.
#[derive(Debug)]
pub(super) struct Keys {
    /// By their [`bucket`].
    words: Vec<Vec<(&'static [u8], Told)>>,
    /// By how they end.
    tails: Vec<(&'static [u8], Told)>,
    /// What all keys tell.
    any: Told,
}

impl Default for Keys {
    fn default() -> Self {
        Keys {
            words: vec![Vec::new(); BUCKETS],
            tails: Vec::new(),
            any: Told::default(),
        }
    }
}

impl Keys {
    /// Adds the sign that a path is.
    pub(super) fn add_sign(&mut self, pattern: &Pattern) {
        let End::Sign(number, prefix) = pattern.end else {
            return;
        };
        let is_key = pattern.steps.len() == 1 && prefix.is_empty();
        let first = pattern.steps.first();
        self.tell(first, |told| match is_key {
            true => told.seen |= sign(number),
            false => told.behind |= sign(number),
        });
    }

    /// Adds a path of a table: what it names stands behind its last key.
    pub(super) fn add_path(&mut self, table: usize, pattern: &Pattern) {
        if matches!(pattern.end, End::Free) {
            return;
        }
        let payload = matches!(
            pattern.end,
            End::Leaf {
                payload: Some(_),
                ..
            }
        );
        let mut steps = pattern.steps.iter().rev();
        let last = steps.find(|step| matches!(step, Step::Keys(_) | Step::Deep));
        self.tell(last, |told| {
            told.kept |= 1 << table;
            told.payload |= payload;
        });
    }

    fn tell(&mut self, step: Option<&Step>, add: impl Fn(&mut Told)) {
        let Some(Step::Keys(keys)) = step else {
            return add(&mut self.any);
        };
        for key in keys.as_bytes().split(|&b| b == b'|') {
            let (list, word) = match key.strip_prefix(b"*") {
                Some(tail) => (&mut self.tails, tail),
                None => (&mut self.words[bucket(key)], key),
            };
            let known = list.iter().position(|&(known, _)| known == word);
            let at = known.unwrap_or_else(|| {
                list.push((word, Told::default()));
                list.len() - 1
            });
            add(&mut list[at].1);
        }
    }

    pub(super) fn look_up(&self, key: &[u8]) -> Told {
        let words = self.words[bucket(key)].iter();
        let word = words.filter(|(word, _)| *word == key);
        let tails = self.tails.iter().filter(|(tail, _)| key.ends_with(tail));
        word.chain(tails).fold(self.any, |told, (_, more)| Told {
            seen: told.seen | more.seen,
            behind: told.behind | more.behind,
            kept: told.kept | more.kept,
            payload: told.payload | more.payload,
        })
    }
}
