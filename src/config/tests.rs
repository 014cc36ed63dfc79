//! Configurations as they are written and laid over each other.

use std::path::Path;

use proptest::prelude::*;

use super::read::{KEYS, Reader};
use super::*;
use crate::error::Error;
use crate::kind::Kinds;

fn read_as(role: Role, text: &str) -> Result<Config, Error> {
    Reader {
        file: "f.yaml".into(),
        folder: Path::new("/etc/x"),
        role,
        home: Some(Path::new("/home/u")),
        read: &|path| match path.to_str() {
            Some("/etc/x/pack.yaml") => Ok("terms: {X: [abcd]}".to_owned()),
            _ => Err("cannot be read: no such file".to_owned()),
        },
    }
    .config(text)
}

fn user(text: &str) -> Config {
    read_as(Role::User, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn project(text: &str) -> Config {
    read_as(Role::Project, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn values<T: Clone>(list: &Option<Vec<Setting<T>>>) -> Vec<T> {
    let list = list.iter().flatten();
    list.map(|setting| setting.value.clone()).collect()
}

#[test]
fn every_key_is_read() {
    let config = user(
        "# é\ntypes: [EMAIL, ip]\nskip_types: [IP]\nphone:\n  regions: [nl, \"NO\"]\nip: {keep: \
         [private, 192.0.2.0/24]}\nscope: 'acme'\nhash_length: 16\nkey_file: keys/own\nallow: \
         [jan@example.com, +31612345678, 4111111111111111, /a.*/]\nrule_packs: [pack.yaml]\nfiles: \
         {exclude: ['*.lock', '!keep.lock'], max_size: 10M}\n",
    );
    assert_eq!(values(&config.types), [Kind::Email, Kind::Ip]);
    assert_eq!(values(&config.skip_types), [Kind::Ip]);
    assert_eq!(values(&config.regions), ["NL", "NO"]);
    assert_eq!(values(&config.ip_keep), ["private", "192.0.2.0/24"]);
    let scope = config.scope.unwrap();
    assert_eq!(scope.value, "acme");
    assert_eq!(scope.origin.to_string(), "f.yaml:7:8");
    assert_eq!(config.hash_length.unwrap().value, 16);
    assert_eq!(config.key_file.unwrap().value, Path::new("/etc/x/keys/own"));
    let allow = config.allow.unwrap();
    let texts: Vec<&str> = allow.entries().map(|(text, _)| text).collect();
    assert_eq!(
        texts,
        [
            "jan@example.com",
            "+31612345678",
            "4111111111111111",
            "/a.*/"
        ]
    );
    assert!(config.rules[0].is_pack && config.rules[0].text.contains("abcd"));
    assert_eq!(
        config.exclude.unwrap().value.globs,
        ["*.lock", "!keep.lock"]
    );
    assert_eq!(config.max_size.unwrap().value, 10 << 20);
    let home = user("key_file: ~/k").key_file.unwrap();
    assert_eq!(home.value, Path::new("/home/u/k"));
}

#[test]
fn rules_and_terms_are_handed_on_with_the_whole_text() {
    let text = "scope: x\nterms: {A: [Apollo]}\nrules:\n  - {type: T, pattern: x}\n";
    let config = user(text);
    let [source] = &config.rules[..] else {
        panic!("one source");
    };
    assert_eq!((source.text.as_str(), source.is_pack), (text, false));
    assert_eq!(source.origin.to_string(), "f.yaml:2:1");
    assert!(!format!("{config:?}").contains("Apollo"));
}

#[test]
fn an_empty_file_says_nothing() {
    for text in ["", "# nothing\n", "---\n", "{}"] {
        let config = user(text);
        assert!(config.types.is_none() && config.allow.is_none() && config.rules.is_empty());
    }
}

/// What is wrong, where, and what is said of it.
const WRONG: &[(&str, &str)] = &[
    // Keys.
    (
        "typs: [EMAIL]",
        "1:1: unknown key `typs`; did you mean `types`?",
    ),
    (
        "scope: x\nhashlength: 8",
        "2:1: unknown key `hashlength`; did you mean `hash_length`?",
    ),
    (
        "regions: [NL]",
        "1:1: unknown key `regions`; did you mean `regions` below `phone`?",
    ),
    (
        "phone.regions: [NL]",
        "did you mean `regions` below `phone`?",
    ),
    ("ip.keep: [private]", "did you mean `keep` below `ip`?"),
    (
        "phone: {region: [NL]}",
        "1:9: unknown key `region`; did you mean `regions`?",
    ),
    (
        "files: {xyz: 1}",
        "1:9: unknown key `xyz`; `files` holds exclude and max_size",
    ),
    ("secret@example.com: 1", "1:1: unknown key"),
    ("zzz: 1", "1:1: unknown key `zzz`"),
    (
        "scope: a\nscope: b",
        "2:1: key `scope` stands here a second time",
    ),
    // Types of values.
    ("- secret", "1:1: a configuration is a mapping"),
    ("secret", "1:1: a configuration is a mapping"),
    ("types: EMAIL", "1:8: `types` is a list"),
    ("types:", "`types` is a list"),
    ("types: {EMAIL: on}", "`types` is a list"),
    ("types: [[EMAIL]]", "`types` takes text"),
    ("types: []", "1:8: `types` is empty"),
    ("phone: [NL]", "1:8: `phone` is a mapping"),
    ("phone: {regions: NL}", "1:18: `phone.regions` is a list"),
    ("ip: {keep: private}", "`ip.keep` is a list"),
    ("scope: 2024", "1:8: `scope` takes text; put this in quotes"),
    ("scope: true", "put this in quotes"),
    ("scope:", "`scope` takes text"),
    ("scope: [a]", "`scope` takes text"),
    (
        "hash_length: '16'",
        "1:14: `hash_length` is an even number from 8 to 64",
    ),
    ("hash_length: 16.0", "`hash_length` is an even number"),
    ("key_file: ''", "1:11: `key_file` is an empty path"),
    ("allow: jan@example.com", "1:8: `allow` is a list"),
    ("allow: [{pattern: jan}]", "1:9: `allow` takes text"),
    ("allow: [null]", "1:9: `allow` takes text"),
    ("allow:\n  - a@x.nl\n  - true", "3:5: `allow` takes text"),
    ("rules: {type: secret}", "1:8: `rules` is a list"),
    ("terms: [secret]", "1:8: `terms` is a mapping"),
    ("rule_packs: pack.yaml", "1:13: `rule_packs` is a list"),
    ("files: 3", "1:8: `files` is a mapping"),
    // Values.
    (
        "types: [EMIAL]",
        "1:9: unknown type in `types`; did you mean EMAIL?",
    ),
    (
        "types: [IP, SECRET]",
        "1:13: unknown type in `types`; known are EMAIL, ",
    ),
    (
        "skip_types: [mail]",
        "1:14: unknown type in `skip_types`; did you mean EMAIL?",
    ),
    (
        "phone:\n  regions:\n    - NL\n    - UK",
        "4:7: unknown region in `phone.regions`; ",
    ),
    ("phone: {regions: [UK]}", "(near: GB"),
    (
        "ip: {keep: [10.0.0.0/33]}",
        "1:13: `ip.keep` takes private, link-local",
    ),
    ("ip: {keep: [secret]}", "1:13: `ip.keep` takes"),
    (
        "hash_length: 7",
        "`hash_length` is an even number from 8 to 64",
    ),
    (
        "hash_length: 66",
        "`hash_length` is an even number from 8 to 64",
    ),
    (
        "hash_length: 99999999999999999999",
        "`hash_length` is an even number from 8 to 64",
    ),
    (
        "files: {exclude: ['a[']}",
        "1:19: `files.exclude` takes globs",
    ),
    (
        "files: {exclude: ['']}",
        "1:19: `files.exclude` takes globs",
    ),
    (
        "files: {max_size: big}",
        "1:19: `files.max_size` is a number of bytes",
    ),
    ("files: {max_size: -1}", "`files.max_size` is a number"),
    (
        "files: {max_size: 99999999999G}",
        "`files.max_size` is a number",
    ),
    (
        "rule_packs: [pack.yaml, secret.yaml]",
        "1:25: this file of `rule_packs` cannot be read",
    ),
    // YAML.
    ("scope: 'secret", "this is no YAML"),
    ("scope: a\n\ttypes: [IP]", "this is no YAML"),
    ("scope: &a secret", "1:8: anchors"),
];

#[test]
fn what_is_wrong_is_told_with_its_place_and_without_its_value() {
    for (text, said) in WRONG {
        let error = read_as(Role::User, text).unwrap_err().to_string();
        assert!(
            error.starts_with("f.yaml:") && error.contains(said),
            "{text:?}: {error}"
        );
        for value in [
            "secret", "SECRET", "jan", "UK", "EMIAL", "0/33", "big", "a[",
        ] {
            assert!(!error.contains(value), "{text:?}: {error}");
        }
    }
}

#[test]
fn only_the_user_names_a_key() {
    for role in [Role::Project, Role::Named] {
        let error = read_as(role, "scope: x\nkey_file: secret")
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("f.yaml:2:1: `key_file` belongs in"),
            "{error}"
        );
        assert!(!error.contains("secret"));
    }
}

#[test]
fn globs_of_a_project_count_from_its_folder() {
    let text = "files: {exclude: [/vendor]}";
    assert_eq!(
        project(text).exclude.unwrap().value.root,
        Path::new("/etc/x")
    );
    assert_eq!(user(text).exclude.unwrap().value.root, Path::new(""));
}

#[test]
fn the_schema_has_the_keys_of_the_reader() {
    let schema: serde_json::Value = serde_json::from_str(Config::SCHEMA).unwrap();
    let mut keys = Vec::new();
    for (key, value) in schema["properties"].as_object().unwrap() {
        let inside = matches!(key.as_str(), "phone" | "ip" | "files");
        match value["properties"].as_object().filter(|_| inside) {
            Some(inner) => keys.extend(inner.keys().map(|name| format!("{key}.{name}"))),
            None => keys.push(key.clone()),
        }
    }
    keys.sort();
    assert_eq!(keys, KEYS);
}

mod layers {
    use super::*;

    fn of(layers: &[(&Config, Obey)]) -> Settings {
        let mut settings = Settings::default();
        for (config, obey) in layers {
            settings.lay((*config).clone(), *obey);
        }
        settings
    }

    fn on(settings: &Settings) -> Vec<Kind> {
        let kinds = settings.kinds().value;
        let all = Kind::ALL.into_iter();
        all.filter(|kind| kinds.contains(*kind)).collect()
    }

    fn told(settings: &Settings) -> Vec<(&'static str, String)> {
        let left_out = settings.left_out().into_iter();
        left_out
            .map(|left| (left.key, left.origin.to_string()))
            .collect()
    }

    #[test]
    fn nothing_is_the_default() {
        let settings = Settings::default();
        assert_eq!(settings.kinds().value, Kinds::ALL);
        assert_eq!(settings.hash_length().value, 8);
        assert_eq!(settings.scope().value, "");
        assert!(settings.regions().value.is_empty() && settings.regions().origins.is_empty());
        assert!(settings.allow().is_empty() && settings.key_file().is_none());
        assert_eq!(settings.max_size().value, None);
    }

    #[test]
    fn the_highest_counts_where_values_cannot_add_up() {
        let low = user(
            "scope: low\nhash_length: 16\nphone: {regions: [NL]}\nip: {keep: [private]}\nfiles: {max_size: 1K}",
        );
        let high = project("scope: high\nphone: {regions: [DE, BE]}\nip: {keep: []}");
        let settings = of(&[(&low, Obey::All), (&high, Obey::All)]);
        assert_eq!(settings.scope().value, "high");
        assert_eq!(settings.hash_length().value, 16);
        assert_eq!(settings.regions().value, ["DE", "BE"]);
        assert_eq!(settings.ip_keep().value, [] as [&str; 0]);
        assert_eq!(settings.max_size().value, Some(1024));
        assert_eq!(told(&settings), []);
    }

    #[test]
    fn allow_rules_and_globs_add_up() {
        let low = user("allow: [a@x.nl]\nrule_packs: [pack.yaml]\nfiles: {exclude: [a]}");
        let high = project("allow: [b@x.nl]\nterms: {T: [abcd]}\nfiles: {exclude: [b]}");
        let settings = of(&[(&low, Obey::All), (&high, Obey::All)]);
        let allow = settings.allow();
        let texts: Vec<&str> = allow.entries().map(|(text, _)| text).collect();
        assert_eq!(texts, ["a@x.nl", "b@x.nl"]);
        let packs: Vec<bool> = settings.rules().map(|source| source.is_pack).collect();
        assert_eq!(packs, [true, false]);
        assert_eq!(settings.exclude().len(), 2);
    }

    #[test]
    fn types_begin_anew_and_skipped_ones_are_taken_off() {
        let low = user("types: [EMAIL, CARD, IP]\nskip_types: [CARD]");
        assert_eq!(on(&of(&[(&low, Obey::All)])), [Kind::Email, Kind::Ip]);
        let skip = project("skip_types: [IP]");
        assert_eq!(
            on(&of(&[(&low, Obey::All), (&skip, Obey::All)])),
            [Kind::Email]
        );
        let anew = project("types: [CARD]");
        let settings = of(&[(&low, Obey::All), (&skip, Obey::All), (&anew, Obey::All)]);
        assert_eq!(on(&settings), [Kind::Card]);
        let origins: Vec<String> = settings
            .kinds()
            .origins
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(origins, ["f.yaml:1:9"]);
    }

    /// The cloned-repository rule, key by key: what protects as much or more is taken, the rest not.
    #[test]
    fn a_projects_file_may_protect_more_and_never_less() {
        let low = user("types: [EMAIL, IP]\nphone: {regions: [NL]}\nscope: mine");
        let above = |text: &str| of(&[(&low, Obey::All), (&project(text), Obey::WhatProtects)]);

        let it = above("types: [CARD]");
        assert_eq!(on(&it), [Kind::Email, Kind::Card, Kind::Ip]);
        assert_eq!(told(&it), [("types", "f.yaml:1:9".to_owned())]);

        let it = above("types: [EMAIL, IP, PHONE]");
        assert_eq!(on(&it), [Kind::Email, Kind::Phone, Kind::Ip]);
        assert_eq!(told(&it), []);

        let it = above("types: [EMAIL, IP, PHONE]\nskip_types: [PHONE, IP]");
        assert_eq!(on(&it), [Kind::Email, Kind::Ip]);
        assert_eq!(told(&it), [("skip_types", "f.yaml:2:14".to_owned())]);

        let it = above("phone: {regions: [DE, NL]}");
        assert_eq!(it.regions().value, ["NL", "DE"]);
        assert_eq!(told(&it), []);

        let it = above("ip: {keep: [private]}");
        assert!(it.ip_keep().value.is_empty());
        assert_eq!(told(&it), [("ip.keep", "f.yaml:1:13".to_owned())]);
        assert!(told(&above("ip: {keep: []}")).is_empty());

        let it = above("allow: [jan@example.com]");
        assert!(it.allow().is_empty());
        assert_eq!(told(&it), [("allow", "f.yaml:1:9".to_owned())]);

        let it = above("scope: theirs\nhash_length: 16\nterms: {T: [abcd]}");
        assert_eq!(it.scope().value, "theirs");
        assert_eq!(it.hash_length().value, 16);
        assert_eq!(it.rules().count(), 1);
        assert_eq!(told(&it), []);
    }

    #[test]
    fn without_a_users_types_a_project_can_add_none() {
        let it = of(&[(&project("types: [CARD]"), Obey::WhatProtects)]);
        assert_eq!(it.kinds().value, Kinds::ALL);
        assert_eq!(told(&it).len(), 1);
    }

    #[test]
    fn what_lies_above_a_project_counts_more() {
        let file = project("types: [CARD]\nphone: {regions: [DE]}");
        let mut top = Config::default();
        let origin = Origin::Option("--types");
        top.types = Some(vec![Setting::new(Kind::Ip, origin.clone())]);
        top.regions = Some(vec![Setting::new("FR".to_owned(), origin)]);
        let it = of(&[(&file, Obey::WhatProtects), (&top, Obey::All)]);
        assert_eq!(on(&it), [Kind::Ip]);
        assert_eq!(it.regions().value, ["FR"]);
    }
}

mod variables {
    use super::*;

    fn from(name: &'static str, value: &str) -> Result<Config, Error> {
        let value = value.to_owned();
        Config::from_variables(move |asked| (asked == name).then(|| value.clone().into()))
    }

    #[test]
    fn each_sets_its_key() {
        assert_eq!(
            values(&from("NYMIZE_TYPES", "email, IP").unwrap().types),
            [Kind::Email, Kind::Ip]
        );
        assert_eq!(
            values(&from("NYMIZE_SKIP_TYPES", "IP").unwrap().skip_types),
            [Kind::Ip]
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
            ("NYMIZE_TYPES", "EMIAL"),
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
            assert!(
                !error.contains("secret") && !error.contains("EMIAL"),
                "{error}"
            );
        }
    }
}

proptest! {
    /// Pieces of configurations in any order: an error or a configuration, never a panic.
    #[test]
    fn no_text_panics(pieces in prop::collection::vec(prop::sample::select(vec![
        "types:", "skip_types:", "phone:", "regions:", "ip:", "keep:", "scope:", "hash_length:",
        "allow:", "rules:", "terms:", "rule_packs:", "files:", "exclude:", "max_size:", " ", "\n",
        "  ", "- ", "[", "]", "{", "}", ",", "EMAIL", "NL", "16", "é", "a@x.nl", "/x/", "'", "\"",
        "|", "#", "&a", "*a", "~", "0x1", "-", "1e5", "!t",
    ]), 0..24)) {
        let _ = read_as(Role::User, &pieces.concat());
    }
}
