//! A model without a network, which writes as slowly as a real one.

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use serde_json::json;
use skill_agent::chat::{
    ChatModel, ChatRequest, ModelError, ModelEvent, ModelProfile, Role, Scripted,
};
use std::time::Duration;
use tokio::time::sleep;

/// The delay before each word.
const DELAY: Duration = Duration::from_millis(80);

const HELP: &str = "I keep notes, and I have no model behind me. Write a sentence with the word \"note\", and I note it. \
     Write \"throw them away\", and I ask you first. Reload the page while I write, or stop the service with Ctrl-C and start it \
     again: nothing is lost. Write another message while I write this one, and I read it as soon as I am done.";

/// Notes messages with the word "note", clears the notes if the person agrees, and explains itself otherwise.
pub struct Demo;

impl ChatModel for Demo {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let last = request.messages.last();
        let text = last.map(|message| message.text()).unwrap_or_default();
        let model = Scripted::new();
        let model = match last.map(|message| message.role) {
            Some(Role::Tool) => model.text("That is settled. What else may I do for you?"),
            _ if text.contains("throw") => model.calls([("clear_notes", json!({}))]),
            _ if text.contains("note") => model.calls([("add_note", json!({ "text": text }))]),
            _ => model.text(HELP),
        };
        let events = model
            .stream(request)
            .flat_map(|event| stream::iter(words(event)));
        Box::pin(events.then(|event| async {
            sleep(DELAY).await;
            event
        }))
    }
}

/// Splits a piece of text into its words.
fn words(event: Result<ModelEvent, ModelError>) -> Vec<Result<ModelEvent, ModelError>> {
    match event {
        Ok(ModelEvent::Text(text)) => {
            let words = text.split_inclusive(' ');
            words
                .map(|word| Ok(ModelEvent::Text(word.into())))
                .collect()
        }
        event => vec![event],
    }
}
