//! What a rule says of the value that its pattern has found: check digits, and one spelling.

use unicode_normalization::UnicodeNormalization;

use crate::checksum;
use crate::finding::Canonical;

/// How a value proves itself. Letters and signs that a checksum does not count are passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Checksum {
    #[default]
    None,
    Luhn,
    /// ISO 7064 MOD 97-10 over letters and digits, the two check digits at the end.
    Mod97,
    /// ISO 7064 MOD 11-2; the check digit may be `X`.
    Mod11,
    Verhoeff,
    Gtin,
}

impl Checksum {
    pub(crate) const ALL: [Checksum; 6] = [
        Checksum::None,
        Checksum::Luhn,
        Checksum::Mod97,
        Checksum::Mod11,
        Checksum::Verhoeff,
        Checksum::Gtin,
    ];

    /// Its name in a rule pack.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Checksum::None => "none",
            Checksum::Luhn => "luhn",
            Checksum::Mod97 => "mod97",
            Checksum::Mod11 => "mod11",
            Checksum::Verhoeff => "verhoeff",
            Checksum::Gtin => "gtin",
        }
    }

    fn holds(self, value: &[u8]) -> bool {
        let only =
            |class: fn(&u8) -> bool| -> Vec<u8> { value.iter().copied().filter(&class).collect() };
        match self {
            Checksum::None => true,
            Checksum::Luhn => checksum::luhn(&only(u8::is_ascii_digit)),
            Checksum::Mod97 => checksum::mod97(only(u8::is_ascii_alphanumeric)) == Some(1),
            Checksum::Mod11 => {
                let mut digits = only(u8::is_ascii_digit);
                digits.extend(value.last().filter(|last| matches!(last, b'X' | b'x')));
                checksum::mod11_2(&digits)
            }
            Checksum::Verhoeff => checksum::verhoeff(&only(u8::is_ascii_digit)),
            Checksum::Gtin => checksum::gtin(&only(u8::is_ascii_digit)),
        }
    }
}

/// One step towards the one spelling of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Upper,
    Lower,
    /// Takes these characters out.
    Strip(String),
}

/// The one spelling of a value, if it proves itself. Composition (NFC) is trivial for all.
pub(crate) fn canonical(value: &[u8], checksum: Checksum, steps: &[Step]) -> Option<Canonical> {
    if !checksum.holds(value) {
        return None;
    }
    if steps.is_empty() && value.is_ascii() {
        return Some(Canonical::from_slice(value));
    }
    // A pattern matches characters alone.
    let mut text: String = std::str::from_utf8(value).ok()?.nfc().collect();
    for step in steps {
        text = match step {
            Step::Upper => text.to_uppercase(),
            Step::Lower => text.to_lowercase(),
            Step::Strip(signs) => text.chars().filter(|c| !signs.contains(*c)).collect(),
        };
    }
    (!text.is_empty()).then(|| Canonical::from_slice(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_count_what_is_theirs() {
        for (checksum, right, wrong) in [
            (Checksum::None, "anything", ""),
            (Checksum::Luhn, "KD-7992 7398-713", "KD-7992 7398-714"),
            (
                Checksum::Mod97,
                "5493001KJTIIGC8Y1R12",
                "5493001KJTIIGC8Y1R13",
            ),
            (
                Checksum::Mod11,
                "0000-0002-1694-233X",
                "0000-0002-1694-2330",
            ),
            (
                Checksum::Mod11,
                "0000-0002-1825-0097",
                "0000-0002-1825-0079",
            ),
            (Checksum::Verhoeff, "id 2363", "id 2364"),
            (Checksum::Gtin, "4-006381-333931", "4-006381-333932"),
        ] {
            assert!(checksum.holds(right.as_bytes()), "{right}");
            assert!(
                wrong.is_empty() || !checksum.holds(wrong.as_bytes()),
                "{wrong}"
            );
        }
        assert!(!Checksum::Luhn.holds(b"no digit"));
    }

    #[test]
    fn steps_are_taken_in_order() {
        let of = |value: &str, steps: &[Step]| {
            canonical(value.as_bytes(), Checksum::None, steps)
                .map(|canonical| String::from_utf8(canonical.to_vec()).unwrap())
        };
        let strip = |signs: &str| Step::Strip(signs.to_owned());
        assert_eq!(of("ab-1 2", &[]).as_deref(), Some("ab-1 2"));
        assert_eq!(
            of("äb-1 2", &[Step::Upper, strip(" -")]).as_deref(),
            Some("ÄB12")
        );
        assert_eq!(of("Ab", &[strip("A"), Step::Lower]).as_deref(), Some("b"));
        assert_eq!(of("a\u{308}", &[]).as_deref(), Some("ä"));
        assert_eq!(of("--", &[strip("-")]), None, "nothing is left to hash");
    }
}
