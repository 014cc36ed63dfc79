//! What the masks alone tell of digits in groups: nearly all rows of numbers are neither a card nor
//! a phone by the sizes of their groups, and no byte of them is read again.

use crate::detect::{card, phone};

/// The bytes from the first digit of a group on: bit 0 speaks of that digit.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// ASCII digits.
    pub(super) digit: u64,
    /// What may stand between groups, in its plain form.
    pub(super) gap: u64,
    /// What may stand for a digit or for what parts groups, in an encoded form.
    pub(super) coded: u64,
}

/// What is to be done about a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// No number of which the form is known begins here.
    Nothing,
    /// A detector must look at it.
    Number,
    /// The bytes must be read.
    Unclear,
}

/// The most groups that a form tells of.
const GROUPS: usize = 5;
/// The widest gap in a number, in bytes.
const WIDEST: u32 = 3;

impl Row {
    /// What stands here, when numbers of fewer than `least` digits are not looked for. `head` are
    /// its first two bytes.
    ///
    /// Whatever becomes a wall behind the first of the groups, a detector sees some of the first
    /// groups, or none: so a form counts when the first groups have it, whatever follows.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn look(self, head: [u8; 2], least: u32) -> Sight {
        // Behind two zeros stands a country code, and any form of groups.
        if head == *b"00" {
            return Sight::Unclear;
        }
        let mut sizes = [0_u8; GROUPS];
        let (mut row, mut digits) = (self, 0);
        for (i, size) in sizes.iter_mut().enumerate() {
            let len = row.digit.trailing_ones();
            // At most 64.
            *size = len as u8;
            digits += len;
            row = row.behind(len);
            if row.coded & 1 != 0 {
                return Sight::Unclear;
            }
            // Most rows end here.
            if i == 0 && !(card::may_open(*size, head) || phone::may_open(*size)) {
                return Sight::Nothing;
            }
            let gap = row.gap.trailing_ones();
            row = row.behind(gap);
            if row.coded & 1 != 0 {
                return Sight::Unclear;
            }
            if gap == 0 || gap > WIDEST || row.digit & 1 == 0 {
                break;
            }
        }
        if digits < least {
            return Sight::Nothing;
        }
        if card::has_form(&sizes, head) || phone::has_form(&sizes) {
            Sight::Number
        } else {
            Sight::Nothing
        }
    }

    #[inline(always)]
    fn behind(self, len: u32) -> Row {
        Row {
            digit: self.digit.unbounded_shr(len),
            gap: self.gap.unbounded_shr(len),
            coded: self.coded.unbounded_shr(len),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str) -> Sight {
        let mask = |class: &dyn Fn(u8) -> bool| {
            let bytes = text.bytes().take(64).enumerate();
            bytes.fold(0, |mask, (i, b)| mask | (u64::from(class(b)) << i))
        };
        let row = Row {
            digit: mask(&|b| b.is_ascii_digit()),
            gap: mask(&|b| b" -./()~".contains(&b)),
            coded: mask(&|b| b >= 0x80 || b"%&\\\x1B".contains(&b)),
        };
        let head = text.as_bytes().first_chunk().expect("two bytes");
        row.look(*head, 10)
    }

    #[test]
    fn forms_are_told_by_the_sizes_of_groups() {
        for text in [
            "4111111111111111",
            "4111 1111 1111 1111 2027",
            "4111-1111-1111-1111",
            "3782 822463 10005",
            "5018 0000 0009",
            "415-555-2671",
            "1 (415) 555-2671",
            "415) 5552671",
        ] {
            assert_eq!(look(text), Sight::Number, "{text}");
        }
        for text in [
            "16 50795 04921 71857",
            "111.68.20.241",
            "1111111111111111",
            "7111111111111111",
            "4111",
            "411111111111111111111111111",
            "41111    11111",
            "2024-01-15 12:30",
            "555 2671",
        ] {
            assert_eq!(look(text), Sight::Nothing, "{text}");
        }
        for text in [
            "4111\u{a0}1111",
            "41%2011",
            "4111 \\u0034",
            "0031 6",
            "00 1",
        ] {
            assert_eq!(look(text), Sight::Unclear, "{text}");
        }
    }
}
