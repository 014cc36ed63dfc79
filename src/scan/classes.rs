//! Byte classes of blocks of 64 bytes as bit masks: bit *i* of a mask speaks of byte *i* of its block.
//!
//! The masks come from vector comparisons with run-time dispatch (SSE2 to AVX-512, NEON, or
//! the crate's scalar fallback) in safe Rust; a plain reference says in one line a byte what each
//! mask means, and a property test holds the two together.

use fearless_simd::{Level, Simd, dispatch, mask8x64, prelude::*, u8x16, u8x64};

/// The length of a block in bytes.
pub(crate) const BLOCK: usize = 64;
/// How many blocks a page has: it is looked at in one go.
pub(super) const BLOCKS: usize = 32;
/// Where the masks of a page begin.
pub(super) const FIRST: usize = 8;

/// A mask for each block of a page, from [`FIRST`] on; before them one of which only the last bit
/// counts, that of the byte before the page; behind them one for the block that follows. The rest
/// fills up vectors.
pub(super) type Masks = [u64; FIRST + BLOCKS + 8];

/// The classes that are made for each block, whatever it holds. Each is an array of its own, so that
/// what is done to masks is done to many of them at once.
pub(super) struct Classes {
    /// `0-9`
    pub(super) digit: Masks,
    /// `A-Z a-z`
    pub(super) letter: Masks,
    /// `G-Z g-z _`: in names, and in no hexadecimal number
    pub(super) name: Masks,
    /// `.`
    pub(super) dot: Masks,
    /// `:`
    pub(super) colon: Masks,
    /// `80` to `FF`
    pub(super) high: Masks,
    /// Signs that few blocks hold, and some more: see [`Signs`].
    pub(super) rare: Masks,
}

impl Default for Classes {
    fn default() -> Self {
        const NONE: Masks = [0; FIRST + BLOCKS + 8];
        Classes {
            digit: NONE,
            letter: NONE,
            name: NONE,
            dot: NONE,
            colon: NONE,
            high: NONE,
            rare: NONE,
        }
    }
}

impl Classes {
    /// Says which byte stands before the page.
    pub(super) fn begin(&mut self, before: Option<u8>) {
        let is = |class: fn(u8) -> bool| u64::from(before.is_some_and(class)) << (BLOCK - 1);
        self.digit[FIRST - 1] = is(|b| b.is_ascii_digit());
        self.letter[FIRST - 1] = is(|b| b.is_ascii_alphabetic());
        self.name[FIRST - 1] = is(is_name);
    }

    /// Classifies a block of a page, by its number, and with it the bytes one place further on.
    #[inline(always)]
    pub(super) fn put<S: Simd>(
        &mut self,
        simd: S,
        number: usize,
        block: &[u8; BLOCK],
        behind: &[u8; BLOCK],
    ) {
        let i = FIRST + number;
        let v = u8x64::from_slice(simd, block);
        let letter = letters(v);
        let high = v.simd_ge(0x80_u8);
        let from_g = (v | 0x20_u8) - b'g';
        self.digit[i] = digits(v).to_bitmask();
        self.letter[i] = letter.to_bitmask();
        self.name[i] = (from_g.simd_lt(20_u8) | v.simd_eq(b'_')).to_bitmask();
        self.dot[i] = v.simd_eq(b'.').to_bitmask();
        self.colon[i] = v.simd_eq(b':').to_bitmask();
        self.high[i] = high.to_bitmask();
        let mut rare = rare(simd, v, u8x64::from_slice(simd, behind));
        // Most blocks are ASCII.
        if self.high[i] != 0 {
            rare |= leads(v);
        }
        self.rare[i] = rare.to_bitmask();
    }
}

#[inline(always)]
fn digits<S: Simd>(v: u8x64<S>) -> mask8x64<S> {
    (v - b'0').simd_lt(10_u8)
}

#[inline(always)]
fn letters<S: Simd>(v: u8x64<S>) -> mask8x64<S> {
    ((v | 0x20_u8) - b'a').simd_lt(26_u8)
}

#[inline(always)]
fn leads<S: Simd>(v: u8x64<S>) -> mask8x64<S> {
    let eq = |byte: u8| v.simd_eq(byte);
    eq(0xEF) | eq(0xD9) | eq(0xDB) | eq(0xE0) | eq(0xE1)
}

/// A set of bytes for each bit: those of which the low half-byte has it in `low`, and the high one in
/// `high`.
struct Sets {
    low: [u8; 16],
    high: [u8; 16],
}

impl Sets {
    /// For each byte, the sets that it is in.
    #[inline(always)]
    fn of<S: Simd>(&self, simd: S, v: u8x64<S>) -> u8x64<S> {
        let table = |half: &[u8; 16]| u8x64::block_splat(u8x16::from_slice(simd, half));
        let low = table(&self.low).swizzle_dyn_within_blocks(v & 0x0F_u8);
        low & table(&self.high).swizzle_dyn_within_blocks(v >> 4_u32)
    }
}

/// The rare signs, a bit each.
const SIGNS: [u8; 8] = *b"@\\\x1B+[=%&";

/// The bytes of which a bit is one of [`SIGNS`].
const RARE: Sets = {
    let mut sets = Sets {
        low: [0; 16],
        high: [0; 16],
    };
    let mut i = 0;
    while i < SIGNS.len() {
        sets.low[(SIGNS[i] & 0x0F) as usize] |= 1 << i;
        sets.high[(SIGNS[i] >> 4) as usize] |= 1 << i;
        i += 1;
    }
    sets
};

/// What may follow each of [`SIGNS`], and some that may not, where the set is no product of halves:
/// anything behind the first three, what opens a number behind `+`, `[` behind `[`, a hexadecimal digit behind
/// `=` and `%`, `#` or a letter behind `&`.
const NEXT: Sets = {
    const ANY: u8 = 0b111;
    const PLUS: u8 = 1 << 3;
    const BRACKET: u8 = 1 << 4;
    const OCTET: u8 = 0b11 << 5;
    const ENTITY: u8 = 1 << 7;
    let mut sets = Sets {
        low: [ANY | PLUS | ENTITY; 16],
        high: [ANY; 16],
    };
    let mut half = 0;
    while half < 16 {
        if half < 10 {
            sets.low[half] |= OCTET;
        }
        if matches!(half, 3 | 4 | 6) {
            sets.high[half] |= OCTET;
        }
        if !matches!(half, 4 | 6 | 7) {
            sets.high[half] |= PLUS;
        }
        if matches!(half, 2 | 4..=7) {
            sets.high[half] |= ENTITY;
        }
        half += 1;
    }
    sets.low[0xB] |= BRACKET;
    sets.high[0x5] |= BRACKET;
    sets
};

/// Signs with what must follow them, as far as the next byte tells; a few too many.
#[inline(always)]
fn rare<S: Simd>(simd: S, v: u8x64<S>, next: u8x64<S>) -> mask8x64<S> {
    !(RARE.of(simd, v) & NEXT.of(simd, next)).simd_eq(0_u8)
}

/// The signs of a block that [`Classes::rare`] joins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs {
    /// `@`
    pub(super) at: u64,
    /// `+` that no letter follows
    pub(super) plus: u64,
    /// `[` before another
    pub(super) bracket: u64,
    /// `=` before a hexadecimal digit
    pub(super) equals: u64,
    /// What begins an encoded character: `%` before a hexadecimal digit, `&` before `#` or a letter,
    /// `\`, ESC, and the first byte of a non-ASCII digit or full-width form that the fold knows:
    /// `D9` `DB` `E0` `E1` `EF`
    pub(super) coded: u64,
}

impl Signs {
    /// The signs of a block, of which `rare` is [`Classes::rare`].
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, block: &[u8; BLOCK], rare: u64) -> Signs {
        let v = u8x64::from_slice(simd, block);
        let mut signs = Signs {
            at: v.simd_eq(b'@').to_bitmask(),
            plus: v.simd_eq(b'+').to_bitmask() & rare,
            bracket: v.simd_eq(b'[').to_bitmask() & rare,
            equals: v.simd_eq(b'=').to_bitmask() & rare,
            coded: 0,
        };
        signs.coded = rare & !(signs.at | signs.plus | signs.bracket | signs.equals);
        signs
    }
}

/// What, beside digits, numbers are written in, in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// What may stand between groups of digits: space `-` `.` `/` `(` `)` `~` `_`
    pub(super) gap: u64,
    /// What may stand between other groups, too: tab
    pub(super) tab: u64,
    /// `%`
    pub(super) percent: u64,
    /// `&` `\` ESC
    pub(super) escape: u64,
}

impl Parts {
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, block: &[u8; BLOCK]) -> Parts {
        let v = u8x64::from_slice(simd, block);
        let eq = |byte: u8| v.simd_eq(byte);
        let gap = eq(b' ') | eq(b'.') | eq(b'-') | eq(b'/') | eq(b'(') | eq(b')') | eq(b'~');
        Parts {
            gap: (gap | eq(b'_')).to_bitmask(),
            tab: eq(b'\t').to_bitmask(),
            percent: eq(b'%').to_bitmask(),
            escape: (eq(b'&') | eq(b'\\') | eq(0x1B)).to_bitmask(),
        }
    }
}

/// Of at most 64 bytes those that folding may change: `%` `&` `\` ESC, `80` to `FF`.
pub(crate) fn odd(level: Level, bytes: &[u8]) -> u64 {
    dispatch!(level, simd => odd_in(simd, bytes))
}

#[inline(always)]
fn odd_in<S: Simd>(simd: S, bytes: &[u8]) -> u64 {
    let mut pad = [0; BLOCK];
    let v = match bytes.first_chunk::<BLOCK>() {
        Some(block) => u8x64::from_slice(simd, block),
        None => {
            pad[..bytes.len()].copy_from_slice(bytes);
            u8x64::from_slice(simd, &pad)
        }
    };
    let eq = |byte: u8| v.simd_eq(byte);
    (eq(b'%') | eq(b'&') | eq(b'\\') | eq(0x1B) | v.simd_ge(0x80_u8)).to_bitmask()
}

fn is_name(byte: u8) -> bool {
    byte == b'_' || (byte.is_ascii_alphabetic() && !byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mask(class: impl Fn(usize) -> bool) -> u64 {
        (0..BLOCK).fold(0, |mask, i| mask | (u64::from(class(i)) << i))
    }

    fn check(bytes: &[u8; BLOCK + 1]) {
        let block: &[u8; BLOCK] = bytes.first_chunk().expect("it is longer");
        let behind: &[u8; BLOCK] = bytes.last_chunk().expect("it is longer");
        let of = |class: fn(u8) -> bool| mask(|i| class(block[i]));
        let next = |i: usize| behind[i];
        let opens = |b: u8| b.is_ascii_digit() || b >= 0x80 || b" (\\%&".contains(&b);
        let plus = mask(|i| block[i] == b'+' && opens(next(i)));
        let bracket = mask(|i| block[i] == b'[' && next(i) == b'[');
        let equals = mask(|i| block[i] == b'=' && next(i).is_ascii_hexdigit());
        let coded = mask(|i| match block[i] {
            b'%' => next(i).is_ascii_hexdigit(),
            b'&' => next(i) == b'#' || next(i).is_ascii_alphabetic(),
            byte => b"\\\x1B\xD9\xDB\xE0\xE1\xEF".contains(&byte),
        });
        let signs = Signs {
            at: of(|b| b == b'@'),
            plus,
            bracket,
            equals,
            coded,
        };
        let rare = signs.at | plus | bracket | equals | coded;
        let most = of(|b| b"@\\\x1B+[=%&\xD9\xDB\xE0\xE1\xEF".contains(&b));
        let parts = Parts {
            gap: of(|b| b" -./()~_".contains(&b)),
            tab: of(|b| b == b'\t'),
            percent: of(|b| b == b'%'),
            escape: of(|b| b"&\\\x1B".contains(&b)),
        };
        for level in [Level::new(), Level::baseline()] {
            let mut classes = Classes::default();
            dispatch!(level, simd => {
                classes.put(simd, 2, block, behind);
                assert_eq!(Signs::of(simd, block, rare), signs);
                assert_eq!(Parts::of(simd, block), parts);
            });
            let odd_bytes = of(|b| b >= 0x80 || b"%&\\\x1B".contains(&b));
            assert_eq!(odd(level, block), odd_bytes);
            assert_eq!(odd(level, &block[..9]), odd_bytes & 0x1FF);
            let at = FIRST + 2;
            assert_eq!(classes.digit[at], of(|b| b.is_ascii_digit()));
            assert_eq!(classes.letter[at], of(|b| b.is_ascii_alphabetic()));
            assert_eq!(classes.name[at], of(is_name));
            assert_eq!(classes.dot[at], of(|b| b == b'.'));
            assert_eq!(classes.colon[at], of(|b| b == b':'));
            assert_eq!(classes.high[at], of(|b| b >= 0x80));
            let found = classes.rare[at];
            assert_eq!((rare & !found, found & !most), (0, 0));
        }
    }

    #[test]
    fn every_pair_of_bytes_is_in_the_same_classes_both_ways() {
        for first in 0..=255 {
            for start in (0..=255_u8).step_by(BLOCK / 2) {
                let mut bytes = [first; BLOCK + 1];
                for (byte, i) in bytes.iter_mut().skip(1).step_by(2).zip(start..=255) {
                    *byte = i;
                }
                check(&bytes);
            }
        }
    }

    #[test]
    fn the_byte_before_a_page_is_the_last_of_a_block() {
        for byte in 0..=255 {
            let mut classes = Classes::default();
            classes.begin(Some(byte));
            let last = |masks: &Masks| masks[FIRST - 1] >> (BLOCK - 1) == 1;
            assert_eq!(last(&classes.digit), byte.is_ascii_digit());
            assert_eq!(last(&classes.letter), byte.is_ascii_alphabetic());
            assert_eq!(last(&classes.name), is_name(byte));
        }
    }

    proptest! {
        #[test]
        fn random_blocks_are_classified_alike(
            bytes in prop::collection::vec(any::<u8>(), BLOCK + 1),
        ) {
            check(&bytes.try_into().expect("it has that length"));
        }
    }
}
