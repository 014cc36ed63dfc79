//! Many threads work on many items; what they tell comes out in the order of the items.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::progress::Progress;
use crate::failure::{Failure, Status};
use crate::notice::{Talk, Tally};
use crate::stdio::Output;
use crate::walk::Skipped;

/// How much output an item may gather before it waits for its turn.
const GATHERED: usize = 1 << 20;

/// How many items may be ahead of the one whose turn it is.
const AHEAD: usize = 4096;

/// How often the progress is looked at.
const TICK: Duration = Duration::from_millis(100);

/// What became of items.
#[derive(Debug, Default)]
pub(crate) struct Sum {
    /// What was found and not allowed, or replaced.
    pub(crate) tally: Tally,
    /// What `nymize:allow` allowed.
    pub(crate) allowed: u64,
    /// What a baseline accepts.
    pub(crate) accepted: u64,
    pub(crate) skipped: Skipped,
    pub(crate) status: Option<Status>,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.tally.add_all(&other.tally);
        self.allowed += other.allowed;
        self.accepted += other.accepted;
        self.skipped += &other.skipped;
        self.status = self.status.max(other.status);
    }
}

/// Something that an item has to say on stderr.
#[derive(Debug)]
pub(crate) enum Said {
    Failed(Failure),
    Warning(String),
    Note(String),
    /// What `-v` shows.
    Detail(String),
}

/// The items, and the output.
pub(crate) struct Queue {
    state: Mutex<State>,
    turned: Condvar,
    len: usize,
    talk: Talk,
}

struct State {
    /// The next item that nobody works on.
    next: usize,
    /// The item whose output comes next.
    turn: usize,
    /// Items that are done before their turn.
    done: BTreeMap<usize, Done>,
    output: Output,
    /// Whether a list is written, and nothing of it has been: its first comma must go.
    comma: bool,
    progress: Progress,
    sum: Sum,
    /// Why nothing more is to be done: the output failed, or a thread did.
    stop: Option<Failure>,
}

#[derive(Default)]
struct Done {
    bytes: Vec<u8>,
    said: Vec<Said>,
    sum: Sum,
}

impl Queue {
    /// A queue of `len` items, which write to `output`; with `is_list`, a comma and a part of a list
    /// each.
    pub(crate) fn new(
        len: usize,
        output: Output,
        is_list: bool,
        progress: Progress,
        talk: Talk,
    ) -> Queue {
        Queue {
            state: Mutex::new(State {
                next: 0,
                turn: 0,
                done: BTreeMap::new(),
                output,
                comma: is_list,
                progress,
                sum: Sum::default(),
                stop: None,
            }),
            turned: Condvar::new(),
            len,
            talk,
        }
    }

    /// The next item to work on; none when there is none, or nothing more is to be done.
    pub(crate) fn take(&self) -> Option<Ticket<'_>> {
        let mut state = self.lock();
        while state.stop.is_none() && state.next < self.len && state.next >= state.turn + AHEAD {
            state = self.wait(state);
        }
        if state.stop.is_some() || state.next >= self.len {
            return None;
        }
        let index = state.next;
        state.next += 1;
        Some(Ticket {
            queue: self,
            index,
            done: Done::default(),
            ended: false,
        })
    }

    /// Waits until all is done, and shows how far it is.
    pub(crate) fn attend(&self) {
        let mut state = self.lock();
        while state.stop.is_none() && state.turn < self.len {
            let turn = state.turn;
            state.progress.at(turn);
            let waited = self.turned.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.progress.end();
    }

    /// What became of all items, and the output, from which more may be expected.
    pub(crate) fn end(self) -> (Sum, Output, Option<Failure>) {
        let state = self.state.into_inner();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        (state.sum, state.output, state.stop)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.turned.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives what an item has told so far; `false`: nothing more is to be done.
    fn give(&self, state: &mut State, done: &mut Done) -> bool {
        if state.stop.is_some() {
            return false;
        }
        if done.bytes.is_empty() && done.said.is_empty() {
            return true;
        }
        if state.comma && done.bytes.first() == Some(&b',') {
            state.comma = false;
            done.bytes.remove(0);
        }
        let (output, talk) = (&mut state.output, self.talk);
        let written = state.progress.aside(|| {
            let written = output.write_all(&done.bytes).and_then(|()| output.flush());
            for said in done.said.drain(..) {
                match said {
                    Said::Failed(failure) => failure.tell(),
                    Said::Warning(text) => talk.warn(&text),
                    Said::Note(text) => talk.note(&text),
                    Said::Detail(text) => talk.detail(|| text),
                }
            }
            written
        });
        done.bytes.clear();
        if let Err(error) = written {
            state.stop = Some(Failure::write(state.output.name(), &error));
        }
        state.stop.is_none()
    }
}

/// An item that is being worked on.
pub(crate) struct Ticket<'q> {
    queue: &'q Queue,
    /// Which one.
    pub(crate) index: usize,
    done: Done,
    ended: bool,
}

impl Ticket<'_> {
    /// Writes to the output, sooner or later.
    ///
    /// # Errors
    /// When the output has failed, or nothing more is to be done.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.done.bytes.extend_from_slice(bytes);
        if self.done.bytes.len() < GATHERED {
            return Ok(());
        }
        let mut state = self.queue.lock();
        while state.turn != self.index && state.stop.is_none() {
            state = self.queue.wait(state);
        }
        self.hand_over(&mut state)
    }

    /// Gives what was written, should it be this item's turn: others wait for nothing.
    ///
    /// # Errors
    /// As for [`Ticket::write`].
    pub(crate) fn live(&mut self) -> Result<(), Failure> {
        let mut state = self.queue.lock();
        if state.turn == self.index {
            self.hand_over(&mut state)
        } else {
            Ok(())
        }
    }

    fn hand_over(&mut self, state: &mut State) -> Result<(), Failure> {
        if self.queue.give(state, &mut self.done) {
            Ok(())
        } else {
            self.queue.turned.notify_all();
            Err(Failure::Closed)
        }
    }

    /// Says something on stderr, in its turn.
    pub(crate) fn say(&mut self, said: Said) {
        self.done.said.push(said);
    }

    /// Says that the item is done, and what became of it.
    pub(crate) fn end(mut self, sum: Sum) {
        self.ended = true;
        self.done.sum = sum;
        let mut state = self.queue.lock();
        state
            .done
            .insert(self.index, std::mem::take(&mut self.done));
        loop {
            let turn = state.turn;
            let Some(mut done) = state.done.remove(&turn) else {
                break;
            };
            self.queue.give(&mut state, &mut done);
            state.sum.add(done.sum);
            state.turn += 1;
        }
        self.queue.turned.notify_all();
    }
}

impl Drop for Ticket<'_> {
    /// A thread that panics must not let the others wait for its turn.
    fn drop(&mut self) {
        if !self.ended {
            let mut state = self.queue.lock();
            state.stop.get_or_insert(Failure::Closed);
            self.queue.turned.notify_all();
        }
    }
}
