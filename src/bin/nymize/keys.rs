//! Which key is used: options, then environment, then the user's own file.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use nymize::{Key, Origin, Setting};
use zeroize::Zeroizing;

use crate::args::KeyArgs;
use crate::failure::Failure;
use crate::notice::Talk;

const FILE_VARIABLE: &str = "NYMIZE_KEY_FILE";
const KEY_VARIABLE: &str = "NYMIZE_KEY";

const HINT: &str = "name a key with --key-file PATH, NYMIZE_KEY_FILE or NYMIZE_KEY (64 hex \
                    digits), or ask for one of this run alone with --ephemeral-key";

/// Where the key comes from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Made for this run.
    Ephemeral,
    /// `--key-file`.
    Option(PathBuf),
    /// The file that `NYMIZE_KEY_FILE` names.
    FileVariable(PathBuf),
    /// `NYMIZE_KEY` holds it.
    KeyVariable,
    /// The file that the user's configuration names, and where it does.
    Configured(PathBuf, Origin),
    /// The user's own file, made on first use.
    Own(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Ephemeral => f.write_str("of this run alone (--ephemeral-key)"),
            Source::Option(path) => write!(f, "{} (--key-file)", path.display()),
            Source::FileVariable(path) => write!(f, "{} ({FILE_VARIABLE})", path.display()),
            Source::KeyVariable => f.write_str(KEY_VARIABLE),
            Source::Configured(path, origin) => write!(f, "{} ({origin})", path.display()),
            Source::Own(path) => write!(f, "{} (default)", path.display()),
        }
    }
}

/// Finds where the key comes from; the first of the places that says anything counts.
pub(crate) fn source(
    args: &KeyArgs,
    configured: Option<Setting<&Path>>,
) -> Result<Source, Failure> {
    if args.ephemeral_key {
        return Ok(Source::Ephemeral);
    }
    if let Some(path) = &args.key_file {
        if path.as_os_str().is_empty() {
            return Err(Failure::new("--key-file is empty").hint(HINT));
        }
        return Ok(Source::Option(path.clone()));
    }
    if let Some(path) = variable(FILE_VARIABLE)? {
        return Ok(Source::FileVariable(path.into()));
    }
    if variable(KEY_VARIABLE)?.is_some() {
        return Ok(Source::KeyVariable);
    }
    if let Some(file) = configured {
        return Ok(Source::Configured(file.value.to_owned(), file.origin));
    }
    match own_path() {
        Some(path) => Ok(Source::Own(path)),
        None => Err(Failure::new(
            "there is no place for a key file: neither XDG_DATA_HOME nor HOME is an absolute path",
        )
        .hint(HINT)),
    }
}

/// A variable that is set. One that is set to nothing is an error: it was meant to name a key.
fn variable(name: &str) -> Result<Option<OsString>, Failure> {
    match env::var_os(name) {
        Some(value) if value.is_empty() => {
            Err(Failure::new(format!("{name} is set but empty")).hint(HINT))
        }
        value => Ok(value),
    }
}

/// `$XDG_DATA_HOME/nymize/key`, else `~/.local/share/nymize/key`.
fn own_path() -> Option<PathBuf> {
    let data = absolute("XDG_DATA_HOME")
        .or_else(|| home().map(|home| home.join(".local").join("share")))?;
    Some(data.join("nymize").join("key"))
}

/// The user's home folder.
pub(crate) fn home() -> Option<PathBuf> {
    absolute(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
}

/// The path in a variable. One that is not absolute is ignored (XDG Base Directory Specification
/// 0.8).
pub(crate) fn absolute(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

/// Reads or makes the key.
pub(crate) fn obtain(source: &Source, talk: Talk) -> Result<Key, Failure> {
    let key = match source {
        Source::Ephemeral => {
            talk.note(
                "using a key of this run alone; its placeholders match those of no other run",
            );
            Ok(Key::ephemeral())
        }
        Source::Option(path) | Source::FileVariable(path) | Source::Configured(path, _) => {
            Key::load(path)
        }
        Source::KeyVariable => return from_variable(),
        Source::Own(path) => {
            tighten_folder(path, talk);
            Key::load_or_create(path)
        }
    };
    let key = key.map_err(|error| Failure::from(error).hint(HINT))?;
    for warning in key.warnings() {
        talk.warn(warning);
    }
    Ok(key)
}

fn from_variable() -> Result<Key, Failure> {
    let value = Zeroizing::new(env::var(KEY_VARIABLE).unwrap_or_default());
    // The library's message tells the length, which is nobody's business here.
    Key::from_hex(&value)
        .map_err(|_| Failure::new(format!("{KEY_VARIABLE} is not 64 hex digits")).hint(HINT))
}

/// The folder of our own key file is nobody else's to look into.
#[cfg(unix)]
pub(crate) fn tighten_folder(path: &Path, talk: Talk) {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    let Some(folder) = path.parent() else { return };
    // Where there is no folder yet, it is made as it should be.
    let Ok(metadata) = fs::metadata(folder) else {
        return;
    };
    let mode = metadata.permissions().mode() & 0o7777;
    if !metadata.is_dir() || mode & 0o077 == 0 {
        return;
    }
    let place = folder.display();
    match fs::set_permissions(folder, Permissions::from_mode(mode & 0o700)) {
        Ok(()) => talk.warn(&format!(
            "{place}: others could look into this folder (mode {mode:04o}); \
             it is now its owner's alone"
        )),
        Err(error) => talk.warn(&format!(
            "{place}: others can look into this folder (mode {mode:04o}), \
             and that cannot be changed: {error}"
        )),
    }
}

#[cfg(not(unix))]
pub(crate) fn tighten_folder(_: &Path, _: Talk) {}
