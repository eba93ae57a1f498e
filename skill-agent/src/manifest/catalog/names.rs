//! Warns about names in a configuration that match nothing, since a misspelled name would disable nothing.

use super::found::Found;
use super::settings::Settings;
use crate::manifest::{Diagnostic, DiagnosticCode, DocText, Severity};
use skill_core::__private::nearest;
use std::collections::BTreeSet;

/// The most comparisons that one load spends on suggestions.
const MOST: usize = 100_000;

/// Returns a warning for each name that matches nothing.
pub(super) fn unknown(found: &[Found], settings: &Settings) -> Vec<Diagnostic> {
    if settings.disabled.is_empty() && settings.enabled.is_empty() && settings.order.is_empty() {
        return Vec::new();
    }
    let ids: BTreeSet<&str> = found.iter().map(|it| &*it.id).collect();
    let sources: BTreeSet<&str> = settings.roots.iter().map(|it| &*it.name).collect();
    let mut unknown = Unknown {
        left: MOST,
        told: Vec::new(),
    };
    let document = "document has that id";
    unknown.tell("disabled", &settings.disabled, &ids, document);
    unknown.tell("enabled", &settings.enabled, &ids, document);
    unknown.tell("order", &settings.order, &sources, "source has that name");
    unknown.told
}

struct Unknown {
    left: usize,
    told: Vec<Diagnostic>,
}

impl Unknown {
    fn tell<'a>(
        &mut self,
        key: &str,
        names: impl IntoIterator<Item = &'a DocText>,
        known: &BTreeSet<&str>,
        what: &str,
    ) {
        for name in names.into_iter().filter(|it| !known.contains(&***it)) {
            let message = format!("`{key}` names `{name}`, and no {what}");
            let mut why = Diagnostic::new(DiagnosticCode::UnknownName, Severity::Warning, message);
            let left = self.left.checked_sub(known.len());
            self.left = left.unwrap_or_default();
            let near = left.and_then(|_| nearest(name, known.iter().copied()));
            if let Some(near) = near {
                why = why.help(format!("did you mean `{near}`?"));
            }
            self.told.push(why);
        }
    }
}
