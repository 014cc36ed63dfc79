//! Compiles what the program knows of the world into const tables, so that nothing is parsed at
//! start-up: the numbering plans of libphonenumber, by way of the `phonenumber` crate's copy.

#[path = "build/automaton.rs"]
mod automaton;
#[path = "build/numbering.rs"]
mod numbering;
#[path = "build/pattern.rs"]
mod pattern;

use std::path::Path;
use std::{env, fs};

fn main() {
    for file in ["build.rs", "build"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for a build script");
    let tables = numbering::tables();
    fs::write(Path::new(&folder).join("numbering.rs"), tables).expect("OUT_DIR can be written");
}
