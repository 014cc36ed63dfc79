//! `nymize scan [PATH]...`: says where the findings are, and changes nothing.

use std::io::Write;
use std::path::{Path, PathBuf};

use nymize::{Finding, Format, Pseudonymizer};

use crate::args::{Common, ScanForm};
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::{Talk, Tally};
use crate::report::locate::Locator;
use crate::report::{Record, json, text};
use crate::settings::{self, Purpose};
use crate::stdio::{Input, Output, TextReader};

/// Searches the inputs. One that cannot be read does not stop the others.
pub(crate) fn run(common: Common, paths: &[PathBuf], form: ScanForm) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let settings = settings::gather(&common, Purpose::Files)?;
    let mut scan = Scan {
        engine: engine::build(&common, &settings)?,
        format: common.view.format,
        form,
        output: Output::stdout()?,
        tally: Tally::default(),
        line: Vec::new(),
    };
    let stdin = [PathBuf::from("-")];
    let paths = if paths.is_empty() { &stdin } else { paths };
    let mut status = Status::Done;
    for path in paths {
        match scan.input(path, talk) {
            Ok(()) => {}
            Err(Failure::Closed) => return Err(scan.closed()),
            Err(failure) => {
                failure.tell();
                status = Status::Error;
            }
        }
    }
    let found = scan.tally.total() > 0;
    let closed = scan.closed();
    match scan.output.finish() {
        Err(Failure::Closed) => return Err(closed),
        done => done?,
    }
    talk.counts_if_asked("found", &scan.tally);
    Ok(if found {
        status.max(Status::Found)
    } else {
        status
    })
}

struct Scan {
    engine: Pseudonymizer,
    format: Option<Format>,
    form: ScanForm,
    output: Output,
    tally: Tally,
    /// The line of the report that is being made.
    line: Vec<u8>,
}

impl Scan {
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
        let (_, _, end) = locator.place();
        let value = String::from_utf8_lossy(raw);
        let placeholder = self.engine.placeholder(finding);
        let record = Record {
            path,
            line,
            column,
            start,
            end,
            kind: finding.kind(),
            placeholder: &placeholder,
            value: self.form.show_values.then_some(&*value),
        };
        self.tally.add(finding.kind(), 1);
        self.line.clear();
        if self.form.json {
            json::write(&record, &mut self.line);
        } else {
            text::write(&record, &mut self.line);
        }
        self.output
            .write_all(&self.line)
            .map_err(|error| Failure::write("stdout", &error))
    }
}
