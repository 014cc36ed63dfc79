//! Rule packs: what they find, the laws that hold with them as without, and the program's part.

#[path = "cmd/mod.rs"]
mod cmd;
#[path = "rules/docs.rs"]
mod docs;
#[path = "rules/finds.rs"]
mod finds;
#[path = "rules/laws.rs"]
mod laws;
#[path = "rules/program.rs"]
mod program;

use nymize::{Builder, Format, Key, Pseudonymizer, RulePack};

/// An engine with a pack.
fn builder(yaml: &str) -> Builder {
    let pack = RulePack::from_yaml(yaml, "pack.yaml").expect("a pack");
    Pseudonymizer::builder(Key::from_bytes([7; 32])).rule_pack(pack)
}

fn engine(yaml: &str) -> Pseudonymizer {
    builder(yaml).build().expect("an engine")
}

fn text_engine(yaml: &str) -> Pseudonymizer {
    let engine = builder(yaml).format(Format::Text).build();
    engine.expect("an engine")
}

/// TYPE and text of each finding.
fn found(engine: &Pseudonymizer, text: &str) -> Vec<String> {
    let findings = engine.find(text);
    let shown =
        |finding: &nymize::Finding| format!("{} {}", finding.kind(), &text[finding.range()]);
    findings.iter().map(shown).collect()
}

fn streamed(engine: &Pseudonymizer, text: &[u8], chunks: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut stream = engine.stream();
    let mut out = Vec::new();
    let mut from = 0;
    for size in chunks {
        let to = text.len().min(from + size);
        stream
            .push(&text[from..to], &mut out)
            .expect("any text goes");
        from = to;
        if from == text.len() {
            break;
        }
    }
    stream.push(&text[from..], &mut out).expect("any text goes");
    stream.finish(&mut out).expect("any text goes");
    out
}
