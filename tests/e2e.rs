//! A provider gets placeholders and nothing else: requests of four APIs go through the real
//! nymize and the real curl, by the scripts of `examples/curl-pipe`, to a provider on loopback
//! that records what reaches it.

#![cfg(unix)]

#[path = "e2e/apis.rs"]
mod apis;
mod cmd;
#[path = "e2e/docs.rs"]
mod docs;
#[path = "e2e/planted.rs"]
mod planted;
#[path = "e2e/shell.rs"]
mod shell;

use apis::Api;
use cmd::{Home, KEY, feed, run, text, wrote};
use mock_provider::{Handle, Recorded};
use planted::{Placeholders, assert_no_value, file_content, written};
use serde_json::Value;

const OTHER_KEY: &str = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";

/// A chat of two turns: in the first the model asks for a file. What was sent, and what the
/// model wrote in the end.
struct Chat {
    sent: [Value; 2],
    text: String,
}

fn json(output: &std::process::Output) -> Value {
    serde_json::from_str(wrote(output)).expect("a JSON answer")
}

fn chat(api: &Api, provider: &Handle, key: &str) -> Chat {
    let home = Home::new();
    let first = (api.first)();
    let answer = json(&shell::send(
        &home,
        provider,
        api.script,
        key,
        &written(&first),
    ));
    let second = (api.second)(&first, &answer, &file_content());
    let answer = json(&shell::send(
        &home,
        provider,
        api.script,
        key,
        &written(&second),
    ));
    Chat {
        sent: [first, second],
        text: (api.text)(&answer),
    }
}

fn log(provider: &Handle) -> Vec<Recorded> {
    provider.requests().expect("a readable log")
}

#[test]
fn the_provider_gets_placeholders_and_all_else_as_it_was_sent() {
    let placeholders = Placeholders::under(KEY);
    for api in &apis::ALL {
        let provider = shell::provider();
        let chat = chat(api, &provider, KEY);
        let log = log(&provider);
        assert_eq!(log.len(), 2, "{}", api.script);
        for (sent, recorded) in chat.sent.iter().zip(&log) {
            assert_no_value(&recorded.line);
            assert_eq!(recorded.path, api.paths[0]);
            // White space and the spelling of numbers are not in the log; their length is.
            let length = placeholders.wire_length(sent).to_string();
            assert_eq!(recorded.headers["content-length"], length, "{}", api.script);
            // Ids, signatures, images, model names and numbers too: nothing but values differs.
            assert_eq!(recorded.body, placeholders.filtered(sent), "{}", api.script);
        }
        let read = placeholders.filtered_text(&file_content());
        assert!(chat.text.contains(&read), "the model read {}", chat.text);
    }
}

#[test]
fn every_turn_and_every_run_with_the_key_gives_the_same_placeholders() {
    let (ours, others) = (Placeholders::under(KEY), Placeholders::under(OTHER_KEY));
    for api in &apis::ALL {
        let provider = shell::provider();
        for key in [KEY, KEY, OTHER_KEY] {
            chat(api, &provider, key);
        }
        let log = log(&provider);
        let bodies: Vec<&Value> = log.iter().map(|recorded| &recorded.body).collect();
        assert_eq!(bodies[..2], bodies[2..4], "{}", api.script);
        for (recorded, (wanted, other)) in log.iter().zip(
            [(&ours, &others); 4]
                .into_iter()
                .chain([(&others, &ours); 2]),
        ) {
            for jan in planted::JAN {
                assert!(recorded.line.contains(wanted.of(jan)));
                assert!(!recorded.line.contains(other.of(jan)));
            }
        }
    }
}

#[test]
fn a_streamed_answer_comes_back_whole() {
    for api in &apis::ALL {
        let provider = shell::provider();
        let Chat {
            sent: [_, second],
            text,
        } = chat(api, &provider, KEY);
        let mut second = second;
        let home = Home::new();
        let mut command = shell::sh(&home, &provider.url(), &[shell::script(api.script)]);
        command.env("NYMIZE_KEY", KEY);
        if api.paths[0] == api.paths[1] {
            second["stream"] = true.into();
        } else {
            command.env("STREAM", "1");
        }
        let output = feed(command, written(&second));
        let events = shell::events(wrote(&output));
        assert!(events.len() > 2, "{}: in pieces", api.script);
        let streamed: String = events.iter().filter_map(api.delta).collect();
        assert_eq!(streamed, text, "{}", api.script);
        assert_eq!(log(&provider)[2].path, api.paths[1]);
        assert_no_value(&log(&provider)[2].line);
    }
}

/// Protocol fields that look like values, each at its place in a second turn.
fn look_alikes(script: &str) -> &'static [(&'static str, &'static str)] {
    match script {
        "openai.sh" => &[
            ("/model", "ft:gpt-4o-mini:noordwind:4111111111111111"),
            (
                "/messages/1/content/1/image_url/url",
                "data:image/png;base64,AAAA+31612345678/AAA",
            ),
            ("/messages/2/tool_calls/1/id", "call_4111111111111111"),
            ("/messages/3/tool_call_id", "call_4111111111111111"),
        ],
        "openai-responses.sh" => &[
            (
                "/input/0/content/1/image_url",
                "data:image/png;base64,AAAA+31612345678/AAA",
            ),
            ("/input/1/id", "rs_4111-1111-1111-1111"),
            (
                "/input/1/encrypted_content",
                "gAAAAAB-4111-1111-1111-1111-AAAA",
            ),
            ("/input/3/call_id", "call_4111111111111111"),
            ("/input/4/call_id", "call_4111111111111111"),
        ],
        "anthropic.sh" => &[
            ("/messages/0/content/1/source/data", "AAAA+31612345678/AAA"),
            (
                "/messages/1/content/0/signature",
                "EqQB+31612345678/+4930901820",
            ),
            ("/messages/1/content/3/id", "toolu_4111-1111-1111-1111"),
            (
                "/messages/2/content/1/tool_use_id",
                "toolu_4111-1111-1111-1111",
            ),
        ],
        "gemini.sh" => &[
            (
                "/contents/0/parts/1/inlineData/data",
                "AAAA+31612345678/AAA",
            ),
            (
                "/contents/1/parts/1/thoughtSignature",
                "EqQB+31612345678/+4930901820",
            ),
            (
                "/contents/1/parts/2/functionCall/id",
                "call-4111111111111111",
            ),
            (
                "/contents/2/parts/0/functionResponse/id",
                "call-4111111111111111",
            ),
        ],
        other => panic!("no such script: {other}"),
    }
}

/// One changed byte in a signature or an image makes a session unusable for good.
#[test]
fn ids_signatures_and_images_that_look_like_values_arrive_untouched() {
    let placeholders = Placeholders::under(KEY);
    for api in &apis::ALL {
        let provider = shell::provider();
        let Chat {
            sent: [_, mut second],
            ..
        } = chat(api, &provider, KEY);
        let mut expected = placeholders.filtered(&second);
        for &(place, look_alike) in look_alikes(api.script) {
            for body in [&mut second, &mut expected] {
                let field = body
                    .pointer_mut(place)
                    .unwrap_or_else(|| panic!("{}: {place}", api.script));
                assert!(field.is_string(), "{}: {place}", api.script);
                *field = look_alike.into();
            }
        }
        let body = written(&second);
        shell::send(&Home::new(), &provider, api.script, KEY, &body);
        assert_eq!(log(&provider)[2].body, expected, "{}", api.script);
    }
}

/// The scripts, and Ollama's, whose own API the provider does not answer.
fn scripts() -> impl Iterator<Item = &'static str> {
    apis::ALL.iter().map(|api| api.script).chain(["ollama.sh"])
}

#[test]
fn without_a_key_nothing_is_sent() {
    let provider = shell::provider();
    let home = Home::new();
    let garbage = home.write("garbage", "not a key\n");
    let half = home.write("half", &KEY[..32]);
    let body = written(&apis_first());
    for script in scripts() {
        for (name, value) in [
            ("NYMIZE_KEY", "".into()),
            ("NYMIZE_KEY", KEY[1..].into()),
            ("NYMIZE_KEY_FILE", garbage.clone().into_os_string()),
            ("NYMIZE_KEY_FILE", half.clone().into_os_string()),
            ("NYMIZE_KEY_FILE", home.path("none").into_os_string()),
        ] {
            let mut command = shell::sh(&home, &provider.url(), &[shell::script(script)]);
            command.env(name, value);
            cmd::failed(&feed(command, &body), &["key"]);
        }
        // An option that nymize does not know, such as an older version's.
        let args = [shell::script(script).into_os_string(), "--no-such".into()];
        let mut command = shell::sh(&home, &provider.url(), &args);
        command.env("NYMIZE_KEY", KEY);
        cmd::failed(&feed(command, &body), &["--no-such"]);
    }
    assert!(log(&provider).is_empty());
    assert!(!home.key_file().exists());
}

fn apis_first() -> Value {
    (apis::ALL[0].first)()
}

#[test]
fn a_plain_pipe_asks_the_provider_all_the_same() {
    // Why the recipes are no plain pipe: curl starts, and sends, before nymize has failed.
    let provider = shell::provider();
    let home = Home::new();
    let pipe = "nymize | curl -sS --data-binary @- \"$BASE_URL/v1/chat/completions\"";
    let mut command = shell::sh(&home, &provider.url(), &["-c", pipe]);
    command.env("NYMIZE_KEY", "");
    let output = feed(command, written(&apis_first()));
    assert_eq!(
        output.status.code(),
        Some(0),
        "and the shell finds no fault"
    );
    let log = log(&provider);
    assert_eq!(log.len(), 1);
    assert_eq!(log[0].body, "");
}

#[test]
fn ollama_gets_placeholders() {
    let provider = shell::provider();
    let placeholders = Placeholders::under(KEY);
    // In Ollama's API arguments are an object, and images bare base64.
    let body = serde_json::json!({
        "model": "llama3.2:3b",
        "messages": [
            {"role": "system", "content": planted::IN_SYSTEM},
            {"role": "user", "content": planted::ESCAPED, "images": ["iVBORw0KGgo="]},
            {"role": "assistant", "content": "", "tool_calls": [
                {"function": {"name": "pay", "arguments": {"card": planted::IN_ARGUMENTS}}}
            ]},
            {"role": "tool", "tool_name": "pay", "content": file_content()}
        ],
        "options": {"num_ctx": 8192}
    });
    let output = shell::send(&Home::new(), &provider, "ollama.sh", KEY, &written(&body));
    assert_eq!(
        output.status.code(),
        Some(22),
        "curl: an HTTP error, as this API is unknown here"
    );
    let log = log(&provider);
    assert_eq!(log[0].path, "/api/chat");
    assert_no_value(&log[0].line);
    assert_eq!(log[0].body, placeholders.filtered(&body));
}

/// The recipes of README.md, word by word but for the provider's address.
#[test]
fn the_readmes_recipes_send_placeholders() {
    assert!(
        shell::curl_version() >= (7, 82),
        "`curl --json` came with 7.82"
    );
    let readme = include_str!("../README.md");
    let block = readme
        .split("```")
        .find(|block| block.contains("# OpenAI\n"));
    let block = block.and_then(|block| block.strip_prefix("sh\n"));
    let recipes: Vec<&str> = block.expect("the recipes").split("\n\n").collect();
    assert_eq!(recipes.len(), 3);
    let placeholders = Placeholders::under(KEY);
    for recipe in recipes {
        let provider = shell::provider();
        let home = Home::new();
        let body = apis_first();
        home.write("request.json", written(&body));
        let mut line = recipe.to_owned();
        for host in [
            "https://api.openai.com",
            "https://api.anthropic.com",
            "http://localhost:11434",
        ] {
            line = line.replace(host, &provider.url());
        }
        assert!(line.contains(&provider.url()), "{recipe}");
        let mut command = shell::sh(&home, &provider.url(), &["-c", &line]);
        command.env("NYMIZE_KEY", KEY);
        run(command);
        let sent = log(&provider);
        assert_eq!(sent.len(), 1, "{recipe}");
        assert_no_value(&sent[0].line);
        assert_eq!(sent[0].body, placeholders.filtered(&body));

        let mut command = shell::sh(&home, &provider.url(), &["-c", &line]);
        command.env("NYMIZE_KEY", "");
        let output = run(command);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert_eq!(log(&provider).len(), 1, "{recipe}");
    }
}
