//! The tools of an MCP server, as a source of a toolbox.

use super::McpClient;
use rmcp::model::Tool;
use serde_json::Value;
use skill_agent_server::BoxFuture;
use skill_agent_toolbox::{SourceCall, SourceError, SourceTool, ToolOutput, ToolSource};
use skill_core::ToolBuf;
use skill_core::spec::Hints;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The maximum length of a description in bytes.
const MAX_DESCRIPTION: usize = 8 << 10;
/// The maximum length of a tool's name in a toolbox, as model providers allow it.
const MAX_NAME: usize = 64;
/// The maximum time of a call, also if the server reports progress.
pub(super) const MAX_CALL_TIME: Duration = Duration::from_secs(60 * 60);

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
        let tools = self.client.peer().list_all_tools().await;
        let tools = tools.map_err(|error| SourceError::unavailable(error.to_string()))?;
        let mut state = self.state();
        state.names.clear();
        let tools = tools.into_iter().map(|tool| {
            let name = name_in_toolbox(&self.prefix, &tool.name);
            state.names.insert(name.clone(), tool.name.to_string());
            let hints = self.hints(&mut state, &tool);
            SourceTool::new(converted(name, tool, hints))
        });
        Ok(tools.collect())
    }

    /// Returns the hints of a tool. A tool that is not trusted counts as destructive, so that its calls need approval.
    fn hints(&self, state: &mut State, tool: &Tool) -> Hints {
        let is_allowed = match &self.trust {
            Trust::Hints => return hints_of(tool),
            Trust::Tools(allowed) => allowed.contains(&*tool.name),
        };
        if !is_allowed {
            return Hints::NONE.open_world().destructive();
        }
        let name = tool.name.to_string();
        let first = state.first.entry(name).or_insert_with(|| tool.clone());
        if first.description == tool.description && first.input_schema == tool.input_schema {
            return Hints::NONE.open_world();
        }
        tracing::warn!(tool = %tool.name, "an allowed tool of an MCP server has changed; its calls need approval");
        Hints::NONE.open_world().destructive()
    }
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
    let description = shortened(tool.description.as_deref().unwrap_or_default());
    let schema = Value::Object(Arc::unwrap_or_clone(tool.input_schema));
    let mut converted = ToolBuf::new(name, description, schema);
    converted.title = tool.title.map(|title| shortened(&title));
    let output = tool.output_schema.map(Arc::unwrap_or_clone);
    converted.output_schema = output.map(Value::Object);
    converted.hints = hints;
    converted
}

/// Removes control characters from a text of a stranger, and shortens it.
fn shortened(text: &str) -> String {
    let is_shown = |c: &char| !c.is_control() || *c == '\n' || *c == '\t';
    let mut text: String = text.chars().filter(is_shown).collect();
    if text.len() > MAX_DESCRIPTION {
        text.truncate(text.floor_char_boundary(MAX_DESCRIPTION));
        text.push('…');
    }
    text
}

/// Returns a name that providers accept: other characters become `_`, and a long name ends with its hash.
fn name_in_toolbox(prefix: &str, name: &str) -> String {
    let is_accepted = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_short = prefix.len() + name.len() <= MAX_NAME;
    if is_short && name.chars().all(is_accepted) {
        return format!("{prefix}{name}");
    }
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let hash = format!("_{:08x}", hash as u32);
    let room = MAX_NAME.saturating_sub(prefix.len() + hash.len());
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
        Some(MAX_CALL_TIME)
    }

    fn generation(&self) -> Option<u64> {
        self.client.changes()
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
        assert_eq!(name.len(), MAX_NAME);
        assert_ne!(name, name_in_toolbox("far__", &format!("{long}x")));
    }

    #[test]
    fn a_description_is_cut_and_has_no_control_characters() {
        assert_eq!(shortened("Reads\u{1b}[2J a file.\n"), "Reads[2J a file.\n");
        let long = shortened(&"é".repeat(MAX_DESCRIPTION));
        assert!(long.ends_with('…') && long.len() <= MAX_DESCRIPTION + 3);
    }
}
