//! `nymize detectors`: every detector, where it comes from, on or off.

use std::io::Write;

use nymize::{Kind, PackEntry, RulePack, Tried};

use crate::args::{ConfigArgs, KindArgs, RulesArgs};
use crate::cmd::rules::tried;
use crate::failure::{Failure, Status};
use crate::notice::Talk;
use crate::report::text::harmless;
use crate::settings;
use crate::stdio::Output;

/// One line of the list.
struct Row {
    kind: Kind,
    source: String,
    description: String,
}

/// Lists the detectors under these options.
pub(crate) fn run(
    kinds: &KindArgs,
    rules: &RulesArgs,
    config: &ConfigArgs,
    talk: Talk,
) -> Result<Status, Failure> {
    let settings = settings::of_detectors(kinds, rules, config, talk)?;
    let on = settings.kinds()?.value;
    let built_in = Kind::ALL.into_iter().map(|kind| Row {
        kind,
        source: "built-in".to_owned(),
        description: description(kind).to_owned(),
    });
    let custom = settings
        .rule_packs()
        .map(|pack| &pack.value)
        .flat_map(|pack| pack.entries().iter().map(move |entry| row(pack, entry)));
    let rows: Vec<Row> = built_in.chain(custom).collect();
    let widest = |of: fn(&Row) -> usize, least| rows.iter().map(of).fold(least, usize::max);
    let kind_width = widest(|row| row.kind.label().len(), 8);
    let source_width = widest(|row| row.source.chars().count(), 9);
    let mut output = Output::stdout()?;
    for row in &rows {
        let state = if on.contains(row.kind) { "on" } else { "off" };
        let line = format!(
            "{:<kind_width$} {:<source_width$} {state:<4} {}",
            row.kind.label(),
            row.source,
            row.description
        );
        writeln!(output, "{}", line.trim_end())
            .map_err(|error| Failure::write("stdout", &error))?;
    }
    output.finish()?;
    Ok(Status::Done)
}

/// A rule, or terms, of a pack.
fn row(pack: &RulePack, entry: &PackEntry) -> Row {
    let about = match (entry.description.as_str(), entry.tried) {
        ("", Tried::Terms(_)) => tried(entry.tried),
        ("", _) => "a rule without a description".to_owned(),
        (description, _) => description.to_owned(),
    };
    Row {
        kind: entry.kind,
        source: harmless(&format!("{}:{}", pack.file_name(), entry.line)).into_owned(),
        description: harmless(&about).into_owned(),
    }
}

fn description(kind: Kind) -> &'static str {
    match kind {
        Kind::Email => "e-mail addresses (RFC 5321, 5322, 6531)",
        Kind::Iban => "bank account numbers: country, length and check digits (ISO 13616)",
        Kind::Card => "payment cards: issuer, length and check digit (ISO/IEC 7812)",
        Kind::Phone => "phone numbers: international, North American, and of the regions given",
        Kind::Ip => "IPv4 and IPv6 addresses, but for loopback, netmasks and the like",
        _ => "",
    }
}
