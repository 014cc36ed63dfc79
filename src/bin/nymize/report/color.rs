//! Colours for people: whether there are any, and which. Data that is not for people (the
//! filter's output, JSON, SARIF, annotations) never has any.

use std::ffi::OsString;
use std::io;

use anstream::AutoStream;
use anstream::stream::RawStream;
use clap::{ColorChoice, ValueEnum};

/// What is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// The label of an error.
    Error,
    /// The label of a warning.
    Warning,
    /// The path of a file.
    Path,
    /// A line and column.
    Place,
    /// The TYPE of a finding.
    Kind,
    /// A value, which is personal data.
    Value,
    /// What stands for it.
    Placeholder,
}

impl Style {
    fn begin(self) -> &'static str {
        match self {
            Style::Error | Style::Value => "\u{1b}[1;31m",
            Style::Warning => "\u{1b}[1;33m",
            Style::Path => "\u{1b}[35m",
            Style::Place => "\u{1b}[36m",
            Style::Kind => "\u{1b}[1m",
            Style::Placeholder => "\u{1b}[1;32m",
        }
    }
}

const END: &str = "\u{1b}[0m";

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Painter {
    on: bool,
}

impl Painter {
    pub(crate) fn new(on: bool) -> Self {
        Painter { on }
    }

    /// As the options and the environment have it for what people read on stdout.
    pub(crate) fn stdout() -> Self {
        Painter::of(&io::stdout())
    }

    /// The same for stderr.
    pub(crate) fn stderr() -> Self {
        Painter::of(&io::stderr())
    }

    /// `--color`, then NO_COLOR, CLICOLOR_FORCE and CLICOLOR, then whether it is a terminal.
    fn of(stream: &impl RawStream) -> Self {
        Painter::new(AutoStream::choice(stream) != anstream::ColorChoice::Never)
    }

    /// Appends a text, which should hold nothing that a terminal obeys.
    pub(crate) fn paint(self, style: Style, text: &str, out: &mut String) {
        if self.on {
            out.push_str(style.begin());
        }
        out.push_str(text);
        if self.on {
            out.push_str(END);
        }
    }
}

/// Settles what `--color` asks for, for all of this run.
pub(crate) fn choose(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Settles it before the options are parsed, since errors in them are painted too.
pub(crate) fn choose_early(args: impl Iterator<Item = OsString>) {
    let mut args = args.take_while(|arg| arg != "--");
    while let Some(arg) = args.next() {
        let value = match arg.to_str() {
            Some("--color") => args.next().and_then(|value| value.into_string().ok()),
            Some(arg) => arg.strip_prefix("--color=").map(str::to_owned),
            None => None,
        };
        if let Some(Ok(choice)) = value.map(|value| ColorChoice::from_str(&value, false)) {
            choose(choice);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paints_or_does_not() {
        let mut out = String::new();
        Painter::new(true).paint(Style::Value, "a", &mut out);
        Painter::new(false).paint(Style::Value, "b", &mut out);
        assert_eq!(out, "\u{1b}[1;31ma\u{1b}[0mb");
    }
}
