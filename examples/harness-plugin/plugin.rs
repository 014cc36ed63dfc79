//! The plugin: called before each request, it gives the request that may be sent.
//!
//! The harness's own history stays as it is. All of it is filtered each time: with the same key
//! the same value gets the same placeholder, so earlier turns look as they did before, and a
//! provider's prompt cache holds.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use nymize::{Kind, Pseudonymizer};
use serde_json::Value;

use crate::chat::{Message, Request, ToolCall};

/// Tells the model what it sees. Without it, models take a placeholder for a mistake, or make up a value.
pub(crate) const NOTE: &str = "Text of the form [[TYPE_hash]], such as an EMAIL or PHONE with eight \
    hexadecimal digits, stands for a private value that you are not shown. The same placeholder \
    always means the same value. Use it as it is, unchanged; do not guess the value, and do not \
    report it as an error.";

/// What the user of the harness decides.
pub(crate) struct Settings {
    /// Whether the system prompt and the descriptions of tools are filtered.
    pub(crate) system: bool,
    /// Whether the results of tools are filtered.
    pub(crate) tool_results: bool,
    /// Whether a notice tells how much was replaced: counts, never values.
    pub(crate) notify: bool,
    /// Tools that need real values, by name. The provider sees what goes into them and comes out.
    pub(crate) exempt: BTreeSet<String>,
    /// Whether the guard refuses to write placeholders into files, rather than warn.
    pub(crate) strict: bool,
}

pub(crate) struct Plugin {
    engine: Pseudonymizer,
    pub(crate) settings: Settings,
    /// How many messages the last notice covered, so that none is told of twice.
    told: usize,
}

impl Plugin {
    pub(crate) fn new(engine: Pseudonymizer, settings: Settings) -> Self {
        Plugin {
            engine,
            settings,
            told: 0,
        }
    }

    /// The request that may be sent. The notice goes to `notices`.
    pub(crate) fn before_request(
        &mut self,
        request: &Request,
        notices: &mut dyn Write,
    ) -> io::Result<Request> {
        let mut filter = Filter::of(&self.engine);
        let mut safe = request.clone();
        filter.counting = self.told == 0;
        if self.settings.system {
            filter.text(&mut safe.system);
            for tool in &mut safe.tools {
                filter.text(&mut tool.description);
            }
        }
        for (at, message) in safe.messages.iter_mut().enumerate() {
            filter.counting = at >= self.told;
            self.message(message, &mut filter);
        }
        self.told = safe.messages.len();
        safe.system = format!("{}\n\n{NOTE}", safe.system);
        if self.settings.notify {
            filter.tell(notices)?;
        }
        Ok(safe)
    }

    fn message(&self, message: &mut Message, filter: &mut Filter<'_>) {
        match message {
            Message::User(text) => {
                filter.text(text);
            }
            Message::Assistant { text, calls } => {
                filter.text(text);
                let exempt = |call: &&mut ToolCall| !self.settings.exempt.contains(&call.name);
                for call in calls.iter_mut().filter(exempt) {
                    filter.json(&mut call.arguments);
                }
            }
            Message::Tool { name, text, .. } => {
                if self.settings.tool_results && !self.settings.exempt.contains(name) {
                    filter.text(text);
                }
            }
        }
    }
}

/// Replaces values; each function returns whether there was something to replace.
struct Filter<'e> {
    engine: &'e Pseudonymizer,
    counting: bool,
    counts: BTreeMap<Kind, u64>,
}

impl<'e> Filter<'e> {
    fn of(engine: &'e Pseudonymizer) -> Self {
        Filter {
            engine,
            counting: true,
            counts: BTreeMap::new(),
        }
    }

    fn text(&mut self, text: &mut String) -> bool {
        let Cow::Owned(safe) = self.engine.filter(text) else {
            return false;
        };
        if self.counting {
            for finding in self.engine.find(text) {
                *self.counts.entry(finding.kind()).or_default() += 1;
            }
        }
        *text = safe;
        true
    }

    /// A text that is JSON is filtered value by value, so that it stays JSON; another as text.
    fn json(&mut self, text: &mut String) -> bool {
        let Ok(mut value) = serde_json::from_str::<Value>(text) else {
            return self.text(text);
        };
        let changed = self.value(&mut value);
        if changed {
            *text = value.to_string();
        }
        changed
    }

    /// Filters every string and key; a number that is a payment card becomes a string.
    /// serde_json bounds the depth to 128.
    fn value(&mut self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items
                .iter_mut()
                .fold(false, |changed, item| self.value(item) | changed),
            Value::Object(fields) => {
                let mut changed = false;
                for (mut name, mut field) in std::mem::take(fields) {
                    changed |= self.text(&mut name);
                    changed |= self.value(&mut field);
                    fields.insert(name, field);
                }
                changed
            }
            Value::Number(number) => {
                let mut digits = number.to_string();
                let found = self.engine.find(&digits);
                let is_card = found.iter().any(|finding| finding.kind() == Kind::Card);
                if is_card {
                    self.text(&mut digits);
                    *value = Value::String(digits);
                }
                is_card
            }
            Value::Null | Value::Bool(_) => false,
        }
    }

    /// One line with counts, when something was replaced.
    fn tell(&self, notices: &mut dyn Write) -> io::Result<()> {
        let total: u64 = self.counts.values().sum();
        if total == 0 {
            return Ok(());
        }
        let counts: Vec<String> = self
            .counts
            .iter()
            .map(|(kind, n)| format!("{n} {kind}"))
            .collect();
        writeln!(notices, "nymize: replaced {total} ({})", counts.join(", "))
    }
}
