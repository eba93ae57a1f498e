//! Emits diagnostics as tracing events: those found while loading, and those about an agent's documents and instructions.

use crate::{Diagnostic, Severity};
use skill_manifest::__private::escape_invisible;

const TARGET: &str = "skill_agent::manifest";

/// Returns whether a tracing subscriber receives warnings.
pub(crate) fn reports_warnings() -> bool {
    tracing::enabled!(target: TARGET, tracing::Level::WARN)
}

pub(crate) fn emit<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) {
    for diagnostic in diagnostics {
        let path = diagnostic.path.as_deref().map(escape_invisible);
        let (code, path, line) = (diagnostic.code.as_str(), path.as_deref(), diagnostic.line);
        let help = diagnostic.help.as_deref();
        let end = help.map_or_else(String::new, |help| format!("; {help}"));
        let message = &diagnostic.message;
        match diagnostic.severity {
            Severity::Error => {
                tracing::error!(target: TARGET, code, path, line, "{message}{end}");
            }
            _ => tracing::warn!(target: TARGET, code, path, line, "{message}{end}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalog, Dialect, Source};
    use skill_manifest::__private::is_visible;
    use std::fmt::Debug;
    use std::sync::{Arc, Mutex};
    use tracing::field::{Field, Visit};
    use tracing::{Event, Metadata, Subscriber, span};

    #[derive(Clone, Default)]
    struct RecordedEvents(Arc<Mutex<Vec<String>>>);

    impl Visit for RecordedEvents {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            let text = format!("{}={value:?}", field.name());
            self.0.lock().unwrap().push(text);
        }
    }

    impl Subscriber for RecordedEvents {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target() == TARGET
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

    /// Returns the events that `work` emits.
    fn recorded(work: impl FnOnce()) -> Vec<String> {
        let events = RecordedEvents::default();
        // With a single dispatcher, tracing would cache a callsite's interest for the first thread that reaches it, which may be
        // running a different test.
        let _second = tracing::Dispatch::new(RecordedEvents::default());
        tracing::subscriber::with_default(events.clone(), work);
        let mut events = events.0.lock().unwrap();
        std::mem::take(&mut *events)
    }

    #[test]
    fn each_diagnostic_of_each_load_is_an_event() {
        let temp = tempfile::tempdir().unwrap();
        let events = recorded(|| {
            let mut catalog = Catalog::builder(Dialect::LILY)
                .source(Source::user(temp.path().join("gone")))
                .source(Source::project(temp.path()))
                .load();
            std::fs::create_dir(temp.path().join("bare")).unwrap();
            catalog.reload();
        });
        let codes = events
            .iter()
            .filter_map(|event| event.strip_prefix("code="));
        assert_eq!(
            codes.collect::<Vec<_>>(),
            [
                "\"missing_root\"",
                "\"missing_root\"",
                "\"missing_skill_md\""
            ]
        );
    }

    #[test]
    fn no_event_has_an_invisible_character() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("pl\u{202e}\u{3164}an");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("SKILL.md"), "# It\n").unwrap();
        let events = recorded(|| {
            let catalog = Catalog::builder(Dialect::LILY)
                .source(Source::project(temp.path()))
                .load();
            assert_eq!(catalog.skills().count(), 0);
        });
        assert!(events.contains(&"code=\"hidden_character\"".to_owned()));
        for event in &events {
            assert!(event.chars().all(is_visible), "{event:?}");
        }
        let display_path = events.iter().filter(|event| event.contains("u{202e}"));
        assert_eq!(display_path.count(), 2, "{events:?}");
    }
}
