//! What each fuzz target holds of any input. `tests/regressions.rs` holds the same of the inputs
//! for which it once did not.

use std::ops::Range;
use std::sync::LazyLock;

use nymize::{Format, Key, Kind, Kinds, Pseudonymizer, Stream};

use self::json::{Tree, is_json};

pub mod json;

/// A check by its name, which is that of its fuzz target.
pub type Check = fn(&[u8]);

/// All checks.
pub const ALL: [(&str, Check); 6] = [
    ("chunks_json", chunks_json),
    ("json_stays_json", json_stays_json),
    ("no_panic_detectors", no_panic_detectors),
    ("placeholder_round_trip", placeholder_round_trip),
    ("second_pass", second_pass),
    ("stream_is_whole", stream_is_whole),
];

/// What a text of several windows has at the least, in bytes.
const LONG: usize = 80 * 1024;

static ENGINE: LazyLock<Pseudonymizer> = LazyLock::new(|| engine(7, 8, &["NL", "US", "DE", "GB"]));

fn engine<S: AsRef<str>>(key: u8, digits: usize, regions: &[S]) -> Pseudonymizer {
    Pseudonymizer::builder(Key::from_bytes([key; 32]))
        .regions(regions)
        .hash_length(digits)
        .build()
        .expect("known regions")
}

/// Every region there is.
static REGIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let letters = 'A'..='Z';
    let codes = letters
        .clone()
        .flat_map(|a| letters.clone().map(move |b| format!("{a}{b}")));
    let known = |code: &String| {
        let builder = Pseudonymizer::builder(Key::from_bytes([7; 32]));
        builder.regions([code]).build().is_ok()
    };
    codes.filter(known).collect()
});

/// However a text is cut, the output is that of the whole; in every format that takes any text.
pub fn stream_is_whole(input: &[u8]) {
    let Some((cuts, text)) = Cuts::read(input) else {
        return;
    };
    let formats = [Format::Text, Format::Auto, Format::Yaml, Format::Toml];
    let engine = ENGINE.with_format(formats[usize::from(cuts.flags & 3)]);
    let text = if cuts.flags & 0x80 == 0 || text.is_empty() {
        text.to_vec()
    } else {
        text.repeat(LONG.div_ceil(text.len()))
    };
    let out = streamed(engine.stream(), cuts.of(&text));
    let out = out.expect("only strict JSON is refused");
    assert!(
        out == *engine.filter_bytes(&text),
        "the cuts make a difference"
    );
}

/// However JSON and what is nearly JSON is cut, the output is that of the whole, and so is the error.
pub fn chunks_json(input: &[u8]) {
    let Some((cuts, text)) = Cuts::read(input) else {
        return;
    };
    let formats = [Format::Json, Format::Auto];
    let engine = ENGINE.with_format(formats[usize::from(cuts.flags & 1)]);
    let cut = streamed(engine.stream(), cuts.of(text));
    let whole = streamed(engine.stream(), [text]);
    assert!(cut == whole, "the cuts make a difference");
    // A text that must be JSON may begin otherwise than one that is taken for JSON.
    if cuts.flags & 1 == 1 {
        let out = whole.expect("only strict JSON is refused");
        assert!(
            out == *engine.filter_bytes(text),
            "a stream makes a difference"
        );
    }
}

/// The output holds nothing that a second pass would find.
pub fn second_pass(text: &[u8]) {
    for format in [Format::Auto, Format::Text, Format::Yaml, Format::Toml] {
        let engine = ENGINE.with_format(format);
        let once = engine.filter_bytes(text).into_owned();
        assert!(
            *engine.filter_bytes(&once) == once,
            "a second pass finds more"
        );
    }
}

/// What is JSON before is JSON after, of the same shape; and is the same to all ways of reading it.
pub fn json_stays_json(text: &[u8]) {
    if !is_json(text) {
        return;
    }
    let engine = ENGINE.with_format(Format::Json);
    let out = streamed(engine.stream(), [text]).expect("JSON is not refused");
    assert!(is_json(&out), "JSON is broken");
    let again = streamed(engine.stream(), [&out[..]]);
    assert!(again == Ok(out.clone()), "a second pass finds more");
    let ink = text.iter().find(|byte| !byte.is_ascii_whitespace());
    if matches!(ink, Some(b'{' | b'[')) {
        assert!(
            *ENGINE.filter_bytes(text) == out,
            "it is not taken for JSON by itself"
        );
    }
    if let Some(before) = Tree::read(text) {
        let after = Tree::read(&out).expect("what could be read can be read");
        assert!(before.has_become(&after), "the shape is another");
    }
}

/// The grammar of placeholders, by another reading than that of the program.
fn is_placeholder(text: &[u8], digits: usize) -> bool {
    let Some(body) = text
        .strip_prefix(b"[[")
        .and_then(|text| text.strip_suffix(b"]]"))
    else {
        return false;
    };
    let Some(end) = body.iter().rposition(|&byte| byte == b'_') else {
        return false;
    };
    let (label, hash) = (&body[..end], &body[end + 1..]);
    let upper = |byte: &u8| byte.is_ascii_uppercase();
    label.first().is_some_and(upper)
        && label.len() <= 32
        && label
            .iter()
            .all(|byte| upper(byte) || byte.is_ascii_digit() || *byte == b'_')
        && (hash.len() == 8 || hash.len() == digits)
        && hash.iter().all(|byte| b"0123456789abcdef".contains(byte))
}

/// What is rendered is a placeholder, is passed over whole by an engine of any key, and is a wall:
/// which one it is makes no difference to what surrounds it. What is no placeholder is text.
pub fn placeholder_round_trip(input: &[u8]) {
    let Some((&[shape, place, ..], text)) = input.split_first_chunk::<2>() else {
        return;
    };
    let digits = 8 + 2 * usize::from(shape % 29);
    let engine = engine(7, digits, &["NL"]).with_format(Format::Text);
    let other = self::engine(8, digits, &["NL"]).with_format(Format::Text);
    let mut placeholders = vec![b"[[A_00000000]]".to_vec(), longest(digits)];
    for finding in engine.find_bytes(text) {
        let placeholder = engine.placeholder(&finding);
        assert!(placeholder.starts_with(&format!("[[{}_", finding.kind())));
        assert!(placeholder.len() == finding.kind().label().len() + digits + 5);
        placeholders.push(placeholder.into_bytes());
    }
    // The text between brackets is a placeholder or is not.
    let framed = [b"[[", text, b"]]"].concat();
    if is_placeholder(&framed, digits) {
        placeholders.push(framed);
    } else {
        // A line end, as a bracket may end a control sequence.
        let inside = [b" ", text, b"\n"].concat();
        let spaced = [b"[[", &inside[..], b"]]"].concat();
        assert!(
            ranges(&engine, &spaced) == moved(&ranges(&engine, &inside), 2),
            "brackets hide a value"
        );
    }
    let (before, after) = text.split_at(usize::from(place).min(text.len()));
    let mut around = Vec::new();
    for placeholder in placeholders {
        assert!(is_placeholder(&placeholder, digits));
        assert!(*other.filter_bytes(&placeholder) == placeholder);
        let whole = [before, &placeholder, after].concat();
        let found = ranges(&other, &whole);
        let behind = before.len() + placeholder.len();
        let (left, right): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|range| range.end <= before.len());
        assert!(
            right.iter().all(|range| range.start >= behind),
            "a finding touches a placeholder"
        );
        let right: Vec<_> = right
            .into_iter()
            .map(|range| range.start - behind..range.end - behind)
            .collect();
        around.push((left, right));
    }
    assert!(
        around.windows(2).all(|pair| pair[0] == pair[1]),
        "what a placeholder says makes a difference"
    );
}

/// The longest placeholder.
fn longest(digits: usize) -> Vec<u8> {
    format!(
        "[[{}_{}]]",
        "Z9_".repeat(11).split_at(32).0,
        "f".repeat(digits)
    )
    .into_bytes()
}

/// No input makes a detector panic or tell a place that is not there: each kind by itself, and all,
/// with every region.
pub fn no_panic_detectors(input: &[u8]) {
    static ENGINES: LazyLock<Vec<(Kinds, Pseudonymizer)>> = LazyLock::new(|| {
        let all = engine(7, 8, &REGIONS);
        let one = Kind::ALL.map(|kind| Kinds::NONE.with(kind));
        let kinds = one.into_iter().chain([Kinds::ALL]);
        kinds
            .map(|kinds| (kinds.clone(), all.with_kinds(kinds)))
            .collect()
    });
    let Some((&choice, text)) = input.split_first() else {
        return;
    };
    let (kinds, engine) = &ENGINES[usize::from(choice) % ENGINES.len()];
    for format in [Format::Text, Format::Auto, Format::Yaml, Format::Toml] {
        let engine = engine.with_format(format);
        let mut end = 0;
        for finding in engine.find_bytes(text) {
            assert!(kinds.contains(finding.kind()));
            let range = finding.range();
            assert!(end <= range.start && range.start < range.end && range.end <= text.len());
            end = range.end;
        }
        for miss in engine.near_misses(text) {
            assert!(kinds.contains(miss.kind) && miss.at < text.len());
        }
        let _ = engine.filter_bytes(text);
    }
}

fn ranges(engine: &Pseudonymizer, text: &[u8]) -> Vec<Range<usize>> {
    let found = engine.find_bytes(text);
    found.iter().map(nymize::Finding::range).collect()
}

fn moved(ranges: &[Range<usize>], by: usize) -> Vec<Range<usize>> {
    let moved = ranges.iter().map(|range| range.start + by..range.end + by);
    moved.collect()
}

/// What a stream makes of pieces: the output, or the error's text and what came before it.
fn streamed<'t>(
    mut stream: Stream,
    pieces: impl IntoIterator<Item = &'t [u8]>,
) -> Result<Vec<u8>, (String, Vec<u8>)> {
    let mut out = Vec::new();
    for piece in pieces {
        if let Err(error) = stream.push(piece, &mut out) {
            return Err((error.to_string(), out));
        }
    }
    match stream.finish(&mut out) {
        Ok(()) => Ok(out),
        Err(error) => Err((error.to_string(), out)),
    }
}

/// How a text is cut: the head of an input says it.
struct Cuts {
    flags: u8,
    sizes: [u8; 3],
}

impl Cuts {
    fn read(input: &[u8]) -> Option<(Cuts, &[u8])> {
        let (&[flags, a, b, c], text) = input.split_first_chunk::<4>()?;
        let sizes = [a, b, c];
        Some((Cuts { flags, sizes }, text))
    }

    /// The text in pieces of the sizes in turn; in a long text they are greater.
    fn of<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        let scale = if text.len() < LONG { 1 } else { 256 };
        let sizes = self.sizes.map(|size| (usize::from(size) + 1) * scale);
        let mut rest = text;
        sizes.into_iter().cycle().map_while(move |size| {
            if rest.is_empty() {
                return None;
            }
            let (piece, after) = rest.split_at(size.min(rest.len()));
            rest = after;
            Some(piece)
        })
    }
}
