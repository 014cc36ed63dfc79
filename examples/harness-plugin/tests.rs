//! The agent against a provider on loopback that records what it is sent, and, for what the
//! provider never asks for, against one that plays a part.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use clap::Parser;
use mock_provider::{Config, Handle, MockProvider, Recorded};
use nymize::{Key, Pseudonymizer};
use serde_json::Value;
use tempfile::TempDir;

use crate::Options;
use crate::agent::Agent;
use crate::chat::{Message, Request, ToolCall};
use crate::plugin::{NOTE, Plugin, Settings};
use crate::provider::Provider;
use crate::tools::Tools;

/// The bytes 0, 1, … 31.
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// `jan@example.com` under [`KEY`]; worked out by another program.
const JAN: &str = "[[EMAIL_3cdd8ba8]]";
/// `+31612345678` under [`KEY`]; worked out by another program.
const PHONE: &str = "[[PHONE_ea44edfc]]";
const NOTES: &str = "Jan is jan@example.com\nor +31 6 1234 5678.\n";

/// A folder with a key file and notes, and a provider that asks to read a file of it.
struct Scene {
    folder: TempDir,
    provider: Handle,
}

/// What the agent wrote.
struct Told {
    out: String,
    notices: String,
}

impl Scene {
    fn reading(path: &str) -> Scene {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Made as a key file is made, for its mode; then given the key that the tests know.
        let key = folder.path().join("key");
        Key::create(&key).expect("a key file");
        fs::write(&key, KEY).expect("a key file");
        fs::write(folder.path().join("notes.txt"), NOTES).expect("a file");
        let config = Config {
            read_file: Some(path.to_owned()),
            ..Config::default()
        };
        let provider = MockProvider::start(config).expect("loopback has a free port");
        Scene { folder, provider }
    }

    /// Runs the example as its command line does.
    fn run(&self, args: &[&str]) -> Result<Told, String> {
        let base_url = format!("{}/v1", self.provider.url());
        let folder = self.path("");
        let key_file = self.path("key");
        let fixed = [
            "harness-plugin",
            "--base-url",
            &base_url,
            "--folder",
            &folder,
            "--key-file",
            &key_file,
        ];
        let options = Options::try_parse_from(fixed.iter().chain(args)).expect("options");
        let (mut out, mut notices) = (Vec::new(), Vec::new());
        crate::run(options, &mut out, &mut notices).map_err(|failure| failure.to_string())?;
        Ok(Told {
            out: String::from_utf8(out).expect("UTF-8"),
            notices: String::from_utf8(notices).expect("UTF-8"),
        })
    }

    fn path(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        path.to_str().expect("UTF-8").to_owned()
    }

    fn log(&self) -> Vec<Recorded> {
        self.provider.requests().expect("a readable log")
    }
}

fn content(recorded: &Recorded, message: usize) -> &str {
    recorded.body["messages"][message]["content"]
        .as_str()
        .expect("a message")
}

#[test]
fn the_provider_gets_placeholders_from_every_message() {
    let scene = Scene::reading("notes.txt");
    let told = scene
        .run(&[
            "--system-prompt",
            "You work for JAN@Example.com.",
            "Mail jan@example.com or call +31612345678.",
        ])
        .expect("two requests");
    let log = scene.log();
    assert_eq!(log.len(), 2);
    for recorded in &log {
        assert_eq!(
            content(recorded, 0),
            format!("You work for {JAN}.\n\n{NOTE}")
        );
        assert_eq!(content(recorded, 1), format!("Mail {JAN} or call {PHONE}."));
        assert!(!recorded.line.to_lowercase().contains("example.com"));
        assert!(!recorded.line.contains("1234"));
    }
    assert_eq!(content(&log[1], 3), format!("Jan is {JAN}\nor {PHONE}.\n"));
    assert_eq!(
        told.out,
        format!("The provider was sent: Jan is {JAN}\nor {PHONE}.\n\n")
    );
    // Of the second request, only what is new; and counts alone.
    assert_eq!(
        told.notices,
        "nymize: replaced 3 (2 EMAIL, 1 PHONE)\nnymize: replaced 2 (1 EMAIL, 1 PHONE)\n"
    );
}

#[test]
fn the_arguments_of_a_call_and_the_error_of_a_tool_are_filtered() {
    let scene = Scene::reading("of/jan@example.com.txt");
    scene.run(&["Read it."]).expect("two requests");
    let log = scene.log();
    let call = &log[1].body["messages"][2]["tool_calls"][0]["function"]["arguments"];
    assert_eq!(*call, format!(r#"{{"path":"of/{JAN}.txt"}}"#));
    assert!(content(&log[1], 3).starts_with(&format!("error: of/{JAN}.txt: ")));
    assert!(!log[1].line.contains("jan@"));
}

#[test]
fn switches_leave_out_what_they_name() {
    let scene = Scene::reading("notes.txt");
    let prompt = [
        "--system-prompt",
        "For jan@example.com.",
        "Mail jan@example.com.",
    ];
    let run = |switch| {
        scene
            .run(&[&[switch][..], &prompt].concat())
            .expect("two requests")
    };

    let told = run("--no-system");
    let log = scene.log();
    assert!(content(&log[1], 0).starts_with("For jan@example.com.\n"));
    assert_eq!(content(&log[1], 1), format!("Mail {JAN}."));
    assert!(content(&log[1], 3).contains(JAN));
    assert!(told.notices.starts_with("nymize: replaced 1 (1 EMAIL)\n"));

    run("--no-tool-results");
    let log = scene.log();
    assert!(content(&log[3], 0).contains(JAN) && content(&log[3], 1).contains(JAN));
    assert_eq!(content(&log[3], 3), NOTES);

    let told = run("--no-notify");
    assert!(!scene.log()[5].line.contains("jan@"));
    assert_eq!(told.notices, "");
}

#[test]
fn an_exempt_tool_keeps_real_values() {
    let scene = Scene::reading("notes.txt");
    scene
        .run(&["--exempt", "read_file", "Mail jan@example.com."])
        .expect("two requests");
    let log = scene.log();
    assert_eq!(content(&log[1], 1), format!("Mail {JAN}."));
    assert_eq!(content(&log[1], 3), NOTES);
}

#[test]
fn without_a_key_nothing_is_sent() {
    let scene = Scene::reading("notes.txt");
    for content in ["", "garbage", &KEY[1..]] {
        fs::write(scene.folder.path().join("key"), content).expect("a key file");
        let error = scene.run(&["Mail jan@example.com."]).err().expect("no key");
        assert!(error.contains("key") && !error.contains("jan@"), "{error}");
    }
    assert!(scene.log().is_empty());
}

/// A model that makes these calls, one a request, and keeps what it was shown.
struct Script {
    calls: RefCell<Vec<ToolCall>>,
    shown: RefCell<Vec<Request>>,
}

impl Script {
    fn calling(calls: &[(&str, Value)]) -> Script {
        let call = |(name, arguments): &(&str, Value)| ToolCall {
            id: "call_1".into(),
            name: (*name).to_owned(),
            arguments: arguments.to_string(),
        };
        Script {
            calls: RefCell::new(calls.iter().rev().map(call).collect()),
            shown: RefCell::default(),
        }
    }

    /// The text of the last message that it was shown.
    fn last(&self) -> String {
        let shown = self.shown.borrow();
        match shown.last().and_then(|request| request.messages.last()) {
            Some(Message::Tool { text, .. } | Message::User(text)) => text.clone(),
            other => panic!("{other:?}"),
        }
    }
}

impl Provider for Script {
    fn complete(&self, request: &Request) -> Result<Message, crate::Failure> {
        self.shown.borrow_mut().push(request.clone());
        Ok(Message::Assistant {
            text: String::new(),
            calls: self.calls.borrow_mut().pop().into_iter().collect(),
        })
    }
}

/// Runs a script in a folder; returns the notices.
fn play(script: &Script, folder: &Path, strict: bool, exempt: &[&str]) -> String {
    let key = Key::from_hex(KEY).expect("64 hex digits");
    let engine = Pseudonymizer::builder(key).build().expect("an engine");
    let settings = Settings {
        system: true,
        tool_results: true,
        notify: false,
        exempt: exempt.iter().map(|name| (*name).to_owned()).collect(),
        strict,
    };
    let (mut out, mut notices) = (Vec::new(), Vec::new());
    let mut agent = Agent {
        provider: script,
        plugin: Plugin::new(engine, settings),
        tools: Tools::in_folder(folder.to_owned()),
        out: &mut out,
        notices: &mut notices,
    };
    agent.run("", "Go.").expect("the script comes to its end");
    String::from_utf8(notices).expect("UTF-8")
}

#[test]
fn the_guard_warns_of_placeholders_that_a_file_did_not_hold() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("notes.txt");
    // As models write them back: also without brackets, escaped, in another case.
    for (old, new, warned) in [
        (NOTES, format!("Jan is {JAN}"), true),
        (NOTES, r"Jan is \[\[EMAIL_3cdd8ba8\]\]".into(), true),
        (NOTES, "Jan is [email_3CDD8BA8]".into(), true),
        ("", format!("{JAN} {PHONE}"), true),
        (
            NOTES,
            "Jan is away. See EMAIL_TEMPLATE and IP_1.".into(),
            false,
        ),
        (&format!("old {JAN}"), format!("new {JAN}"), false),
        (&format!("old {JAN}"), format!("new {JAN} {PHONE}"), true),
    ] {
        let write = serde_json::json!({"path": "notes.txt", "text": new});
        for strict in [false, true] {
            fs::write(&path, old).expect("a file");
            let script = Script::calling(&[("write_file", write.clone())]);
            let notices = play(&script, folder.path(), strict, &[]);
            let refused = warned && strict;
            assert_eq!(!notices.is_empty(), warned, "{new}");
            assert_eq!(script.last().starts_with("error: "), refused, "{new}");
            let content = fs::read_to_string(&path).expect("a file");
            assert_eq!(content, if refused { old } else { new.as_str() });
        }
    }
}

#[test]
fn the_guard_keeps_placeholders_out_of_tools_that_need_real_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mail = |to: &str| ("send_mail", serde_json::json!({"to": to, "text": "Hello"}));
    let script = Script::calling(&[mail(JAN), mail("jan@example.com")]);
    let notices = play(&script, folder.path(), false, &["send_mail"]);
    assert_eq!(
        notices,
        "nymize: refused: send_mail needs real values, and was given a placeholder\n"
    );
    let outbox = fs::read_to_string(folder.path().join("outbox.txt")).expect("one mail");
    assert_eq!(outbox, "to: jan@example.com\nHello\n\n");
    // And the call stays real in the history that the model is shown.
    let shown = script.shown.borrow();
    let Some(Message::Assistant { calls, .. }) = shown[2].messages.get(3) else {
        panic!("{:?}", shown[2].messages);
    };
    assert!(calls[0].arguments.contains("jan@example.com"));
}

#[test]
fn arguments_stay_json() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let arguments = serde_json::json!({
        "card": 4_111_111_111_111_111_u64, "order": 31_612_345_678_u64, "jan@example.com": ["\njan@example.com", 1.5, null]
    });
    let script = Script::calling(&[("pay", arguments)]);
    play(&script, folder.path(), false, &[]);
    let shown = script.shown.borrow();
    let Some(Message::Assistant { calls, .. }) = shown[1].messages.get(1) else {
        panic!("{:?}", shown[1].messages);
    };
    let seen: Value = serde_json::from_str(&calls[0].arguments).expect("JSON");
    let card = seen["card"].as_str().expect("a string");
    assert!(card.starts_with("[[CARD_") && card.ends_with("]]"));
    assert_eq!(seen["order"], 31_612_345_678_u64);
    assert_eq!(
        seen[JAN],
        serde_json::json!([format!("\n{JAN}"), 1.5, null])
    );
}

#[test]
fn tools_stay_in_their_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tools = Tools::in_folder(folder.path().to_owned());
    for path in ["../notes.txt", "/etc/hostname", "a/../../b"] {
        assert!(
            tools
                .read(path)
                .is_err_and(|error| error.contains("outside"))
        );
    }
}
