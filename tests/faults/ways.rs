//! Readers and writers that fail.

use std::io::{self, ErrorKind, Read, Write};

/// Gives `text` up to byte `fails_at`, in pieces of at most `most` bytes, and then fails.
pub(crate) struct Reader<'t> {
    text: &'t [u8],
    most: usize,
    /// Whether every other read is interrupted, which is no failure.
    interrupted: Option<bool>,
    failed: bool,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t [u8], fails_at: usize, most: usize) -> Reader<'t> {
        Reader {
            text: &text[..fails_at],
            most,
            interrupted: None,
            failed: false,
        }
    }

    pub(crate) fn interrupted(self) -> Reader<'t> {
        Reader {
            interrupted: Some(false),
            ..self
        }
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        assert!(!self.failed, "it is read on after a failure");
        if let Some(now) = &mut self.interrupted {
            *now = !*now;
            if *now {
                return Err(ErrorKind::Interrupted.into());
            }
        }
        let n = self.most.min(buf.len()).min(self.text.len());
        if n == 0 {
            self.failed = true;
            return Err(io::Error::other("the reader fails"));
        }
        buf[..n].copy_from_slice(&self.text[..n]);
        self.text = &self.text[n..];
        Ok(n)
    }
}

/// How a writer fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// With an error of this kind.
    Error(ErrorKind),
    /// It takes nothing more.
    Zero,
    /// It takes what it is given and fails to flush.
    Flush,
}

/// Takes `left` bytes, in pieces of at most `most`, and then fails; it must not be called again.
pub(crate) struct Writer {
    pub(crate) taken: Vec<u8>,
    left: usize,
    most: usize,
    fault: Fault,
    /// Whether every other write is interrupted, which is no failure.
    interrupted: Option<bool>,
    failed: bool,
}

impl Writer {
    pub(crate) fn new(left: usize, most: usize, fault: Fault) -> Writer {
        Writer {
            taken: Vec::new(),
            left,
            most,
            fault,
            interrupted: None,
            failed: false,
        }
    }

    pub(crate) fn interrupted(self) -> Writer {
        Writer {
            interrupted: Some(false),
            ..self
        }
    }

    /// It is mended: what is written from now on is taken.
    pub(crate) fn mend(&mut self) {
        self.left = usize::MAX;
        self.failed = false;
    }
}

impl Write for Writer {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        assert!(!self.failed, "it is written to after a failure");
        if let Some(now) = &mut self.interrupted {
            *now = !*now;
            if *now {
                return Err(ErrorKind::Interrupted.into());
            }
        }
        let left = match self.fault {
            Fault::Flush => usize::MAX,
            _ => self.left,
        };
        let n = left.min(self.most).min(buf.len());
        if n == 0 && !buf.is_empty() {
            self.failed = true;
            return match self.fault {
                Fault::Error(kind) => Err(kind.into()),
                _ => Ok(0),
            };
        }
        self.left = self.left.saturating_sub(n);
        self.taken.extend_from_slice(&buf[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        assert!(!self.failed, "it is flushed after a failure");
        if self.fault == Fault::Flush {
            self.failed = true;
            return Err(ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}
