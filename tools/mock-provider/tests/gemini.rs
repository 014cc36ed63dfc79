//! Gemini generate content, by a real client.

mod common;

use common::{joined, post, start};
use serde_json::{Value, json};

const PLAIN: &str = "/v1beta/models/gemini-3-pro:generateContent";
const STREAM: &str = "/v1beta/models/gemini-3-pro:streamGenerateContent";
const SAID: &str = "Received [[EMAIL_6c1f0a9e]] and [[PHONE_d24b7c03]], Grüße";

fn request() -> Value {
    json!({
        "system_instruction": {"parts": [{"text": "Be brief."}]},
        "contents": [{"role": "user", "parts": [{"text": SAID}]}]
    })
}

fn answered() -> String {
    format!("The provider was sent: {SAID}")
}

#[test]
fn a_plain_answer_has_the_shape_of_a_response() {
    let provider = start(None);
    let answer = post(&provider, PLAIN, request().to_string()).json();
    let candidate = &answer["candidates"][0];
    assert_eq!(
        candidate["content"],
        json!({"parts": [{"text": answered()}], "role": "model"})
    );
    assert_eq!(candidate["finishReason"], "STOP");
    assert_eq!(answer["modelVersion"], "gemini-3-pro");
    assert!(answer["responseId"].is_string());
    let usage = |name: &str| answer["usageMetadata"][name].as_u64().expect("a count");
    assert_eq!(
        usage("totalTokenCount"),
        usage("promptTokenCount") + usage("candidatesTokenCount")
    );
}

#[test]
fn a_stream_of_events_holds_the_text_in_pieces() {
    let provider = start(None);
    let answer = post(
        &provider,
        &format!("{STREAM}?alt=sse"),
        request().to_string(),
    );
    let chunks = answer.data();
    assert!(chunks.len() > 3);
    assert!(
        answer.body.ends_with("\r\n\r\n")
            && answer.events().iter().all(|(name, _)| name.is_empty())
    );
    assert_eq!(
        joined(&chunks, "/candidates/0/content/parts/0/text"),
        answered()
    );
    let ends: Vec<bool> = chunks
        .iter()
        .map(|chunk| chunk["candidates"][0].get("finishReason").is_some())
        .collect();
    assert_eq!(ends.iter().filter(|end| **end).count(), 1);
    assert_eq!(ends.last(), Some(&true));
}

#[test]
fn a_stream_without_sse_is_one_json_array() {
    let provider = start(None);
    let answer = post(&provider, STREAM, request().to_string());
    assert_eq!(answer.content_type, "application/json; charset=utf-8");
    let chunks = answer.json();
    let chunks = chunks.as_array().expect("an array");
    assert!(chunks.len() > 3);
    assert_eq!(
        joined(chunks, "/candidates/0/content/parts/0/text"),
        answered()
    );
}

#[test]
fn thinking_is_signed_plain_and_streamed() {
    let provider = start(None);
    let mut asking = request();
    asking["generationConfig"] = json!({"thinkingConfig": {"includeThoughts": true}});
    let answer = post(&provider, PLAIN, asking.to_string()).json();
    let parts = &answer["candidates"][0]["content"]["parts"];
    assert_eq!(parts[0]["thought"], true);
    assert_eq!(parts[1]["text"], answered());
    let signature = parts[1]["thoughtSignature"].as_str().expect("a signature");
    let chunks = post(&provider, &format!("{STREAM}?alt=sse"), asking.to_string()).data();
    let last = &chunks.last().expect("chunks")["candidates"][0]["content"]["parts"][0];
    assert_eq!(*last, json!({"text": "", "thoughtSignature": signature}));
    assert_eq!(
        joined(&chunks, "/candidates/0/content/parts/0/thoughtSignature"),
        signature
    );
}

#[test]
fn a_function_call_comes_first_and_its_response_is_answered() {
    for path in [PLAIN, STREAM] {
        let provider = start(Some("notes.txt"));
        let mut asking = request();
        asking["tools"] =
            json!([{"functionDeclarations": [{"name": "list"}, {"name": "readText"}]}]);
        let answer = post(&provider, path, asking.to_string()).json();
        let answer = if path == STREAM { &answer[0] } else { &answer };
        let candidate = &answer["candidates"][0];
        assert_eq!(candidate["finishReason"], "STOP");
        let part = &candidate["content"]["parts"][0];
        assert_eq!(part["functionCall"]["name"], "readText");
        assert_eq!(part["functionCall"]["args"], json!({"path": "notes.txt"}));
        assert!(
            part["thoughtSignature"]
                .as_str()
                .is_some_and(|text| text.len() == 480)
        );

        let contents = asking["contents"].as_array_mut().expect("contents");
        contents.push(candidate["content"].clone());
        let response = json!({"name": "readText", "response": {"output": {"lines": ["[[CARD_44444444]]", 7, "end"]}}});
        contents.push(json!({"role": "user", "parts": [{"functionResponse": response}]}));
        let answer = post(&provider, PLAIN, asking.to_string()).json();
        let text = &answer["candidates"][0]["content"]["parts"][0]["text"];
        assert_eq!(text, "The provider was sent: [[CARD_44444444]]\nend");
    }
}

#[test]
fn the_other_spelling_of_the_fields_is_read_too() {
    let provider = start(Some("notes.txt"));
    let mut asking = request();
    asking["tools"] = json!([{"function_declarations": [{"name": "read_it"}]}]);
    let answer = post(&provider, PLAIN, asking.to_string()).json();
    assert_eq!(
        answer["candidates"][0]["content"]["parts"][0]["functionCall"]["name"],
        "read_it"
    );
    asking["contents"] =
        json!([{"role": "function", "parts": [{"function_response": {"response": {"a": "b"}}}]}]);
    let answer = post(&provider, PLAIN, asking.to_string()).json();
    assert_eq!(
        answer["candidates"][0]["content"]["parts"][0]["text"],
        "The provider was sent: b"
    );
}

#[test]
fn refusals_have_the_shape_of_the_api() {
    let provider = start(None);
    for (path, body) in [
        (PLAIN, "{"),
        (STREAM, "{}"),
        (PLAIN, r#"{"contents": "x"}"#),
    ] {
        let answer = post(&provider, path, body);
        assert_eq!(answer.status, 400, "{body}");
        let error = answer.json()["error"].clone();
        assert_eq!(
            (error["code"].as_u64(), error["status"].as_str()),
            (Some(400), Some("INVALID_ARGUMENT"))
        );
    }
    assert_eq!(provider.requests().expect("the log is read").len(), 3);
}
