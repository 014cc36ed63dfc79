//! A list of files that another program made.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Reads the names in `from` (`-`: stdin): one a line, or with a NUL behind each.
pub(crate) fn read(from: &Path, null: bool) -> Result<Vec<PathBuf>, Failure> {
    let mut bytes = Vec::new();
    let read = if from == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        fs::read(from).map(|read| bytes = read)
    };
    read.map_err(|error| Failure::new(format!("the list {}: {error}", from.display())))?;
    names(&bytes, if null { 0 } else { b'\n' })
}

fn names(bytes: &[u8], end: u8) -> Result<Vec<PathBuf>, Failure> {
    bytes
        .split(|&byte| byte == end)
        .filter(|name| !name.is_empty())
        .map(|name| {
            // A name with a NUL is none: the list was made for `-0`.
            let path = (!name.contains(&0)).then(|| path(name)).flatten();
            path.ok_or_else(|| Failure::new("the list holds a name that is none; is it for -0?"))
        })
        .collect()
}

/// A path of the bytes that another program names it by.
#[cfg(unix)]
pub(crate) fn path(bytes: &[u8]) -> Option<PathBuf> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(OsStr::from_bytes(bytes)))
}

/// A path of the bytes that another program names it by.
#[cfg(not(unix))]
pub(crate) fn path(bytes: &[u8]) -> Option<PathBuf> {
    let name = std::str::from_utf8(bytes).ok()?;
    Some(PathBuf::from(name.trim_end_matches('\r')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split() {
        let paths = |names: &[&str]| -> Vec<PathBuf> { names.iter().map(PathBuf::from).collect() };
        assert_eq!(names(b"", b'\n').unwrap(), paths(&[]));
        assert_eq!(
            names(b"a\n b\n\nc", b'\n').unwrap(),
            paths(&["a", " b", "c"])
        );
        assert_eq!(names(b"a\nb\0c\0", 0).unwrap(), paths(&["a\nb", "c"]));
        assert!(names(b"a\0b\0", b'\n').is_err());
    }
}
