//! Which files are read: those that are named, those of a folder, those of a list, in a stable
//! order; and what is left out of them, counted.
//!
//! In a folder every file is read, hidden ones and unknown extensions too, but for what
//! `.gitignore` names and what version control keeps for itself. Links found in a folder are not
//! followed: what they lead to is read in its own place, or lies outside.

pub(crate) mod bounds;
mod exclude;
mod list;
mod skipped;
mod tree;

use std::collections::HashSet;
use std::env;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use self::exclude::Excludes;
pub(crate) use self::exclude::Globs;
pub(crate) use self::list::path as path_of_bytes;
pub(crate) use self::skipped::{Skipped, Why};
use crate::args::FileArgs;
use crate::failure::Failure;
use crate::git;

/// What decides which files are read.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// What is left out.
    pub(crate) exclude: Vec<Globs>,
    /// Whether named files are treated as found ones.
    pub(crate) force_exclude: bool,
    /// Whether `.gitignore` counts for nothing.
    pub(crate) no_ignore: bool,
    /// The largest file that is read.
    pub(crate) max_size: Option<u64>,
    /// How many threads read.
    pub(crate) jobs: Option<NonZeroUsize>,
}

impl Settings {
    /// What the options and the configuration ask for; GLOBs of options count from the working
    /// folder.
    pub(crate) fn of(args: &FileArgs, config: &nymize::Settings) -> Settings {
        let configured = config.exclude().into_iter().map(|set| Globs {
            root: set.value.root.clone(),
            globs: set.value.globs.clone(),
        });
        let named = Globs {
            root: PathBuf::new(),
            globs: args.exclude.clone(),
        };
        Settings {
            exclude: configured.chain([named]).collect(),
            force_exclude: args.force_exclude,
            no_ignore: args.no_ignore,
            max_size: args.max_size.or(config.max_size().value),
            jobs: args.jobs,
        }
    }

    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        self.jobs
            .or_else(|| thread::available_parallelism().ok())
            .map_or(1, NonZeroUsize::get)
    }
}

/// One thing to read.
#[derive(Debug)]
pub(crate) struct Item {
    /// As it is shown.
    pub(crate) path: PathBuf,
    pub(crate) from: From,
}

/// How an item was come by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Stdin,
    /// It was named: that it is not there is an error; `lenient`: that it is no text is none.
    Named {
        lenient: bool,
    },
    /// It was found in a folder: what is no text is left out.
    Found,
    /// It is staged under this name of git's.
    Staged(git::Id),
    /// It could not be come by: why.
    Failed(String),
}

impl Item {
    /// An error that names it.
    pub(crate) fn failed(&self, reason: impl Display) -> Failure {
        Failure::new(format!("{}: {reason}", self.path.display()))
    }

    /// The path; none for stdin.
    pub(crate) fn named(&self) -> Option<&Path> {
        (self.from != From::Stdin).then_some(&self.path)
    }
}

/// All that is to be read, in order, and what is left out already.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) items: Vec<Item>,
    pub(crate) skipped: Skipped,
}

/// Finds what the options name. Where they name nothing, that is nothing.
pub(crate) fn plan(
    args: &FileArgs,
    paths: &[PathBuf],
    settings: &Settings,
) -> Result<Plan, Failure> {
    let working =
        env::current_dir().map_err(|error| Failure::new(format!("the working folder: {error}")))?;
    let mut planner = Planner {
        settings,
        excludes: Arc::new(Excludes::new(&settings.exclude, &working)?),
        seen: HashSet::new(),
        plan: Plan::default(),
    };
    if args.staged {
        for (path, id) in git::staged(paths)? {
            planner.staged(path, id);
        }
        return Ok(planner.plan);
    }
    let listed = match &args.files_from {
        Some(from) => {
            if from == Path::new("-") && paths.iter().any(|path| path == Path::new("-")) {
                return Err(Failure::new(
                    "stdin cannot be both the list and a file of it",
                ));
            }
            list::read(from, args.null)?
        }
        None => Vec::new(),
    };
    let ignored = planner.ignored(paths, &listed)?;
    for path in paths {
        planner.named(path, false, &ignored);
    }
    for path in &listed {
        planner.named(path, true, &ignored);
    }
    Ok(planner.plan)
}

struct Planner<'s> {
    settings: &'s Settings,
    excludes: Arc<Excludes>,
    /// What is in the plan: nothing is read twice.
    seen: HashSet<PathBuf>,
    plan: Plan,
}

impl Planner<'_> {
    fn add(&mut self, path: PathBuf, from: From) {
        let path = shown(path);
        if self.seen.insert(path.clone()) {
            self.plan.items.push(Item { path, from });
        }
    }

    /// Of the named files, those that git ignores and does not track, where that counts.
    fn ignored(&self, paths: &[PathBuf], listed: &[PathBuf]) -> Result<HashSet<PathBuf>, Failure> {
        if !self.settings.force_exclude || self.settings.no_ignore {
            return Ok(HashSet::new());
        }
        let files = paths.iter().chain(listed).filter(|path| !path.is_dir());
        git::ignored(files)
    }

    fn named(&mut self, path: &Path, listed: bool, ignored: &HashSet<PathBuf>) {
        if path == Path::new("-") && !listed {
            return self.add(path.to_owned(), From::Stdin);
        }
        let is_folder = path.is_dir();
        let force = self.settings.force_exclude;
        if force && self.excludes.has(path, is_folder) {
            self.plan.skipped.add(Why::Excluded, 1);
        } else if ignored.contains(path) {
            self.plan.skipped.add(Why::Ignored, 1);
        } else if is_folder {
            self.folder(path);
        } else {
            let lenient = listed || force;
            self.add(path.to_owned(), From::Named { lenient });
        }
    }

    fn folder(&mut self, folder: &Path) {
        let found = tree::files(folder, self.settings, &self.excludes);
        self.plan.skipped += &found.skipped;
        for (path, failure) in found.files {
            let from = failure.map_or(From::Found, From::Failed);
            self.add(path, from);
        }
    }

    fn staged(&mut self, path: PathBuf, id: git::Id) {
        if self.excludes.has(&path, false) {
            self.plan.skipped.add(Why::Excluded, 1);
        } else {
            self.add(path, From::Staged(id));
        }
    }
}

/// A path without a `./` before it, which says nothing, and with `/` everywhere.
fn shown(path: PathBuf) -> PathBuf {
    let path = match path.strip_prefix(".") {
        Ok(rest) if !rest.as_os_str().is_empty() => rest.to_owned(),
        _ => path,
    };
    if cfg!(windows) {
        return PathBuf::from(path.to_string_lossy().replace('\\', "/"));
    }
    path
}
