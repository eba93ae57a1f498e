//! Chats repair arguments and typed answers, and say so.

use crate::support::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use skill_agent::chat::{AnswerForm, ChatError, Event, ModelProfile, Scripted};
use skill_agent::models::{Change, Provider};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};

const SLOPPY: &str = r#"{"text":"12","times":"2",}"#;

#[timed_test::test]
async fn a_chat_is_lenient_and_lists_each_repair() {
    let server = server().await;
    let model = Scripted::new()
        .raw_calls([raw("add_note", SLOPPY), raw("add_note", r#"{"text":"B"}"#)])
        .text("Done.");
    let mut chat = chat(&model, &server);
    let mut turn = chat.stream("Go.");
    let mut listed = Vec::new();
    let turn = loop {
        match turn.next().await.unwrap().unwrap() {
            Event::Called(called) => listed.push((called.arguments, called.repairs)),
            Event::Done(turn) => break turn,
            _ => {}
        }
    };
    assert_eq!(results(&turn), ["2", "3"]);
    assert_eq!(lines(&server).await, ["12", "12", "B"]);
    assert_eq!(listed[0].0, SLOPPY, "as the model wrote them");
    let repairs: Vec<String> = listed[0].1.iter().map(ToString::to_string).collect();
    assert_eq!(
        repairs,
        [
            "at the top level: there was a trailing comma",
            "`times`: a number was written as text"
        ]
    );
    assert!(listed[1].1.is_empty());
    let of_turn: Vec<_> = turn.calls.into_iter().map(|call| call.repairs).collect();
    assert_eq!(of_turn, [listed[0].1.clone(), Vec::new()]);
    // the model reads its own words again
    let sent = model.requests()[1].messages[1].calls().next().cloned();
    assert_eq!(sent.unwrap().call.arguments, SLOPPY);
}

#[timed_test::test]
async fn a_strict_chat_lets_the_model_read_the_mistakes() {
    let server = server().await;
    let model = Scripted::new().raw_calls([
        raw("add_note", r#"{"text":["a"],"times":null}"#),
        raw("add_note", r#"{"text":"a","times":"2"}"#),
        raw("functions.add_note", "{}"),
    ]);
    let chat = builder(&model.text("Sorry."), &server).lenient(false);
    let turn = chat.build().unwrap().send("Go.").await.unwrap();
    assert_eq!(
        results(&turn),
        [
            "error: the arguments of `add_note` are wrong: 2 problems\n  \
             `text`: invalid type: a list, expected a string\n  \
             `times`: invalid type: null, expected a non-negative integer; leave it out",
            "error: the arguments of `add_note` are wrong: `times`: invalid type: string \"2\", expected a non-negative integer",
            "error: there is no tool `functions.add_note`; did you mean `add_note`?",
        ]
    );
    assert!(turn.calls.iter().all(|call| call.repairs.is_empty()));
    assert!(lines(&server).await.is_empty());
}

#[timed_test::test]
async fn a_person_who_approves_sees_the_repaired_arguments() {
    let (gate, _) = gate();
    let server = AgentServer::builder(Assistant::new())
        .resources(Gates { gate })
        .guard(|_: &Attempt<'_>| Decision::Ask)
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .start()
        .await
        .unwrap();
    let model = Scripted::new()
        .raw_calls([raw("add_note", SLOPPY)])
        .text("Done.");
    let mut chat = chat(&model, &server);
    let turn = chat.send("Go.").await.unwrap();
    let waiting = &turn.pending[0];
    assert_eq!(
        waiting.request.arguments,
        json!({ "text": "12", "times": 2 })
    );
    assert_eq!(turn.calls[0].repairs[1].change, Change::Number);
    chat.decide(&waiting.id, true).await.unwrap();
    assert_eq!(lines(&server).await, ["12", "12"]);
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Plan {
    steps: Vec<String>,
    hours: u8,
    #[serde(default)]
    title: Option<String>,
}

#[timed_test::test]
async fn typed_answers_are_repaired_too() {
    let plan = Plan {
        steps: vec!["1".into()],
        hours: 3,
        title: Some("[2]".into()),
    };
    let sloppy = r#"{"steps":"[\"1\"]","hours":"3","title":"[2]",}"#;
    for form in [AnswerForm::Schema, AnswerForm::Tool, AnswerForm::Prompt] {
        let server = server().await;
        let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_answer_form(form);
        let script = || {
            let model = Scripted::new().with_profile(profile.clone());
            let answer = |model: Scripted| match form {
                AnswerForm::Tool => model.raw_calls([raw("answer", sloppy)]),
                _ => model.text(sloppy),
            };
            answer(answer(model))
        };
        let found: Plan = chat(&script(), &server).ask("Plan.").await.unwrap();
        assert_eq!(found, plan);
        let strict = builder(&script(), &server).lenient(false);
        let error = strict.build().unwrap().ask::<Plan>("Plan.").await;
        let error = error.unwrap_err();
        assert!(matches!(error, ChatError::Answer(_)), "{error}");
    }
    // all mistakes of an answer are named
    let server = server().await;
    let wrong = r#"{"steps":{},"hours":"many"}"#;
    let model = Scripted::new().text(wrong).text(wrong);
    let profile = ModelProfile::new(Provider::OPENAI_CHAT);
    let mut chat = chat(&model.with_profile(profile), &server);
    let error = chat.ask::<Plan>("Plan.").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the answer does not fit its type: 2 problems\n  \
         `steps`: invalid type: an object, expected a list\n  \
         `hours`: invalid type: string \"many\", expected a non-negative integer"
    );
}
