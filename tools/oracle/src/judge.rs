//! Why two answers differ. README.md says of each kind why it is right.

use crate::ours::{Answer, Ours};
use crate::theirs::{self, digits};

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

    /// Asks nymize.
    pub fn put(self, ours: &Ours, written: &str) -> Answer {
        match self {
            Question::Line => ours.read("", written, " now"),
            Question::Word => ours.read("tel ", written, ""),
            _ => ours.read("see ", written, " now"),
        }
    }

    fn is_international(self) -> bool {
        matches!(
            self,
            Question::Compact | Question::Spaces | Question::Dashes | Question::Line
        )
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

/// Why two answers differ; README.md says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Fewer than seven digits, of E.164 written without separators fewer than eight, behind a telephone
    /// word and a prefix fewer than six.
    Short,
    /// More than the fifteen digits of E.164.
    Long,
    /// Valid, but of no possible length.
    NotPossible,
    /// A bare run of digits that is a time, a date or the limit of an integer.
    Time,
    /// A row of fours that all begin with zero.
    Row,
    /// An exit code, but no such number behind it: read as a national number; or `00` in a region that
    /// dials otherwise.
    ExitCode,
    /// Behind a telephone word and the exit code of a region, only possible.
    Dialled,
    /// The North American shape is a number of +1 in every region.
    NorthAmerican,
    /// A valid number is read out of a longer one that is possible.
    ProofBeatsShape,
    /// A piece of what is no number is one.
    Piece,
    Unexplained,
}

/// Whether both answers are one.
pub fn agrees(question: Question, ours: &Answer, theirs: Option<&theirs::Answer>) -> bool {
    match theirs {
        Some(number) if question.wanted(theirs) => ours.is(&number.e164),
        _ => matches!(ours, Answer::Nothing(_)),
    }
}

/// The kind of a difference.
pub fn kind(
    question: Question,
    written: &str,
    ours: &Answer,
    theirs: Option<&theirs::Answer>,
) -> Kind {
    let wanted = question.wanted(theirs);
    let digits = digits(written);
    let length = theirs.map_or(0, |theirs| theirs.e164.len() - 1);
    let valid = theirs.is_some_and(|theirs| theirs.valid);
    let possible = theirs.is_some_and(|theirs| theirs.possible);
    let dialled = theirs.is_some_and(|theirs| theirs.is_dialled(&digits));
    let abroad = question.is_international();
    match ours {
        _ if wanted && length > 15 => Kind::Long,
        Answer::Piece if !wanted => Kind::Piece,
        Answer::Piece if !valid => Kind::ProofBeatsShape,
        Answer::Piece => Kind::Unexplained,
        Answer::Nothing(_) => {
            let least = if question == Question::Compact { 8 } else { 7 };
            let rest = theirs.map_or(0, |theirs| theirs.length);
            let few = digits.len() < least || question == Question::Word && rest < 6;
            if few || abroad && length < least {
                Kind::Short
            } else if valid && !possible {
                Kind::NotPossible
            } else if question != Question::Word && is_time(&digits) {
                Kind::Time
            } else if is_row(written) {
                Kind::Row
            } else if question == Question::Word && dialled {
                Kind::Dialled
            } else {
                Kind::Unexplained
            }
        }
        Answer::Number(_) if abroad => Kind::Unexplained,
        // They read no number at all where no country code stands behind an exit code.
        Answer::Number(_) if dialled || digits.starts_with("00") || theirs.is_none() => {
            Kind::ExitCode
        }
        Answer::Number(_) if ours.is(&format!("+1{digits}")) => Kind::NorthAmerican,
        Answer::Number(_) => Kind::Unexplained,
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
