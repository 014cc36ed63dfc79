//! The program as people use it: in pipes, on files, with what goes wrong there.

mod cmd;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use cmd::{EMAIL, Home, PHONE, failed, feed, run, text, wrote};

const MAIL: &str = "mail jan@example.com\n";

fn clean() -> String {
    format!("mail {EMAIL}\n")
}

/// UTF-16 with the lower byte first.
fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn big_endian(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

mod filter {
    use super::*;

    #[test]
    fn replaces_on_stdin() {
        let home = Home::new();
        let input = "email jan@example.com or call +31 6 1234 5678\n";
        let output = feed(home.nymize::<&str>(&[]), input);
        assert_eq!(wrote(&output), format!("email {EMAIL} or call {PHONE}\n"));
        assert!(output.stderr.is_empty(), "stderr is no terminal");
        let again = feed(home.nymize::<&str>(&[]), &output.stdout);
        assert_eq!(again.stdout, output.stdout);
    }

    #[test]
    fn many_threads_write_the_same() {
        let home = Home::new();
        let line = "mail jan@example.com or call +31 6 1234 5678, é\n";
        let texts = [
            ("a.log", line.repeat(70_000)),
            ("b.txt", "one line".to_owned()),
            (
                "c.json",
                format!("[\n{}]", "\"jan@example.com\",\n".repeat(3)) + "\n",
            ),
            ("d.txt", String::new()),
        ];
        let paths: Vec<_> = texts.iter().map(|(name, _)| home.path(name)).collect();
        for (path, (_, text)) in paths.iter().zip(&texts) {
            fs::write(path, text).expect("a file");
        }
        let with = |jobs: &str| {
            let mut command = home.nymize(&["-v", "-j", jobs]);
            command.args(&paths);
            run(command)
        };
        let one = with("1");
        assert_eq!(one.status.code(), Some(0));
        assert_eq!(text(&one.stdout).matches(PHONE).count(), 70_000);
        for jobs in ["2", "3"] {
            let many = with(jobs);
            assert!(many.stdout == one.stdout, "{jobs}");
            let said = text(&many.stderr);
            assert!(said.contains("c.json: not read line by line"), "{said}");
        }
    }

    #[test]
    fn jobs_of_the_filter_are_not_those_of_a_command() {
        let home = Home::new();
        let output = run(home.nymize(&["-j", "2", "scan", "."]));
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(run(home.nymize(&["-j", "0"])).status.code(), Some(2));
    }

    #[test]
    fn every_other_byte_goes_through() {
        let home = Home::new();
        let inputs: [&[u8]; 9] = [
            b"",
            b"\n",
            b"no newline at the end",
            b"a\r\nb\rc\n\n\x0c\x0b\x1b[31mred\x1b[0m\n",
            b"\xef\xbb\xbfafter a byte order mark\n",
            b"ab\0cd\0\0e",
            b"\xff\xfa latin-1 \xe9\xe8 and \xed\xa0\x80 and cut \xf0\x9f\x98",
            "\u{2028}\u{85}é😀".as_bytes(),
            b"BZh9 PK %PDF SQLite [[EMAIL_6c1f0a9e]]",
        ];
        for input in inputs {
            let output = feed(home.nymize::<&str>(&[]), input);
            assert_eq!(output.stdout, input);
            assert_eq!(output.status.code(), Some(0));
            let with_value = [input, b"\njan@example.com"].concat();
            let expected = [input, b"\n", EMAIL.as_bytes()].concat();
            assert_eq!(feed(home.nymize::<&str>(&[]), with_value).stdout, expected);
        }
    }

    #[test]
    fn stats_tell_counts_and_nothing_else() {
        let home = Home::new();
        let input = "jan@example.com +31 6 1234 5678\n";
        for (args, input, said) in [
            (
                &["--stats"][..],
                input,
                "nymize: replaced 2 (1 EMAIL, 1 PHONE)\n",
            ),
            (&["--stats"], "nothing\n", "nymize: replaced 0\n"),
            (
                &["--stats", "-q"],
                input,
                "nymize: replaced 2 (1 EMAIL, 1 PHONE)\n",
            ),
            (
                &["--stats", "--types", "phone"],
                input,
                "nymize: replaced 1 (1 PHONE)\n",
            ),
            (&["-q"], input, ""),
        ] {
            let output = feed(home.nymize(args), input);
            wrote(&output);
            assert_eq!(text(&output.stderr), said);
        }
    }

    #[test]
    fn stats_count_all_inputs() {
        let home = Home::new();
        home.write("a", MAIL);
        home.write("b", MAIL);
        let output = run(home.nymize(&["--stats", "a", "b"]));
        assert_eq!(text(&output.stderr), "nymize: replaced 2 (2 EMAIL)\n");
    }

    #[test]
    fn files_come_one_after_the_other() {
        let home = Home::new();
        home.write("a", "a jan@example.com");
        home.write("c", "c\n");
        let output = feed(home.nymize(&["a", "-", "c"]), MAIL);
        assert_eq!(wrote(&output), format!("a {EMAIL}mail {EMAIL}\nc\n"));
    }

    #[test]
    fn all_files_are_opened_before_anything_is_written() {
        let home = Home::new();
        home.write("a", MAIL);
        fs::create_dir(home.path("folder")).expect("a folder");
        failed(&run(home.nymize(&["a", "none"])), &["none"]);
        failed(&run(home.nymize(&["a", "folder"])), &["folder"]);
    }

    #[test]
    fn a_command_wins_over_a_file() {
        let home = Home::new();
        home.write("scan", MAIL);
        for args in [&["--", "scan"][..], &["./scan"]] {
            assert_eq!(wrote(&run(home.nymize(args))), clean());
        }
        let output = feed(home.nymize(&["scan"]), "nothing\n");
        assert_eq!(wrote(&output), "");
        failed(
            &run(home.nymize(&["-o", "x", "scan", "scan"])),
            &["--output"],
        );
        assert!(!home.path("x").exists());
    }

    #[test]
    fn types_regions_scope_and_length() {
        let home = Home::new();
        let input = "jan@example.com +31612345678 06-12345678";
        let filtered = |args: &[&str]| {
            let output = feed(home.nymize(args), input);
            wrote(&output).to_owned()
        };
        assert_eq!(
            filtered(&["--types", "EMAIL"]),
            format!("{EMAIL} +31612345678 06-12345678")
        );
        assert_eq!(
            filtered(&["--types", "EMAIL", "--types", "phone,IP"]),
            format!("{EMAIL} {PHONE} 06-12345678")
        );
        assert_eq!(
            filtered(&["--skip-types", "EMAIL", "--region", "nl"]),
            format!("jan@example.com {PHONE} {PHONE}")
        );
        assert_eq!(
            filtered(&["--types=EMAIL", "--hash-length=16"]),
            "[[EMAIL_3cdd8ba820bd7850]] +31612345678 06-12345678"
        );
        assert_eq!(
            filtered(&["--types=EMAIL", "--scope=tenant-1"]),
            "[[EMAIL_6e6b243c]] +31612345678 06-12345678"
        );
        assert_eq!(filtered(&["--scope="]), filtered(&[]));
    }

    #[test]
    fn wrong_options_name_the_near_ones() {
        let home = Home::new();
        for (args, said) in [
            (&["--types", "EMIAL"][..], "EMAIL"),
            (&["--types", ""], "--types"),
            (&["--types", "EMAIL,,IP"], "--types"),
            (&["--skip-types", ","], "--skip-types"),
            (&["--region", ""], "--region"),
            (&["--region", "XX"], "XX"),
            (&["--types", "IP", "--skip-types", "IP"], "no type"),
            (&["--hash-length", "7"], "hash length 7"),
            (&["--hash-length", "many"], "--hash-length"),
            (&["--hash-lenght", "8"], "--hash-length"),
            (&["--pipe"], "--pipe"),
            (&["scan", "--jsn"], "--json"),
            (&["key"], "fingerprint"),
        ] {
            failed(&feed(home.nymize(args), MAIL), &[said]);
        }
    }
}

mod output_file {
    use super::*;

    #[test]
    fn appears_whole() {
        let home = Home::new();
        home.write("in", MAIL);
        let output = run(home.nymize(&["in", "-o", "out"]));
        assert_eq!(wrote(&output), "");
        assert_eq!(text(&home.read("out")), clean());
        let names = fs::read_dir(home.path("")).expect("a folder").count();
        assert_eq!(names, 2, "no temporary file is left");
        // Replaced, through stdin too.
        wrote(&feed(home.nymize(&["--output=out"]), "new\n"));
        assert_eq!(home.read("out"), b"new\n");
    }

    #[test]
    fn appears_not_at_all_after_a_failure() {
        let home = Home::new();
        home.write("in", MAIL);
        home.write("packed", b"\x1f\x8b\x08rest");
        home.write("there", "as it was");
        for out in ["out", "there"] {
            failed(&run(home.nymize(&["in", "packed", "-o", out])), &["packed"]);
            failed(&run(home.nymize(&["in", "none", "-o", out])), &["none"]);
        }
        assert!(!home.path("out").exists());
        assert_eq!(home.read("there"), b"as it was");
        assert_eq!(fs::read_dir(home.path("")).expect("a folder").count(), 3);
        failed(
            &run(home.nymize(&["in", "-o", "no/such/folder"])),
            &["no/such/folder"],
        );
    }

    #[test]
    fn dash_is_stdout() {
        let home = Home::new();
        assert_eq!(wrote(&feed(home.nymize(&["-o", "-"]), MAIL)), clean());
    }

    #[cfg(unix)]
    #[test]
    fn an_input_is_refused() {
        let home = Home::new();
        let input = home.write("in", MAIL);
        fs::hard_link(&input, home.path("hard")).expect("a link");
        std::os::unix::fs::symlink("in", home.path("soft")).expect("a link");
        for out in ["in", "./in", "hard", "soft"] {
            failed(
                &run(home.nymize(&["in", "-o", out])),
                &["cannot be the input"],
            );
        }
        let mut command = home.nymize(&["-o", "in"]);
        command.stdin(File::open(&input).expect("a file"));
        failed(&run(command), &["cannot be the input"]);
        let mut command = home.nymize(&["in"]);
        command.stdout(File::options().append(true).open(&input).expect("a file"));
        failed(&run(command), &["cannot be the input"]);
        assert_eq!(text(&home.read("in")), MAIL);
    }

    #[cfg(unix)]
    #[test]
    fn keeps_mode_and_links() {
        use std::os::unix::fs::PermissionsExt;
        let home = Home::new();
        let mode = |name: &str| {
            let metadata = fs::metadata(home.path(name)).expect("metadata");
            metadata.permissions().mode() & 0o777
        };
        let target = home.write("target", "old");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).expect("a mode");
        std::os::unix::fs::symlink("target", home.path("link")).expect("a link");
        wrote(&feed(home.nymize(&["-o", "link"]), MAIL));
        assert!(home.path("link").is_symlink());
        assert_eq!(text(&home.read("target")), clean());
        assert_eq!(mode("target"), 0o640);
        fs::set_permissions(&target, fs::Permissions::from_mode(0o440)).expect("a mode");
        failed(&feed(home.nymize(&["-o", "target"]), "new"), &["read-only"]);

        wrote(&feed(home.nymize(&["-o", "new"]), MAIL));
        let plain = home.write("plain", "");
        let expected = fs::metadata(plain).expect("metadata").permissions().mode() & 0o777;
        assert_eq!(mode("new"), expected, "as the umask has it");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        let home = Home::new();
        wrote(&feed(home.nymize(&["-o", "/dev/null"]), MAIL));
        let kind = fs::metadata("/dev/null").expect("metadata").file_type();
        assert!(kind.is_char_device());
    }
}

mod encodings {
    use super::*;

    #[test]
    fn utf_16_comes_back_as_utf_16() {
        let home = Home::new();
        let before = "é😀 mail jan@example.com\r\nand 電話+31612345678\n";
        let after = format!("é😀 mail {EMAIL}\r\nand 電話{PHONE}\n");
        let marked = |text: &str| format!("\u{feff}{text}");
        for encode in [utf16, big_endian] {
            let output = feed(home.nymize::<&str>(&[]), encode(&marked(before)));
            assert_eq!(output.stdout, encode(&marked(&after)));
            assert_eq!(output.status.code(), Some(0));
            // Without a mark: by its first two characters.
            let output = feed(home.nymize::<&str>(&[]), encode(MAIL));
            assert_eq!(output.stdout, encode(&clean()));
        }
    }

    #[test]
    fn utf_16_with_lone_surrogates_comes_back_as_it_was() {
        let home = Home::new();
        let lone = [b"\xff\xfe", &[0x3d, 0xd8, 0x41, 0, 0, 0xdc][..]].concat();
        let tail = utf16(&format!(" {MAIL}"));
        let output = feed(home.nymize::<&str>(&[]), [&lone[..], &tail].concat());
        let tail = utf16(&format!(" {}", clean()));
        assert_eq!(output.stdout, [&lone[..], &tail].concat());
    }

    #[test]
    fn long_utf_16_is_cut_anywhere() {
        let home = Home::new();
        let line = "a😀é mail jan@example.com, ";
        let input = format!("\u{feff}{}", line.repeat(20_000));
        let expected = input.replace("jan@example.com", EMAIL);
        let output = feed(home.nymize::<&str>(&[]), utf16(&input));
        assert!(output.stdout == utf16(&expected));
    }

    #[test]
    fn what_would_pass_as_clean_is_refused() {
        let home = Home::new();
        let odd = [&utf16("\u{feff}mail jan@example.com")[..], b"\n"].concat();
        let utf32 = |to: fn(u32) -> [u8; 4], text: &str| -> Vec<u8> {
            text.chars().flat_map(|c| to(u32::from(c))).collect()
        };
        let inputs: Vec<Vec<u8>> = vec![
            odd,
            big_endian("mail")[..7].to_vec(),
            utf32(u32::to_le_bytes, "\u{feff}jan@example.com"),
            utf32(u32::to_be_bytes, "\u{feff}jan@example.com"),
            utf32(u32::to_le_bytes, "jan@example.com"),
            utf32(u32::to_be_bytes, "jan@example.com"),
            b"\x1f\x8b\x08\0".to_vec(),
            b"PK\x03\x04\x14\0".to_vec(),
            b"\x28\xb5\x2f\xfd\x04".to_vec(),
            b"\xfd7zXZ\0\0".to_vec(),
            b"BZh91AY&SY\0".to_vec(),
            b"%PDF-1.7\n".to_vec(),
            b"\x89PNG\r\n\x1a\n".to_vec(),
            b"\xff\xd8\xff\xe0\0".to_vec(),
            b"SQLite format 3\0\x10".to_vec(),
        ];
        for input in inputs {
            home.write("file", &input);
            failed(&feed(home.nymize::<&str>(&[]), &input), &["stdin"]);
            failed(&run(home.nymize(&["file"])), &["file"]);
            failed(&run(home.nymize(&["scan", "file"])), &["file"]);
            failed(&run(home.nymize(&["inspect", "file"])), &["file"]);
        }
    }
}

mod scan {
    use super::*;

    #[test]
    fn says_where_and_ends_with_1() {
        let home = Home::new();
        home.write(
            "notes.txt",
            "one\né: jan@example.com, jan@example.com\n+31612345678",
        );
        let output = run(home.nymize(&["scan", "notes.txt"]));
        assert_eq!(
            text(&output.stdout),
            format!(
                "notes.txt:2:4 EMAIL {EMAIL}\nnotes.txt:2:21 EMAIL {EMAIL}\n\
                 notes.txt:3:1 PHONE {PHONE}\n"
            )
        );
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stderr.is_empty());
        assert_eq!(wrote(&feed(home.nymize(&["scan"]), "nothing\n")), "");
        let output = feed(home.nymize(&["scan", "-"]), MAIL);
        assert_eq!(text(&output.stdout), format!("<stdin>:1:6 EMAIL {EMAIL}\n"));
    }

    #[test]
    fn json_is_the_documented_record() {
        let home = Home::new();
        home.write("a \"b\"", "é\n jan@example.com");
        let output = run(home.nymize(&["scan", "--json", "a \"b\""]));
        let line = format!(
            "{{\"path\":\"a \\\"b\\\"\",\"line\":2,\"column\":2,\"start\":4,\"end\":19,\
             \"type\":\"EMAIL\",\"placeholder\":\"{EMAIL}\"}}\n"
        );
        assert_eq!(text(&output.stdout), line);
        assert_eq!(output.status.code(), Some(1));
        let output = feed(home.nymize(&["scan", "--json", "--show-values"]), MAIL);
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(record["path"], serde_json::Value::Null);
        assert_eq!(record["value"], "jan@example.com");
    }

    #[test]
    fn places_hold_over_many_blocks() {
        let home = Home::new();
        let filler = "é and nothing more in this line\n".repeat(12_345);
        let input = format!("{filler}{} jan@example.com\n", "x".repeat(300_000));
        let output = feed(home.nymize(&["scan", "--json"]), &input);
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(record["line"], 12_346);
        assert_eq!(record["column"], 300_002);
        let start = input.find("jan@").expect("the value");
        assert_eq!(record["start"], start);
        assert_eq!(record["end"], start + 15);
    }

    #[test]
    fn offsets_into_utf_16_are_of_the_raw_input() {
        let home = Home::new();
        let input = utf16("\u{feff}é😀\n😀 jan@example.com\n");
        let output = feed(home.nymize(&["scan", "--json"]), &input);
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&record["line"], &record["column"]), (&2.into(), &3.into()));
        let (start, end) = (record["start"].as_u64(), record["end"].as_u64());
        let range = start.expect("a number") as usize..end.expect("a number") as usize;
        assert_eq!(input[range], utf16("jan@example.com"));
    }

    #[test]
    fn goes_on_after_what_cannot_be_read_and_ends_with_2() {
        let home = Home::new();
        home.write("a", MAIL);
        home.write("packed", b"\x1f\x8b\x08");
        let output = run(home.nymize(&["scan", "none", "packed", "a"]));
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stdout), format!("a:1:6 EMAIL {EMAIL}\n"));
        for name in ["none", "packed"] {
            assert!(text(&output.stderr).contains(name), "{name}");
        }
    }

    #[test]
    fn values_show_only_when_asked_for() {
        let home = Home::new();
        let output = feed(home.nymize(&["scan", "-v", "--stats"]), MAIL);
        let said = [&output.stdout[..], &output.stderr].concat();
        assert!(!text(&said).contains("jan@"), "{}", text(&said));
        assert!(text(&output.stderr).contains("nymize: found 1 (1 EMAIL)\n"));
        let output = feed(home.nymize(&["scan", "--show-values"]), MAIL);
        assert!(text(&output.stdout).ends_with(" jan@example.com\n"));
    }
}

mod others {
    use super::*;

    #[test]
    fn inspect_shows_what_becomes_of_a_json_number() {
        let home = Home::new();
        let output = feed(
            home.nymize(&["inspect"]),
            "{\"card\":4111111111111111,\"n\":1}",
        );
        let shown = wrote(&output);
        let sent = "{\"card\":\"[[CARD_";
        assert!(
            shown.contains(sent) && shown.contains("]]\",\"n\":1}"),
            "{shown}"
        );
    }

    #[test]
    fn inspect_tells_why_a_near_miss_was_refused() {
        let home = Home::new();
        let input = "jan@example.com\ncard 4111 1111 1111 1112, host 127.0.0.1\n";
        let output = feed(home.nymize(&["inspect"]), input);
        let shown = wrote(&output);
        for line in [
            "│ 2:6 CARD: wrong check digits",
            "│ 2:32 IP: left alone, as it identifies nobody",
        ] {
            assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
        }
        let output = feed(home.nymize(&["inspect"]), "NL91 ABNA 0417 1643 01");
        assert_eq!(
            wrote(&output),
            "No sensitive identifiers detected in the input.\n"
        );
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("refused: 1:1 IBAN: wrong check digits"),
            "{said}"
        );
        assert!(!said.contains("ABNA"), "{said}");
    }

    #[test]
    fn inspect_shows_text_result_and_list() {
        let home = Home::new();
        let input = "to jan@example.com\x1b[2J\ncc Jan@Example.com, jan@example.com";
        let output = feed(home.nymize(&["inspect"]), input);
        let shown = wrote(&output);
        for line in [
            "│ to jan@example.com␛[2J".to_owned(),
            format!("│ to {EMAIL}␛[2J"),
            format!("│ cc {EMAIL}, {EMAIL}"),
            format!("│ 1. {EMAIL} ← jan@example.com"),
            format!("│ 2. {EMAIL} ← Jan@Example.com"),
        ] {
            assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
        }
        assert!(!shown.contains("3. ") && !shown.contains('\x1b'));
        let colored = feed(home.nymize(&["inspect", "--color=always"]), input);
        assert!(wrote(&colored).contains("\x1b[1;31mjan@example.com\x1b[0m"));
        home.write("file", MAIL);
        assert!(wrote(&run(home.nymize(&["inspect", "file"]))).contains(EMAIL));
    }

    #[test]
    fn inspect_shows_the_quotes_that_yaml_needs() {
        let home = Home::new();
        home.write("a.yaml", "to: [it's jan@example.com, x]\n");
        let shown = run(home.nymize(&["inspect", "a.yaml"]));
        let line = format!("│ to: ['it''s {EMAIL}', x]");
        assert!(
            wrote(&shown).lines().any(|shown| shown == line),
            "{}",
            wrote(&shown)
        );
        home.write("a.json", "[\"jan@example.com\"");
        failed(
            &run(home.nymize(&["inspect", "a.json", "--format=json"])),
            &["a.json: not JSON"],
        );
    }

    /// What is shown is held as a whole, and takes linear time.
    #[test]
    fn inspect_has_a_bound() {
        let home = Home::new();
        let line = "host 127.0.0.1 is this one, whoever asks\n";
        let lines = 1024 * 1024 / line.len() - 1;
        let input = line.repeat(lines) + "jan@example.com";
        let output = feed(home.nymize(&["inspect"]), &input);
        let last = format!("│ {lines}:6 IP: left alone, as it identifies nobody");
        assert!(wrote(&output).contains(&last));
        let output = feed(home.nymize(&["inspect"]), input + line);
        failed(
            &output,
            &[
                "stdin: longer than the 1 MiB that can be shown",
                "nymize scan",
            ],
        );
    }

    #[test]
    fn inspect_says_that_there_is_nothing() {
        let home = Home::new();
        for input in ["", "nothing here\n"] {
            let output = feed(home.nymize(&["inspect"]), input);
            let said = "No sensitive identifiers detected in the input.\n";
            assert_eq!(wrote(&output), said);
        }
    }

    #[test]
    fn detectors_are_listed_without_a_key() {
        let home = Home::new();
        let output = run(home.bare(&["detectors", "--skip-types", "IP"]));
        let lines: Vec<Vec<&str>> = wrote(&output)
            .lines()
            .map(|line| line.split_whitespace().take(3).collect())
            .collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], ["EMAIL", "built-in", "on"]);
        assert_eq!(lines[4], ["IP", "built-in", "off"]);
        assert!(!home.path(".local").exists());
    }

    #[test]
    fn help_and_version() {
        let home = Home::new();
        let help = run(home.bare(&["--help"]));
        for said in [
            "Usage:",
            "Examples:",
            "NYMIZE_KEY_FILE",
            "inspect",
            "--region",
        ] {
            assert!(wrote(&help).contains(said), "{said}");
        }
        let version = concat!("nymize ", env!("CARGO_PKG_VERSION"), "\n");
        assert_eq!(wrote(&run(home.bare(&["--version"]))), version);
    }
}

mod pipes {
    use super::*;

    /// A producer that waits after each line gets it at once, from the first on.
    #[test]
    fn each_line_comes_at_once() {
        let home = Home::new();
        let mut command = home.nymize::<&str>(&[]);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("a child");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        for (line, expected) in [
            ("a\n", "a\n".to_owned()),
            (MAIL, clean()),
            ("\n", "\n".to_owned()),
            ("P\n", "P\n".to_owned()),
            ("call +31612345678\r\n", format!("call {PHONE}\r\n")),
        ] {
            stdin.write_all(line.as_bytes()).expect("a line is taken");
            let mut shown = String::new();
            lines.read_line(&mut shown).expect("a line comes");
            assert_eq!(shown, expected);
        }
        // A value that is cut is held until it is whole.
        stdin.write_all(b"jan@exam").expect("a piece is taken");
        std::thread::sleep(std::time::Duration::from_millis(50));
        stdin.write_all(b"ple.com").expect("a piece is taken");
        drop(stdin);
        let mut rest = String::new();
        lines.read_to_string(&mut rest).expect("the rest comes");
        assert_eq!(rest, EMAIL);
        assert!(child.wait().expect("an end").success());
    }

    #[test]
    fn each_finding_of_a_scan_comes_at_once() {
        let home = Home::new();
        let mut command = home.nymize(&["scan"]);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("a child");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        for line in 1..4 {
            stdin.write_all(MAIL.as_bytes()).expect("a line is taken");
            let mut shown = String::new();
            lines.read_line(&mut shown).expect("a line comes");
            assert_eq!(shown, format!("<stdin>:{line}:6 EMAIL {EMAIL}\n"));
        }
        drop(stdin);
        assert_eq!(child.wait().expect("an end").code(), Some(1));
    }

    #[test]
    fn a_reader_that_goes_away_ends_it_quietly() {
        let home = Home::new();
        let big = home.write("big", MAIL.repeat(100_000));
        for (args, status) in [(&["big"][..], 0), (&["scan", "big"], 1)] {
            let mut child = home.nymize(args).spawn().expect("a child");
            let mut stdout = child.stdout.take().expect("a pipe");
            stdout.read_exact(&mut [0; 10]).expect("some output");
            drop(stdout);
            let output = child.wait_with_output().expect("an end");
            assert_eq!(text(&output.stderr), "");
            assert_eq!(output.status.code(), Some(status));
        }
        // And where it was gone from the start.
        for args in [&["--help"][..], &["detectors"], &["big"]] {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            let mut command = home.nymize(args);
            command.stdout(writer);
            let output = run(command);
            assert_eq!(text(&output.stderr), "", "{args:?}");
        }
        fs::remove_file(big).expect("removed");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let home = Home::new();
        home.write("in", MAIL);
        home.write("big", MAIL.repeat(50_000));
        for args in [
            &["in"][..],
            &["big"],
            &["scan", "in"],
            &["inspect", "in"],
            &["detectors"],
            &["key", "fingerprint"],
            &["in", "-o", "/dev/full"],
        ] {
            let full = File::options().write(true).open("/dev/full");
            let mut command = home.nymize(args);
            command.stdout(full.expect("/dev/full"));
            let output = run(command);
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            let said = text(&output.stderr);
            assert!(
                said.contains("cannot write") && !said.contains("jan@"),
                "{said}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_input_that_cannot_be_read_is_an_error() {
        let home = Home::new();
        for args in [&["-"][..], &["scan"], &["inspect"]] {
            let mut command = home.nymize(args);
            command.stdin(File::open(home.path("")).expect("a folder opens"));
            failed(&run(command), &["cannot read"]);
        }
    }

    #[test]
    fn long_inputs_go_through_whole() {
        let home = Home::new();
        let line = "some words and jan@example.com and +31 6 1234 5678, again ";
        let endless = line.repeat(30_000);
        let expected = endless
            .replace("jan@example.com", EMAIL)
            .replace("+31 6 1234 5678", PHONE);
        let output = feed(home.nymize::<&str>(&[]), &endless);
        assert!(wrote(&output) == expected);
    }
}

mod formats {
    use super::*;

    const BODY: &str = "{\"card\":4111111111111111,\"a\":\"x\\njan@example.com\"}\n";

    #[test]
    fn stdin_that_begins_like_json_is_json() {
        let home = Home::new();
        let shown = said_by(&feed(home.nymize::<&str>(&[]), BODY));
        let value: serde_json::Value = serde_json::from_str(&shown).expect("JSON stays JSON");
        assert_eq!(value["a"], format!("x\n{EMAIL}"));
        assert!(
            value["card"]
                .as_str()
                .is_some_and(|card| card.starts_with("[[CARD_"))
        );
        let kept = said_by(&feed(home.nymize(&["--json-numbers", "keep"]), BODY));
        assert!(kept.starts_with("{\"card\":4111111111111111,"));
        let text = said_by(&feed(home.nymize(&["--format", "text"]), BODY));
        assert!(text.starts_with("{\"card\":[[CARD_"));
    }

    #[test]
    fn a_file_is_json_when_its_name_says_so() {
        let home = Home::new();
        home.write("body.json", BODY);
        home.write("body.txt", BODY);
        let json = said_by(&feed(home.nymize(&["body.json"]), ""));
        assert!(json.starts_with("{\"card\":\"[[CARD_"), "{json}");
        let text = said_by(&feed(home.nymize(&["body.txt"]), ""));
        assert!(text.starts_with("{\"card\":[[CARD_"), "{text}");
        let asked = said_by(&feed(home.nymize(&["--format=json", "body.txt"]), ""));
        assert_eq!(asked, json);
    }

    #[test]
    fn what_must_be_json_and_is_none_is_an_error_that_quotes_nothing() {
        let home = Home::new();
        let output = feed(
            home.nymize(&["--format", "json"]),
            "{\"a\":1}\n{\"b\": jan@example.com}\n",
        );
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("stdin: not JSON: line 2, column 7"), "{said}");
        assert!(
            !said.contains("jan") && !said_by(&output).contains("jan"),
            "{said}"
        );
    }

    #[test]
    fn request_bodies_keep_what_the_provider_made() {
        let home = Home::new();
        let body = "{\"model\":\"m\",\"max_tokens\":1,\"messages\":[{\"role\":\"assistant\",\"content\":[\
                    {\"type\":\"thinking\",\"thinking\":\"ask jan@example.com\",\"signature\":\"c2ln\"},\
                    {\"type\":\"text\",\"text\":\"ask jan@example.com\"}]}]}";
        let auto = said_by(&feed(home.nymize::<&str>(&[]), body));
        assert!(
            auto.contains("\"thinking\":\"ask jan@example.com\""),
            "{auto}"
        );
        assert!(
            auto.contains(&format!("\"text\":\"ask {EMAIL}\"")),
            "{auto}"
        );
        let none = said_by(&feed(home.nymize(&["--api", "none"]), body));
        assert!(!none.contains("jan@"), "{none}");
    }

    #[test]
    fn a_text_in_base64_is_told_of() {
        let home = Home::new();
        // "Mail jan@example.com"
        let body = "{\"model\":\"m\",\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":[\
                    {\"type\":\"document\",\"source\":{\"type\":\"base64\",\"media_type\":\"text/plain\",\
                    \"data\":\"TWFpbCBqYW5AZXhhbXBsZS5jb20=\"}}]}]}";
        let output = feed(home.nymize::<&str>(&[]), body);
        assert_eq!(said_by(&output), body);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("base64") && said.contains("1 EMAIL"),
            "{said}"
        );
    }

    #[test]
    fn scan_finds_what_the_filter_replaces_in_a_file_of_json() {
        let home = Home::new();
        home.write(
            "body.json",
            "{\n \"card\": 4111111111111111,\n \"n\": 20150155012345\n}\n",
        );
        let output = feed(home.nymize(&["scan", "body.json"]), "");
        assert!(
            said_by(&output).starts_with("body.json:2:10 CARD "),
            "{}",
            said_by(&output)
        );
    }

    /// What went to stdout, whatever the status.
    fn said_by(output: &std::process::Output) -> String {
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
