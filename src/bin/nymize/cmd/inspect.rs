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
use crate::stdio::{Input, Output, TextReader};

/// Shows one input.
pub(crate) fn run(common: Common, file: Option<&Path>) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let engine = engine::build(&common)?;
    let input = Input::open(file.unwrap_or(Path::new("-")), talk)?;
    let engine = engine::for_input(&engine, common.view.format, input.path());
    let text = TextReader::new(input).rest()?;
    let findings = engine.find_bytes(&text);
    let misses = engine.near_misses(&text);
    let shown = if findings.is_empty() {
        for line in misses.iter().map(|miss| near_miss(&text, miss)) {
            talk.note(&format!("looked at, and refused: {line}"));
        }
        b"No sensitive identifiers detected in the input.\n".to_vec()
    } else {
        preview(&engine, &text, &findings, &misses, Painter::stdout()).into_bytes()
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
    let before = text.get(..miss.at).unwrap_or_default();
    let line = before.split(|&byte| byte == b'\n');
    let column = line.clone().next_back().unwrap_or_default();
    format!(
        "{}:{} {}: {}",
        line.count(),
        String::from_utf8_lossy(column).chars().count() + 1,
        miss.kind,
        miss.reason
    )
}

fn preview(
    engine: &Pseudonymizer,
    text: &[u8],
    findings: &[Finding],
    misses: &[NearMiss],
    painter: Painter,
) -> String {
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
    let mut refused = Panel::new(painter);
    for miss in misses {
        refused.text(near_miss(text, miss).as_bytes());
        refused.text(b"\n");
    }
    let mut panels = vec![
        ("the text", before),
        ("what would be sent", after),
        ("placeholder ← value", list),
    ];
    if !misses.is_empty() {
        panels.push(("looked at, and refused", refused));
    }
    Panel::boxed(panels)
}
