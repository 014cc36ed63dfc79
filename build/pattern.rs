//! The patterns of libphonenumber's metadata: regular expressions over digits.
//!
//! # Syntax
//! Digits, `\d`, classes `[0-24-9]`, groups `(…)` and `(?:…)`, `|`, `?`, `{n}`, `{m,n}`, and `$`.
//! White space means nothing. Anything else ends the build: a new construct in the metadata must
//! be understood before it is used.

/// A set of digits: bit 0 is `0`.
pub(crate) type Digits = u16;

/// A parsed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// One digit of a set.
    One(Digits),
    /// One after the other; none: the empty string.
    All(Vec<Node>),
    /// Any one of them, the first that fits being preferred.
    Any(Vec<Node>),
    /// From `min` to `max` times, more being preferred.
    Repeat { node: Box<Node>, min: u8, max: u8 },
    /// A capturing group.
    Group(Box<Node>),
    /// The end of the number.
    End,
}

impl Node {
    /// Whether a capturing group is somewhere in it.
    pub(crate) fn captures(&self) -> bool {
        match self {
            Node::Group(_) => true,
            Node::All(nodes) | Node::Any(nodes) => nodes.iter().any(Node::captures),
            Node::Repeat { node, .. } => node.captures(),
            Node::One(_) | Node::End => false,
        }
    }
}

/// Reads a pattern.
///
/// # Panics
/// On a construct that is not in the list above.
pub(crate) fn parse(pattern: &str) -> Node {
    let text: Vec<u8> = pattern
        .bytes()
        .filter(|b| !b.is_ascii_whitespace())
        .collect();
    let mut parser = Parser { text: &text, at: 0 };
    let node = parser.any();
    assert_eq!(parser.at, text.len(), "unbalanced pattern {pattern:?}");
    node
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> u8 {
        let byte = self.peek().expect("pattern ends too early");
        self.at += 1;
        byte
    }

    fn eat(&mut self, wanted: &[u8]) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    fn any(&mut self) -> Node {
        let mut branches = vec![self.all()];
        while self.eat(b"|") {
            branches.push(self.all());
        }
        if branches.len() == 1 {
            branches.remove(0)
        } else {
            Node::Any(branches)
        }
    }

    fn all(&mut self) -> Node {
        let mut nodes = Vec::new();
        while !matches!(self.peek(), None | Some(b'|' | b')')) {
            let node = self.one();
            nodes.push(self.repeated(node));
        }
        Node::All(nodes)
    }

    fn one(&mut self) -> Node {
        match self.next() {
            digit @ b'0'..=b'9' => Node::One(1 << (digit - b'0')),
            b'\\' => {
                assert_eq!(self.next(), b'd', "the only known escape is \\d");
                Node::One(0x3FF)
            }
            b'[' => Node::One(self.class()),
            b'$' => Node::End,
            b'(' => {
                let plain = self.eat(b"?:");
                let inner = self.any();
                assert!(self.eat(b")"), "a group without its end");
                if plain {
                    inner
                } else {
                    Node::Group(Box::new(inner))
                }
            }
            other => panic!("unknown construct {:?}", char::from(other)),
        }
    }

    fn class(&mut self) -> Digits {
        let mut set = 0;
        loop {
            match self.next() {
                b']' => return set,
                b'\\' => {
                    assert_eq!(self.next(), b'd', "the only known escape is \\d");
                    set |= 0x3FF;
                }
                first @ b'0'..=b'9' => {
                    let last = if self.eat(b"-") { self.next() } else { first };
                    assert!(
                        last.is_ascii_digit() && first <= last,
                        "a bad range in a class"
                    );
                    for digit in first..=last {
                        set |= 1 << (digit - b'0');
                    }
                }
                other => panic!("unknown class member {:?}", char::from(other)),
            }
        }
    }

    fn repeated(&mut self, node: Node) -> Node {
        let (min, max) = if self.eat(b"?") {
            (0, 1)
        } else if self.eat(b"{") {
            let min = self.number();
            let max = if self.eat(b",") { self.number() } else { min };
            assert!(self.eat(b"}"), "a repetition without its end");
            (min, max)
        } else {
            return node;
        };
        Node::Repeat {
            node: Box::new(node),
            min,
            max,
        }
    }

    fn number(&mut self) -> u8 {
        let mut value = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value * 10 + (digit - b'0');
            self.at += 1;
        }
        value
    }
}
