//! Shapes from classes, by shifts and carries: which positions of a text a detector must look at.
//!
//! One pass over the bytes; a block with no shape costs no more than its classification. A mask
//! may name a place too many (the rest is told by [`super::judge`]), but never one too few.

use fearless_simd::{Level, Simd, dispatch};

use super::classes::{BLOCK, BLOCKS, Classes, FIRST, Masks, Parts, Signs};
use super::page::Shapes;
use super::sight::{Row, Sight};

/// The shapes that begin in one block: bit *i* of each mask speaks of byte `base + i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hits {
    /// The block's first byte, as an index into the text.
    pub(crate) base: usize,
    /// `@`
    pub(crate) at: u64,
    /// `+` before a digit, perhaps an encoded one, or a bracket, one space between at the most.
    pub(crate) plus: u64,
    /// The first digit of a group, with enough digits and separators behind it.
    pub(crate) digits: u64,
    /// The same, where the groups have the form of a number.
    pub(crate) numbers: u64,
    /// The first of two letters and two digits that begin a word.
    pub(crate) letters: u64,
    /// The first dot of three that part groups of digits.
    pub(crate) quad: u64,
    /// The first colon of `::`, or of three colons near each other.
    pub(crate) colons: u64,
    /// `[[` before a letter.
    pub(crate) placeholder: u64,
    /// What may be an ASCII character in an encoded form, an escape, or a non-ASCII digit: `%` before
    /// one hexadecimal digit, `=` before two, `&` before `#` or a letter, `\`, ESC, and leads of
    /// characters.
    pub(crate) encoded: u64,
}

impl Hits {
    /// All places of the block.
    pub(crate) fn any(&self) -> u64 {
        self.at
            | self.plus
            | self.digits
            | self.numbers
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
    /// Whether the form of groups decides which of these runs are told: see [`Row::look`].
    pub(crate) formed: bool,
    /// Whether any of the other shapes is wanted.
    pub(crate) letters: bool,
    pub(crate) plus: bool,
    pub(crate) at: bool,
    pub(crate) ip: bool,
}

/// What a scan works with: used again, so that a short text costs little.
#[derive(Default)]
pub(crate) struct Page {
    classes: Classes,
    shapes: Shapes,
    /// What was found last.
    pub(crate) hits: Vec<Hits>,
}

impl Page {
    /// Puts the hits of `text[from..to]` into [`Page::hits`], in order, looking ahead of `to` where
    /// there is more text.
    pub(crate) fn find(
        &mut self,
        level: Level,
        text: &[u8],
        from: usize,
        to: usize,
        wanted: Wanted,
    ) {
        self.hits.clear();
        if from < to {
            dispatch!(level, simd => self.find_in(simd, text, from, to, wanted));
        }
    }

    #[inline(always)]
    fn find_in<S: Simd>(&mut self, simd: S, text: &[u8], from: usize, to: usize, wanted: Wanted) {
        let few = wanted.few_digits();
        let (mut pad, mut pad_behind) = ([0; BLOCK], [0; BLOCK]);
        let mut base = from;
        while base < to {
            let blocks = (to - base).div_ceil(BLOCK).min(BLOCKS);
            self.classes.begin(base.checked_sub(1).map(|i| text[i]));
            // The block behind is looked into, too.
            for number in 0..=blocks {
                let start = base + number * BLOCK;
                let block = block_at(text, start, &mut pad);
                let behind = block_at(text, start + 1, &mut pad_behind);
                self.classes.put(simd, number, block, behind);
            }
            for number in 0..=blocks {
                let rare = &mut self.classes.rare[FIRST + number];
                if *rare != 0 {
                    *rare = telling(text, base + number * BLOCK, *rare);
                }
            }
            self.shapes.make(simd, &self.classes, blocks);
            // The parts of the block that was looked at last as the one behind, by its number.
            let mut known = (usize::MAX, Parts::default());
            for number in 0..blocks {
                let i = FIRST + number;
                let numbers = self.may_hold_number(i, few);
                if self.shapes.any[i] == 0 && !numbers {
                    continue;
                }
                let start = base + number * BLOCK;
                let mut found = self.hits_of(simd, text, i, start, wanted, numbers, &mut known);
                if start + BLOCK > to {
                    found = found.below(to - start);
                }
                if found.any() != 0 {
                    self.hits.push(found);
                }
            }
            base += blocks * BLOCK;
        }
    }

    /// Whether block `i` and the one behind it hold enough digits, or some that may be encoded.
    #[inline(always)]
    fn may_hold_number(&self, i: usize, few: u32) -> bool {
        let Classes {
            digit, high, rare, ..
        } = &self.classes;
        let digits = digit[i].count_ones() + digit[i + 1].count_ones();
        let coded = high[i] | high[i + 1] | rare[i] | rare[i + 1];
        digits >= few || (coded != 0 && digits > 0 && few != u32::MAX)
    }

    /// What is told of block `i`, which begins at `base`. `numbers`: also of digits.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn hits_of<S: Simd>(
        &self,
        simd: S,
        text: &[u8],
        i: usize,
        base: usize,
        wanted: Wanted,
        numbers: bool,
        known: &mut (usize, Parts),
    ) -> Hits {
        let Page {
            classes, shapes, ..
        } = self;
        let mut pad = [0; BLOCK];
        let mut hits = Hits {
            base,
            letters: shapes.heads[i] & all(wanted.letters),
            quad: shapes.dots[i] & all(wanted.ip),
            colons: shapes.double[i] & all(wanted.ip),
            ..Hits::default()
        };
        if classes.rare[i] != 0 {
            let signs = Signs::of(simd, block_at(text, base, &mut pad), classes.rare[i]);
            hits.at = signs.at & all(wanted.at);
            hits.plus = kept(signs.plus & all(wanted.plus), |i| {
                opens_number(text, base + i)
            });
            hits.placeholder = kept(signs.bracket, |i| {
                text.get(base + i + 2).is_some_and(u8::is_ascii_alphabetic)
            });
            hits.encoded = kept(signs.coded, |i| tells(&text[base + i..]))
                | kept(signs.equals, |i| is_hex_pair(text, base + i + 1));
        }
        let colons = classes.colon[i].count_ones() + classes.colon[i + 1].count_ones();
        if wanted.ip && colons >= MANY_COLONS {
            hits.colons |= many_colons(both(&classes.colon, i)) & classes.colon[i];
        }
        if hits.quad != 0 {
            hits.quad &= quads(classes, i);
        }
        if numbers || hits.letters != 0 {
            let mut parts = |base| Parts::of(simd, block_at(text, base, &mut pad));
            let here = if known.0 == i { known.1 } else { parts(base) };
            let next = parts(base + BLOCK);
            *known = (i + 1, next);
            self.numbers(text, i, [here, next], wanted, &mut hits);
        }
        hits
    }

    /// The shapes that more than single signs tell: of those in `hits`, what goes on far enough, and
    /// groups of digits.
    #[inline(always)]
    fn numbers(&self, text: &[u8], i: usize, parts: [Parts; 2], wanted: Wanted, hits: &mut Hits) {
        let Classes {
            digit,
            letter,
            high,
            ..
        } = &self.classes;
        let of = |part: fn(&Parts) -> u64| {
            u128::from(part(&parts[0])) | (u128::from(part(&parts[1])) << u64::BITS)
        };
        let gap = of(|parts| parts.gap);
        let wide = of(|parts| parts.percent) | both(high, i);
        let member = both(digit, i) | gap | wide;
        if hits.letters != 0 {
            // Fifteen characters (the shortest IBAN, Norway's) or more, with what parts them.
            let member = member | both(letter, i) | of(|parts| parts.tab);
            hits.letters &= low(run::<15>(member));
        }
        let group = digit[i] & !((digit[i] << 1) | (digit[i - 1] >> (BLOCK - 1)));
        if wanted.digit_run == 0 || group == 0 {
            return;
        }
        let runs = group & low(digit_run(member, wanted.digit_run));
        if wanted.formed {
            let coded = wide | of(|parts| parts.escape);
            let classes = [both(digit, i), gap, coded];
            formed(text, runs, classes, wanted.digit_run, hits);
        } else {
            hits.digits = runs;
        }
    }
}

impl Wanted {
    /// Fewer digits than this in two blocks make no number, unless digits are encoded there.
    fn few_digits(self) -> u32 {
        match self.digit_run {
            0 => u32::MAX,
            run if self.formed => run,
            _ => 5,
        }
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

/// All bits, or none.
fn all(wanted: bool) -> u64 {
    u64::from(wanted).wrapping_neg()
}

/// Block `i` and the one behind it as one mask, so that a shift to the right looks ahead.
#[inline(always)]
fn both(masks: &Masks, i: usize) -> u128 {
    u128::from(masks[i]) | (u128::from(masks[i + 1]) << u64::BITS)
}

/// The low half: places in the first block.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)]
fn low(mask: u128) -> u64 {
    mask as u64
}

/// The first dot of three that part groups of digits.
fn quads(classes: &Classes, i: usize) -> u64 {
    let digit = both(&classes.digit, i);
    let before = (digit << 1) | u128::from(classes.digit[i - 1] >> (BLOCK - 1));
    let inner = both(&classes.dot, i) & before & (digit >> 1);
    let near = |mask: u128| (mask >> 2) | (mask >> 3) | (mask >> 4);
    let two = inner & near(inner);
    low(two & near(two))
}

/// Fewer colons than this in two blocks make no address without `::`.
const MANY_COLONS: u32 = 5;

/// Colons that have four more near each other behind them: without `::` an address has seven, or
/// six before a dotted part.
fn many_colons(colon: u128) -> u64 {
    let near = |mask: u128| (mask >> 1) | (mask >> 2) | (mask >> 3) | (mask >> 4) | (mask >> 5);
    let two = colon & near(colon);
    let three = two & near(two);
    let four = three & near(three);
    low(four & near(four))
}

/// The bits of a mask, few as they are, that pass a look at the text.
#[inline(always)]
fn kept(mask: u64, passes: impl Fn(usize) -> bool) -> u64 {
    let mut left = mask;
    let mut kept = 0;
    while left != 0 {
        let bit = left & left.wrapping_neg();
        left ^= bit;
        if passes(bit.trailing_zeros() as usize) {
            kept |= bit;
        }
    }
    kept
}

/// The rare signs of the block at `start`, without escapes that tell of nothing: then most blocks of a
/// JSON text hold none. Apart from the loop over blocks, as other texts have few.
#[inline(never)]
fn telling(text: &[u8], start: usize, rare: u64) -> u64 {
    kept(rare, |i| {
        let rest = &text[start + i..];
        match rest.first_chunk() {
            // The commonest: a line end or a quote, and behind it neither a digit nor letters and
            // digits.
            Some(&[b'\\', b'n' | b'"' | b't' | b'\\', a, _, c, d]) => {
                let none = !(a.is_ascii_digit() || (c.is_ascii_digit() && d.is_ascii_digit()));
                !none && tells(rest)
            }
            Some([b'\\', ..]) => tells(rest),
            _ => true,
        }
    })
}

/// Whether what may be an escape at the start of `rest` is to be looked at. Most of a JSON text are
/// line ends and quotes, which tell of nothing but what begins directly behind them.
#[inline]
pub(super) fn tells(rest: &[u8]) -> bool {
    match rest {
        [
            b'\\',
            b'n' | b'r' | b't' | b'f' | b'b' | b'v' | b'a' | b'"' | b'\'' | b'/',
            behind @ ..,
        ] => begins_value(behind),
        [b'\\', b'u', digits @ ..] => match digits.split_first_chunk() {
            Some((digits, behind)) => !is_silent(*digits) || begins_value(behind),
            None => true,
        },
        [b'\\', next, ..] => matches!(next, b'x' | b'0' | b'e'),
        [b'\\'] => false,
        [b'%', next, ..] => next.is_ascii_hexdigit(),
        [b'&', next, ..] => *next == b'#' || next.is_ascii_alphabetic(),
        [b'%' | b'&'] => false,
        _ => true,
    }
}

/// Whether a number, or two letters and two digits, may begin here.
#[inline]
fn begins_value(text: &[u8]) -> bool {
    match text {
        [b'0'..=b'9', ..] => true,
        [a, b, c, d, ..] if c.is_ascii_digit() && d.is_ascii_digit() => {
            a.is_ascii_alphabetic() && b.is_ascii_alphabetic()
        }
        _ => false,
    }
}

/// Whether four hexadecimal digits name a character that stands for no other one: of Latin, Greek,
/// Cyrillic and Hebrew letters, quotation marks and the like, boxes, Han and Hangul.
#[inline]
fn is_silent(digits: [u8; 4]) -> bool {
    let value = |digit: u8| (digit as char).to_digit(16);
    let code = digits
        .into_iter()
        .try_fold(0, |code, digit| Some(code << 4 | value(digit)?));
    code.is_some_and(|code| {
        matches!(code,
            0x00C0..=0x05FF | 0x2016..=0x2023 | 0x2025..=0x2027 | 0x2190..=0x2211 | 0x2213..=0x27FF
            | 0x4000..=0x9FFF | 0xAC00..=0xD7A3)
    })
}

/// Whether two hexadecimal digits stand at `at`.
fn is_hex_pair(text: &[u8], at: usize) -> bool {
    text.get(at..at + 2)
        .is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit))
}

/// Whether a digit, what may be an encoded one, or a bracket stands behind the `+` at `plus`, one
/// space between at the most.
fn opens_number(text: &[u8], plus: usize) -> bool {
    let opens = |at: usize| {
        matches!(
            text.get(at),
            Some(b'0'..=b'9' | b'(' | b'\\' | b'%' | b'&' | 0x80..)
        )
    };
    opens(plus + 1) || (text.get(plus + 1) == Some(&b' ') && opens(plus + 2))
}

/// The 64 bits from bit `at` on, which is below 64.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)]
fn window(mask: u128, at: u32) -> u64 {
    let (low, high) = (mask as u64, (mask >> u64::BITS) as u64);
    (low >> at) | (high << 1 << (u64::BITS - 1 - at))
}

/// Parts the places of runs of digits by what the sizes of their groups tell.
#[inline(always)]
fn formed(text: &[u8], runs: u64, classes: [u128; 3], least: u32, hits: &mut Hits) {
    let mut left = runs;
    while left != 0 {
        let bit = left & left.wrapping_neg();
        left ^= bit;
        let at = bit.trailing_zeros();
        let [digit, gap, coded] = classes.map(|class| window(class, at));
        let row = Row { digit, gap, coded };
        let head = text
            .get(hits.base + at as usize..)
            .and_then(<[u8]>::first_chunk);
        match head.map_or(Sight::Unclear, |head| row.look(*head, least)) {
            Sight::Nothing => {}
            Sight::Number => hits.numbers |= bit,
            Sight::Unclear => hits.digits |= bit,
        }
    }
}

/// The places from which at least `length` members stand in a row, or a few more places: the length
/// is rounded down to one of three, so that the shifts are fixed.
#[inline(always)]
fn digit_run(member: u128, length: u32) -> u128 {
    match length {
        10.. => run::<10>(member),
        7..10 => run::<7>(member),
        _ => run::<5>(member),
    }
}

/// The places from which `LENGTH` members stand in a row.
#[inline(always)]
fn run<const LENGTH: u32>(member: u128) -> u128 {
    let mut runs = member;
    let mut have = 1;
    while have < LENGTH {
        let step = have.min(LENGTH - have);
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
            &mut self.numbers,
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
        formed: false,
        letters: true,
        plus: true,
        at: true,
        ip: true,
    };

    /// Which shapes a position has, by a plain look at the bytes around it.
    fn reference(text: &[u8], i: usize, digit_run: usize) -> [bool; 8] {
        let get = |at: usize| text.get(at).copied().unwrap_or(0);
        let back = |n: usize| i.checked_sub(n).map_or(0, &get);
        let opens = |at: usize| {
            let byte = get(at);
            byte.is_ascii_digit() || byte >= 0x80 || b"(\\%&".contains(&byte)
        };
        let parts = |b: u8| b" -./()~_%".contains(&b) || b >= 0x80;
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
                && row(&|b| b.is_ascii_alphanumeric() || parts(b) || b == b'\t', 15),
            chain(&inner_dot, i, 2, 2..=4),
            (colon(i) && colon(i + 1) && !name(back(1)) && !name(get(i + 2)))
                || chain(&colon, i, 4, 1..=5),
            get(i) == b'[' && get(i + 1) == b'[' && get(i + 2).is_ascii_alphabetic(),
            b"\xD9\xDB\xE0\xE1\xEF".contains(&get(i))
                || (b"\\\x1B".contains(&get(i)) && tells(&text[i..]))
                || (get(i) == b'&' && (get(i + 1) == b'#' || get(i + 1).is_ascii_alphabetic()))
                || (get(i) == b'%' && get(i + 1).is_ascii_hexdigit())
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
            0..5_000,
        )
    }

    proptest! {
        #[test]
        fn masks_say_what_a_plain_look_says(text in text(), cut in 0_usize..5_000, run in 5_u32..13) {
            let wanted = Wanted { digit_run: run, ..WANTED };
            let cut = cut.min(text.len());
            let length = [10, 7, 5].into_iter().find(|&length| length <= run).unwrap_or(5) as usize;
            for level in [Level::new(), Level::baseline()] {
                let mut page = Page::default();
                page.find(level, &text, 0, cut, wanted);
                let mut hits = std::mem::take(&mut page.hits);
                page.find(level, &text, cut, text.len(), wanted);
                hits.append(&mut page.hits);
                for i in 0..text.len() {
                    let (told, plain) = (at(&hits, i), reference(&text, i, length));
                    // Where hardly a digit follows, shapes of numbers need not be told.
                    let near = &text[i..text.len().min(i + BLOCK)];
                    let digits = near.iter().filter(|b| b.is_ascii_digit()).count();
                    let coded = (i..i + near.len()).any(|at| {
                        text[at] >= 0x80 || b"\\\x1B".contains(&text[at]) && tells(&text[at..])
                    });
                    let numbers = digits >= 5 || digits > 0 && coded;
                    for (shape, (told, plain)) in told.into_iter().zip(plain).enumerate() {
                        let must = plain && (numbers || !matches!(shape, 2..=4));
                        prop_assert!(told <= plain && must <= told, "byte {}, shape {}", i, shape);
                    }
                }
            }
        }
    }
}
