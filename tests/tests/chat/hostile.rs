//! Models that do what they should not. Everything stays bounded.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    CallPart, ChatError, MAX_CALLS, MAX_COMPLETION_BYTES, ModelError, ModelEvent, Scripted, Stop,
};
use skill_agent::models::{Finish, ToolCall};

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
