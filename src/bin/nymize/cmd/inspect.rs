//! `nymize inspect [FILE]`: a text, what would be sent, and the placeholders with their
//! values, side by side. It shows personal data to whoever asks for it, on stdout.

use std::collections::HashSet;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use nymize::{Finding, Pseudonymizer};

use crate::args::{Color, Common};
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::Tally;
use crate::report::preview::{Painter, Panel};
use crate::stdio::{Input, Output, TextReader};

/// Shows one input.
pub(crate) fn run(common: Common, file: Option<&Path>, color: Color) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let engine = engine::build(&common)?;
    let input = Input::open(file.unwrap_or(Path::new("-")), talk)?;
    let text = TextReader::new(input).rest()?;
    let findings = engine.find_bytes(&text);
    let shown = if findings.is_empty() {
        b"No sensitive identifiers detected in the input.\n".to_vec()
    } else {
        preview(&engine, &text, &findings, painter(color)).into_bytes()
    };
    let mut output = Output::stdout()?;
    output
        .write_all(&shown)
        .map_err(|error| Failure::write("stdout", &error))?;
    output.finish()?;
    let mut tally = Tally::default();
    for finding in &findings {
        tally.add(finding.kind(), 1);
    }
    talk.counts_if_asked("found", &tally);
    Ok(Status::Done)
}

fn painter(color: Color) -> Painter {
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    Painter::new(match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => !no_color && io::stdout().is_terminal(),
    })
}

fn preview(engine: &Pseudonymizer, text: &[u8], findings: &[Finding], painter: Painter) -> String {
    let mut before = Panel::new(painter);
    let mut after = Panel::new(painter);
    let mut list = Panel::new(painter);
    let mut listed = HashSet::new();
    let mut at = 0;
    for finding in findings {
        let range = finding.range();
        let between = text.get(at..range.start).unwrap_or_default();
        let value = text.get(range.clone()).unwrap_or_default();
        let placeholder = engine.placeholder(finding);
        before.text(between);
        before.value(value);
        after.text(between);
        after.placeholder(&placeholder);
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
    Panel::boxed([
        ("the text", before),
        ("what would be sent", after),
        ("placeholder ← value", list),
    ])
}
