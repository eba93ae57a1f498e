//! `skills mcp`: serves the skills of folders to an MCP client.

use crate::args::SourceArgs;
use crate::failure::Failure;
use crate::output::screen::Screen;
use crate::sources;
use skill_agent_mcp::{Handler, Options, stdio};
use skill_agent_toolbox::Toolbox;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// Serves the offered documents over standard input and output, until the client closes them. Diagnostics go to standard error.
///
/// # Errors
/// Returns an error if a folder cannot be read, if no document is offered, or if the client does not follow the protocol.
pub(crate) fn mcp(args: &SourceArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let catalog = sources::load_single_too(args)?;
    sources::diagnostics(&catalog).for_each(|diagnostic| screen.diagnostic(diagnostic));
    if catalog.listed().next().is_none() {
        sources::note_no_skills(args, screen);
        return Ok(ExitCode::FAILURE);
    }
    if catalog.listed().all(sources::is_command) {
        screen.note(sources::ONLY_COMMANDS, None);
        return Ok(ExitCode::FAILURE);
    }
    if catalog.skills().next().is_none() {
        return Err(Failure::NotTrusted);
    }
    let served = |error: &dyn std::error::Error| Failure::Mcp(error.to_string());
    let runtime = Runtime::new().map_err(|error| served(&error))?;
    runtime.block_on(async {
        let toolbox = Toolbox::builder().catalog(catalog).build().await;
        let toolbox = toolbox.map_err(|error| served(&error))?;
        let options = Options::new()
            .name("skills")
            .version(env!("CARGO_PKG_VERSION"));
        let handler = Handler::with_options(toolbox, options).map_err(|error| served(&error))?;
        stdio(handler).await.map_err(|error| served(&error))
    })?;
    // the thread that reads standard input may still wait
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}
