//! The name that was meant.

/// The known name that is one or two slips away from `name`, the nearest first.
pub(super) fn near<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    known
        .iter()
        .map(|&word| (slips(name.as_bytes(), word.as_bytes()), word))
        .filter(|&(slips, word)| slips <= 2 && 2 * slips < word.len())
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, word)| word)
}

/// How many insertions, deletions, replacements and swaps of neighbours lie between two words.
fn slips(a: &[u8], b: &[u8]) -> usize {
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX / 2;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_forgiven_and_other_words_are_not() {
        let known = ["pattern", "keywords", "examples", "type"];
        for (name, meant) in [
            ("patern", Some("pattern")),
            ("keyword", Some("keywords")),
            ("exmaples", Some("examples")),
            ("tpye", Some("type")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(near(name, &known), meant, "{name}");
        }
    }
}
