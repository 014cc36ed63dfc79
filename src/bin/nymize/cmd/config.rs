//! `nymize config show|schema`: what counts and where it comes from, and the schema for editors.

use std::fmt::Write as _;
use std::io::Write;

use nymize::{Config, Obey, Origin, Role};

use crate::args::{Common, ConfigCommand, Show};
use crate::failure::{Failure, Status};
use crate::keys;
use crate::report::json;
use crate::report::text::harmless;
use crate::settings::{self, Gathered, Purpose};
use crate::stdio::Output;

/// Runs one of the subcommands.
pub(crate) fn run(command: ConfigCommand, outer: Common) -> Result<Status, Failure> {
    let text = match command {
        ConfigCommand::Schema => Config::SCHEMA.to_owned(),
        ConfigCommand::Show(show) => self::show(*show, outer)?,
    };
    let mut output = Output::stdout()?;
    output
        .write_all(text.as_bytes())
        .map_err(|error| Failure::write("stdout", &error))?;
    output.finish()?;
    Ok(Status::Done)
}

/// A configuration file that says what counts, with origins as comments.
fn show(show: Show, outer: Common) -> Result<String, Failure> {
    let purpose = show.command.purpose();
    let common = show.common.over(outer);
    let gathered = settings::of(&common.config, settings::options(&common)?, purpose)?;
    let settings = &gathered.settings;
    let mut page = Page(String::new());
    page.sources(&gathered);
    let kinds = settings.kinds()?;
    let mut on = settings.known_kinds();
    on.retain(|&kind| kinds.value.contains(kind));
    let on: Vec<String> = on.iter().map(ToString::to_string).collect();
    page.value("types", &list(&on), &kinds.origins);
    let regions = settings.regions();
    page.line("phone:");
    page.value("  regions", &list(&regions.value), &regions.origins);
    let keep = settings.ip_keep();
    page.line("ip:");
    page.value("  keep", &list(&keep.value), &keep.origins);
    let scope = settings.scope();
    page.value("scope", &quoted(&scope.value), &scope.origins);
    let length = settings.hash_length();
    page.value("hash_length", &length.value.to_string(), &length.origins);
    if let Some(file) = settings.key_file() {
        let path = quoted(&file.value.to_string_lossy());
        page.value("key_file", &path, &[file.origin]);
    }
    page.allow(&gathered);
    if purpose == Purpose::Files {
        page.files(&gathered);
    }
    for pack in settings.rule_packs() {
        let file = pack.value.file_name();
        page.comment(&format!("rules and terms: {file} ({})", pack.origin));
    }
    match keys::source(&common.key, settings.key_file()) {
        Ok(source) => page.comment(&format!("key: {source}")),
        Err(_) => page.comment("key: none is named"),
    }
    for left in settings.left_out() {
        page.comment(&left.to_string());
    }
    Ok(page.0)
}

/// The text that is made.
struct Page(String);

impl Page {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn comment(&mut self, text: &str) {
        self.line(&format!("# {}", harmless(text)));
    }

    fn value(&mut self, key: &str, value: &str, origins: &[Origin]) {
        let mut from: Vec<String> = origins.iter().map(ToString::to_string).collect();
        if from.is_empty() {
            from.push("default".to_owned());
        }
        let from = from.join(", ");
        self.line(&format!("{key}: {value}  # {}", harmless(&from)));
    }

    fn sources(&mut self, gathered: &Gathered) {
        for source in &gathered.sources {
            let whose = match (source.role, source.obey) {
                (Role::User, _) => "the user's",
                (Role::Project, Obey::WhatProtects) => {
                    "the project's, obeyed in what protects more"
                }
                (Role::Project, Obey::All) => "the project's",
                _ => "named",
            };
            self.comment(&format!("{} ({whose})", source.path.display()));
        }
    }

    fn allow(&mut self, gathered: &Gathered) {
        let allow = gathered.settings.allow();
        if allow.is_empty() {
            return self.value("allow", "[]", &[]);
        }
        self.line("allow:");
        for (text, origin) in allow.entries() {
            let origin = origin.map(ToString::to_string).unwrap_or_default();
            let origin = harmless(&origin);
            self.line(&format!("  - {}  # {origin}", quoted(text)));
        }
    }

    fn files(&mut self, gathered: &Gathered) {
        let exclude = gathered.settings.exclude();
        let globs: Vec<&String> = exclude.iter().flat_map(|one| &one.value.globs).collect();
        let origins: Vec<Origin> = exclude.iter().map(|one| one.origin.clone()).collect();
        self.line("files:");
        self.value("  exclude", &list(&globs), &origins);
        let size = gathered.settings.max_size();
        match size.value {
            Some(bytes) => self.value("  max_size", &bytes.to_string(), &size.origins),
            None => self.line("  # max_size: no limit"),
        }
    }
}

/// A list in brackets.
fn list<T: AsRef<str>>(words: &[T]) -> String {
    let mut out = String::from("[");
    for (index, word) in words.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        // Writing to a String does not fail.
        let _ = write!(out, "{comma}{}", quoted(word.as_ref()));
    }
    out.push(']');
    out
}

/// A string of JSON, which is one of YAML too.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    json::string(text, &mut out);
    out
}
