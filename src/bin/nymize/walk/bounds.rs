//! Which files may be rewritten: a link must not lead out of the tree it is in.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exclude::whole;
use crate::failure::Failure;

/// Tells where files are, and keeps them in their tree.
///
/// The tree of a path is the repository of the working folder, or the working folder where that is
/// in none. A path that does not lie there has the repository that it is in, or its folder.
pub(crate) struct Bounds {
    working: PathBuf,
    /// The tree of the working folder.
    own: PathBuf,
    /// Where folders are, links followed.
    folders: HashMap<PathBuf, Result<PathBuf, String>>,
}

impl Bounds {
    pub(crate) fn new() -> Result<Bounds, Failure> {
        let working = env::current_dir()
            .map_err(|error| Failure::new(format!("the working folder: {error}")))?;
        let own = repository(&working).unwrap_or(&working).to_owned();
        Ok(Bounds {
            working,
            own,
            folders: HashMap::new(),
        })
    }

    /// Where the file of a path is, links followed; `is_plain`: it is known to be no link itself.
    ///
    /// # Errors
    /// Why it must not, or cannot, be rewritten.
    pub(crate) fn target(&mut self, path: &Path, is_plain: bool) -> Result<PathBuf, String> {
        let path = whole(&self.working, path);
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err("is not a file that can be rewritten".to_owned());
        };
        let tree = if path.starts_with(&self.own) {
            self.own.clone()
        } else {
            repository(folder).unwrap_or(folder).to_owned()
        };
        let is_link = !is_plain && path.is_symlink();
        let target = if is_link {
            fs::canonicalize(&path).map_err(|error| reason(&error))?
        } else {
            self.real(folder)?.join(name)
        };
        let tree = self.real(&tree)?;
        if target.starts_with(&tree) {
            return Ok(target);
        }
        let tree = tree.display();
        Err(format!(
            "a link leads out of {tree}: name the file by its own path"
        ))
    }

    fn real(&mut self, folder: &Path) -> Result<PathBuf, String> {
        if let Some(known) = self.folders.get(folder) {
            return known.clone();
        }
        let real = fs::canonicalize(folder).map_err(|error| reason(&error));
        self.folders.insert(folder.to_owned(), real.clone());
        real
    }
}

fn reason(error: &io::Error) -> String {
    error.to_string()
}

/// The nearest folder above, or the folder itself, that is a repository.
fn repository(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|at| at.join(".git").exists())
}
