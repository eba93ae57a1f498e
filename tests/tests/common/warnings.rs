//! Records warnings of the log.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::{Level, Metadata, Subscriber, span};

/// The values of the project's warnings: messages and fields.
#[derive(Clone, Default)]
pub struct Warnings(Arc<Mutex<Vec<String>>>);

impl Warnings {
    /// Records the warnings of this thread while the guard lives.
    pub fn record() -> (Self, impl Sized) {
        let warnings = Self::default();
        // with a single dispatcher, tracing caches the interest of the thread that runs a callsite first
        let second = tracing::Dispatch::new(Self::default());
        let default = tracing::subscriber::set_default(warnings.clone());
        (warnings, (second, default))
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Visit for Warnings {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        self.0.lock().unwrap().push(format!("{value:?}"));
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN && metadata.target().starts_with("skill_")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut self.clone());
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}
