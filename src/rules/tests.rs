use super::*;

/// The message of a pack that is refused.
#[track_caller]
fn refused(yaml: &str) -> String {
    match RulePack::from_yaml(yaml, "p.yaml") {
        Err(error) => error.to_string(),
        Ok(_) => panic!("not refused: {yaml}"),
    }
}

/// A pack of one rule of these lines.
fn one(lines: &str) -> String {
    format!("rules:\n  - {}\n", lines.trim().replace('\n', "\n    "))
}

#[test]
fn a_pack_is_read_with_all_that_it_can_hold() {
    let yaml = r#"
rules:
  - type: CUSTOMER_ID
    pattern: '\bKD[- ]?\d{8}\b'
    checksum: luhn
    normalize: [upper, strip: " -"]
    keywords: [customer, client]
    examples:
      - "customer KD-79927398"
    counter_examples:
      - "customer KD-79927399"
      - "KD-79927398"
    description: Customer numbers
terms:
  CODENAME: [Apollo, 1984, yes]
  PLACE: {words: [Mount Doom], case: ignore, description: Places}
"#;
    let pack = RulePack::from_yaml(yaml, "p.yaml").unwrap();
    let entries: Vec<_> = pack
        .entries()
        .iter()
        .map(|entry| format!("{} {} {}", entry.line, entry.kind, entry.description))
        .collect();
    assert_eq!(
        entries,
        [
            "3 CUSTOMER_ID Customer numbers",
            "15 CODENAME ",
            "16 PLACE Places"
        ]
    );
    assert_eq!(
        pack.warnings(),
        ["p.yaml:15:28: a term of under 4 characters may be found in many places"]
    );
    assert_eq!(pack.file_name(), "p.yaml");
    assert!(!format!("{pack:?}").contains("Apollo"));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let mut wrong = Vec::new();
    for (yaml, message) in [
        ("", "p.yaml:1:1: neither rules nor terms stand here"),
        ("[]", "p.yaml:1:1: keys and values must stand here"),
        ("rules: {}", "p.yaml:1:8: a list must stand here"),
        (
            "rule: []",
            "p.yaml:1:1: unknown key \"rule\"; did you mean rules?",
        ),
        (
            "colour: []",
            "p.yaml:1:1: unknown key \"colour\"; known are rules, terms",
        ),
        (
            "rules:\n - x",
            "p.yaml:2:4: keys and values must stand here",
        ),
        ("rules:\n - {pattern: ab}", "p.yaml:2:4: type is missing"),
        ("rules:\n - {type: A}", "p.yaml:2:4: pattern is missing"),
        (
            "rules:\n - {type: A, patern: ab}",
            "p.yaml:2:4: pattern is missing",
        ),
        (
            "rules:\n - {type: A, pattern: ab, keyword: [x]}",
            "p.yaml:2:27: unknown key \"keyword\"; did you mean keywords?",
        ),
        (
            "rules:\n - {type: a, pattern: ab}",
            "p.yaml:2:11: a type is 1 to 32 of A-Z, 0-9 and _, and begins with a letter",
        ),
        (
            "rules:\n - {type: IBAN, pattern: ab}",
            "p.yaml:2:11: this type is built in; a rule needs one of its own",
        ),
        (
            "rules:\n - {type: A, pattern: }",
            "p.yaml:2:21: this is empty",
        ),
        (
            "rules:\n - {type: A, pattern: [ab]}",
            "p.yaml:2:23: a text must stand here",
        ),
        (
            "rules:\n - {type: A, pattern: 'a?'}",
            "p.yaml:2:23: the pattern can match the empty string",
        ),
        (
            "rules:\n - {type: A, pattern: \\w, examples: [1]}",
            "p.yaml:2:23: the pattern can match almost any one character; ask for more of them, as in {4,}",
        ),
        (
            "rules:\n - {type: A, pattern: 'ab(c'}",
            "p.yaml:2:26: the pattern is wrong here: unclosed group",
        ),
        (
            "rules:\n - {type: A, pattern: '''''(?=c)'}",
            "p.yaml:2:28: the pattern is wrong here: look-around, including look-ahead and look-behind, is not supported",
        ),
        (
            "rules:\n - {type: A, pattern: 'a\u{2013}b'}",
            "p.yaml:2:25: a rule sees \"-\" in the place of U+2013; write that",
        ),
        (
            "rules:\n - {type: A, pattern: \"a\\u200Bb\"}",
            "p.yaml:2:23: a rule never sees U+200B, which is invisible; leave it out",
        ),
        (
            "rules:\n - {type: A, pattern: ab, checksum: lun}",
            "p.yaml:2:37: one of none, luhn, mod97, mod11, verhoeff, gtin must stand here; did you mean luhn?",
        ),
        (
            "rules:\n - {type: A, pattern: ab, normalize: [uper]}",
            "p.yaml:2:39: one of upper, lower, strip: SIGNS must stand here; did you mean upper?",
        ),
        (
            "rules:\n - {type: A, pattern: ab, normalize: upper}",
            "p.yaml:2:38: a list must stand here",
        ),
        (
            "rules:\n - {type: A, pattern: ab, normalize: [upper, lower]}",
            "p.yaml:2:38: upper and lower do not go together",
        ),
        (
            "rules:\n - {type: A, pattern: ab, normalize: [{strip: }]}",
            "p.yaml:2:45: this is empty",
        ),
        (
            "rules:\n - {type: A, pattern: ab, keywords: []}",
            "p.yaml:2:37: this list is empty: leave it out where no keyword is needed",
        ),
        (
            "rules:\n - {type: A, pattern: ab, keywords: [' x']}",
            "p.yaml:2:38: a keyword has 1 to 32 bytes, without white space around it",
        ),
        (
            "rules:\n - {type: A, pattern: ab}\n - {type: B, pattern: ab}\n - {type: A, pattern: ab}",
            "p.yaml:4:4: a rule of this type and pattern stands in line 2 already",
        ),
        ("terms: [A]", "p.yaml:1:8: keys and values must stand here"),
        (
            "terms: {PHONE: [Apollo]}",
            "p.yaml:1:9: this type is built in; a rule needs one of its own",
        ),
        ("terms: {A: []}", "p.yaml:1:12: no term stands here"),
        (
            "terms: {A: {case: ignore}}",
            "p.yaml:1:12: words is missing",
        ),
        (
            "terms: {A: {words: [Apollo], case: ignored}}",
            "p.yaml:1:36: one of exact, ignore must stand here; did you mean ignore?",
        ),
        (
            "terms: {A: [x]}",
            "p.yaml:1:13: a term has at least two characters, and at most 256 bytes",
        ),
        (
            "terms: {A: ['ab ']}",
            "p.yaml:1:13: a term has no white space around it, and no control characters or escapes in it",
        ),
        (
            "terms: {A: ['D:\\nova']}",
            "p.yaml:1:13: a term has no white space around it, and no control characters or escapes in it",
        ),
        (
            "terms:\n  A: [Apollo]\n  B: [Zeus, Apollo]",
            "p.yaml:3:13: this term stands in line 2 already",
        ),
        (
            "terms: {A: [Cafe\u{301}s, Caf\u{e9}s]}",
            "p.yaml:1:21: this term stands in line 1 already",
        ),
        ("a: *x", "p.yaml:1:4: "),
        ("rules: [", "p.yaml:2:1: this is not YAML"),
    ] {
        let said = refused(yaml);
        if !said.starts_with(message) {
            wrong.push(format!("{yaml}\n said {said}\n not  {message}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn lists_and_texts_have_a_longest() {
    let rules: String = (0..501)
        .map(|i| format!(" - {{type: A{i}, pattern: ab}}\n"))
        .collect();
    assert_eq!(
        refused(&format!("rules:\n{rules}")),
        "p.yaml:502:4: this list is too long: it may hold 500"
    );
    let words: String = (0..10_001).map(|i| format!("word{i}, ")).collect();
    assert!(
        refused(&format!("terms: {{A: [{words}]}}"))
            .ends_with("this list is too long: it may hold 10000")
    );
    for (key, most) in [("pattern", 1_000), ("description", 200)] {
        let long = "a".repeat(most + 1);
        let yaml = one(&format!("type: A\npattern: ab\n{key}: {long}")
            .replace("pattern: ab\npattern", "pattern"));
        assert!(refused(&yaml).ends_with(&format!("it may have {most} characters")));
    }
    let big = format!("# {}\nrules: []", "x".repeat(MAX_TEXT));
    assert_eq!(refused(&big), "p.yaml:1:1: this file is over 1 MiB");
    let too_big = one(r"{type: A, pattern: '\w{200,250}'}");
    assert!(refused(&too_big).contains("p.yaml:2:24: the pattern is too big when compiled"));
}

#[test]
fn a_pack_whose_own_examples_fail_is_refused() {
    let rule = "type: A\npattern: 'K\\d{4}'\nchecksum: luhn\nkeywords: [key]\n";
    for (examples, message) in [
        (
            "examples: ['secret']",
            "p.yaml:6:16: the rule finds nothing in this example",
        ),
        (
            "examples: ['key K0018', 'K0018']",
            "p.yaml:6:29: the rule finds nothing in this example: no keyword stands before it",
        ),
        (
            "examples: ['key K0019']",
            "p.yaml:6:16: the rule finds nothing in this example: the check digits are wrong",
        ),
        (
            "counter_examples: ['K0018', 'key: K0018']",
            "p.yaml:6:33: the rule finds something in this counter-example",
        ),
    ] {
        assert_eq!(refused(&one(&format!("{rule}{examples}"))), message);
    }
    let fine = one(&format!(
        "{rule}examples: ['key K0018', \"\\\\nkey: \\\\u004b0018\"]\ncounter_examples: ['key K0019', \"key\\nK0018\"]"
    ));
    RulePack::from_yaml(&fine, "p.yaml").unwrap();
}

#[test]
fn messages_quote_no_value() {
    let secret = "hush-hush";
    for yaml in [
        format!("rules:\n - {{type: {secret}, pattern: ab}}"),
        format!("rules:\n - {{type: A, pattern: '({secret}'}}"),
        format!("rules:\n - {{type: A, pattern: ab, checksum: {secret}}}"),
        format!("rules:\n - {{type: A, pattern: ab, normalize: [{secret}]}}"),
        format!(
            "rules:\n - {{type: A, pattern: ab, keywords: ['{secret}{secret}{secret}{secret}']}}"
        ),
        format!("rules:\n - {{type: A, pattern: ab, examples: [{secret}]}}"),
        format!("rules:\n - {{type: A, pattern: '{secret}', counter_examples: [{secret}]}}"),
        format!("rules:\n - {{type: A, pattern: ab, description: [{secret}]}}"),
        format!("terms: {{A: [{secret}, {secret}]}}"),
        format!("terms: {{A: [' {secret}']}}"),
        format!("terms: {{A: [{secret}]"),
        format!("terms: {{A: *{secret}}}"),
        format!("terms: {secret}"),
        secret.to_owned(),
    ] {
        assert!(!refused(&yaml).contains("hush"), "{yaml}");
    }
}

#[test]
fn a_check_tells_everything_rule_by_rule() {
    let yaml = "rules:\n - {type: A, pattern: ab, examples: [ab, x, y], counter_examples: [b]}\n - {type: B, pattern: '('}\n - {type: C, pattern: cd}\nterms:\n  D: [Apollo]\nmore: 1\n";
    let check = RulePack::check(yaml, "p.yaml");
    let results: Vec<_> = check
        .results
        .iter()
        .map(|result| {
            let kind = result.kind.map_or("-".to_owned(), |kind| kind.to_string());
            (result.line, kind, result.tried, result.errors.len())
        })
        .collect();
    let rule = |examples, counter_examples| Tried::Rule {
        examples,
        counter_examples,
    };
    assert_eq!(
        results,
        [
            (2, "A".to_owned(), rule(3, 1), 2),
            (3, "B".to_owned(), rule(0, 0), 1),
            (4, "C".to_owned(), rule(0, 0), 0),
            (6, "D".to_owned(), Tried::Terms(1), 0),
        ]
    );
    assert_eq!(check.errors.len(), 1);
    assert_eq!(
        check.errors[0].to_string(),
        "p.yaml:7:1: unknown key \"more\"; known are rules, terms"
    );
}

#[test]
fn a_configuration_holds_rules_among_other_things() {
    let pack = of_configuration("scope: x\nterms:\n  A: [Apollo]\n", "c.yaml").unwrap();
    assert_eq!(pack.entries().len(), 1);
    let none = of_configuration("scope: x\n", "c.yaml").unwrap();
    assert!(none.entries().is_empty());
    let error = of_configuration("scope: x\nrules:\n - {typ: A}", "c.yaml").unwrap_err();
    assert!(error.to_string().starts_with("c.yaml:3:"), "{error}");
}

fn of_configuration(text: &str, file: &str) -> Result<RulePack, Error> {
    RulePack::of_configuration(&yaml::parse(text).unwrap(), file)
}
