//! The grammar of JSON (RFC 8259) outside of strings, one byte at a time, with an explicit stack
//! of one bit a level. It keeps no text.

/// How deep containers may be nested: what is deeper is no JSON of anybody's, and memory must not
/// grow with it. RFC 8259, section 9, leaves the limit to the reader.
const DEEPEST: usize = 1 << 24;

/// Where in a value the grammar stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// A value must begin.
    #[default]
    Value,
    /// Behind `[`.
    FirstItem,
    /// Behind `{`.
    FirstKey,
    /// Behind a comma in an object.
    Key,
    /// Behind a key.
    Colon,
    /// Behind a value in a container.
    After,
    /// Behind the outermost value.
    Done,
    InKey,
    InString,
    Minus,
    Zero,
    Int,
    Dot,
    Frac,
    Exp,
    ExpSign,
    ExpDigits,
    Literal,
}

/// What a byte means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// White space, punctuation, or the inside of a number or literal.
    Inside,
    /// The quote that opens a key.
    Key,
    /// The quote that opens a string.
    String,
    /// The first byte of a number.
    Number,
    /// A number ended before this byte, which must be given again.
    NumberEnd,
    /// Not JSON.
    Fail,
}

/// A value that is being read.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    state: State,
    /// What is left of a literal.
    literal: &'static [u8],
    depth: usize,
    /// Whether each open level is an object.
    levels: Vec<u64>,
}

impl Grammar {
    /// Begins a value.
    pub(super) fn reset(&mut self) {
        self.state = State::Value;
        self.depth = 0;
        self.levels.clear();
    }

    /// How many containers are open.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the value is complete.
    pub(super) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    pub(super) fn in_string(&self) -> bool {
        matches!(self.state, State::InKey | State::InString)
    }

    pub(super) fn in_key(&self) -> bool {
        self.state == State::InKey
    }

    pub(super) fn in_number(&self) -> bool {
        matches!(
            self.state,
            State::Minus
                | State::Zero
                | State::Int
                | State::Dot
                | State::Frac
                | State::Exp
                | State::ExpSign
                | State::ExpDigits
        )
    }

    /// Whether white space may stand here.
    pub(super) fn takes_space(&self) -> bool {
        matches!(
            self.state,
            State::Value
                | State::FirstItem
                | State::FirstKey
                | State::Key
                | State::Colon
                | State::After
        )
    }

    /// Says that the string or key has been closed.
    pub(super) fn close_string(&mut self) {
        match self.state {
            State::InKey => self.state = State::Colon,
            _ => self.end_value(),
        }
    }

    /// Ends a number at the end of the input; whether it is one.
    pub(super) fn end_number(&mut self) -> bool {
        let whole = matches!(
            self.state,
            State::Zero | State::Int | State::Frac | State::ExpDigits
        );
        if whole {
            self.end_value();
        }
        whole
    }

    /// Takes the next byte that is not inside of a string.
    #[inline]
    pub(super) fn step(&mut self, byte: u8) -> Event {
        match self.state {
            State::Value => self.value(byte),
            State::FirstItem if byte == b']' => self.close(false),
            State::FirstItem => self.value(byte),
            State::FirstKey if byte == b'}' => self.close(true),
            State::FirstKey | State::Key => match byte {
                b'"' => self.to(State::InKey, Event::Key),
                b' ' | b'\n' | b'\r' | b'\t' => Event::Inside,
                _ => Event::Fail,
            },
            State::Colon => match byte {
                b':' => self.to(State::Value, Event::Inside),
                b' ' | b'\n' | b'\r' | b'\t' => Event::Inside,
                _ => Event::Fail,
            },
            State::After => match byte {
                b',' if self.in_object() => self.to(State::Key, Event::Inside),
                b',' => self.to(State::Value, Event::Inside),
                b'}' => self.close(true),
                b']' => self.close(false),
                b' ' | b'\n' | b'\r' | b'\t' => Event::Inside,
                _ => Event::Fail,
            },
            State::Literal => match self.literal.split_first() {
                Some((&expected, rest)) if byte == expected => {
                    self.literal = rest;
                    if rest.is_empty() {
                        self.end_value();
                    }
                    Event::Inside
                }
                _ => Event::Fail,
            },
            State::Done | State::InKey | State::InString => Event::Fail,
            _ => self.number(byte),
        }
    }

    #[inline]
    fn value(&mut self, byte: u8) -> Event {
        let literal: &'static [u8] = match byte {
            b'"' => return self.to(State::InString, Event::String),
            b'{' => return self.open(true, State::FirstKey),
            b'[' => return self.open(false, State::FirstItem),
            b'-' => return self.to(State::Minus, Event::Number),
            b'0' => return self.to(State::Zero, Event::Number),
            b'1'..=b'9' => return self.to(State::Int, Event::Number),
            b' ' | b'\n' | b'\r' | b'\t' => return Event::Inside,
            b't' => b"rue",
            b'f' => b"alse",
            b'n' => b"ull",
            _ => return Event::Fail,
        };
        self.literal = literal;
        self.to(State::Literal, Event::Inside)
    }

    fn number(&mut self, byte: u8) -> Event {
        let digit = byte.is_ascii_digit();
        let exponent = matches!(byte, b'e' | b'E');
        self.state = match self.state {
            State::Minus if byte == b'0' => State::Zero,
            State::Minus if digit => State::Int,
            State::Int if digit => State::Int,
            State::Zero | State::Int if byte == b'.' => State::Dot,
            State::Zero | State::Int | State::Frac if exponent => State::Exp,
            State::Dot | State::Frac if digit => State::Frac,
            State::Exp if matches!(byte, b'+' | b'-') => State::ExpSign,
            State::Exp | State::ExpSign | State::ExpDigits if digit => State::ExpDigits,
            _ => {
                return match self.end_number() {
                    true => Event::NumberEnd,
                    false => Event::Fail,
                };
            }
        };
        Event::Inside
    }

    fn to(&mut self, state: State, event: Event) -> Event {
        self.state = state;
        event
    }

    fn in_object(&self) -> bool {
        let level = self.depth.saturating_sub(1);
        let word = self.levels.get(level / 64).copied().unwrap_or(0);
        word >> (level % 64) & 1 != 0
    }

    fn open(&mut self, object: bool, state: State) -> Event {
        if self.depth == DEEPEST {
            return Event::Fail;
        }
        let (word, bit) = (self.depth / 64, self.depth % 64);
        if word == self.levels.len() {
            self.levels.push(0);
        }
        if let Some(word) = self.levels.get_mut(word) {
            *word = *word & !(1 << bit) | u64::from(object) << bit;
        }
        self.depth += 1;
        self.to(state, Event::Inside)
    }

    fn close(&mut self, object: bool) -> Event {
        if self.depth == 0 || self.in_object() != object {
            return Event::Fail;
        }
        self.depth -= 1;
        self.end_value();
        Event::Inside
    }

    fn end_value(&mut self) {
        self.state = if self.depth == 0 {
            State::Done
        } else {
            State::After
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether a text without escapes is one JSON value.
    fn accepts(text: &[u8]) -> bool {
        let mut grammar = Grammar::default();
        let mut i = 0;
        while i < text.len() {
            if grammar.in_string() {
                match text[i] {
                    b'"' => grammar.close_string(),
                    0..0x20 | b'\\' => return false,
                    _ => {}
                }
                i += 1;
                continue;
            }
            if grammar.is_done() && text[i..].iter().all(|b| b" \n\t\r".contains(b)) {
                return true;
            }
            match grammar.step(text[i]) {
                Event::Fail => return false,
                Event::NumberEnd => {}
                _ => i += 1,
            }
        }
        grammar.is_done() || (grammar.in_number() && grammar.end_number() && grammar.is_done())
    }

    #[test]
    fn numbers_and_literals_are_those_of_the_rfc() {
        for (text, ok) in [
            ("0", true),
            ("-0", true),
            ("01", false),
            ("-", false),
            ("1.", false),
            ("1.5e+07", true),
            ("1e", false),
            (".5", false),
            ("+1", false),
            ("true", true),
            ("tru", false),
            ("nulL", false),
            ("[]", true),
            ("[1,]", false),
            ("{\"a\":1,}", false),
            ("[}", false),
            ("{\"a\"}", false),
            ("[1 2]", false),
            ("\"a\"", true),
        ] {
            assert_eq!(accepts(text.as_bytes()), ok, "{text}");
        }
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert!(accepts(deep.as_bytes()));
    }

    proptest! {
        #[test]
        fn it_accepts_what_serde_json_accepts(
            parts in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"a\"", "\"\"", "1", "-", "0", ".", "e5", "true", "null", " ", "\n",
            ]), 0..12),
        ) {
            let text = parts.concat();
            let oracle = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            prop_assert_eq!(accepts(text.as_bytes()), oracle, "{}", text);
        }
    }
}
