//! Compiles what the program knows of the world into const tables, so that nothing is parsed at
//! start-up: the numbering plans of libphonenumber, by way of the `phonenumber` crate's copy, and the
//! words that tell phones from other numbers.

#[path = "build/automaton.rs"]
mod automaton;
#[path = "build/numbering.rs"]
mod numbering;
#[path = "build/pattern.rs"]
mod pattern;
#[path = "build/words.rs"]
mod words;

use std::path::Path;
use std::{env, fs};

fn main() {
    const WORDS: &str = "src/detect/phone/words.yaml";
    for file in ["build.rs", "build", WORDS] {
        println!("cargo::rerun-if-changed={file}");
    }
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for a build script");
    let words = fs::read_to_string(WORDS).expect("the words are there");
    for (name, tables) in [
        ("numbering.rs", numbering::tables()),
        ("words.rs", words::tables(&words)),
    ] {
        fs::write(Path::new(&folder).join(name), tables).expect("OUT_DIR can be written");
    }
}
