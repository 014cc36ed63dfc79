//! The kinds of identifiers. In placeholders and on the command line a kind is
//! written in capitals and called TYPE.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};

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
}

impl Kind {
    /// Every kind, in the order in which they are listed to people.
    pub const ALL: [Kind; 5] = [Kind::Email, Kind::Iban, Kind::Card, Kind::Phone, Kind::Ip];

    /// The TYPE of this kind, as it stands in a placeholder: `EMAIL`, `IBAN`, …
    pub const fn label(self) -> &'static str {
        match self {
            Kind::Email => "EMAIL",
            Kind::Iban => "IBAN",
            Kind::Card => "CARD",
            Kind::Phone => "PHONE",
            Kind::Ip => "IP",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

impl FromStr for Kind {
    type Err = Error;

    /// Reads a TYPE in either case.
    ///
    /// # Errors
    /// For an unknown name; the error lists the known ones.
    fn from_str(name: &str) -> Result<Self, Error> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.label().eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::new(ErrorKind::UnknownKind(name.to_owned())))
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kinds(u32);

impl Kinds {
    /// Every kind.
    pub const ALL: Kinds = Kinds((1 << Kind::ALL.len()) - 1);
    /// No kind.
    pub const NONE: Kinds = Kinds(0);

    /// Whether `kind` is in the set.
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }

    /// This set and `kind`.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Kinds {
        Kinds(self.0 | (1 << kind as u32))
    }

    /// This set without `kind`.
    #[must_use]
    pub const fn without(self, kind: Kind) -> Kinds {
        Kinds(self.0 & !(1 << kind as u32))
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
}
