//! The reports of `scan` for machines: SARIF logs and annotations of GitHub Actions.

mod cmd;

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use boon::{Compiler, SchemaIndex, Schemas};
use cmd::{EMAIL, Home, PHONE, failed, feed, run, text};
use serde_json::{Value, json};

const MAIL: &str = "mail jan@example.com\n";

mod sarif {
    use super::*;

    /// Whether a log is valid under the schema of OASIS; if not, why.
    fn fault(log: &Value) -> Option<String> {
        static SCHEMA: LazyLock<(Schemas, SchemaIndex)> = LazyLock::new(|| {
            let mut schemas = Schemas::new();
            let mut compiler = Compiler::new();
            compiler.enable_format_assertions();
            let place = "urn:sarif";
            compiler
                .add_resource(place, read_schema())
                .expect("a schema");
            let index = compiler.compile(place, &mut schemas).expect("a schema");
            (schemas, index)
        });
        let (schemas, index) = &*SCHEMA;
        let fault = schemas.validate(log, *index).err();
        fault.map(|fault| format!("{fault:#}"))
    }

    /// The schema, out of the package `serde-sarif`, which is made from it.
    fn read_schema() -> Value {
        let cargo = |args: &[&str]| {
            let output = Command::new(env!("CARGO")).args(args).output();
            output.expect("cargo runs").stdout
        };
        // Packages of other platforms may not be here.
        let version = cargo(&["-vV"]);
        let mut lines = text(&version).lines();
        let host = lines.find_map(|line| line.strip_prefix("host: "));
        let metadata = cargo(&[
            "metadata",
            "--format-version=1",
            "--offline",
            "--locked",
            "--filter-platform",
            host.expect("a platform"),
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ]);
        let metadata: Value = serde_json::from_slice(&metadata).expect("JSON");
        let packages = metadata["packages"].as_array().expect("packages");
        let manifest = packages
            .iter()
            .find(|package| package["name"] == "serde-sarif")
            .and_then(|package| package["manifest_path"].as_str())
            .expect("a package");
        let schema = std::fs::read(
            Path::new(manifest)
                .with_file_name("src")
                .join("schema.json"),
        );
        let schema = schema.expect("a file");
        let schema: Value = serde_json::from_slice(&schema).expect("JSON");
        let id = schema["$id"].as_str().expect("an id");
        assert!(id.ends_with("oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"));
        schema
    }

    /// The one log on stdout, which is valid, and holds none of the values of this test.
    #[track_caller]
    fn log(output: &Output) -> Value {
        let shown = text(&output.stdout);
        assert!(
            !shown.contains("jan@") && !shown.contains("12345678"),
            "{shown}"
        );
        let log: Value = serde_json::from_str(shown).expect("JSON");
        assert_eq!(fault(&log), None);
        // The types of a program that reads such logs take it too.
        let _: serde_sarif::sarif::Sarif = serde_json::from_str(shown).expect("a log");
        log
    }

    fn results(log: &Value) -> &[Value] {
        log["runs"][0]["results"].as_array().expect("results")
    }

    #[test]
    fn the_schema_refuses_what_is_wrong() {
        let run = json!({"tool": {"driver": {"name": "n"}}, "results": []});
        assert_eq!(fault(&json!({"version": "2.1.0", "runs": [run]})), None);
        for wrong in [
            json!({"version": "2.1.0"}),
            json!({"version": "2.0.0", "runs": []}),
            json!({"version": "2.1.0", "runs": [{"results": []}]}),
            json!({"version": "2.1.0", "runs": [], "surplus": 1}),
            json!({"version": "2.1.0", "runs": [], "$schema": "no URI"}),
        ] {
            assert!(fault(&wrong).is_some(), "{wrong}");
        }
    }

    #[test]
    fn a_result_tells_the_place_and_the_placeholder() {
        let home = Home::new();
        home.write("notes.txt", "one\né😀: jan@example.com\n+31612345678");
        let output = run(home.nymize(&["scan", "--sarif", "notes.txt"]));
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stderr.is_empty());
        let log = log(&output);
        let run = &log["runs"][0];
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        assert_eq!(
            run["tool"]["driver"]["semanticVersion"],
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(run["invocations"], json!([{"executionSuccessful": true}]));
        let results = results(&log);
        assert_eq!(results.len(), 2);
        assert_eq!(
            results[0],
            json!({
                "ruleId": "EMAIL",
                "level": "error",
                "message": {"text": format!("This is an e-mail address: {EMAIL}")},
                "locations": [{"physicalLocation": {
                    "artifactLocation": {"uri": "notes.txt", "uriBaseId": "%SRCROOT%"},
                    "region": {
                        "startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 20,
                        "byteOffset": 12, "byteLength": 15
                    }
                }}],
                "partialFingerprints": {"nymizePlaceholder/v1": EMAIL}
            })
        );
        assert_eq!(
            results[1]["partialFingerprints"]["nymizePlaceholder/v1"],
            PHONE
        );
        let region = &results[1]["locations"][0]["physicalLocation"]["region"];
        assert_eq!(
            (&region["startLine"], &region["endColumn"]),
            (&3.into(), &13.into())
        );
    }

    #[test]
    fn every_type_has_a_rule_with_help() {
        let home = Home::new();
        let log = log(&feed(home.nymize(&["scan", "--sarif"]), MAIL));
        let rules = log["runs"][0]["tool"]["driver"]["rules"]
            .as_array()
            .expect("rules");
        let ids: Vec<&str> = rules
            .iter()
            .filter_map(|rule| rule["id"].as_str())
            .collect();
        assert_eq!(ids, ["CARD", "EMAIL", "IBAN", "IP", "PHONE"]);
        for rule in rules {
            let help = rule["help"]["text"].as_str().expect("help");
            assert!(
                help.contains("Proven by") && help.contains("nymize scrub"),
                "{help}"
            );
            assert!(
                !help.contains("a rule of this project") && !help.contains("  "),
                "{help}"
            );
        }
    }

    #[test]
    fn stdin_has_no_uri() {
        let home = Home::new();
        let log = log(&feed(home.nymize(&["scan", "--sarif"]), MAIL));
        let place = &results(&log)[0]["locations"][0]["physicalLocation"];
        assert_eq!(
            place["artifactLocation"],
            json!({"description": {"text": "standard input"}})
        );
    }

    #[test]
    fn a_run_that_finds_nothing_has_an_empty_list() {
        let home = Home::new();
        let output = feed(home.nymize(&["scan", "--sarif"]), "nothing\n");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(results(&log(&output)), [] as [Value; 0]);
    }

    #[test]
    fn a_log_tells_that_an_input_could_not_be_read() {
        let home = Home::new();
        home.write("a", MAIL);
        home.write("b", MAIL);
        let output = run(home.nymize(&["scan", "--sarif", "none", "a", "b"]));
        assert_eq!(output.status.code(), Some(2));
        let log = log(&output);
        assert_eq!(
            log["runs"][0]["invocations"],
            json!([{"executionSuccessful": false}])
        );
        assert_eq!(results(&log).len(), 2);
    }

    #[test]
    fn nothing_is_written_without_a_key() {
        let home = Home::new();
        let args = ["scan", "--sarif", "--key-file", "none"];
        failed(&feed(home.bare(&args), MAIL), &["none"]);
    }

    /// Names that are no URI as they stand; the same as `--json` tells, from the working folder.
    #[test]
    fn paths_are_relative_uris() {
        let home = Home::new();
        std::fs::create_dir_all(home.path("d/e")).expect("a folder");
        let absolute = home.path("d/e/f").display().to_string();
        for (name, path, uri) in [
            ("d/e/f", "d/e/f", "d/e/f"),
            ("d/e/f", "./d/../d//e/f", "d/e/f"),
            ("d/e/f", absolute.as_str(), "d/e/f"),
            ("d/a b%#?é", "d/a b%#?é", "d/a%20b%25%23%3F%C3%A9"),
            #[cfg(unix)]
            ("c:d", "c:d", "c%3Ad"),
        ] {
            home.write(name, MAIL);
            let log = log(&run(home.nymize(&["scan", "--sarif", path])));
            let artifact =
                &results(&log)[0]["locations"][0]["physicalLocation"]["artifactLocation"];
            assert_eq!(*artifact, json!({"uri": uri, "uriBaseId": "%SRCROOT%"}));
        }
    }

    #[test]
    fn a_path_outside_of_the_working_folder_is_absolute() {
        let home = Home::new();
        home.write("a b", MAIL);
        std::fs::create_dir(home.path("inner")).expect("a folder");
        let mut command = home.nymize(&["scan", "--sarif", "../a b"]);
        command.current_dir(home.path("inner"));
        let log = log(&run(command));
        let artifact = &results(&log)[0]["locations"][0]["physicalLocation"]["artifactLocation"];
        let uri = artifact["uri"].as_str().expect("a URI");
        assert!(
            uri.starts_with("file:///") && uri.ends_with("/a%20b"),
            "{uri}"
        );
        assert!(artifact["uriBaseId"].is_null());
    }

    #[test]
    fn places_in_utf_16_are_of_the_raw_input() {
        let home = Home::new();
        let input: Vec<u8> = "\u{feff}é😀 jan@example.com\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let log = log(&feed(home.nymize(&["scan", "--sarif"]), &input));
        let region = &results(&log)[0]["locations"][0]["physicalLocation"]["region"];
        let number = |name: &str| region[name].as_u64().expect("a number") as usize;
        let raw = &input[number("byteOffset")..][..number("byteLength")];
        let expected: Vec<u8> = "jan@example.com"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(raw, expected);
        assert_eq!(number("endColumn") - number("startColumn"), 15);
    }
}

mod github {
    use super::*;

    #[test]
    fn an_annotation_is_a_command_a_line() {
        let home = Home::new();
        home.write("notes.txt", "one\né😀: jan@example.com\n+31612345678");
        let output = run(home.nymize(&["scan", "--github", "./notes.txt"]));
        assert_eq!(
            text(&output.stdout),
            format!(
                "::error title=nymize%3A EMAIL,file=notes.txt,line=2,endLine=2,col=5,endColumn=20\
                 ::This is an e-mail address: {EMAIL}\n\
                 ::error title=nymize%3A PHONE,file=notes.txt,line=3,endLine=3,col=1,endColumn=13\
                 ::This is a phone number: {PHONE}\n"
            )
        );
        assert_eq!(output.status.code(), Some(1));
    }

    /// A name must not end the command, nor begin another.
    #[cfg(unix)]
    #[test]
    fn names_are_encoded() {
        let home = Home::new();
        let name = "a%,b: c\r\n::stop-commands::x\u{1b}[31m";
        home.write(name, MAIL);
        let output = run(home.nymize(&["scan", "--github", name]));
        assert_eq!(
            text(&output.stdout),
            format!(
                "::error title=nymize%3A EMAIL,file=a%25%2Cb%3A c%0D%0A%3A%3Astop-commands%3A%3Ax␛[31m,\
                 line=1,endLine=1,col=6,endColumn=21::This is an e-mail address: {EMAIL}\n"
            )
        );
    }

    #[test]
    fn stdin_has_no_file() {
        let home = Home::new();
        let output = feed(home.nymize(&["scan", "--github"]), MAIL);
        assert_eq!(
            text(&output.stdout),
            format!(
                "::error title=nymize%3A EMAIL::stdin, line 1, column 6: \
                 This is an e-mail address: {EMAIL}\n"
            )
        );
    }
}

/// One form at a time, and values in none that is uploaded.
#[test]
fn forms_exclude_each_other_and_values() {
    let home = Home::new();
    for args in [
        &["scan", "--sarif", "--json"][..],
        &["scan", "--github", "--json"],
        &["scan", "--github", "--sarif"],
        &["scan", "--sarif", "--show-values"],
        &["scan", "--show-values", "--github"],
    ] {
        failed(&feed(home.nymize(args), MAIL), &["cannot be used with"]);
    }
}
