//! Where strings begin and end, and where containers do: bit masks for a view that reads a text's
//! structure, made once and kept for all who walk through it.

use fearless_simd::{Level, Simd, dispatch, prelude::*, u8x64};

use super::classes::BLOCK;

/// How many blocks are marked at once at the most; a text that is no JSON is marked in small steps,
/// as it is begun again and again.
const MOST: usize = 64;
const LEAST: usize = 4;

/// What stands in a block of a text that begins outside of strings.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// The quotes that open and close strings.
    quotes: u64,
    /// In strings: control characters, and what a backslash escapes, but for the signs and letters
    /// that JSON has for it; `u` is odd, as digits must follow.
    odd: u64,
    /// The brackets and braces outside of strings.
    brackets: u64,
}

/// What the bytes before a block make of it.
#[derive(Clone, Copy, Debug, Default)]
struct Carry {
    /// 1 where its first byte is escaped.
    escaped: u64,
    /// All ones where it begins in a string.
    string: u64,
}

/// The marks of a text, from a place on up to which it is known.
#[derive(Debug)]
pub(crate) struct Marks {
    base: usize,
    /// Behind the last byte that is marked.
    end: usize,
    blocks: Vec<Block>,
    /// Behind the last whole block.
    carry: Carry,
    /// How many blocks are marked next.
    step: usize,
    level: Level,
}

impl Default for Marks {
    fn default() -> Self {
        Marks {
            base: 0,
            end: 0,
            blocks: Vec::new(),
            carry: Carry::default(),
            step: LEAST,
            level: Level::new(),
        }
    }
}

impl Marks {
    /// Forgets all, and begins at `pos`, in a string or outside.
    pub(crate) fn begin(&mut self, pos: usize, in_string: bool) {
        (self.base, self.end) = (pos, pos);
        self.blocks.clear();
        self.carry = Carry {
            escaped: 0,
            string: if in_string { u64::MAX } else { 0 },
        };
        self.step = LEAST;
    }

    /// Says that nothing before `pos` is asked for any more.
    pub(crate) fn forget(&mut self, pos: usize) {
        let whole = (self.end - self.base) / BLOCK;
        let blocks = whole.min(pos.saturating_sub(self.base) / BLOCK);
        // To move what stays costs as much as to mark it.
        if blocks > self.blocks.len() / 2 {
            self.blocks.drain(..blocks);
            self.base += blocks * BLOCK;
        }
    }

    /// Says that the first `count` bytes of the text are gone. Returns whether what is behind them is
    /// still known.
    pub(crate) fn shift(&mut self, count: usize) -> bool {
        let blocks = count.saturating_sub(self.base).div_ceil(BLOCK);
        if blocks > (self.end - self.base) / BLOCK {
            self.begin(0, false);
            return false;
        }
        self.blocks.drain(..blocks);
        self.base = self.base + blocks * BLOCK - count;
        self.end -= count;
        true
    }

    /// The first quote of `text[pos..]` that opens or closes a string.
    #[inline]
    pub(crate) fn quote(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        self.next(text, pos, |block| block.quotes)
    }

    /// The first byte of `text[pos..]`, which is in a string, that is a quote which closes it, a
    /// control character, or behind a backslash what is not complete by itself.
    #[inline]
    pub(crate) fn special(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        self.next(text, pos, |block| block.quotes | block.odd)
    }

    /// The first bracket or brace of `text[pos..]` outside of strings.
    #[inline]
    pub(crate) fn bracket(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        self.next(text, pos, |block| block.brackets)
    }

    #[inline(always)]
    fn next(&mut self, text: &[u8], pos: usize, mask: impl Fn(&Block) -> u64) -> Option<usize> {
        debug_assert!(self.base <= pos);
        let from = pos.checked_sub(self.base)?;
        let mut first = from / BLOCK;
        loop {
            let mut keep = match first == from / BLOCK {
                true => u64::MAX << (from % BLOCK),
                false => u64::MAX,
            };
            let mut start = self.base + first * BLOCK;
            for block in self.blocks.get(first..).unwrap_or_default() {
                let bits = mask(block) & keep;
                if bits != 0 {
                    return Some(start + bits.trailing_zeros() as usize);
                }
                keep = u64::MAX;
                start += BLOCK;
            }
            if self.end >= text.len() {
                return None;
            }
            // A last block that was not whole is marked again.
            first = first.max((self.end - self.base) / BLOCK);
            self.fill(text);
        }
    }

    /// Marks on.
    #[cold]
    fn fill(&mut self, text: &[u8]) {
        let whole = (self.end - self.base) / BLOCK;
        self.blocks.truncate(whole);
        let start = self.base + whole * BLOCK;
        self.end = text.len().min(start + self.step * BLOCK);
        self.step = (self.step * 2).min(MOST);
        let piece = &text[start..self.end];
        let Marks { blocks, carry, .. } = self;
        dispatch!(self.level, simd => mark(simd, piece, blocks, carry));
    }
}

#[inline(always)]
fn mark<S: Simd>(simd: S, piece: &[u8], marks: &mut Vec<Block>, carry: &mut Carry) {
    let mut blocks = piece.chunks_exact(BLOCK);
    for block in &mut blocks {
        marks.push(mark_block(u8x64::from_slice(simd, block), carry));
    }
    let rest = blocks.remainder();
    if !rest.is_empty() {
        let mut pad = [b' '; BLOCK];
        pad[..rest.len()].copy_from_slice(rest);
        // It is marked again when more of it is there.
        let block = mark_block(u8x64::from_slice(simd, &pad), &mut carry.clone());
        let there = (1 << rest.len()) - 1;
        marks.push(Block {
            odd: block.odd & there,
            ..block
        });
    }
}

#[inline(always)]
fn mark_block<S: Simd>(v: u8x64<S>, carry: &mut Carry) -> Block {
    let eq = |byte: u8| v.simd_eq(byte);
    let backslash = eq(b'\\').to_bitmask();
    let escaped = escaped(backslash, &mut carry.escaped);
    let quotes = eq(b'"').to_bitmask() & !escaped;
    // From the quote that opens a string to the byte before the one that closes it.
    let string = prefix_xor(quotes) ^ carry.string;
    carry.string = 0_u64.wrapping_sub(string >> 63);
    let mut odd = v.simd_le(0x1F).to_bitmask();
    if escaped != 0 {
        let signs = eq(b'"') | eq(b'\\') | eq(b'/');
        let letters = eq(b'b') | eq(b'f') | eq(b'n') | eq(b'r') | eq(b't');
        odd |= escaped & !(signs | letters).to_bitmask();
    }
    let folded = v | 0x20_u8;
    let brackets = (folded.simd_eq(b'{') | folded.simd_eq(b'}')).to_bitmask();
    Block {
        quotes,
        odd: odd & string,
        brackets: brackets & !string,
    }
}

/// The bytes that a backslash before them escapes: in a row of backslashes every second one, and
/// the byte behind a row of odd length. A backslash outside of strings is no JSON, and what is made
/// of it does not count.
#[inline(always)]
fn escaped(backslash: u64, carry: &mut u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    if backslash == 0 {
        return std::mem::take(carry);
    }
    let backslash = backslash & !*carry;
    let follows = backslash << 1 | *carry;
    let odd_starts = backslash & !EVEN & !follows;
    let (even_rows, overflow) = odd_starts.overflowing_add(backslash);
    *carry = u64::from(overflow);
    (EVEN ^ (even_rows << 1)) & follows
}

/// Bit *i* of the answer says whether an odd number of bits up to *i* are set.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for step in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << step;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// For each byte: whether it is a quote that counts, odd, a bracket that counts.
    fn reference(text: &[u8], mut in_string: bool) -> Vec<[bool; 3]> {
        let mut escaped = false;
        text.iter()
            .map(|&byte| {
                let was = escaped;
                escaped = byte == b'\\' && !was;
                let quote = byte == b'"' && !was;
                let bracket = b"[]{}".contains(&byte) && !in_string;
                let odd = in_string && (byte < 0x20 || was && !b"\"\\/bfnrt".contains(&byte));
                in_string ^= quote;
                [quote, odd, bracket]
            })
            .collect()
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![
            9 => Just(b'x'), 3 => Just(b'\\'), 2 => Just(b'"'), 1 => any::<u8>(),
            1 => prop::sample::select(b"{}[]\n/bfnrtu".to_vec()),
        ];
        let dense = prop::collection::vec(byte, 0..600);
        (dense, 0_usize..5_000).prop_map(|(mut text, plain)| {
            let half = text.len() / 2;
            text.splice(half..half, std::iter::repeat_n(b'x', plain));
            text
        })
    }

    proptest! {
        #[test]
        fn marks_are_what_a_plain_look_finds(
            text in text(), base in 0_usize..70, in_string: bool, cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
            gone in any::<prop::sample::Index>(),
        ) {
            let base = base.min(text.len());
            let plain = reference(&text[base..], in_string);
            for level in [Level::new(), Level::baseline()] {
                let mut marks = Marks { level, ..Marks::default() };
                marks.begin(base, in_string);
                let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
                cuts.push(text.len());
                cuts.sort_unstable();
                // A text that grows.
                for cut in cuts {
                    let text = &text[..cut];
                    for pos in (base..cut).step_by(53) {
                        let find = |which: fn(&[bool; 3]) -> bool| {
                            plain[pos - base..cut - base].iter().position(which).map(|i| pos + i)
                        };
                        prop_assert_eq!(marks.quote(text, pos), find(|of| of[0]));
                        prop_assert_eq!(marks.special(text, pos), find(|of| of[0] || of[1]));
                        prop_assert_eq!(marks.bracket(text, pos), find(|of| of[2]));
                    }
                }
                // One that is forgotten in part.
                marks.forget(base + gone.index(text.len() - base + 1));
                prop_assert_eq!(marks.special(&text, text.len()), None);
                // One whose head goes.
                if base + BLOCK < text.len() {
                    let count = gone.index(text.len() - BLOCK - base) + base;
                    let text = &text[count..];
                    if !marks.shift(count) {
                        continue;
                    }
                    for pos in (BLOCK..text.len()).step_by(53) {
                        let found = plain[count + pos - base..].iter().position(|of| of[0]);
                        prop_assert_eq!(marks.quote(text, pos), found.map(|i| pos + i));
                    }
                }
            }
        }
    }
}
