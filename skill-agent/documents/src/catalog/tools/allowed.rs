//! The tools that active documents allow, for programs that enforce `allowed-tools`.

use crate::catalog::{CatalogEntry, CatalogSettings};
use crate::{Diagnostic, DiagnosticCode, Severity};
use skill_manifest::__private::misspelled_tool;

/// Returns whether a document allows a tool. An entry with conditions, such as `Bash(git add:*)`, allows nothing, because this
/// function does not check a call's arguments. A document without `allowed-tools` allows every tool.
pub(crate) fn allows(entry: &CatalogEntry, tool: &str) -> bool {
    let tools = entry.doc().allowed_tools.as_deref();
    tools.is_none_or(|tools| tools.iter().any(|allowed| allowed == tool))
}

/// Returns a warning for each tool in a document's `allowed-tools` that is probably misspelled.
pub(crate) fn misspelled<'a>(
    entry: &'a CatalogEntry,
    settings: &'a CatalogSettings,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let known = settings.tools.iter().flatten().map(|tool| &**tool);
    let known: Vec<&str> = known.collect();
    let allowed = entry.doc().allowed_tools.iter().flat_map(|tools| &**tools);
    allowed.filter_map(move |tool| misspelled_tool(tool, &known))
}

/// Returns a diagnostic if no tool is allowed by all of the documents, even if each document by itself allows some tools.
pub(crate) fn no_allowed_tools(
    entries: &[&CatalogEntry],
    settings: &CatalogSettings,
) -> Option<Diagnostic> {
    let restricting = entries
        .iter()
        .filter(|entry| entry.doc().allowed_tools.is_some());
    let restricting: Vec<_> = restricting.collect();
    let (first, _) = restricting.split_first()?;
    let in_all = |tool: &str| restricting.iter().all(|entry| allows(entry, tool));
    let is_known = |tool: &str| {
        let known = settings.tools.as_ref();
        known.is_none_or(|known| known.contains(tool))
    };
    let mut candidates = first.doc().allowed_tools.iter().flat_map(|tools| &**tools);
    if candidates.any(|tool| is_known(tool) && in_all(tool)) {
        return None;
    }
    let ids: Vec<&str> = restricting.iter().map(|entry| &*entry.id).collect();
    let (message, help) = match ids[..] {
        [id] => (
            format!(
                "no tool can be called while `{id}` is active: its `allowed-tools` has none of the tools"
            ),
            "name tools of the agent in `allowed-tools`, or leave the key out",
        ),
        _ => (
            format!(
                "no tool can be called while `{}` are active: no tool is in the `allowed-tools` of all",
                ids.join("`, `")
            ),
            "deactivate one of them",
        ),
    };
    let why = Diagnostic::new(DiagnosticCode::NoAllowedTools, Severity::Warning, message);
    Some(why.help(help))
}
