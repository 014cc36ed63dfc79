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
    name.parse()
        .map_err(|error: nymize::Error| error.to_string())
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
