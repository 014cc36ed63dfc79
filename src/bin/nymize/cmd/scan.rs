//! `nymize scan [PATH]...`: says where the findings are, and changes nothing.

use std::path::PathBuf;

use crate::args::{Common, FileArgs, ScanForm};
use crate::encoding::Encoding;
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::Tally;
use crate::report::locate::Locator;
use crate::report::{Record, json, text};
use crate::walk::{self, Item, Settings};
use crate::work::differ::Differ;
use crate::work::{self, Seen, Shop, Sink, Sum, Target, Ticket, Worker};

/// Searches the inputs. One that cannot be read does not stop the others.
pub(crate) fn run(
    common: Common,
    files: &FileArgs,
    paths: &[PathBuf],
    form: ScanForm,
) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let settings = Settings::of(files);
    let stdin = [PathBuf::from("-")];
    let nothing_named = paths.is_empty() && files.files_from.is_none() && !files.staged;
    let paths = if nothing_named { &stdin } else { paths };
    let plan = walk::plan(files, paths, &settings)?;
    let shop = Shop {
        engine: &engine::build(&common)?,
        format: common.view.format,
        settings: &settings,
        talk,
    };
    let sum = work::run(&shop, &plan, |worker, item, ticket| {
        if files.diff {
            diff(worker, item, ticket)
        } else {
            search(worker, item, ticket, form)
        }
    })?;
    work::tell_rest(&sum, talk);
    talk.counts("found", &sum.tally);
    Ok(sum.status.unwrap_or(Status::Done))
}

fn search(
    worker: &mut Worker<'_>,
    item: &Item,
    ticket: &mut Ticket<'_>,
    form: ScanForm,
) -> Result<Sum, Failure> {
    let mut sum = Sum::default();
    let Some(input) = worker.open(item)? else {
        return Ok(sum);
    };
    let mut search = Search {
        item,
        form,
        locator: Locator::new(Encoding::Bytes),
        ticket,
        tally: Tally::default(),
        line: Vec::new(),
    };
    let outcome = worker.read(item, input, &mut search);
    // What was found before something went wrong has been told of.
    sum.found(std::mem::take(&mut search.tally));
    match outcome {
        Ok(outcome) => sum.settle(outcome, item, ticket),
        Err(failure) => sum.failed(failure, ticket),
    }
    Ok(sum)
}

/// As [`search`], but shows what would change.
fn diff(worker: &mut Worker<'_>, item: &Item, ticket: &mut Ticket<'_>) -> Result<Sum, Failure> {
    let mut sum = Sum::default();
    let Some(input) = worker.open(item)? else {
        return Ok(sum);
    };
    let mut differ = Differ::new(item, ticket);
    let outcome = worker.read(item, input, &mut differ)?;
    sum.found(differ.end()?);
    sum.settle(outcome, item, ticket);
    Ok(sum)
}

/// Reports what is found in one input.
struct Search<'s, 'q> {
    item: &'s Item,
    form: ScanForm,
    locator: Locator,
    ticket: &'s mut Ticket<'q>,
    tally: Tally,
    /// The line of the report that is being made.
    line: Vec<u8>,
}

impl Sink for Search<'_, '_> {
    fn raw(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.locator.advance(text);
        Ok(())
    }

    fn found(&mut self, seen: Seen<'_>) -> Result<(), Failure> {
        let (line, column, start) = self.locator.place();
        self.locator.advance(seen.raw);
        let (_, _, end) = self.locator.place();
        let value = self.form.show_values;
        let value = value.then(|| String::from_utf8_lossy(seen.raw));
        let record = Record {
            path: self.item.named(),
            line,
            column,
            start,
            end,
            kind: seen.kind,
            placeholder: seen.placeholder,
            value: value.as_deref(),
        };
        self.tally.add(seen.kind, 1);
        self.line.clear();
        if self.form.json {
            json::write(&record, &mut self.line);
        } else {
            text::write(&record, &mut self.line);
        }
        self.ticket.write(&self.line)
    }
}

impl Target for Search<'_, '_> {
    fn begin(&mut self, encoding: Encoding) {
        self.locator = Locator::new(encoding);
    }

    fn pause(&mut self) -> Result<(), Failure> {
        self.ticket.live()
    }
}
