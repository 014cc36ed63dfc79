//! `mock-provider --listen 127.0.0.1:0 --log FILE [--read-file PATH]`: see the library.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use lexopt::prelude::*;
use mock_provider::{Config, Log, MockProvider};

const HELP: &str = "\
A stand-in for an LLM provider on loopback: records every request, answers in the API's own shape.

Usage: mock-provider --log FILE [--listen ADDRESS:PORT] [--read-file PATH]

  --listen ADDRESS:PORT  where to listen, loopback only [default: 127.0.0.1:0, any free port]
  --log FILE             append each request to FILE, one JSON object a line
  --read-file PATH       first ask for a tool call that reads PATH
  -h, --help             show this text
  -V, --version          show the version

The first line on stdout is the URL, http://ADDRESS:PORT.
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed stderr leaves the exit status to tell.
            let _ = writeln!(io::stderr(), "mock-provider: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut stdout = io::stdout();
    let config = match parse(std::env::args_os().skip(1))? {
        Command::Serve(config) => config,
        Command::Say(text) => {
            stdout.write_all(text.as_bytes())?;
            return Ok(stdout.flush()?);
        }
    };
    let provider = MockProvider::start(config)?;
    writeln!(stdout, "{}", provider.url())?;
    stdout.flush()?;
    provider.wait();
    Ok(())
}

enum Command {
    Serve(Config),
    Say(String),
}

fn parse(args: impl Iterator<Item = OsString>) -> Result<Command, lexopt::Error> {
    let mut config = Config::default();
    let mut log = None;
    let mut parser = lexopt::Parser::from_args(args);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("listen") => config.listen = parser.value()?.parse()?,
            Long("log") => log = Some(parser.value()?),
            Long("read-file") => config.read_file = Some(parser.value()?.string()?),
            Short('h') | Long("help") => return Ok(Command::Say(HELP.into())),
            Short('V') | Long("version") => {
                let version = concat!("mock-provider ", env!("CARGO_PKG_VERSION"), "\n");
                return Ok(Command::Say(version.into()));
            }
            _ => return Err(arg.unexpected()),
        }
    }
    let log = log.ok_or("the option '--log FILE' is missing")?;
    config.log = Log::File(log.into());
    Ok(Command::Serve(config))
}
