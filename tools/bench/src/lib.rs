//! Texts for the benchmarks, made here so that they are the same everywhere, each with the number
//! of findings that a right answer has: a benchmark of a wrong answer fails.

use std::fmt::Write as _;

/// A text, what it stands for, and how many findings it holds.
pub struct Corpus {
    pub name: &'static str,
    pub text: String,
    pub findings: usize,
}

/// How long each text is, in bytes, at the least.
const SIZE: usize = 1 << 20;

/// A small generator (xorshift64*), so that no package decides what is measured.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }
}

fn build(name: &'static str, mut line: impl FnMut(&mut Random, &mut String) -> usize) -> Corpus {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut text, mut findings) = (String::new(), 0);
    while text.len() < SIZE {
        findings += line(&mut random, &mut text);
    }
    Corpus {
        name,
        text,
        findings,
    }
}

const WORDS: &[&str] = &[
    "the", "filter", "reads", "what", "comes", "and", "writes", "it", "back", "as", "was", "but",
    "for", "values", "that", "have", "a", "grammar", "or", "checksum", "so", "nobody", "needs",
    "to", "guess", "who", "is", "meant",
];

fn prose(random: &mut Random, text: &mut String) {
    for _ in 0..12 {
        text.push_str(WORDS[random.below(WORDS.len() as u64) as usize]);
        text.push(' ');
    }
}

/// All texts.
pub fn corpora() -> Vec<Corpus> {
    vec![
        build("clean", |random, text| {
            prose(random, text);
            text.push('\n');
            0
        }),
        build("prose", |random, text| {
            prose(random, text);
            let found = usize::from(random.below(20) == 0);
            if found == 1 {
                write!(text, "jan{}@example.com", random.below(1000)).expect("a string takes all");
            }
            text.push('\n');
            found
        }),
        build("code", |random, text| {
            writeln!(
                text,
                "    let mask_{0} = std::mem::replace(&mut self.table[{0}], 0x{1:08x}); // v1.{0}.3, @param",
                random.below(100),
                random.below(1 << 30)
            )
            .expect("a string takes all");
            0
        }),
        build("json", |random, text| {
            text.push_str("{\"role\":\"user\",\"content\":\"");
            prose(random, text);
            writeln!(
                text,
                "\\n\\tcall +31 6 1{:07}\\n\"}}",
                random.below(10_000_000)
            )
            .expect("a string takes all");
            1
        }),
        build("logs", |random, text| {
            writeln!(
                text,
                "93.184.{}.{} - - [06/Oct/2025:13:55:{:02} +0000] \"GET /api/v1/users/{} HTTP/1.1\" 200 {}",
                random.below(256),
                1 + random.below(254),
                random.below(60),
                random.below(100_000),
                random.below(100_000),
            )
            .expect("a string takes all");
            1
        }),
        build("dense", |random, text| {
            writeln!(
                text,
                "{},jan{}@example.com,+31 6 1{:07},NL91 ABNA 0417 1643 00,4111 1111 1111 1111",
                random.below(1_000_000),
                random.below(1_000),
                random.below(10_000_000),
            )
            .expect("a string takes all");
            4
        }),
        build("digits", |random, text| {
            let body = format!(
                "4{:014}",
                random.below(1 << 33) * 9_973 % 100_000_000_000_000
            );
            let wrong = (check_digit(&body) + 1) % 10;
            let number = format!("{body}{wrong}");
            writeln!(
                text,
                "{number} {} {}-{}-{}-{} {}",
                random.below(1 << 30),
                &number[..4],
                &number[4..8],
                &number[8..12],
                &number[12..],
                random.below(1000),
            )
            .expect("a string takes all");
            0
        }),
    ]
}

/// The digit that would make a card number right (ISO/IEC 7812-1, annex B).
fn check_digit(body: &str) -> u32 {
    let sum: u32 = body
        .bytes()
        .rev()
        .enumerate()
        .map(|(i, b)| u32::from(b - b'0') * if i % 2 == 0 { 2 } else { 1 })
        .map(|n| if n > 9 { n - 9 } else { n })
        .sum();
    (10 - sum % 10) % 10
}
