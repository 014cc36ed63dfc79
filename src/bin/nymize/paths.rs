//! How reports and baselines name files: from a folder, with `/`, the same on every machine.

use std::env;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A folder that paths are told from.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    folder: PathBuf,
}

impl Base {
    /// The working folder.
    pub(crate) fn working_folder() -> io::Result<Base> {
        Ok(Base {
            folder: env::current_dir()?,
        })
    }

    /// Another folder, which must be there.
    pub(crate) fn folder(path: &Path) -> io::Result<Base> {
        Ok(Base {
            folder: path.canonicalize()?,
        })
    }

    /// `path`, which is named from the working folder, as it is named from this one; with `..` in
    /// front where it lies elsewhere, and absolute where nothing leads there (another drive).
    pub(crate) fn tell(&self, path: &Path) -> PathBuf {
        let plain = absolute(path);
        if let Ok(inside) = plain.strip_prefix(&self.folder) {
            return inside.to_owned();
        }
        // It may lead through links to where we are. What a last link points to is not asked for:
        // it is the link that was named.
        let real = match (plain.parent().map(Path::canonicalize), plain.file_name()) {
            (Some(Ok(parent)), Some(name)) => parent.join(name),
            _ => plain,
        };
        climb(&self.folder, &real).unwrap_or(real)
    }
}

/// The way from a folder to a path, both absolute and plain.
fn climb(folder: &Path, path: &Path) -> Option<PathBuf> {
    let shared = folder
        .components()
        .zip(path.components())
        .take_while(|(one, other)| one == other)
        .count();
    // The root alone, and the drive before it, are not shared by chance.
    if !folder
        .components()
        .take(shared)
        .any(|component| component == Component::RootDir)
    {
        return None;
    }
    let up = folder
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    Some(up.chain(path.components().skip(shared)).collect())
}

/// Absolute, without `.` and `..`; no link is followed.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for component in whole.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// The bytes of a path with `/` between its parts.
pub(crate) fn with_slashes(path: &Path) -> Vec<u8> {
    let mut out = Vec::new();
    for component in path.components() {
        match component {
            Component::RootDir => {}
            Component::Prefix(prefix) => {
                out.extend_from_slice(prefix.as_os_str().as_encoded_bytes());
                continue;
            }
            other => out.extend_from_slice(other.as_os_str().as_encoded_bytes()),
        }
        out.push(b'/');
    }
    if out.len() > 1 {
        out.pop();
    }
    out
}

/// A reference to a file from the working folder, as a URI (RFC 3986): relative inside of the
/// folder, else absolute.
pub(crate) fn uri(base: &Base, path: &Path) -> String {
    let told = base.tell(path);
    if told.is_relative() && !told.starts_with(Component::ParentDir) {
        return percent(&with_slashes(&told));
    }
    let whole = percent(&with_slashes(&absolute(path)));
    format!("file:///{}", whole.trim_start_matches('/'))
}

/// Percent-encodes what is neither unreserved nor `/`.
fn percent(bytes: &[u8]) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 0x0f)]));
        }
    }
    out
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn base(folder: &str) -> Base {
        Base {
            folder: folder.into(),
        }
    }

    fn told(folder: &str, path: &str) -> String {
        base(folder).tell(Path::new(path)).display().to_string()
    }

    #[test]
    fn paths_are_told_from_a_folder() {
        assert_eq!(told("/no/a", "/no/a/b/c"), "b/c");
        assert_eq!(told("/no/a", "/no/./a/x/../b"), "b");
        assert_eq!(told("/no/a", "/no/other/b"), "../other/b");
        assert_eq!(told("/no/a", "/no/ab"), "../ab");
        assert_eq!(told("/no/a", "/b"), "../../b");
    }

    #[test]
    fn a_path_through_a_link_is_inside() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        std::fs::create_dir(&real).unwrap();
        std::fs::write(real.join("file"), "").unwrap();
        std::os::unix::fs::symlink("real", folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink("file", real.join("other")).unwrap();
        let base = Base::folder(&folder.path().join("link")).unwrap();
        let told = |path: &str| base.tell(&folder.path().join(path));
        assert_eq!(told("link/file"), Path::new("file"));
        assert_eq!(told("real/file"), Path::new("file"));
        assert_eq!(told("link/other"), Path::new("other"));
    }

    #[test]
    fn uris() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let base = base("/no/a");
        for (path, expected) in [
            (&b"/no/a/b/c.txt"[..], "b/c.txt"),
            (b"/no/a/a b%c#d?e:f.txt", "a%20b%25c%23d%3Fe%3Af.txt"),
            ("/no/a/é".as_bytes(), "%C3%A9"),
            (b"/no/a/\xff\n", "%FF%0A"),
            (b"/no/b/c d", "file:///no/b/c%20d"),
        ] {
            assert_eq!(uri(&base, Path::new(OsStr::from_bytes(path))), expected);
        }
    }
}
