//! Folding of a whole piece, not only of what stands around a place.

use std::ops::Range;

use super::unicode::{self, Glyph};
use super::{Folded, Purpose, Reading, unit_start};

impl Folded {
    /// Folds all of `raw[span]`, as numbers are folded.
    pub(crate) fn fold_all(&mut self, raw: &[u8], span: Range<usize>) {
        self.bytes.clear();
        self.runs.clear();
        self.plain.block = 0..0;
        let mut pos = unit_start(raw, span.clone());
        let mut invisible = 0;
        while pos < span.end {
            let plain = self.plain.run(raw, pos..span.end, Reading::Plain);
            if plain > 0 {
                self.put_plain(&raw[pos..pos + plain], pos);
                (pos, invisible) = (pos + plain, 0);
                continue;
            }
            let how = (Purpose::Number, Reading::Plain);
            let (mut glyph, mut len) = self.next(raw, pos, span.end, how);
            if glyph == Glyph::Ascii(b'\\') && len == 1 {
                // It begins no escape, and neither does the row that it begins: a long one is not gone
                // through again for each of its bytes.
                let row = raw[pos..span.end].iter().take_while(|&&b| b == b'\\');
                (glyph, len) = (Glyph::Raw, row.count().max(1));
            }
            self.put_glyph(raw, pos..pos + len, glyph, &mut invisible);
            pos += len;
        }
    }

    /// Where in the folded text the raw position `at` is, or what follows it.
    pub(crate) fn position(&self, at: usize) -> usize {
        // The last run that begins before it.
        let behind = self.runs.partition_point(|run| run.raw < at);
        let Some(run) = behind.checked_sub(1).map(|last| self.runs[last]) else {
            return 0;
        };
        let end = self
            .runs
            .get(behind)
            .map_or(self.bytes.len(), |run| run.folded);
        match run.unit {
            0 => end.min(run.folded + at - run.raw),
            _ => end,
        }
    }
}

/// Whether folding leaves all of `raw` as it is: ASCII without escapes, and characters of blocks that
/// hold none that stand for others (U+00C0 to U+05FF, U+4000 to U+9FFF).
pub(in super::super) fn is_inert(raw: &[u8]) -> bool {
    let odd = raw.iter().fold(0_u8, |odd, &b| {
        let foreign = (b >= 0xC0) & !(0xC3..=0xD7).contains(&b) & !(0xE4..=0xE9).contains(&b);
        odd | u8::from(foreign)
            | u8::from(b == b'%')
            | u8::from(b == b'&')
            | u8::from(b == b'\\')
            | u8::from(b == 0x1B)
    });
    odd == 0
}

/// A text as a folded one shows it.
pub(crate) fn plain(text: &str) -> String {
    let mut folded = Folded::default();
    folded.fold_all(text.as_bytes(), 0..text.len());
    String::from_utf8_lossy(folded.bytes()).into_owned()
}

/// What a folded text shows in the place of `c`: another character, or nothing; `None` where it
/// stays.
pub(crate) fn stands_for(c: char) -> Option<String> {
    match unicode::fold(c, Purpose::Number) {
        Glyph::Ascii(byte) if char::from(byte) != c => Some(char::from(byte).to_string()),
        Glyph::Invisible => Some(String::new()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_piece_is_folded_with_its_places() {
        let raw = "x\\u0041p%6Fllo é\\n\\nZ";
        let mut folded = Folded::default();
        folded.fold_all(raw.as_bytes(), 0..raw.len());
        assert_eq!(folded.bytes(), "xApollo é\n\nZ".as_bytes());
        assert_eq!(folded.position(0), 0);
        assert_eq!(folded.position(1), 1, "the escape's first byte");
        assert_eq!(folded.position(2), 2, "behind it");
        assert_eq!(folded.position(raw.len()), folded.bytes().len());
        assert_eq!(folded.raw_range(1..7), Some(1..14));
        folded.fold_all(raw.as_bytes(), 1..7);
        assert_eq!(folded.bytes(), b"A");
    }

    #[test]
    fn what_is_inert_is_not_changed() {
        let mut inert = 0;
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            if is_inert(text.as_bytes()) {
                inert += 1;
                assert_eq!(plain(&text), text);
            }
        }
        assert!(inert > 20_000, "{inert}");
        for text in [
            "%41",
            "&#65;",
            "\\u0041",
            "\u{1b}[31m",
            "\u{ad}",
            "\u{660}",
            "\u{2010}",
            "\u{3000}",
        ] {
            assert!(!is_inert(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn texts_are_shown_plain() {
        assert_eq!(plain("Ａ\u{2011}７%41\u{200b}é"), "A-7Aé");
        assert_eq!(stands_for('\u{2013}').as_deref(), Some("-"));
        assert_eq!(stands_for('\u{ad}').as_deref(), Some(""));
        assert_eq!(stands_for('é'), None);
        assert_eq!(stands_for('-'), None);
    }
}
