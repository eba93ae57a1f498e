//! Tests of requests in the adapters' formats.

use super::*;
use ::genai::Client;
use ::genai::chat::{ChatOptions, ReasoningEffort};
use serde_json::Value;
use skill_agent_chat::{
    AnswerForm, FilePart, ImagePart, ModelProfile, RequestOptions, SystemPart, ToolChoice,
};
use skill_agent_models::Provider;
use skill_agent_toolbox::OutputPart;

/// Returns the body that an adapter sends for a request.
async fn body(kind: AdapterKind, request: ChatRequest) -> Value {
    sent(|server| model(server, kind), request).await
}

async fn sent(model: impl Fn(&Server) -> GenAi, request: ChatRequest) -> Value {
    let server = Server::start([Response::stream("")]).await;
    events(&model(&server), request).await;
    server.body()
}

fn whole() -> ChatRequest {
    let question = Message::from("What is it?").with(ImagePart::new("image/png", "aW1n"));
    let mut request = ChatRequest::new(vec![question]);
    request.system = [
        SystemPart::new("program", "Be brief."),
        SystemPart::new("notes", "Notes."),
    ]
    .into();
    request.tools = [tool("add")].into();
    request.tool_choice = ToolChoice::Tool("add".to_owned());
    request.parallel_calls = Some(false);
    request.options = RequestOptions::new().temperature(0.5).max_tokens(9);
    request
}

#[tokio::test]
async fn a_request_of_chat_completions_has_all_of_it() {
    let server = Server::start([Response::stream("")]).await;
    let mut request = whole();
    request.options = request.options.extra("top_k", 1);
    events(&chat(&server), request).await;
    let received = server.received().pop().unwrap();
    assert_eq!(received.line, "POST /v1/chat/completions HTTP/1.1");
    let key = format!("Bearer {KEY}");
    assert_eq!(received.header("authorization"), Some(&*key));
    let parameters = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
    assert_eq!(
        received.body,
        json!({
            "model": "m",
            "stream": true,
            "stream_options": { "include_usage": true },
            "messages": [
                { "role": "system", "content": "Be brief.\n\nNotes." },
                { "role": "user", "content": [
                    { "type": "text", "text": "What is it?" },
                    { "type": "image_url", "image_url": { "url": "data:image/png;base64,aW1n" } },
                ] },
            ],
            "tools": [{ "type": "function", "function": {
                "name": "add", "description": "Keeps a note.", "parameters": parameters, "strict": false,
            } }],
            "tool_choice": { "type": "function", "function": { "name": "add" } },
            "parallel_tool_calls": false,
            "temperature": 0.5,
            "max_tokens": 9,
            "top_k": 1,
        })
    );
}

#[tokio::test]
async fn a_request_of_gemini_has_all_of_it() {
    let server = Server::start([Response::stream("")]).await;
    events(&gemini(&server), whole()).await;
    let received = server.received().pop().unwrap();
    assert_eq!(
        received.line,
        "POST /v1/models/m:streamGenerateContent?alt=sse HTTP/1.1"
    );
    assert_eq!(received.header("x-goog-api-key"), Some(KEY));
    let parameters = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
    assert_eq!(
        received.body,
        json!({
            "systemInstruction": { "parts": [{ "text": "Be brief.\n\nNotes." }] },
            "contents": [{ "role": "user", "parts": [
                { "text": "What is it?" },
                { "inline_data": { "mime_type": "image/png", "data": "aW1n" } },
            ] }],
            "tools": [{ "functionDeclarations": [
                { "name": "add", "description": "Keeps a note.", "parametersJsonSchema": parameters },
            ] }],
            "toolConfig": { "functionCallingConfig": { "mode": "ANY", "allowedFunctionNames": ["add"] } },
            "generationConfig": { "temperature": 0.5, "maxOutputTokens": 9 },
        })
    );
}

#[tokio::test]
async fn gemini_is_asked_for_its_thoughts_if_the_program_wants_them() {
    let server = Server::start([Response::stream("")]).await;
    let options = ChatOptions::default().with_capture_reasoning_content(true);
    events(&gemini(&server).options(options), question()).await;
    let thinking = &server.body()["generationConfig"]["thinkingConfig"];
    assert_eq!(*thinking, json!({ "includeThoughts": true }));
}

#[tokio::test]
async fn a_schema_of_an_answer_is_strict_where_it_can_be() {
    let optional = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let required = json!({
        "type": "object",
        "properties": { "a": { "type": ["string", "null"] } },
        "required": ["a"],
        "additionalProperties": false,
    });
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    for (schema, sent, strict) in [(&optional, &required, true), (&map, &map, false)] {
        let mut request = question();
        request.output_schema = Some(schema.clone());
        let of_chat = body(AdapterKind::OpenAI, request.clone()).await;
        assert_eq!(
            of_chat["response_format"],
            json!({ "type": "json_schema", "json_schema": { "name": "answer", "schema": sent, "strict": strict } })
        );
        let of_responses = body(AdapterKind::OpenAIResp, request.clone()).await;
        assert_eq!(
            of_responses["text"]["format"],
            json!({ "type": "json_schema", "name": "answer", "schema": sent, "strict": strict })
        );
        let of_gemini = body(AdapterKind::Gemini, request).await;
        assert_eq!(of_gemini["generationConfig"]["responseJsonSchema"], *schema);
    }
}

#[tokio::test]
async fn strict_tools_are_marked() {
    let profile = ModelProfile::new(Provider::OPENAI_STRICT);
    let model = |server: &Server| chat(server).with_profile(profile.clone());
    let function = &sent(model, whole()).await["tools"][0]["function"];
    assert_eq!(function["strict"], true);
    assert_eq!(function["parameters"]["required"], json!(["text"]));
}

#[tokio::test]
async fn images_of_results_follow_them_and_files_that_cannot_be_read_are_noted() {
    let call = CallPart::new(skill_agent_models::ToolCall::new("draw", "{}").with_id("c1"));
    let image = OutputPart::Image {
        media_type: "image/png".to_owned(),
        data: "aW1n".to_owned(),
    };
    let file = OutputPart::File {
        name: Some("a.zip".to_owned()),
        media_type: "application/zip".to_owned(),
        data: "eA==".to_owned(),
    };
    let result = ResultPart::new(&call, Ok(ToolOutput::new(vec![image, file])));
    let request = ChatRequest::new(vec![
        "Draw.".into(),
        Message::new(Role::Assistant, vec![call.into()]),
        Message::new(Role::Tool, vec![result.into()]),
    ]);
    let body = body(AdapterKind::OpenAI, request).await;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[2]["role"], "tool");
    let content = &messages[3]["content"];
    assert_eq!(content[0]["image_url"]["url"], "data:image/png;base64,aW1n");
    assert_eq!(
        content[1]["text"],
        "a file was left out: `a.zip` has the media type `application/zip`, and the model reads only `application/pdf`"
    );
}

#[tokio::test]
async fn a_file_of_a_person_is_sent() {
    let file = FilePart::new("a.pdf", "application/pdf", "JVBERg==");
    let request = ChatRequest::new(vec![Message::from("Read.").with(file)]);
    let of_chat = body(AdapterKind::OpenAI, request.clone()).await;
    assert_eq!(
        of_chat["messages"][0]["content"][1],
        json!({ "type": "file", "file": { "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERg==" } })
    );
    let of_gemini = body(AdapterKind::Gemini, request).await;
    assert_eq!(
        of_gemini["contents"][0]["parts"][1],
        json!({ "inline_data": { "mime_type": "application/pdf", "data": "JVBERg==" } })
    );
    let image = ImagePart::new("text/html", "");
    let request = ChatRequest::new(vec![Message::from("See.").with(image)]);
    let server = Server::start([]).await;
    let error = events(&chat(&server), request).await.pop().unwrap();
    assert!(matches!(error, Err(ModelError::Request(_))), "{error:?}");
}

#[tokio::test]
async fn the_client_and_the_options_of_the_program_are_used() {
    let server = Server::start([Response::stream("")]).await;
    let reqwest = skill_agent_http::client(false, None).unwrap();
    let url = format!("{}/v1/", server.url);
    let client = Client::builder()
        .with_reqwest(reqwest)
        .with_adapter_kind(AdapterKind::OpenAI)
        .append_provider_config(
            AdapterKind::OpenAI,
            (Endpoint::from_owned(url), AuthData::from_single(KEY)),
        )
        .build()
        .unwrap();
    let options = ChatOptions::default()
        .with_reasoning_effort(ReasoningEffort::Low)
        .with_temperature(0.1)
        .with_extra_body(json!({ "top_k": 1, "top_n": 2 }));
    let model = GenAi::with_client(client, "some-model").options(options);
    assert_eq!(model.profile().answer_form, AnswerForm::Schema);
    let mut request = question();
    request.options = RequestOptions::new().temperature(0.5).extra("top_k", 3);
    events(&model, request).await;
    let body = server.body();
    assert_eq!(body["model"], "some-model");
    assert_eq!(body["reasoning_effort"], "low");
    assert_eq!(
        (&body["temperature"], &body["top_k"], &body["top_n"]),
        (&json!(0.5), &json!(3), &json!(2))
    );
}

#[tokio::test]
async fn a_tool_choice_of_the_program_is_sent_with_tools_alone() {
    let server = Server::start([Response::stream(""), Response::stream("")]).await;
    let options = ChatOptions::default().with_tool_choice(::genai::chat::ToolChoice::Required);
    let model = chat(&server).options(options);
    let mut request = question();
    events(&model, request.clone()).await;
    assert_eq!(server.body().get("tool_choice"), None);
    request.tools = [tool("add")].into();
    events(&model, request).await;
    assert_eq!(server.body()["tool_choice"], "required");
}

#[test]
fn the_name_of_a_model_selects_the_profile() {
    for (name, provider, form) in [
        ("gemini-2.5-flash", Provider::GEMINI, AnswerForm::Tool),
        ("gpt-4o-mini", Provider::OPENAI_CHAT, AnswerForm::Schema),
        ("gpt-5", Provider::OPENAI_RESPONSES, AnswerForm::Schema),
        ("claude-sonnet-4-5", Provider::ANTHROPIC, AnswerForm::Tool),
        ("groq::llama-3.3", Provider::OPENAI_CHAT, AnswerForm::Tool),
        ("command-r", Provider::OPENAI_CHAT, AnswerForm::Prompt),
        ("vertex::claude-x", Provider::ANTHROPIC, AnswerForm::Tool),
        ("vertex::gemini-x", Provider::GEMINI, AnswerForm::Tool),
        ("some-model", Provider::OPENAI_CHAT, AnswerForm::Tool),
    ] {
        let profile = GenAi::new(name).profile();
        assert_eq!(
            (profile.provider, profile.answer_form),
            (provider, form),
            "{name}"
        );
    }
}
