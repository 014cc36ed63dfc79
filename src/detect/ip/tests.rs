//! ACCEPT and REJECT: the detector's behaviour, told by example.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::*;

/// Text, with each address in guillemets; the canonical forms.
const ACCEPT: &[(&str, &[&str])] = &[
    ("{\"v\":\"«93.184.216.34»\"}", &["93.184.216.34"]),
    // Small numbers are no version by themselves.
    ("«5.9.12.33» - - [06/Oct/2025", &["5.9.12.33"]),
    ("«5.9.12.3» mail.example.com", &["5.9.12.3"]),
    ("policy «10.0.0.0»/8 allow", &["10.0.0.0"]),
    ("upgrade to «10.0.0.7» failed", &["10.0.0.7"]),
    ("login since Monday from «2.6.8.1»", &["2.6.8.1"]),
    ("host («5.6.7.8») is down", &["5.6.7.8"]),
    ("login jan@example.com «5.9.12.33»", &["5.9.12.33"]),
    ("0.25 «5.9.12.33» 0.5", &["5.9.12.33"]),
    ("<b>«5.9.12.33»</b>.", &["5.9.12.33"]),
    ("a.«5.9.12.33» b", &["5.9.12.33"]),
    (
        "«5.9.12.3»-«5.9.12.20», «1.2.3.4»-9",
        &["5.9.12.3", "5.9.12.20", "1.2.3.4"],
    ),
    (
        "avoid «2.6.8.1» on android «2.6.8.2»",
        &["2.6.8.1", "2.6.8.2"],
    ),
    ("DNS update from «5.9.12.33»", &["5.9.12.33"]),
    ("link to «1.2.3.4» release", &["1.2.3.4"]),
    (
        "«2602::»/24, «2001::», label «448::»/16",
        &["2602::", "2001::", "448::"],
    ),
    (
        "«fe80::» on «fd20::», «ff02::»",
        &["fe80::", "fd20::", "ff02::"],
    ),
    ("ip-«5.9.12.33» up", &["5.9.12.33"]),
    ("moved to «5.9.12.33»", &["5.9.12.33"]),
    ("# «5.9.12.33» mail", &["5.9.12.33"]),
    ("logs/«5.9.12.33».log", &["5.9.12.33"]),
    ("https://«5.6.7.8»/path", &["5.6.7.8"]),
    // Borders.
    ("ping «185.12.64.1».", &["185.12.64.1"]),
    (
        "«93.184.216.34»,«185.12.64.1»",
        &["93.184.216.34", "185.12.64.1"],
    ),
    (
        "«185.12.64.1»:8443 «185.12.64.0»/22",
        &["185.12.64.1", "185.12.64.0"],
    ),
    (
        "«203.0.113.38»-«198.51.100.77»",
        &["203.0.113.38", "198.51.100.77"],
    ),
    ("ip_«93.184.216.34»_x", &["93.184.216.34"]),
    ("host-«203.0.113.51»", &["203.0.113.51"]),
    ("«203.0.113.52»-web", &["203.0.113.52"]),
    ("«203.0.113.9».nip.io", &["203.0.113.9"]),
    ("+«203.0.113.9» added in a diff", &["203.0.113.9"]),
    ("主机«203.0.113.53»离线", &["203.0.113.53"]),
    (
        "access.log:12:«203.0.113.9» - - [20/Aug/2026:14:05:33 +0000]",
        &["203.0.113.9"],
    ),
    ("user@«198.51.100.9»:/tmp", &["198.51.100.9"]),
    ("root@[«203.0.113.9»]", &["203.0.113.9"]),
    ("\\\\«203.0.113.26»\\share", &["203.0.113.26"]),
    ("SERVER: «8.8.8.8»#53(«8.8.8.8»)", &["8.8.8.8", "8.8.8.8"]),
    (
        "ip4:«192.0.2.0»/24 ip6:«2001:db8::»/32",
        &["192.0.2.0", "2001:db8::"],
    ),
    // Captures, where the port is a fifth group.
    (
        "IP «192.0.2.5».54321 > «203.0.113.9».443: Flags [S]",
        &["192.0.2.5", "203.0.113.9"],
    ),
    (
        "IP6 «fe80::1».5353 > «ff02::fb».5353: UDP",
        &["fe80::1", "ff02::fb"],
    ),
    (
        "IP6 «2001:db8::192.0.2.1».443 > «fe80::1»: x",
        &["2001:db8::c000:201", "fe80::1"],
    ),
    // A name in the reverse tree is that of the mirrored address.
    ("«4.3.2.1».in-addr.arpa PTR", &["1.2.3.4"]),
    // Not a version, whatever stands around.
    ("curl -v «93.184.216.34»", &["93.184.216.34"]),
    ("worker1/«10.0.0.5»:8020", &["10.0.0.5"]),
    ("example.com/«93.184.216.34»", &["93.184.216.34"]),
    ("http://«10.0.0.5»/a", &["10.0.0.5"]),
    ("ip.addr==«10.0.0.1»", &["10.0.0.1"]),
    ("section «203.0.113.9»", &["203.0.113.9"]),
    ("backup-«203.0.113.9».tar.gz", &["203.0.113.9"]),
    ("## «203.0.113.9» - 2026-08-20", &["203.0.113.9"]),
    // Short masks and the like are addresses too.
    (
        "«224.0.0.0» «240.0.0.0» «255.0.0.1»",
        &["224.0.0.0", "240.0.0.0", "255.0.0.1"],
    ),
    // IPv6: brackets, zone, port, prefix length, colon of a sentence.
    ("http://[«fe80::1»%eth0]:8080/", &["fe80::1"]),
    (
        "«2001:DB8:0:0:8:800:200C:417A»",
        &["2001:db8::8:800:200c:417a"],
    ),
    ("IP6 «fe80::1»: ICMP6", &["fe80::1"]),
    ("<«2001:db8:23::113»>", &["2001:db8:23::113"]),
    // One value, not two; mapped ones are IPv4.
    ("client «::ffff:185.12.64.1» connected", &["185.12.64.1"]),
    ("«::FFFF:b90c:4001»", &["185.12.64.1"]),
    ("«::ffff:255.255.255.255»", &["255.255.255.255"]),
    (
        "«::13.1.68.3» «64:ff9b::192.0.2.33»",
        &["::d01:4403", "64:ff9b::c000:221"],
    ),
    ("«1:1:1:1:1:1:192.168.0.1»", &["1:1:1:1:1:1:c0a8:1"]),
    // A port without brackets is told from a group by its fifth digit.
    ("tcp6 0 0 «2001:db8::2»:51234", &["2001:db8::2"]),
    (
        "via «2001:db8:1:2:3:4:5:6»:51234",
        &["2001:db8:1:2:3:4:5:6"],
    ),
    // Labels.
    (
        "addr:«2001:db8::7» node12:«2001:db8::7»",
        &["2001:db8::7", "2001:db8::7"],
    ),
    (
        "eth0:«fe80::8» [IPv6:«2001:db8::9»]",
        &["fe80::8", "2001:db8::9"],
    ),
    ("\"ip\":«2001:db8::1»", &["2001:db8::1"]),
    ("«dead:2001:db8::7»", &["dead:2001:db8::7"]),
    // Letters only, or short.
    (
        "peer «fdff:ffff::» «fc00::» «dead:beef::1»",
        &["fdff:ffff::", "fc00::", "dead:beef::1"],
    ),
    ("peer «1::8» up", &["1::8"]),
    ("[«1::2»]:80 «a::b»/64", &["1::2", "a::b"]),
];

/// A text without an address, and why the first of its candidates is refused.
const REJECT: &[(&str, Reject)] = &[
    ("256.1.1.1", Reject::Shape),
    ("192.168.1.256", Reject::Shape),
    ("012.34.56.78", Reject::Shape),
    ("124.14.32.01", Reject::Shape),
    ("x1.2.3.4", Reject::Boundary),
    ("203.0.113.8text", Reject::Boundary),
    ("v2.10.3.1", Reject::Boundary),
    ("é203.0.113.9", Reject::Boundary),
    ("1.2.3.4.5", Reject::Boundary),
    ("1.3.6.1.4.1.311.21.20", Reject::Boundary),
    ("version 1.2.3.4 build 7", Reject::Context),
    ("'x25519' (OID 1.3.101.110)", Reject::Context),
    ("#define EXT_OID_KEY_USAGE \"2.5.29.15\"", Reject::Context),
    ("install alsa:all <none> 1.2.5.1-2", Reject::Context),
    ("from CDC spec 5.2.3.9 */", Reject::Context),
    ("$Id: strftime.c,v 1.10.2.3 2005/11/04", Reject::Context),
    ("\"true\">3.12.1.1.</strong> Title", Reject::Context),
    ("ISO C11 K.3.7.4.1", Reject::Context),
    ("RFC 5246 section\\-6.2.3.1", Reject::Context),
    ("Start the 1.6.0.2 maintenance cycle", Reject::Context),
    ("Sync with 1.5.4.2", Reject::Context),
    ("-2.12 3.51.98.32 2.03.5", Reject::Context),
    ("pam (0.99.7.1-5) unstable; urgency=low", Reject::Context),
    (
        "dpkg (1.4.0.22) frozen unstable; urgency=low",
        Reject::Context,
    ),
    ("libxrandr (2:1.2.99.4-2) experimental", Reject::Context),
    ("XIAllowTouchEvents@Base 2:1.5.99.2", Reject::Context),
    ("snd_open@ALSA_0.9 1.0.24.1", Reject::Context),
    ("deflate@ZLIB_1.2.3.3", Reject::Context),
    ("2011-06-28 (3.7.7.1)", Reject::Context),
    ("man-db 2.7.6.1 (12 December 2016)", Reject::Context),
    ("git/RelNotes/1.8.5.6.txt", Reject::Context),
    ("XFree86 4.3.99.16 Bring", Reject::Context),
    ("(sinds dpkg 1.4.1.17).", Reject::Context),
    ("to implement [23.3.4.2]/9", Reject::Context),
    ("core::s!(\"2.5.29.37\");", Reject::Context),
    ("Start preparing for 1.8.4.1", Reject::Context),
    ("Bump Standards-Version to 3.8.4.0", Reject::Context),
    ("Update Anaconda from 5.0.0 to 5.0.0.1", Reject::Context),
    ("\"Miniconda2-4.7.12.1-Linux-ppc64le\"", Reject::Context),
    ("Use zlib-1.2.8.1 inflate", Reject::Context),
    ("\" 3.2.2.2 Number", Reject::Context),
    ("dpkg (1.15.8.10) unstable; urgency=low", Reject::Context),
    ("libgiac0 (<< 1.2.3.57+dfsg1-2), x", Reject::Context),
    ("// From linux-2.6.35.9/include/asm", Reject::Context),
    ("Changes in 1.2.3.3 (2 October 2006)", Reject::Context),
    ("Start draft release notes for 1.6.0.3", Reject::Context),
    ("since Git 1.7.9.4", Reject::Context),
    ("removed in Linux 2.4.9.2, long ago", Reject::Context),
    ("Upgraded to policy 3.5.5.0.", Reject::Context),
    ("requires libX11 1.4.99.1", Reject::Context),
    ("  // 20.7.1.3 unique_ptr for", Reject::Context),
    ("  /* 3.8.2.2. Video Control", Reject::Context),
    ("   * 5.3.1.5 SCTP_SHUTDOWN_EVENT", Reject::Context),
    ("      // [23.3.1.3] map operations", Reject::Context),
    ("7.7.3.3 GOSTDSA", Reject::Context),
    ("version is 185.12.64.1", Reject::Context),
    ("\"AssemblyVersion\": \"1.0.0.0\"", Reject::Context),
    ("<Version>4.8.1.78</Version>", Reject::Context),
    ("ver. 1.2.3.4", Reject::Context),
    ("\"Chromium\";v=\"126.0.0.0\"", Reject::Context),
    ("版本：1.2.3.4", Reject::Context),
    ("版本 1.2.3.4", Reject::Context),
    ("Chrome/126.0.0.0 Safari/537.36", Reject::Context),
    ("curl/8.1.2.3", Reject::Context),
    ("1.2.3.4-beta", Reject::Context),
    ("pkg-3.0.13.1.tar.gz", Reject::Context),
    ("lib.so.6.0.1.2", Reject::Context),
    ("opencv-python==4.8.1.78", Reject::Context),
    ("foo >= 1.2.3.4", Reject::Context),
    ("## [1.10.0.0] - 2026-08-20", Reject::Context),
    ("Section 4.1.2.3", Reject::Context),
    ("§ 4.1.2.3", Reject::Context),
    ("RFC 8446 4.1.2.3", Reject::Context),
    ("EC 3.4.21.4", Reject::Context),
    (".1.3.6.1 = x", Reject::Context),
    ("127.0.0.1:8080", Reject::Kept),
    ("0.0.0.0", Reject::Kept),
    ("255.255.255.255", Reject::Kept),
    ("netmask 255.255.252.0", Reject::Kept),
    ("wildcard 0.0.3.255", Reject::Kept),
    ("1.0.0.127.in-addr.arpa", Reject::Kept),
    ("[::1]:8080", Reject::Kept),
    ("listen [::]:443", Reject::Kept),
    ("::ffff:127.0.0.1", Reject::Kept),
    ("0:0:0:0:0:0:0:1", Reject::Kept),
    ("ffff:ffff:ffff::", Reject::Kept),
    ("std::cell::Cell", Reject::Context),
    ("std::vec<int>", Reject::Context),
    ("code::decode", Reject::Context),
    ("a::before", Reject::Boundary),
    ("::before", Reject::Boundary),
    (".. code:: python", Reject::Context),
    ("a::b", Reject::Context),
    ("Face::Add", Reject::Context),
    ("dead::beef", Reject::Context),
    ("c::B110", Reject::Context),
    ("f32::add(1.0)", Reject::Context),
    ("abc1::add(x)", Reject::Context),
    ("x[1::2]", Reject::Context),
    ("x[1000::2]", Reject::Context),
    ("10::30", Reject::Context),
    ("std::<wbr>f128::<wbr>consts", Reject::Context),
    ("* Curve 448::", Reject::Context),
    ("bob:x:1001:1001::/home/bob", Reject::Context),
    ("1:2:3:4:5:6:7:8", Reject::Context),
    ("12:30:45", Reject::Shape),
    ("dur 1:02:03:04", Reject::Shape),
    ("00:1a:2b:3c:4d:5e", Reject::Shape),
    ("00:1a:2b:ff:fe:3c:4d:5e", Reject::Context),
    ("peer 50:06:01:60:3b:a0:16:5a", Reject::Context),
    (
        "16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
        Reject::Length,
    ),
    ("2001::25de::cade", Reject::Shape),
    ("1:2:::6:7:8", Reject::Shape),
    ("::11111", Reject::Shape),
    ("2001:db8::70000", Reject::Shape),
    ("2001:db8::1:70000", Reject::Shape),
    ("2001:db8:85a3::8a2e:37023:7334", Reject::Shape),
    ("{\"v\":\"1.2.3.4\"}", Reject::Context),
    ("kernel 5.15.0.91", Reject::Context),
    ("1:2:3:4:5:6:7:8:9", Reject::Shape),
    ("2001:db8:85a3::8a2e:370k:7334", Reject::Boundary),
    ("12345::6:7:8", Reject::Context),
    ("x2001:db8:1:2::5", Reject::Boundary),
    (":1111:2222:3333:4444::5555", Reject::Boundary),
    ("::ffff:2.3.4", Reject::Shape),
    ("1::5:400.2.3.4", Reject::Shape),
    ("1:2:3:4:5:6:7:1.2.3.4", Reject::Shape),
    ("arn:aws:iam::491512345678:role", Reject::Context),
];

type Found = (Range<usize>, Vec<u8>);

/// Judges every place of `text` (one line) that has one of the shapes, left to right, and starts
/// anew behind each finding. Of a run of groups it names each colon but the last, more than the
/// scan does.
fn search(text: &[u8], options: &Options) -> (Vec<Found>, Option<Reject>) {
    let (mut found, mut reject, mut wall, mut at) = (Vec::new(), None, 0, 0);
    while at < text.len() {
        let fresh = at == 0 || !text[at - 1].is_ascii_digit();
        let groups = text[at..].split(|&b| b == b'.').take(4);
        let quad = fresh
            && groups.clone().count() == 4
            && groups
                .take(3)
                .all(|g| (1..4).contains(&g.len()) && g.iter().all(u8::is_ascii_digit));
        let next = text[at..].iter().skip(1).find(|b| !b.is_ascii_hexdigit());
        if quad || (text[at] == b':' && next == Some(&b':')) {
            let from = wall.max(at.saturating_sub(crate::detect::LEFT_REACH));
            let to = text.len().min(at + crate::detect::RIGHT_REACH);
            let candidate = Candidate {
                text: &text[from..to],
                at: at - from,
                line_start: from == 0,
            };
            match Ip.verify(&candidate, options) {
                Ok(finding) => {
                    let range = finding.range().start + from..finding.range().end + from;
                    assert!(range.contains(&at) || range.start == at + 1);
                    assert!(range.len() <= Ip.max_len());
                    found.push((range.clone(), finding.canonical().to_vec()));
                    wall = range.end;
                    at = range.end;
                    continue;
                }
                Err(reason) => reject = reject.or(Some(reason)),
            }
        }
        at += 1;
    }
    (found, reject)
}

fn keeping(words: &[&str]) -> Options {
    Options {
        ip_keep: Keep::parse(words.iter().copied()).expect("known words"),
        ..Options::default()
    }
}

#[test]
fn accepts() {
    for (marked, canonical) in ACCEPT {
        let (mut text, mut ranges) = (String::new(), Vec::new());
        for c in marked.chars() {
            match c {
                '«' => ranges.push(text.len()..0),
                '»' => ranges.last_mut().expect("opened").end = text.len(),
                c => text.push(c),
            }
        }
        let want: Vec<Found> = ranges
            .into_iter()
            .zip(canonical.iter().map(|c| c.as_bytes().to_vec()))
            .collect();
        assert_eq!(want.len(), canonical.len(), "{marked}");
        assert_eq!(
            search(text.as_bytes(), &Options::default()).0,
            want,
            "{marked}"
        );
    }
}

#[test]
fn rejects() {
    for (text, reason) in REJECT {
        let (found, reject) = search(text.as_bytes(), &Options::default());
        assert_eq!((found, reject), (vec![], Some(*reason)), "{text}");
    }
}

#[test]
fn keeps_what_it_is_told() {
    let kept = [
        (
            "private",
            "10.9.8.7 172.31.0.1 192.168.1.20 ::ffff:10.0.0.1 fd12::1",
        ),
        ("link-local", "169.254.1.1 fe80::1"),
        (
            "documentation",
            "192.0.2.1 198.51.100.2 203.0.113.9 2001:db8::1 3fff::1",
        ),
        ("8.8.0.0/16", "8.8.4.4 ::ffff:8.8.8.8"),
        ("2a02:a452::/32", "2a02:a452:1:2::77"),
        ("9.9.9.9", "9.9.9.9"),
        ("::ffff:9.0.0.0/104", "9.1.2.3"),
        ("0.0.0.0/0", "93.184.216.34"),
    ];
    for (word, text) in kept {
        for one in text.split(' ') {
            assert_eq!(
                search(one.as_bytes(), &Options::default()).0.len(),
                1,
                "{one}"
            );
            let with = search(one.as_bytes(), &keeping(&[word]));
            assert_eq!(with, (vec![], Some(Reject::Kept)), "{one}");
        }
        let others = "93.184.216.99 172.32.0.1 2a02:a453::1";
        let count = if word == "0.0.0.0/0" { 1 } else { 3 };
        assert_eq!(
            search(others.as_bytes(), &keeping(&[word])).0.len(),
            count,
            "{word}"
        );
    }
}

#[test]
fn names_the_bad_word() {
    let bad = [
        "",
        "lan",
        "10.0.0.0/33",
        "10.0.0/8",
        "010.0.0.0/8",
        "::/129",
        "::/+1",
        "10.0.0.0/",
        "fe80::1%eth0",
    ];
    for word in bad {
        assert_eq!(Keep::parse(["private", word]).err().as_deref(), Some(word));
    }
    assert!(Keep::parse(["Private", " link-local ", "DOCUMENTATION"]).is_ok());
    assert!(
        !Keep::parse([])
            .expect("no word is fine")
            .keeps(Ipv4Addr::new(10, 0, 0, 1).into())
    );
}

#[test]
fn canonical_text_is_rfc_5952() {
    let table = [
        ("2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
        ("2001:DB8:AAAA::", "2001:db8:aaaa::"),
        ("0:0:0:0:0:0:0:0", "::"),
        ("0:0:1::", "0:0:1::"),
        ("::7f00:1", "::7f00:1"),
        ("::ffff:0:c0a8:101", "::ffff:0:c0a8:101"),
    ];
    for (text, want) in table {
        let address: IpAddr = text.parse().expect("an address");
        assert_eq!(canonical(address).as_slice(), want.as_bytes(), "{text}");
    }
}

/// The spellings of `address` that RFC 4291 allows: short, full, upper case, dotted tail.
fn spellings(address: Ipv6Addr) -> Vec<String> {
    let g = address.segments();
    let [.., a, b, c, d] = address.octets();
    let full = g.map(|g| format!("{g:04x}")).join(":");
    let plain = g.map(|g| format!("{g:x}")).join(":");
    let dotted = format!("{}:{a}.{b}.{c}.{d}", &full[..29]);
    vec![
        address.to_string(),
        full.clone(),
        full.to_uppercase(),
        plain,
        dotted,
    ]
}

/// Groups as they occur: many zeros, some short, an allocated block in front.
fn v6_addresses() -> impl Strategy<Value = Ipv6Addr> {
    let group = prop_oneof![3 => Just(0u16), 1 => 1u16..256, 3 => any::<u16>()];
    let first = prop_oneof![
        0x2001u16..0x2fff,
        0xfc00u16..0xfdff,
        Just(0xfe80),
        Just(0xff02)
    ];
    (first, proptest::array::uniform7(group))
        .prop_map(|(f, [a, b, c, d, e, g, h])| Ipv6Addr::new(f, a, b, c, d, e, g, h))
        .prop_filter("no mask", |a| !Keep::default().keeps((*a).into()))
}

proptest! {
    #[test]
    fn every_ipv4_is_found_whole(
        bits in any::<u32>(),
        left in r#"([a-z]{0,5}[ ="'(\[<,;|]|电话|_)?"#,
        right in r#"([ "')\],;:!?/<_-][a-z]{0,3}|话|\.)?"#,
    ) {
        let address = Ipv4Addr::from(bits);
        prop_assume!(!Keep::default().keeps(address.into()));
        // Words before, and stages behind, are the tables' business.
        prop_assume!(!["v=", "v'", "v\""].iter().any(|w| left.ends_with(w)) && left.len() != 4);
        prop_assume!(!right.starts_with('-'));
        let text = format!("{left}{address}{right}");
        let want = vec![(left.len()..left.len() + address.to_string().len(), address.to_string().into_bytes())];
        prop_assert_eq!(search(text.as_bytes(), &Options::default()).0, want, "{}", text);
    }

    #[test]
    fn every_ipv6_is_found_whole_in_every_spelling(
        address in v6_addresses(),
        left in r#"([a-z]{0,5}[ ="'(\[<,;|]|[g-z]{2}[0-9]:|电话|_)?"#,
        right in r#"([ "')\],;!?/<%_-][a-z]{0,3}|话|\.|: )?"#,
    ) {
        for spelling in spellings(address) {
            // `2001:db8:::` is malformed, not an address and a colon.
            if spelling.ends_with("::") && right.starts_with(':') {
                continue;
            }
            let text = format!("{left}{spelling}{right}");
            let (found, reject) = search(text.as_bytes(), &Options::default());
            let want = vec![(left.len()..left.len() + spelling.len(), address.to_string().into_bytes())];
            prop_assert_eq!(&found, &want, "{} {:?}", text, reject);
        }
    }

    #[test]
    fn canonical_ipv6_agrees_with_std(bits in any::<u128>(), zeros in any::<u8>()) {
        let groups = Ipv6Addr::from(bits).segments();
        let address = Ipv6Addr::from(std::array::from_fn(|i| if zeros >> i & 1 == 1 { 0 } else { groups[i] }));
        prop_assume!(address.to_ipv4_mapped().is_none());
        let text = canonical(address.into());
        let std = address.to_string();
        prop_assert_eq!(text.as_slice(), std.as_bytes());
    }

    #[test]
    fn no_bytes_make_it_panic(text in proptest::collection::vec(
        prop_oneof![4 => prop::sample::select(b"0123456789abcdef:::...".to_vec()), 1 => any::<u8>()], 0..200)) {
        for (range, canonical) in search(&text, &Options::default()).0 {
            let address = std::str::from_utf8(&text[range]).expect("ASCII").parse::<IpAddr>();
            let canonical = String::from_utf8(canonical).expect("ASCII").parse::<IpAddr>();
            prop_assert_eq!(address.map(|a| a.to_canonical()), canonical);
        }
    }

    #[test]
    fn any_position_is_refused_or_judged(text in proptest::collection::vec(any::<u8>(), 0..40), at in 0usize..60) {
        let candidate = Candidate { text: &text, at, line_start: false };
        let _ = Ip.verify(&candidate, &Options::default());
    }
}
