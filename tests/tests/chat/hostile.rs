//! Models that do what they should not. Everything stays bounded.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    BoxStream, CallPart, Chat, ChatError, ChatModel, ChatRequest, Limits, MAX_CALLS,
    MAX_COMPLETION_BYTES, Message, MessagePart, ModelError, ModelEvent, ModelProfile, ResultPart,
    Role, Scripted, Stop, Stream, TextPart,
};
use skill_agent::models::{Finish, Provider, ToolCall};
use skill_agent::toolbox::Toolbox;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

fn too_large(error: ChatError) {
    assert_eq!(
        error.to_string(),
        format!(
            "the completion of the model is malformed: it is larger than {MAX_COMPLETION_BYTES} bytes"
        )
    );
}

#[timed_test::test]
async fn ids_of_a_provider_may_repeat() {
    let server = server().await;
    let call = |text: &str| {
        let arguments = json!({ "text": text }).to_string();
        ToolCall::new("add_note", arguments).with_id("call_0")
    };
    let model = Scripted::new()
        .raw_calls([call("A"), call("B")])
        .raw_calls([call("C")])
        .text("Done.");
    let mut chat = chat(&model, &server);
    chat.send("Go.").await.unwrap();
    assert_eq!(lines(&server).await, ["A", "B", "C"]);
    let results = chat.history().iter().flat_map(|message| message.results());
    let ids: Vec<_> = results
        .map(|result| (result.id.as_str(), result.provider_id.as_deref()))
        .collect();
    let theirs = Some("call_0");
    assert_eq!(
        ids,
        [
            ("call_1_1_0", theirs),
            ("call_1_1_1", theirs),
            ("call_1_2_0", theirs)
        ]
    );
}

#[timed_test::test]
async fn of_ten_thousand_calls_the_first_are_run_and_the_model_reads_of_the_others() {
    let server = server().await;
    let calls = (0..10_000).map(|n| ("add_note", json!({ "text": n.to_string() })));
    let model = Scripted::new().calls(calls).text("Sorry.");
    let mut chat = chat(&model, &server);
    let turn = chat.send("Go.").await.unwrap();
    assert_eq!((turn.stop, turn.calls.len()), (Stop::Answered, MAX_CALLS));
    assert_eq!(lines(&server).await.len(), MAX_CALLS - 1);
    assert_eq!(
        results(&turn).pop().unwrap(),
        "error: it was not run: the completion has 10000 calls, of which only the first 127 were run; send fewer in one completion"
    );
    assert_whole(chat.history());
    assert_eq!(model.requests()[1].messages[1].parts.len(), MAX_CALLS);
}

#[timed_test::test]
async fn a_completion_without_end_is_an_error() {
    let server = server().await;
    let piece = "a".repeat(MAX_COMPLETION_BYTES / 4);
    let pieces = || (0..5).map(|_| ModelEvent::Text(piece.clone()));
    let finish = [ModelEvent::Finish(Finish::Answered)];
    let model = Scripted::new().events(pieces().chain(finish.clone()));
    too_large(chat(&model, &server).send("Go.").await.unwrap_err());

    // empty pieces count, too
    let empty = ModelEvent::Text(String::new());
    let pieces = std::iter::repeat_n(empty, MAX_COMPLETION_BYTES / 8);
    let model = Scripted::new().events(pieces.chain(finish.clone()));
    too_large(chat(&model, &server).send("Go.").await.unwrap_err());

    // signs of life do not: a server may be at work for long
    let signs = std::iter::repeat_n(ModelEvent::KeepAlive, MAX_COMPLETION_BYTES / 8);
    let model = Scripted::new().events(signs.chain(finish.clone()));
    chat(&model, &server).send("Go.").await.unwrap();

    let arguments = "a".repeat(MAX_COMPLETION_BYTES + 1);
    let call = CallPart::new(ToolCall::new("add_note", arguments));
    let model = Scripted::new().events([ModelEvent::Part(call.into())].into_iter().chain(finish));
    too_large(chat(&model, &server).send("Go.").await.unwrap_err());
}

#[timed_test::test]
async fn a_model_that_only_calls_wrongly_comes_to_an_end() {
    let server = server().await;
    let wrong = |n: usize| ToolCall::new(format!("tool_{n}"), "{".repeat(n));
    let model = (0..60).fold(Scripted::new(), |model, n| model.raw_calls([wrong(n)]));
    let mut chat = chat(&model, &server);
    let turn = chat.send("Go.").await.unwrap();
    assert_eq!((turn.stop, turn.steps), (Stop::Steps, 50));
    let results = results(&turn);
    assert_eq!(results.len(), 50);
    for result in results {
        assert!(result.contains("there is no tool"), "{result}");
    }
    assert_whole(chat.history());
}

/// The stream is dropped while calls run; the server has carried out what it had begun, and the chat can be used.
#[timed_test::test]
async fn a_chat_can_be_used_after_its_stream_was_dropped_among_calls() {
    let (server, gate, mut begun) = gated().await;
    let model = Scripted::new()
        .calls([
            ("send_slowly", json!({ "name": "s1" })),
            ("add_note", json!({ "text": "A" })),
        ])
        .text("Done.");
    let mut chat = chat(&model, &server);
    let mut turn = chat.stream("Go.");
    while let Some(event) = turn.next().await {
        if short(&event.unwrap()) == "called add_note" {
            break;
        }
    }
    begun.recv().await.unwrap();
    drop(turn);
    gate.open("s1");
    assert!(chat.history().is_empty());
    assert_eq!(lines(&server).await, ["A"]);
    assert_eq!(chat.send("Go on.").await.unwrap().text(), "Done.");
    assert_eq!(chat.history().len(), 2);
}

#[timed_test::test]
async fn the_end_of_a_script_is_never_retried() {
    let server = server().await;
    let model = Scripted::new();
    let failed = chat(&model, &server).send("Go.").await;
    assert!(matches!(
        failed,
        Err(ChatError::Model(ModelError::ScriptEnd))
    ));
    assert_eq!(model.requests().len(), 1);
}

/// A model that is at work without end, and never waits for anything.
struct Busy;

impl ChatModel for Busy {
    fn profile(&self) -> ModelProfile {
        ModelProfile::new(Provider::OPENAI_CHAT)
    }

    fn stream(&self, _: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        Box::pin(Self)
    }
}

impl Stream for Busy {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(Some(Ok(ModelEvent::KeepAlive)))
    }
}

#[timed_test::test]
async fn a_model_that_is_at_work_without_end_stops_neither_the_time_nor_the_canceller() {
    let server = server().await;
    let limits = Limits::default().time(Duration::from_millis(20));
    let busy = || Chat::builder(Busy, Toolbox::of(&server));
    let mut timed = busy().limits(limits).build().unwrap();
    assert_eq!(timed.send("Go.").await.unwrap().stop, Stop::Time);

    let mut chat = busy().build().unwrap();
    let canceller = chat.canceller();
    // a task of the same runtime
    tokio::spawn(async move { canceller.cancel() });
    assert_eq!(chat.send("Go.").await.unwrap().stop, Stop::Cancelled);
}

struct WithoutProfile;

impl ChatModel for WithoutProfile {
    fn profile(&self) -> ModelProfile {
        panic!("a secret of the model");
    }

    fn stream(&self, _: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        unreachable!("it has no profile")
    }
}

#[timed_test::test]
async fn a_profile_that_panics_is_an_error() {
    let toolbox = Toolbox::of(&server().await);
    let error = Chat::builder(WithoutProfile, toolbox).build().unwrap_err();
    assert_eq!(error.to_string(), "the model panicked");
}

#[timed_test::test]
async fn a_result_that_a_model_writes_is_no_part_of_the_history() {
    let server = server().await;
    let call = CallPart::new(ToolCall::new("clear_notes", "{}"));
    let result = MessagePart::Result(ResultPart::new(&call, Ok("done".into())));
    for others in [vec![], vec![MessagePart::Call(call)]] {
        let parts = others.into_iter().chain([result.clone()]);
        let events = parts.map(ModelEvent::Part);
        let model = Scripted::new().events(events.chain([ModelEvent::Finish(Finish::Calls)]));
        let mut chat = chat(&model, &server);
        let error = chat.send("Go.").await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the completion of the model is malformed: it has a result of a call, which only a tool can give"
        );
        assert!(chat.history().is_empty());
    }
}

#[timed_test::test]
async fn a_message_that_says_nothing_is_refused() {
    let server = server().await;
    let model = Scripted::new();
    let mut chat = chat(&model, &server);
    let texts = |texts: &[&str]| {
        let parts = texts.iter().map(|text| TextPart::new(*text).into());
        Message::new(Role::User, parts.collect())
    };
    for empty in [texts(&[""]), texts(&[]), texts(&["", " \n"])] {
        let error = chat.send(empty.clone()).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the message is empty; it needs a text, an image or a file"
        );
        let error = chat.ask::<u32>(empty).await.unwrap_err();
        assert!(matches!(error, ChatError::Empty));
    }
    assert!(model.requests().is_empty() && chat.history().is_empty());
}
