//! The warnings when a server starts.

use crate::documents::Misspelled;
use skill_agent::prelude::*;
use skill_agent::server::AgentServer;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber, span};

#[derive(Clone, Default)]
struct Recorded(Arc<Mutex<Vec<String>>>);

impl Visit for Recorded {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = format!("{}={value:?}", field.name());
        self.0.lock().unwrap().push(text);
    }
}

impl Subscriber for Recorded {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "skill_agent::manifest" && *metadata.level() == Level::WARN
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

#[test]
fn a_start_reports_the_words_of_embedded_documents_that_are_almost_a_tool() {
    let recorded = Recorded::default();
    // with a single dispatcher, tracing caches the interest of the thread that runs a callsite first
    let _second = tracing::Dispatch::new(Recorded::default());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    tracing::subscriber::with_default(recorded.clone(), || {
        runtime.block_on(async {
            let server = AgentServer::builder(Misspelled::new())
                .start()
                .await
                .unwrap();
            server.stop().await.unwrap();
        });
    });
    let events = recorded.0.lock().unwrap();
    let of = |word: &str, meant: &str| {
        [
            "code=\"misspelled_tool\"".to_owned(),
            "path=\"misspelled\"".to_owned(),
            format!("message=no tool has the name `{word}`; did you mean `{meant}`?"),
        ]
    };
    let mut expected = of("recrod", "record").to_vec();
    expected.extend(of("begn", "begin"));
    let mut events: Vec<_> = events.clone();
    events.sort();
    expected.sort();
    assert_eq!(events, expected);
}
