//! From options to the engine.

use nymize::{Kinds, Pseudonymizer};

use crate::args::Common;
use crate::failure::Failure;
use crate::keys;

/// Makes the engine that the options ask for; the key comes last, so that a wrong option
/// makes no key file.
pub(crate) fn build(common: &Common) -> Result<Pseudonymizer, Failure> {
    let talk = common.talk.talk();
    let kinds = common.kinds.kinds();
    if kinds == Kinds::NONE {
        return Err(Failure::new("no type is left on; see `nymize detectors`"));
    }
    let settings = |key| {
        let regions = common.regions.iter().flat_map(|list| &list.0);
        Pseudonymizer::builder(key)
            .kinds(kinds)
            .regions(regions)
            .scope(common.scope.as_deref().unwrap_or_default())
            .hash_length(common.hash_length.unwrap_or(8))
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
    Ok(settings(key)?)
}
