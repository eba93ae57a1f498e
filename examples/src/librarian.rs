//! Shows what a model gets of a folder of documents for a question.

use skill_agent::manifest::selection::{Activations, Query, SelectionPolicy, tokens};
use skill_agent::manifest::{Catalog, Dialect, Source};
use std::fmt::{self, Write};
use std::path::Path;

/// Returns a report for a person: the tier of the question, each document with its reason, the exact text for the model, and its
/// size.
///
/// # Errors
/// Fails if the folder cannot be read, or one of the selected documents.
pub fn report(
    folder: &Path,
    question: &str,
    files: &[&str],
) -> Result<String, Box<dyn std::error::Error>> {
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(folder).required())
        .try_load()?;
    let query = Query::new(question).paths(files.iter().copied());
    let activations = Activations::default();
    let policy = SelectionPolicy::TIERS.match_descriptions(true);
    let selection = catalog.select(query, &activations, &policy);
    let shown = catalog.selection_text(&selection);
    if let Some((_, error)) = shown.unreadable.into_iter().next() {
        return Err(error.into());
    }
    Ok(written(question, &selection.to_string(), &shown.text)?)
}

fn written(question: &str, selection: &str, text: &str) -> Result<String, fmt::Error> {
    let mut report = String::new();
    writeln!(report, "> {question}\n\n{selection}")?;
    writeln!(report, "The model gets {} tokens:\n", tokens(text.len()))?;
    for line in text.lines() {
        writeln!(report, "{}", format!("    {line}").trim_end())?;
    }
    Ok(report)
}
