//! Words that tell what digits are, as build.rs makes them from `words.yaml`: in lower case and
//! sorted by their bytes.

include!(concat!(env!("OUT_DIR"), "/words.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_in_lower_case() {
        for list in [
            PHONE_WORDS,
            PHONE_STEMS,
            PHONE_MARKS,
            DOCUMENT_WORDS,
            NUMBER_WORDS,
            FILLERS,
        ] {
            assert!(!list.is_empty());
            assert!(list.is_sorted_by(|a, b| a < b));
            assert!(list.iter().all(|word| word.to_lowercase() == *word));
        }
    }
}
