//! Bounds of completions and results, and results that the format of a request does not take.

use super::*;
use crate::chat::{FilePart, ImagePart, ModelProfile};
use crate::models::Provider;
use crate::toolbox::OutputPart;

/// A result with a part that is no text, and one more question.
pub(super) fn with_output(part: OutputPart) -> ChatRequest {
    let call = CallPart::new(crate::models::ToolCall::new("draw", "{}").with_id("c"));
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
    std::iter::repeat_n(Response::json(chat), 9)
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
    let begun = ": waiting\n\nevent: ping\ndata: {}\n\n";
    let server = Server::start((0..3).map(|_| Response::stream(begun))).await;
    for model in models(&server) {
        let mut stream = model.stream(question());
        let first = stream.next().await.unwrap();
        assert_eq!(first, Ok(ModelEvent::KeepAlive));
        while stream.next().await.is_some() {}
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
