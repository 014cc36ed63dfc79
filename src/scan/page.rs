//! What the masks of a page tell, for many of its blocks at once. What few blocks have is told by a
//! mask too many, and made exact by [`super::shapes`] for those blocks alone.

use fearless_simd::{Simd, prelude::*, u64x8};

use super::classes::{BLOCKS, Classes, FIRST, Masks};

/// The shapes of a page.
pub(super) struct Shapes {
    /// Two letters and two digits that begin a word.
    pub(super) heads: Masks,
    /// Dots between digits.
    pub(super) dots: Masks,
    /// The first colon of `::` that no name touches, as it does in paths of code (`std::fs`).
    pub(super) double: Masks,
    /// Where any of these is, a rare sign, or colons that are near each other.
    pub(super) any: Masks,
}

impl Default for Shapes {
    fn default() -> Self {
        const NONE: Masks = [0; FIRST + BLOCKS + 8];
        Shapes {
            heads: NONE,
            dots: NONE,
            double: NONE,
            any: NONE,
        }
    }
}

/// How many masks a vector holds.
const LANES: usize = 8;

/// One class of some blocks, with what stands before and behind each.
struct Row<S: Simd> {
    before: u64x8<S>,
    here: u64x8<S>,
    next: u64x8<S>,
}

impl<S: Simd> Row<S> {
    #[inline(always)]
    fn of(simd: S, masks: &Masks, i: usize) -> Row<S> {
        let at = |i: usize| u64x8::from_slice(simd, &masks[i..i + LANES]);
        Row {
            before: at(i - 1),
            here: at(i),
            next: at(i + 1),
        }
    }

    /// For each byte, the class of the one before it.
    #[inline(always)]
    fn before(&self) -> u64x8<S> {
        (self.here << 1_u32) | (self.before >> (u64::BITS - 1))
    }

    /// For each byte, the class of the one so many places behind it.
    #[inline(always)]
    fn ahead(&self, step: u32) -> u64x8<S> {
        (self.here >> step) | (self.next << (u64::BITS - step))
    }
}

impl Shapes {
    /// Looks at the first so many blocks.
    #[inline(always)]
    pub(super) fn make<S: Simd>(&mut self, simd: S, classes: &Classes, blocks: usize) {
        for i in (FIRST..FIRST + blocks.min(BLOCKS)).step_by(LANES) {
            let row = |masks: &Masks| Row::of(simd, masks, i);
            let (digit, letter, name) = (
                row(&classes.digit),
                row(&classes.letter),
                row(&classes.name),
            );
            let (dot, colon, rare) = (row(&classes.dot), row(&classes.colon), row(&classes.rare));
            let digit_before = digit.before();
            let heads = letter.here
                & !(letter.before() | digit_before)
                & letter.ahead(1)
                & digit.ahead(2)
                & digit.ahead(3);
            let dots = dot.here & digit_before & digit.ahead(1);
            let one = colon.ahead(1);
            let double = colon.here & one & !(name.before() | name.ahead(2));
            let near = one | colon.ahead(2) | colon.ahead(3) | colon.ahead(4) | colon.ahead(5);
            let any = heads | dots | (colon.here & near) | rare.here;
            heads.store_slice(&mut self.heads[i..i + LANES]);
            dots.store_slice(&mut self.dots[i..i + LANES]);
            double.store_slice(&mut self.double[i..i + LANES]);
            any.store_slice(&mut self.any[i..i + LANES]);
        }
    }
}
