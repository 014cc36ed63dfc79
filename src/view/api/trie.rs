//! Paths that are followed together: those that begin alike share their steps, and a key is looked
//! up once for all that go on at its place.

use super::pattern::{End, Pattern, Step};

/// Paths, as a tree of steps. A node stands for the steps that lead to it.
#[derive(Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    dictionary: Dictionary,
}

/// The number of a node. The first is the root, before any step.
pub(super) type NodeId = u16;

#[derive(Debug)]
pub(super) struct Node {
    /// The last step.
    pub(super) step: Step,
    /// The keys that the step asks for.
    pub(super) keys: Words,
    pub(super) children: Vec<NodeId>,
    /// What paths that end here ask for, with their numbers in the order of the table.
    pub(super) ends: Vec<(u16, End)>,
    /// The signs to which a path leads that goes on here; all where it leads to something else.
    pub(super) below: Signs,
}

/// A set of signs, one bit each.
pub(super) type Signs = u128;

/// The set of one sign.
pub(super) fn sign(number: u16) -> Signs {
    let bit = 1_u128.checked_shl(u32::from(number));
    bit.expect("the tables have fewer signs")
}

impl Trie {
    pub(super) const ROOT: NodeId = 0;

    /// Paths in the order in which their ends are asked for.
    pub(super) fn new(patterns: impl IntoIterator<Item = Pattern>) -> Trie {
        let mut trie = Trie {
            nodes: vec![Node::new(Step::Object, Words::default())],
            dictionary: Dictionary::default(),
        };
        for (number, pattern) in (0..).zip(patterns) {
            let below = match pattern.end {
                End::Sign(number, _) => sign(number),
                _ => Signs::MAX,
            };
            let mut node = Trie::ROOT;
            for step in pattern.steps {
                node = trie.child(node, step);
                trie.nodes[usize::from(node)].below |= below;
            }
            trie.nodes[usize::from(node)]
                .ends
                .push((number, pattern.end));
        }
        trie.dictionary.index();
        trie
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[usize::from(id)]
    }

    /// The entries of all lists that a key fits.
    pub(super) fn look_up(&self, key: &[u8]) -> Words {
        self.dictionary.look_up(key)
    }

    fn child(&mut self, parent: NodeId, step: Step) -> NodeId {
        let mut children = self.node(parent).children.iter();
        if let Some(&known) = children.find(|&&child| self.node(child).step == step) {
            return known;
        }
        let mut keys = Words::default();
        if let Step::Keys(list) = step {
            for entry in list.as_bytes().split(|&b| b == b'|') {
                keys.add(self.dictionary.number(entry));
            }
        }
        let id = NodeId::try_from(self.nodes.len()).expect("the tables are far smaller");
        self.nodes.push(Node::new(step, keys));
        self.nodes[usize::from(parent)].children.push(id);
        id
    }
}

impl Node {
    fn new(step: Step, keys: Words) -> Node {
        Node {
            step,
            keys,
            children: Vec::new(),
            ends: Vec::new(),
            below: 0,
        }
    }
}

/// A set of entries of a [`Dictionary`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words([u64; Words::PARTS]);

impl Words {
    const PARTS: usize = 4;

    fn add(&mut self, entry: usize) {
        let part = self.0.get_mut(entry / 64);
        *part.expect("a table has fewer words") |= 1 << (entry % 64);
    }

    /// Whether the sets have an entry in common.
    pub(super) fn meet(&self, other: &Words) -> bool {
        let [a, b, c, d] = self.0;
        let [e, f, g, h] = other.0;
        (a & e) | (b & f) | (c & g) | (d & h) != 0
    }
}

/// The words that keys are asked for.
#[derive(Debug, Default)]
struct Dictionary {
    /// All entries, as the tables write them.
    entries: Vec<&'static [u8]>,
    /// The whole words, by their [`bucket`].
    words: Vec<Vec<usize>>,
    /// The entries that say how a word ends.
    tails: Vec<usize>,
}

pub(super) const BUCKETS: usize = 256;

/// A number by which most words differ.
pub(super) fn bucket(word: &[u8]) -> usize {
    let first = word.first().map_or(0, |&b| usize::from(b));
    let last = word.last().map_or(0, |&b| usize::from(b));
    (word.len() * 29 + first * 7 + last) % BUCKETS
}

impl Dictionary {
    /// The number of an entry; it is added where it is new.
    fn number(&mut self, entry: &'static [u8]) -> usize {
        let known = self.entries.iter().position(|&known| known == entry);
        known.unwrap_or_else(|| {
            self.entries.push(entry);
            self.entries.len() - 1
        })
    }

    /// Makes ready to look up keys.
    fn index(&mut self) {
        self.words = vec![Vec::new(); BUCKETS];
        for (number, entry) in self.entries.iter().enumerate() {
            if entry.starts_with(b"*") {
                self.tails.push(number);
            } else {
                self.words[bucket(entry)].push(number);
            }
        }
    }

    fn look_up(&self, key: &[u8]) -> Words {
        let mut found = Words::default();
        for &number in &self.words[bucket(key)] {
            if self.entries[number] == key {
                found.add(number);
            }
        }
        for &number in &self.tails {
            if key.ends_with(&self.entries[number][1..]) {
                found.add(number);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_shared_and_keys_found() {
        let paths = ["a[*].b|*_id", "a[*].c", "a..", "*"];
        let trie = Trie::new(paths.map(|path| Pattern::read("", path)));
        let root = trie.node(Trie::ROOT);
        assert_eq!(root.children.len(), 2);
        let a = trie.node(root.children[0]);
        assert_eq!((a.children.len(), a.ends.len()), (1, 1));
        let each = trie.node(a.children[0]);
        let fits = |key: &str| {
            let key = trie.look_up(key.as_bytes());
            let children = each.children.iter();
            children
                .map(|&id| trie.node(id).keys.meet(&key))
                .collect::<Vec<_>>()
        };
        assert_eq!(fits("b"), [true, false]);
        assert_eq!(fits("call_id"), [true, false]);
        assert_eq!(fits("c"), [false, true]);
        assert_eq!(fits("d"), [false, false]);
        assert!(
            trie.node(root.children[1])
                .keys
                .meet(&trie.look_up(b"anything"))
        );
    }
}
