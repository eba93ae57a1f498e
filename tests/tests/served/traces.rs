//! Traces: the arguments of commands only if they are asked for.

use crate::support::counter::*;
use serde_json::json;
use skill_agent::prelude::*;
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber, span};

/// The fields of all events, as text.
#[derive(Clone, Default)]
struct Traces(Arc<Mutex<String>>);

impl Visit for Traces {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0.lock().unwrap(), "{field}={value:?} ").unwrap();
    }
}

impl Subscriber for Traces {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
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

/// The traces of a call of each kind with the argument 20261123.
async fn traces_of_calls(payloads: Option<bool>) -> String {
    let traces = Traces::default();
    let _guard = tracing::subscriber::set_default(traces.clone());
    // With a single dispatcher, tracing caches the interest of the thread that runs a callsite first, which may be that of another
    // test.
    let _second = tracing::Dispatch::new(Traces::default());
    let mut builder = AgentServer::builder(Clerk::new());
    if let Some(payloads) = payloads {
        builder = builder.trace_payloads(payloads);
    }
    let server = builder.start().await.unwrap();
    server.call(Add { by: 20261123 }).await.unwrap();
    server.call_json("add", r#"{"by":20261123}"#).await.unwrap();
    let signal = Signal::new("counter.add", json!({ "by": 20261123 }));
    server.request(signal).await.unwrap();
    server.stop().await.unwrap();
    let text = traces.0.lock().unwrap().clone();
    assert!(text.contains("command finished"), "{text}");
    text
}

#[timed_test::test]
async fn arguments_are_traced_only_if_the_builder_says_so() {
    for payloads in [None, Some(false)] {
        let text = traces_of_calls(payloads).await;
        assert!(!text.contains("20261123"), "{text}");
    }
    let text = traces_of_calls(Some(true)).await;
    assert_eq!(text.matches("20261123").count(), 3, "{text}");
}
