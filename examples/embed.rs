//! A harness's "before request" step: the system prompt, the user's messages and the results of
//! tools are filtered before they are sent; a notice tells how much was replaced, and no value.
//!
//! ```sh
//! cargo run --example embed
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr)] // it talks to people

use nymize::{Error, Key, Pseudonymizer};

/// A request as the harness keeps it.
struct Request {
    system: String,
    messages: Vec<Message>,
}

struct Message {
    role: &'static str,
    content: String,
}

/// Filters all that reaches the model. Returns the notice for the user, if there is one to give.
fn before_request(engine: &Pseudonymizer, request: &mut Request) -> Option<String> {
    let texts = std::iter::once(&mut request.system).chain(
        request
            .messages
            .iter_mut()
            .map(|message| &mut message.content),
    );
    let mut counts = std::collections::BTreeMap::new();
    for text in texts {
        // What is found is counted by its kind; the text is written anew only where there is something.
        let found = engine.find(text);
        for finding in &found {
            *counts.entry(finding.kind()).or_insert(0) += 1;
        }
        if !found.is_empty() {
            *text = engine.filter(text).into_owned();
        }
    }
    let total: u64 = counts.values().sum();
    let list: Vec<String> = counts
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    (total > 0).then(|| format!("replaced {total} ({}) before sending", list.join(", ")))
}

fn main() -> Result<(), Error> {
    // A harness keeps its key in a file: Key::load_or_create("…/nymize.key")?
    let engine = Pseudonymizer::builder(Key::ephemeral())
        .regions(["NL"])
        .build()?;

    let mut request = Request {
        system: "You help Jan (jan@example.com). [[TYPE_hash]] stands for a private value; the same hash \
                 means the same value. Do not guess it."
            .into(),
        messages: vec![
            Message { role: "user", content: "Call me on 06-12345678, not on +31 6 8765 4321.".into() },
            Message { role: "tool", content: r#"{"mail":"JAN@example.com","iban":"NL91 ABNA 0417 1643 00"}"#.into() },
            Message { role: "user", content: "What is the capital of France?".into() },
        ],
    };

    if let Some(notice) = before_request(&engine, &mut request) {
        eprintln!("{notice}");
    }
    println!("system: {}", request.system);
    for message in &request.messages {
        println!("{}: {}", message.role, message.content);
    }
    Ok(())
}
