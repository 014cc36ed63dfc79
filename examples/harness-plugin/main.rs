//! A small agent harness with nymize as its plugin: what a provider is sent holds placeholders,
//! while the tools, the files and the history on this side hold real values.
//!
//! ```sh
//! cargo run --example harness-plugin -- --base-url http://localhost:11434/v1 --model llama3.2 \
//!     "Read notes.txt and tell me whom to call."
//! ```
//!
//! - `agent.rs`: the loop; where the plugin and the guard are called
//! - `plugin.rs`: before each request
//! - `guard.rs`: before each tool call
//! - `chat.rs`, `provider.rs`, `tools.rs`: what any harness has
//!
//! It speaks OpenAI chat completions over plain HTTP: to Ollama, to a gateway on this machine, to
//! `tools/mock-provider`. For a provider behind TLS, give ureq its `rustls` feature.

mod agent;
mod chat;
mod guard;
mod plugin;
mod provider;
#[cfg(test)]
mod tests;
mod tools;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use nymize::{Key, Pseudonymizer};

use agent::Agent;
use plugin::{Plugin, Settings};
use provider::OpenAi;
use tools::Tools;

/// Why a run ends. Its text quotes neither a request nor a file.
type Failure = Box<dyn std::error::Error>;

#[derive(Parser)]
#[command(about = "An agent loop whose requests are filtered by nymize")]
struct Options {
    /// What the agent is to do
    prompt: String,
    /// A server that speaks OpenAI chat completions, with its version: http://localhost:11434/v1
    #[arg(long, env = "OPENAI_BASE_URL")]
    base_url: String,
    #[arg(
        long,
        env = "OPENAI_API_KEY",
        hide_env_values = true,
        default_value = "none"
    )]
    api_key: String,
    #[arg(long, default_value = "gpt-4o")]
    model: String,
    #[arg(
        long,
        default_value = "You help the user with the files of one folder."
    )]
    system_prompt: String,
    /// The one folder that the tools may touch
    #[arg(long, default_value = ".")]
    folder: PathBuf,
    /// Send the system prompt as it is
    #[arg(long)]
    no_system: bool,
    /// Send the results of tools as they are
    #[arg(long)]
    no_tool_results: bool,
    /// Say nothing of what was replaced
    #[arg(long)]
    no_notify: bool,
    /// A tool that needs real values: its arguments and results go to the provider as they are
    #[arg(long, value_name = "TOOL")]
    exempt: Vec<String>,
    /// Refuse to write placeholders into files, rather than warn
    #[arg(long)]
    strict: bool,
    /// Regions of national phone numbers, such as NL,DE
    #[arg(long, value_delimiter = ',')]
    region: Vec<String>,
    /// Default: $NYMIZE_KEY, else the key file of the command line, so that both give the same placeholders
    #[arg(long, env = "NYMIZE_KEY_FILE")]
    key_file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let (mut out, mut notices) = (io::stdout(), io::stderr());
    match run(Options::parse(), &mut out, &mut notices) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // A closed stderr is no reason to fail in another way.
            let _ = writeln!(notices, "harness-plugin: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Runs the agent. Without a key and an engine it does not begin: nothing is ever sent unfiltered.
fn run(options: Options, out: &mut dyn Write, notices: &mut dyn Write) -> Result<(), Failure> {
    let key = key(options.key_file)?;
    for warning in key.warnings() {
        writeln!(notices, "nymize: {warning}")?;
    }
    let engine = Pseudonymizer::builder(key)
        .regions(options.region)
        .build()?;
    let settings = Settings {
        system: !options.no_system,
        tool_results: !options.no_tool_results,
        notify: !options.no_notify,
        exempt: options.exempt.into_iter().collect(),
        strict: options.strict,
    };
    let mut agent = Agent {
        provider: &OpenAi::new(options.base_url, options.api_key, options.model),
        plugin: Plugin::new(engine, settings),
        tools: Tools::in_folder(options.folder),
        out,
        notices,
    };
    agent.run(&options.system_prompt, &options.prompt)
}

/// The key that the command line would take.
fn key(named: Option<PathBuf>) -> Result<Key, Failure> {
    if let Some(path) = named {
        return Ok(Key::load(path)?);
    }
    if let Some(digits) = std::env::var_os("NYMIZE_KEY") {
        return Ok(Key::from_hex(&digits.to_string_lossy())?);
    }
    let data = match std::env::var_os("XDG_DATA_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => {
            let home = std::env::var_os("HOME").filter(|path| !path.is_empty());
            PathBuf::from(home.ok_or("no key: there is no HOME; use --key-file")?)
                .join(".local/share")
        }
    };
    Ok(Key::load_or_create(data.join("nymize/key"))?)
}
