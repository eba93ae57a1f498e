//! Panics in layers fail the step, and not the program.

use super::*;
use serde_json::json;
use skill_agent::chat::{CallPart, ChatError};
use skill_agent::toolbox::{ToolError, ToolOutput};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Where a layer panics, once.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Where {
    Call,
    Future,
    Stream,
    Result,
    Shown,
    ShownCall,
    ShownEnd,
    Dropped,
}

struct Panics(Where, Mutex<bool>);

impl Panics {
    fn at(&self, place: Where) {
        let is_first = self.0 == place && std::mem::take(&mut *self.1.lock().unwrap());
        assert!(!is_first, "the layer panics");
    }
}

struct PanicsOnPoll;

impl skill_agent::chat::Stream for PanicsOnPoll {
    type Item = Result<ModelEvent, LayerError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        panic!("the stream panics")
    }
}

struct PanicsOnDrop;

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        panic!("the drop panics")
    }
}

impl ChatLayer for Panics {
    fn request<'a>(&'a self, request: ChatRequest, next: Next<'a>) -> Requested<'a> {
        self.at(Where::Call);
        Box::pin(async move {
            self.at(Where::Future);
            if self.0 == Where::Stream && std::mem::take(&mut *self.1.lock().unwrap()) {
                let stream: LayerStream = Box::pin(PanicsOnPoll);
                return Ok(stream);
            }
            if self.0 == Where::Dropped && std::mem::take(&mut *self.1.lock().unwrap()) {
                let _dropped = PanicsOnDrop;
                return Err(LayerError::Failed("a drop that panics".into()));
            }
            next.send(request).await
        })
    }

    fn result<'a>(
        &'a self,
        _: &'a CallPart,
        _: &'a mut Result<ToolOutput, ToolError>,
    ) -> BoxFuture<'a, Result<(), LayerError>> {
        Box::pin(async {
            self.at(Where::Result);
            Ok(())
        })
    }

    fn shown(&self, event: &mut Event) {
        match event {
            Event::Text(_) => self.at(Where::Shown),
            Event::Calling(_) => self.at(Where::ShownCall),
            Event::Done(_) => self.at(Where::ShownEnd),
            _ => {}
        }
    }
}

#[timed_test::test]
async fn a_panic_in_a_layer_fails_the_step() {
    for place in [
        Where::Call,
        Where::Future,
        Where::Stream,
        Where::Shown,
        Where::ShownEnd,
        Where::Dropped,
    ] {
        let server = server().await;
        let model = Scripted::new().text("Hello.").text("Hello.");
        let layer = Panics(place, Mutex::new(true));
        let mut chat = layered(&model, &server, layer).build().unwrap();
        let failed = chat.send("Hi.").await.unwrap_err();
        assert!(
            matches!(failed, ChatError::Layer(LayerError::Panicked)),
            "{place:?}: {failed}"
        );
        assert_eq!(failed.to_string(), "a layer panicked");
        // the step was complete when only its end was shown
        let kept = if place == Where::ShownEnd { 2 } else { 0 };
        assert_eq!(chat.history().len(), kept, "{place:?}");
        assert_eq!(
            chat.send("Hi.").await.unwrap().text(),
            "Hello.",
            "{place:?}"
        );
    }
}

/// The call has run, so the history has to say so.
#[timed_test::test]
async fn a_panic_at_a_result_keeps_the_call_and_hides_its_result() {
    let server = server().await;
    let model = Scripted::new()
        .calls([("add_note", json!({ "text": "a" }))])
        .text("Noted.");
    let layer = Panics(Where::Result, Mutex::new(true));
    let mut chat = layered(&model, &server, layer).build().unwrap();
    let failed = chat.send("Note a.").await.unwrap_err();
    assert!(matches!(failed, ChatError::Layer(LayerError::Panicked)));
    assert_eq!(lines(&server).await, ["a"]);
    assert_whole(chat.history());
    let result = chat.history()[2]
        .results()
        .next()
        .unwrap()
        .text()
        .into_owned();
    assert_eq!(
        result,
        "it was run, but its result is unknown, because a layer failed"
    );
    assert_eq!(chat.resume().await.unwrap().text(), "Noted.");
}

#[timed_test::test]
async fn a_panic_at_the_event_of_a_call_keeps_the_call_and_its_result() {
    let server = server().await;
    let note = || ("add_note", json!({ "text": "a" }));
    let model = Scripted::new().calls([note(), note()]).text("Noted.");
    let layer = Panics(Where::ShownCall, Mutex::new(true));
    let mut chat = layered(&model, &server, layer).build().unwrap();
    let failed = chat.send("Note a.").await.unwrap_err();
    assert!(matches!(failed, ChatError::Layer(LayerError::Panicked)));
    assert_eq!(lines(&server).await, ["a", "a"]);
    assert_whole(chat.history());
    let last = chat.history()[2]
        .results()
        .last()
        .unwrap()
        .text()
        .into_owned();
    assert_eq!(last, "2");
    assert_eq!(chat.resume().await.unwrap().text(), "Noted.");
}
