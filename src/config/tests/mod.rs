//! Configurations as they are written and laid over each other.

mod layers;
mod variables;

use std::path::Path;

use proptest::prelude::*;

use super::read::{KEYS, Reader};
use super::*;
use crate::error::Error;

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
    assert_eq!(values(&config.types), ["EMAIL", "IP"]);
    assert_eq!(values(&config.skip_types), ["IP"]);
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
    let packs = config.rule_packs.unwrap();
    assert_eq!(packs[0].value.file_name(), "/etc/x/pack.yaml");
    assert_eq!(packs[0].origin.to_string(), "f.yaml:11:14");
    assert_eq!(
        config.exclude.unwrap().value.globs,
        ["*.lock", "!keep.lock"]
    );
    assert_eq!(config.max_size.unwrap().value, 10 << 20);
    let home = user("key_file: ~/k").key_file.unwrap();
    assert_eq!(home.value, Path::new("/home/u/k"));
}

#[test]
fn rules_and_terms_are_a_pack() {
    let text = "scope: x\nterms: {A: [Apollo]}\nrules:\n  - {type: T, pattern: '\\bT-[0-9]+\\b'}\n";
    let config = user(text);
    let packs = config.rule_packs.as_ref().unwrap();
    let [pack] = &packs[..] else {
        panic!("one pack");
    };
    assert_eq!(pack.value.file_name(), "f.yaml");
    let kinds: Vec<String> = pack
        .value
        .entries()
        .iter()
        .map(|e| e.kind.to_string())
        .collect();
    assert_eq!(kinds, ["T", "A"]);
    assert_eq!(pack.origin.to_string(), "f.yaml:2:1");
    assert!(!format!("{config:?}").contains("Apollo"));
}

#[test]
fn an_empty_file_says_nothing() {
    for text in ["", "# nothing\n", "---\n", "{}"] {
        let config = user(text);
        assert!(config.types.is_none() && config.allow.is_none() && config.rule_packs.is_none());
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
    ("rules: {type: secret}", "1:8: a list must stand here"),
    ("terms: [secret]", "1:8: keys and values must stand here"),
    (
        "terms: {A: [secret]}\nrules: [{type: B, pattern: abc, typ: secret}]",
        "unknown key \"typ\"",
    ),
    ("rule_packs: pack.yaml", "1:13: `rule_packs` is a list"),
    ("files: 3", "1:8: `files` is a mapping"),
    // Values.
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
    ("scope: 'secret", "this is not YAML"),
    ("scope: a\n\ttypes: [IP]", "this is not YAML"),
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
