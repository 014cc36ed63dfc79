//! The loop: request, answer, tool calls, until the model has no more calls to make.

use std::io::{self, Write};

use serde_json::Value;

use crate::Failure;
use crate::chat::{Message, Request, ToolCall};
use crate::guard::{self, Verdict};
use crate::plugin::Plugin;
use crate::provider::Provider;
use crate::tools::Tools;

/// More requests than that for one prompt are a loop.
const MOST_REQUESTS: usize = 20;

pub(crate) struct Agent<'a> {
    pub(crate) provider: &'a dyn Provider,
    pub(crate) plugin: Plugin,
    pub(crate) tools: Tools,
    /// What the model writes.
    pub(crate) out: &'a mut dyn Write,
    /// What the user should know.
    pub(crate) notices: &'a mut dyn Write,
}

impl Agent<'_> {
    pub(crate) fn run(&mut self, system: &str, prompt: &str) -> Result<(), Failure> {
        // Real values; nothing but `before_request`'s copy of it leaves this process.
        let mut history = Request {
            system: system.to_owned(),
            tools: Tools::described(),
            messages: vec![Message::User(prompt.to_owned())],
        };
        for _ in 0..MOST_REQUESTS {
            let safe = self.plugin.before_request(&history, self.notices)?;
            let answer = self.provider.complete(&safe)?;
            history.messages.push(answer.clone());
            let Message::Assistant { text, calls } = answer else {
                return Err("the provider answered with a message that is not the model's".into());
            };
            if !text.is_empty() {
                writeln!(self.out, "{text}")?;
            }
            if calls.is_empty() {
                return Ok(());
            }
            for call in calls {
                let text = self.call(&call)?;
                history.messages.push(Message::Tool {
                    call_id: call.id,
                    name: call.name,
                    text,
                });
            }
        }
        Err("the model goes on calling tools; given up".into())
    }

    /// Runs a tool, if the guard lets it. What it gave back, or its error.
    fn call(&mut self, call: &ToolCall) -> io::Result<String> {
        let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else {
            return Ok("error: the arguments are not JSON".into());
        };
        match self.verdict(call, &arguments) {
            Verdict::Go => {}
            Verdict::Warn(message) => writeln!(self.notices, "nymize: {message}")?,
            Verdict::Refuse(message) => {
                writeln!(self.notices, "nymize: refused: {message}")?;
                return Ok(format!("error: {message}"));
            }
        }
        let result = self.tools.run(&call.name, &arguments);
        Ok(result.unwrap_or_else(|error| format!("error: {error}")))
    }

    fn verdict(&self, call: &ToolCall, arguments: &Value) -> Verdict {
        let settings = &self.plugin.settings;
        if settings.exempt.contains(&call.name) {
            return guard::before_exempt(&call.name, arguments);
        }
        match (
            call.name.as_str(),
            arguments["path"].as_str(),
            arguments["text"].as_str(),
        ) {
            ("write_file", Some(path), Some(new)) => {
                // A file that is not there holds no placeholder.
                let old = self.tools.read(path).unwrap_or_default();
                guard::before_write(path, &old, new, settings.strict)
            }
            _ => Verdict::Go,
        }
    }
}
