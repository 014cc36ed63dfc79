//! Key files: read, made, tightened. It prints nothing: what people should know of a
//! file that could be used all the same comes back in [`Key::warnings`].
//!
//! There are two ways to a key file, and they differ in what they allow:
//!
//! - *our own* path ([`Key::load_or_create`]), which the program makes on first use. It
//!   must be a regular file of the user who runs the process, and nobody else's to read;
//! - a path that somebody *named* ([`Key::load`]). It must exist, and may be a link, a
//!   pipe, or a secret that another user owns.
//!
//! # Syntax
//! A key file holds 64 hex digits and, as a rule, a newline; or 32 raw bytes.
//! Anything else is an error: a key is never padded, cut, or made anew over a file.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use crate::error::{Error, ErrorKind};
use crate::pseudonym::{KEY_LEN, Key, decode_hex};

/// The longest text that is a key: 64 hex digits and a newline.
const LONGEST: usize = 2 * KEY_LEN + 1;

impl Key {
    /// The key in our own file at `path`, which is made if it is not there: its folder
    /// with mode 0700, the file with mode 0600, whole or not at all, and never over
    /// another file. Processes that do so at the same time get the same key.
    ///
    /// A file that others could read is tightened, which is then told in
    /// [`Key::warnings`].
    ///
    /// # Errors
    /// When there is no regular file of this user at `path` and none can be made, or when
    /// it holds no key.
    pub fn load_or_create(path: impl AsRef<Path>) -> Result<Key, Error> {
        let path = path.as_ref();
        if let Some(key) = read_own(path)? {
            return Ok(key);
        }
        match make(path, place_without_replacing)? {
            Some(key) => Ok(key),
            // Somebody else was faster.
            None => read_own(path)?.ok_or_else(|| bad(path, "vanished while it was read")),
        }
    }

    /// The key in the file that somebody named: a regular file, a link to one, or a pipe.
    /// A file that everybody can read is told in [`Key::warnings`].
    ///
    /// # Errors
    /// When it cannot be read, or holds no key.
    pub fn load(path: impl AsRef<Path>) -> Result<Key, Error> {
        let path = path.as_ref();
        let mut file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => bad(
                path,
                "there is no such key file; make one with `nymize key create`",
            ),
            _ => unreadable(path, &error),
        })?;
        let mut warnings = Vec::new();
        let metadata = file.metadata().map_err(|error| unreadable(path, &error))?;
        if metadata.is_dir() {
            return Err(bad(path, "is a folder, not a key file"));
        }
        if mode::open_to_everybody(&metadata) {
            warnings.push(format!(
                "{}: others than its owner can read or change this key file; \
                 `chmod go= FILE` keeps them out",
                path.display()
            ));
        }
        Ok(read(path, &mut file)?.with_warnings(warnings))
    }

    /// Makes a new key and its file at `path`, as [`Key::load_or_create`] does.
    ///
    /// # Errors
    /// When there is anything at `path`, or the file cannot be made.
    pub fn create(path: impl AsRef<Path>) -> Result<Key, Error> {
        let path = path.as_ref();
        let taken = || bad(path, "is there already, and was left as it is");
        if fs::symlink_metadata(path).is_ok() {
            return Err(taken());
        }
        make(path, place_without_replacing)?.ok_or_else(taken)
    }
}

/// The key in our own file, or nothing if there is no such file.
fn read_own(path: &Path) -> Result<Option<Key>, Error> {
    let seen = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(path, &error)),
    };
    // Asked before it is opened: to open a pipe would wait for its writer.
    if !seen.is_file() {
        return Err(bad(
            path,
            "is not a regular file; move it away, or name the key file that is meant",
        ));
    }
    if !mode::is_ours(&seen) {
        return Err(bad(
            path,
            "belongs to another user; give it to the user who runs this, \
             or name another key file",
        ));
    }
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(path, &error)),
    };
    let opened = file.metadata().map_err(|error| unreadable(path, &error))?;
    if !mode::is_same_file(&seen, &opened) {
        return Err(bad(
            path,
            "was put in another file's place while it was read",
        ));
    }
    let key = read(path, &mut file)?;
    let warnings = mode::tighten(path, &file, &opened).into_iter().collect();
    Ok(Some(key.with_warnings(warnings)))
}

/// Reads a key from an open file: to its end, but never more than tells that it is too long.
fn read(path: &Path, file: &mut File) -> Result<Key, Error> {
    let mut buffer = Zeroizing::new([0_u8; LONGEST + 1]);
    let mut len = 0;
    while let Some(free) = buffer.get_mut(len..).filter(|free| !free.is_empty()) {
        match file.read(free) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(path, &error)),
        }
    }
    let bytes = buffer.get(..len).unwrap_or_default();
    parse(bytes).ok_or_else(|| {
        let reason = match len {
            0 => "is empty; a key file holds 64 hex digits".to_owned(),
            n if n > LONGEST => "is too long for a key file, which holds 64 hex digits".to_owned(),
            n => format!("holds {n} bytes that are no key; a key file holds 64 hex digits"),
        };
        bad(path, &reason)
    })
}

/// The key that the whole content of a file stands for.
fn parse(content: &[u8]) -> Option<Key> {
    let digits = content.strip_suffix(b"\n").unwrap_or(content);
    if let Some(bytes) = decode_hex(digits) {
        return Some(Key::from_zeroizing(bytes));
    }
    // 32 hex digits are the half of a key, not 32 raw bytes: that random ones look like
    // this happens once in 2^113 keys.
    if content
        .iter()
        .all(|byte| byte.is_ascii_hexdigit() || byte.is_ascii_whitespace())
    {
        return None;
    }
    let mut bytes = Zeroizing::new([0; KEY_LEN]);
    if content.len() != KEY_LEN {
        return None;
    }
    bytes.copy_from_slice(content);
    Some(Key::from_zeroizing(bytes))
}

/// Puts a finished temporary file at a path. `false`: there is a file already.
type Place = fn(NamedTempFile, &Path) -> io::Result<bool>;

/// Makes a new key and its file. Nothing when somebody else has made one meanwhile.
fn make(path: &Path, place: Place) -> Result<Option<Key>, Error> {
    let failed = |error: io::Error| bad(path, &format!("cannot be made: {error}"));
    let folder = folder_of(path);
    mode::make_folder(&folder).map_err(failed)?;
    let key = Key::random()?;
    // Mode 0600 from its first byte, as tempfile makes them.
    let mut file = tempfile::Builder::new()
        .prefix(".key-")
        .tempfile_in(&folder)
        .map_err(failed)?;
    let mut text = Zeroizing::new([b'\n'; LONGEST]);
    if let Some((digits, _newline)) = text.split_last_mut().map(|(last, rest)| (rest, last)) {
        hex::encode_to_slice(key.bytes(), digits).expect("two digits for each byte");
    }
    file.write_all(&*text).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    if !place(file, path).map_err(failed)? {
        return Ok(None);
    }
    // So that the name outlives a power cut too. Where a folder cannot be synced, the
    // worst is a key that is made anew later.
    if let Ok(folder) = File::open(&folder) {
        let _ = folder.sync_all();
    }
    Ok(Some(key))
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// In one step of the file system: a rename that does not replace, or a hard link; and
/// where neither is supported, under a lock.
fn place_without_replacing(file: NamedTempFile, path: &Path) -> io::Result<bool> {
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(failed) => place_under_lock(failed.file, path),
    }
}

/// For file systems without links (FAT, some network and user-space ones): whoever holds the
/// folder's lock looks whether there is a file, and renames if not. A rename shows the whole
/// file or none; the system lifts the lock when its holder dies, so that none is left behind.
fn place_under_lock(file: NamedTempFile, path: &Path) -> io::Result<bool> {
    let folder = File::open(folder_of(path))?;
    folder.lock()?;
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            file.persist(path).map_err(|failed| failed.error)?;
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

fn bad(path: &Path, reason: &str) -> Error {
    Error::new(ErrorKind::Key {
        place: path.display().to_string(),
        reason: reason.to_owned(),
    })
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    bad(path, &format!("this key file cannot be read: {error}"))
}

/// Owners and modes, where the system has them.
#[cfg(unix)]
mod mode {
    use std::fs::{DirBuilder, File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
    use std::path::Path;

    /// Whether users outside of the file's group can read it, or others than its owner change
    /// it. A group that reads is left alone: that is how a service is given its secret.
    pub(super) fn open_to_everybody(metadata: &Metadata) -> bool {
        metadata.is_file() && metadata.mode() & 0o026 != 0
    }

    pub(super) fn is_ours(metadata: &Metadata) -> bool {
        metadata.uid() == rustix::process::geteuid().as_raw()
    }

    pub(super) fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
        (a.dev(), a.ino()) == (b.dev(), b.ino())
    }

    /// Takes all rights from others than the owner; a warning when there were any.
    pub(super) fn tighten(path: &Path, file: &File, metadata: &Metadata) -> Option<String> {
        let mode = metadata.mode() & 0o7777;
        if mode & 0o077 == 0 {
            return None;
        }
        let place = path.display();
        let private = Permissions::from_mode(mode & 0o700);
        Some(match file.set_permissions(private) {
            Ok(()) => format!(
                "{place}: others could get at this key file (mode {mode:04o}); \
                 it is now its owner's alone"
            ),
            Err(error) => format!(
                "{place}: others can get at this key file (mode {mode:04o}), \
                 and that cannot be changed: {error}"
            ),
        })
    }

    pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)
    }
}

/// Elsewhere what is in a user's own folder is that user's by inheritance.
#[cfg(not(unix))]
mod mode {
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::path::Path;

    pub(super) fn open_to_everybody(_: &Metadata) -> bool {
        false
    }

    pub(super) fn is_ours(_: &Metadata) -> bool {
        true
    }

    pub(super) fn is_same_file(_: &Metadata, opened: &Metadata) -> bool {
        opened.is_file()
    }

    pub(super) fn tighten(_: &Path, _: &File, _: &Metadata) -> Option<String> {
        None
    }

    pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn contents_that_are_keys() {
        let hex = "0123456789abcdef".repeat(4);
        for text in [hex.clone(), format!("{hex}\n"), hex.to_uppercase()] {
            let key = parse(text.as_bytes()).unwrap();
            assert_eq!(hex::encode(key.bytes()), hex);
        }
        let mut raw = [b'a'; 32];
        raw[31] = b'\n';
        assert!(parse(&raw).is_none(), "31 hex digits and a newline");
        raw[0] = 0xff;
        assert_eq!(parse(&raw).unwrap().bytes(), &raw);
    }

    #[test]
    fn contents_that_are_no_keys() {
        let hex = "0123456789abcdef".repeat(4);
        for text in [
            "",
            "\n",
            &hex[..32],
            &hex[..63],
            &format!("{}\n", &hex[..62]),
            &format!("{hex}\n\n"),
            &format!("{hex}\r\n"),
            &format!("{hex} "),
            &format!(" {hex}"),
            &format!("{hex}0"),
            &format!("{}g", &hex[..63]),
            &"g".repeat(31),
            &"g".repeat(33),
            &"g".repeat(64),
        ] {
            assert!(parse(text.as_bytes()).is_none(), "{text:?}");
        }
    }

    /// Twenty at once, by each way of putting a file in its place.
    #[test]
    fn one_of_many_makes_the_key() {
        for place in [place_without_replacing, place_under_lock] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("deep").join("key");
            let barrier = Barrier::new(20);
            let keys: Vec<Option<String>> = std::thread::scope(|scope| {
                let run = || {
                    barrier.wait();
                    make(&path, place).unwrap().map(|key| key.fingerprint())
                };
                let threads: Vec<_> = (0..20).map(|_| scope.spawn(run)).collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap())
                    .collect()
            });
            let made: Vec<&String> = keys.iter().flatten().collect();
            let [made] = made[..] else {
                panic!("{} keys were made", made.len());
            };
            assert_eq!(Key::load(&path).unwrap().fingerprint(), *made);
            let left = fs::read_dir(path.parent().unwrap()).unwrap().count();
            assert_eq!(left, 1, "temporary files are left");
        }
    }

    #[test]
    fn nothing_is_made_over_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, "").unwrap();
        assert!(Key::create(&path).is_err());
        assert!(Key::load_or_create(&path).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"");
    }
}
