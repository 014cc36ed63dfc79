//! Files that are not there yet. Whatever ends the program, none of them stays behind, save where
//! it is killed without being asked: each is known here until it is renamed or removed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The names of those that are there. Making, renaming and removing one is done under this lock, and
/// so is the end by a signal.
static NAMES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn names() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file under a name of its own, in the folder of the file that it is to replace. It goes away when
/// it is dropped.
pub(crate) struct Temporary {
    file: File,
    path: PathBuf,
}

impl Temporary {
    /// One that nobody else may read.
    pub(crate) fn beside(target: &Path) -> io::Result<Temporary> {
        Temporary::make(target, tempfile::Builder::new().prefix(".nymize-"))
    }

    /// One that may be read by whoever the umask lets.
    pub(crate) fn open_beside(target: &Path) -> io::Result<Temporary> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".nymize-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        Temporary::make(target, &builder)
    }

    fn make(target: &Path, builder: &tempfile::Builder<'_, '_>) -> io::Result<Temporary> {
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut names = names();
        let (file, path) = builder
            .tempfile_in(folder)?
            .keep()
            .map_err(|failed| failed.error)?;
        names.insert(path.clone());
        Ok(Temporary { file, path })
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Takes the place of `target`, at once.
    pub(crate) fn replace(self, target: &Path) -> io::Result<()> {
        let mut names = names();
        let renamed = rename(&self.path, target);
        if renamed.is_ok() {
            names.remove(&self.path);
        }
        drop(names);
        renamed
    }
}

/// Another program may hold a file for a moment where that keeps it from being replaced.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let mut tries = if cfg!(windows) { 10 } else { 0 };
    loop {
        match fs::rename(from, to) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && tries > 0 => {
                tries -= 1;
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            done => return done,
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut names = names();
        if names.remove(&self.path) {
            // What cannot be removed cannot be helped.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// From now on, when a signal ends the program, the files go away first.
#[cfg(unix)]
pub(crate) fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let ignored = ignored_signals();
    let ends = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let mut signals = Signals::new(ends.filter(|signal| ignored & (1 << (signal - 1)) == 0))?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let names = names();
            for path in names.iter() {
                let _ = fs::remove_file(path);
            }
            // Ends the program while no file can be made, as if nothing had been watched.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn watch() -> io::Result<()> {
    Ok(())
}

/// The signals that whoever started the program wants ignored (`nohup`, `&`), as bits, where the
/// system tells.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok())
        .unwrap_or(0)
}
