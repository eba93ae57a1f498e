//! Tests of constrained calls.

use super::bounds::{file, image, with_output};
use super::*;
use skill_agent_chat::{ModelProfile, TextPart, ToolChoice};
use skill_agent_models::{Provider, ToolCall};

fn constrained(server: &Server) -> OpenAi {
    let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_constrained_tools(true);
    open_ai(server).with_profile(profile)
}

fn with_tools() -> ChatRequest {
    let mut request = question();
    request.tools = [tool("add"), tool("list")].into();
    request
}

fn responding(content: &str) -> Response {
    Response::json(
        &json!({ "choices": [{ "finish_reason": "stop", "message": { "content": content } }] })
            .to_string(),
    )
}

#[tokio::test]
async fn tools_become_one_schema_that_the_decoder_enforces() {
    let server = Server::start((0..4).map(|_| responding("{}"))).await;
    let model = constrained(&server);
    events(&model, with_tools()).await;
    let body = server.body();
    assert_eq!((body.get("tools"), body.get("tool_choice")), (None, None));
    // decoders generate properties in this order
    let text = &server.received()[0].text;
    assert!(text.contains(r#""properties":{"name":{"#), "{text}");
    let alternatives = body["response_format"]["json_schema"]["schema"]["anyOf"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(alternatives.len(), 3);
    assert_eq!(
        alternatives[0],
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "enum": ["add"] },
                "arguments": { "type": "object", "properties": { "text": { "type": "string" } } },
            },
            "required": ["name", "arguments"],
            "additionalProperties": false,
        })
    );
    assert_eq!(
        alternatives[2]["properties"],
        json!({ "text": { "type": "string" } })
    );
    let system = body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("- list: Keeps a note."), "{system}");
    for (choice, keys) in [
        (ToolChoice::Tool("list".to_owned()), vec!["list"]),
        (ToolChoice::Required, vec!["add", "list"]),
        (ToolChoice::None, vec!["null"]),
    ] {
        let mut request = with_tools();
        request.tool_choice = choice;
        events(&model, request).await;
        let body = server.body();
        let alternatives = body["response_format"]["json_schema"]["schema"]["anyOf"]
            .as_array()
            .unwrap()
            .clone();
        let names = alternatives
            .iter()
            .map(|alternative| &alternative["properties"]["name"]["enum"][0]);
        let names: Vec<String> = names
            .map(|name| name.as_str().unwrap_or("null").to_owned())
            .collect();
        assert_eq!(names, keys);
    }
}

#[tokio::test]
async fn a_completion_is_a_call_a_text_or_an_answer() {
    let stream = Response::events(&[
        r#"{"choices":[{"delta":{"content":"{\"name\":\"add\",\"argu"}}]}"#,
        r#"{"choices":[{"delta":{"content":"ments\":{\"text\": 1}}"},"finish_reason":"stop"}]}"#,
    ]);
    let texts = [r#"{"text":"Hm."}"#, r#"{"answer": {"a": 1}}"#, "not JSON"].map(responding);
    let server = Server::start([stream].into_iter().chain(texts)).await;
    let model = constrained(&server);
    let call = collected(events(&model, with_tools()).await);
    assert_eq!((&*call.text, call.finish), ("", Some(Finish::Calls)));
    assert_eq!(
        call.calls,
        [("add".to_owned(), r#"{"text": 1}"#.to_owned())]
    );
    for text in ["Hm.", r#"{"a": 1}"#, "not JSON"] {
        let collected = collected(events(&model, with_tools()).await);
        assert_eq!(
            (&*collected.text, collected.finish),
            (text, Some(Finish::Answered))
        );
    }
}

#[tokio::test]
async fn a_completion_that_is_cut_off_is_the_beginning_of_a_call_or_of_a_text() {
    let pieces = [
        // calls, which do not run
        (r#"{"name":"add","arguments":{"te"#, "add", ""),
        (r#"{"name":"add""#, "add", ""),
        (r#" { "name" : "ad"#, "ad", ""),
        // answers in prose
        (r#"{"text":"I not"#, "", "I not"),
        (r#"{"text":"I \u00e9\ud83d\ude"#, "", "I é"),
        (r#"{"text":"\"#, "", ""),
        (r#"{"answer":{"a": 1"#, "", r#"{"a": 1"#),
        // a server that does not enforce the schema
        ("I not", "", "I not"),
        (r#"{"result":"a"#, "", r#"{"result":"a"#),
        // cut off before any content
        (r#"{"name":""#, "", ""),
        (r#"{"na"#, "", ""),
        ("{", "", ""),
    ];
    let cut = |text: &str| {
        let message = json!({ "content": text });
        let body = json!({ "choices": [{ "finish_reason": "length", "message": message }] });
        Response::json(&body.to_string())
    };
    let server = Server::start(pieces.iter().map(|(text, ..)| cut(text))).await;
    let model = constrained(&server);
    for (piece, name, text) in pieces {
        let read = collected(events(&model, with_tools()).await);
        let names: Vec<&str> = read.calls.iter().map(|(name, _)| name.as_str()).collect();
        let expected: Vec<&str> = Some(name)
            .filter(|name| !name.is_empty())
            .into_iter()
            .collect();
        assert_eq!((names, &*read.text), (expected, text), "{piece}");
        assert_eq!(read.finish, Some(Finish::Truncated));
    }
}

#[tokio::test]
async fn calls_and_results_are_texts_in_the_conversation() {
    let server = Server::start([responding("{}")]).await;
    let call = CallPart::new(ToolCall::new("add", r#"{"text":"a"}"#));
    let text = TextPart::new("So.");
    let mut request = next(vec![call.into()], &[Err("no")]);
    let messages = std::sync::Arc::make_mut(&mut request.messages);
    messages.push(Message::new(Role::Assistant, vec![text.into()]));
    request.tools = with_tools().tools;
    events(&constrained(&server), request).await;
    let messages = server.body()["messages"].as_array().unwrap()[1..].to_vec();
    assert_eq!(
        messages,
        [
            json!({ "role": "user", "content": "Hello?" }),
            json!({ "role": "assistant", "content": r#"{"name":"add","arguments":{"text":"a"}}"# }),
            json!({ "role": "user", "content": "The error of `add`: no" }),
            json!({ "role": "assistant", "content": r#"{"text":"So."}"# }),
        ]
    );
}

#[tokio::test]
async fn the_references_of_a_typed_answer_are_written_out() {
    let server = Server::start([responding("{}")]).await;
    let mut request = with_tools();
    request.output_schema = Some(json!({
        "type": "object",
        "properties": { "step": { "$ref": "#/$defs/Step" } },
        "required": ["step"],
        "$defs": { "Step": { "type": "object", "properties": { "text": { "type": "string" } } } },
    }));
    events(&constrained(&server), request).await;
    let text = &server.received()[0].text;
    assert!(!text.contains("$ref"), "{text}");
    let body = server.body();
    let schema = &body["response_format"]["json_schema"]["schema"]["anyOf"][2];
    let step = &schema["properties"]["answer"]["properties"]["step"];
    assert_eq!(step["properties"]["text"]["type"], "string");
}

#[tokio::test]
async fn media_of_results_are_sent_or_become_texts() {
    let server = Server::start((0..3).map(|_| responding("{}"))).await;
    let sighted = ModelProfile::new(Provider::OPENAI_CHAT).with_images(true);
    let sighted = open_ai(&server).with_profile(sighted.with_constrained_tools(true));
    let text = |text: &str| json!({ "type": "text", "text": text });
    let url = json!({ "url": "data:image/png;base64,aW1n" });
    let png = json!({ "type": "image_url", "image_url": url });
    let no_images = text("an image was left out: the model reads no images");
    let no_audio = "a file was left out: `a` has the media type `audio/wav`, and the model reads only `application/pdf`";
    for (model, output, sent) in [
        (&sighted, image("image/png"), png),
        (&constrained(&server), image("image/png"), no_images),
        (&sighted, file("audio/wav"), text(no_audio)),
    ] {
        let mut request = with_output(output);
        request.tools = with_tools().tools;
        events(model, request).await;
        let messages = server.body()["messages"].clone();
        let result = text("The result of `draw`: Drawn.");
        assert_eq!(messages[3]["content"], json!([result, sent]));
    }
}

#[tokio::test]
async fn integers_of_32_bits_have_bounds_that_a_decoder_knows() {
    let server = Server::start((0..3).map(|_| responding("{}"))).await;
    let schema = |format: &str| json!({ "type": "integer", "format": format });
    let bounds = |low: i64, high: i64, format: &str| json!({ "type": "integer", "format": format, "minimum": low, "maximum": high });
    for (given, sent) in [
        (
            schema("int32"),
            bounds(-2_147_483_648, 2_147_483_647, "int32"),
        ),
        (schema("uint32"), bounds(0, 4_294_967_295, "uint32")),
        // llama.cpp would read the maximum as -1
        (schema("uint64"), schema("uint64")),
    ] {
        let schema = json!({ "type": "object", "properties": { "n": given } });
        let mut request = question();
        request.output_schema = Some(schema);
        events(&open_ai(&server), request).await;
        let schema = server.body()["response_format"]["json_schema"]["schema"].clone();
        assert_eq!(schema["properties"]["n"], sent);
    }
    let own = json!({ "type": "integer", "format": "int32", "minimum": 1, "exclusiveMaximum": 5 });
    let schema = json!({ "type": "object", "properties": { "n": own } });
    let server = Server::start([responding("{}")]).await;
    let mut request = question();
    request.tools = [ToolBuf::new("add", "Adds.", schema)].into();
    events(&constrained(&server), request).await;
    let schema = &server.body()["response_format"]["json_schema"]["schema"]["anyOf"][0];
    assert_eq!(schema["properties"]["arguments"]["properties"]["n"], own);
}

#[tokio::test]
async fn nothing_stands_beside_a_choice() {
    let alternative = |by: &str| json!({ "type": "object", "properties": { "by": { "type": "string", "const": by } }, "required": ["by"] });
    let whole = json!({
        "type": "object",
        "properties": { "id": { "type": "integer" } },
        "required": ["id"],
        "oneOf": [alternative("card"), alternative("cash")],
    });
    let schema = json!({ "type": "object", "properties": { "purchase": whole } });
    let server = Server::start([responding("{}")]).await;
    let mut request = question();
    request.tools = [ToolBuf::new("buy", "Buys.", schema)].into();
    events(&constrained(&server), request).await;
    let schema = &server.body()["response_format"]["json_schema"]["schema"]["anyOf"][0];
    let purchase = &schema["properties"]["arguments"]["properties"]["purchase"];
    let keys: Vec<&String> = purchase.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["anyOf"]);
    for alternative in purchase["anyOf"].as_array().unwrap() {
        assert_eq!(
            alternative["properties"]["id"],
            json!({ "type": "integer" })
        );
        assert_eq!(alternative["required"], json!(["id", "by"]));
    }
}

#[tokio::test]
async fn messages_of_the_user_in_a_row_are_one() {
    let server = Server::start([responding("{}")]).await;
    let call = CallPart::new(ToolCall::new("add", "{}"));
    let mut request = next(vec![call.into()], &[Ok("1")]);
    std::sync::Arc::make_mut(&mut request.messages).push("And then?".into());
    request.tools = with_tools().tools;
    events(&constrained(&server), request).await;
    let messages = server.body()["messages"].as_array().unwrap().clone();
    let roles: Vec<_> = messages
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!(
        messages[3]["content"],
        "The result of `add`: 1\n\nAnd then?"
    );
}

#[tokio::test]
async fn a_typed_answer_goes_back_in_the_form_of_the_schema() {
    let server = Server::start((0..2).map(|_| responding("{}"))).await;
    for (schema, sent) in [
        (Some(json!({ "type": "object" })), r#"{"answer":{"n":7}}"#),
        (None, r#"{"text":"{\"n\":7}"}"#),
    ] {
        let mut request = with_tools();
        request.output_schema = schema;
        let said = Message::new(Role::Assistant, vec![TextPart::new(r#"{"n":7}"#).into()]);
        let messages = std::sync::Arc::make_mut(&mut request.messages);
        messages.extend([said, "Again.".into()]);
        events(&constrained(&server), request).await;
        let messages = server.body()["messages"].as_array().unwrap().clone();
        assert_eq!(messages[messages.len() - 2]["content"], sent);
    }
}
