//! Byte classes of a block of 64 bytes as bit masks: bit *i* speaks of byte *i*. Most blocks hold
//! nothing, which a few of the masks tell; the others are made for the rest.
//!
//! The masks come from vector comparisons with run-time dispatch (SSE2 to AVX-512, NEON, or
//! the crate's scalar fallback) in safe Rust; a plain reference says in one line a byte what each
//! mask means, and a property test holds the two together.

use fearless_simd::{Level, Simd, dispatch, prelude::*, u8x64};

/// The length of a block in bytes.
pub(crate) const BLOCK: usize = 64;

/// One bit a byte for each class that tells whether a block may hold anything at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signs {
    /// `0-9`
    pub(crate) digit: u64,
    /// `@`
    pub(crate) at: u64,
    /// `+`
    pub(crate) plus: u64,
    /// `:`
    pub(crate) colon: u64,
    /// `[`
    pub(crate) bracket: u64,
    /// What begins an encoded ASCII character, or an escape, in text: `%` `&` `\` ESC
    pub(crate) escape: u64,
    /// The first byte of a non-ASCII digit or full-width form that the fold knows:
    /// `D9` `DB` `E0` `E1` `EF`
    pub(crate) lead: u64,
    /// `=`
    pub(crate) equals: u64,
    /// `80` to `FF`
    pub(crate) high: u64,
}

impl Signs {
    /// The signs of a block.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(simd: S, block: &[u8; BLOCK]) -> Signs {
        let v = u8x64::from_slice(simd, block);
        let eq = |byte: u8| v.simd_eq(byte);
        let high = v.simd_ge(0x80_u8).to_bitmask();
        // Most blocks are ASCII.
        let lead = if high == 0 {
            0
        } else {
            (eq(0xEF) | eq(0xD9) | eq(0xDB) | eq(0xE0) | eq(0xE1)).to_bitmask()
        };
        Signs {
            digit: (v.simd_ge(b'0') & v.simd_le(b'9')).to_bitmask(),
            at: eq(b'@').to_bitmask(),
            plus: eq(b'+').to_bitmask(),
            colon: eq(b':').to_bitmask(),
            bracket: eq(b'[').to_bitmask(),
            escape: (eq(b'%') | eq(b'&') | eq(b'\\') | eq(0x1B)).to_bitmask(),
            lead,
            equals: eq(b'=').to_bitmask(),
            high,
        }
    }
}

/// One bit a byte for each class that, beside digits, numbers are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// `A-Z a-z`
    pub(crate) letter: u64,
    /// `.`
    pub(crate) dot: u64,
    /// What may stand between groups of digits: space `-` `.` `/` `(` `)` `~` `%`
    pub(crate) separator: u64,
}

impl Parts {
    /// The parts of a block.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(simd: S, block: &[u8; BLOCK]) -> Parts {
        let v = u8x64::from_slice(simd, block);
        let eq = |byte: u8| v.simd_eq(byte);
        let folded = v | 0x20_u8;
        let dot = eq(b'.');
        let separator = eq(b' ') | dot | eq(b'-') | eq(b'/') | eq(b'(') | eq(b')');
        Parts {
            letter: (folded.simd_ge(b'a') & folded.simd_le(b'z')).to_bitmask(),
            dot: dot.to_bitmask(),
            separator: (separator | eq(b'~') | eq(b'%')).to_bitmask(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reference(block: &[u8; BLOCK]) -> (Signs, Parts) {
        let mask = |class: fn(u8) -> bool| {
            (0..BLOCK).fold(0_u64, |mask, i| mask | (u64::from(class(block[i])) << i))
        };
        let signs = Signs {
            digit: mask(|b| b.is_ascii_digit()),
            at: mask(|b| b == b'@'),
            plus: mask(|b| b == b'+'),
            colon: mask(|b| b == b':'),
            bracket: mask(|b| b == b'['),
            escape: mask(|b| b"%&\\\x1B".contains(&b)),
            lead: mask(|b| b"\xD9\xDB\xE0\xE1\xEF".contains(&b)),
            equals: mask(|b| b == b'='),
            high: mask(|b| b >= 0x80),
        };
        let parts = Parts {
            letter: mask(|b| b.is_ascii_alphabetic()),
            dot: mask(|b| b == b'.'),
            separator: mask(|b| b" -./()~%".contains(&b)),
        };
        (signs, parts)
    }

    fn check(block: &[u8; BLOCK]) {
        for level in [Level::new(), Level::baseline()] {
            let found = dispatch!(level, simd => (Signs::of(simd, block), Parts::of(simd, block)));
            assert_eq!(found, reference(block));
            let (signs, _) = found;
            assert_eq!(odd(level, block), signs.escape | signs.high);
            assert_eq!(odd(level, &block[..9]), (signs.escape | signs.high) & 0x1FF);
        }
    }

    #[test]
    fn every_byte_is_in_the_same_classes_both_ways() {
        for start in (0..256).step_by(BLOCK) {
            let mut block = [0; BLOCK];
            for (i, byte) in block.iter_mut().enumerate() {
                *byte = u8::try_from(start + i).expect("below 256");
            }
            check(&block);
        }
    }

    proptest! {
        #[test]
        fn random_blocks_are_classified_alike(block in prop::array::uniform32(any::<[u8; 2]>())) {
            let mut bytes = [0; BLOCK];
            bytes.copy_from_slice(block.as_flattened());
            check(&bytes);
        }
    }
}
