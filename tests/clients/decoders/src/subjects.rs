//! Tools, with what reads their arguments.

use crate::kinds::ArgumentAgent;
use crate::types::Holders;
use skill_agent::prelude::*;
use skill_examples::Workbench;
use skill_examples::mountable::Assistant;
use skill_examples::worked::schemas::MathAgent;

/// A tool.
pub struct Subject {
    /// The agent and the tool, or the type of its argument.
    pub name: String,
    /// The tool.
    pub tool: &'static Tool<'static>,
    /// Reads the arguments of an action.
    read: fn(&str, &str) -> Result<(), String>,
}

impl Subject {
    /// Reads arguments as the agent does.
    ///
    /// # Errors
    ///
    /// The mistake in them. An error of the action itself is no mistake of the arguments: it has read them.
    pub fn read(&self, arguments: &str) -> Result<(), String> {
        (self.read)(self.tool.name, arguments)
    }
}

/// A tool for each type of argument, tools with several arguments, and the tools of the examples.
#[must_use]
pub fn all() -> Vec<Subject> {
    let all = [
        of::<Holders>(),
        of::<ArgumentAgent>(),
        of::<Workbench>(),
        of::<MathAgent>(),
        of::<Assistant>(),
    ];
    all.into_iter().flatten().collect()
}

fn of<G: Agent>() -> Vec<Subject> {
    let subject = |tool: &'static Tool<'static>| Subject {
        name: format!("{}.{}", G::SPEC.name, tool.name.trim_end_matches("_take")),
        tool,
        read: |action, arguments| match G::new().call_json(action, arguments) {
            Ok(_) | Err(CallError::Action { .. } | CallError::NeedsServer { .. }) => Ok(()),
            Err(error) => Err(error.to_string()),
        },
    };
    G::tools().iter().map(subject).collect()
}
