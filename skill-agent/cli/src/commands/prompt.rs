//! `skills prompt`: prints the agentskills.io block that tells a model which skills exist.

use crate::args::SourceArgs;
use crate::failure::Failure;
use crate::output::escape::escape;
use crate::output::screen::Screen;
use crate::sources;
use skill_agent_documents::{Dialect, FrontmatterField};
use std::process::ExitCode;

/// The maximum number of characters in a description, as in the open standard.
const MAX_DESCRIPTION: usize = 1_024;

fn limits_descriptions(dialect: &Dialect) -> bool {
    let mut lengths = dialect.lengths.iter();
    lengths.any(|(field, _)| *field == FrontmatterField::Description)
}

/// Prints the block of the offered documents, or explains on standard error why there are none. Diagnostics go there too.
///
/// # Errors
/// Returns an error if a folder cannot be read, if no document is trusted, or if standard output cannot be written.
pub(crate) fn prompt(args: &SourceArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let catalog = sources::load_single_too(args)?;
    sources::diagnostics(&catalog).for_each(|diagnostic| screen.diagnostic(diagnostic));
    for entry in catalog.skills() {
        let length = entry.doc().description.chars().count();
        // a dialect with its own limit has already reported this
        if length > MAX_DESCRIPTION && !limits_descriptions(&args.dialect) {
            let id = escape(&entry.id);
            let message = format!(
                "the description of `{id}` has {length} characters; other clients cut it at {MAX_DESCRIPTION}"
            );
            screen.note(&message, None);
        }
    }
    // print the whole block whatever its length, because a person decides how to use it
    if let Some(block) = catalog.prompt_within(usize::MAX) {
        screen.print(&format!("{}\n", block.text))?;
    } else if catalog.listed().next().is_none() {
        sources::note_no_skills(args, screen);
    } else if catalog.listed().all(sources::is_command) {
        screen.note(sources::ONLY_COMMANDS, None);
    } else {
        return Err(Failure::NotTrusted);
    }
    Ok(ExitCode::SUCCESS)
}
