//! `nymize key path|create|fingerprint`.

use std::path::PathBuf;

use nymize::Key;

use crate::args::{Common, KeyArgs, KeyCommand, KeyOnly};
use crate::failure::{Failure, Status};
use crate::keys::{self, Source};
use crate::notice::Talk;
use crate::settings;
use crate::stdio::Output;

/// Runs one of the subcommands; each prints one line.
pub(crate) fn run(command: KeyCommand, outer: Common) -> Result<Status, Failure> {
    let line = match command {
        KeyCommand::Path(only) => {
            let (source, _) = resolve(only, outer)?;
            file_of(source)?.into_os_string().into_encoded_bytes()
        }
        KeyCommand::Create(mut create) => {
            create.only.key_file = create.path.or(create.only.key_file);
            let (source, talk) = resolve(create.only, outer)?;
            make(source, talk)?
        }
        KeyCommand::Fingerprint(only) => {
            let (source, talk) = resolve(only, outer)?;
            keys::obtain(&source, talk)?.fingerprint().into_bytes()
        }
    };
    Output::print(&[&line[..], b"\n"].concat())?;
    Ok(Status::Done)
}

fn resolve(only: KeyOnly, outer: Common) -> Result<(Source, Talk), Failure> {
    let args = KeyArgs {
        key_file: only.key_file.or(outer.key.key_file),
        ephemeral_key: false,
    };
    let settings = settings::of_user(&only.config.over(outer.config))?;
    let source = keys::source(&args, settings.key_file())?;
    Ok((source, only.talk.over(outer.talk).talk()))
}

fn file_of(source: Source) -> Result<PathBuf, Failure> {
    match source {
        Source::Option(path)
        | Source::FileVariable(path)
        | Source::Configured(path, _)
        | Source::Own(path) => Ok(path),
        Source::KeyVariable | Source::Ephemeral => Err(Failure::new(
            "the key is in the variable NYMIZE_KEY, not in a file; \
             unset it, or name a file with --key-file",
        )),
    }
}

fn make(source: Source, talk: Talk) -> Result<Vec<u8>, Failure> {
    if let Source::Own(path) = &source {
        keys::tighten_folder(path, talk);
    }
    let path = file_of(source)?;
    let key = Key::create(&path)?;
    talk.note(&format!(
        "made a key with fingerprint {}; keep its file as you keep a password",
        key.fingerprint()
    ));
    Ok(path.into_os_string().into_encoded_bytes())
}
