//! Configurations laid over each other: what counts, and where it comes from.

use std::fmt;
use std::path::Path;

use super::{Config, Exclude, RuleSource, Setting};
use crate::allow::AllowList;
use crate::error::Error;
use crate::kind::{Kind, Kinds};
use crate::origin::Origin;
use crate::pseudonym::placeholder;
use crate::pseudonymizer::Builder;

/// How much of a configuration counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obey {
    /// All of it.
    All,
    /// What protects as much or more: `scope`, `hash_length`, rules and terms, regions behind those
    /// that are there, types that are switched on. For a file that came with what is to be filtered,
    /// such as a cloned repository's: it must not be able to silence the filter.
    WhatProtects,
}

/// Configurations laid over each other, the lowest first.
///
/// Of most keys the highest configuration that names one counts. `allow`, rules, terms and
/// `files.exclude` add up. `skip_types` is taken from the types that are on below it; `types` begins
/// anew.
///
/// ```
/// # fn main() -> Result<(), nymize::Error> {
/// use nymize::{Config, Key, Obey, Pseudonymizer, Settings};
///
/// let mut settings = Settings::default();
/// settings.lay(Config::from_variables(|name| (name == "NYMIZE_SCOPE").then(|| "tenant-7".into()))?, Obey::All);
/// assert_eq!(settings.scope().value, "tenant-7");
/// let engine = Pseudonymizer::builder(Key::from_bytes([7; 32])).settings(&settings)?.build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Settings {
    layers: Vec<(Config, Obey)>,
}

/// What counts, and where it comes from; from nowhere: it is the default.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effective<T> {
    /// What counts.
    pub value: T,
    /// Where it comes from, in order.
    pub origins: Vec<Origin>,
}

/// A key of a configuration that was not obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The key.
    pub key: &'static str,
    /// Where its value stands.
    pub origin: Origin,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: `{}` of the project is left out, as it would protect less; --config obeys it",
            self.origin, self.key
        )
    }
}

impl Settings {
    /// Lays a configuration over those that are there.
    pub fn lay(&mut self, config: Config, obey: Obey) {
        self.layers.push((config, obey));
    }

    /// The kinds that are looked for.
    pub fn kinds(&self) -> Effective<Kinds> {
        let mut on = Effective::none(Kinds::ALL);
        for (config, obey) in &self.layers {
            on = match obey {
                Obey::All => config.only_kinds(on),
                Obey::WhatProtects => config.more_kinds(on),
            };
        }
        on
    }

    /// The regions whose national phone numbers are looked for, in order.
    pub fn regions(&self) -> Effective<Vec<String>> {
        let mut regions = Effective::none(Vec::new());
        for (config, obey) in &self.layers {
            let Some(named) = &config.regions else {
                continue;
            };
            if *obey == Obey::All {
                regions = Effective::none(Vec::new());
            }
            for Setting { value, origin } in named {
                if !regions.value.contains(value) {
                    regions.value.push(value.clone());
                    regions.came_from(origin);
                }
            }
        }
        regions
    }

    /// The IP addresses that are left alone, as [`Builder::keep_ips`] takes them.
    pub fn ip_keep(&self) -> Effective<Vec<String>> {
        let mut keep = Effective::none(Vec::new());
        let named = self.obeyed().filter_map(|config| config.ip_keep.as_ref());
        for Setting { value, origin } in named.last().into_iter().flatten() {
            keep.value.push(value.clone());
            keep.came_from(origin);
        }
        keep
    }

    /// The scope; empty for none.
    pub fn scope(&self) -> Effective<String> {
        self.highest(String::new(), |config| config.scope.as_ref())
    }

    /// How many hex digits a placeholder's hash has.
    pub fn hash_length(&self) -> Effective<usize> {
        self.highest(placeholder::DEFAULT_DIGITS, |config| {
            config.hash_length.as_ref()
        })
    }

    /// The key file that the user's own configuration names.
    pub fn key_file(&self) -> Option<Setting<&Path>> {
        let named = self.obeyed().filter_map(|config| config.key_file.as_ref());
        named
            .last()
            .map(|file| Setting::new(file.value.as_path(), file.origin.clone()))
    }

    /// What is left as it is.
    pub fn allow(&self) -> AllowList {
        let mut all = AllowList::default();
        for (text, origin) in self
            .obeyed()
            .filter_map(|config| config.allow.as_ref())
            .flat_map(AllowList::entries)
        {
            all.push(text, origin.cloned());
        }
        all
    }

    /// The texts that hold rules and terms, in order.
    pub fn rules(&self) -> impl Iterator<Item = &RuleSource> {
        self.layers.iter().flat_map(|(config, _)| &config.rules)
    }

    /// The globs of files that are left out of folders, by the folders from which they count.
    pub fn exclude(&self) -> Vec<&Setting<Exclude>> {
        self.obeyed()
            .filter_map(|config| config.exclude.as_ref())
            .collect()
    }

    /// The largest file that is read in a folder; none for no limit.
    pub fn max_size(&self) -> Effective<Option<u64>> {
        let named = self.obeyed().filter_map(|config| config.max_size.as_ref());
        match named.last() {
            Some(size) => Effective {
                value: Some(size.value),
                origins: vec![size.origin.clone()],
            },
            None => Effective::none(None),
        }
    }

    /// What was not obeyed, in order.
    pub fn left_out(&self) -> Vec<LeftOut> {
        let mut left_out = Vec::new();
        let mut below = Settings::default();
        for (config, obey) in &self.layers {
            if *obey == Obey::WhatProtects {
                config.leave_out(&below.kinds().value, &mut left_out);
            }
            below.lay(config.clone(), *obey);
        }
        left_out
    }

    fn obeyed(&self) -> impl Iterator<Item = &Config> {
        self.layers
            .iter()
            .filter(|(_, obey)| *obey == Obey::All)
            .map(|(config, _)| config)
    }

    fn highest<'s, T: Clone + 's>(
        &'s self,
        default: T,
        get: impl Fn(&'s Config) -> Option<&'s Setting<T>>,
    ) -> Effective<T> {
        match self.layers.iter().rev().find_map(|(config, _)| get(config)) {
            Some(setting) => Effective {
                value: setting.value.clone(),
                origins: vec![setting.origin.clone()],
            },
            None => Effective::none(default),
        }
    }
}

impl<T> Effective<T> {
    fn none(value: T) -> Effective<T> {
        Effective {
            value,
            origins: Vec::new(),
        }
    }

    /// Adds an origin: of a list, the first place in each source is told.
    fn came_from(&mut self, origin: &Origin) {
        if !self.origins.iter().any(|known| known.is_beside(origin)) {
            self.origins.push(origin.clone());
        }
    }
}

impl Config {
    /// The kinds that are on when this is obeyed in full.
    fn only_kinds(&self, below: Effective<Kinds>) -> Effective<Kinds> {
        let mut on = below;
        if let Some(types) = &self.types {
            on = Effective::none(Kinds::NONE);
            for Setting { value, origin } in types {
                on.value = on.value.with(*value);
                on.came_from(origin);
            }
        }
        for Setting { value, origin } in self.skip_types.iter().flatten() {
            on.value = on.value.without(*value);
            on.came_from(origin);
        }
        on
    }

    /// The kinds that are on when this may only switch some on.
    fn more_kinds(&self, below: Effective<Kinds>) -> Effective<Kinds> {
        let mut on = below;
        let skipped = |kind: Kind| self.skip_types.iter().flatten().any(|s| s.value == kind);
        for Setting { value, origin } in self.types.iter().flatten() {
            if !on.value.contains(*value) && !skipped(*value) {
                on.value = on.value.with(*value);
                on.came_from(origin);
            }
        }
        on
    }

    /// Tells what is not obeyed where the kinds `below` are on.
    fn leave_out(&self, below: &Kinds, left_out: &mut Vec<LeftOut>) {
        let narrower = self.types.as_ref().filter(|types| {
            let named = |kind: &Kind| types.iter().any(|setting| setting.value == *kind);
            Kind::ALL
                .iter()
                .any(|kind| below.contains(*kind) && !named(kind))
        });
        let first = |list: &Vec<Setting<Kind>>| list.first().map(|setting| setting.origin.clone());
        let keep = self.ip_keep.iter().flatten().next();
        let allow = self.allow.iter().flat_map(AllowList::entries).next();
        let keys = [
            ("types", narrower.and_then(first)),
            ("skip_types", self.skip_types.as_ref().and_then(first)),
            ("ip.keep", keep.map(|setting| setting.origin.clone())),
            ("allow", allow.and_then(|(_, origin)| origin.cloned())),
        ];
        for (key, origin) in keys {
            left_out.extend(origin.map(|origin| LeftOut { key, origin }));
        }
    }
}

impl Builder {
    /// Takes over what counts of all configurations: kinds, regions, kept IP addresses, scope, hash
    /// length, the allow list.
    ///
    /// # Errors
    /// For rules, which are not read yet.
    pub fn settings(self, settings: &Settings) -> Result<Builder, Error> {
        if let Some(source) = settings.rules().next() {
            return Err(source.origin.error("rules and terms are not read yet"));
        }
        Ok(self
            .kinds(settings.kinds().value)
            .regions(settings.regions().value)
            .keep_ips(settings.ip_keep().value)
            .scope(settings.scope().value)
            .hash_length(settings.hash_length().value)
            .allow(settings.allow()))
    }
}
