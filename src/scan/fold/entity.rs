//! HTML character references (HTML Living Standard, section 13.5), those that people and encoders
//! write for ASCII characters and spaces, with their semicolon.

use super::unicode::Glyph;

/// Sorted by name. Source: the named character references of the HTML Living Standard, 2026-11.
const NAMED: &[(&[u8], char)] = &[
    (b"NewLine", '\n'),
    (b"Tab", '\t'),
    (b"amp", '&'),
    (b"apos", '\''),
    (b"ast", '*'),
    (b"colon", ':'),
    (b"comma", ','),
    (b"commat", '@'),
    (b"dash", '\u{2010}'),
    (b"ensp", '\u{2002}'),
    (b"excl", '!'),
    (b"gt", '>'),
    (b"hyphen", '\u{2010}'),
    (b"lbrack", '['),
    (b"lowbar", '_'),
    (b"lpar", '('),
    (b"lsqb", '['),
    (b"lt", '<'),
    (b"mdash", '\u{2014}'),
    (b"nbsp", '\u{a0}'),
    (b"ndash", '\u{2013}'),
    (b"num", '#'),
    (b"percnt", '%'),
    (b"period", '.'),
    (b"plus", '+'),
    (b"quest", '?'),
    (b"quot", '"'),
    (b"rbrack", ']'),
    (b"rpar", ')'),
    (b"rsqb", ']'),
    (b"semi", ';'),
    (b"shy", '\u{ad}'),
    (b"sol", '/'),
    (b"thinsp", '\u{2009}'),
    (b"verbar", '|'),
    (b"zwj", '\u{200d}'),
    (b"zwnj", '\u{200c}'),
];

/// The longest reference that is looked for, in bytes, `&` and `;` with it.
const MAX_LEN: usize = 12;

/// Decodes the reference at the start of `rest`, which begins with `&`.
pub(super) fn decode(rest: &[u8]) -> Option<(Glyph, usize)> {
    let end = rest.iter().take(MAX_LEN).position(|&b| b == b';')?;
    let name = &rest[1..end];
    let c = match name.strip_prefix(b"#") {
        Some(number) => numeric(number)?,
        None => {
            let i = NAMED
                .binary_search_by_key(&name, |&(known, _)| known)
                .ok()?;
            NAMED[i].1
        }
    };
    let glyph = match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => Glyph::Ascii(byte),
        _ => Glyph::Char(c),
    };
    Some((glyph, end + 1))
}

/// `64` or `x40`.
fn numeric(number: &[u8]) -> Option<char> {
    let (digits, radix) = match number.first()? {
        b'x' | b'X' => (&number[1..], 16),
        _ => (number, 10),
    };
    if digits.is_empty() {
        return None;
    }
    let code = digits.iter().try_fold(0_u32, |n, &b| {
        n.checked_mul(radix)?
            .checked_add((b as char).to_digit(radix)?)
    })?;
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_fit() {
        assert!(NAMED.is_sorted_by(|a, b| a.0 < b.0));
        assert!(NAMED.iter().all(|(name, _)| name.len() + 2 <= MAX_LEN));
    }

    #[test]
    fn references_decode_with_their_length() {
        for (text, len) in [("&#64;x", 5), ("&#x40;", 6), ("&#X40;", 6), ("&commat;", 8)] {
            match decode(text.as_bytes()) {
                Some((Glyph::Ascii(b'@'), found)) => assert_eq!(found, len),
                other => panic!("{text}: {other:?}"),
            }
        }
        for text in [
            "&",
            "&;",
            "&#;",
            "&#x;",
            "&#99999999;",
            "&#xD800;",
            "&commat",
            "&nope;",
        ] {
            assert!(decode(text.as_bytes()).is_none(), "{text}");
        }
    }
}
