//! What reports for machines tell of a type of finding, beside its name.

use super::Record;

/// What a report says of a finding.
pub(super) fn message(record: &Record<'_>) -> String {
    let noun = noun(record.kind.label());
    format!("This is {noun}: {}", record.placeholder)
}

/// What a value of this type is, as in "an e-mail address".
pub(super) fn noun(label: &str) -> &'static str {
    match label {
        "EMAIL" => "an e-mail address",
        "IBAN" => "a bank account number (IBAN)",
        "CARD" => "a payment card number",
        "PHONE" => "a phone number",
        "IP" => "an IP address",
        _ => "a value that a rule of this project names",
    }
}

/// How it was proven.
pub(super) fn proof(label: &str) -> &'static str {
    match label {
        "EMAIL" => "Proven by its grammar (RFC 5321, 5322, 6531) and its top-level domain.",
        "IBAN" => "Proven by country, length, structure and check digits (ISO 13616).",
        "CARD" => "Proven by issuer, length and check digit (ISO/IEC 7812).",
        "PHONE" => "Proven by the numbering plan of its country (ITU-T E.164).",
        "IP" => {
            "Proven by its grammar (RFC 791, 4291); loopback, netmasks and the like are left out."
        }
        _ => "Proven by the pattern of its rule, and by its checksum if it names one.",
    }
}

/// What to do about it.
pub(super) const REMEDY: &str = "Run nymize scrub on the file: it puts the placeholder in the \
    value's place. Where the value may stay, say so with nymize:allow in its line, with the \
    allow list of the configuration, or accept it with nymize baseline.";
