//! `skills list`: prints the documents in folders, one per line.

use crate::args::SourceArgs;
use crate::failure::Failure;
use crate::output::escape::escape;
use crate::output::screen::Screen;
use crate::sources;
use std::process::ExitCode;

/// The maximum width of the id column, in characters.
const MAX_WIDTH: usize = 32;

/// The maximum length of a brief description in characters, as in `/skills`.
const MAX_LENGTH: usize = 200;

/// Prints the id and brief description of each document, and marks documents that are not trusted. Diagnostics go to standard
/// error.
///
/// # Errors
/// Returns an error if a folder cannot be read, or if standard output cannot be written.
pub(crate) fn list(args: &SourceArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let catalog = sources::load(args)?;
    sources::diagnostics(&catalog).for_each(|diagnostic| screen.diagnostic(diagnostic));
    if catalog.listed().next().is_none() {
        sources::note_no_skills(args, screen);
    }
    let lengths = catalog.listed().map(|entry| entry.id.chars().count());
    let width = lengths.max().unwrap_or_default().min(MAX_WIDTH);
    for entry in catalog.listed() {
        let id = escape(&entry.id);
        let brief = brief(&entry.doc().brief_description);
        let mark = if entry.trusted { "" } else { "  [not trusted]" };
        let line = format!("{id:width$}  {brief}{mark}");
        screen.print(&format!("{}\n", line.trim_end()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Formats a brief description on one line. Ends with `…` if the description is truncated.
fn brief(text: &str) -> String {
    let mut chars = text.chars();
    let mut brief = escape(&chars.by_ref().take(MAX_LENGTH).collect::<String>()).into_owned();
    if chars.next().is_some() {
        brief.push('…');
    }
    brief
}
