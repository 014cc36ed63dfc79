//! What would change, as a unified diff, which `git apply` and `patch -p1` understand. It holds the
//! lines of the file as they are, and nothing of a value that is not in them.

use std::collections::VecDeque;
use std::path::Path;

/// How many lines stand around a change.
const CONTEXT: usize = 3;

/// How much of a file may change in one piece, in bytes: it is held until its end is known.
pub(crate) const MOST: usize = 64 << 20;

/// A diff in the making.
pub(crate) struct Diff {
    header: Vec<u8>,
    /// The line that is being read: as it is, and as it would be.
    line: Line,
    /// The last lines, where no hunk is open.
    before: VecDeque<Vec<u8>>,
    /// How many lines came before the one that is being read.
    lines: u64,
    hunk: Option<Hunk>,
}

#[derive(Default)]
struct Line {
    old: Vec<u8>,
    new: Vec<u8>,
    changed: bool,
}

/// Changes with the lines around them.
struct Hunk {
    /// Its first line, from 1.
    start: u64,
    /// How many lines it has.
    lines: u64,
    body: Vec<u8>,
    /// Changed lines that come one after the other, as they would be.
    new: Vec<u8>,
    /// How many unchanged lines it ends with.
    quiet: usize,
    /// How long the body is without all but [`CONTEXT`] of those.
    end: usize,
}

impl Diff {
    pub(crate) fn new(path: Option<&Path>) -> Diff {
        let name = match path {
            Some(path) => path.as_os_str().as_encoded_bytes(),
            None => b"stdin",
        };
        let mut header = b"--- ".to_vec();
        label(b"a/", name, &mut header);
        header.extend_from_slice(b"+++ ");
        label(b"b/", name, &mut header);
        Diff {
            header,
            line: Line::default(),
            before: VecDeque::new(),
            lines: 0,
            hunk: None,
        }
    }

    /// The next bytes, which stay.
    ///
    /// # Errors
    /// When too much changes in one piece.
    pub(crate) fn raw(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<(), TooLong> {
        for part in text.split_inclusive(|&byte| byte == b'\n') {
            self.line.old.extend_from_slice(part);
            self.line.new.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.end_line(out);
            }
        }
        self.check()
    }

    /// The next bytes, in a line, and what they would be.
    ///
    /// # Errors
    /// As for [`Diff::raw`].
    pub(crate) fn found(&mut self, old: &[u8], new: &[u8]) -> Result<(), TooLong> {
        self.line.old.extend_from_slice(old);
        self.line.new.extend_from_slice(new);
        self.line.changed = true;
        self.check()
    }

    /// The text ends.
    pub(crate) fn end(&mut self, out: &mut Vec<u8>) {
        if !self.line.old.is_empty() {
            const NO_END: &[u8] = b"\n\\ No newline at end of file\n";
            self.line.old.extend_from_slice(NO_END);
            self.line.new.extend_from_slice(NO_END);
            self.end_line(out);
        }
        if let Some(hunk) = self.hunk.take() {
            hunk.write(&mut self.header, out);
        }
    }

    fn check(&self) -> Result<(), TooLong> {
        let held = self
            .hunk
            .as_ref()
            .map_or(0, |hunk| hunk.body.len() + hunk.new.len());
        if held + self.line.old.len() + self.line.new.len() > MOST {
            return Err(TooLong);
        }
        Ok(())
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        self.lines += 1;
        let Some(hunk) = &mut self.hunk else {
            if line.changed {
                let mut hunk = Hunk::after(&mut self.before, self.lines);
                hunk.change(&line);
                self.hunk = Some(hunk);
            } else {
                self.before.push_back(line.old);
                if self.before.len() > CONTEXT {
                    self.before.pop_front();
                }
            }
            return;
        };
        if line.changed {
            self.before.clear();
            return hunk.change(&line);
        }
        hunk.keep(&line.old);
        if hunk.quiet <= 2 * CONTEXT {
            if hunk.quiet > CONTEXT {
                self.before.push_back(line.old);
            }
            return;
        }
        // The next change, should there be one, opens another.
        self.before.push_back(line.old);
        while self.before.len() > CONTEXT {
            self.before.pop_front();
        }
        if let Some(hunk) = self.hunk.take() {
            hunk.write(&mut self.header, out);
        }
    }
}

impl Hunk {
    /// Opens with the lines before line `at`.
    fn after(before: &mut VecDeque<Vec<u8>>, at: u64) -> Hunk {
        let mut hunk = Hunk {
            start: at - before.len() as u64,
            lines: 0,
            body: Vec::new(),
            new: Vec::new(),
            quiet: 0,
            end: 0,
        };
        for line in before.drain(..) {
            hunk.keep(&line);
        }
        hunk
    }

    fn change(&mut self, line: &Line) {
        self.body.push(b'-');
        self.body.extend_from_slice(&line.old);
        self.new.push(b'+');
        self.new.extend_from_slice(&line.new);
        self.lines += 1;
        self.quiet = 0;
    }

    fn keep(&mut self, line: &[u8]) {
        self.body.append(&mut self.new);
        self.body.push(b' ');
        self.body.extend_from_slice(line);
        self.lines += 1;
        self.quiet += 1;
        if self.quiet <= CONTEXT {
            self.end = self.body.len();
        }
    }

    /// Writes it, behind the header of the file where it is the first.
    fn write(mut self, header: &mut Vec<u8>, out: &mut Vec<u8>) {
        self.body.append(&mut self.new);
        if self.quiet > CONTEXT {
            self.body.truncate(self.end);
            self.lines -= (self.quiet - CONTEXT) as u64;
        }
        out.append(header);
        let count = match self.lines {
            1 => String::new(),
            lines => format!(",{lines}"),
        };
        let start = self.start;
        out.extend_from_slice(format!("@@ -{start}{count} +{start}{count} @@\n").as_bytes());
        out.append(&mut self.body);
    }
}

/// More changes in one piece than can be held.
#[derive(Debug)]
pub(crate) struct TooLong;

/// The name of a file, as git writes it: in quotes where it holds what would break the line, and
/// with a tab behind it where it holds a space.
fn label(side: &[u8], name: &[u8], out: &mut Vec<u8>) {
    let name = name.strip_prefix(b"/").unwrap_or(name);
    let is_odd = |byte: &u8| byte.is_ascii_control() || matches!(byte, b'"' | b'\\');
    if name.iter().any(is_odd) {
        out.push(b'"');
        out.extend_from_slice(side);
        for &byte in name {
            match byte {
                b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
                _ if is_odd(&byte) => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
                _ => out.push(byte),
            }
        }
        out.push(b'"');
    } else {
        out.extend_from_slice(side);
        out.extend_from_slice(name);
        if name.contains(&b' ') {
            out.push(b'\t');
        }
    }
    out.push(b'\n');
}
