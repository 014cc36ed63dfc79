//! The tables of EMAIL, and its properties.

use proptest::prelude::*;

use super::*;

/// A text, and the addresses in it: as they stand there.
const ACCEPT: &[(&str, &[&str])] = &[
    // Grammar.
    ("a@x.com", &["a@x.com"]),
    (
        "first.last+tag@sub-domain.noordwind.co.uk",
        &["first.last+tag@sub-domain.noordwind.co.uk"],
    ),
    ("o'neill@noordwind.ie wrote", &["o'neill@noordwind.ie"]),
    (
        "user%noordwind.nl@relay.example",
        &["user%noordwind.nl@relay.example"],
    ),
    ("_jan@noordwind.nl", &["_jan@noordwind.nl"]),
    (
        "+31612345678@sms.noordwind.nl",
        &["+31612345678@sms.noordwind.nl"],
    ),
    (
        "jan_x.nl#EXT#@noordwind.onmicrosoft.com",
        &["jan_x.nl#EXT#@noordwind.onmicrosoft.com"],
    ),
    (
        r#"to "jan de vries"@noordwind.nl."#,
        &[r#""jan de vries"@noordwind.nl"#],
    ),
    (
        r#"to "jan \"de\" vries"@noordwind.nl."#,
        &[r#""jan \"de\" vries"@noordwind.nl"#],
    ),
    (
        r#"to jan."de vries"@noordwind.nl."#,
        &[r#"jan."de vries"@noordwind.nl"#],
    ),
    (
        r#"to "jan@x.nl"@noordwind.nl."#,
        &[r#""jan@x.nl"@noordwind.nl"#],
    ),
    (
        r#"{"t":""jan de vries"@noordwind.nl"}"#,
        &[r#""jan de vries"@noordwind.nl"#],
    ),
    // Top levels: public, private, internationalised.
    ("jan@noordwind.amsterdam", &["jan@noordwind.amsterdam"]),
    (
        "jan@mail.internal jan@nas.lan",
        &["jan@mail.internal", "jan@nas.lan"],
    ),
    ("jan@xn--e1afmkfd.xn--p1ai", &["jan@xn--e1afmkfd.xn--p1ai"]),
    ("анна@почта.рф", &["анна@почта.рф"]),
    (
        "info@bäcker.vermögensberatung",
        &["info@bäcker.vermögensberatung"],
    ),
    ("राम@मोहन.ईन्फो", &["राम@मोहन.ईन्फो"]),
    ("jo@i❤.ws", &["jo@i❤.ws"]),
    // What stands left.
    ("\u{feff}jan@x.nl", &["jan@x.nl"]),
    ("+jan@x.nl", &["jan@x.nl"]),
    ("-jan@x.nl", &["jan@x.nl"]),
    ("cc +jan@x.nl", &["jan@x.nl"]),
    ("...jan@x.nl and wait..jan@x.nl", &["jan@x.nl", "jan@x.nl"]),
    ("(a)jan@x.nl", &["jan@x.nl"]),
    (
        "'jan@x.nl' b'jan@x.nl' f'piet@x.nl'",
        &["jan@x.nl", "jan@x.nl", "piet@x.nl"],
    ),
    ("'o'neill@x.ie'", &["o'neill@x.ie"]),
    (
        "_jan@x.nl_ __jan@x.nl__ **jan@x.nl** ~~jan@x.nl~~",
        &["jan@x.nl"; 4],
    ),
    ("nick!~jan@irc.x.nl", &["jan@irc.x.nl"]),
    ("o’neill@x.ie ‘jan@x.nl’", &["o’neill@x.ie", "jan@x.nl"]),
    (
        r"C:\mail\jan@x.nl NOORDWIND\jan@x.nl",
        &["jan@x.nl", "jan@x.nl"],
    ),
    ("\u{1}jan@x.nl\u{1}", &["jan@x.nl"]),
    ("📧jan@x.nl📧", &["jan@x.nl"]),
    // Keys and return paths.
    ("mail=jan@x.nl&cc=piet@x.nl", &["jan@x.nl", "piet@x.nl"]),
    ("--author-mail=jan.nl@x.nl", &["jan.nl@x.nl"]),
    ("a=b='jan@x.nl'", &["jan@x.nl"]),
    (
        "to=bounce+jan=x.nl@lists.example.org",
        &["bounce+jan=x.nl@lists.example.org"],
    ),
    (
        "list-return-42-jan=x.nl@lists.example.org",
        &["list-return-42-jan=x.nl@lists.example.org"],
    ),
    (
        "from=SRS0=HHH=TT=x.nl=jan@fwd.example.org",
        &["SRS0=HHH=TT=x.nl=jan@fwd.example.org"],
    ),
    ("prvs=4321abcdef=jan@x.nl", &["prvs=4321abcdef=jan@x.nl"]),
    (
        "jan@x.公司名.cn jan@x.co端ller.com",
        &["jan@x.公司名.cn", "jan@x.co端ller.com"],
    ),
    // What stands right.
    (
        "jan@x.nl-piet@y.nl jan@x.nl_piet@y.nl jan@x.nl.piet@y.nl",
        &[
            "jan@x.nl",
            "piet@y.nl",
            "jan@x.nl",
            "piet@y.nl",
            "jan@x.nl",
            "piet@y.nl",
        ],
    ),
    (
        "jan@x.nl. jan@x.nl... jan@x.nl- jan@x.nl's jan@x.nl_old",
        &["jan@x.nl"; 5],
    ),
    (
        "jan@x.nl.Then jan@x.nl.It jan@x.com.pdf jan@x.nl-2024",
        &["jan@x.nl", "jan@x.nl", "jan@x.com", "jan@x.nl"],
    ),
    (
        "jan@x.com-noordwind.nl jan@X.Co.Uk",
        &["jan@x.com-noordwind.nl", "jan@X.Co.Uk"],
    ),
    (
        "anna@x.ru.Спасибо anna@x.ruспасибо",
        &["anna@x.ru", "anna@x.ru"],
    ),
    (
        "jan@x.nl: hi jan@x.nl:s3cret jan@x.nl:pa/ss",
        &["jan@x.nl"; 3],
    ),
    (
        "jan@x.nl? (jan@x.nl) [jan@x.nl] {jan@x.nl} <jan@x.nl> `jan@x.nl`",
        &["jan@x.nl"; 6],
    ),
    (
        "jan@x.nl,jan@x.nl;jan@x.nl|jan@x.nl/jan@x.nl",
        &["jan@x.nl"; 5],
    ),
    // Scripts without word spaces.
    ("请联系jan@x.nl谢谢", &["jan@x.nl"]),
    ("联系我jan@x.nl和piet@x.nl。", &["jan@x.nl", "piet@x.nl"]),
    ("メールはjan@x.jpまで", &["jan@x.jp"]),
    ("이메일은jan@x.kr입니다", &["jan@x.kr"]),
    ("อีเมลjan@x.thครับ", &["jan@x.th"]),
    ("联系123456@qq.com。", &["123456@qq.com"]),
    ("email是jan@x.cn", &["jan@x.cn"]),
    ("张伟@例子.中国", &["张伟@例子.中国"]),
    ("jan@例子.公司谢谢", &["jan@例子.公司"]),
    ("jan@x.nl.谢谢", &["jan@x.nl"]),
    (
        "hans.m端ller@x.com hans@m端ller.com",
        &["hans.m端ller@x.com", "hans@m端ller.com"],
    ),
    (
        "аlice@x.nl jürgen@köln.de",
        &["аlice@x.nl", "jürgen@köln.de"],
    ),
    // URLs and remotes.
    ("https://x.nl/u/jan@x.nl/edit", &["jan@x.nl"]),
    ("https://x.nl:8443/u/jan@x.nl", &["jan@x.nl"]),
    (
        "http://[::1]:80/u/jan@x.nl http://${HOST}:${PORT}/jan@x.nl",
        &["jan@x.nl", "jan@x.nl"],
    ),
    (
        "https://x.nl,jan@x.nl https://x.nl?m=jan@x.nl",
        &["jan@x.nl", "jan@x.nl"],
    ),
    (
        "mailto:jan@x.nl mailto://jan@x.nl sip:jan@x.nl:5060",
        &["jan@x.nl"; 3],
    ),
    ("smtp://jan@x.nl:pw@smtp.x.nl:587", &["jan@x.nl"]),
    ("//jan@x.nl", &["jan@x.nl"]),
    (
        "Mail git@x.eu for access, or git@x.eu: now",
        &["git@x.eu", "git@x.eu"],
    ),
    (
        "jan@127.0.0.1.nip.io jan@163.com jan@v2.io",
        &["jan@127.0.0.1.nip.io", "jan@163.com", "jan@v2.io"],
    ),
];

/// A text with one `@` that is no address, and why.
const REJECT: &[(&str, Reject)] = &[
    ("@x.com", Reject::Shape),
    ("jan@", Reject::Shape),
    ("jan@x", Reject::Shape),
    ("root@localhost", Reject::Shape),
    ("jan@-x.nl", Reject::Shape),
    ("jan@x-.nl", Reject::Shape),
    ("jan@x..nl", Reject::Shape),
    ("jan@[203.0.113.9]", Reject::Shape),
    ("jan.@x.nl", Reject::Shape),
    ("jan @x.nl", Reject::Shape),
    ("{user}@x.nl", Reject::Shape),
    ("*@x.nl", Reject::Shape),
    (r"[\w.+-]+@x.nl", Reject::Shape),
    (r#"["", "@x.nl"]"#, Reject::Boundary),
    (r#""hi!" + name + "@x.nl""#, Reject::Boundary),
    (r#"user="jan" host="@x.nl"#, Reject::Boundary),
    ("pkg@1.2.3", Reject::Registry),
    ("icon@2x.png", Reject::Registry),
    ("jan@x.c", Reject::Registry),
    ("jan@x.comand", Reject::Registry),
    ("go@v0.0.1-go1.26.8.darwin-arm64", Reject::Registry),
    ("this@MainActivity.finish()", Reject::Registry),
    ("jan@203.0.113.9", Reject::Registry),
    ("foo@v2.0.0-beta.dev", Reject::Context),
    ("foo@1.0.dev", Reject::Context),
    ("logo@2x.ai", Reject::Context),
    ("q@k.mT", Reject::Context),
    ("this@Activity.name", Reject::Context),
    ("y.git@main.dev", Reject::Context),
    ("19:abc@thread.skype", Reject::Context),
    ("user%03d@x.nl", Reject::Context),
    ("%(user)s@x.nl", Reject::Context),
    (r"\w+@x.nl", Reject::Context),
    ("git@x.eu:org/repo.git", Reject::Context),
    ("jan@x.nl:org/repo.git", Reject::Context),
    ("scp a.txt jan@x.nl:in/box", Reject::Context),
    ("scp a.txt root@x.nl:/tmp", Reject::Context),
    ("ssh://git@x.eu/org/repo", Reject::Context),
    ("jan@web01.x.nl:~$ ls", Reject::Context),
    ("[jan@web01.x.nl src]$ ls", Reject::Context),
    ("jan@mac.x.nl ~ % ls", Reject::Context),
    ("https://user:pass@x.nl/", Reject::Context),
    ("https://user@x.nl", Reject::Context),
    ("postgres://jan:a/b@db.x.nl:5432/app", Reject::Context),
];

/// A spelling, and the canonical form.
const CANONICAL: &[(&str, &str)] = &[
    (
        "Jan.De-Vries+Tag@Noordwind.NL",
        "jan.de-vries+tag@noordwind.nl",
    ),
    ("JÜRGEN@KÖLN.DE", "jürgen@xn--kln-sna.de"),
    ("ju\u{308}rgen@ko\u{308}ln.de", "jürgen@xn--kln-sna.de"),
    ("strauß@straße.de", "strauß@xn--strae-oqa.de"),
    ("İpek@x.tr", "i\u{307}pek@x.tr"),
    ("ΘΣΕΡ@ΕΧΑΜΠΛΕ.ΨΟΜ", "θσερ@xn--mxahbxey0c.xn--xxaf0a"),
    ("jan@XN--KLN-SNA.de", "jan@xn--kln-sna.de"),
    ("क्\u{200d}ष@x.in", "क्\u{200d}ष@x.in"),
    ("jo@i❤.ws", "jo@xn--i-7iq.ws"),
    ("\"Jan De\"@X.nl", "\"jan de\"@x.nl"),
];

/// Asks the detector at every `@` of every line.
fn ask(text: &str) -> Vec<Result<(&str, String), Reject>> {
    let mut answers = Vec::new();
    for line in text.split_inclusive(['\n', '\r']) {
        for (at, _) in line.match_indices('@') {
            answers.push(verify(line.as_bytes(), at).map(|finding| {
                let canonical = String::from_utf8(finding.canonical().to_vec()).expect("UTF-8");
                (&line[finding.range()], canonical)
            }));
        }
    }
    answers
}

fn verify(text: &[u8], at: usize) -> Result<Finding, Reject> {
    let line_start = true;
    Email.verify(
        &Candidate {
            text,
            at,
            line_start,
        },
        &Options::default(),
    )
}

#[test]
fn accept() {
    for &(text, values) in ACCEPT {
        let found: Vec<_> = ask(text)
            .into_iter()
            .flatten()
            .map(|(value, _)| value)
            .collect();
        assert_eq!(found, values, "{text}");
    }
}

#[test]
fn reject() {
    for &(text, reason) in REJECT {
        let answers = ask(text);
        assert_eq!(answers, [Err(reason)], "{text}");
    }
}

#[test]
fn canonical_forms() {
    for &(text, canonical) in CANONICAL {
        let answers = ask(text);
        assert_eq!(answers, [Ok((text, canonical.to_owned()))], "{text}");
    }
}

#[test]
fn lengths() {
    let local = "a".repeat(64);
    let label = "b".repeat(63);
    let is_whole = |text: &str| ask(text) == [Ok((text, text.to_owned()))];
    assert!(is_whole(&format!("{local}@x.nl")));
    assert_eq!(ask(&format!("{local}a@x.nl")), [Err(Reject::Length)]);
    assert!(is_whole(&format!("a@{label}.nl")));
    assert_eq!(ask(&format!("a@{label}b.nl")), [Err(Reject::Shape)]);
    let host = format!("{label}.{label}.{}.nl", "c".repeat(58));
    assert!(is_whole(&format!("{local}@{host}")), "254 bytes");
    assert_eq!(host.len() + 65, Email.max_len());
    assert_eq!(ask(&format!("{local}@c{host}")), [Err(Reject::Shape)]);
    let host = format!("{label}.{label}.{}.nl", "c".repeat(59));
    assert_eq!(ask(&format!("{local}@{host}")), [Err(Reject::Length)]);
}

#[test]
fn invalid_bytes_are_edges() {
    let text = b"\xffjan@x.nl\xff";
    assert_eq!(verify(text, 4).expect("an address").range(), 1..9);
    let text = b"\xc3jan@x.nl\xc3";
    assert_eq!(verify(text, 4).expect("an address").range(), 1..9);
    assert!(verify(b"jan\xff@x.nl", 4).is_err());
    assert!(verify(b"\xff\"jan\xff\"@x.nl", 7).is_err());
}

proptest! {
    /// Whatever stands around the `@`: no panic, and what is found is one address in bounds.
    #[test]
    fn arbitrary_bytes(
        left in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(b"ab.\"\\='+:/%_-@#".to_vec())], 0..112),
        right in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(b"ab.-comnl:/@\"".to_vec())], 0..320),
        host in prop_oneof![Just(""), Just("x.nl"), Just("例子.公司")],
    ) {
        let at = left.len();
        let text = [&left[..], b"@", host.as_bytes(), &right].concat();
        if let Ok(finding) = verify(&text, at) {
            let range = finding.range();
            prop_assert!(range.start < at && at < range.end && range.end <= text.len());
            prop_assert!(range.len() <= Email.max_len());
            prop_assert!(std::str::from_utf8(&text[range]).is_ok());
        }
    }

    /// An address between edges is found whole, and its canonical form does not depend on case.
    #[test]
    fn planted(
        local in "[a-z][a-z0-9]{0,8}([._+-][a-z0-9]{1,8}){0,3}",
        host in "([a-z][a-z0-9]{0,9}(-[a-z0-9]{1,5})?\\.){0,2}[a-z]{2,10}\\.(nl|com|example|co\\.uk|museum|рф)",
        before in proptest::sample::select(vec!["", " ", "<", "(", "mail=", "\"", "'", ":", ",", "请", "| ", "\u{1}", "> ", "«", "mailto:"]),
        after in proptest::sample::select(vec!["", " ", ">", ")", "\"", "'", ".", ". Then", ",", ";", "谢谢", " |", "\u{1}", "?", "!", "…", "»", "_"]),
    ) {
        prop_assume!(!local.ends_with(".git"));
        prop_assume!(!matches!(&*local, "this" | "super"));
        let value = format!("{local}@{host}");
        let text = format!("{before}{value}{after}");
        let upper = format!("{before}{}{after}", value.to_uppercase());
        prop_assume!(!(host.ends_with("рф") && after == "谢谢"));
        let found = ask(&text);
        prop_assert_eq!(found.len(), 1);
        let (range, canonical) = found[0].clone().expect("an address");
        prop_assert_eq!(range, value);
        let found = ask(&upper)[0].clone().expect("an address");
        prop_assert_eq!(found.1, canonical);
    }
}
