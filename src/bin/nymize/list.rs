//! The LISTs of options: words between commas. An empty one is an error, and an unknown
//! word is an error that names the near ones.

use nymize::{Kind, RulePack};

/// The kinds of one `--types` or `--skip-types`, as they were written: rule packs tell which there are.
#[derive(Clone, Debug)]
pub(crate) struct KindList(pub(crate) Vec<String>);

/// The regions of one `--region`, as they were written; the engine knows which there are.
#[derive(Clone, Debug)]
pub(crate) struct RegionList(pub(crate) Vec<String>);

pub(crate) fn kinds(list: &str) -> Result<KindList, String> {
    let kinds = words(list)?.into_iter().map(str::to_owned);
    Ok(KindList(kinds.collect()))
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

/// The kind of this name, in either case: a built-in one, or one of a rule pack.
pub(crate) fn kind(name: &str, packs: &[RulePack]) -> Result<Kind, String> {
    let mut kinds = Kind::ALL.to_vec();
    for entry in packs.iter().flat_map(RulePack::entries) {
        if !kinds.contains(&entry.kind) {
            kinds.push(entry.kind);
        }
    }
    let named = kinds
        .iter()
        .find(|kind| kind.label().eq_ignore_ascii_case(name));
    named.copied().ok_or_else(|| {
        let known: Vec<&str> = kinds.iter().map(Kind::label).collect();
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
        assert_eq!(kinds("EMAIL,ip").unwrap().0, ["EMAIL", "ip"]);
        assert_eq!(kinds(" email , X").unwrap().0, ["email", "X"]);
        assert_eq!(regions("nl,US").unwrap().0, ["NL", "US"]);
        for empty in ["", " ", ",", "EMAIL,", ",IP", "IP,,CARD"] {
            assert!(kinds(empty).is_err(), "{empty:?}");
            assert!(regions(empty).is_err(), "{empty:?}");
        }
    }

    #[test]
    fn kinds_are_built_in_or_of_a_pack() {
        let pack = RulePack::from_yaml("terms: {CODENAME: [Apollo]}", "p").unwrap();
        let packs = [pack];
        assert_eq!(kind("ip", &packs), Ok(Kind::Ip));
        assert_eq!(kind("codename", &packs).unwrap().label(), "CODENAME");
        let error = kind("CODENAMES", &packs).unwrap_err();
        assert!(error.contains("did you mean CODENAME?"), "{error}");
        assert!(kind("CODENAME", &[]).is_err());
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
            let error = kind(name, &[]).unwrap_err();
            assert!(error.contains(&format!("did you mean {meant}?")), "{error}");
        }
        assert!(!kind("ZZZZ", &[]).unwrap_err().contains("mean"));
    }
}
