//! The events of `tracing` on the thread of a test.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing::{Dispatch, Event, Level, Metadata, Subscriber, span};

/// Records the events of this thread until it is dropped.
pub struct Traces {
    events: Events,
    _guard: DefaultGuard,
    /// With a single dispatcher, tracing caches the interest of the thread that runs a callsite first, which may be that of another
    /// test.
    _second: Dispatch,
}

impl Traces {
    pub fn record() -> Self {
        let events = Events::default();
        Self {
            events: events.clone(),
            _guard: tracing::subscriber::set_default(events),
            _second: Dispatch::new(Events::default()),
        }
    }

    /// The fields of all events, as text.
    pub fn text(&self) -> String {
        let events = self.events.0.lock().unwrap();
        events.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Takes all events, and returns the fields of the warnings that have a field `name`.
    pub fn take_warnings(&self, name: &str) -> Vec<String> {
        let events = std::mem::take(&mut *self.events.0.lock().unwrap());
        let name = format!("{name}=");
        let is_wanted =
            |(level, text): &(Level, String)| *level == Level::WARN && text.contains(&name);
        let wanted = events.into_iter().filter(is_wanted);
        wanted.map(|(_, text)| text).collect()
    }
}

/// The level and the fields of each event.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<(Level, String)>>>);

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, "{field}={value:?} ").unwrap();
    }
}

impl Subscriber for Events {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        let level = *event.metadata().level();
        self.0.lock().unwrap().push((level, fields.0));
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}
