//! `skills contract`: prints the changes between two contract files.

use crate::args::ContractArgs;
use crate::failure::Failure;
use crate::output::escape::{escape, escape_json};
use crate::output::screen::Screen;
use skill_agent_contract::{Changes, Contract};
use std::path::Path;
use std::process::ExitCode;

/// Prints the changes by class. Returns exit code 1 if a change is breaking and no version accounts for it.
///
/// # Errors
/// Returns an error if a file is not a contract file that this version can read, or if standard output cannot be written.
pub(crate) fn contract(args: &ContractArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    // when an agent is renamed, it keeps some of its tools
    let has_tools = |contract: &Contract| contract.tool_names().next().is_some();
    if old.agent_name() != new.agent_name()
        && has_tools(&old)
        && has_tools(&new)
        && !old
            .tool_names()
            .any(|tool| new.tool_names().any(|other| other == tool))
    {
        return Err(Failure::TwoAgents {
            old: old.agent_name().to_owned(),
            new: new.agent_name().to_owned(),
        });
    }
    let changes = old.changes_to(&new);
    let text = if args.json {
        json(&changes)
    } else {
        lines(&changes)
    };
    screen.print(&text)?;
    if !changes.is_breaking() {
        return Ok(ExitCode::SUCCESS);
    }
    let versions: Vec<_> = changes.versions_needed().map(escape).collect();
    let help = format!(
        "write {}, or undo the breaking changes",
        versions.join(", and ")
    );
    screen.error(
        "a change is breaking, and no version accounts for it",
        Some(&help),
    );
    Ok(ExitCode::FAILURE)
}

fn read(path: &Path) -> Result<Contract, Failure> {
    Contract::read(path).map_err(|error| Failure::Contract {
        path: path.display().to_string(),
        error,
    })
}

fn lines(changes: &Changes) -> String {
    if changes.list.is_empty() {
        return "no changes\n".to_owned();
    }
    let text = changes.to_string();
    text.lines()
        .map(|line| format!("{}\n", escape(line)))
        .collect()
}

fn json(changes: &Changes) -> String {
    let mut value = serde_json::to_value(changes).unwrap_or_default();
    value["is_breaking"] = changes.is_breaking().into();
    format!("{}\n", escape_json(value.to_string()))
}
