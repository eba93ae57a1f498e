//! The tools of an MCP server, as a source of a toolbox.

use super::McpClient;
use super::asked::LIST_TIME;
use crate::text::cleaned;
use rmcp::model::{ListToolsResult, Tool};
use serde_json::Value;
use skill_agent_grammar::{LONGEST_NAME, fnv1a, nearest};
use skill_agent_server::BoxFuture;
use skill_agent_toolbox::{SourceCall, SourceError, SourceTool, ToolOutput, ToolSource};
use skill_core::ToolBuf;
use skill_core::process::is_tool_name;
use skill_core::spec::Hints;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The toolbox's time limit for a call. The client's own limits end a call before.
const TIME_LIMIT: Duration = Duration::from_secs(2 * 60 * 60);
/// The maximum number of tools of a server.
const MAX_TOOLS: usize = 10_000;

/// The length of the hash at the end of a long name, with its `_`.
const HASH_LENGTH: usize = 9;
/// The maximum length of the name of the source, so that each tool gets a name.
const MAX_SOURCE_NAME: usize = LONGEST_NAME - "__".len() - HASH_LENGTH;

/// The tools of an MCP server, for [`McpToolbox::mcp`](crate::McpToolbox::mcp).
#[derive(Debug)]
pub struct McpTools {
    pub(super) client: McpClient,
    trust: Trust,
    prefix: String,
    state: Mutex<State>,
}

/// The tools whose calls need no approval by themselves.
#[derive(Debug)]
pub(super) enum Trust {
    /// Those whose hints say so.
    Hints,
    /// Those with these names at the server.
    Tools(BTreeSet<String>),
}

#[derive(Debug, Default)]
struct State {
    /// The names at the server, by the names in the toolbox.
    names: HashMap<String, String>,
    /// The allowed tools as they were listed first, by their names at the server.
    first: HashMap<String, Tool>,
}

impl McpTools {
    pub(super) fn new(client: McpClient, trust: Trust) -> Self {
        Self {
            client,
            trust,
            prefix: String::new(),
            state: Mutex::default(),
        }
    }

    /// Puts the name of the source in front of the names of the tools.
    pub(crate) fn named(mut self, name: &str) -> Self {
        self.prefix = format!("{name}__");
        self
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // no user code runs under the lock
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the name of a tool at the server.
    pub(super) fn name_at_server(&self, name: &str) -> Option<String> {
        self.state().names.get(name).cloned()
    }

    async fn listed(&self) -> Result<Vec<SourceTool>, SourceError> {
        if self.prefix.len() > MAX_SOURCE_NAME + "__".len() {
            return Err(SourceError::unavailable(format!(
                "the name of an MCP server has at most {MAX_SOURCE_NAME} characters, since `__` and the name of a tool follow"
            )));
        }
        let listed = self.client.tools().await?;
        if let Some(problem) = self.misspelled(&listed) {
            return Err(SourceError::unavailable(problem));
        }
        let (mut tools, mut warnings) = (Vec::new(), Vec::new());
        {
            let mut state = self.state();
            state.names.clear();
            for tool in listed {
                let name = name_in_toolbox(&self.prefix, &tool.name);
                // the first one stays, so that no later tool takes an allowed name
                if state.names.contains_key(&name) {
                    warnings.push((tool.name, "another tool of the MCP server has its name"));
                    continue;
                }
                state.names.insert(name.clone(), tool.name.to_string());
                let trusted = self.trusted_hints(&mut state, &tool);
                if let Err(warning) = trusted {
                    warnings.extend(warning.map(|warning| (tool.name.clone(), warning)));
                }
                let asks = trusted.is_err();
                let hints = trusted.unwrap_or(Hints::NONE.open_world().destructive());
                tools.push(SourceTool::new(converted(name, tool, hints)).asks(asks));
            }
        }
        for (tool, warning) in warnings {
            tracing::warn!(%tool, "{warning}");
        }
        Ok(tools)
    }

    /// Returns what is wrong with an allowed name that was never listed.
    fn misspelled(&self, listed: &[Tool]) -> Option<String> {
        let Trust::Tools(allowed) = &self.trust else {
            return None;
        };
        let known: BTreeSet<&str> = listed.iter().map(|tool| &*tool.name).collect();
        let state = self.state();
        // a tool that has gone was not misspelled
        let is_wrong = |name: &String| !known.contains(&**name) && !state.first.contains_key(name);
        let wrong = allowed.iter().find(|name| is_wrong(name))?;
        let at_server = wrong.split_once("__").map_or("", |(_, name)| name);
        let near = known.get(at_server).copied();
        let near = near.or_else(|| nearest(wrong, known.iter().copied()));
        let hint = match (near, known.first()) {
            (Some(near), _) => format!("; did you mean `{near}`?"),
            (None, Some(name)) => format!("; names are those at the server, such as `{name}`"),
            (None, None) => String::new(),
        };
        Some(format!(
            "`.allow` names `{}`, which the MCP server does not list{}",
            cleaned(wrong),
            cleaned(&hint)
        ))
    }

    /// Returns the hints of a tool whose calls need no approval by themselves. For any other tool, returns the warning, if any.
    fn trusted_hints(&self, state: &mut State, tool: &Tool) -> Result<Hints, Option<&'static str>> {
        match &self.trust {
            Trust::Hints => return Ok(hints_of(tool)),
            Trust::Tools(allowed) if allowed.contains(&*tool.name) => {}
            Trust::Tools(_) => return Err(None),
        }
        let name = tool.name.to_string();
        let first = state.first.entry(name).or_insert_with(|| tool.clone());
        if is_as_allowed(first, tool) {
            Ok(Hints::NONE.open_world())
        } else {
            Err(Some(
                "an allowed tool of an MCP server has changed; its calls need approval",
            ))
        }
    }
}

impl McpClient {
    /// Returns the tools of all pages. The client of rmcp keeps them for as long as the server says.
    pub(super) async fn tools(&self) -> Result<Vec<Tool>, SourceError> {
        let service = self.service().await;
        let service = service.map_err(|error| SourceError::unavailable(error.to_string()))?;
        let list = |params| service.peer().list_tools(params);
        let split = |page: ListToolsResult| (page.tools, page.next_cursor);
        let tools = self
            .pages(&service, (MAX_TOOLS, "tools"), list, split)
            .await;
        tools.map_err(|failed| {
            SourceError::unavailable(format!("the MCP server does not list its tools: {failed}"))
        })
    }
}

/// Returns whether a person who allowed `first` has seen all that a model reads about `tool`.
fn is_as_allowed(first: &Tool, tool: &Tool) -> bool {
    first.title == tool.title
        && first.description == tool.description
        && first.input_schema == tool.input_schema
}

/// Returns the hints that the server gives. Where it is silent, the protocol's defaults hold.
fn hints_of(tool: &Tool) -> Hints {
    let hints = tool.annotations.clone().unwrap_or_default();
    let read_only = hints.read_only_hint.unwrap_or(false);
    let mut trusted = Hints::NONE;
    trusted.read_only = read_only;
    trusted.destructive = !read_only && hints.is_destructive();
    trusted.idempotent = read_only || hints.is_idempotent();
    trusted.open_world = hints.open_world_hint.unwrap_or(true);
    trusted
}

fn converted(name: String, tool: Tool, hints: Hints) -> ToolBuf {
    let description = cleaned(tool.description.as_deref().unwrap_or_default());
    let schema = Value::Object(Arc::unwrap_or_clone(tool.input_schema));
    // without the output schema, since a result may have other text than its structure
    let mut converted = ToolBuf::new(name, description, schema);
    converted.title = tool.title.map(|title| cleaned(&title));
    converted.hints = hints;
    converted
}

/// Returns a name that providers accept: other characters become `_`, and a long name ends with its hash.
fn name_in_toolbox(prefix: &str, name: &str) -> String {
    let is_accepted = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let whole = format!("{prefix}{name}");
    if is_tool_name(&whole) {
        return whole;
    }
    let hash = format!("_{:08x}", fnv1a(name) as u32);
    let room = LONGEST_NAME.saturating_sub(prefix.len() + HASH_LENGTH);
    let accepted = name.chars().map(|c| if is_accepted(c) { c } else { '_' });
    let accepted: String = accepted.take(room).collect();
    format!("{prefix}{accepted}{hash}")
}

impl ToolSource for McpTools {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        Box::pin(self.listed())
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(self.called(call))
    }

    fn time_limit(&self) -> Option<Duration> {
        Some(TIME_LIMIT)
    }

    /// A connection may have to open first, and a person may have to sign in.
    fn list_time_limit(&self) -> Option<Duration> {
        self.client.may_wait().then_some(LIST_TIME)
    }

    fn generation(&self) -> Option<u64> {
        self.client.connection.list_changes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_providers_refuse_are_changed_and_stay_different() {
        assert_eq!(name_in_toolbox("far__", "read-file"), "far__read-file");
        let dotted = name_in_toolbox("far__", "files.read");
        assert!(dotted.starts_with("far__files_read_"), "{dotted}");
        assert_ne!(dotted, name_in_toolbox("far__", "files/read"));
        let long = "x".repeat(100);
        let name = name_in_toolbox("far__", &long);
        assert_eq!(name.len(), LONGEST_NAME);
        assert_ne!(name, name_in_toolbox("far__", &format!("{long}x")));
    }
}
