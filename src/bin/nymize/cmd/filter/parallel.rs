//! Many threads filter one text: blocks that are cut at line ends, written in order.
//!
//! Nothing of a text that is read line by line reaches over a line end, so each block can be filtered
//! by itself. What is read as JSON, YAML or TOML, or is UTF-16, cannot, and goes its way in one thread.
//!
//! One thread reads, one writes, and `jobs` filter. Each has its own channels, and the blocks go round:
//! so at most four blocks a job are in memory.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use memchr::memrchr;
use nymize::{Counts, Pseudonymizer};

use crate::failure::Failure;

/// How much text a block holds, in bytes, where it is there at once.
pub(super) const BLOCK: usize = 1 << 20;

/// A piece of the text, or of what it became.
struct Piece {
    bytes: Vec<u8>,
    /// Whether a block ends here: the next piece is another job's.
    ends: bool,
}

/// Where the text comes from.
pub(super) trait Source {
    /// The next bytes, as soon as there are any; none at the end. And whether more are there, so that
    /// it is worth to wait for a whole block.
    fn next(&mut self) -> Result<Option<(&[u8], bool)>, Failure>;
}

/// Why it could not be done.
pub(super) enum Stopped {
    Read(Failure),
    Write(io::Error),
}

/// Filters a text that is read line by line. `first` are its first bytes, which were read before the
/// others. `block` is the size of a block.
///
/// # Errors
/// When the text cannot be read, what stands before the last line end is written; when the output
/// fails, nothing more is.
pub(super) fn filter(
    engine: &Pseudonymizer,
    first: Vec<u8>,
    source: &mut impl Source,
    output: &mut (impl Write + Send),
    jobs: NonZeroUsize,
    block: usize,
) -> Result<Counts, Stopped> {
    thread::scope(|scope| {
        let mut texts = Vec::new();
        let mut results = Vec::new();
        let mut workers = Vec::new();
        for _ in 0..jobs.get() {
            let (text, taken) = sync_channel(1);
            let (given, result) = sync_channel(1);
            texts.push(text);
            results.push(result);
            workers.push(scope.spawn(move || work(engine, &taken, &given)));
        }
        let writer = scope.spawn(move || write(&results, output));
        let read = deal(first, source, &texts, block);
        drop(texts);
        let mut counts = Counts::default();
        for worker in workers {
            counts += &worker.join().unwrap_or_default();
        }
        let written = writer.join().unwrap_or_else(|_| {
            let panicked = "a thread panicked; this is a bug";
            Err(io::Error::other(panicked))
        });
        written.map_err(Stopped::Write)?;
        read.map_err(Stopped::Read)?;
        Ok(counts)
    })
}

/// Cuts the text into blocks and deals them out.
fn deal(
    first: Vec<u8>,
    source: &mut impl Source,
    jobs: &[SyncSender<Piece>],
    block: usize,
) -> Result<(), Failure> {
    let mut waiting = first;
    let mut turn = 0;
    let mut more = false;
    loop {
        if !more || waiting.len() >= block {
            let (bytes, ends) = cut(&mut waiting, block);
            if !bytes.is_empty() {
                if jobs[turn].send(Piece { bytes, ends }).is_err() {
                    // The output has failed, which the writer tells.
                    return Ok(());
                }
                turn = (turn + usize::from(ends)) % jobs.len();
            }
        }
        match source.next()? {
            Some((bytes, goes_on)) => {
                waiting.extend_from_slice(bytes);
                more = goes_on;
            }
            None => break,
        }
    }
    let bytes = waiting;
    let _ = jobs[turn].send(Piece { bytes, ends: true });
    Ok(())
}

/// Takes what can be filtered now, and says whether a block ends with it.
///
/// A block ends where it is known what the next line begins with, and that this is no byte order mark:
/// such a mark is one only where a text begins, as a block does for those that filter it.
fn cut(waiting: &mut Vec<u8>, block: usize) -> (Vec<u8>, bool) {
    let last = memrchr(b'\n', waiting);
    let behind = last.and_then(|at| waiting.get(at + 1));
    let ends = behind.is_some_and(|&byte| byte != 0xEF);
    let end = match last {
        Some(at) => at + 1,
        // A line that is longer than a block.
        None if waiting.len() >= block => waiting.len(),
        None => 0,
    };
    let rest = waiting.split_off(end);
    (std::mem::replace(waiting, rest), ends)
}

/// Filters pieces until there are no more.
fn work(engine: &Pseudonymizer, texts: &Receiver<Piece>, results: &SyncSender<Piece>) -> Counts {
    let mut stream = engine.stream();
    for Piece { bytes, ends } in texts {
        let mut out = Vec::with_capacity(bytes.len());
        // A text may be anything: it cannot fail.
        let filtered = stream.push(&bytes, &mut out).and_then(|()| {
            if ends {
                stream.finish(&mut out)
            } else {
                Ok(())
            }
        });
        if filtered.is_err() || results.send(Piece { bytes: out, ends }).is_err() {
            break;
        }
    }
    stream.counts().clone()
}

/// Writes what the jobs made of the blocks, in order.
fn write(jobs: &[Receiver<Piece>], output: &mut impl Write) -> io::Result<()> {
    let mut turn = 0;
    while let Ok(Piece { bytes, ends }) = jobs[turn].recv() {
        output.write_all(&bytes)?;
        output.flush()?;
        turn = (turn + usize::from(ends)) % jobs.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
