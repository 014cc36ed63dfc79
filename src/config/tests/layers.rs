//! Configurations laid over each other.

use super::*;
use crate::kind::{Kind, Kinds};

fn of(layers: &[(&Config, Obey)]) -> Settings {
    let mut settings = Settings::default();
    for (config, obey) in layers {
        settings.lay((*config).clone(), *obey);
    }
    settings
}

fn on(settings: &Settings) -> Vec<Kind> {
    let kinds = settings.kinds().unwrap().value;
    let mut known = settings.known_kinds();
    known.retain(|kind| kinds.contains(*kind));
    known
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
    assert_eq!(settings.kinds().unwrap().value, Kinds::ALL);
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
    let packs = settings.rule_packs().map(|pack| pack.value.file_name());
    assert_eq!(packs.collect::<Vec<_>>(), ["/etc/x/pack.yaml", "f.yaml"]);
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
        .unwrap()
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
    assert_eq!(it.rule_packs().count(), 1);
    assert_eq!(told(&it), []);
}

#[test]
fn without_a_users_types_a_project_can_add_none() {
    let it = of(&[(&project("types: [CARD]"), Obey::WhatProtects)]);
    assert_eq!(it.kinds().unwrap().value, Kinds::ALL);
    assert_eq!(told(&it).len(), 1);
}

#[test]
fn what_lies_above_a_project_counts_more() {
    let file = project("types: [CARD]\nphone: {regions: [DE]}");
    let origin = Origin::Option("--types");
    let top = Config {
        types: Some(vec![Setting::new("IP".to_owned(), origin.clone())]),
        regions: Some(vec![Setting::new("FR".to_owned(), origin)]),
        ..Config::default()
    };
    let it = of(&[(&file, Obey::WhatProtects), (&top, Obey::All)]);
    assert_eq!(on(&it), [Kind::Ip]);
    assert_eq!(it.regions().value, ["FR"]);
}

fn unknown(settings: &Settings) -> String {
    settings.kinds().unwrap_err().to_string()
}

#[test]
fn kinds_are_built_in_or_of_a_pack_of_any_layer() {
    let low = user("types: [codename, IP]");
    let high = project("terms: {CODENAME: [Apollo], OTHER: [Zeus]}\nskip_types: [OTHER]");
    let it = of(&[(&low, Obey::All), (&high, Obey::All)]);
    let labels = |it: &Settings| {
        on(it)
            .iter()
            .map(|kind| kind.label().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(labels(&it), ["IP", "CODENAME"]);
    let error = unknown(&of(&[(&low, Obey::All)]));
    assert_eq!(
        error,
        "f.yaml:1:9: unknown type in `types`; known are EMAIL, IBAN, CARD, PHONE, IP"
    );
    // A pack is on where no types are named; and a project cannot switch the user's off.
    let pack = user("terms: {CODENAME: [Apollo]}");
    let types = project("types: [EMAIL, IBAN, CARD, PHONE, IP]");
    let it = of(&[(&pack, Obey::All), (&types, Obey::WhatProtects)]);
    assert_eq!(on(&it).len(), 6);
    assert_eq!(told(&it)[0].0, "types");
    assert_eq!(on(&of(&[(&pack, Obey::All), (&types, Obey::All)])).len(), 5);
}

#[test]
fn unknown_kinds_are_told_with_the_near_ones() {
    for (name, meant) in [
        ("EMIAL", "EMAIL"),
        ("mail", "EMAIL"),
        ("emails", "EMAIL"),
        ("phones", "PHONE"),
        ("PHON", "PHONE"),
        ("crad", "CARD"),
        ("IPV4", "IP"),
        ("iban2", "IBAN"),
        ("CODENAMES", "CODENAME"),
    ] {
        let text = format!("scope: x\nskip_types: [IP, {name}]\nterms: {{CODENAME: [Apollo]}}");
        let error = unknown(&of(&[(&user(&text), Obey::All)]));
        let said = format!("f.yaml:2:18: unknown type in `skip_types`; did you mean {meant}?");
        assert!(error.starts_with(&said), "{error}");
        assert!(!error.contains(&format!("{name:?}")), "{error}");
    }
    let by = |origin| {
        let config = Config {
            types: Some(vec![Setting::new("zzzz".to_owned(), origin)]),
            ..Config::default()
        };
        unknown(&of(&[(&config, Obey::All)]))
    };
    let option = by(Origin::Option("--types"));
    assert!(
        option.starts_with("--types: unknown type \"zzzz\"; known are EMAIL, "),
        "{option}"
    );
    let variable = by(Origin::Variable("NYMIZE_TYPES"));
    assert!(
        variable.starts_with("NYMIZE_TYPES: unknown type in `types`; known are"),
        "{variable}"
    );
}
