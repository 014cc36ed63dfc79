//! Gathering what is to be accepted.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{Accepted, Names};
use crate::report::Record;

/// The findings of a run, by file and placeholder; in any order, and from any thread.
#[derive(Debug)]
pub(crate) struct Collector {
    names: Names,
    found: Mutex<Found>,
}

/// What was gathered.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) files: BTreeMap<String, Accepted>,
    /// How many findings stand in files that have no name which a baseline can hold.
    pub(crate) nameless: u64,
}

impl Collector {
    pub(super) fn new(names: Names) -> Self {
        Collector {
            names,
            found: Mutex::default(),
        }
    }

    pub(crate) fn add(&self, record: &Record<'_>) {
        let name = record.path.and_then(|path| self.names.name(path));
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(name) = name else {
            found.nameless += 1;
            return;
        };
        let accepted = found.files.entry(name).or_default();
        match accepted.get_mut(record.placeholder) {
            Some(count) => *count += 1,
            None => {
                accepted.insert(record.placeholder.to_owned(), 1);
            }
        }
    }

    /// What was gathered so far, which is then forgotten.
    pub(crate) fn take(&self) -> Found {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *found)
    }
}
