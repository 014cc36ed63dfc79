//! What the first bytes of an input say about it. UTF-16 is decoded, filtered, and written
//! back in the same encoding; what would pass as clean because it is packed or in another
//! encoding is refused; all else is bytes.

mod utf16;

pub(crate) use self::utf16::{Decoder, Encoder, utf16_len};

/// How the text of an input is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// UTF-8, or anything else that holds ASCII.
    Bytes,
    /// UTF-16, with the lower byte first.
    Utf16Le,
    /// UTF-16, with the higher byte first.
    Utf16Be,
}

/// What can be said of an input after its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing yet: more bytes are needed.
    Open,
    /// It is text.
    Text(Encoding),
    /// It is refused: what it seems to be.
    Refused(&'static str),
}

const UTF_32: &str = "UTF-32 text; convert it to UTF-8 first";

/// Beginnings that are refused.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x1f\x8b", "gzip data; unpack it first"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"PK\x05\x06", "a zip archive; unpack it first"),
    (b"PK\x07\x08", "a zip archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd data; unpack it first"),
    (b"\xfd7zXZ\0", "xz data; unpack it first"),
    (b"%PDF-", "a PDF; extract its text first"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\0\0\xfe\xff", UTF_32),
    (b"\xff\xfe\0\0", UTF_32),
];

/// bzip2: `BZh`, the block size, then the mark of a block or of the end.
const BZIP2: [&[u8]; 2] = [b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"];

const UNCLEAR: &str = "either UTF-16 text or a list of names parted by NUL bytes; convert it to \
                       UTF-8, or put a byte order mark or a longer name first";

/// The most bytes that are ever needed to tell.
const HEAD: usize = 64;

/// Tells by its first bytes what an input is. With `at_end` there are no more of them, and
/// the verdict is never open.
pub(crate) fn sniff(head: &[u8], at_end: bool) -> Verdict {
    let mut open = false;
    // Whether `head` begins with a pattern of single bytes, or may still do so.
    let mut begins = |pattern: &[Test]| {
        let fits = head
            .iter()
            .zip(pattern)
            .all(|(&byte, test)| test.fits(byte));
        open |= fits && head.len() < pattern.len();
        fits && head.len() >= pattern.len()
    };
    for &(magic, what) in MAGIC {
        if begins(&Test::all(magic)) {
            return Verdict::Refused(what);
        }
    }
    for mark in BZIP2 {
        if begins(&[&Test::all(b"BZh")[..], &[Test::Level], &Test::all(mark)].concat()) {
            return Verdict::Refused("bzip2 data; unpack it first");
        }
    }
    let (x, o) = (Test::Printable, Test::Is(0));
    if begins(&[x, o, o, o, x, o, o, o]) || begins(&[o, o, o, x, o, o, o, x]) {
        return Verdict::Refused(UTF_32);
    }
    if begins(&[x, o, x, o]) {
        return utf_16_or_names(head, at_end);
    }
    let big = begins(&[o, x, o, x]);
    let little_mark = begins(&Test::all(b"\xff\xfe"));
    let big_mark = begins(&Test::all(b"\xfe\xff"));
    if open && !at_end && head.len() < HEAD {
        return Verdict::Open;
    }
    Verdict::Text(if little_mark {
        Encoding::Utf16Le
    } else if big || big_mark {
        Encoding::Utf16Be
    } else {
        Encoding::Bytes
    })
}

/// How many ASCII characters of UTF-16 in a row tell that it is UTF-16: as many names of one letter
/// begin no list.
const ASCII_ROW: usize = 8;
/// How many pairs of bytes that are ASCII tell that it is none: as characters of UTF-16 they would be
/// ideographs, of which three in four have another byte.
const ASCII_PAIRS: usize = 8;

/// Tells UTF-16 from names parted by NUL bytes, as `find -print0` writes them: where the first two
/// have one letter, they begin alike. What stays unclear is refused, since either reading would
/// pass the other by as clean. The verdict hangs on the bytes alone, not on how many are at hand.
fn utf_16_or_names(head: &[u8], at_end: bool) -> Verdict {
    let at_hand = &head[..head.len().min(HEAD)];
    let (utf_8, invalid) = match std::str::from_utf8(at_hand) {
        Ok(_) => (at_hand.len(), false),
        Err(error) => (error.valid_up_to(), error.error_len().is_some()),
    };
    let (mut row, mut pairs) = (0, 0);
    for (i, unit) in at_hand.chunks(2).enumerate() {
        if 2 * i + unit.len() > utf_8 {
            if invalid {
                return Verdict::Text(Encoding::Utf16Le);
            }
            break;
        }
        match *unit {
            [b'\n', 0] if pairs == 0 => return Verdict::Text(Encoding::Utf16Le),
            [0, 0] => row = 0,
            [_, 0] => row += 1,
            [0] if !at_end => {}
            // The end of a name where UTF-16 has none.
            [0, ..] => return Verdict::Text(Encoding::Bytes),
            [low, high] if low >= b' ' && high >= b' ' => {
                pairs += 1;
                row = 0;
            }
            [_, _] => return Verdict::Text(Encoding::Utf16Le),
            _ => {}
        }
        if row == ASCII_ROW {
            return Verdict::Text(Encoding::Utf16Le);
        }
        if pairs == ASCII_PAIRS {
            return Verdict::Text(Encoding::Bytes);
        }
    }
    if !at_end && head.len() < HEAD {
        Verdict::Open
    } else if pairs == 0 {
        Verdict::Text(Encoding::Utf16Le)
    } else {
        Verdict::Refused(UNCLEAR)
    }
}

/// What one byte of a beginning has to be.
#[derive(Clone, Copy)]
enum Test {
    Is(u8),
    /// Printable ASCII.
    Printable,
    /// A block size of bzip2.
    Level,
}

impl Test {
    fn all(bytes: &[u8]) -> Vec<Test> {
        bytes.iter().copied().map(Test::Is).collect()
    }

    fn fits(self, byte: u8) -> bool {
        match self {
            Test::Is(wanted) => byte == wanted,
            Test::Printable => matches!(byte, 0x20..=0x7e),
            Test::Level => matches!(byte, b'1'..=b'9'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_at_its_first_line() {
        for head in [
            "{", "a\n", "mail", "BZ\n", "BZh1A\n", "PK\n", "%PD\n", "SQLite\n", "\n", "é",
        ] {
            assert_eq!(
                sniff(head.as_bytes(), true),
                Verdict::Text(Encoding::Bytes),
                "{head:?}"
            );
            if head.ends_with('\n') || head == "é" {
                assert_eq!(
                    sniff(head.as_bytes(), false),
                    Verdict::Text(Encoding::Bytes),
                    "{head:?}"
                );
            }
        }
    }

    #[test]
    fn what_begins_like_something_else_is_refused() {
        let heads: [&[u8]; 14] = [
            b"\x1f\x8b\x08\0",
            b"PK\x03\x04rest",
            b"\x28\xb5\x2f\xfd",
            b"\xfd7zXZ\0",
            b"BZh91AY&SYrest",
            b"BZh1\x17\x72\x45\x38\x50\x90",
            b"%PDF-1.7",
            b"\x89PNG\r\n\x1a\n",
            b"\xff\xd8\xff\xe0",
            b"SQLite format 3\0",
            b"\xff\xfe\0\0a\0\0\0",
            b"\0\0\xfe\xff\0\0\0a",
            b"a\0\0\0b\0\0\0",
            b"\0\0\0a\0\0\0b",
        ];
        for head in heads {
            for at_end in [false, true] {
                assert!(
                    matches!(sniff(head, at_end), Verdict::Refused(_)),
                    "{head:?}"
                );
            }
        }
    }

    #[test]
    fn utf_16_is_told() {
        use Encoding::{Utf16Be, Utf16Le};
        for (head, encoding) in [
            (&b"\xff\xfea\0"[..], Utf16Le),
            (b"\xfe\xff\0a", Utf16Be),
            (b"m\0a\0i\0l\0 \0j\0a\0n\0", Utf16Le),
            (b"o\0k\0\n\0", Utf16Le),
            (b"\0a\0b", Utf16Be),
        ] {
            assert_eq!(sniff(head, false), Verdict::Text(encoding));
            for cut in 1..head.len() {
                // A mark is told as soon as UTF-32 is out of the question: its little-endian mark
                // begins like that of UTF-16, its big-endian one does not.
                let early = (head[0] == 0xff && cut == 3) || (head[0] == 0xfe && cut >= 2);
                let expected = if early {
                    Verdict::Text(encoding)
                } else {
                    Verdict::Open
                };
                assert_eq!(sniff(&head[..cut], false), expected, "{head:?} {cut}");
            }
        }
        assert_eq!(sniff(b"a\0b\0", true), Verdict::Text(Utf16Le));
        assert_eq!(sniff(b"a\0b", true), Verdict::Text(Encoding::Bytes));
        assert_eq!(sniff(b"\xff\xfe", true), Verdict::Text(Utf16Le));
        assert_eq!(sniff(b"a\0\n\0", true), Verdict::Text(Encoding::Bytes));
    }

    #[test]
    fn utf_16_is_told_from_names_parted_by_nul() {
        use Encoding::{Bytes, Utf16Le};
        let utf16 =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        let names = |text: &str| text.replace(' ', "\0").into_bytes();
        let long = "a b ".to_owned() + &"éèé".repeat(20) + " x";
        for (head, verdict) in [
            (names("a b jan@x.nl "), Verdict::Text(Bytes)),
            (names("a b jan@x.nl c d "), Verdict::Text(Bytes)),
            (names("a b a/longer/name/of/odd/len "), Verdict::Text(Bytes)),
            (names("1 2 café/xy "), Verdict::Text(Bytes)),
            (names(&long), Verdict::Text(Bytes)),
            // As well two letters, an ideograph and another letter.
            (names("a b abc "), Verdict::Refused(UNCLEAR)),
            (names("a b abc def "), Verdict::Refused(UNCLEAR)),
            (names("a b abc"), Verdict::Refused(UNCLEAR)),
            (names("a b c d e f g h "), Verdict::Text(Utf16Le)),
            (utf16("ab"), Verdict::Text(Utf16Le)),
            (utf16("1.日本語のテキスト"), Verdict::Text(Utf16Le)),
            (utf16("[INFO] 启动 jan@x.nl"), Verdict::Text(Utf16Le)),
            (utf16("IDé jan@x.nl"), Verdict::Text(Utf16Le)),
            (utf16("ab\r\n扡扡扡扡扡扡扡扡"), Verdict::Text(Utf16Le)),
            (utf16("ab\0cd\0"), Verdict::Text(Utf16Le)),
        ] {
            assert_eq!(sniff(&head, true), verdict, "{head:?}");
            // Fewer bytes tell the same, or nothing yet.
            for cut in 0..head.len() {
                let early = sniff(&head[..cut], false);
                assert!(early == verdict || early == Verdict::Open, "{head:?} {cut}");
            }
        }
    }
}
