//! From settings to the engine.

use std::path::Path;

use nymize::{Format, Kind, Kinds, Pseudonymizer, RulePack, Settings};

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

/// Makes the engine that counts by these settings.
pub(crate) fn build(common: &Common, settings: &Settings) -> Result<Pseudonymizer, Failure> {
    Ok(build_known(common, settings)?.0)
}

/// The same, and what its placeholders depend on. The key comes last, so that a wrong option
/// makes no key file.
pub(crate) fn build_known(
    common: &Common,
    settings: &Settings,
) -> Result<(Pseudonymizer, Identity), Failure> {
    let talk = common.talk.talk();
    let kinds = settings.kinds()?.value;
    if kinds == Kinds::NONE {
        return Err(Failure::new("no type is left on; see `nymize detectors`"));
    }
    let engine = |key| {
        Pseudonymizer::builder(key)
            .settings(settings)?
            .format(common.view.format.unwrap_or_default())
            .api(common.view.api.unwrap_or_default())
            .json_numbers(common.view.json_numbers.unwrap_or_default())
            .build()
    };
    // Tried with another key first: a wrong option should not leave a new key file behind.
    engine(nymize::Key::from_bytes([0; 32]))?;
    let source = keys::source(&common.key, settings.key_file())?;
    let key = keys::obtain(&source, talk)?;
    talk.detail(|| format!("key: {source}, fingerprint {}", key.fingerprint()));
    talk.detail(|| {
        let custom = settings.rule_packs().map(|pack| &pack.value);
        let custom = custom.flat_map(RulePack::entries).map(|entry| entry.kind);
        let mut on: Vec<_> = Kind::ALL.into_iter().chain(custom).collect();
        on.retain(|&kind| kinds.contains(kind));
        on.dedup();
        let on: Vec<_> = on.iter().map(Kind::label).collect();
        format!("types: {}", on.join(", "))
    });
    let identity = Identity {
        fingerprint: key.fingerprint(),
        scope: settings.scope().value,
        hash_length: settings.hash_length().value,
    };
    Ok((engine(key)?, identity))
}

/// The engine for one input. A file is read as its name says, whatever it begins with; stdin, which
/// has no name, may be text or JSON.
pub(crate) fn for_input(
    engine: &Pseudonymizer,
    format: Option<Format>,
    path: Option<&Path>,
) -> Pseudonymizer {
    engine.with_format(format_of(format, path))
}

/// The format that an input is read as: the one that is asked for, or what its name tells.
pub(crate) fn format_of(format: Option<Format>, path: Option<&Path>) -> Format {
    match (format.unwrap_or_default(), path) {
        (Format::Auto, Some(path)) => named(path),
        (format, _) => format,
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
