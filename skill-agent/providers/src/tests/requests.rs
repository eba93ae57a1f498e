//! Tests of requests: addresses, headers and bodies.

use super::*;
use serde_json::Value;
use skill_agent_chat::{
    AnswerForm, ContextOrigin, ContextPart, FilePart, ImagePart, ModelProfile, RequestOptions,
    SystemPart, TextPart, ToolChoice,
};
use skill_agent_models::Provider;
use skill_agent_toolbox::OutputPart;

/// Returns the bodies that the three models send for a request.
async fn bodies(request: &ChatRequest) -> [Value; 3] {
    let server = Server::start((0..3).map(|_| Response::json("{}"))).await;
    for model in models(&server) {
        events(&*model, request.clone()).await;
    }
    let received = server.received().into_iter().map(|request| request.body);
    received.collect::<Vec<_>>().try_into().unwrap()
}

#[tokio::test]
async fn each_request_has_its_path_and_its_key() {
    let server = Server::start((0..4).map(|_| Response::json("{}"))).await;
    for model in models(&server) {
        events(&*model, question()).await;
    }
    let extra = OpenAi::new(" ", "m")
        .base_url(&*server.url)
        .header("X-Title", "tests");
    events(&extra, question()).await;
    let received = server.received();
    let lines: Vec<&str> = received
        .iter()
        .map(|request| request.line.as_str())
        .collect();
    assert_eq!(
        lines,
        [
            "POST /v1/chat/completions HTTP/1.1",
            "POST /v1/responses HTTP/1.1",
            "POST /v1/messages HTTP/1.1",
            "POST /chat/completions HTTP/1.1",
        ]
    );
    let bearer = format!("Bearer {KEY}");
    assert_eq!(received[0].header("authorization"), Some(&*bearer));
    assert_eq!(received[1].header("authorization"), Some(&*bearer));
    assert_eq!(received[2].header("authorization"), None);
    assert_eq!(received[2].header("x-api-key"), Some(KEY));
    assert_eq!(received[2].header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(received[3].header("authorization"), None);
    assert_eq!(received[3].header("x-title"), Some("tests"));
    assert_eq!(received[0].header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn the_least_request() {
    let [chat, responses, anthropic] = bodies(&question()).await;
    assert_eq!(
        chat,
        json!({
            "model": "m",
            "messages": [{ "role": "user", "content": "Hello?" }],
            "stream": true,
            "stream_options": { "include_usage": true },
        })
    );
    assert_eq!(
        responses,
        json!({
            "model": "m",
            "input": [{ "role": "user", "content": [{ "type": "input_text", "text": "Hello?" }] }],
            "stream": true,
        })
    );
    let marked =
        json!({ "type": "text", "text": "Hello?", "cache_control": { "type": "ephemeral" } });
    assert_eq!(
        anthropic,
        json!({
            "model": "m",
            "max_tokens": 8192,
            "stream": true,
            "messages": [{ "role": "user", "content": [marked] }],
        })
    );
}

#[tokio::test]
async fn a_request_with_everything() {
    let mut request = question();
    request.system = [
        SystemPart::new("program", "Be short."),
        SystemPart::new("notes", "Note all."),
    ]
    .into();
    request.tools = [tool("add"), tool("list")].into();
    request.tool_choice = ToolChoice::Tool("add".to_owned());
    request.parallel_calls = Some(false);
    request.output_schema = Some(json!({
        "type": "object", "properties": { "a": { "type": "integer", "minimum": 1 } }, "required": ["a"], "additionalProperties": false,
    }));
    request.options = RequestOptions::new()
        .temperature(0.5)
        .max_tokens(99)
        .extra("seed", 7)
        .extra("stream", false);
    let [chat, responses, anthropic] = bodies(&request).await;
    assert_eq!(
        chat["messages"][0],
        json!({ "role": "system", "content": "Be short.\n\nNote all." })
    );
    assert_eq!(responses["instructions"], "Be short.\n\nNote all.");
    let system = json!([
        { "type": "text", "text": "Be short." },
        { "type": "text", "text": "Note all.", "cache_control": { "type": "ephemeral" } },
    ]);
    assert_eq!(anthropic["system"], system);
    assert_eq!(chat["tools"][1]["function"]["name"], "list");
    assert_eq!(responses["tools"][1]["name"], "list");
    assert_eq!(
        anthropic["tools"][1]["cache_control"],
        json!({ "type": "ephemeral" })
    );
    assert_eq!(anthropic["tools"][0].get("cache_control"), None);
    assert_eq!(
        chat["tool_choice"],
        json!({ "type": "function", "function": { "name": "add" } })
    );
    assert_eq!(
        responses["tool_choice"],
        json!({ "type": "function", "name": "add" })
    );
    let choice = json!({ "type": "tool", "name": "add", "disable_parallel_tool_use": true });
    assert_eq!(anthropic["tool_choice"], choice);
    for body in [&chat, &responses] {
        assert_eq!(body["parallel_tool_calls"], false);
    }
    for (body, key) in [
        (&chat, "max_tokens"),
        (&responses, "max_output_tokens"),
        (&anthropic, "max_tokens"),
    ] {
        assert_eq!(
            (&body[key], &body["temperature"], &body["seed"]),
            (&json!(99), &json!(0.5), &json!(7))
        );
        assert_eq!(body["stream"], false);
        // servers refuse `stream_options` without streaming
        assert_eq!(body.get("stream_options"), None);
    }
    let schema = request.output_schema.unwrap();
    let format = json!({ "type": "json_schema", "json_schema": { "name": "answer", "schema": schema, "strict": true } });
    assert_eq!(chat["response_format"], format);
    let format = json!({ "format": { "type": "json_schema", "name": "answer", "schema": schema, "strict": true } });
    assert_eq!(responses["text"], format);
    // the JSON Schema dialect of `output_config.format` has no bounds
    let bound = json!({ "type": "integer", "description": "{minimum: 1}" });
    assert_eq!(anthropic["output_config"]["format"]["type"], "json_schema");
    assert_eq!(
        anthropic["output_config"]["format"]["schema"]["properties"]["a"],
        bound
    );
}

#[tokio::test]
async fn each_choice_of_tools_is_written_and_none_without_tools() {
    for (choice, chat_choice, anthropic_choice) in [
        (ToolChoice::Auto, Value::Null, Value::Null),
        (
            ToolChoice::Required,
            json!("required"),
            json!({ "type": "any" }),
        ),
        (ToolChoice::None, json!("none"), json!({ "type": "none" })),
    ] {
        let mut request = question();
        request.tool_choice = choice;
        for body in bodies(&request).await {
            assert_eq!(body.get("tool_choice"), None);
        }
        request.tools = [tool("add")].into();
        let [chat, responses, anthropic] = bodies(&request).await;
        assert_eq!(chat["tool_choice"], chat_choice);
        assert_eq!(responses["tool_choice"], chat_choice);
        assert_eq!(anthropic["tool_choice"], anthropic_choice);
    }
}

#[tokio::test]
async fn a_schema_that_strict_mode_does_not_have_is_not_strict() {
    let mut request = question();
    request.output_schema =
        Some(json!({ "type": "object", "additionalProperties": { "type": "integer" } }));
    let server = Server::start((0..2).map(|_| Response::json("{}"))).await;
    events(&open_ai(&server), request.clone()).await;
    assert_eq!(
        server.body()["response_format"]["json_schema"]["strict"],
        false
    );
    let error = events(&anthropic(&server), request)
        .await
        .pop()
        .unwrap()
        .unwrap_err();
    assert!(error.to_string().contains("AnswerForm::Tool"), "{error}");
}

#[tokio::test]
async fn the_text_that_a_chat_adds_is_a_block_of_the_message() {
    let mut context = ContextPart::new(ContextOrigin::Program);
    let silent = MessagePart::from(context.clone());
    context.text = "Plan first.".to_owned();
    let request = ChatRequest::new(vec![Message::from("Now plan.").with(context).with(silent)]);
    let [chat, responses, anthropic] = bodies(&request).await;
    let sent = "Now plan.\n\n<context>\nPlan first.\n</context>";
    // not every server of Chat Completions accepts lists
    assert_eq!(chat["messages"][0]["content"], sent);
    for content in [
        &responses["input"][0]["content"],
        &anthropic["messages"][0]["content"],
    ] {
        let parts = content.as_array().unwrap().iter();
        let texts: Vec<_> = parts.map(|part| &part["text"]).collect();
        assert_eq!(texts, [sent], "{content}");
    }
}

#[tokio::test]
async fn images_and_files_are_in_messages_and_in_results() {
    let picture = || ImagePart::new("image/png", "aW1n");
    let pdf = FilePart::new("a.pdf", "application/pdf", "cGRm");
    let note = FilePart::new("a.txt", "text/plain", "w6k=");
    let message = Message::from("See:").with(picture()).with(pdf).with(note);
    let call = CallPart::new(skill_agent_models::ToolCall::new("chart", "{}").with_id("c"));
    let chart = OutputPart::Image {
        media_type: "image/png".to_owned(),
        data: "aW1n".to_owned(),
    };
    let output = ToolOutput::new(vec![OutputPart::from("Sales:"), chart]);
    let result = ResultPart::new(&call, Ok(output));
    let request = ChatRequest::new(vec![
        message,
        Message::new(Role::Assistant, vec![call.into()]),
        Message::new(Role::Tool, vec![result.into()]),
    ]);
    let [chat, responses, anthropic] = bodies(&request).await;
    let image =
        json!({ "type": "image_url", "image_url": { "url": "data:image/png;base64,aW1n" } });
    assert_eq!(chat["messages"][0]["content"][1], image);
    let file = json!({ "type": "file", "file": { "filename": "a.pdf", "file_data": "data:application/pdf;base64,cGRm" } });
    assert_eq!(chat["messages"][0]["content"][2], file);
    assert_eq!(
        chat["messages"][2],
        json!({ "role": "tool", "tool_call_id": "call00000", "content": "Sales:" })
    );
    assert_eq!(
        chat["messages"][3],
        json!({ "role": "user", "content": [image] })
    );
    let image = json!({ "type": "input_image", "image_url": "data:image/png;base64,aW1n" });
    assert_eq!(responses["input"][0]["content"][1], image);
    let output = json!([{ "type": "input_text", "text": "Sales:" }, image]);
    assert_eq!(responses["input"][2]["output"], output);
    let image = json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "aW1n" } });
    let content = &anthropic["messages"][0]["content"];
    assert_eq!(content[1], image);
    assert_eq!(content[2]["source"]["media_type"], "application/pdf");
    assert_eq!(
        content[3]["source"],
        json!({ "type": "text", "media_type": "text/plain", "data": "é" })
    );
    let result = &anthropic["messages"][2]["content"][0];
    assert_eq!(
        result["content"],
        json!([{ "type": "text", "text": "Sales:" }, image])
    );
}

#[tokio::test]
async fn results_and_the_next_question_are_one_message_of_anthropic() {
    let call = CallPart::new(skill_agent_models::ToolCall::new("add", "{}").with_id("c"));
    let mut request = next(vec![call.into()], &[Ok("1")]);
    std::sync::Arc::make_mut(&mut request.messages).push("And now?".into());
    let [_, _, anthropic] = bodies(&request).await;
    let content = anthropic["messages"][2]["content"].as_array().unwrap();
    let kinds: Vec<&Value> = content.iter().map(|block| &block["type"]).collect();
    assert_eq!(kinds, ["tool_result", "text"]);
    assert_eq!(content[1]["cache_control"], json!({ "type": "ephemeral" }));
}

#[tokio::test]
async fn a_conversation_only_grows_at_its_end() {
    let call = |id: &str| CallPart::new(skill_agent_models::ToolCall::new("add", "{}").with_id(id));
    let first = next(vec![call("c").into()], &[Ok("1")]);
    let second = next(
        vec![call("c").into(), TextPart::new("So.").into()],
        &[Ok("2")],
    );
    let longer = ChatRequest::new(
        first
            .messages
            .iter()
            .chain(second.messages.iter())
            .cloned()
            .collect(),
    );
    let [short, ..] = bodies(&first).await;
    let [long, ..] = bodies(&longer).await;
    let short = short["messages"].as_array().unwrap();
    assert_eq!(&long["messages"].as_array().unwrap()[..short.len()], short);
}

#[tokio::test]
async fn the_profile_of_the_program_decides_about_the_tools() {
    let server = Server::start([Response::json("{}")]).await;
    let profile = ModelProfile::new(Provider::OPENAI_STRICT).with_answer_form(AnswerForm::Tool);
    let model = open_ai(&server).with_profile(profile.clone());
    assert_eq!(model.profile(), profile);
    let mut request = question();
    request.tools = [tool("add")].into();
    events(&model, request).await;
    assert_eq!(server.body()["tools"][0]["function"]["strict"], true);
}
