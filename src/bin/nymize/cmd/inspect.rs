//! `nymize inspect [FILE]`: a text, what would be sent, and the placeholders with their
//! values, side by side. It shows personal data to whoever asks for it, on stdout.

use std::collections::HashSet;
use std::path::Path;

use nymize::{Finding, NearMiss, Pseudonymizer};

use crate::args::Common;
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::Tally;
use crate::report::color::Painter;
use crate::report::preview::Panel;
use crate::settings::{self, Purpose};
use crate::stdio::{Input, Output, TextReader};

/// Shows one input.
pub(crate) fn run(common: Common, file: Option<&Path>) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let settings = settings::gather(&common, Purpose::Filter)?;
    let engine = engine::build(&common, &settings)?;
    let input = Input::open(file.unwrap_or(Path::new("-")), talk)?;
    let engine = engine::for_input(&engine, common.view.format, input.path());
    let text = TextReader::new(input).rest()?;
    let findings = engine.find_bytes(&text);
    let allowed = engine.allowed(&text);
    let misses = engine.near_misses(&text);
    let shown = if findings.is_empty() {
        for finding in &allowed {
            talk.note(&format!("allowed, and left: {}", left(&text, finding)));
        }
        for line in misses.iter().map(|miss| near_miss(&text, miss)) {
            talk.note(&format!("looked at, and refused: {line}"));
        }
        b"No sensitive identifiers detected in the input.\n".to_vec()
    } else {
        let painter = Painter::stdout();
        let panels = preview(&engine, &text, &findings, painter);
        boxed(panels, &text, &allowed, &misses, painter).into_bytes()
    };
    Output::print(&shown)?;
    let mut tally = Tally::default();
    for finding in &findings {
        tally.add(finding.kind(), 1);
    }
    talk.counts_if_asked("found", &tally);
    Ok(Status::Done)
}

/// Where a near miss stands, what it could have been, and why it is none.
fn near_miss(text: &[u8], miss: &NearMiss) -> String {
    format!("{} {}: {}", place(text, miss.at), miss.kind, miss.reason)
}

/// Where a finding stands that is left as it is, and what it is.
fn left(text: &[u8], finding: &Finding) -> String {
    format!("{} {}", place(text, finding.range().start), finding.kind())
}

/// `LINE:COLUMN` of a byte.
fn place(text: &[u8], at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let line = before.split(|&byte| byte == b'\n');
    let column = line.clone().next_back().unwrap_or_default();
    let column = String::from_utf8_lossy(column).chars().count() + 1;
    format!("{}:{column}", line.count())
}

/// The panels in their box, and behind them what was looked at and left.
fn boxed(
    mut panels: Vec<(&str, Panel)>,
    text: &[u8],
    allowed: &[Finding],
    misses: &[NearMiss],
    painter: Painter,
) -> String {
    let lines = |lines: Vec<String>| {
        let mut panel = Panel::new(painter);
        for line in lines {
            panel.text(line.as_bytes());
            panel.text(b"\n");
        }
        panel
    };
    if !allowed.is_empty() {
        let allowed = allowed.iter().map(|finding| left(text, finding)).collect();
        panels.push(("allowed, and left as it is", lines(allowed)));
    }
    if !misses.is_empty() {
        let misses = misses.iter().map(|miss| near_miss(text, miss)).collect();
        panels.push(("looked at, and refused", lines(misses)));
    }
    Panel::boxed(panels)
}

fn preview(
    engine: &Pseudonymizer,
    text: &[u8],
    findings: &[Finding],
    painter: Painter,
) -> Vec<(&'static str, Panel)> {
    let mut before = Panel::new(painter);
    let mut after = Panel::new(painter);
    let mut list = Panel::new(painter);
    let mut listed = HashSet::new();
    let filtered = engine.filter_bytes(text);
    let mut sent = &*filtered;
    let mut at = 0;
    for finding in findings {
        let range = finding.range();
        let between = text.get(at..range.start).unwrap_or_default();
        let value = text.get(range.clone()).unwrap_or_default();
        let placeholder = engine.placeholder(finding);
        before.text(between);
        before.value(value);
        // A number's placeholder is sent in quotes.
        sent = sent.get(between.len()..).unwrap_or_default();
        let quote = memchr::memmem::find(sent, placeholder.as_bytes()).unwrap_or(0);
        let quote = sent.get(..quote).unwrap_or_default();
        sent = sent
            .get(placeholder.len() + 2 * quote.len()..)
            .unwrap_or_default();
        after.text(between);
        after.text(quote);
        after.placeholder(&placeholder);
        after.text(quote);
        if listed.insert((placeholder.clone(), value)) {
            list.text(format!("{}. ", listed.len()).as_bytes());
            list.placeholder(&placeholder);
            list.text(" ← ".as_bytes());
            list.value(value);
            list.text(b"\n");
        }
        at = range.end;
    }
    let rest = text.get(at..).unwrap_or_default();
    before.text(rest);
    after.text(rest);
    vec![
        ("the text", before),
        ("what would be sent", after),
        ("placeholder ← value", list),
    ]
}
