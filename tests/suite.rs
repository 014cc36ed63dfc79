//! Runs the detection cases of `tests/data/suite`, and prints recall and precision for each file.
//!
//! Each case is also run in chunks, inside a JSON string (with and without ASCII escapes), and a
//! second time over its own output; there the answer must be the same as for the whole text. Each
//! value is also put between CJK letters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use nymize::{Key, Kind, Pseudonymizer};
use serde_json::Value;

/// Recall and precision that each file must reach, all kinds together.
const OWED: f64 = 0.99;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// A value in a text: its TYPE, or any, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    kind: Option<Kind>,
    range: Range<usize>,
}

struct Case {
    id: String,
    text: String,
    region: Option<String>,
    /// The answers that count as right; the first is the expected one.
    answers: Vec<Vec<Span>>,
    /// Whether the case counts in the figures.
    owed: bool,
}

impl Case {
    fn read(line: &str) -> Case {
        let value: Value = serde_json::from_str(line).expect("a case is JSON");
        let text = value["text"].as_str().expect("text").to_owned();
        let any = value["type_any"].as_bool() == Some(true);
        let mut answers = vec![spans(&text, &value["expect"], any)];
        if let Some(others) = value["alt"].as_array() {
            answers.extend(others.iter().map(|other| spans(&text, other, any)));
        }
        Case {
            id: value["id"].as_str().expect("id").to_owned(),
            region: value["region"].as_str().map(str::to_owned),
            answers,
            owed: value["doubt"].is_null() && value["context"].is_null(),
            text,
        }
    }

    fn engine(&self) -> Pseudonymizer {
        Pseudonymizer::builder(Key::from_bytes([7; 32]))
            .regions(&self.region)
            .build()
            .expect("the region is known")
    }
}

/// The kind of a TYPE in the case files; `None` for those that nymize does not know.
fn kind_of(name: &str) -> Option<Kind> {
    match name {
        "IPV4" | "IPV6" => Some(Kind::Ip),
        other => other.parse().ok(),
    }
}

fn spans(text: &str, expected: &Value, any: bool) -> Vec<Span> {
    let mut from = 0;
    let mut spans = Vec::new();
    for entry in expected.as_array().expect("a list") {
        let value = entry["value"].as_str().expect("value");
        let start = from
            + text[from..]
                .find(value)
                .expect("the value stands in the text");
        from = start + value.len();
        if let Some(kind) = kind_of(entry["type"].as_str().expect("type")) {
            spans.push(Span {
                kind: Some(kind).filter(|_| !any),
                range: start..from,
            });
        }
    }
    spans
}

fn fits(found: &Span, expected: &Span) -> bool {
    found.range == expected.range && (expected.kind.is_none() || found.kind == expected.kind)
}

#[derive(Default)]
struct Figures {
    expected: usize,
    found: usize,
    right: usize,
    wrong_span: usize,
}

impl Figures {
    fn recall(&self) -> f64 {
        ratio(self.right, self.expected)
    }
    fn precision(&self) -> f64 {
        ratio(self.right, self.found)
    }
}

#[allow(clippy::cast_precision_loss)]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// Ids that are known to fail, with their reason.
fn expected_failures() -> BTreeMap<String, String> {
    let text = fs::read_to_string(data("expected_failures.tsv")).expect("the list is there");
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let (id, reason) = line.split_once('\t').expect("id, tab, reason");
            assert!(!reason.trim().is_empty(), "{id} needs a reason");
            (id.to_owned(), reason.to_owned())
        })
        .collect()
}

fn run(file: &str) {
    let text = fs::read_to_string(data("suite").join(file)).expect("the file is there");
    let known = expected_failures();
    let mut by_kind: BTreeMap<Kind, Figures> = BTreeMap::new();
    let mut all = Figures::default();
    let mut problems = BTreeSet::new();
    let mut cases = 0;
    for case in text.lines().map(Case::read) {
        cases += 1;
        let engine = case.engine();
        let found: Vec<Span> = engine
            .find(&case.text)
            .iter()
            .map(|f| Span {
                kind: Some(f.kind()),
                range: f.range(),
            })
            .collect();
        let right = |answer: &Vec<Span>| {
            answer.len() == found.len() && answer.iter().zip(&found).all(|(e, f)| fits(f, e))
        };
        let passes = case.answers.iter().any(right);
        if case.owed {
            let answer = case
                .answers
                .iter()
                .find(|a| right(a))
                .unwrap_or(&case.answers[0]);
            count(answer, &found, &mut all, &mut by_kind);
            match (passes, known.contains_key(&case.id)) {
                (false, false) => {
                    problems.insert(format!(
                        "{} {:?}\n    wants {answer:?}\n    found {found:?}",
                        case.id, case.text
                    ));
                }
                (true, true) => {
                    problems.insert(format!("{} passes, but is listed as a failure", case.id));
                }
                _ => {}
            }
        }
        let glued = case.answers[0].iter().filter_map(|span| {
            let value = &case.text[span.range.clone()];
            glued_to_cjk(&engine, value).map(|problem| ("cjk", problem))
        });
        let everywhere = same_everywhere(&engine, &case.text);
        for problem in everywhere.into_iter().chain(glued) {
            let id = format!("{}/{}", case.id, problem.0);
            if !known.contains_key(&id) {
                problems.insert(format!("{id}: {}", problem.1));
            }
        }
    }
    report(file, cases, &all, &by_kind);
    if std::env::var_os("NYMIZE_SUITE_SURVEY").is_some() {
        for problem in &problems {
            say(&format!("{problem}\n"));
        }
        return;
    }
    assert!(
        all.recall() >= OWED && all.precision() >= OWED,
        "{file} is below {OWED}"
    );
    let list: Vec<_> = problems.into_iter().collect();
    assert!(
        list.is_empty(),
        "{} problems in {file}:\n{}",
        list.len(),
        list.join("\n")
    );
}

fn count(
    answer: &[Span],
    found: &[Span],
    all: &mut Figures,
    by_kind: &mut BTreeMap<Kind, Figures>,
) {
    for expected in answer {
        let right = found.iter().any(|f| fits(f, expected));
        let near = found
            .iter()
            .any(|f| f.range.start < expected.range.end && expected.range.start < f.range.end);
        let kind = expected.kind.or_else(|| {
            found
                .iter()
                .find(|f| fits(f, expected))
                .and_then(|f| f.kind)
        });
        for figures in [
            Some(&mut *all),
            kind.map(|kind| by_kind.entry(kind).or_default()),
        ]
        .into_iter()
        .flatten()
        {
            figures.expected += 1;
            figures.right += usize::from(right);
            figures.wrong_span += usize::from(near && !right);
        }
    }
    for finding in found {
        all.found += 1;
        by_kind
            .entry(finding.kind.expect("a finding has a kind"))
            .or_default()
            .found += 1;
    }
}

fn report(file: &str, cases: usize, all: &Figures, by_kind: &BTreeMap<Kind, Figures>) {
    let mut table = String::new();
    let mut row = |name: &str, f: &Figures| {
        writeln!(
            table,
            "{name:28} values {:4}  recall {:.4}  precision {:.4}  wrong spans {}",
            f.expected,
            f.recall(),
            f.precision(),
            f.wrong_span
        )
        .expect("a string takes all");
    };
    row(&format!("{file} ({cases})"), all);
    for (kind, figures) in by_kind {
        row(&format!("  {kind}"), figures);
    }
    say(&table);
}

/// Writes past the test harness, which keeps what passing tests print.
fn say(text: &str) {
    std::io::stderr()
        .write_all(text.as_bytes())
        .expect("stderr takes text");
}

/// Ways in which the same text may arrive, where the answer differs from the whole text's.
fn same_everywhere(engine: &Pseudonymizer, text: &str) -> Vec<(&'static str, String)> {
    let mut problems = Vec::new();
    let whole = engine.filter(text).into_owned();
    for size in [1, 2, 3, 7, 64] {
        let mut stream = engine.stream();
        let mut out = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            stream.push(chunk, &mut out).expect("any text goes");
        }
        stream.finish(&mut out).expect("any text goes");
        if out != whole.as_bytes() {
            problems.push(("chunks", format!("{text:?} in chunks of {size}")));
        }
    }
    let again = engine.filter(&whole).into_owned();
    if again != whole {
        problems.push(("again", format!("{whole:?} became {again:?}")));
    }
    for (name, json) in [
        (
            "json",
            serde_json::to_string(text).expect("a string is JSON"),
        ),
        ("json-ascii", ascii_json(text)),
    ] {
        let document = format!("{{\"text\":{json}}}");
        let filtered = engine.filter(&document);
        match serde_json::from_str::<Value>(&filtered) {
            Ok(value) if value["text"].as_str() == Some(&whole) => {}
            Ok(value) => problems.push((
                name,
                format!(
                    "{text:?}\n    wants {whole:?}\n    found {:?}",
                    value["text"]
                ),
            )),
            Err(error) => problems.push((name, format!("{text:?} is no JSON any more: {error}"))),
        }
    }
    problems
}

/// A value that is found by itself must be found between letters of a script without word spaces.
/// Values that hold such letters themselves have no such border.
fn glued_to_cjk(engine: &Pseudonymizer, value: &str) -> Option<String> {
    let found = |text: &str| -> Vec<(usize, usize)> {
        let found = engine.find(text);
        let ranges = found.iter().map(nymize::Finding::range);
        ranges.map(|range| (range.start, range.end)).collect()
    };
    if !value.is_ascii() || found(value) != [(0, value.len())] {
        return None;
    }
    for (left, right) in [("联系", "谢谢"), ("番号は", "です"), ("전화", "입니다")] {
        let text = format!("{left}{value}{right}");
        let expected = (left.len(), left.len() + value.len());
        if found(&text) != [expected] {
            return Some(format!("{text:?} gives {:?}", found(&text)));
        }
    }
    None
}

/// A JSON string with every character outside ASCII as `\uXXXX`.
fn ascii_json(text: &str) -> String {
    let plain = serde_json::to_string(text).expect("a string is JSON");
    let mut out = String::new();
    for c in plain.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("a string takes all");
            }
        }
    }
    out
}

macro_rules! files {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            run(concat!(stringify!($name), ".jsonl"));
        }
    )*};
}

files! { email iban card ip phone_formats phone_matcher overlap bugs seeds doubt ids_and_secrets parts siblings }

#[test]
fn every_listed_failure_is_a_case() {
    let mut ids = BTreeSet::new();
    for entry in fs::read_dir(data("suite")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            let text = fs::read_to_string(&path).expect("a readable file");
            ids.extend(text.lines().map(|line| Case::read(line).id));
        }
    }
    for id in expected_failures().keys() {
        let id = id.split('/').next().unwrap_or(id);
        assert!(ids.contains(id), "{id} is no case");
    }
}
