//! The files of a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::exclude::Excludes;
use super::{Settings, Skipped, Why};

/// What version control keeps for itself: not to be read, and never to be rewritten.
const STORES: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

/// The files of a folder, by path; with why, where one could not be come by.
pub(crate) struct Found {
    pub(crate) files: Vec<(PathBuf, Option<String>)>,
    pub(crate) skipped: Skipped,
}

/// What one entry of the folder is to us.
enum Seen {
    File(PathBuf),
    /// A folder, and how many entries it has.
    Folder(u64),
    LinkOut,
    Other,
    Failed(PathBuf, String),
}

/// Finds the files of a folder.
pub(crate) fn files(folder: &Path, settings: &Settings, excludes: &Arc<Excludes>) -> Found {
    // Entries that the filter below left out: all, and those that an option names.
    let (filtered, excluded) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let filter = {
        let (filtered, excluded) = (filtered.clone(), excluded.clone());
        let excludes = excludes.clone();
        move |entry: &DirEntry| {
            if entry.depth() == 0 {
                return true;
            }
            let out = excludes.has_found(entry.path(), is_folder(entry));
            if out {
                excluded.fetch_add(1, Ordering::Relaxed);
            } else if !STORES.iter().any(|store| entry.file_name() == *store) {
                return true;
            }
            filtered.fetch_add(1, Ordering::Relaxed);
            false
        }
    };
    let home = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let ignores = !settings.no_ignore;
    let (sender, seen) = mpsc::channel();
    WalkBuilder::new(folder)
        .hidden(false)
        .ignore(false)
        .git_ignore(ignores)
        .git_exclude(ignores)
        .git_global(ignores)
        .parents(ignores)
        .threads(settings.threads())
        .filter_entry(filter)
        .build_parallel()
        .run(|| {
            let (sender, home) = (sender.clone(), home.clone());
            Box::new(move |entry| {
                let depth = entry.as_ref().map_or(1, DirEntry::depth);
                // The receiver lives as long as the walk.
                let _ = sender.send((depth, look(entry, &home, folder)));
                WalkState::Continue
            })
        });
    drop(sender);
    gather(seen, &filtered, &excluded)
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn look(entry: Result<DirEntry, ignore::Error>, home: &Path, folder: &Path) -> Seen {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => {
            let reason = error.io_error().map(ToString::to_string);
            let path = path_of(&error).unwrap_or(folder).to_owned();
            return Seen::Failed(path, reason.unwrap_or_else(|| "cannot be read".to_owned()));
        }
    };
    let Some(kind) = entry.file_type() else {
        return Seen::Other;
    };
    if kind.is_dir() || entry.depth() == 0 {
        let count = fs::read_dir(entry.path()).map_or(0, |entries| entries.count() as u64);
        Seen::Folder(count)
    } else if kind.is_file() {
        Seen::File(entry.into_path())
    } else if kind.is_symlink() {
        // What leads nowhere has nothing in it.
        match fs::canonicalize(entry.path()) {
            Ok(target) if !target.starts_with(home) => Seen::LinkOut,
            _ => Seen::Other,
        }
    } else {
        Seen::Other
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

fn gather(
    seen: mpsc::Receiver<(usize, Seen)>,
    filtered: &AtomicU64,
    excluded: &AtomicU64,
) -> Found {
    let mut found = Found {
        files: Vec::new(),
        skipped: Skipped::default(),
    };
    let (mut entries, mut visited) = (0, 0);
    for (depth, one) in seen {
        visited += u64::from(depth > 0);
        match one {
            Seen::File(path) => found.files.push((path, None)),
            Seen::Folder(count) => entries += count,
            Seen::LinkOut => found.skipped.add(Why::Link, 1),
            Seen::Other => {}
            Seen::Failed(path, reason) => {
                // A folder that cannot be read was visited before.
                visited -= 1;
                found.files.push((path, Some(reason)));
            }
        }
    }
    found.files.sort_unstable();
    let filtered = filtered.load(Ordering::Relaxed);
    found
        .skipped
        .add(Why::Excluded, excluded.load(Ordering::Relaxed));
    // The walk does not tell what it ignores: it is what was not seen of all there is.
    let ignored = entries.saturating_sub(visited + filtered);
    found.skipped.add(Why::Ignored, ignored);
    found
}
