//! `skills check`: reports words in documents that look like misspelled tool names.

use crate::args::CheckArgs;
use crate::commands::check_file::{Verdict, check_file};
use crate::commands::validate::line;
use crate::failure::{Failure, WRONG_USAGE};
use crate::output::draw::draw;
use crate::output::screen::Screen;
use crate::walk::{DocumentWalk, is_missing};
use skill_agent_contract::Contract;
use skill_agent_documents::__private::CATALOG_TOOLS;
use skill_agent_documents::misspelled_tools;
use std::process::ExitCode;

/// Prints a result for each document.
///
/// # Errors
/// Returns an error if the contract cannot be read, or if standard output cannot be written.
pub(crate) fn check(args: &CheckArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let contract = Contract::read(&args.contract).map_err(|error| Failure::Contract {
        path: args.contract.display().to_string(),
        error,
    })?;
    let tools = contract.tool_names().chain(contract.mountable_tool_names());
    let tools: Vec<&str> = tools.chain(CATALOG_TOOLS).collect();
    let known = contract.__other_names();
    let any_missing = args.paths.iter().any(|path| is_missing(path));
    let (mut documents, mut problems) = (0, 0);
    let paths = args.paths.iter();
    for found in paths.flat_map(|path| DocumentWalk::new(path, &args.dialect)) {
        let mut verdict = check_file(found, &args.dialect);
        check_words(&mut verdict, &tools, &known);
        documents += 1;
        problems += verdict.diagnostics.len();
        let text = if args.json {
            line(&verdict)?
        } else {
            draw(&verdict, &screen.renderer)
        };
        if !text.is_empty() {
            screen.print(&text)?;
        }
        screen.progress.update(|| counts(documents, problems));
    }
    if !args.json {
        screen.print(&format!("{}\n", counts(documents, problems)))?;
    }
    Ok(match problems {
        _ if any_missing => ExitCode::from(WRONG_USAGE),
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Replaces the diagnostics of a readable document with diagnostics for its misspelled tools.
fn check_words(verdict: &mut Verdict, tools: &[&str], known: &[&str]) {
    if !verdict.bytes.is_empty() {
        let text = String::from_utf8_lossy(&verdict.bytes);
        verdict.diagnostics = misspelled_tools(&text, tools, known);
    }
}

fn counts(documents: usize, problems: usize) -> String {
    let end = |number| if number == 1 { "" } else { "s" };
    format!(
        "{documents} document{}: {problems} problem{}",
        end(documents),
        end(problems)
    )
}
