//! From options to the engine.

use std::path::Path;

use nymize::{Builder, Format, Kind, Kinds, Pseudonymizer, RulePack};

use crate::args::Common;
use crate::failure::Failure;
use crate::keys;
use crate::packs;

/// Makes the engine that the options ask for; the key comes last, so that a wrong option
/// makes no key file.
pub(crate) fn build(common: &Common) -> Result<Pseudonymizer, Failure> {
    let talk = common.talk.talk();
    let packs = packs::load(&common.rules.packs, talk)?;
    let kinds = common.kinds.kinds(&packs)?;
    if kinds == Kinds::NONE {
        return Err(Failure::new("no type is left on; see `nymize detectors`"));
    }
    let settings = |key| {
        let regions = common.regions.iter().flat_map(|list| &list.0);
        let builder = Pseudonymizer::builder(key).kinds(kinds.clone());
        let packs = packs.iter().cloned();
        packs
            .fold(builder, Builder::rule_pack)
            .regions(regions)
            .scope(common.scope.as_deref().unwrap_or_default())
            .hash_length(common.hash_length.unwrap_or(8))
            .format(common.view.format.unwrap_or_default())
            .api(common.view.api.unwrap_or_default())
            .json_numbers(common.view.json_numbers.unwrap_or_default())
            .build()
    };
    // Tried with another key first: a wrong option should not leave a new key file behind.
    settings(nymize::Key::from_bytes([0; 32]))?;
    let source = keys::source(&common.key)?;
    let key = keys::obtain(&source, talk)?;
    talk.detail(|| format!("key: {source}, fingerprint {}", key.fingerprint()));
    talk.detail(|| {
        let custom = packs.iter().flat_map(RulePack::entries).map(|e| e.kind);
        let mut on: Vec<_> = Kind::ALL.into_iter().chain(custom).collect();
        on.retain(|&kind| kinds.contains(kind));
        on.dedup();
        let on: Vec<_> = on.iter().map(Kind::label).collect();
        format!("types: {}", on.join(", "))
    });
    Ok(settings(key)?)
}

/// The names of files that `--format auto` takes for JSON end so.
const JSON_ENDINGS: [&str; 4] = ["json", "jsonl", "ndjson", "ipynb"];

/// The engine for one input. A file that is not named as JSON is text, whatever it begins with;
/// stdin, which has no name, may be either.
pub(crate) fn for_input(
    engine: &Pseudonymizer,
    format: Option<Format>,
    path: Option<&Path>,
) -> Pseudonymizer {
    match (format.unwrap_or_default(), path) {
        (Format::Auto, Some(path)) if !is_json(path) => engine.with_format(Format::Text),
        _ => engine.clone(),
    }
}

/// Whether a file's name says that it holds JSON.
pub(crate) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|ending| {
        JSON_ENDINGS
            .iter()
            .any(|json| ending.eq_ignore_ascii_case(json))
    })
}
