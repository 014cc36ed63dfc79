//! What `--exclude` and the configuration leave out.

use std::path::{Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::failure::Failure;

/// GLOBs in the notation of `.gitignore`, and the folder that they count from.
#[derive(Clone, Debug)]
pub(crate) struct Globs {
    pub(crate) root: PathBuf,
    pub(crate) globs: Vec<String>,
}

/// What is left out, ready to be asked.
#[derive(Debug)]
pub(crate) struct Excludes {
    working: PathBuf,
    matchers: Vec<Gitignore>,
}

impl Excludes {
    /// # Errors
    /// For a GLOB that is none.
    pub(crate) fn new(all: &[Globs], working: &Path) -> Result<Excludes, Failure> {
        let mut matchers = Vec::new();
        for Globs { root, globs } in all.iter().filter(|globs| !globs.globs.is_empty()) {
            let mut builder = GitignoreBuilder::new(whole(working, root));
            // .gitignore passes over `a[`; who writes it here has made a mistake.
            builder.allow_unclosed_class(false);
            for glob in globs {
                // To .gitignore these would be a comment and an empty line.
                let says_something = !glob.trim().is_empty() && !glob.starts_with('#');
                let added = says_something && builder.add_line(None, glob).is_ok();
                if !added {
                    return Err(Failure::new(format!("--exclude: {glob:?} is no glob")));
                }
            }
            let built = builder.build();
            matchers.push(built.map_err(|_| Failure::new("--exclude: the globs are too large"))?);
        }
        Ok(Excludes {
            working: working.to_owned(),
            matchers,
        })
    }

    /// Whether a path is left out: itself, or a folder that it is in.
    pub(crate) fn has(&self, path: &Path, is_folder: bool) -> bool {
        if self.matchers.is_empty() {
            return false;
        }
        let path = whole(&self.working, path);
        self.matchers.iter().any(|matcher| {
            let inside = path.ancestors().take_while(|at| *at != matcher.path());
            let mut folder = is_folder;
            for at in inside {
                let decided = matcher.matched(at, folder);
                if !decided.is_none() {
                    return decided.is_ignore();
                }
                folder = true;
            }
            false
        })
    }

    /// Whether something found in a folder that is not left out is left out itself.
    pub(crate) fn has_found(&self, path: &Path, is_folder: bool) -> bool {
        if self.matchers.is_empty() {
            return false;
        }
        let path = whole(&self.working, path);
        let mut matchers = self.matchers.iter();
        matchers.any(|matcher| matcher.matched(&path, is_folder).is_ignore())
    }
}

/// A path from the root on, without `.` and `..`, as it is written: links are not looked up.
pub(crate) fn whole(working: &Path, path: &Path) -> PathBuf {
    let mut whole = working.to_owned();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            other => whole.push(other),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excludes(globs: &[&str]) -> Excludes {
        let globs = globs.iter().map(|glob| (*glob).to_owned()).collect();
        let root = PathBuf::from(".");
        Excludes::new(&[Globs { root, globs }], Path::new("/work/here")).unwrap()
    }

    #[test]
    fn paths_are_whole() {
        let whole = |path| whole(Path::new("/work/here"), Path::new(path));
        assert_eq!(whole("a/./b/../c"), Path::new("/work/here/a/c"));
        assert_eq!(whole("./../x"), Path::new("/work/x"));
        assert_eq!(whole("/x/../y"), Path::new("/y"));
        assert_eq!(whole("."), Path::new("/work/here"));
    }

    #[test]
    fn globs_are_those_of_gitignore() {
        let it = excludes(&["*.lock", "/top", "vendor/", "a/**/z", "!keep.lock"]);
        for (path, is_folder, out) in [
            ("Cargo.lock", false, true),
            ("./deep/x.lock", false, true),
            ("keep.lock", false, false),
            ("top", false, true),
            ("deep/top", false, false),
            ("vendor", true, true),
            ("vendor", false, false),
            ("deep/vendor/lib/x.c", false, true),
            ("/work/here/vendor/x.c", false, true),
            ("a/b/c/z", false, true),
            ("b.txt", false, false),
            ("/elsewhere/x.lock", false, true),
            ("/elsewhere/top", false, false),
        ] {
            assert_eq!(it.has(Path::new(path), is_folder), out, "{path}");
        }
        assert!(!excludes(&[]).has(Path::new("a"), false));
    }

    #[test]
    fn what_is_no_glob_is_told() {
        for glob in ["", " ", "#x", "[z-a]", "{a"] {
            let globs = vec![glob.to_owned()];
            let root = PathBuf::from(".");
            let made = Excludes::new(&[Globs { root, globs }], Path::new("/"));
            assert!(made.is_err(), "{glob:?}");
        }
    }
}
