//! The one spelling of an address.

use unicode_normalization::UnicodeNormalization;

use crate::finding::Canonical;

/// Lower-cased, NFC; the domain as IDNA A-labels, or as it is where IDNA (UTS #46, not
/// transitional) refuses it. Dots, tags and quotes of the local part stay.
pub(super) fn canonical(local: &[u8], domain: &[u8]) -> Canonical {
    let mut canonical = Canonical::with_capacity(local.len() + 1 + domain.len());
    push_lower(&mut canonical, local);
    canonical.push(b'@');
    let start = canonical.len();
    push_lower(&mut canonical, domain);
    if !domain.is_ascii() {
        let ascii = std::str::from_utf8(&canonical[start..])
            .ok()
            .and_then(|domain| idna::domain_to_ascii(domain).ok());
        if let Some(ascii) = ascii {
            canonical.truncate(start);
            canonical.extend_from_slice(ascii.as_bytes());
        }
    }
    canonical
}

/// Appends `bytes` in lower case and NFC. Bytes that are not UTF-8, which a local part or domain
/// never holds, are kept.
fn push_lower(to: &mut Canonical, bytes: &[u8]) {
    if let Some(text) = std::str::from_utf8(bytes).ok().filter(|t| !t.is_ascii()) {
        let lower: String = text.to_lowercase().nfc().collect();
        to.extend_from_slice(lower.as_bytes());
        return;
    }
    let start = to.len();
    to.extend_from_slice(bytes);
    to[start..].make_ascii_lowercase();
}
