//! Layers that change the results of calls, and events.

use super::*;
use serde_json::json;
use skill_agent::Agent;
use skill_agent::chat::{CallPart, ChatError, Stop};
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::toolbox::{ToolError, ToolOutput};

/// A layer whose result is a function.
struct Results<F>(F);

impl<F> ChatLayer for Results<F>
where
    F: Fn(&CallPart, &mut Result<ToolOutput, ToolError>) -> Result<(), LayerError>
        + Send
        + Sync
        + 'static,
{
    fn result<'a>(
        &'a self,
        call: &'a CallPart,
        result: &'a mut Result<ToolOutput, ToolError>,
    ) -> BoxFuture<'a, Result<(), LayerError>> {
        Box::pin(async move { (self.0)(call, result) })
    }
}

fn add(word: &'static str) -> impl ChatLayer {
    Results(
        move |_: &CallPart, result: &mut Result<ToolOutput, ToolError>| {
            if let Ok(output) = result {
                *output = format!("{} {word}", output.text()).into();
            }
            Ok(())
        },
    )
}

fn note() -> [(&'static str, serde_json::Value); 1] {
    [("add_note", json!({ "text": "a" }))]
}

#[timed_test::test]
async fn a_changed_result_is_read_shown_and_kept() {
    let server = server().await;
    let model = Scripted::new().calls(note()).text("Noted.");
    let chat = builder(&model, &server)
        .layer(add("note"))
        .layer(add("only"));
    let mut chat = chat.build().unwrap();
    let mut called = Vec::new();
    let mut turn = chat.stream("Note a.");
    while let Some(event) = turn.next().await {
        match event.unwrap() {
            Event::Called(call) => called.push(call.result.unwrap().text().into_owned()),
            Event::Done(turn) => assert_eq!(results(&turn), ["1 note only"]),
            _ => {}
        }
    }
    drop(turn);
    assert_eq!(called, ["1 note only"]);
    let kept = |messages: &[skill_agent::chat::Message]| {
        messages[2].results().next().unwrap().text().into_owned()
    };
    assert_eq!(kept(chat.history()), "1 note only");
    assert_eq!(kept(&model.requests()[1].messages), "1 note only");
}

#[timed_test::test]
async fn only_calls_that_have_run_have_a_result() {
    let server = server().await;
    let log = Log::default();
    let layer = {
        let log = log.clone();
        Results(
            move |call: &CallPart, _: &mut Result<ToolOutput, ToolError>| {
                log.note(call.call.name.clone());
                Ok(())
            },
        )
    };
    let calls = [
        ("unknown", json!({})),
        ("add_note", json!({ "text": 7, "more": 1 })),
        ("crash", json!({})),
        ("list_notes", json!({})),
    ];
    let model = Scripted::new().calls(calls).text("Done.");
    layered(&model, &server, layer)
        .build()
        .unwrap()
        .send("Go.")
        .await
        .unwrap();
    let mut notes = log.notes();
    notes.sort();
    assert_eq!(notes, ["crash", "list_notes"]);
}

#[timed_test::test]
async fn a_layer_may_end_the_turn_after_a_call() {
    for streams in [true, false] {
        let server = server().await;
        let model = Scripted::new().calls(note()).text("Noted.");
        let layer = Results(|_: &CallPart, _: &mut Result<ToolOutput, ToolError>| {
            Err(LayerError::end("one note is enough"))
        });
        let mut chat = layered(&model, &server, layer).build().unwrap();
        let turn = if streams {
            chat.stream("Note a.").finish().await.unwrap()
        } else {
            chat.send("Note a.").await.unwrap()
        };
        assert_eq!(turn.stop, Stop::Layer);
        assert_eq!(turn.note.as_deref(), Some("one note is enough"));
        assert_eq!(results(&turn), ["1"]);
        assert_eq!((chat.history().len(), model.requests().len()), (3, 1));
    }
}

#[timed_test::test]
async fn a_layer_that_fails_at_a_result_hides_it() {
    let server = server().await;
    let model = Scripted::new().calls(note());
    let layer = Results(|_: &CallPart, _: &mut Result<ToolOutput, ToolError>| {
        Err(LayerError::Failed("the filter is down".into()))
    });
    let mut chat = layered(&model, &server, layer).build().unwrap();
    let failed = chat.send("Note a.").await.unwrap_err();
    assert_eq!(failed.to_string(), "a layer failed: the filter is down");
    assert!(matches!(failed, ChatError::Layer(_)));
    let result = chat.history()[2]
        .results()
        .next()
        .unwrap()
        .text()
        .into_owned();
    assert!(result.starts_with("it was run, but its result is unknown"));
}

#[timed_test::test]
async fn a_call_that_waits_is_passed_on_when_it_was_decided() {
    let server = AgentServer::builder(Assistant::new())
        .resources(Gates { gate: gate().0 })
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .approval_secret("the secret of this test, which has 32 bytes")
        .start()
        .await
        .unwrap();
    let model = Scripted::new()
        .calls([("remove_note", json!({ "text": "a" }))])
        .text("Done.");
    let mut chat = layered(&model, &server, add("left")).build().unwrap();
    let turn = chat.send("Remove a.").await.unwrap();
    assert_eq!(turn.stop, Stop::Approval);
    let id = turn.pending[0].id.clone();
    let chat = layered(&model, &server, add("left")).history(stored(chat.history()));
    let turn = chat
        .build()
        .unwrap()
        .decide(&id, Verdict::Approve)
        .await
        .unwrap();
    assert_eq!(
        (turn.text(), &results(&turn)[..]),
        ("Done.", &["0 left".to_owned()][..])
    );
}

/// A layer that shows texts with a word.
struct With(&'static str);

impl ChatLayer for With {
    fn shown(&self, event: &mut Event) {
        if let Event::Text(text) = event {
            *text = format!("{text} {}", self.0);
        }
    }
}

#[timed_test::test]
async fn a_shown_event_changes_nothing_else() {
    let server = server().await;
    let model = Scripted::new().text("Hello.");
    let chat = builder(&model, &server)
        .layer(With("one"))
        .layer(With("two"));
    let mut chat = chat.build().unwrap();
    assert_eq!(shown(&mut chat, "Hi.").await, "Hello. one two");
    assert_eq!(chat.history()[1].text(), "Hello.");
}
