//! `nymize scan [PATH]...`: says where the findings are, and changes nothing.

use std::path::{Path, PathBuf};

use nymize::Pseudonymizer;

use crate::args::{Common, FileArgs, ScanForm};
use crate::baseline::{Baseline, Budget};
use crate::encoding::Encoding;
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::Tally;
use crate::report::locate::Locator;
use crate::report::{Record, Report};
use crate::settings::{self, Purpose};
use crate::walk::{self, Item, Settings};
use crate::work::differ::Differ;
use crate::work::{self, Seen, Shop, Sink, Sum, Target, Ticket, Worker};

/// Reports what is in the inputs, but for what a baseline accepts.
pub(crate) fn run(
    common: &Common,
    files: &FileArgs,
    paths: &[PathBuf],
    form: ScanForm,
    baseline: Option<&Path>,
) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let report = Report::of(form)?;
    let config = settings::gather(common, Purpose::Files)?;
    let (engine, identity) = engine::build_known(common, &config)?;
    let baseline = baseline
        .map(|path| Baseline::open(path, &engine, identity))
        .transpose()?;
    let query = Query {
        report: &report,
        show_values: form.show_values,
        baseline: baseline.as_ref(),
    };
    let sum = search(common, &config, &engine, files, paths, &query)?;
    if let Some(baseline) = &baseline {
        talk.stat(&format!("{} accepted by {}", sum.accepted, baseline.name()));
    }
    Ok(sum.status.unwrap_or(Status::Done))
}

/// What is asked of the inputs.
pub(crate) struct Query<'q> {
    pub(crate) report: &'q Report,
    pub(crate) show_values: bool,
    pub(crate) baseline: Option<&'q Baseline>,
}

/// Searches the inputs. One that cannot be read does not stop the others.
pub(crate) fn search(
    common: &Common,
    config: &nymize::Settings,
    engine: &Pseudonymizer,
    files: &FileArgs,
    paths: &[PathBuf],
    query: &Query<'_>,
) -> Result<Sum, Failure> {
    let talk = common.talk.talk();
    let settings = Settings::of(files, config);
    let stdin = [PathBuf::from("-")];
    let nothing_named = paths.is_empty() && files.files_from.is_none() && !files.staged;
    let paths = if nothing_named { &stdin } else { paths };
    let plan = walk::plan(files, paths, &settings)?;
    let shop = Shop {
        engine,
        format: common.view.format,
        settings: &settings,
        report: (!files.diff).then_some(query.report),
        talk,
    };
    let sum = work::run(&shop, &plan, |worker, item, ticket| {
        if files.diff {
            diff(worker, item, ticket)
        } else {
            look(worker, item, ticket, query)
        }
    })?;
    work::tell_rest(&sum, talk);
    talk.counts("found", &sum.tally);
    Ok(sum)
}

fn look(
    worker: &mut Worker<'_>,
    item: &Item,
    ticket: &mut Ticket<'_>,
    query: &Query<'_>,
) -> Result<Sum, Failure> {
    let mut sum = Sum::default();
    let Some(input) = worker.open(item)? else {
        return Ok(sum);
    };
    let budget = |baseline: &Baseline| baseline.budget(item.named());
    let mut search = Search {
        item,
        query,
        budget: query.baseline.map(budget).unwrap_or_default(),
        locator: Locator::new(Encoding::Bytes),
        ticket,
        tally: Tally::default(),
        accepted: 0,
        part: Vec::new(),
    };
    let outcome = worker.read(item, input, &mut search);
    // What was found before something went wrong has been told of.
    sum.found(std::mem::take(&mut search.tally));
    sum.accepted = search.accepted;
    match outcome {
        Ok(outcome) => sum.settle(outcome, item, ticket),
        Err(failure) => sum.failed(failure, ticket),
    }
    Ok(sum)
}

/// As [`look`], but shows what would change.
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
    query: &'s Query<'s>,
    /// What the baseline still accepts in the input.
    budget: Budget,
    locator: Locator,
    ticket: &'s mut Ticket<'q>,
    tally: Tally,
    /// How many findings the baseline accepts.
    accepted: u64,
    /// The part of the report that is being made.
    part: Vec<u8>,
}

impl Sink for Search<'_, '_> {
    fn raw(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.locator.advance(text);
        Ok(())
    }

    fn found(&mut self, seen: Seen<'_>) -> Result<(), Failure> {
        let (line, column, start) = self.locator.place();
        self.locator.advance(seen.raw);
        let (_, end_column, end) = self.locator.place();
        if self.budget.covers(seen.placeholder) {
            self.accepted += 1;
            return Ok(());
        }
        let value = self.query.show_values;
        let value = value.then(|| String::from_utf8_lossy(seen.raw));
        let record = Record {
            path: self.item.named(),
            line,
            column,
            end_column,
            start,
            end,
            kind: seen.kind,
            placeholder: seen.placeholder,
            value: value.as_deref(),
        };
        self.tally.add(seen.kind, 1);
        self.part.clear();
        self.query.report.finding(&record, &mut self.part);
        self.ticket.write(&self.part)
    }

    fn added(&mut self, _: &[u8]) -> Result<(), Failure> {
        Ok(())
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
