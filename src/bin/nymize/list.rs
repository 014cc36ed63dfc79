//! The LISTs of options: words between commas. An empty one is an error, and an unknown
//! word is an error that names the near ones.

use nymize::Kind;

/// The kinds of one `--types` or `--skip-types`.
#[derive(Clone, Debug)]
pub(crate) struct KindList(pub(crate) Vec<Kind>);

/// The regions of one `--region`, as they were written; the engine knows which there are.
#[derive(Clone, Debug)]
pub(crate) struct RegionList(pub(crate) Vec<String>);

pub(crate) fn kinds(list: &str) -> Result<KindList, String> {
    let kinds: Result<_, _> = words(list)?.into_iter().map(kind).collect();
    Ok(KindList(kinds?))
}

pub(crate) fn regions(list: &str) -> Result<RegionList, String> {
    let regions = words(list)?.into_iter().map(str::to_ascii_uppercase);
    Ok(RegionList(regions.collect()))
}

fn words(list: &str) -> Result<Vec<&str>, String> {
    let words: Vec<&str> = list.split(',').map(str::trim).collect();
    if words.iter().any(|word| word.is_empty()) {
        return Err("a LIST holds words between commas, none of them empty".to_owned());
    }
    Ok(words)
}

fn kind(name: &str) -> Result<Kind, String> {
    name.parse().map_err(|_| {
        let known: Vec<&str> = Kind::ALL.iter().map(Kind::label).collect();
        match near(&name.to_ascii_uppercase(), &known)[..] {
            [] => format!("unknown type {name:?}; known are {}", known.join(", ")),
            ref near => format!(
                "unknown type {name:?}; did you mean {}? Known are {}",
                near.join(" or "),
                known.join(", ")
            ),
        }
    })
}

/// The known words that `name` may have been meant to be: two slips away at most, and
/// less than half of the word, or the same beginning.
fn near<'k>(name: &str, known: &[&'k str]) -> Vec<&'k str> {
    let is_near = |word: &&str| {
        let slips = distance(name.as_bytes(), word.as_bytes());
        (slips <= 2 && 2 * slips < word.len())
            || (name.len() >= 2 && (word.starts_with(name) || name.starts_with(word)))
    };
    known.iter().copied().filter(is_near).collect()
}

/// How many insertions, deletions, replacements and swaps of neighbours lie between two words.
fn distance(a: &[u8], b: &[u8]) -> usize {
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
    fn lists() {
        assert_eq!(kinds("EMAIL,ip").unwrap().0, [Kind::Email, Kind::Ip]);
        assert_eq!(kinds(" email , IBAN").unwrap().0, [Kind::Email, Kind::Iban]);
        assert_eq!(regions("nl,US").unwrap().0, ["NL", "US"]);
        for empty in ["", " ", ",", "EMAIL,", ",IP", "IP,,CARD"] {
            assert!(kinds(empty).is_err(), "{empty:?}");
            assert!(regions(empty).is_err(), "{empty:?}");
        }
    }

    #[test]
    fn near_words_are_named() {
        for (name, meant) in [
            ("EMIAL", "EMAIL"),
            ("mail", "EMAIL"),
            ("emails", "EMAIL"),
            ("phones", "PHONE"),
            ("PHON", "PHONE"),
            ("crad", "CARD"),
            ("IPV4", "IP"),
            ("iban2", "IBAN"),
        ] {
            let error = kinds(name).unwrap_err();
            assert!(error.contains(&format!("did you mean {meant}?")), "{error}");
        }
        assert!(!kinds("ZZZZ").unwrap_err().contains("mean"));
    }
}
