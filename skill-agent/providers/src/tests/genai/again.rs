//! Tests that reasoning, signatures, calls and their results are sent back to the provider.

use super::*;
use serde_json::Value;
use skill_agent_chat::TextPart;

/// Returns the messages of the request after a completion.
async fn sent_back(
    kind: AdapterKind,
    then: AdapterKind,
    response: Response,
    results: &[Result<&str, &str>],
) -> Value {
    let server = Server::start([response, Response::stream("")]).await;
    let first = collected(events(&model(&server, kind), question()).await);
    events(&model(&server, then), next(first.parts, results)).await;
    let mut body = server.body();
    ["contents", "messages"]
        .into_iter()
        .find_map(|key| body.get_mut(key).map(Value::take))
        .unwrap()
}

#[tokio::test]
async fn signatures_and_results_go_back_to_gemini() {
    let answer = || {
        Response::events(&[
            r#"{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true},{"text":"So.","thoughtSignature":"s0"}]}}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"add","args":{"text":"a"}},"thoughtSignature":"s1"}]}}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"add","args":{"text":"b"},"id":"f2"}}]},"finishReason":"STOP"}]}"#,
        ])
    };
    let (kind, results) = (AdapterKind::Gemini, [Ok("1"), Err("no")]);
    let sent = sent_back(kind, kind, answer(), &results).await;
    let response = |content: &str| json!({ "name": "add", "content": content });
    assert_eq!(
        sent,
        json!([
            { "role": "user", "parts": [{ "text": "Hello?" }] },
            { "role": "model", "parts": [
                { "text": "So.", "thoughtSignature": "s0" },
                { "functionCall": { "name": "add", "args": { "text": "a" } }, "thoughtSignature": "s1" },
                { "functionCall": { "name": "add", "args": { "text": "b" }, "id": "f2" } },
            ] },
            { "role": "user", "parts": [
                { "functionResponse": { "name": "add", "response": response("1") } },
                { "functionResponse": { "name": "add", "response": response(r#"{"error":"no"}"#), "id": "f2" } },
            ] },
        ])
    );
    // another provider receives ids and no signatures
    let sent = sent_back(kind, AdapterKind::OpenAI, answer(), &results).await;
    let call = |id: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": "add", "arguments": arguments } });
    assert_eq!(
        sent.as_array().unwrap()[1..],
        [
            json!({
                "role": "assistant",
                "content": "So.",
                "tool_calls": [call("call00000", r#"{"text":"a"}"#), call("call00001", r#"{"text":"b"}"#)],
            }),
            json!({ "role": "tool", "tool_call_id": "call00000", "content": "1" }),
            json!({ "role": "tool", "tool_call_id": "call00001", "content": r#"{"error":"no"}"# }),
        ]
    );
}

#[tokio::test]
async fn reasoning_goes_back_to_chat_completions() {
    let answer = || {
        completions(&[
            r#"{"choices":[{"delta":{"reasoning_content":"Hm."}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"add","arguments":"{\"te"}}]}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
        ])
    };
    let kind = AdapterKind::DeepSeek;
    let sent = sent_back(kind, kind, answer(), &[Err("no")]).await;
    let arguments = json!({ "INVALID_JSON": "{\"te" }).to_string();
    assert_eq!(
        sent[1],
        json!({
            "role": "assistant",
            "content": "",
            "reasoning_content": "Hm.",
            "tool_calls": [{ "id": "c1", "type": "function", "function": { "name": "add", "arguments": arguments } }],
        })
    );
    // neither another provider nor one that refuses reasoning receives it
    let groq = AdapterKind::Groq;
    for (kind, then) in [(kind, AdapterKind::OpenAI), (groq, groq)] {
        let sent = sent_back(kind, then, answer(), &[Err("no")]).await;
        assert_eq!(sent[1].get("reasoning_content"), None);
    }
}

#[tokio::test]
async fn each_result_is_a_message_for_ollama() {
    let lines = [
        r#"{"message":{"content":"","tool_calls":[{"function":{"name":"add","arguments":{}}},{"function":{"name":"add","arguments":{}}}]}}"#,
        r#"{"message":{"content":""},"done":true,"done_reason":"stop"}"#,
    ];
    let response = Response::stream(lines.map(|line| format!("{line}\n")).concat());
    let kind = AdapterKind::Ollama;
    let sent = sent_back(kind, kind, response, &[Ok("1"), Ok("2")]).await;
    assert_eq!(
        sent.as_array().unwrap()[2..],
        [
            json!({ "role": "tool", "content": "1" }),
            json!({ "role": "tool", "content": "2" })
        ]
    );
}

#[tokio::test]
async fn reasoning_alone_does_not_go_back() {
    let part = TextPart::new("a");
    let item = skill_agent_chat::KeptItem::new("genai_openai", r#"[{"reasoning":"a"}]"#);
    let part = MessagePart::Reasoning(part.with_item(item));
    let server = Server::start([Response::stream("")]).await;
    events(&chat(&server), next(vec![part], &[])).await;
    assert_eq!(server.body()["messages"].as_array().unwrap().len(), 1);
}
