//! The environment.

use super::*;

fn from(name: &'static str, value: &str) -> Result<Config, Error> {
    let value = value.to_owned();
    Config::from_variables(move |asked| (asked == name).then(|| value.clone().into()))
}

#[test]
fn each_sets_its_key() {
    assert_eq!(
        values(&from("NYMIZE_TYPES", "email, IP").unwrap().types),
        ["EMAIL", "IP"]
    );
    assert_eq!(
        values(&from("NYMIZE_SKIP_TYPES", "IP").unwrap().skip_types),
        ["IP"]
    );
    assert_eq!(
        values(&from("NYMIZE_REGION", "nl,US").unwrap().regions),
        ["NL", "US"]
    );
    assert_eq!(
        values(&from("NYMIZE_IP_KEEP", "private").unwrap().ip_keep),
        ["private"]
    );
    assert_eq!(
        from("NYMIZE_HASH_LENGTH", "16")
            .unwrap()
            .hash_length
            .unwrap()
            .value,
        16
    );
    assert_eq!(from("NYMIZE_SCOPE", "").unwrap().scope.unwrap().value, "");
    let scope = from("NYMIZE_SCOPE", "x").unwrap().scope.unwrap();
    assert_eq!(scope.origin.to_string(), "NYMIZE_SCOPE");
    for (_, key) in VARIABLES {
        assert!(KEYS.contains(&key), "{key}");
    }
}

#[test]
fn what_is_none_is_told_by_the_variables_name() {
    for (name, value) in [
        ("NYMIZE_TYPES", ""),
        ("NYMIZE_SKIP_TYPES", "IP,,IP"),
        ("NYMIZE_REGION", "secret"),
        ("NYMIZE_REGION", ","),
        ("NYMIZE_IP_KEEP", "secret"),
        ("NYMIZE_HASH_LENGTH", "7"),
        ("NYMIZE_HASH_LENGTH", "+16"),
        ("NYMIZE_HASH_LENGTH", ""),
    ] {
        let error = from(name, value).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{name}: ")), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }
}
