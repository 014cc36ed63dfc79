//! `nymize [FILE]...`: the filter.

mod parallel;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use nymize::{Format, Pseudonymizer, Stream};

use self::parallel::{Source, Stopped};

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
    jobs: Option<NonZeroUsize>,
) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let settings = settings::gather(&common, Purpose::Filter)?;
    let engine = engine::build(&common, &settings)?;
    let inputs = Input::open_all(paths, talk)?;
    let mut output = Output::open(output, &inputs)?;
    let mut tally = Tally::default();
    for input in inputs {
        let format = engine::format_of(common.view.format, input.path());
        let engine = engine.with_format(format);
        let reader = TextReader::new(input);
        filter(
            (&engine, format),
            reader,
            &mut output,
            &mut tally,
            jobs,
            talk,
        )?;
    }
    output.finish()?;
    talk.counts("replaced", &tally);
    Ok(Status::Done)
}

/// Filters one input. Nothing that was held back is written after a failure.
fn filter(
    (engine, format): (&Pseudonymizer, Format),
    mut reader: TextReader,
    output: &mut Output,
    tally: &mut Tally,
    jobs: Option<NonZeroUsize>,
    talk: Talk,
) -> Result<(), Failure> {
    let mut stream = engine.stream();
    let name = output.name().to_owned();
    let Some(first) = reader.next()? else {
        return Ok(());
    };
    // The encoding is known now; the rest goes one of two ways.
    let first = first.to_vec();
    let many = jobs.filter(|jobs| jobs.get() > 1);
    if let Some(jobs) = many.filter(|_| reader.encoding() == Encoding::Bytes) {
        if is_text(format, &first) {
            let engine = engine.with_format(Format::Text);
            let block = parallel::BLOCK;
            let counts = parallel::filter(&engine, first, &mut reader, output, jobs, block);
            let counts = counts.map_err(|stopped| match stopped {
                Stopped::Read(failure) => failure,
                Stopped::Write(error) => Failure::write(&name, &error),
            })?;
            counts
                .iter()
                .for_each(|(kind, count)| tally.add(kind, count));
            return Ok(());
        }
        let input = reader.input().name();
        talk.detail(|| format!("{input}: not read line by line, so filtered in one thread"));
    }
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

/// Whether an input that begins with `first` is read line by line, which must be plain from there.
fn is_text(format: Format, first: &[u8]) -> bool {
    let ink = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first);
    match format {
        Format::Text => true,
        Format::Auto => ink
            .trim_ascii_start()
            .first()
            .is_some_and(|byte| !matches!(byte, b'{' | b'[')),
        _ => false,
    }
}

impl Source for TextReader {
    fn next(&mut self) -> Result<Option<(&[u8], bool)>, Failure> {
        let most = self.most();
        let text = TextReader::next(self)?;
        Ok(text.map(|text| (text, text.len() == most)))
    }
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
