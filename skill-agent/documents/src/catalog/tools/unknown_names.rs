//! Warns about unknown names in a configuration, because a misspelled name would silently have no effect.

use crate::catalog::load::candidate::DocumentCandidate;
use crate::catalog::settings::CatalogSettings;
use crate::{Diagnostic, DiagnosticCode, DocText, Severity};
use skill_core::__private::nearest;
use std::collections::BTreeSet;

/// The maximum number of comparisons per load when searching for similar names.
const MAX: usize = 100_000;

/// Returns a warning for each unknown name.
pub(crate) fn warnings(found: &[DocumentCandidate], settings: &CatalogSettings) -> Vec<Diagnostic> {
    let CatalogSettings {
        disabled,
        enabled,
        exposures,
        order,
        ..
    } = settings;
    if disabled.is_empty() && enabled.is_empty() && exposures.is_empty() && order.is_empty() {
        return Vec::new();
    }
    let ids: BTreeSet<&str> = found.iter().map(|candidate| &*candidate.id).collect();
    let sources: BTreeSet<&str> = settings.roots.iter().map(|root| &*root.name).collect();
    let mut unknown = UnknownNames {
        left: MAX,
        reported: Vec::new(),
    };
    let document = "document has that id";
    unknown.report("disabled", disabled, &ids, document);
    unknown.report("enabled", enabled, &ids, document);
    let skills = settings.facts.skills.iter().map(|spec| spec.name);
    let selected: BTreeSet<&str> = ids.iter().copied().chain(skills).collect();
    let either = "document or skill has that id";
    unknown.report("exposure", exposures.keys(), &selected, either);
    unknown.report("order", order, &sources, "source has that name");
    unknown.reported
}

struct UnknownNames {
    left: usize,
    reported: Vec<Diagnostic>,
}

impl UnknownNames {
    fn report<'a>(
        &mut self,
        key: &str,
        names: impl IntoIterator<Item = &'a DocText>,
        known: &BTreeSet<&str>,
        what: &str,
    ) {
        for name in names.into_iter().filter(|name| !known.contains(&***name)) {
            let message = format!("`{key}` names `{name}`, but no {what}");
            let mut why = Diagnostic::new(DiagnosticCode::UnknownName, Severity::Warning, message);
            let left = self.left.checked_sub(known.len());
            self.left = left.unwrap_or_default();
            let near = left.and_then(|_| nearest(name, known.iter().copied()));
            if let Some(near) = near {
                why = why.help(format!("did you mean `{near}`?"));
            }
            self.reported.push(why);
        }
    }
}
