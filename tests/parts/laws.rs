//! What holds for every text holds for forms, mails, colours and events in any mixture.

use nymize::{Key, Pseudonymizer};
use proptest::prelude::*;

const PIECES: [&str; 66] = [
    "jan%40example.com",
    "jan=40example.com",
    "jan@example.com",
    "+31 6 1234 5678",
    "%2B31+6+1234+5678",
    "=2B31=206=201234=205678",
    "4111+1111+1111+1111",
    "4111=201111=201111=201111",
    "4111111111111111",
    "NL91+ABNA+0417+1643+00",
    "nl91=20abna=200417=201643=2000",
    "93.184.216.34",
    "06+12345678",
    "(415)+555-2671",
    "[[EMAIL_6c1f0a9e]]",
    "a=",
    "&b=",
    "?c=",
    "&",
    "=",
    "+",
    "+1",
    "%",
    "%20",
    "%40",
    "=20",
    "=2B",
    "=3D",
    "=3C",
    "=3E",
    "=40",
    "=C2=A0",
    "=C3=A9",
    "=?utf-8?Q?",
    "=\r\n",
    "=\n",
    "\\n",
    "\x1b[1m",
    "\x1b[0m",
    "\x1b[01;31m\x1b[K",
    "\\u001b[31m",
    "\x1b",
    "data: {\"a\":\"",
    "\"}\n",
    "\ndata: [",
    "]\n",
    "\"",
    "<b>",
    "</b>",
    "\u{200b}",
    "\u{2028}",
    "\0",
    "tel",
    "word+word+word+",
    "x",
    "@",
    ".nl",
    ".py",
    "12",
    "1234",
    "31",
    "-",
    " ",
    "\n",
    "::1",
    "2001:db8::1",
];

fn text() -> impl Strategy<Value = String> {
    let long = "long+value%2C+".repeat(24);
    let piece = prop_oneof![
        40 => prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
        1 => Just(long),
        2 => "[0-9]{1,5}",
        2 => "[a-zA-Z]{1,5}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn engine() -> Pseudonymizer {
    Pseudonymizer::builder(Key::from_bytes([7; 32]))
        .regions(["NL", "US", "DE"])
        .build()
        .expect("known regions")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn chunks_make_no_difference_and_a_second_pass_finds_nothing(
        text in text(),
        size in 1_usize..40,
    ) {
        let engine = engine();
        let whole = engine.filter(&text).into_owned();
        let mut stream = engine.stream();
        let mut out = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            stream.push(chunk, &mut out).expect("any text goes");
        }
        stream.finish(&mut out).expect("any text goes");
        prop_assert_eq!(&String::from_utf8_lossy(&out), &whole, "pieces of {}", size);
        prop_assert_eq!(&engine.filter(&whole), &whole, "a second pass");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// One line that is longer than any window.
    #[test]
    fn one_long_line_is_the_same_in_pieces(
        parts in prop::collection::vec(text(), 4..8),
        times in 20_usize..120,
        size in prop::sample::select(vec![777_usize, 4096, 65_536, 100_000]),
    ) {
        let engine = engine();
        let text = parts.concat().replace('\n', "").repeat(times);
        let whole = engine.filter(&text).into_owned();
        let mut stream = engine.stream();
        let mut out = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            stream.push(chunk, &mut out).expect("any text goes");
        }
        stream.finish(&mut out).expect("any text goes");
        prop_assert!(out == whole.as_bytes(), "pieces of {}", size);
    }
}
