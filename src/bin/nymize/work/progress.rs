//! How far long work is, on a terminal. (The one `indicatif` import.)

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What takes less time is not shown.
const LONG: Duration = Duration::from_secs(1);

/// A bar that appears when the work turns out to be long.
pub(crate) struct Progress {
    bar: ProgressBar,
    since: Instant,
    /// Whether there is somebody to see it, and it is not there yet.
    waits: bool,
}

impl Progress {
    /// A bar over so many files; `quiet`: none.
    pub(crate) fn new(files: usize, quiet: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:40} {pos} of {len} files, {eta} left");
        // The template is right, as a test shows; the default would do.
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Progress {
            bar,
            since: Instant::now(),
            waits: files > 1 && !quiet && io::stderr().is_terminal(),
        }
    }

    /// So many files are done.
    pub(crate) fn at(&mut self, done: usize) {
        if self.waits && self.since.elapsed() >= LONG {
            self.waits = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(done as u64);
        self.bar.tick();
    }

    /// Takes the bar away while something else is written.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the bar away.
    pub(crate) fn end(&mut self) {
        self.waits = false;
        self.bar.finish_and_clear();
    }
}
