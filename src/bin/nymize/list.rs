//! The LISTs of options: words between commas. An empty one is an error.

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
}
