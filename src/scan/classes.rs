//! Byte classes of a block of 64 bytes as bit masks: bit *i* speaks of byte *i*.
//!
//! The masks come from vector comparisons with run-time dispatch (SSE2 to AVX-512, NEON, or
//! the crate's scalar fallback) in safe Rust; a plain reference says in one line a byte what each
//! mask means, and a property test holds the two together.

use fearless_simd::{Simd, prelude::*, u8x64};

/// The length of a block in bytes.
pub(crate) const BLOCK: usize = 64;

/// One bit a byte for each class that the shapes are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Classes {
    /// `0-9`
    pub(crate) digit: u64,
    /// `A-Z a-z`
    pub(crate) letter: u64,
    /// `A-F a-f`
    pub(crate) hex_letter: u64,
    /// `@`
    pub(crate) at: u64,
    /// `+`
    pub(crate) plus: u64,
    /// `.`
    pub(crate) dot: u64,
    /// `:`
    pub(crate) colon: u64,
    /// `_`
    pub(crate) underscore: u64,
    /// What may stand between groups of digits: space `-` `.` `/` `(` `)` `~` `%`
    pub(crate) separator: u64,
    /// `(`
    pub(crate) paren: u64,
    /// space
    pub(crate) space: u64,
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

impl Classes {
    /// The classes of a block.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(simd: S, block: &[u8; BLOCK]) -> Classes {
        let v = u8x64::from_slice(simd, block);
        let eq = |byte: u8| v.simd_eq(byte);
        let folded = v | 0x20_u8;
        let letter = folded.simd_ge(b'a') & folded.simd_le(b'z');
        let space = eq(b' ');
        let dot = eq(b'.');
        let paren = eq(b'(');
        let percent = eq(b'%');
        // The separators `(` to `/` but for `*` `+` `,`, and three more.
        let separator = space | dot | paren | percent | eq(b')') | eq(b'-') | eq(b'/') | eq(b'~');
        Classes {
            digit: (v.simd_ge(b'0') & v.simd_le(b'9')).to_bitmask(),
            letter: letter.to_bitmask(),
            hex_letter: (letter & folded.simd_le(b'f')).to_bitmask(),
            at: eq(b'@').to_bitmask(),
            plus: eq(b'+').to_bitmask(),
            dot: dot.to_bitmask(),
            colon: eq(b':').to_bitmask(),
            underscore: eq(b'_').to_bitmask(),
            separator: separator.to_bitmask(),
            paren: paren.to_bitmask(),
            space: space.to_bitmask(),
            bracket: eq(b'[').to_bitmask(),
            escape: (percent | eq(b'&') | eq(b'\\') | eq(0x1B)).to_bitmask(),
            lead: (eq(0xEF) | eq(0xD9) | eq(0xDB) | eq(0xE0) | eq(0xE1)).to_bitmask(),
            equals: eq(b'=').to_bitmask(),
            high: v.simd_ge(0x80_u8).to_bitmask(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    fn reference(block: &[u8; BLOCK]) -> Classes {
        let mask = |class: fn(u8) -> bool| {
            (0..BLOCK).fold(0_u64, |mask, i| mask | (u64::from(class(block[i])) << i))
        };
        Classes {
            digit: mask(|b| b.is_ascii_digit()),
            letter: mask(|b| b.is_ascii_alphabetic()),
            hex_letter: mask(|b| b.is_ascii_hexdigit() && !b.is_ascii_digit()),
            at: mask(|b| b == b'@'),
            plus: mask(|b| b == b'+'),
            dot: mask(|b| b == b'.'),
            colon: mask(|b| b == b':'),
            underscore: mask(|b| b == b'_'),
            separator: mask(|b| b" -./()~%".contains(&b)),
            paren: mask(|b| b == b'('),
            space: mask(|b| b == b' '),
            bracket: mask(|b| b == b'['),
            escape: mask(|b| b"%&\\\x1B".contains(&b)),
            lead: mask(|b| b"\xD9\xDB\xE0\xE1\xEF".contains(&b)),
            equals: mask(|b| b == b'='),
            high: mask(|b| b >= 0x80),
        }
    }

    fn check(block: &[u8; BLOCK]) {
        let expected = reference(block);
        for level in [Level::new(), Level::baseline()] {
            let found = dispatch!(level, simd => Classes::of(simd, block));
            assert_eq!(found, expected);
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
