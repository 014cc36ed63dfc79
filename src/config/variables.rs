//! Settings from environment variables.

use std::ffi::OsString;

use super::read::{hash_length, keep, kind, region};
use super::{Config, Setting};
use crate::error::Error;
use crate::origin::Origin;

/// The variables, and the keys that they set. A list is written between commas.
pub const VARIABLES: [(&str, &str); 6] = [
    ("NYMIZE_HASH_LENGTH", "hash_length"),
    ("NYMIZE_IP_KEEP", "ip.keep"),
    ("NYMIZE_REGION", "phone.regions"),
    ("NYMIZE_SCOPE", "scope"),
    ("NYMIZE_SKIP_TYPES", "skip_types"),
    ("NYMIZE_TYPES", "types"),
];

impl Config {
    /// What the environment asks for; `get` looks a variable up, as [`std::env::var_os`] does.
    ///
    /// # Errors
    /// For a value that is none, with the variable's name. Only `NYMIZE_SCOPE` may be empty, which
    /// says: no scope.
    pub fn from_variables(get: impl Fn(&str) -> Option<OsString>) -> Result<Config, Error> {
        let mut config = Config::default();
        for (name, key) in VARIABLES {
            let Some(value) = get(name) else {
                continue;
            };
            let origin = Origin::Variable(name);
            let Ok(value) = value.into_string() else {
                return Err(origin.error("this is not UTF-8"));
            };
            match key {
                "scope" => config.scope = Some(Setting::new(value, origin)),
                "hash_length" => {
                    let length = hash_length(value.trim(), &origin, key)?;
                    config.hash_length = Some(Setting::new(length, origin));
                }
                "phone.regions" => config.regions = Some(words(&value, &origin, key, region)?),
                "ip.keep" => config.ip_keep = Some(words(&value, &origin, key, keep)?),
                "types" => config.types = Some(words(&value, &origin, key, kind)?),
                _ => config.skip_types = Some(words(&value, &origin, key, kind)?),
            }
        }
        Ok(config)
    }
}

fn words<T>(
    list: &str,
    origin: &Origin,
    key: &str,
    read: impl Fn(&str, &Origin, &str) -> Result<T, Error>,
) -> Result<Vec<Setting<T>>, Error> {
    list.split(',')
        .map(|word| match word.trim() {
            "" => Err(origin.error("a list holds words between commas, none of them empty")),
            word => Ok(Setting::new(read(word, origin, key)?, origin.clone())),
        })
        .collect()
}
