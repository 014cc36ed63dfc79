//! `nymize detectors`: every detector, where it comes from, on or off.

use std::io::Write;

use nymize::Kind;

use crate::args::{ConfigArgs, KindArgs};
use crate::failure::{Failure, Status};
use crate::settings;
use crate::stdio::Output;

/// Lists the detectors under these options.
pub(crate) fn run(kinds: &KindArgs, config: &ConfigArgs) -> Result<Status, Failure> {
    let on = settings::of_kinds(kinds, config)?.kinds().value;
    let mut output = Output::stdout()?;
    for kind in Kind::ALL {
        let state = if on.contains(kind) { "on" } else { "off" };
        writeln!(
            output,
            "{:<8} {:<9} {state:<4} {}",
            kind.label(),
            "built-in",
            description(kind)
        )
        .map_err(|error| Failure::write("stdout", &error))?;
    }
    output.finish()?;
    Ok(Status::Done)
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
