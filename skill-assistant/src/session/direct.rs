//! Calls that the person makes, such as `add a=1 b=2`. They are the person's own, and need no approval.

use super::Session;
use crate::Failure;
use crate::terminal::Style;
use serde_json::Value;
use skill_agent::manifest::{CommandError, tool_arguments};
use skill_agent::server::Verdict;
use skill_agent::toolbox::{ListedTool, ToolError};
use std::sync::{Arc, PoisonError};

/// A call, or why its words are not arguments of the tool.
pub(super) struct DirectCall {
    tool: String,
    arguments: Result<String, CommandError>,
}

impl Session {
    /// Reads a line as a call: a tool's name alone, with `name=value`, or with words if the name cannot be a word of a sentence.
    pub(super) async fn direct_call(&self, line: &str) -> Option<DirectCall> {
        let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let list = self.parts.person.list().await;
        let tool = list.tools.iter().find(|listed| listed.tool.name == name)?;
        let is_call = words.trim().is_empty() || words.contains('=') || name.contains('_');
        is_call.then(|| DirectCall {
            tool: name.to_owned(),
            arguments: tool_arguments(&tool.tool, words),
        })
    }

    /// Makes a call, and shows its result.
    pub(super) async fn call(&mut self, call: DirectCall) -> Result<(), Failure> {
        let arguments = match call.arguments {
            Ok(arguments) => arguments,
            Err(error) => return Ok(self.screen.line(Style::Plain, &error.to_string())?),
        };
        let person = &self.parts.person;
        let made = async {
            match person.call(&call.tool, &arguments).await {
                Err(ToolError::Pending(request)) => person.decide(*request, Verdict::Approve).await,
                result => result,
            }
        };
        let result = tokio::select! {
            result = made => result,
            _ = self.interrupts.recv() => {
                return Ok(self.screen.line(Style::Dim, "(cancelled)")?);
            }
        };
        let text = match result {
            Ok(output) => text_of(&output.text()),
            Err(error) => error.to_string(),
        };
        Ok(self.screen.line(Style::Plain, &text)?)
    }

    /// Makes the tools known to the completion.
    pub(super) async fn learn_tools(&self) {
        let list = self.parts.person.list().await;
        let tools = list.tools.iter().map(names_of).collect();
        self.known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .tools = tools;
    }
}

fn names_of(listed: &Arc<ListedTool>) -> (String, Vec<String>) {
    let properties = listed.tool.input_schema.get("properties");
    let properties = properties.and_then(Value::as_object).into_iter().flatten();
    let arguments = properties.map(|(name, _)| name.clone()).collect();
    (listed.tool.name.clone(), arguments)
}

/// Returns an output for a person: the lines of a text, and other JSON with a line for each value.
fn text_of(output: &str) -> String {
    match serde_json::from_str(output) {
        Ok(Value::Null) => "Done.".to_owned(),
        Ok(Value::String(text)) => text,
        Ok(value) => format!("{value:#}"),
        Err(_) => output.to_owned(),
    }
}
