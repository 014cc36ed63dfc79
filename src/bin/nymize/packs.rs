//! Rule packs that the options name.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use nymize::RulePack;

use crate::failure::Failure;

/// No pack is longer, in bytes; the library says so for what is.
const LONGEST: u64 = 1 << 20;

/// Reads the packs, in order. One that is wrong stops the run: nothing goes out unfiltered.
pub(crate) fn load(files: &[PathBuf]) -> Result<Vec<RulePack>, Failure> {
    let read = |file: &PathBuf| {
        let pack = RulePack::from_yaml(&read(file)?, &file.to_string_lossy())?;
        Ok(pack)
    };
    files.iter().map(read).collect()
}

/// The text of a pack, or so much of it that it is seen to be too long.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    let failed = |why: &dyn std::fmt::Display| {
        Failure::new(format!(
            "cannot read the rule pack {}: {why}",
            file.display()
        ))
    };
    let mut text = Vec::new();
    let opened = File::open(file).map_err(|error| failed(&error))?;
    let read = opened.take(LONGEST + 1).read_to_end(&mut text);
    read.map_err(|error| failed(&error))?;
    String::from_utf8(text).map_err(|_| failed(&"it is not UTF-8"))
}
