//! Configurations laid over each other: what counts, and where it comes from.

use std::fmt;
use std::path::Path;

use super::{Config, Exclude, Setting};
use crate::allow::AllowList;
use crate::error::Error;
use crate::kind::{Kind, Kinds};
use crate::near::near;
use crate::origin::Origin;
use crate::pseudonym::placeholder;
use crate::pseudonymizer::Builder;
use crate::rules::{PackEntry, RulePack};

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

    /// The kinds that there are: the built-in ones, then those of rule packs, each once.
    pub fn known_kinds(&self) -> Vec<Kind> {
        let entries = self.rule_packs().flat_map(|pack| pack.value.entries());
        let mut known = Kind::ALL.to_vec();
        for PackEntry { kind, .. } in entries {
            if !known.contains(kind) {
                known.push(*kind);
            }
        }
        known
    }

    /// The kinds that are looked for.
    ///
    /// # Errors
    /// For the name of a kind that there is not, with its place and the near ones.
    pub fn kinds(&self) -> Result<Effective<Kinds>, Error> {
        let known = self.known_kinds();
        for (config, _) in &self.layers {
            let named = [(&config.types, "types"), (&config.skip_types, "skip_types")];
            for (names, key) in named {
                for name in names.iter().flatten() {
                    if kind(&known, &name.value).is_none() {
                        return Err(unknown_kind(&known, name, key));
                    }
                }
            }
        }
        Ok(self.kinds_below(self.layers.len(), &known))
    }

    /// The kinds that are on in the lowest layers.
    fn kinds_below(&self, count: usize, known: &[Kind]) -> Effective<Kinds> {
        let mut on = Effective::none(Kinds::ALL);
        for (config, obey) in self.layers.iter().take(count) {
            let named = Named::of(config, known);
            on = match obey {
                Obey::All => named.only(on),
                Obey::WhatProtects => named.more(on),
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

    /// The rule packs, in order.
    pub fn rule_packs(&self) -> impl Iterator<Item = &Setting<RulePack>> {
        self.layers
            .iter()
            .flat_map(|(config, _)| config.rule_packs.iter().flatten())
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
        let known = self.known_kinds();
        let mut left_out = Vec::new();
        for (index, (config, obey)) in self.layers.iter().enumerate() {
            if *obey == Obey::WhatProtects {
                let below = self.kinds_below(index, &known);
                let named = Named::of(config, &known);
                let narrower = named.is_narrower(&below.value, &known);
                config.leave_out(narrower, &mut left_out);
            }
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

fn kind(known: &[Kind], name: &str) -> Option<Kind> {
    let mut known = known.iter();
    known
        .find(|kind| kind.label().eq_ignore_ascii_case(name))
        .copied()
}

/// The error quotes the name where it comes from an option, and not from a file.
fn unknown_kind(known: &[Kind], name: &Setting<String>, key: &str) -> Error {
    let known: Vec<&str> = known.iter().map(Kind::label).collect();
    let known_are = format!("nown are {}", known.join(", "));
    let meant = match near(&name.value.to_ascii_uppercase(), &known)[..] {
        [] => format!("k{known_are}"),
        ref near => format!("did you mean {}? K{known_are}", near.join(" or ")),
    };
    let whose = match &name.origin {
        Origin::Option(_) => format!(" {:?}", name.value),
        _ => format!(" in `{key}`"),
    };
    name.origin.error(format!("unknown type{whose}; {meant}"))
}

/// The kinds that a configuration names, with their origins.
struct Named<'c> {
    types: Option<Vec<(Kind, &'c Origin)>>,
    skipped: Vec<(Kind, &'c Origin)>,
}

impl<'c> Named<'c> {
    fn of(config: &'c Config, known: &[Kind]) -> Named<'c> {
        let kinds = |names: &'c Vec<Setting<String>>| {
            let named = names
                .iter()
                .filter_map(|name| Some((kind(known, &name.value)?, &name.origin)));
            named.collect()
        };
        Named {
            types: config.types.as_ref().map(kinds),
            skipped: config.skip_types.as_ref().map_or(Vec::new(), kinds),
        }
    }

    /// The kinds that are on when this is obeyed in full.
    fn only(&self, below: Effective<Kinds>) -> Effective<Kinds> {
        let mut on = below;
        if let Some(types) = &self.types {
            on = Effective::none(Kinds::NONE);
            for (kind, origin) in types {
                on.value = on.value.with(*kind);
                on.came_from(origin);
            }
        }
        for (kind, origin) in &self.skipped {
            on.value = on.value.without(*kind);
            on.came_from(origin);
        }
        on
    }

    /// The kinds that are on when this may only switch some on.
    fn more(&self, below: Effective<Kinds>) -> Effective<Kinds> {
        let mut on = below;
        let is_skipped = |kind| self.skipped.iter().any(|(skipped, _)| *skipped == kind);
        for (kind, origin) in self.types.iter().flatten() {
            if !on.value.contains(*kind) && !is_skipped(*kind) {
                on.value = on.value.with(*kind);
                on.came_from(origin);
            }
        }
        on
    }

    /// Whether `types` would switch off some of the kinds that are on below.
    fn is_narrower(&self, below: &Kinds, known: &[Kind]) -> bool {
        self.types.as_ref().is_some_and(|types| {
            let is_named = |kind| types.iter().any(|(named, _)| *named == kind);
            known
                .iter()
                .any(|kind| below.contains(*kind) && !is_named(*kind))
        })
    }
}

impl Config {
    /// Tells what is not obeyed of a configuration that may only protect more.
    fn leave_out(&self, is_narrower: bool, left_out: &mut Vec<LeftOut>) {
        let first = |list: &Vec<Setting<String>>| Some(list.first()?.origin.clone());
        let types = self.types.as_ref().filter(|_| is_narrower);
        let allow = self.allow.iter().flat_map(AllowList::entries).next();
        let keys = [
            ("types", types.and_then(first)),
            ("skip_types", self.skip_types.as_ref().and_then(first)),
            ("ip.keep", self.ip_keep.as_ref().and_then(first)),
            ("allow", allow.and_then(|(_, origin)| origin.cloned())),
        ];
        for (key, origin) in keys {
            left_out.extend(origin.map(|origin| LeftOut { key, origin }));
        }
    }
}

impl Builder {
    /// Takes over what counts of all configurations: kinds, rule packs, regions, kept IP addresses,
    /// scope, hash length, the allow list.
    ///
    /// # Errors
    /// For the name of a kind that there is not.
    pub fn settings(self, settings: &Settings) -> Result<Builder, Error> {
        let packs = settings.rule_packs().map(|pack| pack.value.clone());
        let builder = packs.fold(self, Builder::rule_pack);
        Ok(builder
            .kinds(settings.kinds()?.value)
            .regions(settings.regions().value)
            .keep_ips(settings.ip_keep().value)
            .scope(settings.scope().value)
            .hash_length(settings.hash_length().value)
            .allow(settings.allow()))
    }
}
