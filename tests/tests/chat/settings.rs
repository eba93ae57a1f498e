//! The settings of a chat.

use crate::support::*;
use model_server::{Response, Server};
use serde_json::json;
use skill_agent::chat::{
    Chat, ChatError, Limits, ModelEvent, ModelProfile, OpenAi, RequestOptions, Scripted, Usage,
};
use skill_agent::models::{Finish, Provider};
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};
use skill_agent::toolbox::Toolbox;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[timed_test::test]
async fn the_calls_are_made_on_behalf_of_the_caller() {
    let callers = Arc::new(Mutex::new(Vec::new()));
    let seen = callers.clone();
    let (gate, _) = gate();
    let server = AgentServer::builder(Assistant::new())
        .resources(Gates { gate })
        .guard(move |attempt: &Attempt<'_>| {
            seen.lock().unwrap().push(attempt.caller.clone());
            Decision::Allow
        });
    let server = server.start().await.unwrap();
    let of_ann = ForeignCaller::Model.with_principal("ann");
    for caller in [None, Some(of_ann.clone())] {
        let model = Scripted::new().calls([("list_notes", json!({}))]).text(".");
        let mut chat = builder(&model, &server);
        if let Some(caller) = caller {
            chat = chat.caller(caller);
        }
        chat.build().unwrap().send("Any notes?").await.unwrap();
    }
    let expected = [ForeignCaller::Model, of_ann].map(Caller::from);
    assert_eq!(*callers.lock().unwrap(), expected);
}

#[timed_test::test]
async fn parallel_calls_are_asked_for_unless_the_model_has_none() {
    let server = server().await;
    let profile = || ModelProfile::new(Provider::OPENAI_CHAT);
    let strict = || ModelProfile::new(Provider::OPENAI_STRICT);
    for (profile, set, sent) in [
        (profile(), None, None),
        (profile(), Some(true), Some(true)),
        (profile(), Some(false), Some(false)),
        (profile().with_parallel_calls(false), None, Some(false)),
        (
            profile().with_parallel_calls(false),
            Some(true),
            Some(false),
        ),
        // strict mode does not enforce schemas of several calls
        (strict(), Some(true), Some(false)),
    ] {
        let model = Scripted::new().with_profile(profile).text("None.");
        let mut chat = builder(&model, &server);
        if let Some(parallel) = set {
            chat = chat.parallel_calls(parallel);
        }
        chat.build().unwrap().send("Any notes?").await.unwrap();
        assert_eq!(model.requests()[0].parallel_calls, sent);
    }
}

#[test]
fn the_default_limits_are_those_of_the_documentation() {
    let limits = Limits::default();
    assert_eq!(
        (limits.steps, limits.tokens, limits.identical_calls),
        (50, 2_000_000, 2)
    );
    assert_eq!(limits.time, Duration::from_secs(30 * 60));
}

#[timed_test::test]
async fn a_later_count_replaces_an_earlier_one() {
    let server = server().await;
    let model = Scripted::new().events([
        ModelEvent::Usage(Usage::new(10, 1)),
        ModelEvent::Text("Hello.".to_owned()),
        ModelEvent::Usage(Usage::new(10, 2)),
        ModelEvent::Finish(Finish::Answered),
    ]);
    let turn = chat(&model, &server).send("Hello?").await.unwrap();
    assert_eq!(turn.usage, Usage::new(10, 2));
}

#[timed_test::test]
async fn a_turn_that_has_ended_has_no_end_any_more() {
    let server = server().await;
    let mut chat = chat(&Scripted::new().text("Hello."), &server);
    let mut turn = chat.stream("Hello?");
    while turn.next().await.is_some() {}
    let error = turn.finish().await.unwrap_err();
    assert!(matches!(error, ChatError::Ended), "{error:?}");
}

#[timed_test::test]
async fn an_owned_stream_resumes_a_turn() {
    let server = server().await;
    let model = Scripted::new()
        .calls([("list_notes", json!({}))])
        .text("None.");
    let limits = Limits::default().steps(1);
    let mut chat = builder(&model, &server).limits(limits).build().unwrap();
    chat.send("Any notes?").await.unwrap();
    let (turn, chat) = ended(chat.into_stream_resume()).await;
    assert_eq!(turn.text(), "None.");
    assert_eq!(chat.history().len(), 4);
}

#[timed_test::test]
async fn extra_fields_that_replace_nothing_of_the_chat_are_sent() {
    let message = json!({ "role": "assistant", "content": "Sunny." });
    let whole = json!({ "choices": [{ "message": message, "finish_reason": "stop" }] });
    let model_server = Server::start([Response::json(&whole.to_string())]).await;
    let model = OpenAi::new("", "m").base_url(format!("{}/v1", model_server.url));
    let search = json!([{ "type": "web_search" }]);
    let options = RequestOptions::new()
        .max_tokens(9)
        .extra("max_tokens", 10)
        .extra("stream", false)
        .extra("tools", search.clone());
    // the toolbox has no tools that they would replace
    let toolbox = Toolbox::builder().build().await.unwrap();
    let chat = Chat::builder(model, toolbox).options(options);
    let turn = chat.build().unwrap().send("The weather?").await.unwrap();
    assert_eq!(turn.text(), "Sunny.");
    let body = model_server.body();
    assert_eq!((&body["tools"], &body["max_tokens"]), (&search, &json!(10)));
}
