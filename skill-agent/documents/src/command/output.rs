//! The output of the built-in commands.

use crate::escape::{line, name};
use crate::{Catalog, CatalogChanges, CatalogEntry, InvocationMode, SkillDoc};

/// The maximum length of a summary in a list, in characters.
const MAX_LENGTH: usize = 200;

/// Formats the output of `/skills`: one line per document.
pub(crate) fn list<'a>(skills: impl Iterator<Item = &'a CatalogEntry>) -> String {
    let lines: Vec<String> = skills.map(|entry| title(&entry.id, entry.doc())).collect();
    if lines.is_empty() {
        "no skills".to_owned()
    } else {
        lines.join("\n")
    }
}

/// Formats the output of `/reload_skills`: the number of documents, and the changes.
pub(crate) fn reloaded(catalog: &Catalog, changes: &CatalogChanges) -> String {
    let count = catalog.skills().count();
    let plural = if count == 1 { "skill" } else { "skills" };
    format!(
        "reloaded: {count} {plural}, {} added, {} changed, {} removed; {} diagnostics",
        changes.added.len(),
        changes.changed.len(),
        changes.removed.len(),
        catalog.diagnostics().len(),
    )
}

/// Formats the output of `/help`: a document's metadata, and its tool's arguments.
pub(crate) fn help(entry: &CatalogEntry, usage: Option<String>) -> String {
    let doc = entry.doc();
    let mut lines = vec![title(&entry.id, doc)];
    let mut say = |what: &str, value: String| lines.push(format!("{what}: {value}"));
    say("mode", mode(doc.invocation_mode).to_owned());
    if let Some(command) = &doc.command {
        say("command", format!("/{}", name(command)));
    }
    if let Some(hint) = &doc.argument_hint {
        say("arguments", line(hint, MAX_LENGTH));
    }
    if let (InvocationMode::ToolDispatch, Some(tool)) = (doc.invocation_mode, &doc.command_tool) {
        say("tool", name(tool));
        say("takes", usage.unwrap_or_else(|| "unknown".to_owned()));
    }
    if !doc.requires_tools.is_empty() {
        let tools: Vec<String> = doc.requires_tools.iter().map(|tool| name(tool)).collect();
        say("required tools", line(&tools.join(", "), 1_000));
    }
    let source = name(&entry.source);
    say(
        "source",
        match &entry.path {
            Some(path) => format!("{source}, {}", line(&path.to_string_lossy(), usize::MAX)),
            None => source,
        },
    );
    lines.join("\n")
}

/// Formats `id - summary`, or only the id if there is no summary.
fn title(id: &str, doc: &SkillDoc) -> String {
    // the id is not truncated, because people type it
    let id = line(id, usize::MAX);
    let summary = match line(&doc.summary, MAX_LENGTH) {
        summary if summary.is_empty() => line(&doc.brief_description, MAX_LENGTH),
        summary => summary,
    };
    match &summary[..] {
        "" => id,
        summary => format!("{id} - {summary}"),
    }
}

fn mode(mode: InvocationMode) -> &'static str {
    match mode {
        InvocationMode::ToolDispatch => "tool_dispatch",
        _ => "prompt_rewrite",
    }
}
