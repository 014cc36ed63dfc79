//! The commands of `docs/harness.md`, run as they stand there.

use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::cmd::{EMAIL, Home, KEY, feed, text, wrote};
use crate::shell;

const DOCS: &str = include_str!("../../docs/harness.md");

/// The one block of code in this language.
fn block(language: &str) -> &'static str {
    let opening = format!("```{language}\n");
    let mut blocks = DOCS.split(opening.as_str()).skip(1);
    let block = blocks.next().and_then(|rest| rest.split("```").next());
    assert!(blocks.next().is_none(), "one block of {language}");
    block.expect("a block")
}

/// Hands an event to the hook for Claude Code.
fn hook(home: &Home, key: &str, event: &Value) -> Output {
    hook_raw(home, key, &event.to_string())
}

fn hook_raw(home: &Home, key: &str, event: &str) -> Output {
    let script = home.write("hook.py", block("python"));
    let python = Command::new("python3")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    assert!(python.is_ok(), "this test needs python3 on the PATH");
    let mut command = shell::sh(home, "", &["-c", "exec python3 \"$HOOK\""]);
    command.env("HOOK", script).env("NYMIZE_KEY", key);
    feed(command, event)
}

fn after(tool: &str, response: &Value) -> Value {
    json!({
        "session_id": "b1e2", "hook_event_name": "PostToolUse", "tool_name": tool,
        "tool_input": {"command": "cat a"}, "tool_response": response
    })
}

#[test]
fn the_hook_replaces_a_result_in_its_own_shape() {
    let home = Home::new();
    let bash =
        |line: &str| json!({"stdout": format!("a\n{line}"), "stderr": "", "interrupted": false});
    let read = |line: &str| json!({"type": "text", "file": {"content": line, "numLines": 1}});
    let mcp = |line: &str| json!([{"type": "text", "text": line}]);
    for shape in [&bash as &dyn Fn(&str) -> Value, &read, &mcp] {
        let output = hook(&home, KEY, &after("x", &shape("jan@example.com")));
        let answer: Value = serde_json::from_str(wrote(&output)).expect("JSON");
        let expected = json!({"hookEventName": "PostToolUse", "updatedToolOutput": shape(EMAIL)});
        assert_eq!(answer["hookSpecificOutput"], expected);
        let output = hook(&home, KEY, &after("x", &shape("nothing")));
        assert_eq!(
            wrote(&output),
            "",
            "and is silent where there is nothing to say"
        );
    }
}

#[test]
fn the_hook_withholds_a_result_that_it_cannot_filter() {
    let result =
        json!({"type": "text", "file": {"content": "jan@example.com", "ok": true, "n": [7]}});
    let output = hook(&Home::new(), "", &after("Read", &result));
    let answer: Value = serde_json::from_str(wrote(&output)).expect("JSON");
    let held = "[withheld: the filter failed]";
    assert_eq!(
        answer["hookSpecificOutput"]["updatedToolOutput"],
        json!({"type": "text", "file": {"content": held, "ok": true, "n": [0]}})
    );
}

#[test]
fn the_hook_sends_a_prompt_back_filtered() {
    let home = Home::new();
    let event = |prompt: &str| json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt});
    let output = hook(&home, KEY, &event("Mail jan@example.com"));
    let answer: Value = serde_json::from_str(wrote(&output)).expect("JSON");
    assert_eq!(answer["decision"], "block");
    assert!(
        answer["reason"]
            .as_str()
            .is_some_and(|reason| reason.ends_with(&format!("Mail {EMAIL}")))
    );
    assert_eq!(wrote(&hook(&home, KEY, &event("Mail Jan"))), "");
}

/// Status 2 alone blocks; it must not be 1, and nothing may be on stdout.
#[test]
fn the_hook_blocks_when_it_fails() {
    let home = Home::new();
    let tool = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    assert_eq!(wrote(&hook(&home, KEY, &tool)), "");
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "jan@example.com"});
    for (key, event) in [
        ("", &tool),
        ("", &prompt),
        (KEY, &json!({"prompt": "jan@example.com"})),
        (KEY, &json!("jan@example.com")),
    ] {
        let output = hook(&home, key, event);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty() && !text(&output.stderr).contains("jan@"));
    }
}

#[test]
fn the_settings_are_json_and_name_every_event_of_the_hook() {
    let settings: Value = serde_json::from_str(block("json")).expect("JSON");
    let events = settings["hooks"].as_object().expect("events");
    for event in events.keys() {
        assert!(block("python").contains(&format!("\"{event}\"")));
    }
    assert_eq!(events.len(), 3);
}

#[test]
fn the_check_at_start_tells_whether_the_filter_works() {
    let home = Home::new();
    for (key, status) in [(KEY, 0), ("", 2)] {
        let mut command = shell::sh(&home, "", &["-c", block("sh")]);
        command.env("NYMIZE_KEY", key);
        assert_eq!(crate::cmd::run(command).status.code(), Some(status));
    }
}
