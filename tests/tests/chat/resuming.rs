//! Turns that ended before the model was done: which can be resumed is in the history.

use crate::support::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use skill_agent::chat::{
    AnswerForm, Chat, ChatError, Event, Limits, ModelEvent, ModelProfile, Role, Scripted, Stop,
};
use skill_agent::models::{Finish, Provider};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use std::time::Duration;

/// A plan with its steps in order.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Plan {
    steps: Vec<String>,
}

async fn nothing_to_resume(chat: &mut Chat) {
    let resumed = chat.resume().await;
    assert!(matches!(resumed, Err(ChatError::NothingToResume)));
}

#[timed_test::test]
async fn a_turn_that_ended_before_its_first_step_gives_the_message_back() {
    tokio::time::pause();
    let first = Scripted::new().text("Hello.");
    let server = server().await;
    let mut greeted = chat(&first, &server);
    greeted.send("Hi.").await.unwrap();
    let history = stored(greeted.history());
    for stop in [Stop::Cancelled, Stop::Time] {
        let limits = Limits::default().time(Duration::from_secs(9));
        let model = Scripted::new().events([]).then_stall().text("Fine.");
        let builder = builder(&model, &server).history(history.clone());
        let mut chat = builder.limits(limits).build().unwrap();
        let canceller = chat.canceller();
        let turn = chat.stream("How are you?");
        if stop == Stop::Cancelled {
            canceller.cancel();
        }
        let turn = turn.finish().await.unwrap();
        assert_eq!(turn.stop, stop);
        assert_eq!(chat.history(), history);
        nothing_to_resume(&mut chat).await;
        let returned = turn.returned.unwrap();
        assert_eq!(returned, "How are you?".into());
        if stop == Stop::Time {
            let turn = chat.send(returned).await.unwrap();
            assert_eq!((turn.text(), &turn.returned), ("Fine.", &None));
            assert_eq!(chat.history().len(), 4);
        }
    }
}

#[timed_test::test]
async fn a_message_with_a_schema_is_given_back_without_it() {
    tokio::time::pause();
    let server = server().await;
    let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_answer_form(AnswerForm::Prompt);
    let model = Scripted::new()
        .with_profile(profile)
        .events([])
        .then_stall();
    let limits = Limits::default().time(Duration::from_secs(9));
    let mut chat = builder(&model, &server).limits(limits).build().unwrap();
    let error = chat.ask::<Plan>("Plan my day.").await.unwrap_err();
    let ChatError::NoAnswer(turn) = error else {
        panic!("{error}");
    };
    assert_eq!(turn.returned, Some("Plan my day.".into()));
}

#[timed_test::test]
async fn a_paused_completion_is_resumed_after_a_drop_and_after_a_restart() {
    let server = server().await;
    let paused = || {
        Scripted::new().events([
            ModelEvent::Text("Let me see".into()),
            ModelEvent::Finish(Finish::Paused),
        ])
    };
    let model = paused().text("Found.");
    let mut first = chat(&model, &server);
    let mut turn = first.stream("Search it.");
    while let Some(event) = turn.next().await {
        if let Event::StepEnd(_) = event.unwrap() {
            break;
        }
    }
    drop(turn);
    let kept = stored(first.history());
    assert_eq!(first.resume().await.unwrap().text(), "Found.");
    nothing_to_resume(&mut first).await;

    let model = Scripted::new().text("Found.");
    let mut other = builder(&model, &server).history(kept).build().unwrap();
    assert_eq!(other.resume().await.unwrap().text(), "Found.");
    assert_eq!(model.requests()[0].messages.len(), 2);
}

fn asked_by_tool() -> Scripted {
    let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_answer_form(AnswerForm::Tool);
    Scripted::new().with_profile(profile)
}

#[timed_test::test]
async fn an_answer_by_a_tool_ends_its_turn_for_good() {
    let server = server().await;
    let model = asked_by_tool().calls([("answer", json!({ "steps": [] }))]);
    let mut chat = chat(&model, &server);
    chat.ask::<Plan>("Plan my day.").await.unwrap();
    assert_eq!(chat.history().last().unwrap().role, Role::Tool);
    nothing_to_resume(&mut chat).await;
    let history = stored(chat.history());
    let mut other = builder(&model, &server).history(history).build().unwrap();
    nothing_to_resume(&mut other).await;
    assert_eq!(model.requests().len(), 1);
}

#[timed_test::test]
async fn an_answer_beside_a_call_that_waits_is_not_lost() {
    let (gate, _begun) = gate();
    let builder = AgentServer::builder(Assistant::new()).resources(Gates { gate });
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
    let server = builder.start().await.unwrap();
    let model = asked_by_tool()
        .calls([
            ("clear_notes", json!({})),
            ("answer", json!({ "steps": ["rest"] })),
        ])
        .text("Cleared.");
    let mut chat = chat(&model, &server);
    let plan = chat.ask::<Plan>("Plan my day.").await.unwrap();
    assert_eq!(plan.steps, ["rest"]);
    let id = chat.pending()[0].id.clone();
    assert_eq!(chat.resume().await.unwrap().stop, Stop::Approval);
    let turn = chat.decide(&id, true).await.unwrap();
    assert_eq!(turn.calls.len(), 1);
    assert_whole(chat.history());
}
