//! Words that one may have been meant to be: for messages about typing errors.

/// The known words that `name` may have been meant to be, the nearest first: two slips away at most,
/// and less than half of the word, or the same beginning.
pub(crate) fn near<'k>(name: &str, known: &[&'k str]) -> Vec<&'k str> {
    // No known word is so long, and the distance to a long one takes long.
    if name.len() > 64 {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|word| (strsim::osa_distance(name, word), *word))
        .filter(|(slips, word)| {
            (*slips <= 2 && 2 * slips < word.len())
                || (name.len() >= 2 && (word.starts_with(name) || name.starts_with(word)))
        })
        .collect();
    near.sort_by_key(|(slips, _)| *slips);
    near.into_iter().map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_beginnings_are_near() {
        let known = ["types", "skip_types", "scope", "hash_length", "ip"];
        for (name, meant) in [
            ("typs", "types"),
            ("tpyes", "types"),
            ("type", "types"),
            ("hashlength", "hash_length"),
            ("hash_lenght", "hash_length"),
            ("ip_keep", "ip"),
            ("skip_type", "skip_types"),
        ] {
            assert_eq!(near(name, &known), [meant], "{name}");
        }
        for name in ["", "x", "colour", "s", &"types".repeat(20)] {
            assert!(near(name, &known).is_empty(), "{name}");
        }
    }
}
