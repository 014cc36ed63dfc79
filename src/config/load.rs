//! Configuration files: found and read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::read::Reader;
use super::{Config, Role};
use crate::error::{Error, ErrorKind};

/// The name of a project's configuration file.
pub const PROJECT_FILE: &str = ".nymize.yaml";

/// The largest file that is read, in bytes: enough for a hundred thousand values to be allowed.
const MAX_FILE: u64 = 4 * 1024 * 1024;

impl Config {
    /// Reads a file, and the rule packs that it names.
    ///
    /// `home` is what `~` stands for at the beginning of a path; other paths count from the file's
    /// folder.
    ///
    /// # Errors
    /// When a file cannot be read, with its path; for what is wrong in the configuration, with line
    /// and column.
    pub fn load(path: &Path, role: Role, home: Option<&Path>) -> Result<Config, Error> {
        let file: Arc<str> = path.display().to_string().into();
        let text = read(path).map_err(|what| {
            Error::new(ErrorKind::Place {
                file: file.to_string(),
                line: 0,
                column: 0,
                what: format!("this configuration {what}"),
            })
        })?;
        let reader = Reader {
            file,
            folder: path.parent().unwrap_or(Path::new("")),
            role,
            home,
            read: &read,
        };
        reader.config(&text)
    }

    /// The file of the project that `folder`, an absolute path, lies in: the nearest from there up to
    /// the root of the repository, the folder with a `.git`. Outside of a repository only `folder`
    /// itself is looked into: what lies above may be anybody's.
    ///
    /// # Errors
    /// When it cannot be told whether there is one.
    pub fn project_file(folder: &Path) -> Result<Option<PathBuf>, Error> {
        let exists = |path: &Path| match fs::symlink_metadata(path) {
            Ok(_) => Ok(true),
            // What cannot be looked into cannot be read either.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(Error::new(ErrorKind::Place {
                file: path.display().to_string(),
                line: 0,
                column: 0,
                what: error.to_string(),
            })),
        };
        let mut nearest = None;
        for (index, folder) in folder.ancestors().enumerate() {
            let path = folder.join(PROJECT_FILE);
            if nearest.is_none() && exists(&path)? {
                nearest = Some((index, path));
            }
            if exists(&folder.join(".git"))? {
                return Ok(nearest.map(|(_, path)| path));
            }
        }
        Ok(nearest
            .filter(|(index, _)| *index == 0)
            .map(|(_, path)| path))
    }
}

/// The text of a file; the error is what to say of it. Only regular files are read: a pipe or a
/// device that a project's file leads to would never end.
fn read(path: &Path) -> Result<String, String> {
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("is not a regular file".to_owned());
    }
    if metadata.len() > MAX_FILE {
        return Err("is larger than 4 MiB".to_owned());
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..valid).unwrap_or_default();
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        format!("is not UTF-8 in line {line}")
    })
}
