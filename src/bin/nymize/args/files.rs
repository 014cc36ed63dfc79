//! The options of the commands that work on files and folders.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use nymize::Config;

use super::Common;

#[derive(Debug, clap::Args)]
pub(crate) struct Scrub {
    #[command(flatten)]
    pub(crate) common: Common,

    #[command(flatten)]
    pub(crate) files: FileArgs,

    /// Rewrite read-only files too
    #[arg(long)]
    pub(crate) force: bool,

    /// The files and folders to rewrite
    #[arg(value_name = "PATH", required_unless_present_any = ["files_from", "staged"])]
    pub(crate) paths: Vec<PathBuf>,
}

/// Which files are read, and how.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct FileArgs {
    /// Leave out what matches GLOB, written as in a .gitignore; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// Treat files that are named as those found in a folder: leave out what --exclude and
    /// .gitignore name, and binary files. For hooks, which name every file
    #[arg(long)]
    pub(crate) force_exclude: bool,

    /// Read files too that a .gitignore names
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Leave out files that are larger: bytes, or a number with K, M or G [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_size: Option<u64>,

    /// Read the files that are listed in FILE (`-`: stdin), one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// In the list, a NUL stands behind each name, as `git ls-files -z` and `find -print0` put it
    #[arg(short = '0', long, requires = "files_from")]
    pub(crate) null: bool,

    /// Read what is staged for the next commit, not the files as they are
    #[arg(long, conflicts_with = "files_from")]
    pub(crate) staged: bool,

    /// Show what would change, as a unified diff, and change nothing. It holds the lines of the
    /// files, so their values too
    #[arg(long)]
    pub(crate) diff: bool,

    /// How many files are read at once [default: one for each processor]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

fn size(text: &str) -> Result<u64, String> {
    Config::size(text.trim())
        .ok_or_else(|| "a size is a number of bytes, or one with K, M or G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0", 0),
            ("10", 10),
            ("10b", 10),
            ("64k", 64 << 10),
            ("64KiB", 64 << 10),
            ("10MB", 10 << 20),
            ("1G", 1 << 30),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "k", "-1", "1.5M", "1T", "ten", "99999999999G", "é"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
