//! Inputs and outputs: opened before anything is written, read and written unbuffered in
//! pieces that stay in the cache.

mod reader;

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

pub(crate) use self::reader::{Nature, TextReader};
use crate::failure::Failure;
use crate::notice::Talk;
use crate::temporary::{self, Temporary};

/// How much is read at once: what stays in the second cache level.
const PIECE: usize = 128 * 1024;

/// An open input.
pub(crate) struct Input {
    /// As it was named; none for stdin.
    path: Option<PathBuf>,
    reader: Box<dyn Read + Send>,
    /// Of a file that is not stdin, how long it is.
    length: Option<u64>,
    /// Of a file, what it is.
    metadata: Option<Metadata>,
}

impl Input {
    /// Opens the inputs that were named, `-` being stdin; stdin alone where none was.
    pub(crate) fn open_all(paths: &[PathBuf], talk: Talk) -> Result<Vec<Input>, Failure> {
        if paths.is_empty() {
            return Ok(vec![Input::open(Path::new("-"), talk)?]);
        }
        paths.iter().map(|path| Input::open(path, talk)).collect()
    }

    /// Opens a file, or stdin for `-`.
    pub(crate) fn open(path: &Path, talk: Talk) -> Result<Input, Failure> {
        if path == Path::new("-") {
            return Input::stdin(talk);
        }
        let failed = |error| Failure::new(format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            return Err(Failure::new(format!(
                "{}: is a folder; name the files in it",
                path.display()
            )));
        }
        Ok(Input::of_file(path, file))
    }

    /// An open file.
    pub(crate) fn of_file(path: &Path, file: File) -> Input {
        let metadata = file.metadata().ok();
        Input {
            path: Some(path.to_owned()),
            length: metadata
                .as_ref()
                .filter(|it| it.is_file())
                .map(Metadata::len),
            metadata,
            reader: Box::new(file),
        }
    }

    /// What is no file of its own, but has a path and a length.
    pub(crate) fn of_reader(path: &Path, reader: Box<dyn Read + Send>, length: u64) -> Input {
        Input {
            path: Some(path.to_owned()),
            reader,
            length: Some(length),
            metadata: None,
        }
    }

    fn stdin(talk: Talk) -> Result<Input, Failure> {
        if io::stdin().is_terminal() {
            talk.note(
                "reading from the terminal; end with Ctrl-D on a line of its own \
                 (`nymize --help` tells more)",
            );
        }
        let file = handle::duplicate(&io::stdin())
            .map_err(|error| Failure::new(format!("stdin: {error}")))?;
        Ok(Input {
            path: None,
            // It may stand in the middle of a file.
            length: None,
            metadata: file.metadata().ok(),
            reader: Box::new(file),
        })
    }

    /// The path as it was named; none for stdin.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => "stdin".to_owned(),
        }
    }

    /// How long it is, where that is known before it is read.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }
}

/// stdout, or the file of `--output`. Nothing is written behind one's back: what was not
/// flushed when it is dropped is lost, and a file then never appears.
pub(crate) struct Output {
    name: String,
    file: File,
    buffer: Vec<u8>,
    /// The unfinished file, and the path at which it is to appear.
    pending: Option<(Temporary, PathBuf)>,
}

impl Output {
    pub(crate) fn stdout() -> Result<Output, Failure> {
        let file = handle::duplicate(&io::stdout())
            .map_err(|error| Failure::new(format!("stdout: {error}")))?;
        Ok(Output::to("stdout".to_owned(), file))
    }

    /// Writes all that a command has to say to stdout.
    pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
        let mut output = Output::stdout()?;
        output
            .write_all(bytes)
            .map_err(|error| Failure::write(&output.name, &error))?;
        output.finish()
    }

    /// Opens the output: stdout for none and for `-`. One that is an input too is refused.
    pub(crate) fn open(path: Option<&Path>, inputs: &[Input]) -> Result<Output, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let output = Output::stdout()?;
            if let Ok(metadata) = output.file.metadata() {
                refuse_input(&metadata, &output.name, inputs)?;
            }
            return Ok(output);
        };
        let name = path.display().to_string();
        let failed = |error| Failure::new(format!("{name}: {error}"));
        match fs::metadata(path) {
            // A device or a pipe is there already, and is not to be replaced.
            Ok(existing) if !existing.is_file() => {
                let file = File::options().write(true).open(path).map_err(failed)?;
                Ok(Output::to(name, file))
            }
            Ok(existing) => {
                refuse_input(&existing, &name, inputs)?;
                if existing.permissions().readonly() {
                    return Err(Failure::new(format!("{name}: the file is read-only")));
                }
                // What a link points to is replaced, not the link.
                let target = fs::canonicalize(path).map_err(failed)?;
                Output::to_new_file(name, target, Some(&existing))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Output::to_new_file(name, path.to_owned(), None)
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn to(name: String, file: File) -> Output {
        Output {
            name,
            file,
            buffer: Vec::with_capacity(PIECE),
            pending: None,
        }
    }

    fn to_new_file(
        name: String,
        target: PathBuf,
        existing: Option<&Metadata>,
    ) -> Result<Output, Failure> {
        let failed = |error| Failure::new(format!("{name}: {error}"));
        temporary::watch().map_err(failed)?;
        let pending = Temporary::open_beside(&target).map_err(failed)?;
        if let Some(existing) = existing {
            pending
                .file()
                .set_permissions(existing.permissions())
                .map_err(failed)?;
        }
        let file = pending.file().try_clone().map_err(failed)?;
        let mut output = Output::to(name, file);
        output.pending = Some((pending, target));
        Ok(output)
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Writes what is left; a file then appears at its path.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let done = match self.flush() {
            Ok(()) => match self.pending.take() {
                None => Ok(()),
                Some((file, target)) => file.file().sync_all().and_then(|()| file.replace(&target)),
            },
            failed => failed,
        };
        done.map_err(|error| Failure::write(&self.name, &error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() + bytes.len() > PIECE {
            self.flush()?;
        }
        if bytes.len() >= PIECE / 2 {
            self.flush()?;
            return self.file.write(bytes);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.buffer);
        // After an error too: nothing is written twice.
        self.buffer.clear();
        written
    }
}

/// Refuses an output that is one of the inputs: what was read would be lost, or read again
/// without end.
fn refuse_input(output: &Metadata, name: &str, inputs: &[Input]) -> Result<(), Failure> {
    for input in inputs {
        let metadata = input.metadata.as_ref();
        if metadata.is_some_and(|metadata| handle::is_same_file(output, metadata)) {
            return Err(Failure::new(format!(
                "{name}: the output cannot be the input {}",
                input.name()
            )));
        }
    }
    Ok(())
}

#[cfg(unix)]
mod handle {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    /// The same stream, without the buffer that the standard library puts before it.
    pub(super) fn duplicate(stream: &impl AsFd) -> io::Result<File> {
        Ok(File::from(stream.as_fd().try_clone_to_owned()?))
    }

    /// Whether both are one regular file.
    pub(super) fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
        a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino())
    }
}

#[cfg(windows)]
mod handle {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::windows::io::AsHandle;

    /// The same stream, without the buffer that the standard library puts before it.
    pub(super) fn duplicate(stream: &impl AsHandle) -> io::Result<File> {
        Ok(File::from(stream.as_handle().try_clone_to_owned()?))
    }

    /// A file that is open for reading cannot be replaced here, so that nothing is lost.
    pub(super) fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
        false
    }
}
