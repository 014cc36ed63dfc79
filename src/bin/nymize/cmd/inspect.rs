//! `nymize inspect [FILE]`: a text, what would be sent, and the placeholders with their
//! values, side by side. It shows personal data to whoever asks for it, on stdout.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::Path;

use nymize::{Piece, Pseudonymizer};

use crate::args::Common;
use crate::encoding::Encoding;
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::Tally;
use crate::report::color::Painter;
use crate::report::locate::Locator;
use crate::report::preview::Panel;
use crate::settings::{self, Purpose};
use crate::stdio::{Input, Output, TextReader};

/// The longest text that is shown, in bytes: it is held as a whole, and nobody reads more.
const MOST: usize = 1024 * 1024;

/// Shows one input.
pub(crate) fn run(common: Common, file: Option<&Path>) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let settings = settings::gather(&common, Purpose::Filter)?;
    let engine = engine::build(&common, &settings)?;
    let input = Input::open(file.unwrap_or(Path::new("-")), talk)?;
    let engine = engine::for_input(&engine, common.view.format, input.path());
    let name = input.name().to_owned();
    let text = TextReader::new(input).rest(MOST)?;
    let mut preview = Preview::new(Painter::stdout());
    preview
        .fill(&engine, &text)
        .map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let allowed = engine.allowed(&text);
    let mut places = Places::new(&text);
    let allowed = allowed
        .iter()
        .map(|f| places.line(f.range().start, &f.kind()));
    let allowed: Vec<_> = allowed.collect();
    let mut places = Places::new(&text);
    let misses: Vec<_> = engine
        .near_misses(&text)
        .iter()
        .map(|miss| places.line(miss.at, &format_args!("{}: {}", miss.kind, miss.reason)))
        .collect();
    let shown = if preview.tally.total() == 0 {
        for line in &allowed {
            talk.note(&format!("allowed, and left: {line}"));
        }
        for line in &misses {
            talk.note(&format!("looked at, and refused: {line}"));
        }
        "No sensitive identifiers detected in the input.\n".to_owned()
    } else {
        preview.boxed(&allowed, &misses)
    };
    Output::print(shown.as_bytes())?;
    talk.counts_if_asked("found", &preview.tally);
    Ok(Status::Done)
}

/// Lines that begin with `LINE:COLUMN`, for one place after the other.
struct Places<'t> {
    text: &'t [u8],
    locator: Locator,
    at: usize,
}

impl<'t> Places<'t> {
    fn new(text: &'t [u8]) -> Self {
        Places {
            text,
            locator: Locator::new(Encoding::Bytes),
            at: 0,
        }
    }

    fn line(&mut self, at: usize, what: &dyn Display) -> String {
        self.locator
            .advance(self.text.get(self.at..at).unwrap_or_default());
        self.at = self.at.max(at);
        let (line, column, _) = self.locator.place();
        format!("{line}:{column} {what}")
    }
}

/// The panels, and what is in them.
struct Preview {
    before: Panel,
    after: Panel,
    /// What comes next in each, up to the next value: it may be cut within a character.
    gap: (Vec<u8>, Vec<u8>),
    list: Panel,
    listed: HashSet<(String, Vec<u8>)>,
    tally: Tally,
    painter: Painter,
}

impl Preview {
    fn new(painter: Painter) -> Self {
        Preview {
            before: Panel::new(painter),
            after: Panel::new(painter),
            gap: (Vec::new(), Vec::new()),
            list: Panel::new(painter),
            listed: HashSet::new(),
            tally: Tally::default(),
            painter,
        }
    }

    /// Shows a text, and what the filter makes of it.
    fn fill(&mut self, engine: &Pseudonymizer, text: &[u8]) -> Result<(), nymize::Error> {
        let mut stream = engine.stream();
        let mut show = |piece: Piece<'_>| {
            self.show(&piece);
            Ok(())
        };
        stream.push_pieces(text, &mut show)?;
        stream.finish_pieces(&mut show)?;
        self.close_gap();
        Ok(())
    }

    fn close_gap(&mut self) {
        let (before, after) = std::mem::take(&mut self.gap);
        self.before.text(&before);
        self.after.text(&after);
    }

    fn show(&mut self, piece: &Piece<'_>) {
        let Piece::Found(found) = piece else {
            self.gap.0.extend_from_slice(piece.raw());
            self.gap.1.extend_from_slice(piece.replacement());
            return;
        };
        self.close_gap();
        let (value, placeholder) = (found.raw(), found.placeholder());
        self.before.value(value);
        // A number's placeholder is sent in quotes.
        let quotes = found.replacement().len().saturating_sub(placeholder.len()) / 2;
        let quote = found.replacement().get(..quotes).unwrap_or_default();
        self.after.text(quote);
        self.after.placeholder(placeholder);
        self.after.text(quote);
        self.tally.add(found.kind(), 1);
        if self.listed.insert((placeholder.to_owned(), value.to_vec())) {
            let number = format!("{}. ", self.listed.len());
            self.list.text(number.as_bytes());
            self.list.placeholder(placeholder);
            self.list.text(" ← ".as_bytes());
            self.list.value(value);
            self.list.text(b"\n");
        }
    }

    /// The panels in their box, and behind them what was looked at and left.
    fn boxed(&mut self, allowed: &[String], misses: &[String]) -> String {
        let take = |panel: &mut Panel| std::mem::replace(panel, Panel::new(self.painter));
        let mut panels = vec![
            ("the text", take(&mut self.before)),
            ("what would be sent", take(&mut self.after)),
            ("placeholder ← value", take(&mut self.list)),
        ];
        for (title, lines) in [
            ("allowed, and left as it is", allowed),
            ("looked at, and refused", misses),
        ] {
            let mut panel = Panel::new(self.painter);
            for line in lines {
                panel.text(line.as_bytes());
                panel.text(b"\n");
            }
            if !lines.is_empty() {
                panels.push((title, panel));
            }
        }
        Panel::boxed(panels)
    }
}
