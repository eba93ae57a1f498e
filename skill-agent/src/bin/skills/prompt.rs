//! `skills prompt`: the block that tells a model which skills there are (agentskills.io).

use crate::args::Sources;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::sources;
use std::process::ExitCode;

/// Prints the block of what is offered; nothing, when that is nothing. What is wrong goes to standard error.
///
/// # Errors
/// When a folder cannot be read or standard output cannot be written.
pub(crate) fn prompt(args: &Sources, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let catalog = sources::load(args)?;
    sources::findings(&catalog).for_each(|it| screen.tell(it));
    if let Some(block) = catalog.prompt() {
        screen.print(&format!("{block}\n"))?;
    } else if catalog.listed().next().is_some() {
        let message = "no skill is offered: those of these folders are not trusted";
        screen.error(message, Some("name the folders whose skills you trust"));
    }
    Ok(ExitCode::SUCCESS)
}
