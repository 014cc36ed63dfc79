//! Baselines: what a team has looked at and accepts in its files as they are, so that `scan` can
//! report only what is new.
//!
//! A baseline holds no value: findings are told by the path of their file, their placeholder, and
//! how often it comes up there. As placeholders are made under a key, it names the key's
//! fingerprint, the scope and the hash length, and is refused under others, where nothing would
//! match. A path is told from the baseline's folder, and filtered like any text, as file names may
//! be values too; a baseline is thus never found by a scan of its own folder.

mod collect;
mod comments;
mod file;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use nymize::{Format, Kinds, Pseudonymizer};

use crate::engine::Identity;
use crate::failure::Failure;
use crate::paths::Base;
use crate::stdio::Output;

pub(crate) use collect::Collector;
use comments::Comments;

/// The file that `nymize baseline` writes where no other is named.
pub(crate) const NAME: &str = ".nymize-baseline.yaml";

/// How often each placeholder is accepted in a file.
type Accepted = BTreeMap<String, u64>;

/// A baseline, under the key in use.
#[derive(Debug)]
pub(crate) struct Baseline {
    path: PathBuf,
    identity: Identity,
    names: Names,
    files: BTreeMap<String, Accepted>,
    comments: Comments,
    /// What is written in the file; nothing where it is not there yet.
    text: String,
}

impl Baseline {
    /// Reads a baseline that is there, and was made under the same key, scope and hash length.
    pub(crate) fn open(
        path: &Path,
        engine: &Pseudonymizer,
        identity: Identity,
    ) -> Result<Baseline, Failure> {
        Self::read(path, engine, &identity)?.ok_or_else(|| {
            Failure::new(format!("{}: there is no such baseline", path.display()))
                .hint("make it with `nymize baseline`, which accepts what is there today")
        })
    }

    /// The same, or an empty one where there is none yet.
    pub(crate) fn open_or_begin(
        path: &Path,
        engine: &Pseudonymizer,
        identity: Identity,
    ) -> Result<Baseline, Failure> {
        if let Some(baseline) = Self::read(path, engine, &identity)? {
            return Ok(baseline);
        }
        Ok(Baseline {
            path: path.to_owned(),
            names: Names::new(path, engine)?,
            identity,
            files: BTreeMap::new(),
            comments: Comments::default(),
            text: String::new(),
        })
    }

    fn read(
        path: &Path,
        engine: &Pseudonymizer,
        identity: &Identity,
    ) -> Result<Option<Baseline>, Failure> {
        let failed = |error: &io::Error| Failure::new(format!("{}: {error}", path.display()));
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&error)),
        };
        let (made_under, files) = file::parse(path, &text)?;
        same(path, &made_under, identity)?;
        Ok(Some(Baseline {
            path: path.to_owned(),
            names: Names::new(path, engine)?,
            identity: made_under,
            files,
            comments: Comments::of(&text),
            text,
        }))
    }

    /// What is accepted in one file; in stdin, which has no path, nothing is.
    pub(crate) fn budget(&self, path: Option<&Path>) -> Budget {
        let accepted = path
            .and_then(|path| self.names.name(path))
            .and_then(|name| self.files.get(&name));
        Budget(accepted.cloned().unwrap_or_default())
    }

    /// What gathers the findings that are to be accepted.
    pub(crate) fn collector(&self) -> Arc<Collector> {
        Arc::new(Collector::new(self.names.clone()))
    }

    /// Accepts in these files and folders what was found in them now, and no longer what was there
    /// before.
    pub(crate) fn renew(&mut self, paths: &[PathBuf], found: BTreeMap<String, Accepted>) {
        for path in paths {
            if let Some(name) = self.names.name(path) {
                self.files.retain(|file, _| !lies_in(file, &name));
            }
        }
        self.files.extend(found);
    }

    /// Writes the file, whole or not at all, where it would differ; whether it did.
    pub(crate) fn save(&self) -> Result<bool, Failure> {
        let text = file::render(&self.identity, &self.files, &self.comments);
        if text == self.text {
            return Ok(false);
        }
        let mut output = Output::open(Some(&self.path), &[])?;
        output
            .write_all(text.as_bytes())
            .map_err(|error| Failure::write(output.name(), &error))?;
        output.finish()?;
        Ok(true)
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// How many findings are accepted, and in how many files.
    pub(crate) fn size(&self) -> (u64, usize) {
        let findings = self.files.values().flat_map(BTreeMap::values);
        (
            findings.fold(0, |sum, &count| sum.saturating_add(count)),
            self.files.len(),
        )
    }
}

/// What is still accepted of one file, while it is gone through.
#[derive(Debug, Default)]
pub(crate) struct Budget(Accepted);

impl Budget {
    /// Whether this finding is accepted. Of a placeholder that comes up more often than is
    /// accepted, the last ones are not.
    pub(crate) fn covers(&mut self, placeholder: &str) -> bool {
        match self.0.get_mut(placeholder) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}

/// Refuses a baseline of another key, scope or hash length: no placeholder in it would match.
fn same(path: &Path, made: &Identity, now: &Identity) -> Result<(), Failure> {
    let what = if made.fingerprint != now.fingerprint {
        format!(
            "made under the key with fingerprint {:?}; the key in use has {:?}",
            made.fingerprint, now.fingerprint
        )
    } else if made.scope != now.scope {
        let told = |scope: &str| match scope {
            "" => "no scope".to_owned(),
            scope => format!("the scope {scope:?}"),
        };
        format!(
            "made under {}; {} is in use",
            told(&made.scope),
            told(&now.scope)
        )
    } else if made.hash_length != now.hash_length {
        format!(
            "made with a hash length of {}; {} is in use",
            made.hash_length, now.hash_length
        )
    } else {
        return Ok(());
    };
    Err(
        Failure::new(format!("{}: this baseline was {what}", path.display())).hint(
            "its placeholders would match none of this run: use the key, --scope and \
             --hash-length of the team, or remove the file and make a new one with \
             `nymize baseline`",
        ),
    )
}

/// Whether a file is this file or folder, or lies in it.
fn lies_in(file: &str, name: &str) -> bool {
    let climbs = |name: &str| name.split('/').take_while(|part| *part == "..").count();
    if name.split('/').all(|part| matches!(part, "" | "..")) {
        // The baseline's own folder, or one that it lies in.
        return climbs(file) <= climbs(name);
    }
    file.strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// How a baseline names files.
#[derive(Clone, Debug)]
struct Names {
    base: Base,
    engine: Pseudonymizer,
}

impl Names {
    fn new(baseline: &Path, engine: &Pseudonymizer) -> Result<Names, Failure> {
        let folder = match baseline.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let base = Base::folder(folder)
            .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
        // Which types this run looks for is not to change how files are called.
        let engine = engine.with_kinds(Kinds::ALL).with_format(Format::Text);
        Ok(Names { base, engine })
    }

    /// The name of a file: parted by `/`, each part without values. A path that is not UTF-8 has
    /// none, as one would stand for several.
    fn name(&self, path: &Path) -> Option<String> {
        let told = self.base.tell(path);
        let parts: Option<Vec<_>> = told
            .components()
            .filter(|part| *part != Component::RootDir)
            .map(|part| part.as_os_str().to_str())
            .map(|part| part.map(|part| self.engine.filter(part)))
            .collect();
        let name = parts?.join("/");
        Some(if told.has_root() {
            format!("/{name}")
        } else {
            name
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_folder() {
        for (file, name, expected) in [
            ("a/b", "a/b", true),
            ("a/b", "a", true),
            ("a/b", "", true),
            ("ab", "a", false),
            ("a", "a/b", false),
            ("../a", "", false),
            ("../a", "..", true),
            ("a", "..", true),
            ("../../a", "..", false),
            ("../a/b", "../a", true),
            ("a", "../a", false),
            ("..a", "", true),
        ] {
            assert_eq!(lies_in(file, name), expected, "{file} {name}");
        }
    }

    #[test]
    fn a_budget_is_spent() {
        let mut budget = Budget([("a".to_owned(), 2)].into());
        assert!(budget.covers("a") && budget.covers("a") && !budget.covers("a"));
        assert!(!budget.covers("b"));
    }
}
