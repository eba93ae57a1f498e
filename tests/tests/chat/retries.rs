//! Requests that fail and are sent again, on a clock that the tests advance.

use crate::support::*;
use skill_agent::chat::{ChatError, ModelError, ModelEvent, Retries, Scripted};
use skill_agent::models::Finish;
use std::time::Duration;
use tokio::time::Instant;

fn status(status: u16, retry_after: Option<u64>) -> ModelError {
    ModelError::Status {
        status,
        request_id: Some("req_1".into()),
        message: "try again".into(),
        retry_after: retry_after.map(Duration::from_secs),
    }
}

const CUT_OFF: ModelError = ModelError::CutOff { request_id: None };

#[timed_test::test]
async fn a_failed_request_is_sent_again_after_growing_waits() {
    tokio::time::pause();
    let server = server().await;
    let model = Scripted::new()
        .error(status(429, None))
        .error(status(500, None));
    let model = model
        .error(ModelError::Transport("reset".into()))
        .error(CUT_OFF);
    let model = model.text("Hello.");
    let mut chat = chat(&model, &server);
    let begin = Instant::now();
    assert_eq!(
        events(chat.stream("Hi.")).await,
        [
            "retry 2 after 1 s",
            "retry 3 after 2 s",
            "retry 4 after 4 s",
            "retry 5 after 8 s",
            "text Hello.",
            "step 1 with 2 messages",
            "done Answered",
        ]
    );
    assert_eq!(begin.elapsed().as_secs(), 15);
    let requests = model.requests();
    assert_eq!(requests.len(), 5);
    assert!(requests.iter().all(|request| *request == requests[0]));
}

#[timed_test::test]
async fn the_wait_that_a_provider_asks_for_is_obeyed_up_to_a_limit() {
    tokio::time::pause();
    let server = server().await;
    let model = Scripted::new().error(status(429, Some(37))).text("Hello.");
    let begin = Instant::now();
    assert_eq!(
        events(chat(&model, &server).stream("Hi.")).await[0],
        "retry 2 after 37 s"
    );
    assert_eq!(begin.elapsed().as_secs(), 37);

    let model = Scripted::new()
        .error(status(529, Some(3600)))
        .text("Hello.");
    let error = chat(&model, &server).send("Hi.").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the provider answered with status 529 (request `req_1`): try again"
    );
    assert_eq!(begin.elapsed().as_secs(), 37);
}

#[timed_test::test]
async fn other_errors_are_not_retried_and_the_attempts_have_an_end() {
    tokio::time::pause();
    let server = server().await;
    let request_id = || None;
    let message = || String::new();
    for error in [
        status(400, None),
        status(401, Some(1)),
        ModelError::Protocol {
            request_id: None,
            message: message(),
        },
        ModelError::Refused {
            request_id: request_id(),
            message: message(),
        },
        ModelError::ContextTooLong {
            request_id: request_id(),
            message: message(),
        },
        ModelError::AccountExhausted {
            request_id: request_id(),
            message: message(),
            retry_after: Some(Duration::ZERO),
        },
        ModelError::Request("a map".into()),
        ModelError::ScriptEnd,
    ] {
        let model = Scripted::new().error(error.clone()).text("Hello.");
        let failed = chat(&model, &server).send("Hi.").await;
        assert!(matches!(failed, Err(ChatError::Model(e)) if e == error));
        assert_eq!(model.requests().len(), 1, "{error}");
    }
    let model = (0..9).fold(Scripted::new(), |model, _| model.error(CUT_OFF));
    let failed = chat(&model, &server).send("Hi.").await;
    assert!(matches!(failed, Err(ChatError::Model(CUT_OFF))));
    assert_eq!(model.requests().len(), 5);
    let none = builder(&model, &server).retries(Retries::none()).build();
    none.unwrap().send("Hi.").await.unwrap_err();
    assert_eq!(model.requests().len(), 6);
}

#[timed_test::test]
async fn a_retry_after_visible_text_says_discard() {
    tokio::time::pause();
    let server = server().await;
    let piece = |text: &str| [ModelEvent::Text(text.into())];
    let model = Scripted::new()
        .events(piece("Hel")) // cut off: no `Finish`
        .error(status(503, None))
        .events([ModelEvent::Reasoning("Hm.".into())])
        .then_error(CUT_OFF)
        .text("Hello.");
    let mut chat = chat(&model, &server);
    assert_eq!(
        events(chat.stream("Hi.")).await[..6],
        [
            "text Hel",
            "retry 2 after 1 s, discard",
            "retry 3 after 2 s",
            "reasoning Hm.",
            "retry 4 after 4 s, discard",
            "text Hello.",
        ]
    );
    assert_eq!(chat.history()[1].text(), "Hello.");
}

#[timed_test::test]
async fn a_stream_that_sends_nothing_for_five_minutes_is_retried() {
    tokio::time::pause();
    let server = server().await;
    let model = Scripted::new()
        .events([ModelEvent::Text("Hel".into())])
        .then_stall();
    let model = model.events([]).then_stall().text("Hello.");
    let begin = Instant::now();
    let events = events(chat(&model, &server).stream("Hi.")).await;
    assert_eq!(
        events[..3],
        [
            "text Hel",
            "retry 2 after 1 s, discard",
            "retry 3 after 2 s"
        ]
    );
    assert_eq!(begin.elapsed().as_secs(), 2 * 300 + 3);
    for (millis, text) in [(300_000, "300s"), (1_500, "1.5s"), (500, "500ms")] {
        let error = ModelError::Timeout(Duration::from_millis(millis));
        let expected = format!("the model sent nothing for {text}");
        assert_eq!(error.to_string(), expected);
    }
}

#[timed_test::test]
async fn a_panic_of_a_model_is_a_typed_error() {
    let server = server().await;
    let model = Scripted::new()
        .events([ModelEvent::Text("Hel".into())])
        .then_panic();
    let mut chat = chat(&model.text("Hello."), &server);
    let failed = chat.send("Hi.").await;
    assert!(matches!(
        failed,
        Err(ChatError::Model(ModelError::Panicked))
    ));
    assert_eq!(chat.send("Hi.").await.unwrap().text(), "Hello.");
}

#[timed_test::test]
async fn events_after_the_end_of_a_completion_are_not_read() {
    let server = server().await;
    let end = [
        ModelEvent::Finish(Finish::Answered),
        ModelEvent::Text("more".into()),
    ];
    let model = Scripted::new().events(end).then_panic();
    assert_eq!(chat(&model, &server).send("Hi.").await.unwrap().text(), "");
}
