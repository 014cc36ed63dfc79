//! Configuration: what a user and a project ask for, read strictly from YAML.
//!
//! A [`Config`] is one source as it is written, a file or the environment: what it does not name is
//! `None`. [`Settings`] lays several over each other and tells what counts, and where it comes from.
//!
//! Refused on purpose: an unknown key, a value of another type or out of range, a key that stands
//! twice. The error has file, line and column and names the key; it never quotes a value.

mod load;
mod read;
mod settings;
mod variables;

use std::path::PathBuf;

pub use self::load::PROJECT_FILE;
pub use self::settings::{Effective, LeftOut, Obey, Settings};
pub use self::variables::VARIABLES;
use crate::allow::AllowList;
use crate::origin::Origin;
use crate::rules::RulePack;

/// Whose a configuration file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The user's own: the only one that may name a key.
    User,
    /// A project's, found beside the files.
    Project,
    /// One that the user has named.
    Named,
}

/// A value, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

impl<T> Setting<T> {
    /// A value with its origin.
    pub fn new(value: T, origin: Origin) -> Setting<T> {
        Setting { value, origin }
    }
}

/// A configuration as it is written. `None`: it says nothing of that.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// `types`: the kinds that are looked for, by their names; rule packs, which other configurations
    /// may name, tell which there are.
    pub types: Option<Vec<Setting<String>>>,
    /// `skip_types`: kinds that are not looked for.
    pub skip_types: Option<Vec<Setting<String>>>,
    /// `phone.regions`: see [`Builder::regions`](crate::Builder::regions).
    pub regions: Option<Vec<Setting<String>>>,
    /// `ip.keep`: see [`Builder::keep_ips`](crate::Builder::keep_ips).
    pub ip_keep: Option<Vec<Setting<String>>>,
    /// `scope`: see [`Builder::scope`](crate::Builder::scope).
    pub scope: Option<Setting<String>>,
    /// `hash_length`: see [`Builder::hash_length`](crate::Builder::hash_length).
    pub hash_length: Option<Setting<usize>>,
    /// `key_file`, in a user's own file alone; an absolute path if the file's is.
    pub key_file: Option<Setting<PathBuf>>,
    /// `allow`: what is left as it is.
    pub allow: Option<AllowList>,
    /// `rule_packs`, in order, then what `rules` and `terms` hold.
    pub rule_packs: Option<Vec<Setting<RulePack>>>,
    /// `files.exclude`: globs of files that are left out of folders, and the folder from which they
    /// count.
    pub exclude: Option<Setting<Exclude>>,
    /// `files.max_size`: the largest file that is read in a folder, in bytes.
    pub max_size: Option<Setting<u64>>,
}

/// Globs as in a `.gitignore`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exclude {
    /// The folder from which they count; empty for the working folder.
    pub root: PathBuf,
    /// The globs.
    pub globs: Vec<String>,
}

impl Config {
    /// A JSON Schema (2020-12) of configuration files, for editors. What a schema cannot tell, such
    /// as which regions there are, only reading a file does.
    pub const SCHEMA: &str = include_str!("schema.json");

    /// The bytes that a size means, as `files.max_size` takes it: `10`, `64K`, `10MiB`, `1 GB`, in
    /// powers of 1024.
    pub fn size(text: &str) -> Option<u64> {
        read::size(text)
    }
}

#[cfg(test)]
mod tests;
