//! From options, environment and files to what counts.

use std::env;
use std::path::PathBuf;

use nymize::{Config, Obey, Origin, Role, Setting, Settings};

use crate::args::{Common, ConfigArgs, KindArgs, RulesArgs};
use crate::failure::Failure;
use crate::keys;
use crate::list::KindList;
use crate::notice::Talk;
use crate::packs;

/// The variable that names a configuration file, as `--config` does.
const CONFIG_VARIABLE: &str = "NYMIZE_CONFIG";

/// What a run is for. It decides how much of a project's configuration counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To make a text fit to be sent: a project's file may protect more, and never less.
    Filter,
    /// To look through files, or rewrite them: the project decides.
    Files,
}

/// A configuration file that was read.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) role: Role,
    pub(crate) path: PathBuf,
    pub(crate) obey: Obey,
}

/// What counts, and the files that were read for it, the lowest first.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) settings: Settings,
    pub(crate) sources: Vec<Source>,
}

/// What counts for a run with these options.
pub(crate) fn gather(common: &Common, purpose: Purpose) -> Result<Settings, Failure> {
    let talk = common.talk.talk();
    let gathered = of(&common.config, options(common)?, purpose)?;
    gathered.tell(talk);
    Ok(gathered.settings)
}

/// What counts for a run that only looks at which detectors there are.
pub(crate) fn of_detectors(
    kinds: &KindArgs,
    rules: &RulesArgs,
    config: &ConfigArgs,
    talk: Talk,
) -> Result<Settings, Failure> {
    let mut options = Config::default();
    name_detectors(kinds, rules, &mut options)?;
    let gathered = of(config, options, Purpose::Filter)?;
    gathered.tell(talk);
    Ok(gathered.settings)
}

/// What the user's own configuration alone says: it names the key.
pub(crate) fn of_user(args: &ConfigArgs) -> Result<Settings, Failure> {
    let mut gathered = Gathered {
        settings: Settings::default(),
        sources: Vec::new(),
    };
    if !args.no_config {
        gathered.user()?;
    }
    Ok(gathered.settings)
}

/// Lays the files, the environment and the options over each other.
pub(crate) fn of(
    args: &ConfigArgs,
    options: Config,
    purpose: Purpose,
) -> Result<Gathered, Failure> {
    let mut gathered = Gathered {
        settings: Settings::default(),
        sources: Vec::new(),
    };
    if !args.no_config {
        gathered.user()?;
        match named(args)? {
            Some(path) => gathered.file(path, Role::Named, Obey::All)?,
            None => gathered.project(purpose)?,
        }
    }
    let variables = Config::from_variables(|name| env::var_os(name))?;
    gathered.settings.lay(variables, Obey::All);
    gathered.settings.lay(options, Obey::All);
    Ok(gathered)
}

impl Gathered {
    fn user(&mut self) -> Result<(), Failure> {
        let path = user_file().filter(|path| path.symlink_metadata().is_ok());
        match path {
            Some(path) => self.file(path, Role::User, Obey::All),
            None => Ok(()),
        }
    }

    fn project(&mut self, purpose: Purpose) -> Result<(), Failure> {
        // From a working folder that is gone, no project can be found.
        let Ok(working) = env::current_dir() else {
            return Ok(());
        };
        let obey = match purpose {
            Purpose::Filter => Obey::WhatProtects,
            Purpose::Files => Obey::All,
        };
        match Config::project_file(&working)? {
            Some(path) => self.file(path, Role::Project, obey),
            None => Ok(()),
        }
    }

    fn file(&mut self, path: PathBuf, role: Role, obey: Obey) -> Result<(), Failure> {
        let config = Config::load(&path, role, keys::home().as_deref())?;
        self.settings.lay(config, obey);
        self.sources.push(Source { role, path, obey });
        Ok(())
    }

    /// Says with `-v` what was read, and what was left out; and what the packs warn of.
    fn tell(&self, talk: Talk) {
        for pack in self.settings.rule_packs() {
            for warning in pack.value.warnings() {
                talk.warn(warning);
            }
        }
        for source in &self.sources {
            talk.detail(|| format!("configuration: {}", source.path.display()));
        }
        for left in self.settings.left_out() {
            talk.detail(|| left.to_string());
        }
    }
}

/// The file that `--config` or its variable names.
fn named(args: &ConfigArgs) -> Result<Option<PathBuf>, Failure> {
    if args.config.is_some() {
        return Ok(args.config.clone());
    }
    match env::var_os(CONFIG_VARIABLE) {
        Some(path) if path.is_empty() => Err(Failure::new(format!("{CONFIG_VARIABLE} is empty"))),
        path => Ok(path.map(PathBuf::from)),
    }
}

/// What the options say.
pub(crate) fn options(common: &Common) -> Result<Config, Failure> {
    let mut config = Config::default();
    name_detectors(&common.kinds, &common.rules, &mut config)?;
    let regions = common.regions.iter().flat_map(|list| list.0.clone());
    let regions: Vec<_> = regions.map(|name| by("--region", name)).collect();
    config.regions = (!regions.is_empty()).then_some(regions);
    config.scope = common.scope.clone().map(|scope| by("--scope", scope));
    config.hash_length = common.hash_length.map(|length| by("--hash-length", length));
    Ok(config)
}

fn name_detectors(kinds: &KindArgs, rules: &RulesArgs, config: &mut Config) -> Result<(), Failure> {
    let named = |lists: &[KindList], option| -> Option<Vec<Setting<String>>> {
        let names = lists.iter().flat_map(|list| list.0.clone());
        let names: Vec<_> = names.map(|name| by(option, name)).collect();
        (!names.is_empty()).then_some(names)
    };
    config.types = named(&kinds.types, "--types");
    config.skip_types = named(&kinds.skip_types, "--skip-types");
    let packs = packs::load(&rules.packs)?.into_iter();
    let packs: Vec<_> = packs.map(|pack| by("--rules", pack)).collect();
    config.rule_packs = (!packs.is_empty()).then_some(packs);
    Ok(())
}

fn by<T>(option: &'static str, value: T) -> Setting<T> {
    Setting::new(value, Origin::Option(option))
}

/// `$XDG_CONFIG_HOME/nymize/config.yaml`, else `~/.config/nymize/config.yaml`.
fn user_file() -> Option<PathBuf> {
    let folder =
        keys::absolute("XDG_CONFIG_HOME").or_else(|| Some(keys::home()?.join(".config")))?;
    Some(folder.join("nymize").join("config.yaml"))
}
