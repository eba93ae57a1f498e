//! Tests of size limits, and of results that a format cannot contain.

use super::*;
use skill_agent_chat::{FilePart, ImagePart, ModelProfile};
use skill_agent_models::Provider;
use skill_agent_toolbox::OutputPart;

/// Returns a conversation whose last result contains the part, followed by another question.
pub(super) fn with_output(part: OutputPart) -> ChatRequest {
    let call = CallPart::new(skill_agent_models::ToolCall::new("draw", "{}").with_id("c"));
    let result = ResultPart::new(&call, Ok(ToolOutput::new(vec!["Drawn.".into(), part])));
    ChatRequest::new(vec![
        "Draw.".into(),
        Message::new(Role::Assistant, vec![call.into()]),
        Message::new(Role::Tool, vec![result.into()]),
    ])
}

pub(super) fn image(media_type: &str) -> OutputPart {
    OutputPart::Image {
        media_type: media_type.to_owned(),
        data: "aW1n".to_owned(),
    }
}

pub(super) fn file(media_type: &str) -> OutputPart {
    OutputPart::File {
        name: Some("a".to_owned()),
        media_type: media_type.to_owned(),
        data: "/w==".to_owned(),
    }
}

async fn sent(model: &dyn ChatModel, server: &Server, request: ChatRequest) -> String {
    let mut received = events(model, request).await;
    received.pop().unwrap().unwrap();
    server.received().last().unwrap().text.clone()
}

fn short_answers() -> impl Iterator<Item = Response> {
    let chat = r#"{"choices":[{"finish_reason":"stop","message":{"content":"a"}}],"status":"completed","output":[],"content":[],"stop_reason":"end_turn"}"#;
    std::iter::repeat_n(Response::json(chat), 10)
}

#[tokio::test]
async fn media_of_results_that_a_model_cannot_take_become_texts() {
    let server = Server::start(short_answers()).await;
    for model in models(&server) {
        let text = sent(&*model, &server, with_output(image("text/html"))).await;
        let reason = "an image was left out: an image has the media type `text/html`";
        assert!(text.contains(reason) && !text.contains("aW1n"), "{text}");
    }
    let reason = "a file was left out: `a` has the media type `audio/wav`, and the model reads only `application/pdf`";
    for model in [&open_ai(&server) as &dyn ChatModel, &anthropic(&server)] {
        let text = sent(model, &server, with_output(file("audio/wav"))).await;
        assert!(text.contains(reason), "{text}");
    }
    let text = sent(&anthropic(&server), &server, with_output(file("text/csv"))).await;
    assert!(text.contains("the file `a` is not UTF-8"), "{text}");
    for (data, reason) in [
        ("photos/cat.png", "its data is not base64"),
        ("", "it is empty"),
    ] {
        let image = OutputPart::Image {
            media_type: "image/png".to_owned(),
            data: data.to_owned(),
        };
        let text = sent(&anthropic(&server), &server, with_output(image)).await;
        let note = format!("an image was left out: {reason}");
        assert!(
            text.contains(&note) && !text.contains("from_bytes"),
            "{text}"
        );
    }
    let blind = ModelProfile::new(Provider::OPENAI_CHAT);
    let blind = open_ai(&server).with_profile(blind);
    let text = sent(&blind, &server, with_output(image("image/png"))).await;
    assert!(text.contains("the model reads no images"), "{text}");
}

#[tokio::test]
async fn of_the_media_of_a_person_only_the_last_are_errors() {
    let server = Server::start(short_answers()).await;
    let page = || Message::from("See:").with(ImagePart::new("text/html", "aW1n"));
    let csv = Message::from("See:").with(FilePart::new("a", "text/csv", "/w=="));
    for model in models(&server) {
        let mut received = events(&*model, ChatRequest::new(vec![page()])).await;
        let error = received.pop().unwrap().unwrap_err();
        assert!(matches!(error, ModelError::Request(_)), "{error}");
        let request = ChatRequest::new(vec![page(), csv.clone(), "So?".into()]);
        let text = sent(&*model, &server, request).await;
        assert!(text.contains("an image was left out"), "{text}");
        assert!(text.contains("a file was left out"), "{text}");
    }
}

#[tokio::test]
async fn a_completion_has_a_few_thousand_parts() {
    let count = 4097;
    let chat = |n: usize| {
        format!(
            r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{n},"id":"c{n}","function":{{"name":"add","arguments":"{{}}"}}}}]}}}}]}}"#
        )
    };
    let responses = |n: usize| {
        format!(
            r#"{{"type":"response.output_item.added","output_index":{n},"item":{{"type":"function_call","name":"add"}}}}"#
        )
    };
    let anthropic = |n: usize| {
        format!(
            r#"{{"type":"content_block_start","index":{n},"content_block":{{"type":"text","text":""}}}}"#
        )
    };
    let response = |event: &dyn Fn(usize) -> String| {
        let written: Vec<String> = (0..count).map(event).collect();
        Response::events(&written.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let all = [response(&chat), response(&responses), response(&anthropic)];
    let server = Server::start(all).await;
    for model in models(&server) {
        let error = error(&*model).await.to_string();
        assert!(error.contains("event 4097: "), "{error}");
        assert!(error.contains("at most 4096 entries"), "{error}");
    }
}

#[tokio::test]
async fn a_model_at_work_keeps_its_stream_alive_and_can_be_read_on_after_the_end() {
    let begun = ": waiting\n\nevent: ping\ndata: now\n\n";
    let server = Server::start((0..3).map(|_| Response::stream(begun))).await;
    for model in models(&server) {
        let mut stream = model.stream(question());
        let mut last = stream.next().await.unwrap();
        assert_eq!(last, Ok(ModelEvent::KeepAlive));
        while let Some(event) = stream.next().await {
            last = event;
        }
        assert_eq!(last, Err(ModelError::CutOff { request_id: None }));
        assert_eq!(stream.next().await, None);
    }
}

#[tokio::test]
async fn the_id_of_a_request_does_not_repeat_the_key() {
    let response = Response::json("{}").status(500).header("x-request-id", KEY);
    let server = Server::start([response]).await;
    let error = error(&open_ai(&server)).await;
    assert_eq!(error.request_id(), Some("…"));
}

#[tokio::test]
async fn lists_and_fields_of_a_completion_have_a_few_thousand_entries() {
    let list = |entry: &dyn Fn(usize) -> String| (0..4097).map(entry).collect::<Vec<_>>().join(",");
    let items = list(&|_| r#"{"type":"text","text":"a"}"#.to_owned());
    let fields = list(&|n| format!(r#""field_{n}":1"#));
    let content = format!(r#"{{"choices":[{{"delta":{{"content":[{items}]}}}}]}}"#);
    let others = format!(r#"{{"choices":[{{"delta":{{{fields}}}}}]}}"#);
    let done = r#"{"type":"response.output_item.done","item":{"type":"message","content":[]}}"#;
    let usage = format!(r#"{{"type":"message_delta","delta":{{}},"usage":{{{fields}}}}}"#);
    let block =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
    let citation = r#"{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{}}}"#;
    let cited: Vec<&str> = std::iter::once(block)
        .chain(std::iter::repeat_n(citation, 4097))
        .collect();
    for (sent, of, path) in [
        (vec![&*content], 0, "event 1: `choices[0].message`"),
        (vec![&*others], 0, "event 1: `choices[0].message`"),
        (vec![done; 4097], 1, "event 4097: `output`"),
        (vec![&*usage], 2, "event 1: `usage`"),
        (cited, 2, "event 4098: `content.citations`"),
    ] {
        let server = Server::start([Response::events(&sent)]).await;
        let error = error(&*models(&server)[of]).await.to_string();
        let problem = format!("{path}: expected at most 4096 entries, found more");
        assert!(error.ends_with(&problem), "{error}");
    }
}
