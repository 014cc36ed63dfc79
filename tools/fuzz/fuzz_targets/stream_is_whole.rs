//! However a text is cut, the output is that of the whole; and no input makes a panic.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nymize::{Key, Pseudonymizer};

static ENGINE: LazyLock<Pseudonymizer> = LazyLock::new(|| {
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .regions(["NL", "US", "DE", "GB"])
        .build()
        .expect("known regions")
});

fuzz_target!(|input: (Vec<u8>, Vec<u8>)| {
    let (text, cuts) = input;
    let whole = ENGINE.filter_bytes(&text).into_owned();
    let mut stream = ENGINE.stream();
    let mut out = Vec::new();
    let mut rest = &text[..];
    for cut in cuts {
        let (piece, after) = rest.split_at(rest.len().min(usize::from(cut)));
        stream.push(piece, &mut out);
        rest = after;
    }
    stream.push(rest, &mut out);
    stream.finish(&mut out);
    assert!(out == whole, "the cuts make a difference");
});
