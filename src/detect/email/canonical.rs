//! The one spelling of an address.

use smallvec::smallvec;
use unicode_normalization::UnicodeNormalization;

use crate::finding::Canonical;

/// Lower-cased, NFC; the domain as IDNA A-labels, or as it is where IDNA (UTS #46, not
/// transitional) refuses it. Dots, tags and quotes of the local part stay.
pub(super) fn canonical(local: &[u8], domain: &[u8]) -> Canonical {
    if local.is_ascii() && domain.is_ascii() {
        return ascii(local, domain);
    }
    let mut canonical = Canonical::new();
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

fn ascii(local: &[u8], domain: &[u8]) -> Canonical {
    let mut canonical: Canonical = smallvec![0; local.len() + 1 + domain.len()];
    let (head, tail) = canonical.split_at_mut(local.len());
    if let Some((at, tail)) = tail.split_first_mut() {
        *at = b'@';
        for (to, parts) in [(head, local), (tail, domain)] {
            for (to, byte) in to.iter_mut().zip(parts) {
                *to = byte.to_ascii_lowercase();
            }
        }
    }
    canonical
}

/// Appends `bytes` in lower case and NFC. Bytes that are not UTF-8, which a local part or domain
/// never holds, are kept.
fn push_lower(to: &mut Canonical, bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            let lower: String = text.to_lowercase().nfc().collect();
            to.extend_from_slice(lower.as_bytes());
        }
        Err(_) => to.extend(bytes.iter().map(u8::to_ascii_lowercase)),
    }
}
