//! The work on many inputs: each is opened, judged by its beginning, and read through the engine.

pub(crate) mod differ;
mod gate;
mod progress;
mod queue;
pub(crate) mod rewrite;

use std::io::{self, Write};

use nymize::{Format, Piece, Pseudonymizer, Stream};

use self::gate::Gate;
pub(crate) use self::gate::{Seen, Sink};
use self::progress::Progress;
use self::queue::Queue;
pub(crate) use self::queue::{Said, Sum, Ticket};
use crate::encoding::Encoding;
use crate::engine;
use crate::failure::{Failure, Status};
use crate::git::{Blobs, Id};
use crate::notice::{Talk, Tally};
use crate::report::Report;
use crate::stdio::{Input, Nature, Output, TextReader};
use crate::walk::{From, Item, Plan, Settings, Why};

/// What all threads share.
pub(crate) struct Shop<'s> {
    pub(crate) engine: &'s Pseudonymizer,
    pub(crate) format: Option<Format>,
    pub(crate) settings: &'s Settings,
    /// What the findings are written as, where they are reported.
    pub(crate) report: Option<&'s Report>,
    pub(crate) talk: Talk,
}

/// What becomes of an input that is read.
pub(crate) trait Target: Sink {
    /// The text begins; so it is encoded in the input.
    fn begin(&mut self, encoding: Encoding);
    /// What was there to read has been read; more may come, later.
    fn pause(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// What one thread has.
pub(crate) struct Worker<'s> {
    pub(crate) shop: &'s Shop<'s>,
    blobs: Option<Blobs>,
}

/// How reading an input ended.
pub(crate) enum Outcome {
    /// It was read; with what is to be said of it.
    Read {
        allowed: u64,
        said: Vec<Said>,
    },
    Skipped(Why),
}

/// Does `work` for each item of the plan, by many threads, and reports what became of all.
///
/// # Errors
/// When the output fails: nothing more is done then.
pub(crate) fn run<F>(shop: &Shop<'_>, plan: &Plan, work: F) -> Result<Sum, Failure>
where
    F: Fn(&mut Worker<'_>, &Item, &mut Ticket<'_>) -> Result<Sum, Failure> + Sync,
{
    let talk = shop.talk;
    let items = &plan.items;
    let progress = Progress::new(items.len(), talk.quiet);
    let mut output = Output::stdout()?;
    let mut frame = Vec::new();
    if let Some(report) = shop.report {
        report.begin(&mut frame);
    }
    let begun = output.write_all(&frame);
    begun.map_err(|error| Failure::write("stdout", &error))?;
    let is_list = shop.report.is_some_and(Report::is_list);
    let queue = Queue::new(items.len(), output, is_list, progress, talk);
    let threads = shop.settings.threads().min(items.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut worker = Worker { shop, blobs: None };
                while let Some(mut ticket) = queue.take() {
                    let sum = match items.get(ticket.index) {
                        Some(item) => worker.item(item, &mut ticket, &work),
                        None => Sum::default(),
                    };
                    ticket.end(sum);
                }
            });
        }
        queue.attend();
    });
    let (mut sum, mut output, stop) = queue.end();
    sum.skipped += &plan.skipped;
    let ended = match stop {
        None => {
            frame.clear();
            if let Some(report) = shop.report {
                let complete = sum.status != Some(Status::Error);
                report.end(&sum.tally, complete, &mut frame);
            }
            let written = output.write_all(&frame);
            let written = written.map_err(|error| Failure::write("stdout", &error));
            written.and_then(|()| output.finish())
        }
        Some(failure) => Err(failure),
    };
    match ended {
        Err(Failure::Closed) if sum.tally.total() > 0 => Err(Failure::ClosedAfterFinding),
        Err(failure) => Err(failure),
        Ok(()) => Ok(sum),
    }
}

/// Says what was left out, and what was allowed.
pub(crate) fn tell_rest(sum: &Sum, talk: Talk) {
    if sum.skipped.total() > 0 {
        talk.note(&format!("skipped {}", sum.skipped));
    }
    if sum.allowed > 0 && (talk.stats || talk.verbose) {
        talk.note(&format!("allowed {} by nymize:allow", sum.allowed));
    }
}

impl<'s> Worker<'s> {
    fn item<F>(&mut self, item: &Item, ticket: &mut Ticket<'_>, work: &F) -> Sum
    where
        F: Fn(&mut Worker<'_>, &Item, &mut Ticket<'_>) -> Result<Sum, Failure>,
    {
        work(self, item, ticket).unwrap_or_else(|failure| {
            let mut sum = Sum::default();
            sum.failed(failure, ticket);
            sum
        })
    }

    /// Opens an item; none where it was found, and has gone since.
    pub(crate) fn open(&mut self, item: &Item) -> Result<Option<Input>, Failure> {
        match &item.from {
            From::Stdin => Input::open("-".as_ref(), self.shop.talk).map(Some),
            From::Named { .. } => Input::open(&item.path, self.shop.talk).map(Some),
            From::Staged(id) => self.staged(item, id).map(Some),
            From::Found => match std::fs::File::open(&item.path) {
                Ok(file) => Ok(Some(Input::of_file(&item.path, file))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(item.failed(error)),
            },
            From::Failed(reason) => Err(item.failed(reason)),
        }
    }

    /// Opens what is staged of an item.
    pub(crate) fn staged(&mut self, item: &Item, id: &Id) -> Result<Input, Failure> {
        let blobs = match self.blobs.take() {
            Some(blobs) => blobs,
            None => Blobs::new()?,
        };
        self.blobs.insert(blobs).open(&item.path, id)
    }

    /// Reads an input through the engine to `target`.
    pub(crate) fn read(
        &self,
        item: &Item,
        input: Input,
        target: &mut impl Target,
    ) -> Result<Outcome, Failure> {
        let limit = self.shop.settings.max_size;
        if limit.is_some_and(|limit| input.length().is_some_and(|length| length > limit)) {
            return Ok(Outcome::Skipped(Why::Large));
        }
        let engine = engine::for_input(self.shop.engine, self.shop.format, input.path());
        let mut reader = TextReader::new(input);
        match reader.nature()? {
            Nature::Refused { what, is_text } if is_text || item.from.is_asked_for() => {
                return Err(reader.refused(what));
            }
            Nature::Refused { .. } => return Ok(Outcome::Skipped(Why::Binary)),
            // What comes through a pipe may separate its lines by NUL.
            Nature::Binary if reader.input().length().is_some() => {
                return Ok(Outcome::Skipped(Why::Binary));
            }
            Nature::Binary | Nature::Text => {}
        }
        target.begin(reader.encoding());
        pump(&mut engine.stream(), &mut reader, target)
    }
}

impl From {
    /// Whether somebody wants this very input to be read.
    fn is_asked_for(&self) -> bool {
        matches!(self, From::Stdin | From::Named { lenient: false })
    }
}

impl Sum {
    /// Counts what was found.
    pub(crate) fn found(&mut self, tally: Tally) {
        if tally.total() > 0 {
            self.status = self.status.max(Some(Status::Found));
        }
        self.tally.add_all(&tally);
    }

    /// Counts what else became of an input, and says what is to be said of it.
    pub(crate) fn settle(&mut self, outcome: Outcome, item: &Item, ticket: &mut Ticket<'_>) {
        match outcome {
            Outcome::Read { allowed, said } => {
                self.allowed += allowed;
                for one in said {
                    ticket.say(one);
                }
            }
            Outcome::Skipped(why) => {
                self.skipped.add(why, 1);
                let (path, why) = (item.path.display(), why.label());
                ticket.say(Said::Detail(format!("{path}: skipped: {why}")));
            }
        }
    }

    /// Says what went wrong.
    pub(crate) fn failed(&mut self, failure: Failure, ticket: &mut Ticket<'_>) {
        // Of a closed output nothing is said.
        if matches!(failure, Failure::Message { .. }) {
            self.status = Some(Status::Error);
            ticket.say(Said::Failed(failure));
        }
    }
}

fn pump(
    stream: &mut Stream,
    reader: &mut TextReader,
    target: &mut impl Target,
) -> Result<Outcome, Failure> {
    let name = reader.input().name();
    let mut gate = Gate::default();
    let mut why = None;
    let mut piece = |piece: Piece<'_>, target: &mut _, why: &mut Option<Failure>| {
        gate.take(piece, target).map_err(|failure| {
            *why = Some(failure);
            io::Error::from(io::ErrorKind::Other)
        })
    };
    let failed = |why: Option<Failure>, error: nymize::Error| {
        why.unwrap_or_else(|| Failure::new(format!("{name}: {error}")))
    };
    while let Some(text) = reader.next()? {
        stream
            .push_pieces(text, |one| piece(one, target, &mut why))
            .map_err(|error| failed(why.take(), error))?;
        target.pause()?;
    }
    stream
        .finish_pieces(|one| piece(one, target, &mut why))
        .map_err(|error| failed(why.take(), error))?;
    let allowed = gate.finish(target)?;
    target.pause()?;
    let said = stream.warnings().iter();
    Ok(Outcome::Read {
        allowed,
        said: said
            .map(|warning| Said::Note(format!("{name}: {warning}")))
            .collect(),
    })
}
