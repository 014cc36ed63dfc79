//! From options to the engine.

use std::path::Path;

use nymize::{Format, Kinds, Pseudonymizer};

use crate::args::Common;
use crate::failure::Failure;
use crate::keys;

/// What a placeholder depends on beside the value: two runs with the same one write the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The key's, without its scope.
    pub(crate) fingerprint: String,
    /// Empty where there is none.
    pub(crate) scope: String,
    pub(crate) hash_length: usize,
}

/// Makes the engine that the options ask for.
pub(crate) fn build(common: &Common) -> Result<Pseudonymizer, Failure> {
    Ok(build_known(common)?.0)
}

/// The same, and what its placeholders depend on. The key comes last, so that a wrong option
/// makes no key file.
pub(crate) fn build_known(common: &Common) -> Result<(Pseudonymizer, Identity), Failure> {
    let talk = common.talk.talk();
    let kinds = common.kinds.kinds();
    if kinds == Kinds::NONE {
        return Err(Failure::new("no type is left on; see `nymize detectors`"));
    }
    let scope = common.scope.as_deref().unwrap_or_default();
    let hash_length = common.hash_length.unwrap_or(8);
    let settings = |key| {
        let regions = common.regions.iter().flat_map(|list| &list.0);
        Pseudonymizer::builder(key)
            .kinds(kinds)
            .regions(regions)
            .scope(scope)
            .hash_length(hash_length)
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
        let on = nymize::Kind::ALL
            .into_iter()
            .filter(|&kind| kinds.contains(kind));
        let on: Vec<_> = on.map(nymize::Kind::label).collect();
        format!("types: {}", on.join(", "))
    });
    let identity = Identity {
        fingerprint: key.fingerprint(),
        scope: scope.to_owned(),
        hash_length,
    };
    Ok((settings(key)?, identity))
}

/// The engine for one input. A file is read as its name says, whatever it begins with; stdin, which
/// has no name, may be text or JSON.
pub(crate) fn for_input(
    engine: &Pseudonymizer,
    format: Option<Format>,
    path: Option<&Path>,
) -> Pseudonymizer {
    match (format.unwrap_or_default(), path) {
        (Format::Auto, Some(path)) => engine.with_format(named(path)),
        _ => engine.clone(),
    }
}

/// The format that a file's name tells. A file of JSON may be no JSON all the same.
pub(crate) fn named(path: &Path) -> Format {
    const ENDINGS: [(&str, Format); 7] = [
        ("ipynb", Format::Auto),
        ("json", Format::Auto),
        ("jsonl", Format::Auto),
        ("ndjson", Format::Auto),
        ("toml", Format::Toml),
        ("yaml", Format::Yaml),
        ("yml", Format::Yaml),
    ];
    let ending = path.extension().unwrap_or_default();
    ENDINGS
        .into_iter()
        .find(|(known, _)| ending.eq_ignore_ascii_case(known))
        .map_or(Format::Text, |(_, format)| format)
}
