//! One file, rewritten: nothing is opened for writing before something is to be replaced, and then
//! it is another file, which takes the first one's place when it is whole.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use super::{Said, Seen, Sink, Target};
use crate::encoding::{Encoder, Encoding, utf16_len};
use crate::failure::Failure;
use crate::notice::Tally;
use crate::temporary::Temporary;

/// A file on its way to be rewritten.
pub(crate) struct Rewrite<'r> {
    /// As it is shown.
    shown: &'r Path,
    /// Where it is; no link.
    target: &'r Path,
    /// What it was when it was opened.
    before: Metadata,
    force: bool,
    encoding: Encoding,
    /// How many bytes of it stay as they are before the first that do not.
    passed: u64,
    copy: Option<Copy>,
    tally: Tally,
}

/// The file that is to take the place of the other.
struct Copy {
    temporary: Temporary,
    writer: Writer,
}

enum Writer {
    Bytes(BufWriter<File>),
    Utf16(Encoder<BufWriter<File>>),
}

impl Writer {
    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        match self {
            Writer::Bytes(writer) => writer.write_all(text),
            Writer::Utf16(encoder) => encoder.write_all(text),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Writer::Bytes(writer) => writer.flush(),
            Writer::Utf16(encoder) => encoder.flush(),
        }
    }
}

impl<'r> Rewrite<'r> {
    /// `before` is what the file at `target` was when it was opened.
    pub(crate) fn new(
        shown: &'r Path,
        target: &'r Path,
        before: Metadata,
        force: bool,
    ) -> Rewrite<'r> {
        Rewrite {
            shown,
            target,
            before,
            force,
            encoding: Encoding::Bytes,
            passed: 0,
            copy: None,
            tally: Tally::default(),
        }
    }

    /// Puts the copy in the file's place, should there be one. What was replaced, and what is to be
    /// said of it.
    pub(crate) fn end(mut self) -> Result<(Tally, Vec<Said>), Failure> {
        let Some(mut copy) = self.copy.take() else {
            return Ok((self.tally, Vec::new()));
        };
        copy.writer.flush().map_err(|error| self.failed(&error))?;
        drop(copy.writer);
        let now = fs::metadata(self.target).map_err(|error| self.failed(&error))?;
        if !same::is_same(&self.before, &now) {
            return Err(self.changed());
        }
        let mut said = Vec::new();
        let file = copy.temporary.file();
        let lost = keep::attributes(self.target, &self.before, file)
            .map_err(|error| self.failed(&error))?;
        if !lost.is_empty() {
            let (shown, lost) = (self.shown.display(), lost.join(", "));
            said.push(Said::Warning(format!("{shown}: could not keep {lost}")));
        }
        file.sync_all().map_err(|error| self.failed(&error))?;
        let replaced = copy.temporary.replace(self.target);
        replaced.map_err(|error| self.failed(&error))?;
        let names = same::names(&self.before);
        if names > 1 {
            said.push(Said::Warning(format!(
                "{}: has {names} names (hard links); under the others it is as it was",
                self.shown.display()
            )));
        }
        Ok((self.tally, said))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::new(format!("{}: not rewritten: {error}", self.shown.display()))
    }

    fn changed(&self) -> Failure {
        let shown = self.shown.display();
        Failure::new(format!(
            "{shown}: not rewritten: it changed while it was read"
        ))
    }

    /// Begins the copy, with what stays before the first finding.
    fn begin_copy(&self) -> Result<Copy, Failure> {
        if !self.force && (self.before.permissions().readonly() || !same::may_write(self.target)) {
            return Err(Failure::new(format!(
                "{}: the file is read-only; --force rewrites it",
                self.shown.display()
            )));
        }
        let failed = |error| self.failed(&error);
        let temporary = Temporary::beside(self.target).map_err(failed)?;
        let file = temporary.file().try_clone().map_err(failed)?;
        let mut writer = BufWriter::with_capacity(128 * 1024, file);
        let source = File::open(self.target).map_err(failed)?;
        let metadata = source.metadata().map_err(failed)?;
        let mut head = source.take(self.passed);
        let copied = io::copy(&mut head, &mut writer).map_err(failed)?;
        if copied != self.passed || !same::is_same(&self.before, &metadata) {
            return Err(self.changed());
        }
        let writer = match self.encoding {
            Encoding::Bytes => Writer::Bytes(writer),
            encoding => Writer::Utf16(Encoder::new(writer, encoding)),
        };
        Ok(Copy { temporary, writer })
    }

    fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        let Some(copy) = &mut self.copy else {
            self.passed += match self.encoding {
                Encoding::Bytes => text.len() as u64,
                _ => text.iter().copied().map(utf16_len).sum(),
            };
            return Ok(());
        };
        let written = copy.writer.write(text);
        written.map_err(|error| self.failed(&error))
    }
}

impl Sink for Rewrite<'_> {
    fn raw(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.write(text)
    }

    fn found(&mut self, seen: Seen<'_>) -> Result<(), Failure> {
        if self.copy.is_none() {
            self.copy = Some(self.begin_copy()?);
        }
        self.tally.add(seen.kind, 1);
        self.write(seen.replacement)
    }

    fn added(&mut self, quote: &[u8]) -> Result<(), Failure> {
        if self.copy.is_none() {
            self.copy = Some(self.begin_copy()?);
        }
        self.write(quote)
    }
}

impl Target for Rewrite<'_> {
    fn begin(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }
}

#[cfg(unix)]
mod same {
    use std::fs::Metadata;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// Whether a file is still the same, with the same content.
    pub(super) fn is_same(a: &Metadata, b: &Metadata) -> bool {
        let state = |it: &Metadata| (it.dev(), it.ino(), it.len(), it.mtime(), it.mtime_nsec());
        state(a) == state(b)
    }

    /// How many names a file has.
    pub(super) fn names(metadata: &Metadata) -> u64 {
        metadata.nlink()
    }

    /// Whether we may write to a file.
    pub(super) fn may_write(path: &Path) -> bool {
        rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
    }
}

#[cfg(not(unix))]
mod same {
    use std::fs::Metadata;
    use std::path::Path;

    /// Whether a file still has the same content.
    pub(super) fn is_same(a: &Metadata, b: &Metadata) -> bool {
        a.len() == b.len() && a.modified().ok() == b.modified().ok()
    }

    /// How many names a file has: not told here.
    pub(super) fn names(_: &Metadata) -> u64 {
        1
    }

    /// Whether we may write to a file: its permissions tell.
    pub(super) fn may_write(_: &Path) -> bool {
        true
    }
}

#[cfg(unix)]
mod keep {
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    use std::path::Path;

    use xattr::FileExt;

    /// Gives `copy` the owner, the attributes (access lists among them) and the mode of the file at
    /// `path`. What could not be kept; the mode always is.
    pub(super) fn attributes(
        path: &Path,
        before: &Metadata,
        copy: &File,
    ) -> io::Result<Vec<String>> {
        let mut lost = Vec::new();
        let made = copy.metadata()?;
        let mut mode = before.mode() & 0o7777;
        if (made.uid(), made.gid()) != (before.uid(), before.gid())
            && fchown(copy, Some(before.uid()), Some(before.gid())).is_err()
        {
            lost.push("its owner".to_owned());
            let _ = fchown(copy, None, Some(before.gid()));
            // Under another owner these would give away more than they did.
            mode &= 0o777;
        }
        // Where there are no attributes, there is nothing to keep.
        for name in xattr::list(path).into_iter().flatten() {
            let kept = xattr::get(path, &name).and_then(|value| match value {
                Some(value) if copy.get_xattr(&name).ok().flatten() != Some(value.clone()) => {
                    copy.set_xattr(&name, &value)
                }
                _ => Ok(()),
            });
            if kept.is_err() {
                lost.push(format!("its attribute {}", name.to_string_lossy()));
            }
        }
        copy.set_permissions(Permissions::from_mode(mode))?;
        Ok(lost)
    }
}

#[cfg(not(unix))]
mod keep {
    use std::fs::{File, Metadata};
    use std::io;
    use std::path::Path;

    /// Gives `copy` the permissions of the file before it.
    pub(super) fn attributes(_: &Path, before: &Metadata, copy: &File) -> io::Result<Vec<String>> {
        copy.set_permissions(before.permissions())?;
        Ok(Vec::new())
    }
}
