//! Cases from public reports about tools of this sort, one test each. The numbers are those of a list
//! that is longer: what other tests hold is not repeated here.

mod cmd;
#[path = "behaviours/spans.rs"]
mod spans;

use std::process::Stdio;

use cmd::{EMAIL, Home, PHONE, feed, run, text, wrote};
use nymize::{Format, Key, Kind, Pseudonymizer};
use serde_json::{Value, json};

/// A value of each kind, and one more address.
const VALUES: [&str; 7] = [
    "jan@noordwind.nl",
    "NL91ABNA0417164300",
    "4111 1111 1111 1111",
    "+31 6 1234 5678",
    "06-12345678",
    "93.184.216.34",
    "2a02:a452::10",
];

fn builder() -> nymize::Builder {
    Pseudonymizer::builder(Key::from_bytes([7; 32])).regions(["NL"])
}

fn engine() -> Pseudonymizer {
    builder().build().expect("known regions")
}

fn filtered(text: &str) -> String {
    engine().filter(text).into_owned()
}

/// What becomes of a value that stands alone.
fn mark(value: &str) -> String {
    let mark = filtered(value);
    assert!(
        mark.starts_with("[[") && mark.ends_with("]]"),
        "{value}: {mark}"
    );
    mark
}

/// The placeholders in a text.
fn marks(text: &str) -> Vec<&str> {
    text.split("[[")
        .skip(1)
        .filter_map(|part| part.split_once("]]").map(|(inside, _)| inside))
        .collect()
}

/// A backslash that stays before a value makes no escape with what comes in its place.
#[test]
fn b02_no_new_escape() {
    // `\0` is an escape itself.
    for value in VALUES.into_iter().filter(|value| !value.starts_with('0')) {
        for n in 1..6 {
            let before = "\\".repeat(n);
            // A word, so that the last backslash has nothing to escape.
            let text = format!("C:{before}{value}");
            let out = filtered(&text);
            assert!(
                out.ends_with(&format!("{before}{}", mark(value))),
                "{text} became {out}"
            );
            let document = json!({ "path": text }).to_string();
            let parsed: Value = serde_json::from_str(&filtered(&document)).expect("JSON");
            assert_eq!(parsed["path"], out, "{document}");
        }
    }
}

/// The brackets around a host are the text's own.
#[test]
fn b09_bracketed_hosts() {
    let ip = mark("2a02:a452::10");
    for (text, expected) in [
        ("[2a02:a452::10]:8080", format!("[{ip}]:8080")),
        ("http://[2a02:a452::10]/x", format!("http://[{ip}]/x")),
        ("[[2a02:a452::10]]", format!("[[{ip}]]")),
        ("[2a02:a452::10%eth0]:22", format!("[{ip}%eth0]:22")),
    ] {
        let out = filtered(text);
        // A zone is a part of the address or stays; the brackets stay.
        let zoneless = expected.replace("%eth0", "");
        assert!(out == expected || out == zoneless, "{text} became {out}");
        assert_eq!(filtered(&out), out);
    }
}

/// A placeholder has no sign that HTML, Markdown, a shell or a URL reads as its own.
#[test]
fn b10_no_mark_up_in_a_placeholder() {
    for value in VALUES {
        let mark = mark(value);
        let inside = &mark[2..mark.len() - 2];
        let plain = |c: char| {
            c.is_ascii_uppercase() || c.is_ascii_digit() || ('a'..='f').contains(&c) || c == '_'
        };
        assert!(inside.chars().all(plain), "{mark}");
        // One `_` makes no emphasis.
        assert_eq!(inside.matches('_').count(), 1, "{mark}");
        for (before, after) in [
            ("<b>", "</b>"),
            ("<a href=\"x\">", "</a>"),
            ("**", "**"),
            ("`", "`"),
            ("&lt;", "&gt;"),
            ("| ", " |"),
        ] {
            assert_eq!(
                filtered(&format!("{before}{value}{after}")),
                format!("{before}{mark}{after}")
            );
        }
    }
}

#[test]
fn b11_wiki_links_stay() {
    let notes = "see [[Home Page]], [[people/jan]], [[Page|alias]], ![[image.png]], [[EMAIL]], [[A_1]] and [[]]\n";
    assert_eq!(filtered(notes), notes);
}

/// Widths change; nothing is padded or lost.
#[test]
fn b12_columns_are_not_padded() {
    let table = "Proto Local Address           Foreign Address         State\n\
                 tcp   93.184.216.34:443       2a02:a452::10           ESTABLISHED\n";
    let expected = table
        .replace("93.184.216.34", &mark("93.184.216.34"))
        .replace("2a02:a452::10", &mark("2a02:a452::10"));
    assert_eq!(filtered(table), expected);
}

/// The first column of a diff, its headers and its number of lines stay.
#[test]
fn b13_diffs_keep_their_form() {
    let diff = "--- a/people.txt\n+++ b/people.txt\n@@ -1,4 +1,5 @@ owner: jan@noordwind.nl\n \
                jan@noordwind.nl\n-+31 6 1234 5678\n-4111 1111 1111 1111\n+NL91ABNA0417164300\n++31 6 1234 5678\n\
                +++jan@noordwind.nl\n --\n";
    let out = filtered(diff);
    assert_eq!(out.lines().count(), diff.lines().count());
    for (before, after) in diff.lines().zip(out.lines()) {
        assert_eq!(
            before.chars().next(),
            after.chars().next(),
            "{before} became {after}"
        );
        let header = before.starts_with("--- ") || before.starts_with("+++ ");
        assert_eq!(
            before == after,
            header || before == " --",
            "{before} became {after}"
        );
        let hunk = before
            .starts_with("@@")
            .then_some("@@ -1,4 +1,5 @@ owner: ");
        assert!(after.starts_with(hunk.unwrap_or_default()));
    }
}

/// Not one byte of a payload changes, wherever it stands, and what follows it is filtered.
#[test]
fn b14_base64_stays_and_what_follows_does_not() {
    // Every three bytes, and a long tail without padding.
    let alphabet: Vec<u8> = (b'A'..=b'Z')
        .chain(b'a'..=b'z')
        .chain(b'0'..=b'9')
        .chain(*b"+/")
        .collect();
    let mut payload = String::new();
    let mut state = 1_u32;
    for _ in 0..40_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        payload.push(char::from(alphabet[(state >> 24) as usize % 64]));
    }
    let mail = "jan@noordwind.nl";
    for (before, after) in [
        ("data:image/png;base64,", format!(" sent by {mail}")),
        ("![x](data:image/jpeg;base64,", format!(") by {mail}")),
        (
            "Content-Transfer-Encoding: base64\n\n",
            format!("\n\n{mail}\n"),
        ),
        ("token=", format!("; user={mail}")),
        ("{\"img\":\"", format!("\",\"by\":\"{mail}\"}}")),
    ] {
        let out = filtered(&format!("{before}{payload}{after}"));
        let expected = format!("{before}{payload}{}", after.replace(mail, &mark(mail)));
        assert!(out == expected, "{before}");
    }
}

/// The same in two processes, in whatever order the values come.
#[test]
fn b15_the_same_in_every_run_and_order() {
    let home = Home::new();
    let one = feed(
        home.bare::<&str>(&[]),
        "jan@example.com\n+31612345678\npiet@example.com\n",
    );
    let two = feed(
        home.bare::<&str>(&[]),
        "piet@example.com\nkees@example.com\n+31612345678\njan@example.com\n",
    );
    let (one, two): (Vec<_>, Vec<_>) =
        (wrote(&one).lines().collect(), wrote(&two).lines().collect());
    assert_eq!(one, [two[3], two[2], two[0]]);
    assert!(!two[1].contains("kees") && !one.contains(&two[1]));
}

#[test]
fn b16_no_placeholder_is_the_beginning_of_another() {
    let text: String = (0..3_000)
        .map(|i| format!("u{i}@example.com, 93.184.{}.{}\n", i / 250, i % 250 + 1))
        .collect();
    let out = filtered(&text);
    let mut marks = marks(&out);
    assert_eq!(marks.len(), 6_000);
    marks.sort_unstable();
    marks.dedup();
    for pair in marks.windows(2) {
        assert!(!pair[1].starts_with(pair[0]), "{pair:?}");
    }
    let lengths: std::collections::BTreeSet<_> = marks.iter().map(|mark| mark.len()).collect();
    assert_eq!(
        lengths.into_iter().collect::<Vec<_>>(),
        [11, 14],
        "IP and EMAIL have one each"
    );
}

/// With 16 digits no two of many values share a placeholder; how likely that is with 8 is told in
/// README.md.
#[test]
fn b17_a_longer_hash_parts_all() {
    let engine = builder().hash_length(16).build().expect("an engine");
    let text: String = (0..20_000).map(|i| format!("u{i}@example.com\n")).collect();
    let out = engine.filter(&text).into_owned();
    let mut marks = marks(&out);
    assert_eq!(marks.len(), 20_000);
    marks.sort_unstable();
    marks.dedup();
    assert_eq!(marks.len(), 20_000);
}

/// The TYPE goes into the hash (golden.rs has the vectors): no two kinds share one.
#[test]
fn b19_the_type_is_hashed() {
    let mut hashes: Vec<String> = VALUES
        .iter()
        .map(|value| {
            mark(value)
                .split_once('_')
                .map(|(_, hash)| hash.to_owned())
                .expect("a hash")
        })
        .collect();
    assert_eq!(hashes[3], hashes[4], "one number in two spellings");
    hashes.dedup();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), VALUES.len() - 1);
}

/// Spellings of one value have one placeholder.
#[test]
fn b20_one_value_has_one_placeholder() {
    for spellings in [
        &[
            "+31 6 12345678",
            "0031612345678",
            "06-12345678",
            "(+31) 612345678",
            "+31 (0)6 1234 5678",
            "+31612345678",
        ][..],
        &[
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
            "4111111111111111",
        ],
        &[
            "NL91 ABNA 0417 1643 00",
            "NL91ABNA0417164300",
            "nl91abna0417164300",
            "nl91 abna 0417 1643 00",
        ],
        &[
            "2001:db8::1",
            "2001:DB8:0:0:0:0:0:1",
            "2001:0db8:0000:0000:0000:0000:0000:0001",
        ],
        &["93.184.216.34", "::ffff:93.184.216.34", "::ffff:5db8:d822"],
        &[
            "Jan@Noordwind.NL",
            "jan@noordwind.nl",
            "JAN@NOORDWIND.NL",
            "jan%40noordwind.nl",
            "jan&#64;noordwind.nl",
            "jan\\u0040noordwind.nl",
        ],
    ] {
        for spelling in spellings {
            assert_eq!(mark(spelling), mark(spellings[0]), "{spelling}");
        }
    }
}

/// What only a lossy folding makes equal stays apart.
#[test]
fn b21_two_people_have_two_placeholders() {
    for people in [
        &[
            "jan.jansen@example.com",
            "janjansen@example.com",
            "jan.jansen+x@example.com",
            "jan-jansen@example.com",
            "jan_jansen@example.com",
        ][..],
        &["fiona@example.com", "\u{fb01}ona@example.com"],
        &["mu2@example.com", "mu\u{b2}@example.com"],
        &["jan@example.com", "jan@example.org", "jan@mail.example.com"],
        &["strasse@example.com", "stra\u{df}e@example.com"],
        &["anna@example.com", "\u{430}nna@example.com"],
        &["93.184.216.34", "93.184.216.33", "2001:db8::34"],
        &["+31612345678", "+31612345679", "+32470123456"],
    ] {
        let mut marks: Vec<String> = people
            .iter()
            .map(|value| {
                let out = filtered(&format!("to: {value}"));
                assert!(out.ends_with("]]"), "{value}: {out}");
                out
            })
            .collect();
        marks.sort_unstable();
        marks.dedup();
        assert_eq!(marks.len(), people.len(), "{people:?}");
    }
}

/// Output goes through again as it is, whatever the key, kinds, regions, format and hash length of
/// the second pass.
#[test]
fn b22_a_second_pass_changes_nothing() {
    let text = format!("{}\ntel {}\n", VALUES.join(" and "), VALUES.join(" / tel "));
    let once = filtered(&text);
    let other = || Pseudonymizer::builder(Key::from_bytes([9; 32]));
    for second in [
        other(),
        other().regions(["US", "DE", "FR", "GB", "JP", "NL"]),
        other().hash_length(64),
        other().scope("another"),
        other().format(Format::Yaml),
        other().format(Format::Toml),
        other().format(Format::Text),
    ] {
        let second = second.build().expect("an engine");
        assert_eq!(second.filter(&once), once);
        for kind in Kind::ALL {
            let one = second.with_kinds(nymize::Kinds::NONE.with(kind));
            assert_eq!(one.filter(&once), once);
        }
    }
}

/// What only resembles a placeholder hides nothing.
#[test]
fn b23_brackets_hide_no_value() {
    for value in VALUES {
        let mark = mark(value);
        for (before, after) in [
            ("[[", "]]"),
            ("[[EMAIL_", "]]"),
            ("[[email_6c1f0a9e]] ", ""),
            ("[[EMAIL_6c1f0a9]] ", " [[EMAIL_6C1F0A9E]]"),
            ("[[EMAIL_xxxxxxxx ", "]]"),
            ("<<", ">>"),
            ("[[[[", "]]]]"),
        ] {
            let text = format!("{before}{value}{after}");
            let out = filtered(&text);
            // `EMAIL_jan@…` is an address too, and `EMAIL_06-…` no number.
            if before.ends_with('_') {
                continue;
            }
            assert_eq!(out, format!("{before}{mark}{after}"), "{text}");
        }
    }
    let out = filtered("[[EMAIL_jan@noordwind.nl]]");
    assert!(!out.contains("jan@") && !out.contains("noordwind"), "{out}");
}

/// Text with the grammar of a placeholder goes through, whoever wrote it: that is the contract, as
/// such text has no room for a value of any kind that is known.
#[test]
fn b24_what_has_the_grammar_goes_through() {
    for text in [
        "[[API_KEY_01234567]]",
        "[[X_deadbeef]]",
        "[[PHONE_31612345]]",
        "[[A_12345678_87654321]]",
    ] {
        assert_eq!(filtered(text), text);
    }
}

/// No hash in a placeholder is taken for a value.
#[test]
fn b25_a_hash_is_no_value() {
    let text: String = (0..5_000).map(|i| format!("u{i}@example.com ")).collect();
    for digits in [8, 10, 12] {
        let engine = builder().hash_length(digits).build().expect("an engine");
        let out = engine.filter(&text).into_owned();
        assert_eq!(marks(&out).len(), 5_000);
        assert_eq!(engine.filter(&out), out);
    }
}

/// What a model makes of placeholders is text, and nothing depends on reading it back.
#[test]
fn b26_changed_placeholders_are_text() {
    for text in [
        "[[email_6c1f0a9e]]",
        "[EMAIL_6c1f0a9e]",
        "\\[\\[EMAIL_6c1f0a9e\\]\\]",
        "[[EMAIL_\n6c1f0a9e]]",
        "EMAIL_6c1f0a9e",
        "**[[EMAIL_6c1f0a9e]]**",
    ] {
        assert_eq!(filtered(text), text);
    }
    let docs = include_str!("../docs/harness.md");
    assert!(docs.contains("nymize does not turn placeholders into values"));
}

/// With another key all placeholders are others, and the documentation says when to change it.
#[test]
fn b29_a_new_key_changes_all() {
    let other = Pseudonymizer::builder(Key::from_bytes([8; 32])).regions(["NL"]);
    let other = other.build().expect("an engine");
    for value in VALUES {
        let new = other.filter(value).into_owned();
        assert!(new.starts_with("[[") && new != mark(value), "{value}");
    }
    let docs = include_str!("../docs/team.md");
    assert!(docs.contains("## 6. When somebody leaves, or the key got out"));
}

/// Neither its length nor any letter of a value shows.
#[test]
fn b30_nothing_of_the_value_shows() {
    let mails = [
        "a@b.nl",
        "a.very.long.name.indeed@a-long-domain-name.example.com",
    ];
    let (short, long) = (mark(mails[0]), mark(mails[1]));
    assert_eq!(short.len(), long.len());
    assert!(!long.contains("very") && !long.contains("example"));
    for value in VALUES {
        let mark = mark(value);
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        for piece in digits.as_bytes().windows(5) {
            assert!(!mark.contains(text(piece)), "{mark}");
        }
    }
}

/// Whatever is said goes to stderr.
#[test]
fn b38_stdout_is_data_alone() {
    let home = Home::new();
    let input = "mail jan@example.com, call +31612345678\n";
    let clean = format!("mail {EMAIL}, call {PHONE}\n");
    for args in [
        &[][..],
        &["-v"],
        &["-v", "--stats"],
        &["--stats", "-q"],
        &["-v", "--format", "xml"],
    ] {
        let output = feed(home.nymize(args), input);
        if output.status.code() == Some(2) {
            assert!(output.stdout.is_empty(), "{args:?}");
            continue;
        }
        assert_eq!(wrote(&output), clean, "{args:?}");
    }
    // The first use of a key is told of, and a terminal's colours are not for a pipe.
    let mut first = home.bare(&["-v", "--stats"]);
    first.env("TERM", "xterm-256color").env("CLICOLOR", "1");
    let output = feed(first, "nothing\n");
    assert_eq!(wrote(&output), "nothing\n");
    assert!(!output.stderr.is_empty());
    let ephemeral = feed(home.bare(&["--ephemeral-key", "--stats"]), "nothing\n");
    assert_eq!(wrote(&ephemeral), "nothing\n");
}

/// A pause in the middle of a value, after a full stop, or after any byte, lets out no piece of it.
#[test]
fn b41_no_piece_of_a_value_is_given() {
    let engine = engine();
    for value in VALUES
        .into_iter()
        .chain(["jane.doe@example.com", "see. a.b@example.co.uk"])
    {
        let line = format!("so: {value}\n");
        for cut in 0..line.len() {
            let mut stream = engine.stream();
            let mut out = Vec::new();
            stream
                .push(&line.as_bytes()[..cut], &mut out)
                .expect("text");
            assert!(out.is_empty(), "{:?} of {line:?}", text(&out));
            stream
                .push(&line.as_bytes()[cut..], &mut out)
                .expect("text");
            stream.finish(&mut out).expect("text");
            assert_eq!(text(&out), filtered(&line));
        }
    }
}

/// Pieces of any size, with findings that overlap and touch.
#[test]
fn b43_pieces_neither_double_nor_lose_text() {
    let engine = engine();
    let input = format!(
        "{} +4111111111111111 4111 1111 1111 1111 2024-05-06 alice:alice@example.com,06-12345678/93.184.216.34\n\
         jan@93.184.216.34 2a02:a452::10::jan@noordwind.nl [[EMAIL_6c1f0a9e]]+31612345678",
        VALUES.join("")
    );
    let input = input.repeat(40);
    let whole = filtered(&input);
    for size in [1, 2, 3, 7, 64, 4_096, input.len()] {
        let mut stream = engine.stream();
        let mut out = Vec::new();
        for piece in input.as_bytes().chunks(size) {
            stream.push(piece, &mut out).expect("text");
        }
        stream.finish(&mut out).expect("text");
        assert!(text(&out) == whole, "pieces of {size}");
    }
}

/// A character of four bytes that is cut by a read is whole in the output.
#[test]
fn b44_a_character_may_be_cut() {
    let home = Home::new();
    let input = "😀é電話+31612345678😀\n";
    for cut in 0..input.len() {
        let mut command = home.nymize::<&str>(&[]);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("a child");
        let mut stdin = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut stdin, &input.as_bytes()[..cut]).expect("taken");
        std::thread::yield_now();
        std::io::Write::write_all(&mut stdin, &input.as_bytes()[cut..]).expect("taken");
        drop(stdin);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(wrote(&output), format!("😀é電話{PHONE}😀\n"), "{cut}");
    }
}

/// Characters of several bytes around a value, touching it and cut in two, are no trouble.
#[test]
fn b45_no_character_is_cut() {
    let engine = engine();
    for around in [
        "é", "電", "😀", "ё", "e\u{301}", "\u{200b}", "\u{feff}", "１",
    ] {
        for value in VALUES {
            for text in [
                format!("{around}{value}{around}"),
                format!("{around} {value} {around}"),
                format!("{value}{around}{value}"),
            ] {
                let out = engine.filter(&text);
                for finding in engine.find(&text) {
                    assert!(text.get(finding.range()).is_some(), "{text}");
                }
                assert_eq!(engine.filter(&out), out, "{text}");
                // Cut anywhere, in the middle of characters too.
                for cut in 0..text.len() {
                    let (head, tail) = text.as_bytes().split_at(cut);
                    let _ = engine.filter_bytes(head);
                    let _ = engine.near_misses(tail);
                }
            }
        }
    }
}

#[test]
fn b48_a_value_behind_a_byte_order_mark_is_found() {
    let home = Home::new();
    for (input, clean) in [
        ("\u{feff}jan@example.com\n", format!("\u{feff}{EMAIL}\n")),
        ("\u{feff}+31612345678", format!("\u{feff}{PHONE}")),
        (
            "\u{feff}{\"a\":\"jan@example.com\"}",
            format!("\u{feff}{{\"a\":\"{EMAIL}\"}}"),
        ),
        (
            "\u{feff}\u{feff}jan@example.com",
            format!("\u{feff}\u{feff}{EMAIL}"),
        ),
    ] {
        assert_eq!(wrote(&feed(home.nymize::<&str>(&[]), input)), clean);
    }
}

/// Line ends of every sort stay, none is added, and a value may touch them.
#[test]
fn b49_line_ends_stay() {
    for end in [
        "\r\n", "\n", "\r", "\n\r", "\u{2028}", "\u{2029}", "\u{85}", "\u{c}", "\u{b}", "\n\n\n",
        "",
    ] {
        for value in VALUES {
            let mark = mark(value);
            for (text, clean) in [
                (format!("a{end}"), format!("a{end}")),
                (format!("{value}{end}"), format!("{mark}{end}")),
                (format!("{end}{value}"), format!("{end}{mark}")),
                (
                    format!("x{end}{value}{end}y"),
                    format!("x{end}{mark}{end}y"),
                ),
            ] {
                if end.is_empty() && text.starts_with('x') {
                    continue;
                }
                assert_eq!(filtered(&text), clean, "{text:?}");
            }
        }
    }
}

#[test]
fn b50_names_parted_by_nul_are_text() {
    let home = Home::new();
    let input = "./a b\0./jan@example.com\0./+31612345678.vcf\0./x\0";
    let output = feed(home.nymize::<&str>(&[]), input);
    let out = wrote(&output);
    assert_eq!(out.matches('\0').count(), 4);
    assert!(
        out.starts_with("./a b\0./") && out.contains(EMAIL) && out.ends_with("./x\0"),
        "{out:?}"
    );
    assert!(!out.contains("jan@"));
}

#[test]
fn b51_nothing_in_nothing_out() {
    let home = Home::new();
    for name in ["empty", "empty.json", "empty.yaml", "empty.toml"] {
        home.write(name, "");
        let output = run(home.nymize(&[name]));
        assert_eq!(wrote(&output), "");
        assert!(output.stderr.is_empty());
    }
    for args in [
        &[][..],
        &["--format", "json"],
        &["--format", "text"],
        &["scan"],
        &["-o", "out"],
    ] {
        assert_eq!(wrote(&feed(home.nymize(args), "")), "", "{args:?}");
    }
    assert_eq!(home.read("out"), b"");
}

/// Colours stay, and their last letter is no part of a value.
#[test]
fn b52_colours_stay() {
    for value in VALUES {
        let mark = mark(value);
        for (on, off) in [
            ("\u{1b}[31m", "\u{1b}[0m"),
            ("\u{1b}[1;38;5;196m", "\u{1b}[m"),
            ("\u{1b}[K", "\u{1b}[K"),
        ] {
            assert_eq!(
                filtered(&format!("to {on}{value}{off}.")),
                format!("to {on}{mark}{off}.")
            );
            let escaped = |text: &str| text.replace('\u{1b}', "\\u001b");
            let document = format!("{{\"log\":\"{}{value}{}\"}}", escaped(on), escaped(off));
            assert_eq!(
                filtered(&document),
                document.replace(value, &mark),
                "{document}"
            );
        }
    }
}
