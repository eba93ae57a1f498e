//! Comparing calls.

use skill_agent_models::ToolCall;
use skill_agent_schema::canonical_text;
use skill_core::process::read_arguments;

/// A key for comparing calls. Ignores whitespace in the arguments and the order of their keys.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    name: String,
    arguments: String,
}

impl Identity {
    pub(crate) fn of(call: &ToolCall) -> Self {
        let text = call.arguments.trim();
        let value = read_arguments(text).ok();
        Self {
            name: call.name.clone(),
            arguments: value.map_or_else(|| text.to_owned(), |value| canonical_text(&value)),
        }
    }
}
