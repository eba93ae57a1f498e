//! Which model is asked, and when.

use super::*;
use skill_agent::chat::{
    BoxStream, ChatError, ChatRequest, Event, Fallback, ModelEvent, Retries, Stream, TextPart,
};
use skill_agent::models::Finish;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::time::{Instant, Sleep, advance, sleep};

const ANSWER: [&str; 3] = ["text Hello.", "step 1 with 2 messages", "done Answered"];

fn malformed() -> ModelError {
    ModelError::Protocol {
        request_id: None,
        message: "not JSON".into(),
    }
}

fn too_long() -> ModelError {
    ModelError::ContextTooLong {
        request_id: None,
        message: "too long".into(),
    }
}

fn refused() -> ModelError {
    ModelError::Refused {
        request_id: None,
        message: "no".into(),
    }
}

#[timed_test::test]
async fn the_next_model_is_asked_at_once() {
    tokio::time::pause();
    let server = server().await;
    let begin = Instant::now();
    for error in [
        status(408, None),
        status(429, Some(37)),
        status(500, None),
        status(529, None),
        ModelError::Transport("refused".into()),
        ModelError::Timeout(Duration::from_secs(9)),
        CUT_OFF,
        malformed(),
        exhausted(None),
    ] {
        let (first, second) = (failing([error.clone()]), greeting());
        let mut chat = chat_of(Fallback::new(first.clone()).then(second.clone()), &server);
        let seen = events(chat.stream("Hi.")).await;
        assert_eq!(seen[0], "switched to 1, cache lost", "{error}");
        assert_eq!(seen[1..], ANSWER, "{error}");
        assert_eq!(chat.history().len(), 2, "{error}");
        let asked = (first.requests().len(), second.requests().len());
        assert_eq!(asked, (1, 1), "{error}");
    }
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[timed_test::test]
async fn other_errors_end_the_request() {
    let server = server().await;
    for error in [
        status(400, None),
        status(401, None),
        status(404, None),
        refused(),
        too_long(),
        ModelError::Request("a map".into()),
        ModelError::ScriptEnd,
    ] {
        let second = greeting();
        let models = Fallback::new(failing([error.clone()])).then(second.clone());
        let mut chat = chat_of(models, &server);
        let failed = chat.send("Hi.").await;
        assert!(matches!(failed, Err(ChatError::Model(found)) if found == error));
        assert!(second.requests().is_empty(), "{error}");
        assert!(chat.history().is_empty());
    }
}

#[timed_test::test]
async fn retries_apply_to_the_chain_when_the_last_model_has_failed() {
    tokio::time::pause();
    let server = server().await;
    let first = failing([status(500, None)]).text("Hello.");
    let second = failing([ModelError::Transport("reset".into())]);
    let mut chat = chat_of(Fallback::new(first.clone()).then(second.clone()), &server);
    assert_eq!(
        events(chat.stream("Hi.")).await[..3],
        [
            "switched to 1, cache lost",
            "retry 2 after 1 s",
            "text Hello."
        ]
    );
    assert_eq!((first.requests().len(), second.requests().len()), (2, 1));
}

#[timed_test::test]
async fn the_error_of_a_chain_has_the_errors_of_all_models() {
    let server = server().await;
    let models = Fallback::new(failing([status(500, None)])).then(failing([exhausted(None)]));
    let chat = builder_of(models, &server).retries(Retries::none());
    let failed = chat.build().unwrap().send("Hi.").await.unwrap_err();
    assert_eq!(
        failed.to_string(),
        "no model of the fallback answered: the provider answered with status 500: not now; the account at the provider is \
         exhausted: no credit"
    );
    let ChatError::Model(ModelError::AllFailed(errors)) = failed else {
        panic!("{failed}");
    };
    assert_eq!(errors, [status(500, None), exhausted(None)]);
    // a chain of one model has its error
    let only = Fallback::new(failing([exhausted(None)]));
    let failed = chat_of(only, &server).send("Hi.").await;
    assert!(matches!(failed, Err(ChatError::Model(error)) if error == exhausted(None)));
}

#[timed_test::test]
async fn a_model_whose_delay_is_not_over_is_passed_by() {
    tokio::time::pause();
    let server = server().await;
    let first = failing([status(429, Some(60))]).text("Hello.");
    let second = failing([status(429, Some(5))])
        .text("Hello.")
        .text("Hello.");
    let models = Fallback::new(first.clone()).then(second.clone());
    let mut chat = chat_of(models, &server);
    let begin = Instant::now();
    let seen = events(chat.stream("Hi.")).await;
    assert_eq!(
        seen[..4],
        [
            "switched to 1, cache lost",
            "retry 2 after 5 s", // the shorter one
            "switched to 1, cache lost",
            "text Hello.",
        ]
    );
    assert_eq!(begin.elapsed().as_secs(), 5);
    assert_eq!(first.requests().len(), 1);
    // the second model has the cache now
    let seen = events(chat.stream("Hi.")).await;
    assert_eq!(seen[0], "switched to 1");
    assert_eq!(first.requests().len(), 1);
    advance(Duration::from_secs(55)).await;
    assert_eq!(events(chat.stream("Hi.")).await[0], "text Hello.");
    assert_eq!((first.requests().len(), second.requests().len()), (2, 3));
}

#[timed_test::test]
async fn a_switch_names_the_error_of_the_model_before() {
    tokio::time::pause();
    let server = server().await;
    let first = failing([status(429, Some(600))]);
    let second = Scripted::new().events([]).then_stall().text("Hello.");
    let models = Fallback::new(first).then(second);
    let mut chat = chat_of(models.stall(Duration::from_secs(10)), &server);
    let mut errors = Vec::new();
    // the first model is passed by, and the second one, which has stalled, is asked last
    for _ in 0..2 {
        let mut turn = chat.stream("Hi.");
        while let Some(event) = turn.next().await {
            if let Ok(Event::Switched(switched)) = event {
                errors.push(switched.error);
            }
        }
    }
    assert_eq!(errors.len(), 3);
    let is_limited = |error| matches!(error, &ModelError::Status { status: 429, .. });
    assert!(errors.iter().all(is_limited), "{errors:?}");
}

#[timed_test::test]
async fn a_delay_holds_for_all_chats_with_the_chain() {
    tokio::time::pause();
    let server = server().await;
    let first = failing([exhausted(Some(3600))]);
    let models = Fallback::new(first.clone()).then(greeting());
    for _ in 0..2 {
        let mut chat = chat_of(models.clone(), &server);
        assert_eq!(chat.send("Hi.").await.unwrap().text(), "Hello.");
    }
    assert_eq!(first.requests().len(), 1);
}

#[timed_test::test]
async fn a_chain_whose_models_all_wait_fails_with_the_time_that_is_left() {
    tokio::time::pause();
    let server = server().await;
    let models =
        Fallback::new(failing([status(429, Some(600))])).then(failing([status(503, Some(900))]));
    let mut chat = chat_of(models.clone(), &server);
    chat.send("Hi.").await.unwrap_err(); // longer than `longest_wait`
    advance(Duration::from_secs(400)).await;
    let failed = chat.send("Hi.").await.unwrap_err();
    let ChatError::Model(error) = failed else {
        panic!("{failed}");
    };
    assert_eq!(error.retry_after().unwrap().as_secs(), 200);
}

#[timed_test::test]
async fn an_invalid_replacement_does_not_end_a_failure_that_passes() {
    tokio::time::pause();
    let server = server().await;
    let first = failing([status(503, None)]).text("Hello.");
    let second = failing([status(401, None)]);
    let mut chat = chat_of(Fallback::new(first).then(second), &server);
    assert_eq!(chat.send("Hi.").await.unwrap().text(), "Hello.");
}

#[timed_test::test]
async fn a_model_that_stalls_is_replaced_and_asked_last_for_a_minute() {
    tokio::time::pause();
    let server = server().await;
    let first = Scripted::new().events([]).then_stall().text("Hello.");
    let second = greeting();
    let models = Fallback::new(first.clone()).then(second.clone());
    let models = models.stall(Duration::from_secs(10));
    let mut chat = chat_of(models, &server);
    let begin = Instant::now();
    assert_eq!(
        events(chat.stream("Hi.")).await[..2],
        ["switched to 1, cache lost", "text Hello."]
    );
    assert_eq!(begin.elapsed().as_secs(), 10);
    assert_eq!(events(chat.stream("Hi.")).await[0], "switched to 1");
    assert_eq!(begin.elapsed().as_secs(), 10);
    advance(Duration::from_secs(60)).await;
    assert_eq!(events(chat.stream("Hi.")).await[0], "text Hello.");
    assert_eq!((first.requests().len(), second.requests().len()), (2, 2));
}

#[timed_test::test]
async fn a_model_that_keeps_working_does_not_stall() {
    tokio::time::pause();
    let server = server().await;
    let models = Fallback::new(Slow)
        .then(greeting())
        .stall(Duration::from_secs(10));
    let mut chat = chat_of(models, &server);
    assert_eq!(chat.send("Hi.").await.unwrap().text(), "Slowly.");
}

/// A model that shows after each five seconds that it works.
struct Slow;

struct SlowEvents {
    left: usize,
    sleep: Pin<Box<Sleep>>,
}

impl ChatModel for Slow {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, _: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let sleep = Box::pin(sleep(Duration::from_secs(5)));
        Box::pin(SlowEvents { left: 5, sleep })
    }
}

impl Stream for SlowEvents {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        ready!(self.sleep.as_mut().poll(cx));
        self.sleep = Box::pin(sleep(Duration::from_secs(5)));
        self.left -= 1;
        Poll::Ready(Some(Ok(match self.left {
            2.. => ModelEvent::KeepAlive,
            1 => ModelEvent::Text("Slowly.".into()),
            0 => ModelEvent::Finish(Finish::Answered),
        })))
    }
}

/// Reports about other libraries say that a second model is never asked when a stream breaks off in the middle.
#[timed_test::test]
async fn after_visible_text_the_chat_retries_and_another_model_is_asked() {
    tokio::time::pause();
    let server = server().await;
    let piece = ModelEvent::Text("Hel".into());
    let first = Scripted::new().events([piece]).then_error(CUT_OFF);
    let second = greeting();
    let mut chat = chat_of(Fallback::new(first.clone()).then(second), &server);
    assert_eq!(
        events(chat.stream("Hi.")).await,
        [
            "text Hel",
            "retry 2 after 1 s, discard",
            "switched to 1, cache lost",
            "text Hello.",
            "step 1 with 2 messages",
            "done Answered",
        ]
    );
    assert_eq!(chat.history()[1].text(), "Hello.");
    assert_eq!(first.requests().len(), 1);
}

#[timed_test::test]
async fn parts_without_pieces_of_a_failed_model_are_void() {
    let server = server().await;
    let part = ModelEvent::Part(TextPart::new("Nonsense.").into());
    let first = Scripted::new().events([part]).then_error(CUT_OFF);
    let mut chat = chat_of(Fallback::new(first).then(greeting()), &server);
    chat.send("Hi.").await.unwrap();
    assert_eq!(chat.history()[1].text(), "Hello.");
}

#[timed_test::test]
async fn a_panic_in_a_model_ends_the_turn_and_not_the_program() {
    let server = server().await;
    let first = Scripted::new().events([]).then_panic().text("Hello.");
    let mut chat = chat_of(Fallback::new(first).then(greeting()), &server);
    let failed = chat.send("Hi.").await;
    assert!(matches!(
        failed,
        Err(ChatError::Model(ModelError::Panicked))
    ));
    assert_eq!(chat.send("Hi.").await.unwrap().text(), "Hello.");
}

#[timed_test::test]
async fn a_chain_in_a_chain_counts_all_models() {
    let server = server().await;
    let inner = Fallback::new(failing([status(500, None)])).then(failing([CUT_OFF]));
    let last = greeting();
    let mut chat = chat_of(Fallback::new(inner).then(last), &server);
    assert_eq!(
        events(chat.stream("Hi.")).await[..3],
        [
            "switched to 1, cache lost",
            "switched to 2, cache lost",
            "text Hello."
        ]
    );
}
