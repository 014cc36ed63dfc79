//! What git knows: which files are staged, what is in them, and which files it ignores. It is
//! asked by way of its own program, so that its hooks' environment counts.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::stdio::Input;
use crate::walk::path_of_bytes;

/// The name under which git keeps a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Id(String);

/// A plain file, and one that can be run. Links and other repositories have no text of their own.
const FILE_MODES: [&[u8]; 2] = [b"100644", b"100755"];

/// The files that the next commit would add or change, below `paths` or everywhere, and what is
/// staged of them. Paths count from the working folder.
pub(crate) fn staged(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Id)>, Failure> {
    let place = output(git().args(["rev-parse", "--show-cdup", "--show-prefix"]))?;
    let mut lines = place.split(|&byte| byte == b'\n');
    let up = path_of_bytes(lines.next().unwrap_or_default()).unwrap_or_default();
    let here = path_of_bytes(lines.next().unwrap_or_default()).unwrap_or_default();
    let mut command = git();
    command
        .args(["diff", "--cached", "--raw", "-z", "--no-abbrev"])
        .args(["--no-renames", "--no-ext-diff", "--no-relative"])
        .args(["--ignore-submodules", "--diff-filter=ACMT", "--"])
        .args(paths)
        .env("GIT_LITERAL_PATHSPECS", "1");
    let told = output(&mut command)?;
    let mut told = told.split(|&byte| byte == 0);
    let mut staged = Vec::new();
    // ":100644 100755 <id> <id> M", then the path.
    while let (Some(change), Some(path)) = (told.next(), told.next()) {
        let mut fields = change.split(|&byte| byte == b' ').skip(1);
        let (mode, id) = (fields.next(), fields.nth(1));
        let id = id.and_then(|id| std::str::from_utf8(id).ok());
        let (Some(mode), Some(id), Some(path)) = (mode, id, path_of_bytes(path)) else {
            return Err(Failure::new("git: its list of staged files cannot be read"));
        };
        if FILE_MODES.contains(&mode) {
            let path = match path.strip_prefix(&here) {
                Ok(below) => below.to_owned(),
                Err(_) => up.join(path),
            };
            staged.push((path, Id(id.to_owned())));
        }
    }
    Ok(staged)
}

/// Of `files`, those that git ignores and does not track. Where git cannot tell, none: more is
/// read then, not less.
pub(crate) fn ignored<'p>(
    files: impl Iterator<Item = &'p PathBuf>,
) -> Result<HashSet<PathBuf>, Failure> {
    let mut list = Vec::new();
    for file in files {
        list.extend_from_slice(file.as_os_str().as_encoded_bytes());
        list.push(0);
    }
    if list.is_empty() {
        return Ok(HashSet::new());
    }
    let child = git()
        .args(["check-ignore", "-z", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return Ok(HashSet::new());
    };
    let stdin = child.stdin.take();
    let told = std::thread::scope(|scope| {
        scope.spawn(|| {
            // It may end before it has read all.
            let _ = stdin.map(|mut stdin| stdin.write_all(&list));
        });
        child.wait_with_output()
    });
    let told = told.map_err(|error| Failure::new(format!("git check-ignore: {error}")))?;
    let names = told.stdout.split(|&byte| byte == 0);
    Ok(names
        .filter(|name| told.status.success() && !name.is_empty())
        .filter_map(path_of_bytes)
        .collect())
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.stdin(Stdio::null());
    git
}

/// What a command writes; an error that tells the first line of what it complains of.
fn output(command: &mut Command) -> Result<Vec<u8>, Failure> {
    let told = command
        .output()
        .map_err(|error| Failure::new(format!("cannot run git: {error}")))?;
    if told.status.success() {
        return Ok(told.stdout);
    }
    let said = String::from_utf8_lossy(&told.stderr);
    let said = said.lines().next().unwrap_or("it failed");
    Err(Failure::new(format!("git: {said}")))
}

/// Reads what is staged, by way of one `git cat-file --batch`.
pub(crate) struct Blobs {
    child: Child,
    ask: Option<ChildStdin>,
    answer: Arc<Mutex<BufReader<ChildStdout>>>,
}

impl Blobs {
    pub(crate) fn new() -> Result<Blobs, Failure> {
        let child = git()
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let failed = |error: io::Error| Failure::new(format!("cannot run git: {error}"));
        let mut child = child.map_err(failed)?;
        let ask = child.stdin.take();
        let answer = child.stdout.take();
        let answer = answer.ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        Ok(Blobs {
            child,
            ask,
            answer: Arc::new(Mutex::new(BufReader::new(answer))),
        })
    }

    /// What is staged of a file. The one before must have been dropped.
    pub(crate) fn open(&mut self, path: &Path, id: &Id) -> Result<Input, Failure> {
        let failed = |what: String| Failure::new(format!("{}: git: {what}", path.display()));
        let mut header = String::new();
        self.ask
            .as_mut()
            .map_or(Ok(()), |ask| {
                writeln!(ask, "{}", id.0).and_then(|()| ask.flush())
            })
            .and_then(|()| lock(&self.answer).read_line(&mut header))
            .map_err(|error| failed(error.to_string()))?;
        // "<id> blob <size>"
        let mut words = header.split_whitespace().skip(1);
        let (kind, size) = (words.next(), words.next());
        let size = size.and_then(|size| size.parse().ok());
        let (Some("blob"), Some(size)) = (kind, size) else {
            return Err(failed("what is staged of it cannot be read".to_owned()));
        };
        let blob = Blob {
            answer: self.answer.clone(),
            left: size,
        };
        Ok(Input::of_reader(path, Box::new(blob), size))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // It ends when nothing more can be asked; in the middle of an answer, when nobody listens.
        drop(self.ask.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One answer of `git cat-file`.
struct Blob {
    answer: Arc<Mutex<BufReader<ChildStdout>>>,
    left: u64,
}

impl Read for Blob {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = lock(&self.answer).read(&mut buffer[..most])?;
        if read == 0 && most > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= read as u64;
        Ok(read)
    }
}

impl Drop for Blob {
    /// Goes to the end of the answer, and over the line end behind it.
    fn drop(&mut self) {
        let mut rest = lock(&self.answer);
        // Should that fail, the next answer does too, and says so.
        let _ = io::copy(&mut (&mut *rest).take(self.left + 1), &mut io::sink());
    }
}
