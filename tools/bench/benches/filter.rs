//! `cargo bench --manifest-path tools/bench/Cargo.toml`

use divan::counter::BytesCount;
use nymize::{Key, Pseudonymizer};
use nymize_bench::{Corpus, corpora};

fn main() {
    divan::main();
}

fn engine() -> Pseudonymizer {
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .build()
        .expect("no setting is wrong")
}

fn names() -> Vec<&'static str> {
    corpora().iter().map(|corpus| corpus.name).collect()
}

fn corpus(name: &str) -> Corpus {
    corpora()
        .into_iter()
        .find(|corpus| corpus.name == name)
        .expect("a known name")
}

/// The whole filter, from a reader to a writer.
#[divan::bench(args = names())]
fn copy(bencher: divan::Bencher, name: &str) {
    let (engine, corpus) = (engine(), corpus(name));
    let text = corpus.text.as_bytes();
    let replaced = engine
        .copy(text, std::io::sink())
        .expect("nothing fails")
        .total();
    assert_eq!(
        replaced, corpus.findings as u64,
        "{name}: a wrong answer is not worth timing"
    );
    bencher
        .counter(BytesCount::of_slice(text))
        .bench_local(|| engine.copy(text, std::io::sink()));
}
