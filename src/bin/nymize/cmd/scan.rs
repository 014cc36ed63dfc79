//! `nymize scan [PATH]...`: says where the findings are, and changes nothing.

use std::io::Write;
use std::path::{Path, PathBuf};

use nymize::{Finding, Format, Pseudonymizer};

use crate::args::{Common, ScanForm};
use crate::baseline::{Baseline, Budget};
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::{Talk, Tally};
use crate::report::locate::Locator;
use crate::report::{Record, Report};
use crate::stdio::{Input, Output, TextReader};

/// Reports what is in the inputs, but for what a baseline accepts.
pub(crate) fn run(
    common: &Common,
    paths: &[PathBuf],
    form: ScanForm,
    baseline: Option<&Path>,
) -> Result<Status, Failure> {
    let report = Report::of(form)?;
    let (engine, identity) = engine::build_known(common)?;
    let baseline = baseline
        .map(|path| Baseline::open(path, &engine, identity))
        .transpose()?;
    let stdin = [PathBuf::from("-")];
    let paths = if paths.is_empty() { &stdin } else { paths };
    let mut scan = Scan::new(engine, common, report)?;
    scan.baseline = baseline;
    scan.show_values = form.show_values;
    scan.search(paths, common.talk.talk())
}

/// A search, and the report that it makes.
pub(crate) struct Scan {
    engine: Pseudonymizer,
    format: Option<Format>,
    report: Report,
    show_values: bool,
    baseline: Option<Baseline>,
    /// What the baseline still accepts in the input that is searched.
    budget: Budget,
    output: Output,
    tally: Tally,
    /// How many findings the baseline accepts.
    accepted: u64,
    /// The part of the report that is being made.
    line: Vec<u8>,
}

impl Scan {
    pub(crate) fn new(
        engine: Pseudonymizer,
        common: &Common,
        report: Report,
    ) -> Result<Scan, Failure> {
        Ok(Scan {
            engine,
            format: common.view.format,
            report,
            show_values: false,
            baseline: None,
            budget: Budget::default(),
            output: Output::stdout()?,
            tally: Tally::default(),
            accepted: 0,
            line: Vec::new(),
        })
    }

    /// Searches the inputs. One that cannot be read does not stop the others.
    pub(crate) fn search(mut self, paths: &[PathBuf], talk: Talk) -> Result<Status, Failure> {
        self.begin()?;
        let mut status = Status::Done;
        for path in paths {
            match self.input(path, talk) {
                Ok(()) => {}
                Err(Failure::Closed) => return Err(self.closed()),
                Err(failure) => {
                    failure.tell();
                    status = Status::Error;
                }
            }
        }
        let complete = status == Status::Done;
        if self.tally.total() > 0 {
            status = status.max(Status::Found);
        }
        self.finish(complete, talk)?;
        Ok(status)
    }

    fn begin(&mut self) -> Result<(), Failure> {
        self.line.clear();
        self.report.begin(&mut self.line);
        self.write()
    }

    /// Ends the report; it is complete where all inputs could be read.
    fn finish(mut self, complete: bool, talk: Talk) -> Result<(), Failure> {
        self.line.clear();
        self.report.end(&self.tally, complete, &mut self.line);
        let closed = self.closed();
        match self.write().and_then(|()| self.output.finish()) {
            Err(Failure::Closed) => return Err(closed),
            done => done?,
        }
        talk.counts_if_asked("found", &self.tally);
        if let Some(baseline) = &self.baseline {
            talk.stat(&format!(
                "{} accepted by {}",
                self.accepted,
                baseline.name()
            ));
        }
        Ok(())
    }

    /// Writes what was made of the report.
    fn write(&mut self) -> Result<(), Failure> {
        self.output
            .write_all(&self.line)
            .map_err(|error| Failure::write("stdout", &error))
    }

    fn closed(&self) -> Failure {
        match self.tally.total() {
            0 => Failure::Closed,
            _ => Failure::ClosedAfterFinding,
        }
    }

    /// Searches one input, by blocks of whole lines: no finding crosses a line end. A file of JSON
    /// is one block, as its values may go over many lines.
    fn input(&mut self, path: &Path, talk: Talk) -> Result<(), Failure> {
        let mut reader = TextReader::new(Input::open(path, talk)?);
        let path = reader.input().path().map(Path::to_owned);
        let engine = engine::for_input(&self.engine, self.format, path.as_deref());
        let whole = self.format != Some(Format::Text)
            && path
                .as_deref()
                .is_some_and(|path| engine::named(path) != Format::Text);
        let budget = |baseline: &Baseline| baseline.budget(path.as_deref());
        self.budget = self.baseline.as_ref().map(budget).unwrap_or_default();
        let mut block = Vec::new();
        let mut locator = None;
        while let Some(piece) = reader.next()? {
            let end = memchr::memrchr(b'\n', piece)
                .filter(|_| !whole)
                .map(|last| block.len() + last + 1);
            block.extend_from_slice(piece);
            let encoding = reader.encoding();
            if let Some(end) = end {
                let locator = locator.get_or_insert_with(|| Locator::new(encoding));
                let (lines, _) = block.split_at(end);
                self.block(&engine, path.as_deref(), lines, locator)?;
                block.drain(..end);
            }
        }
        let mut locator = locator.unwrap_or_else(|| Locator::new(reader.encoding()));
        self.block(&engine, path.as_deref(), &block, &mut locator)
    }

    fn block(
        &mut self,
        engine: &Pseudonymizer,
        path: Option<&Path>,
        block: &[u8],
        locator: &mut Locator,
    ) -> Result<(), Failure> {
        let mut at = 0;
        for finding in engine.find_bytes(block) {
            let range = finding.range();
            locator.advance(block.get(at..range.start).unwrap_or_default());
            self.finding(path, &finding, block, locator)?;
            at = range.end;
        }
        locator.advance(block.get(at..).unwrap_or_default());
        self.output
            .flush()
            .map_err(|error| Failure::write("stdout", &error))
    }

    /// Reports one finding, and moves the locator behind it.
    fn finding(
        &mut self,
        path: Option<&Path>,
        finding: &Finding,
        block: &[u8],
        locator: &mut Locator,
    ) -> Result<(), Failure> {
        let raw = block.get(finding.range()).unwrap_or_default();
        let (line, column, start) = locator.place();
        locator.advance(raw);
        let (_, end_column, end) = locator.place();
        let value = String::from_utf8_lossy(raw);
        let placeholder = self.engine.placeholder(finding);
        if self.budget.covers(&placeholder) {
            self.accepted += 1;
            return Ok(());
        }
        let record = Record {
            path,
            line,
            column,
            end_column,
            start,
            end,
            kind: finding.kind(),
            placeholder: &placeholder,
            value: self.show_values.then_some(&*value),
        };
        self.line.clear();
        self.report.finding(&record, &mut self.line);
        if self.tally.total() == 0 {
            self.report.first(&mut self.line);
        }
        self.tally.add(finding.kind(), 1);
        self.write()
    }
}
