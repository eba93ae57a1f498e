//! Tests that a model's items are sent back to it unchanged.

use super::*;
use serde_json::{Value, from_str};
use skill_agent_chat::KeptItem;
use skill_agent_models::ToolCall;

/// Returns the messages of the request after a completion.
async fn sent_back(
    model: impl Fn(&Server) -> Box<dyn ChatModel>,
    response: &str,
    results: &[Result<&str, &str>],
    key: &str,
) -> Vec<Value> {
    let server = Server::start([Response::json(response), Response::json("{}")]).await;
    let model = model(&server);
    let first = collected(events(&*model, question()).await);
    events(&*model, next(first.parts, results)).await;
    let messages = server.body()[key].as_array().unwrap().clone();
    messages.into_iter().skip(1).collect()
}

#[tokio::test]
async fn thinking_goes_back_to_anthropic_also_where_its_text_is_empty() {
    let blocks = r#"[
        {"type":"thinking","thinking":"","signature":"EqQB"},
        {"type":"redacted_thinking","data":"EmwK"},
        {"type":"text","text":"Let me see."},
        {"type":"server_tool_use","id":"srv","name":"web_search","input":{"query":"x"}},
        {"type":"web_search_tool_result","tool_use_id":"srv","content":[{"encrypted_content":"e"}]},
        {"type":"tool_use","id":"t1","name":"add","input":{"text": 1.50}},
        {"type":"tool_use","id":"t2","name":"add","input":{}}
    ]"#;
    let response = format!(r#"{{"content":{blocks},"stop_reason":"tool_use"}}"#);
    let results = [Ok("1"), Err("no")];
    let model =
        |server: &Server| Box::new(anthropic(server).prompt_cache(false)) as Box<dyn ChatModel>;
    let messages = sent_back(model, &response, &results, "messages").await;
    assert_eq!(
        messages,
        [
            json!({ "role": "assistant", "content": from_str::<Value>(blocks).unwrap() }),
            json!({ "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "t1", "content": "1" },
            { "type": "tool_result", "tool_use_id": "t2", "content": "no", "is_error": true },
        ] }),
        ]
    );
}

#[tokio::test]
async fn reasoning_goes_back_to_other_servers_of_chat_completions() {
    let message = json!({
        "role": "assistant",
        "content": null,
        "reasoning": "Hm.",
        "reasoning_details": [{ "type": "reasoning.encrypted", "data": "x==" }],
        "tool_calls": [{
            "id": "c1", "type": "function", "function": { "name": "add", "arguments": "{ \"text\": 1 }" },
            "extra_content": { "google": { "thought_signature": "s" } },
        }],
    });
    let mut written = message.clone();
    written["annotations"] = json!([]);
    written["refusal"] = Value::Null;
    let response = json!({ "choices": [{ "finish_reason": "tool_calls", "message": written }] });
    let model = |server: &Server| Box::new(open_ai(server)) as Box<dyn ChatModel>;
    let messages = sent_back(model, &response.to_string(), &[Err("no")], "messages").await;
    let error = json!({ "role": "tool", "tool_call_id": "c1", "content": r#"{"error":"no"}"# });
    assert_eq!(messages, [message, error]);
}

#[tokio::test]
async fn pieces_of_reasoning_and_of_lists_are_put_together_before_they_go_back() {
    let server = Server::start([
        Response::events(&[
            r#"{"choices":[{"delta":{"reasoning":"Hm","reasoning_details":[{"type":"reasoning.text","index":0,"text":"Hm"}]}}]}"#,
            r#"{"choices":[{"delta":{"reasoning":".","reasoning_details":[{"type":"reasoning.text","index":0,"text":".","signature":"s"}]}}]}"#,
            r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","index":1,"data":"x"}]}}]}"#,
            r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]}]}}]}"#,
            r#"{"choices":[{"delta":{"content":"So."},"finish_reason":"stop"}]}"#,
        ]),
        Response::json("{}"),
    ])
    .await;
    let model = open_ai(&server);
    let first = collected(events(&model, question()).await);
    assert_eq!((&*first.reasoning, &*first.text), ("Hm.t", "So."));
    events(&model, next(first.parts, &[])).await;
    assert_eq!(
        server.body()["messages"][1],
        json!({
            "role": "assistant",
            "reasoning": "Hm.",
            "reasoning_details": [
                { "type": "reasoning.text", "index": 0, "text": "Hm.", "signature": "s" },
                { "type": "reasoning.encrypted", "index": 1, "data": "x" },
            ],
            "content": [
                { "type": "thinking", "thinking": [{ "type": "text", "text": "t" }] },
                { "type": "text", "text": "So." },
            ],
        })
    );
}

#[tokio::test]
async fn encrypted_reasoning_and_items_go_back_to_responses() {
    let output = json!([
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA" },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "type": "output_text", "text": "Hm.", "annotations": [] }] },
        { "type": "web_search_call", "id": "ws_1", "status": "completed" },
        { "type": "function_call", "id": "fc_1", "call_id": "c1", "name": "add", "arguments": "{}" },
    ]);
    let response = json!({ "status": "completed", "output": output });
    let model = |server: &Server| Box::new(responses(server).stateless()) as Box<dyn ChatModel>;
    let input = sent_back(model, &response.to_string(), &[Ok("1")], "input").await;
    let mut expected = output.as_array().unwrap().clone();
    expected.push(json!({ "type": "function_call_output", "call_id": "c1", "output": "1" }));
    assert_eq!(input, expected);
}

#[tokio::test]
async fn reasoning_alone_does_not_go_back() {
    let server = Server::start((0..3).map(|_| Response::json("{}"))).await;
    for ((model, key), (format, item)) in models(&server)
        .iter()
        .zip(["messages", "input", "messages"])
        .zip([
            ("openai_chat", r#"{"reasoning":"a"}"#),
            ("openai_responses", r#"{"type":"reasoning","id":"rs"}"#),
            (
                "anthropic",
                r#"{"type":"thinking","thinking":"a","signature":"s"}"#,
            ),
        ])
    {
        let part = skill_agent_chat::TextPart::new("a").with_item(KeptItem::new(format, item));
        events(&**model, next(vec![MessagePart::Reasoning(part)], &[])).await;
        assert_eq!(server.body()[key].as_array().unwrap().len(), 1, "{format}");
    }
}

#[tokio::test]
async fn malformed_arguments_go_back_in_a_form_that_servers_read() {
    let malformed = json!({ "INVALID_JSON": "{\"te" });
    let cut = r#"{\"te"#;
    let response = format!(
        r#"{{"choices":[{{"message":{{"tool_calls":[{{"id":"c","type":"function","function":{{"name":"add","arguments":"{cut}"}}}}]}}}}]}}"#
    );
    let model = |server: &Server| Box::new(open_ai(server)) as Box<dyn ChatModel>;
    let messages = sent_back(model, &response, &[Err("no")], "messages").await;
    let arguments = messages[0]["tool_calls"][0]["function"]["arguments"]
        .as_str()
        .unwrap();
    assert_eq!(from_str::<Value>(arguments).unwrap(), malformed);
    let response = format!(
        r#"{{"status":"completed","output":[{{"type":"function_call","call_id":"c","name":"add","arguments":"{cut}"}}]}}"#
    );
    let model = |server: &Server| Box::new(responses(server)) as Box<dyn ChatModel>;
    let input = sent_back(model, &response, &[Err("no")], "input").await;
    assert_eq!(
        from_str::<Value>(input[0]["arguments"].as_str().unwrap()).unwrap(),
        malformed
    );
    // Anthropic sends input only in pieces
    let server = Server::start([
        Response::events(&[
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"add","input":{}}}"#,
            &format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":"{cut}"}}}}"#),
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
            r#"{"type":"message_stop"}"#,
        ]),
        Response::json("{}"),
    ])
    .await;
    let model = anthropic(&server);
    let first = collected(events(&model, question()).await);
    events(&model, next(first.parts, &[Err("no")])).await;
    assert_eq!(
        server.body()["messages"][1]["content"][0]["input"],
        malformed
    );
}

#[tokio::test]
async fn calls_whose_ids_repeat_or_are_missing_stay_separate() {
    let server = Server::start((0..2).map(|_| Response::json("{}"))).await;
    let own = kept_name("openai_chat", &server);
    let call = |id: &str, name: &str| {
        let call = json!({ "id": id, "type": "function", "function": { "name": name, "arguments": "{}" } });
        let item = KeptItem::new(&*own, call.to_string());
        MessagePart::Call(CallPart::new(ToolCall::new(name, "{}").with_id(id)).with_item(item))
    };
    let first = next(
        vec![call("c", "a"), call("c", "b"), call("", "d")],
        &[Ok("1"), Ok("2"), Ok("3")],
    );
    let second = next(vec![call("c", "e")], &[Ok("4")]);
    let messages = first.messages.iter().chain(second.messages.iter()).cloned();
    let request = ChatRequest::new(messages.collect());
    events(&open_ai(&server), request.clone()).await;
    let messages = server.body()["messages"].as_array().unwrap().clone();
    let calls = messages.iter().flat_map(|message| {
        message["tool_calls"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    });
    let calls: Vec<String> = calls
        .map(|call| call["id"].as_str().unwrap().to_owned())
        .collect();
    let results = messages
        .iter()
        .filter_map(|message| Some(message["tool_call_id"].as_str()?.to_owned()));
    assert_eq!(results.collect::<Vec<_>>(), calls);
    let distinct: std::collections::HashSet<_> = calls.iter().collect();
    assert_eq!((distinct.len(), calls[0].as_str()), (4, "c"));
    // another provider may refuse such ids
    events(&anthropic(&server), request).await;
    let blocks = server.body()["messages"][1]["content"].clone();
    let ids = blocks.as_array().unwrap().iter().map(|block| &block["id"]);
    assert_eq!(
        ids.collect::<Vec<_>>(),
        ["call00000", "call00001", "call00002"]
    );
}

#[tokio::test]
async fn another_server_with_the_format_does_not_get_the_items_of_the_first() {
    let first = Response::json(
        r#"{"choices":[{"finish_reason":"stop","message":{"content":"So.","reasoning_content":"Hm."}}]}"#,
    );
    let server = Server::start([first, Response::json("{}")]).await;
    let other = Server::start([Response::json("{}")]).await;
    let parts = collected(events(&open_ai(&server), question()).await).parts;
    events(&open_ai(&server), next(parts.clone(), &[])).await;
    events(&open_ai(&other), next(parts, &[])).await;
    let mut answer = json!({ "role": "assistant", "content": "So." });
    assert_eq!(other.body()["messages"][1], answer);
    answer["reasoning_content"] = "Hm.".into();
    assert_eq!(server.body()["messages"][1], answer);
}

/// Mistral accepts only ids of nine letters or digits.
#[tokio::test]
async fn an_id_of_nine_letters_and_digits_goes_to_every_provider() {
    let call = |id: &str| CallPart::new(ToolCall::new("add", "{}").with_id(id)).into();
    let calls = vec![call("abcDEF123"), call("abcDEF123"), call("call00001")];
    let server = Server::start([Response::json("{}")]).await;
    events(&open_ai(&server), next(calls, &[Ok("1"), Ok("2"), Ok("3")])).await;
    let body = server.body();
    let results = body["messages"].as_array().unwrap()[2..].iter();
    let ids = results.map(|message| &message["tool_call_id"]);
    assert_eq!(
        ids.collect::<Vec<_>>(),
        ["abcDEF123", "call00001", "call00002"]
    );
}

#[tokio::test]
async fn what_another_provider_wrote_is_written_anew_without_its_reasoning() {
    let thinking = KeptItem::new(
        "anthropic",
        r#"{"type":"thinking","thinking":"Hm.","signature":"s"}"#,
    );
    let call = KeptItem::new(
        "anthropic",
        r#"{"type":"tool_use","id":"functions.add:0","name":"add","input":{}}"#,
    );
    let parts = || {
        vec![
            MessagePart::Reasoning(
                skill_agent_chat::TextPart::new("Hm.").with_item(thinking.clone()),
            ),
            skill_agent_chat::TextPart::new("So.").into(),
            CallPart::new(ToolCall::new("add", "{}").with_id("functions.add:0"))
                .with_item(call.clone())
                .into(),
        ]
    };
    let server = Server::start((0..2).map(|_| Response::json("{}"))).await;
    events(&open_ai(&server), next(parts(), &[Ok("1")])).await;
    assert_eq!(
        server.body()["messages"],
        json!([
            { "role": "user", "content": "Hello?" },
            { "role": "assistant", "content": "So.", "tool_calls": [
                { "id": "call00000", "type": "function", "function": { "name": "add", "arguments": "{}" } },
            ] },
            { "role": "tool", "tool_call_id": "call00000", "content": "1" },
        ])
    );
    events(&responses(&server), next(parts(), &[Ok("1")])).await;
    assert_eq!(
        server.body()["input"],
        json!([
            { "role": "user", "content": [{ "type": "input_text", "text": "Hello?" }] },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "So." }] },
            { "type": "function_call", "call_id": "call00000", "name": "add", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "call00000", "output": "1" },
        ])
    );
}

#[tokio::test]
async fn a_paused_completion_goes_on_with_the_same_message() {
    let search = r#"{"type":"server_tool_use","id":"srv","name":"web_search","input":{}}"#;
    let paused = Response::json(&format!(
        r#"{{"content":[{search}],"stop_reason":"pause_turn"}}"#
    ));
    let server = Server::start([paused, Response::json("{}")]).await;
    let model = anthropic(&server);
    let first = collected(events(&model, question()).await);
    assert_eq!(first.finish, Some(Finish::Paused));
    events(&model, next(first.parts, &[])).await;
    let messages = &server.body()["messages"];
    assert_eq!(
        messages[1]["content"][0],
        from_str::<Value>(search).unwrap()
    );
    assert_eq!(messages.as_array().unwrap().len(), 2);
}
