//! A model whose completions the test writes.

use futures_util::stream::{self, BoxStream};
use skill_agent::chat::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelProfile, Scripted};
use skill_agent::models::Finish;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A model that sends events as its [`Gate`] passes them.
pub struct Gated {
    events: Arc<Mutex<UnboundedReceiver<ModelEvent>>>,
    requests: UnboundedSender<ChatRequest>,
}

/// The other side of a [`Gated`] model.
pub struct Gate {
    events: UnboundedSender<ModelEvent>,
    requests: UnboundedReceiver<ChatRequest>,
}

pub fn gated() -> (Gated, Gate) {
    let (events, received) = unbounded_channel();
    let (requests, asked) = unbounded_channel();
    let events_of_model = Arc::new(Mutex::new(received));
    let model = Gated {
        events: events_of_model,
        requests,
    };
    let requests = asked;
    (model, Gate { events, requests })
}

impl Gate {
    pub fn text(&self, text: &str) {
        self.send(ModelEvent::Text(text.to_owned()));
    }

    pub fn finish(&self) {
        self.send(ModelEvent::Finish(Finish::Answered));
    }

    pub fn send(&self, event: ModelEvent) {
        self.events.send(event).unwrap();
    }

    /// The texts of the messages of the next request.
    pub async fn request(&mut self) -> Vec<String> {
        let request = self.requests.recv().await.unwrap();
        let messages = request.messages.iter();
        messages.map(|message| message.text()).collect()
    }
}

impl ChatModel for Gated {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let _ = self.requests.send(request);
        let events = Arc::clone(&self.events);
        Box::pin(stream::unfold(
            (events, false),
            |(events, is_over)| async move {
                if is_over {
                    return None;
                }
                let event = events.lock().await.recv().await?;
                let is_over = matches!(event, ModelEvent::Finish(_));
                Some((Ok(event), (events, is_over)))
            },
        ))
    }
}
