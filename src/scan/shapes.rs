//! Shapes from classes, by shifts and carries: which positions of a text a detector must look at.
//!
//! One pass over the bytes; a block with no shape costs no more than its classification. A mask
//! may name a place too many (the rest is told by [`super::judge`]), but never one too few.

use fearless_simd::{Level, Simd, dispatch};

use super::classes::{BLOCK, Classes};

/// The shapes that begin in one block: bit *i* of each mask speaks of byte `base + i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hits {
    /// The block's first byte, as an index into the text.
    pub(crate) base: usize,
    /// `@`
    pub(crate) at: u64,
    /// `+` before a digit or a bracket, one space between at the most.
    pub(crate) plus: u64,
    /// The first digit of a group, with enough digits and separators behind it.
    pub(crate) digits: u64,
    /// The first of two letters and two digits that begin a word.
    pub(crate) letters: u64,
    /// The first dot of three that part groups of digits.
    pub(crate) quad: u64,
    /// The first colon of `::`, or of three colons near each other.
    pub(crate) colons: u64,
    /// `[[` before a letter.
    pub(crate) placeholder: u64,
    /// What may be an ASCII character in an encoded form, an escape, or a non-ASCII digit; `=`
    /// before two hexadecimal digits.
    pub(crate) encoded: u64,
}

impl Hits {
    /// All places of the block.
    pub(crate) fn any(&self) -> u64 {
        self.at
            | self.plus
            | self.digits
            | self.letters
            | self.quad
            | self.colons
            | self.placeholder
            | self.encoded
    }
}

/// Which shapes are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// The least length of a run of digits and separators in bytes, 5 to 13; 0: none is wanted.
    pub(crate) digit_run: u32,
    /// Whether any of the other shapes is wanted.
    pub(crate) letters: bool,
    pub(crate) plus: bool,
    pub(crate) at: bool,
    pub(crate) ip: bool,
}

/// Appends the hits of `text[from..to]`, in order, looking ahead of `to` where there is more text.
pub(crate) fn find(
    level: Level,
    text: &[u8],
    from: usize,
    to: usize,
    wanted: Wanted,
    hits: &mut Vec<Hits>,
) {
    if from < to {
        dispatch!(level, simd => find_in(simd, text, from, to, wanted, hits));
    }
}

/// The 64 bytes from `start` on, filled up with NUL bytes, which are in no class.
#[inline(always)]
fn block_at<'t>(text: &'t [u8], start: usize, pad: &'t mut [u8; BLOCK]) -> &'t [u8; BLOCK] {
    let rest = text.get(start..).unwrap_or_default();
    if let Some(block) = rest.first_chunk() {
        return block;
    }
    *pad = [0; BLOCK];
    pad[..rest.len()].copy_from_slice(rest);
    pad
}

#[inline(always)]
fn find_in<S: Simd>(
    simd: S,
    text: &[u8],
    from: usize,
    to: usize,
    wanted: Wanted,
    hits: &mut Vec<Hits>,
) {
    let mut pad = [0; BLOCK];
    let before = from.checked_sub(1).map(|i| text[i]);
    let mut carry = Carry {
        digit: before.is_some_and(|b| b.is_ascii_digit()),
        word: before.is_some_and(|b| b.is_ascii_alphanumeric()),
        name: before.is_some_and(|b| b.is_ascii_alphabetic() && !b.is_ascii_hexdigit())
            || before == Some(b'_'),
    };
    let mut here = Classes::of(simd, block_at(text, from, &mut pad));
    let mut base = from;
    while base < to {
        let next = Classes::of(simd, block_at(text, base + BLOCK, &mut pad));
        let mut found = shapes(&here, &next, &carry, wanted);
        carry = Carry::after(&here);
        if found.any() != 0 {
            found.base = base;
            if base + BLOCK > to {
                found = found.below(to - base);
            }
            if found.any() != 0 {
                hits.push(found);
            }
        }
        here = next;
        base += BLOCK;
    }
}

/// What the byte before a block was.
#[derive(Clone, Copy)]
struct Carry {
    digit: bool,
    /// ASCII letter or digit
    word: bool,
    /// a letter beyond `f`, or `_`: what may touch `::` in code, never in an address
    name: bool,
}

impl Carry {
    #[inline(always)]
    fn after(block: &Classes) -> Carry {
        Carry {
            digit: block.digit >> 63 != 0,
            word: (block.digit | block.letter) >> 63 != 0,
            name: name_bytes(block) >> 63 != 0,
        }
    }
}

#[inline(always)]
fn name_bytes(block: &Classes) -> u64 {
    (block.letter & !block.hex_letter) | block.underscore
}

/// Two blocks as one mask, so that a shift to the right looks ahead.
#[inline(always)]
fn ahead(here: u64, next: u64) -> u128 {
    u128::from(here) | (u128::from(next) << 64)
}

/// The low half: places in the first block.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)]
fn low(mask: u128) -> u64 {
    mask as u64
}

#[inline(always)]
fn shapes(here: &Classes, next: &Classes, carry: &Carry, wanted: Wanted) -> Hits {
    let mut hits = Hits::default();
    let digit = ahead(here.digit, next.digit);
    if wanted.at {
        hits.at = here.at;
    }
    if wanted.plus && here.plus != 0 {
        let opens = digit | ahead(here.paren, next.paren);
        let space = ahead(here.space, next.space);
        hits.plus = here.plus & low((opens >> 1) | ((space >> 1) & (opens >> 2)));
    }
    let group = here.digit & !((here.digit << 1) | u64::from(carry.digit));
    if wanted.digit_run != 0 && group != 0 {
        let member = digit | ahead(here.separator | here.high, next.separator | next.high);
        hits.digits = group & low(run(member, wanted.digit_run));
    }
    if wanted.letters {
        let letter = ahead(here.letter, next.letter);
        let start = here.letter & !(((here.letter | here.digit) << 1) | u64::from(carry.word));
        let head = start & low((letter >> 1) & (digit >> 2) & (digit >> 3));
        if head != 0 {
            // Fifteen characters (the shortest IBAN, Norway's) or more, with what parts them.
            let member =
                letter | digit | ahead(here.separator | here.high, next.separator | next.high);
            hits.letters = head & low(run(member, 15));
        }
    }
    if wanted.ip {
        ip_shapes(here, next, carry, digit, &mut hits);
    }
    let bracket = ahead(here.bracket, next.bracket);
    if here.bracket != 0 {
        hits.placeholder =
            here.bracket & low((bracket >> 1) & (ahead(here.letter, next.letter) >> 2));
    }
    hits.encoded = here.escape | here.lead;
    if here.equals != 0 {
        let hex = digit | ahead(here.hex_letter, next.hex_letter);
        hits.encoded |= here.equals & low((hex >> 1) & (hex >> 2));
    }
    hits
}

#[inline(always)]
fn ip_shapes(here: &Classes, next: &Classes, carry: &Carry, digit: u128, hits: &mut Hits) {
    if here.dot != 0 {
        let before = (digit << 1) | u128::from(carry.digit);
        let inner = ahead(here.dot, next.dot) & before & (digit >> 1);
        let near = |mask: u128| (mask >> 2) | (mask >> 3) | (mask >> 4);
        let two = inner & near(inner);
        hits.quad = low(two & near(two)) & here.dot;
    }
    if here.colon != 0 {
        let colon = ahead(here.colon, next.colon);
        let name = ahead(name_bytes(here), name_bytes(next));
        let touched = (name << 1) | u128::from(carry.name) | (name >> 2);
        let double = colon & (colon >> 1) & !touched;
        let near = |mask: u128| (mask >> 1) | (mask >> 2) | (mask >> 3) | (mask >> 4) | (mask >> 5);
        // Without `::` an address has seven colons, or six before a dotted part.
        let two = colon & near(colon);
        let three = two & near(two);
        let four = three & near(three);
        hits.colons = low(double | (four & near(four))) & here.colon;
    }
}

/// The places from which `length` members stand in a row.
#[inline(always)]
fn run(member: u128, length: u32) -> u128 {
    let mut runs = member;
    let mut have = 1;
    while have < length {
        let step = have.min(length - have);
        runs &= runs >> step;
        have += step;
    }
    runs
}

impl Hits {
    /// The hits at the first `count` bytes of the block.
    fn below(mut self, count: usize) -> Hits {
        let keep = (1_u64 << count) - 1;
        for mask in [
            &mut self.at,
            &mut self.plus,
            &mut self.digits,
            &mut self.letters,
            &mut self.quad,
            &mut self.colons,
            &mut self.placeholder,
            &mut self.encoded,
        ] {
            *mask &= keep;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WANTED: Wanted = Wanted {
        digit_run: 10,
        letters: true,
        plus: true,
        at: true,
        ip: true,
    };

    /// Which shapes a position has, by a plain look at the bytes around it.
    fn reference(text: &[u8], i: usize, digit_run: usize) -> [bool; 8] {
        let get = |at: usize| text.get(at).copied().unwrap_or(0);
        let back = |n: usize| i.checked_sub(n).map_or(0, &get);
        let opens = |at: usize| get(at).is_ascii_digit() || get(at) == b'(';
        let parts = |b: u8| b" -./()~%".contains(&b) || b >= 0x80;
        let name = |b: u8| (b.is_ascii_alphabetic() && !b.is_ascii_hexdigit()) || b == b'_';
        let row = |class: &dyn Fn(u8) -> bool, n: usize| (i..i + n).all(|at| class(get(at)));
        let inner_dot = |at: usize| {
            get(at) == b'.'
                && at > 0
                && get(at - 1).is_ascii_digit()
                && get(at + 1).is_ascii_digit()
        };
        let colon = |at: usize| get(at) == b':';
        fn chain(
            ok: &dyn Fn(usize) -> bool,
            at: usize,
            more: usize,
            gaps: std::ops::RangeInclusive<usize>,
        ) -> bool {
            ok(at)
                && (more == 0
                    || gaps
                        .clone()
                        .any(|g| chain(ok, at + g, more - 1, gaps.clone())))
        }
        [
            get(i) == b'@',
            get(i) == b'+' && (opens(i + 1) || (get(i + 1) == b' ' && opens(i + 2))),
            get(i).is_ascii_digit()
                && !back(1).is_ascii_digit()
                && row(&|b| b.is_ascii_digit() || parts(b), digit_run),
            get(i).is_ascii_alphabetic()
                && !back(1).is_ascii_alphanumeric()
                && get(i + 1).is_ascii_alphabetic()
                && get(i + 2).is_ascii_digit()
                && get(i + 3).is_ascii_digit()
                && row(&|b| b.is_ascii_alphanumeric() || parts(b), 15),
            chain(&inner_dot, i, 2, 2..=4),
            (colon(i) && colon(i + 1) && !name(back(1)) && !name(get(i + 2)))
                || chain(&colon, i, 4, 1..=5),
            get(i) == b'[' && get(i + 1) == b'[' && get(i + 2).is_ascii_alphabetic(),
            b"%&\\\x1B\xD9\xDB\xE0\xE1\xEF".contains(&get(i))
                || (get(i) == b'='
                    && get(i + 1).is_ascii_hexdigit()
                    && get(i + 2).is_ascii_hexdigit()),
        ]
    }

    fn at(hits: &[Hits], i: usize) -> [bool; 8] {
        let mut found = [false; 8];
        for block in hits.iter().filter(|h| h.base <= i && i < h.base + BLOCK) {
            let has = |mask: u64| mask >> (i - block.base) & 1 != 0;
            found = [
                has(block.at),
                has(block.plus),
                has(block.digits),
                has(block.letters),
                has(block.quad),
                has(block.colons),
                has(block.placeholder),
                has(block.encoded),
            ];
        }
        found
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(
            prop_oneof![
                6 => prop::sample::select(b"0123456789".to_vec()),
                4 => prop::sample::select(b" -./():+@[%=".to_vec()),
                2 => prop::sample::select(b"abfgxzAEZ_".to_vec()),
                1 => any::<u8>(),
            ],
            0..300,
        )
    }

    proptest! {
        #[test]
        fn masks_say_what_a_plain_look_says(text in text(), cut in 0_usize..300, run in 5_u32..13) {
            let wanted = Wanted { digit_run: run, ..WANTED };
            let cut = cut.min(text.len());
            for level in [Level::new(), Level::baseline()] {
                let mut hits = Vec::new();
                find(level, &text, 0, cut, wanted, &mut hits);
                find(level, &text, cut, text.len(), wanted, &mut hits);
                for i in 0..text.len() {
                    prop_assert_eq!(at(&hits, i), reference(&text, i, run as usize), "byte {}", i);
                }
            }
        }
    }
}
