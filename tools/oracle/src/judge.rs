//! Why two answers differ. README.md says of each kind why it is right.

use crate::ours::Answer;
use crate::theirs::{self, Plain};

/// What is asked of a number, written in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// `see +31612345678 now`: possible?
    Compact,
    /// `see +31 6 12345678 now`: possible?
    Spaces,
    /// `see +31-6-12345678 now`: possible?
    Dashes,
    /// `+31612345678 now`, where the sign may be a diff's: valid?
    Line,
    /// `see 06 12345678 now`, in its region: valid?
    National,
    /// `see 0612345678 now`, in its region: valid?
    Digits,
    /// `tel 0612345678`, in its region: possible?
    Word,
    /// `see 0612345678 now`, in another region and then its own: valid in which?
    Regions,
}

impl Question {
    pub const ALL: [(Question, &'static str); 8] = [
        (Question::Compact, "`see +31612345678 now`: possible"),
        (Question::Spaces, "`see +31 6 12345678 now`: possible"),
        (Question::Dashes, "`see +31-6-12345678 now`: possible"),
        (Question::Line, "`+31612345678 now`: valid"),
        (Question::National, "`see 06 12345678 now`, NL: valid"),
        (Question::Digits, "`see 0612345678 now`, NL: valid"),
        (Question::Word, "`tel 0612345678`, NL: possible"),
        (
            Question::Regions,
            "`see 0612345678 now`, DE, NL: valid, and where",
        ),
    ];

    fn is_international(self) -> bool {
        matches!(
            self,
            Question::Compact | Question::Spaces | Question::Dashes | Question::Line
        )
    }

    /// Whether a possible number is enough; a valid one is, too.
    fn wants_possible(self) -> bool {
        !self.wants_valid()
    }

    fn wants_valid(self) -> bool {
        use Question::{Digits, Line, National, Regions};
        matches!(self, Line | National | Digits | Regions)
    }

    /// Whether the number is one, by another's answer.
    pub fn wanted(self, theirs: Option<&theirs::Answer>) -> bool {
        theirs.is_some_and(|theirs| match self {
            Question::Word => theirs.possible || theirs.valid,
            _ if self.wants_valid() => theirs.valid,
            _ => theirs.possible,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Newer,
    Short,
    Long,
    NotPossible,
    Time,
    Row,
    Zeros,
    NorthAmerican,
    ProofBeatsShape,
    Piece,
    Carrier,
    Unexplained,
}

/// Whether both answers are one.
pub fn agrees(question: Question, ours: &Answer, theirs: Option<&theirs::Answer>) -> bool {
    match theirs {
        Some(number) if question.wanted(theirs) => ours.is(&number.e164),
        _ => matches!(ours, Answer::Nothing(_)),
    }
}

/// The kind of a difference to rlibphonenumber.
pub fn kind(
    question: Question,
    written: &str,
    ours: &Answer,
    theirs: Option<&theirs::Answer>,
    plain: &mut Plain,
) -> Kind {
    let wanted = question.wanted(theirs);
    let digits: String = written.chars().filter(char::is_ascii_digit).collect();
    // What the metadata that we are built from says of their number.
    let mut older = |theirs: &theirs::Answer| {
        let possible = Plain::is_possible(theirs.code, &theirs.national);
        let mut valid = || plain.is_valid(theirs.code, &theirs.national);
        if question.wants_possible() {
            possible
        } else {
            valid()
        }
    };
    let length = theirs.map_or(0, |theirs| theirs.e164.len() - 1);
    match ours {
        _ if wanted && length > 15 => Kind::Long,
        Answer::Piece if !wanted => Kind::Piece,
        Answer::Piece => match theirs {
            Some(theirs) if !theirs.valid => Kind::ProofBeatsShape,
            _ => Kind::Unexplained,
        },
        Answer::Nothing(_) => {
            let least = if question == Question::Compact { 8 } else { 7 };
            let short = digits.len() < least || question.is_international() && length < least;
            match theirs {
                _ if short => Kind::Short,
                Some(theirs) if !older(theirs) => Kind::Newer,
                Some(theirs) if question.wants_valid() && !theirs.possible => Kind::NotPossible,
                _ if question != Question::Word && is_time(&digits) => Kind::Time,
                _ if is_row(written) => Kind::Row,
                _ => Kind::Unexplained,
            }
        }
        Answer::Number(_) => match theirs {
            _ if !question.is_international() && digits.starts_with("00") => Kind::Zeros,
            _ if ours.is(&format!("+1{digits}")) => Kind::NorthAmerican,
            Some(theirs) if !wanted && older(theirs) => Kind::Newer,
            _ if question == Question::Word => Kind::Carrier,
            _ => Kind::Unexplained,
        },
    }
}

/// A bare run of digits that is a date, a Unix time or the limit of an integer.
fn is_time(digits: &str) -> bool {
    let two = |from: usize| {
        digits
            .get(from..from + 2)
            .and_then(|two| two.parse::<u32>().ok())
    };
    let in_range = |from: usize, first: u32, last: u32| {
        two(from).is_some_and(|value| (first..=last).contains(&value))
    };
    let unix = matches!(digits.len(), 10 | 13) && ("14".."20").contains(&&digits[..2]);
    let date = matches!(digits.len(), 8 | 10 | 12 | 14)
        && in_range(0, 19, 20)
        && in_range(4, 1, 12)
        && in_range(6, 1, 31)
        && (digits.len() <= 10 || in_range(8, 0, 23));
    let limit = ["2147483647", "2147483648", "4294967295", "4294967296"];
    unix || date || limit.contains(&digits)
}

/// Groups of four that all begin with a zero, as code points do.
fn is_row(written: &str) -> bool {
    let mut groups = written.split(' ');
    groups.clone().count() > 1 && groups.all(|group| group.len() == 4 && group.starts_with('0'))
}
