//! `nymize [FILE]...`: the filter.

use std::io::Write;
use std::path::{Path, PathBuf};

use nymize::{Pseudonymizer, Stream};

use crate::args::Common;
use crate::encoding::{Encoder, Encoding};
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::{Talk, Tally};
use crate::settings::{self, Purpose};
use crate::stdio::{Input, Output, TextReader};

/// Filters the inputs, one after the other, to one output.
pub(crate) fn run(
    common: Common,
    paths: &[PathBuf],
    output: Option<&Path>,
) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let settings = settings::gather(&common, Purpose::Filter)?;
    let engine = engine::build(&common, &settings)?;
    let inputs = Input::open_all(paths, talk)?;
    let mut output = Output::open(output, &inputs)?;
    let mut tally = Tally::default();
    for input in inputs {
        let engine = engine::for_input(&engine, common.view.format, input.path());
        filter(
            &engine,
            TextReader::new(input),
            &mut output,
            &mut tally,
            talk,
        )?;
    }
    output.finish()?;
    talk.counts("replaced", &tally);
    Ok(Status::Done)
}

/// Filters one input. Nothing that was held back is written after a failure.
fn filter(
    engine: &Pseudonymizer,
    mut reader: TextReader,
    output: &mut Output,
    tally: &mut Tally,
    talk: Talk,
) -> Result<(), Failure> {
    let mut stream = engine.stream();
    let name = output.name().to_owned();
    let Some(first) = reader.next()? else {
        return Ok(());
    };
    // The encoding is known now; the rest goes one of two ways.
    let first = first.to_vec();
    match reader.encoding() {
        Encoding::Bytes => pump(&mut stream, &first, &mut reader, output, &name)?,
        encoding => {
            talk.detail(|| format!("{}: UTF-16, written back as such", reader.input().name()));
            let mut encoder = Encoder::new(&mut *output, encoding);
            pump(&mut stream, &first, &mut reader, &mut encoder, &name)?;
        }
    }
    for warning in stream.warnings() {
        talk.note(&format!("{}: {warning}", reader.input().name()));
    }
    for (kind, count) in stream.counts().iter() {
        tally.add(kind, count);
    }
    Ok(())
}

/// Pushes the pieces of an input through the stream; what is decided is written at once.
fn pump(
    stream: &mut Stream,
    first: &[u8],
    reader: &mut TextReader,
    output: &mut impl Write,
    name: &str,
) -> Result<(), Failure> {
    let input = reader.input().name();
    let failed = |error: nymize::Error| match error.io_error() {
        Some(error) => Failure::write(name, error),
        None => Failure::new(format!("{input}: {error}")),
    };
    let flush =
        |output: &mut dyn Write| output.flush().map_err(|error| Failure::write(name, &error));
    stream.push_to(first, output).map_err(failed)?;
    if !reader.is_cut() {
        flush(output)?;
    }
    while let Some(text) = reader.next()? {
        stream.push_to(text, output).map_err(failed)?;
        // Should the input end here, it is refused, and little of it has been written.
        if !reader.is_cut() {
            flush(output)?;
        }
    }
    stream.finish_to(output).map_err(failed)?;
    flush(output)
}
