//! Where strings end and white space ends: bit masks for a view that reads a text's structure.

use fearless_simd::{Level, Simd, dispatch, prelude::*, u8x64};

use super::classes::BLOCK;

/// How many blocks are marked at once.
const BLOCKS: usize = 64;

/// The marks of a piece of a text of at most 4 KiB.
#[derive(Debug)]
pub(crate) struct Marks {
    base: usize,
    /// Behind the last byte that is marked.
    end: usize,
    /// `"`, `\` and control characters: what a run of plain characters of a string ends at.
    special: [u64; BLOCKS],
    /// What is no white space (space, tab, CR, LF).
    ink: [u64; BLOCKS],
    level: Level,
}

impl Default for Marks {
    fn default() -> Self {
        Marks {
            base: 0,
            end: 0,
            special: [0; BLOCKS],
            ink: [0; BLOCKS],
            level: Level::new(),
        }
    }
}

impl Marks {
    /// Forgets all, as the text is another.
    pub(crate) fn reset(&mut self) {
        (self.base, self.end) = (0, 0);
    }

    /// The first byte of `text[pos..]` that ends a run of plain characters in a string.
    pub(crate) fn special(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        self.next(text, pos, |marks| &marks.special)
    }

    /// The first byte of `text[pos..]` that is no white space.
    pub(crate) fn ink(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        self.next(text, pos, |marks| &marks.ink)
    }

    #[inline]
    fn next(
        &mut self,
        text: &[u8],
        mut pos: usize,
        mask: impl Fn(&Marks) -> &[u64; BLOCKS],
    ) -> Option<usize> {
        while pos < text.len() {
            if pos < self.base || pos >= self.end {
                self.fill(text, pos);
            }
            let mut block = (pos - self.base) / BLOCK;
            let mut bits = mask(self)[block] & (u64::MAX << ((pos - self.base) % BLOCK));
            let blocks = (self.end - self.base).div_ceil(BLOCK);
            while bits == 0 && block + 1 < blocks {
                block += 1;
                bits = mask(self)[block];
            }
            if bits != 0 {
                return Some(self.base + block * BLOCK + bits.trailing_zeros() as usize);
            }
            pos = self.end;
        }
        None
    }

    fn fill(&mut self, text: &[u8], base: usize) {
        let piece = &text[base..text.len().min(base + BLOCKS * BLOCK)];
        (self.base, self.end) = (base, base + piece.len());
        let (special, ink) = (&mut self.special, &mut self.ink);
        dispatch!(self.level, simd => mark(simd, piece, special, ink));
    }
}

#[inline(always)]
fn mark<S: Simd>(simd: S, piece: &[u8], special: &mut [u64; BLOCKS], ink: &mut [u64; BLOCKS]) {
    let mut blocks = piece.chunks_exact(BLOCK);
    let mut i = 0;
    for block in &mut blocks {
        let v = u8x64::from_slice(simd, block);
        (special[i], ink[i]) = marks(v);
        i += 1;
    }
    let rest = blocks.remainder();
    if !rest.is_empty() {
        let mut pad = [b'x'; BLOCK];
        pad[..rest.len()].copy_from_slice(rest);
        let there = (1 << rest.len()) - 1;
        let (end, dark) = marks(u8x64::from_slice(simd, &pad));
        (special[i], ink[i]) = (end & there, dark & there);
    }
}

#[inline(always)]
fn marks<S: Simd>(v: u8x64<S>) -> (u64, u64) {
    let eq = |byte: u8| v.simd_eq(byte);
    let special = eq(b'"') | eq(b'\\') | v.simd_le(0x1F);
    let space = eq(b' ') | eq(b'\n') | eq(b'\r') | eq(b'\t');
    (special.to_bitmask(), !space.to_bitmask())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn marks_are_what_a_plain_look_finds(
            text in prop::collection::vec(prop_oneof![
                9 => Just(b'x'), 9 => Just(b' '), 1 => any::<u8>(), 1 => Just(b'"'), 1 => Just(b'\\'),
            ], 0..9_000),
            from in 0_usize..9_000,
        ) {
            let from = from.min(text.len());
            let find = |ends: fn(u8) -> bool| {
                text[from..].iter().position(|&b| ends(b)).map(|i| from + i)
            };
            let mut marks = Marks::default();
            let special = find(|b| b == b'"' || b == b'\\' || b < 0x20);
            prop_assert_eq!(marks.special(&text, from), special);
            prop_assert_eq!(marks.ink(&text, from), find(|b| !b" \t\r\n".contains(&b)));
            marks.reset();
            prop_assert_eq!(marks.special(&text, from), special);
        }
    }
}
