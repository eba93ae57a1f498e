//! Warnings in the log.

use crate::mistakes::few_tokens;
use crate::support::*;
use skill_agent::chat::{Chat, Scripted, Stop};
use skill_agent::toolbox::Toolbox;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber, span};

/// The messages of warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Visit for Warnings {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        self.0.lock().unwrap().push(format!("{value:?}"));
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

#[timed_test::test]
async fn an_answer_without_a_text_is_a_warning() {
    let warnings = Warnings::default();
    // with a single dispatcher, tracing caches the interest of the thread that runs a callsite first
    let _second = tracing::Dispatch::new(Warnings::default());
    let _default = tracing::subscriber::set_default(warnings.clone());
    let server = server().await;
    let model = Scripted::new().text("").text("\n").text("Done.");
    let mut chat = Chat::builder(model, Toolbox::of(&server)).build().unwrap();
    for expected in ["", "\n", "Done."] {
        let turn = chat.send("Hello?").await.unwrap();
        assert_eq!((turn.stop, turn.text()), (Stop::Answered, expected));
    }
    let without_text = "the model has answered without a text";
    assert_eq!(*warnings.0.lock().unwrap(), [without_text; 2]);
}

#[timed_test::test]
async fn few_tokens_for_a_history_are_a_warning() {
    let warnings = Warnings::default();
    let _second = tracing::Dispatch::new(Warnings::default());
    let _default = tracing::subscriber::set_default(warnings.clone());
    let server = server().await;
    for tokens in [100, 1_000] {
        let chat = builder(&Scripted::new(), &server).history_tokens(tokens);
        chat.build().unwrap();
    }
    assert_eq!(*warnings.0.lock().unwrap(), [few_tokens(100)]);
}
