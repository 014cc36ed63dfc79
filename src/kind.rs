//! The kinds of identifiers. In placeholders and on the command line a kind is
//! written in capitals and called TYPE.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};

/// The length of the longest TYPE, in bytes.
pub(crate) const MAX_TYPE: usize = 32;

/// Whether a TYPE may hold `byte` behind its first.
pub(crate) const fn is_type_byte(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_')
}

/// The TYPE of a kind that a rule pack brings: `[A-Z][A-Z0-9_]{0,31}`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// Filled up with NUL bytes, so that labels are in the order of their texts.
    bytes: [u8; MAX_TYPE],
    len: u8,
}

impl Label {
    /// The label with this text; `None` where the text is no TYPE.
    pub fn new(text: &str) -> Option<Label> {
        let mut bytes = [0; MAX_TYPE];
        bytes
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        let well_formed =
            text.starts_with(|c: char| c.is_ascii_uppercase()) && text.bytes().all(is_type_byte);
        let len = u8::try_from(text.len()).ok()?;
        well_formed.then_some(Label { bytes, len })
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        let text = self.bytes.split_at(usize::from(self.len)).0;
        std::str::from_utf8(text).unwrap_or_default()
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// A kind of identifier that nymize finds and replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// An e-mail address (RFC 5321, RFC 5322, RFC 6531).
    Email,
    /// An international bank account number (ISO 13616).
    Iban,
    /// A payment card number (ISO/IEC 7812).
    Card,
    /// A telephone number (ITU-T E.164, libphonenumber metadata).
    Phone,
    /// An IPv4 or IPv6 address (RFC 791, RFC 4291).
    Ip,
    /// A kind that a rule pack brings.
    Custom(Label),
}

impl Kind {
    /// Every built-in kind, in the order in which they are listed to people.
    pub const ALL: [Kind; 5] = [Kind::Email, Kind::Iban, Kind::Card, Kind::Phone, Kind::Ip];

    /// The TYPE of this kind, as it stands in a placeholder: `EMAIL`, `IBAN`, …
    pub fn label(&self) -> &str {
        match self {
            Kind::Email => "EMAIL",
            Kind::Iban => "IBAN",
            Kind::Card => "CARD",
            Kind::Phone => "PHONE",
            Kind::Ip => "IP",
            Kind::Custom(label) => label.as_str(),
        }
    }

    /// The place of a built-in kind in [`Kind::ALL`].
    pub(crate) const fn index(self) -> Option<usize> {
        Some(match self {
            Kind::Email => 0,
            Kind::Iban => 1,
            Kind::Card => 2,
            Kind::Phone => 3,
            Kind::Ip => 4,
            Kind::Custom(_) => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

impl FromStr for Kind {
    type Err = Error;

    /// Reads the TYPE of a built-in kind in either case.
    ///
    /// # Errors
    /// For any other name; the error lists the known ones.
    fn from_str(name: &str) -> Result<Self, Error> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.label().eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::new(ErrorKind::UnknownKind(name.to_owned())))
    }
}

/// A set of kinds. Of those that rule packs bring, it holds all but a few, or only a few.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kinds {
    built_in: u32,
    /// Whether it holds the custom kinds that are not named in `others`.
    custom: bool,
    /// The custom kinds for which it is the other way round.
    others: BTreeSet<Label>,
}

impl Kinds {
    /// Every kind, those of rule packs too.
    pub const ALL: Kinds = Kinds {
        built_in: (1 << Kind::ALL.len()) - 1,
        custom: true,
        others: BTreeSet::new(),
    };
    /// No kind.
    pub const NONE: Kinds = Kinds {
        built_in: 0,
        custom: false,
        others: BTreeSet::new(),
    };

    /// Whether `kind` is in the set.
    pub fn contains(&self, kind: Kind) -> bool {
        match kind {
            Kind::Custom(label) => self.custom != self.others.contains(&label),
            _ => self.built_in & bit(kind) != 0,
        }
    }

    /// This set and `kind`.
    #[must_use]
    pub fn with(self, kind: Kind) -> Kinds {
        self.set(kind, true)
    }

    /// This set without `kind`.
    #[must_use]
    pub fn without(self, kind: Kind) -> Kinds {
        self.set(kind, false)
    }

    fn set(mut self, kind: Kind, on: bool) -> Kinds {
        match kind {
            Kind::Custom(label) if on == self.custom => {
                self.others.remove(&label);
            }
            Kind::Custom(label) => {
                self.others.insert(label);
            }
            _ if on => self.built_in |= bit(kind),
            _ => self.built_in &= !bit(kind),
        }
        self
    }
}

/// The bit of a built-in kind.
const fn bit(kind: Kind) -> u32 {
    match kind.index() {
        Some(index) => 1 << index,
        None => 0,
    }
}

impl Default for Kinds {
    /// Every kind.
    fn default() -> Self {
        Kinds::ALL
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Kinds::NONE, Kinds::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_reads_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.label().parse::<Kind>().unwrap(), kind);
            assert_eq!(kind.label().to_lowercase().parse::<Kind>().unwrap(), kind);
            assert!(Kinds::ALL.contains(kind));
            assert!(!Kinds::ALL.without(kind).contains(kind));
            assert!(Kinds::NONE.with(kind).contains(kind));
        }
        assert!("EMIAL".parse::<Kind>().is_err());
    }

    #[test]
    fn every_built_in_kind_stands_at_its_index() {
        for (i, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind.index(), Some(i));
        }
    }

    #[test]
    fn labels_are_types() {
        let longest = format!("A{}", "_0".repeat(15)) + "Z";
        for text in ["A", "TICKET", "A_1", "A__", longest.as_str()] {
            let label = Label::new(text).unwrap();
            assert_eq!(label.as_str(), text);
            assert_eq!(Kind::Custom(label).to_string(), text);
        }
        let too_long = format!("{longest}A");
        for text in [
            "",
            "a",
            "1A",
            "_A",
            "A-B",
            "A B",
            "\u{c9}",
            "A\0",
            too_long.as_str(),
        ] {
            assert_eq!(Label::new(text), None, "{text:?}");
        }
        let label = |text| Label::new(text).unwrap();
        assert!(label("AB") < label("B") && label("A") < label("A0"));
        assert_eq!(format!("{:?}", label("A_1")), "\"A_1\"");
    }

    #[test]
    fn sets_hold_all_custom_kinds_but_a_few_or_a_few() {
        let a = Kind::Custom(Label::new("A").unwrap());
        let b = Kind::Custom(Label::new("B").unwrap());
        assert!(Kinds::ALL.contains(a) && !Kinds::NONE.contains(a));
        let but_a = Kinds::ALL.without(a);
        assert!(!but_a.contains(a) && but_a.contains(b) && but_a.contains(Kind::Ip));
        assert_eq!(but_a.with(a), Kinds::ALL);
        let only_a: Kinds = [a, a].into_iter().collect();
        assert!(only_a.contains(a) && !only_a.contains(b) && !only_a.contains(Kind::Ip));
        assert_eq!(only_a.without(a), Kinds::NONE);
    }
}
