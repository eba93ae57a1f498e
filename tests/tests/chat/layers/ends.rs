//! Layers that end a turn, or fail it.

use super::*;
use serde_json::json;
use skill_agent::chat::{ChatError, Fallback, ModelError, Stop};
use skill_agent::toolbox::Toolbox;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Ends the turn before a request with these many messages.
fn end_at(messages: usize) -> impl ChatLayer {
    requests(move |request, next| {
        if request.messages.len() < messages {
            return next.send(request);
        }
        Box::pin(async { Err(LayerError::end("not at night")) })
    })
}

#[timed_test::test]
async fn a_layer_may_end_the_turn_before_a_request() {
    let server = server().await;
    let model = Scripted::new();
    let mut chat = layered(&model, &server, end_at(1)).build().unwrap();
    let seen = events(chat.stream("Hi.")).await;
    assert_eq!(seen, ["done Layer"]);
    let turn = chat.send("Hi.").await.unwrap();
    assert_eq!(
        (turn.stop, turn.note.as_deref()),
        (Stop::Layer, Some("not at night"))
    );
    assert_eq!(turn.returned.unwrap().text(), "Hi.");
    assert!(chat.history().is_empty() && model.requests().is_empty());
}

#[timed_test::test]
async fn a_turn_that_a_layer_ends_keeps_its_steps_and_can_be_resumed() {
    let server = server().await;
    let model = Scripted::new()
        .calls([("add_note", json!({ "text": "a" }))])
        .text("Noted.");
    let mut chat = layered(&model, &server, end_at(3)).build().unwrap();
    let turn = chat.send("Note a.").await.unwrap();
    assert_eq!(
        (turn.stop, turn.steps, turn.calls.len()),
        (Stop::Layer, 1, 1)
    );
    assert_eq!(chat.history().len(), 3);
    let chat = builder(&model, &server).history(stored(chat.history()));
    assert_eq!(
        chat.build().unwrap().resume().await.unwrap().text(),
        "Noted."
    );
    assert_eq!(lines(&server).await, ["a"]);
}

/// Ends the turn when a text has a word, while it is written.
struct Without(&'static str);

struct Watched {
    events: LayerStream,
    text: String,
    word: &'static str,
}

impl ChatLayer for Without {
    fn request<'a>(&'a self, request: ChatRequest, next: Next<'a>) -> Requested<'a> {
        Box::pin(async move {
            let events = next.send(request).await?;
            let text = String::new();
            let word = self.0;
            let stream: LayerStream = Box::pin(Watched { events, text, word });
            Ok(stream)
        })
    }
}

impl skill_agent::chat::Stream for Watched {
    type Item = Result<ModelEvent, LayerError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let event = ready!(self.events.as_mut().poll_next(cx));
        match &event {
            Some(Ok(ModelEvent::Text(piece))) => self.text += piece,
            Some(Ok(ModelEvent::Part(part))) => self.text = format!("{part:?}"),
            _ => {}
        }
        if self.text.contains(self.word) {
            return Poll::Ready(Some(Err(LayerError::end("a forbidden word"))));
        }
        Poll::Ready(event)
    }
}

#[timed_test::test]
async fn a_layer_may_end_the_turn_within_a_stream() {
    for streams in [true, false] {
        let server = server().await;
        let model = said(Scripted::new(), "The secret is 7.", streams);
        let mut chat = layered(&model, &server, Without("secret")).build().unwrap();
        let mut turn = chat.stream("Well?");
        let mut text = String::new();
        let turn = loop {
            match turn.next().await.unwrap().unwrap() {
                Event::Text(piece) => text += &piece,
                Event::Done(turn) => break turn,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(text, if streams { "The secre" } else { "" });
        assert_eq!((turn.stop, turn.text()), (Stop::Layer, ""));
        assert_eq!(turn.note.as_deref(), Some("a forbidden word"));
        assert!(chat.history().is_empty());
    }
}

/// Reports about another library say that its layers for retries and fallback swallow such signals.
#[timed_test::test]
async fn the_end_of_a_turn_is_neither_retried_nor_does_it_ask_another_model() {
    let server = server().await;
    let (first, second) = (
        Scripted::new().text("A secret."),
        Scripted::new().text("Hi."),
    );
    let models = Fallback::new(first.clone()).then(second.clone());
    let chat = Chat::builder(models, Toolbox::of(&server)).layer(Without("secret"));
    let seen = events(chat.build().unwrap().stream("Hi.")).await;
    assert_eq!(seen, ["done Layer"]);
    assert_eq!((first.requests().len(), second.requests().len()), (1, 0));
}

#[timed_test::test]
async fn an_outer_layer_sees_the_end_and_may_go_on() {
    let server = server().await;
    let log = Log::default();
    let outer = {
        let log = log.clone();
        requests(move |request, next| {
            let log = log.clone();
            Box::pin(async move {
                let sent = next.send(request).await;
                if let Err(error) = &sent {
                    log.note(error.to_string());
                }
                sent
            })
        })
    };
    let chat = builder(&Scripted::new(), &server)
        .layer(outer)
        .layer(end_at(1));
    let turn = chat.build().unwrap().send("Hi.").await.unwrap();
    assert_eq!(turn.stop, Stop::Layer);
    assert_eq!(log.notes(), ["a layer ended the turn: not at night"]);
}

#[timed_test::test]
async fn a_layer_that_fails_fails_the_turn() {
    let server = server().await;
    let layer =
        requests(|_, _| Box::pin(async { Err(LayerError::Failed("the filter is down".into())) }));
    let mut chat = layered(&Scripted::new(), &server, layer).build().unwrap();
    let failed = chat.send("Hi.").await.unwrap_err();
    assert_eq!(failed.to_string(), "a layer failed: the filter is down");
    assert!(matches!(failed, ChatError::Layer(LayerError::Failed(_))));
    assert!(chat.history().is_empty());
}

#[timed_test::test]
async fn errors_of_the_model_stay_typed() {
    let server = server().await;
    let model = Scripted::new().error(ModelError::Request("a map".into()));
    let layer = requests(|request, next| {
        Box::pin(async move { Ok(whole(request, next).await?.into_stream()) })
    });
    let failed = layered(&model, &server, layer)
        .build()
        .unwrap()
        .send("Hi.")
        .await;
    assert!(matches!(
        failed,
        Err(ChatError::Model(ModelError::Request(_)))
    ));
}

#[timed_test::test]
async fn a_typed_answer_that_a_layer_ends_says_so() {
    let server = server().await;
    let mut chat = layered(&Scripted::new(), &server, end_at(1))
        .build()
        .unwrap();
    let failed = chat.ask::<u8>("How many?").await.unwrap_err().to_string();
    assert_eq!(
        failed,
        "the turn ended without an answer: a layer ended it: not at night"
    );
}
