//! Each diagnostic of a load as an event.

use crate::manifest::{Diagnostic, Severity};
use skill_manifest::__private::spelled_out;

const TARGET: &str = "skill_agent::manifest";

pub(super) fn tell(diagnostics: &[Diagnostic]) {
    for it in diagnostics {
        let path = it.path.as_deref().map(spelled_out);
        let (code, path, line) = (it.code.as_str(), path.as_deref(), it.line);
        match it.severity {
            Severity::Error => {
                tracing::error!(target: TARGET, code, path, line, "{}", it.message);
            }
            _ => tracing::warn!(target: TARGET, code, path, line, "{}", it.message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Catalog, Dialect, Source};
    use std::fmt::Debug;
    use std::sync::{Arc, Mutex};
    use tracing::field::{Field, Visit};
    use tracing::{Event, Metadata, Subscriber, span};

    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<Vec<String>>>);

    impl Visit for Heard {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            if field.name() == "code" {
                self.0.lock().unwrap().push(format!("{value:?}"));
            }
        }
    }

    impl Subscriber for Heard {
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

    #[test]
    fn each_diagnostic_of_each_load_is_an_event() {
        let temp = tempfile::tempdir().unwrap();
        let heard = Heard::default();
        tracing::subscriber::with_default(heard.clone(), || {
            let mut catalog = Catalog::builder(Dialect::LILY)
                .source(Source::user(temp.path().join("gone")))
                .source(Source::project(temp.path()))
                .load();
            std::fs::create_dir(temp.path().join("bare")).unwrap();
            catalog.reload();
        });
        let heard = heard.0.lock().unwrap();
        assert_eq!(
            *heard,
            [
                "\"missing_root\"",
                "\"missing_root\"",
                "\"missing_skill_md\""
            ]
        );
    }
}
