//! How a run ends: exit statuses, and failures with their messages. A message names
//! files and options, never what is in them.

use std::io;
use std::process::ExitCode;

use crate::notice;

/// The exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Done; for the filter, whether or not there was something to replace.
    Done,
    /// `scan` found something, or `scrub` changed something.
    Found,
    /// Something went wrong.
    Error,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Found => 1,
            Status::Error => 2,
        })
    }
}

/// Why a run ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of the output has gone away (`| head`): no fault, nothing is said.
    Closed,
    /// The reader has gone away after `scan` had shown it something.
    ClosedAfterFinding,
    /// Something went wrong; a message, and what to do about it if that is known.
    Message {
        message: String,
        hint: Option<&'static str>,
    },
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure::Message {
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn hint(self, hint: &'static str) -> Self {
        match self {
            Failure::Message { message, .. } => Failure::Message {
                message,
                hint: Some(hint),
            },
            other => other,
        }
    }

    /// A failure to write to `name`.
    pub(crate) fn write(name: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::new(format!("cannot write to {name}: {error}")),
        }
    }

    /// Says on stderr what went wrong.
    pub(crate) fn tell(&self) {
        if let Failure::Message { message, hint } = self {
            notice::error(message);
            if let Some(hint) = hint {
                notice::say(hint);
            }
        }
    }

    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Closed => Status::Done,
            Failure::ClosedAfterFinding => Status::Found,
            Failure::Message { .. } => Status::Error,
        }
    }
}

impl From<nymize::Error> for Failure {
    fn from(error: nymize::Error) -> Self {
        Failure::new(error.to_string())
    }
}
