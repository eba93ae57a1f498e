//! Settings and numbers at their edges.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    BoxStream, CallPart, Chat, ChatModel, ChatRequest, Limits, Message, MessagePart, ModelError,
    ModelEvent, ModelProfile, ResultPart, Role, Scripted, Stop, Stream, ToolChoice, Usage,
};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::toolbox::Toolbox;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

#[timed_test::test]
async fn a_call_is_demanded_in_the_first_step_of_a_turn_only() {
    let server = server().await;
    let tool = ToolChoice::Tool("list_notes".into());
    for (choice, later) in [
        (ToolChoice::Required, ToolChoice::Auto),
        (tool, ToolChoice::Auto),
        (ToolChoice::None, ToolChoice::None),
    ] {
        let call = || [("list_notes", json!({}))];
        let model = Scripted::new().calls(call()).text("None.");
        let model = model.calls(call()).text("None.");
        let builder = builder(&model, &server).tool_choice(choice.clone());
        let mut chat = builder.build().unwrap();
        for _ in 0..2 {
            chat.send("Any notes?").await.unwrap();
        }
        let requests = model.requests();
        let sent: Vec<_> = requests
            .iter()
            .map(|request| &request.tool_choice)
            .collect();
        assert_eq!(sent, [&choice, &later, &choice, &later]);
    }
}

#[timed_test::test]
async fn a_tool_choice_that_cannot_be_met_is_an_error() {
    let server = server().await;
    let model = Scripted::new().text("None.");
    let choice = ToolChoice::Tool("list_note".into());
    let mut chat = builder(&model, &server)
        .tool_choice(choice)
        .build()
        .unwrap();
    let error = chat.send("Any notes?").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the request cannot be sent: its `tool_choice` demands a call, but there is no tool `list_note`; did you mean `list_notes`?"
    );
    let empty = Toolbox::builder().build().await.unwrap();
    let chat = Chat::builder(model.clone(), empty);
    let mut chat = chat.tool_choice(ToolChoice::Required).build().unwrap();
    let error = chat.send("Any notes?").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the request cannot be sent: its `tool_choice` demands a call, but there are no tools"
    );
    assert!(model.requests().is_empty() && chat.history().is_empty());
}

/// A model that shows nothing for ten minutes, with a sign of life every 200 seconds.
struct Busy;

struct Waiting {
    left: usize,
    sleep: Pin<Box<Sleep>>,
}

const BREAK: Duration = Duration::from_secs(200);

impl ChatModel for Busy {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, _: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let sleep = Box::pin(sleep(BREAK));
        Box::pin(Waiting { left: 5, sleep })
    }
}

impl Stream for Waiting {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.left > 2 {
            std::task::ready!(self.sleep.as_mut().poll(cx));
            self.sleep = Box::pin(sleep(BREAK));
        }
        self.left = self.left.saturating_sub(1);
        Poll::Ready(match self.left {
            2.. => Some(Ok(ModelEvent::KeepAlive)),
            1 => Some(Ok(ModelEvent::Text("Done.".into()))),
            0 => Some(Ok(ModelEvent::Finish(
                skill_agent::models::Finish::Answered,
            ))),
        })
    }
}

#[timed_test::test]
async fn a_stream_with_signs_of_life_does_not_stall() {
    tokio::time::pause();
    let toolbox = Toolbox::of(&server().await);
    let mut chat = Chat::builder(Busy, toolbox).build().unwrap();
    let events = events(chat.stream("Go.")).await;
    assert_eq!(events[0], "text Done.");
}

#[timed_test::test]
async fn text_of_a_request_that_was_too_long_is_discarded() {
    let server = server().await;
    let too_long = ModelError::ContextTooLong {
        request_id: None,
        message: "too long".into(),
    };
    let model = Scripted::new().text("Hello.");
    let model = model.events([ModelEvent::Text("Let".into())]);
    let model = model.then_error(too_long.clone()).text("Shorter.");
    let model = model.error(too_long).text("Shortest.");
    let mut chat = chat(&model, &server);
    chat.send("Hi.").await.unwrap();
    let shown = events(chat.stream("More.")).await;
    assert_eq!(
        shown[..3],
        ["text Let", "retry 2 after 0 s, discard", "text Shorter."]
    );
    // nothing was shown, and nothing is discarded
    let shown = events(chat.stream("More.")).await;
    assert_eq!(shown[0], "text Shortest.");
}

#[timed_test::test]
async fn numbers_of_a_provider_or_a_store_do_not_overflow() {
    let server = server().await;
    let call = |text: &str| [("add_note", json!({ "text": text }))];
    let model = Scripted::new().calls(call("A")).usage(Usage::new(9, 9));
    let model = model.calls(call("B")).usage(Usage::new(u64::MAX, 9));
    let mut first = chat(&model, &server);
    assert_eq!(first.send("Go.").await.unwrap().stop, Stop::Tokens);

    let text = serde_json::to_string(first.history()).unwrap();
    let text = text.replace("call_1_2_0", &format!("call_1_{}_0", u64::MAX));
    let history = serde_json::from_str(&text).unwrap();
    let model = Scripted::new().text("Done.");
    let mut other = builder(&model, &server).history(history).build().unwrap();
    assert_eq!(other.resume().await.unwrap().text(), "Done.");
}

#[timed_test::test]
async fn an_abort_is_the_end_also_if_the_time_is_over_then() {
    tokio::time::pause();
    let (gate, _begun) = gate();
    let builder = AgentServer::builder(Assistant::new()).resources(Gates { gate });
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Abort("stop".into()) });
    let server = builder.start().await.unwrap();
    let model = Scripted::new().calls([
        ("send_slowly", json!({ "name": "s1" })),
        ("clear_notes", json!({})),
    ]);
    let limits = Limits::default().time(Duration::from_secs(60));
    let builder = crate::support::builder(&model, &server).limits(limits);
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Go.").await.unwrap();
    assert_eq!(turn.stop, Stop::Aborted);
    assert!(results(&turn)[0].contains("the limit of time is reached"));
    assert_whole(chat.history());
}

#[timed_test::test]
async fn a_history_whose_calls_share_an_id_is_refused() {
    let server = server().await;
    let call = || [("list_notes", json!({}))];
    let model = Scripted::new().calls(call()).calls(call()).text("None.");
    let mut chat = chat(&model, &server);
    chat.send("Any notes?").await.unwrap();
    let text = serde_json::to_string(chat.history()).unwrap();
    let history = serde_json::from_str(&text.replace("call_1_2_0", "call_1_1_0")).unwrap();
    let refused = builder(&model, &server).history(history).build();
    assert_eq!(
        refused.unwrap_err().to_string(),
        "message 3 of the history: its calls have the id of another call"
    );
}

/// As a program writes it that had the conversation elsewhere, with the ids of a provider or none at all.
#[timed_test::test]
async fn calls_of_a_history_without_ids_are_given_some() {
    let server = server().await;
    let called = |calls: &[CallPart]| {
        let results = calls
            .iter()
            .map(|call| ResultPart::new(call, Ok("1".into())));
        let calls = calls.iter().cloned().map(MessagePart::Call).collect();
        let results = results.map(MessagePart::Result).collect();
        let (calls, results) = (
            Message::new(Role::Assistant, calls),
            Message::new(Role::Tool, results),
        );
        [calls, results]
    };
    let call = |id: &str| {
        let mut call = CallPart::new(raw("list_notes", "{}").with_id("call_a"));
        call.id = id.to_owned();
        call
    };
    let mut history = vec![Message::from("Any notes?")];
    history.extend(called(&[call("call_1_1_1"), call(""), call("")]));
    history.extend(called(&[call("")]));
    history.push(Message::from("And now?"));
    history.extend(called(&[call("")]));
    let model = Scripted::new()
        .calls([("list_notes", json!({}))])
        .text("None.");
    let chat = builder(&model, &server).history(history);
    let mut chat = chat.build().unwrap();
    chat.resume().await.unwrap();
    let calls = chat.history().iter().flat_map(Message::calls);
    let ids: Vec<&str> = calls.map(|call| call.id.as_str()).collect();
    let expected = [
        "call_1_1_1",
        "call_1_1_0",
        "call_1_1_2",
        "call_1_2_0",
        "call_2_1_0",
        "call_2_2_0",
    ];
    assert_eq!(ids, expected);
    assert_whole(chat.history());
    // a result of another call is still a mistake
    let mut torn = called(&[call("")]);
    torn[1] = called(&[call("other")])[1].clone();
    let refused = builder(&model, &server).history(torn.to_vec()).build();
    assert_eq!(
        refused.unwrap_err().to_string(),
        "message 0 of the history: its calls need their results in the message after it, in the same order"
    );
}
