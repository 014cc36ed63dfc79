//! How findings are shown.

pub(crate) mod color;
pub(crate) mod diff;
mod github;
pub(crate) mod json;
pub(crate) mod locate;
pub(crate) mod preview;
mod rule;
mod sarif;
pub(crate) mod text;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use nymize::Kind;

use crate::args::ScanForm;
use crate::baseline::Collector;
use crate::failure::Failure;
use crate::notice::Tally;
use crate::paths::Base;
use color::Painter;

/// What `scan` tells of one finding.
#[derive(Debug)]
pub(crate) struct Record<'r> {
    /// As it was named; none for stdin.
    pub(crate) path: Option<&'r Path>,
    /// The line, from 1.
    pub(crate) line: u64,
    /// The column, from 1, in characters.
    pub(crate) column: u64,
    /// The column behind the last; no finding goes over a line end.
    pub(crate) end_column: u64,
    /// The first byte, in the raw input.
    pub(crate) start: u64,
    /// The byte behind the last, in the raw input.
    pub(crate) end: u64,
    pub(crate) kind: Kind,
    pub(crate) placeholder: &'r str,
    /// The value, when it was asked for.
    pub(crate) value: Option<&'r str>,
}

/// A form of report. It has no state: what findings look like does not depend on what was found
/// before, so they may be written apart and put together in order.
#[derive(Debug)]
pub(crate) enum Report {
    /// A line for people.
    Text(Painter),
    /// A JSON object a line.
    Json,
    /// A SARIF log.
    Sarif(Base),
    /// Annotations of GitHub Actions.
    Github(Base),
    /// Nothing: the findings go into a baseline.
    Baseline(Arc<Collector>),
}

impl Report {
    /// The form that the options ask for.
    pub(crate) fn of(form: ScanForm) -> Result<Report, Failure> {
        let base = || {
            Base::working_folder()
                .map_err(|error| Failure::new(format!("the working folder: {error}")))
        };
        Ok(if form.json {
            Report::Json
        } else if form.sarif {
            Report::Sarif(base()?)
        } else if form.github {
            Report::Github(base()?)
        } else {
            Report::Text(Painter::stdout())
        })
    }

    /// Appends what stands before all findings.
    pub(crate) fn begin(&self, out: &mut Vec<u8>) {
        if let Report::Sarif(_) = self {
            sarif::begin(out);
        }
    }

    /// Appends a finding.
    pub(crate) fn finding(&self, record: &Record<'_>, out: &mut Vec<u8>) {
        match self {
            Report::Text(painter) => text::write(record, *painter, out),
            Report::Json => json::write(record, out),
            Report::Sarif(base) => sarif::write(record, base, out),
            Report::Github(base) => github::write(record, base, out),
            Report::Baseline(collector) => collector.add(record),
        }
    }

    /// Whether each finding is written with a comma before it, which the first must not have.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Report::Sarif(_))
    }

    /// Appends what stands behind all findings. It is complete where all inputs were read.
    pub(crate) fn end(&self, found: &Tally, complete: bool, out: &mut Vec<u8>) {
        if let Report::Sarif(_) = self {
            // Those that rules of a project bring stand in no list but that of the findings.
            let kinds: BTreeSet<Kind> = Kind::ALL.into_iter().chain(found.kinds()).collect();
            let labels = kinds.iter().map(Kind::label).collect();
            sarif::end(&labels, complete, out);
        }
    }
}
