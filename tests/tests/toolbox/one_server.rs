//! A toolbox over one server.

use crate::approvals::poll;
use crate::recorded_traces::Traces;
use crate::support::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{ToolError, ToolSession, Toolbox};
use std::sync::{Arc, OnceLock};
use std::task::Poll;

#[timed_test::test]
async fn the_tools_of_a_server_are_listed_and_called() {
    let server = assistant().await;
    let toolbox = Toolbox::of(&server);
    let session = toolbox.session(ForeignCaller::Model);
    let list = session.list().await;
    assert_eq!(names(&list), ["add_note", "list_notes", "clear_notes"]);
    for listed in &list.tools {
        let of = (listed.lane.as_str(), listed.source.as_str());
        assert_eq!(of, ("assistant/notes", "assistant"));
    }
    assert!(Arc::ptr_eq(&list, &session.list().await));
    let erased = Toolbox::of(&server.clone().erase()).session(ForeignCaller::Model);
    assert_eq!(names(&*erased.list().await), names(&list));

    let output = session.call("add_note", r#"{"text":"a"}"#).await.unwrap();
    assert_eq!(output.text(), "1");
    for _ in 0..2 {
        let output = session.call_with_key("k", "add_note", r#"{"text":"b"}"#);
        assert_eq!(output.await.unwrap().text(), "2");
    }
    let texts = toolbox.instructions();
    let texts = texts.iter().map(|text| (&*text.origin, &*text.text));
    let expected = [("notes", "A note is one short sentence.")];
    assert_eq!(texts.collect::<Vec<_>>(), expected);
}

#[timed_test::test]
async fn a_key_behind_the_name_of_its_tool_is_found() {
    let server = assistant().await;
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    let swapped = session.call_with_key("add_note", "order-7", r#"{"text":"a"}"#);
    let error = swapped.await.unwrap_err();
    let expected = "`order-7` is no tool, and the key `add_note` is one: the key comes first, as in `call_with_key(key, name, arguments)`";
    assert_eq!(error.to_string(), expected);
    assert!(matches!(error, ToolError::SwappedKey { .. }) && error.applied() == Applied::No);
    let empty = session
        .call_with_key("", "add_note", r#"{"text":"a"}"#)
        .await;
    assert_eq!(
        empty.unwrap_err().to_string(),
        "the idempotency key is empty; each call needs its own"
    );
    let unknown = session.call_with_key("order-7", "add_notes", "{}").await;
    assert!(matches!(unknown, Err(ToolError::Unknown { .. })));
}

#[timed_test::test]
async fn errors_are_typed_and_say_what_to_write() {
    let server = assistant().await;
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    let wrong = session.call("add_note", r#"{"txet":"a"}"#).await;
    let unknown = session.call("add_notes", "{}").await;
    let in_front = session.call("notes_add_note", "{}").await;
    let denied = session.call("clear_notes", "{}").await;
    server.stop().await.unwrap();
    let stopped = session.call("list_notes", "{}").await;
    let expected = [
        "the arguments of `add_note` are wrong: `txet`: unknown field `txet`, expected `text`; did you mean `text`?",
        "there is no tool `add_notes`; did you mean `add_note`?",
        "there is no tool `notes_add_note`; did you mean `add_note`?",
        "`clear_notes` was denied: approval is required, but the server has no approver",
        "`list_notes` cannot be called now: the server has stopped; nothing was applied",
    ];
    for (result, expected) in [wrong, unknown, in_front, denied, stopped]
        .into_iter()
        .zip(expected)
    {
        let error = result.unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.applied(), Applied::No);
        let stored = serde_json::to_string(&error).unwrap();
        assert_eq!(serde_json::from_str::<ToolError>(&stored).unwrap(), error);
    }
}

#[timed_test::test]
async fn a_deferred_request_is_decided_by_a_session_of_its_caller() {
    let server = AgentServer::builder(Assistant::new())
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .start()
        .await
        .unwrap();
    server.call(AddNote { text: "a".into() }).await.unwrap();
    let toolbox = Toolbox::of(&server);
    let session = toolbox.session(ForeignCaller::Model);
    let error = session.call("clear_notes", "{}").await.unwrap_err();
    let stored = serde_json::to_string(&error).unwrap();
    let Ok(ToolError::Pending(request)) = serde_json::from_str(&stored) else {
        panic!("{error:?}");
    };
    let other = toolbox.session(ForeignCaller::Model.with_principal("eve"));
    let refused = other.decide((*request).clone(), true).await.unwrap_err();
    assert!(
        matches!(refused, ToolError::InvalidRequest { .. }),
        "{refused}"
    );
    assert_eq!(server.agent().await.unwrap().state().notes.lines.len(), 1);
    toolbox
        .session(ForeignCaller::Model)
        .decide(*request, true)
        .await
        .unwrap();
    assert!(server.agent().await.unwrap().state().notes.lines.is_empty());
}

/// Read a result.
#[action(read_only)]
pub fn read_result(_: &Results) {}

/// Results.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "results", actions(ReadResult))]
pub struct Results {}

agent! {
    pub struct Archive {
        name: "archive",
        skills: [Results],
    }
}

#[timed_test::test]
async fn a_tool_that_is_withheld_from_the_first_is_logged_once() {
    let traces = Traces::record();
    let server = AgentServer::builder(Archive::new()).start().await.unwrap();
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    let list = session.list().await;
    assert_eq!((list.tools.len(), list.withheld.len()), (0, 1));
    session.list().await;
    let warnings = traces.take_warnings("tool");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[timed_test::test]
async fn a_list_within_an_action_of_the_server_is_the_last_one() {
    let session = Arc::new(OnceLock::<ToolSession>::new());
    let own = session.clone();
    let guard = move |_: &Attempt<'_>| {
        let mut list = Box::pin(own.get().unwrap().list());
        match poll(list.as_mut()) {
            Poll::Ready(list) if list.withheld.is_empty() => Decision::Allow,
            other => Decision::Deny(format!("{other:?}").into()),
        }
    };
    let server = AgentServer::builder(Porter::new()).guard(guard);
    let server = server.start().await.unwrap();
    let toolbox = Toolbox::of(&server);
    let session = session.get_or_init(|| toolbox.session(ForeignCaller::Model));
    assert_eq!(session.call("ring", "{}").await.unwrap().text(), "1");
}
