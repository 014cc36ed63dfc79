use nymize::{Format, Key};
use proptest::prelude::*;

use super::*;

fn engine() -> Pseudonymizer {
    let builder = Pseudonymizer::builder(Key::from_bytes([7; 32])).format(Format::Text);
    builder.build().expect("the defaults are good")
}

/// A text that comes in pieces of one size; each second is all that is there for now.
struct Pieces<'t> {
    text: &'t [u8],
    size: usize,
    live: bool,
    fails: bool,
}

impl Source for Pieces<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], bool)>, Failure> {
        if self.text.is_empty() {
            return match self.fails {
                true => Err(Failure::new("no more")),
                false => Ok(None),
            };
        }
        let (piece, rest) = self.text.split_at(self.size.min(self.text.len()));
        (self.text, self.live) = (rest, !self.live);
        Ok(Some((piece, self.live)))
    }
}

fn many(text: &[u8], jobs: usize, size: usize, block: usize) -> (Vec<u8>, Counts) {
    let mut source = Pieces {
        text,
        size,
        live: false,
        fails: false,
    };
    let mut out = Vec::new();
    let jobs = NonZeroUsize::new(jobs).expect("at least one");
    match filter(&engine(), Vec::new(), &mut source, &mut out, jobs, block) {
        Ok(counts) => (out, counts),
        Err(_) => panic!("it neither fails to read nor to write"),
    }
}

fn one(text: &[u8]) -> (Vec<u8>, Counts) {
    let mut stream = engine().stream();
    let mut out = Vec::new();
    stream.push(text, &mut out).expect("text");
    stream.finish(&mut out).expect("text");
    (out, stream.counts().clone())
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("jan@example.com, +31 6 1234 5678".to_owned()),
        Just("NL91 ABNA 0417 1643 00 4111 1111 1111 1111".to_owned()),
        Just("tel".to_owned()),
        Just("415 555 2671".to_owned()),
        Just("\u{feff}data: {\"a\": 4111111111111111}".to_owned()),
        Just("data: {\"a\": 4111111111111111}".to_owned()),
        Just("{\"a\": \"x".to_owned()),
        Just("10.1.2.3=".to_owned()),
        Just("  ".to_owned()),
        "[ a-z0-9.@+-]{0,30}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn many_threads_write_what_one_writes(
        lines in prop::collection::vec(line(), 0..40),
        end in prop_oneof![Just("\n"), Just("\r\n"), Just("")],
        (jobs, size, block) in (1_usize..5, 1_usize..90, 1_usize..200),
    ) {
        let text = lines.join(if end.is_empty() { "\n" } else { end }) + end;
        prop_assert_eq!(many(text.as_bytes(), jobs, size, block), one(text.as_bytes()));
    }
}

#[test]
fn blocks_go_to_all() {
    let text = "jan@example.com\n".repeat(1_000);
    let (out, counts) = many(text.as_bytes(), 3, 100, 64);
    assert_eq!((out, counts.total()), (one(text.as_bytes()).0, 1_000));
}

/// What comes before a failure to read is written up to the last line end, and nothing more.
#[test]
fn a_failure_to_read_leaves_a_whole_number_of_lines() {
    let text = b"jan@example.com\npiet@example.com\nkees@exam";
    for size in 1..text.len() {
        let mut source = Pieces {
            text,
            size,
            live: true,
            fails: true,
        };
        let mut out = Vec::new();
        let jobs = NonZeroUsize::new(2).expect("two");
        let stopped = filter(&engine(), Vec::new(), &mut source, &mut out, jobs, 8);
        assert!(matches!(stopped, Err(Stopped::Read(_))));
        assert!(one(text).0.starts_with(&out), "{}", out.escape_ascii());
        assert!(
            out.is_empty() || out.ends_with(b"]]\n"),
            "{}",
            out.escape_ascii()
        );
    }
}

/// A writer that takes so many bytes.
struct Full(Vec<u8>, usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.1 - self.0.len();
        if room == 0 && !bytes.is_empty() {
            return Err(io::Error::other("full"));
        }
        let taken = &bytes[..bytes.len().min(room)];
        self.0.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failure_to_write_ends_it() {
    let text = "jan@example.com and piet@example.com\n".repeat(50);
    let whole = one(text.as_bytes()).0;
    for most in (0..whole.len()).step_by(97) {
        let mut source = Pieces {
            text: text.as_bytes(),
            size: 50,
            live: true,
            fails: false,
        };
        let mut out = Full(Vec::new(), most);
        let jobs = NonZeroUsize::new(3).expect("three");
        let stopped = filter(&engine(), Vec::new(), &mut source, &mut out, jobs, 64);
        assert!(matches!(stopped, Err(Stopped::Write(_))), "{most}");
        assert_eq!(out.0, whole[..most]);
    }
}
