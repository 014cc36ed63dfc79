//! The schema, the example and the page, held to each other and to the program.

use std::path::Path;

use boon::{Compiler, Draft, SchemaIndex, Schemas};
use serde_json::Value;

use super::*;

fn schema() -> Value {
    let home = Home::new();
    let output = run(home.bare(&["config", "schema"]));
    serde_json::from_str(wrote(&output)).expect("JSON")
}

/// Holds values to the schema.
struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn is_valid(&self, value: &Value) -> bool {
        self.validate(value).is_ok()
    }

    fn validate(&self, value: &Value) -> Result<(), String> {
        let held = self.schemas.validate(value, self.index);
        held.map_err(|error| error.to_string())
    }
}

/// The schema, held to its own meta-schema.
fn validator() -> Validator {
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    compiler.set_default_draft(Draft::V2020_12);
    let added = compiler.add_resource("mem:///nymize.json", schema());
    added.expect("a resource");
    let index = compiler.compile("mem:///nymize.json", &mut schemas);
    let index = index.expect("a schema");
    Validator { schemas, index }
}

/// YAML as a value of JSON.
fn json(yaml: &str) -> Value {
    serde_yaml::from_str(yaml).expect("YAML")
}

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(path).expect("a readable file")
}

/// Whether the program takes a user's configuration.
fn is_taken(content: &str) -> bool {
    let home = Home::new();
    write(&home, USER, content);
    feed(home.nymize::<&str>(&[]), "x").status.success()
}

#[test]
fn the_schema_is_one() {
    let schema = schema();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    validator();
}

/// What both the schema and the program take, and what both refuse.
#[test]
fn the_schema_says_what_the_program_does() {
    let validator = validator();
    for (yaml, taken) in [
        ("{}", true),
        ("types: [EMAIL, ip]", true),
        ("types: []", false),
        ("types: EMAIL", false),
        ("types: [1]", false),
        ("skip_types: []", true),
        ("phone: {regions: [NL, nl]}", true),
        ("phone: {regions: [NLD]}", false),
        ("phone: {region: [NL]}", false),
        ("phone: [NL]", false),
        (
            "ip: {keep: [private, 10.0.0.0/8, '::1', '2001:db8::/32', 192.0.2.1]}",
            true,
        ),
        ("ip: {keep: [public]}", false),
        ("scope: x", true),
        ("scope: ''", true),
        ("scope: 1", false),
        ("hash_length: 64", true),
        ("hash_length: 9", false),
        ("hash_length: 66", false),
        ("hash_length: '8'", false),
        ("allow: [a@x.nl, 4111111111111111, /x/]", true),
        ("allow: [true]", false),
        ("allow: a@x.nl", false),
        ("terms: []", false),
        ("rules: {}", false),
        ("files: {exclude: [a], max_size: 10}", true),
        ("files: {max_size: 10MiB}", true),
        ("files: {max_size: ten}", false),
        ("files: {exclude: ['']}", false),
        ("regions: [NL]", false),
        ("unknown: 1", false),
        ("[]", false),
    ] {
        assert_eq!(validator.is_valid(&json(yaml)), taken, "schema: {yaml}");
        assert_eq!(is_taken(yaml), taken, "program: {yaml}");
    }
}

#[test]
fn the_schema_knows_rules_and_terms() {
    let validator = validator();
    let good = "rules:\n  - type: TICKET\n    pattern: 'T-\\d+'\n    checksum: luhn\n    normalize: [upper, \
                {strip: ' -'}]\n    keywords: [ticket]\n    examples: [T-1]\n    counter_examples: [T]\n    \
                description: x\nterms:\n  CODENAME: [Apollo, 1984]\n  OTHER: {words: [x], case: ignore}\n\
                rule_packs: [a.yaml]\n";
    assert!(validator.is_valid(&json(good)));
    for bad in [
        "rules: [{type: TICKET}]",
        "rules: [{type: EMAIL, pattern: x}]",
        "rules: [{type: ticket, pattern: x}]",
        "rules: [{type: T, pattern: x, patern: y}]",
        "terms: {IP: [x]}",
        "terms: {T: []}",
        "terms: {T: {case: ignore}}",
        "rule_packs: ['']",
    ] {
        assert!(!validator.is_valid(&json(bad)), "{bad}");
    }
}

/// The example with the keys too that stand in comments: `# key: …`.
fn uncommented(example: &str) -> String {
    let lines = example.lines().map(|line| {
        let key = line.strip_prefix("# ").filter(|rest| {
            let key = rest.split(':').next().unwrap_or_default();
            matches!(key, "key_file" | "rule_packs")
        });
        format!("{}\n", key.unwrap_or(line))
    });
    lines.collect()
}

#[test]
fn the_example_is_taken_and_has_every_key() {
    let example = file("docs/config.example.yaml");
    assert!(is_taken(&example));
    let home = Home::new();
    write(&home, PROJECT, &example);
    assert_eq!(
        feed(home.nymize(&["scan"]), "x").status.code(),
        Some(0),
        "as a project's too"
    );
    let whole = json(&uncommented(&example));
    if let Err(error) = validator().validate(&whole) {
        panic!("{error}");
    }
    let keys = |value: &Value| -> Vec<String> {
        let entries = value.as_object().expect("a mapping").iter();
        let mut keys: Vec<String> = entries
            .flat_map(|(key, value)| match value {
                Value::Object(inner) if key != "terms" => {
                    inner.keys().map(|inner| format!("{key}.{inner}")).collect()
                }
                _ => vec![key.clone()],
            })
            .collect();
        keys.sort();
        keys
    };
    let properties = schema()["properties"].clone();
    let named: Vec<String> = keys(&whole);
    let mut known: Vec<String> = Vec::new();
    for (key, value) in properties.as_object().expect("properties") {
        match (key.as_str(), value["properties"].as_object()) {
            ("phone" | "ip" | "files", Some(inner)) => {
                known.extend(inner.keys().map(|inner| format!("{key}.{inner}")));
            }
            _ => known.push(key.clone()),
        }
    }
    known.sort();
    assert_eq!(named, known);
    let page = file("docs/configuration.md");
    for key in known {
        assert!(
            page.contains(&format!("\n| `{key}` | ")),
            "{key} in the page's table"
        );
    }
    for (variable, _) in nymize::VARIABLES {
        assert!(
            page.contains(&format!("`{variable}`")),
            "{variable} in the page"
        );
    }
}

#[test]
fn the_page_shows_a_message_as_it_is() {
    let page = file("docs/configuration.md");
    let home = Home::new();
    write(&home, USER, "\n\ntyps: [EMAIL]\n");
    let output = feed(home.nymize::<&str>(&[]), "x");
    let said = text(&output.stderr)
        .split("config.yaml")
        .nth(1)
        .expect("a message");
    assert!(page.contains(said.trim_end()), "{said}");
}
