//! The agents' rules that apply to all sources: forbidden hints, and the data flow.

use super::list::{ListedTool, ToolGroup};
#[cfg(feature = "documents")]
use super::sources::CatalogSource;
use crate::list::reserved::{READ_RESULT, TOOLBOX};
use serde_json::Value;
#[cfg(feature = "documents")]
use skill_agent_documents::__private::CATALOG_TOOLS;
use skill_agent_models::__private::{
    argument_at_root, impossible_argument, is_object as is_object_schema,
};
use skill_agent_schema::{shorten_name, suggest};
use skill_core::__private::nearest;
use skill_core::Hints;
use skill_core::policy::{ActionOwner, DataFlow, ForbiddenActions};
use skill_core::process::{SKILL_TOOL, is_tool_name};
use skill_core::spec::{AgentSpec, Hint};
use std::sync::Arc;

/// The sources and their agents' rules.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) names: Vec<String>,
    /// The agent of each source, or `None` for a source that is not a server.
    pub(super) agents: Vec<Option<&'static AgentSpec>>,
    /// The catalog's index among the sources.
    #[cfg(feature = "documents")]
    pub(super) catalog: Option<usize>,
    /// The groups of tools that the model of a chat loads on demand.
    pub(super) groups: Arc<[ToolGroup]>,
    /// Whether the program allows every data flow.
    pub(super) allow_data_flow: bool,
}

impl Rules {
    /// Returns the agents of the other sources.
    fn others(&self, source: usize) -> impl Iterator<Item = &'static AgentSpec> {
        let agents = self.agents.iter().enumerate();
        let others = agents.filter(move |(index, _)| *index != source);
        others.filter_map(|(_, agent)| *agent)
    }

    /// Returns a source's tools that other agents forbid, grouped by agent.
    pub(super) fn forbidden<'a>(
        &'a self,
        source: usize,
        tools: impl Iterator<Item = &'a ListedTool> + Clone + 'a,
    ) -> impl Iterator<Item = ForbiddenActions> + 'a {
        let owner = ActionOwner::source(&self.names[source]);
        self.others(source).filter_map(move |agent| {
            let tools = tools.clone();
            agent.forbidden(
                owner,
                tools.map(|listed| (&*listed.tool.name, listed.tool.hints)),
            )
        })
    }

    /// Returns the source for which a name is reserved, unless it is this source.
    #[cfg_attr(
        not(feature = "documents"),
        allow(unused_variables, clippy::unused_self)
    )]
    pub(super) fn reserved_for(&self, source: usize, name: &str) -> Option<&'static str> {
        if name == READ_RESULT {
            return Some(TOOLBOX);
        }
        // these names are always reserved for documents, even if the catalog does not currently list them
        #[cfg(feature = "documents")]
        if self.catalog.is_some_and(|catalog| catalog != source) && CATALOG_TOOLS.contains(&name) {
            return Some(CatalogSource::NAME);
        }
        (name == SKILL_TOOL && !self.groups.is_empty() && !self.is_catalog(source))
            .then_some(TOOLBOX)
    }

    #[cfg(feature = "documents")]
    fn is_catalog(&self, source: usize) -> bool {
        self.catalog == Some(source)
    }

    #[cfg(not(feature = "documents"))]
    #[allow(clippy::unused_self)]
    fn is_catalog(&self, _: usize) -> bool {
        false
    }

    /// Returns why models cannot call a source's tool: its name or schema is not valid for models, or a different agent forbids
    /// it.
    pub(super) fn refusal(&self, source: usize, listed: &ListedTool) -> Option<String> {
        not_callable(listed).or_else(|| self.prohibition(source, listed))
    }

    /// Returns why a different agent forbids a tool.
    fn prohibition(&self, source: usize, listed: &ListedTool) -> Option<String> {
        let hints = listed.tool.hints;
        // most tools are not forbidden by any agent
        if !self.others(source).any(|agent| agent.forbids(hints)) {
            return None;
        }
        let mut forbidden = self.forbidden(source, std::iter::once(listed));
        forbidden.next().map(|found| found.to_string())
    }

    /// Returns whether to check the data flow here. A single agent needs no check, because it has already checked its own data
    /// flow.
    pub(super) fn judges_data_flow(&self) -> bool {
        let is_one_agent = matches!(self.agents[..], [Some(_)]);
        !self.allow_data_flow && !is_one_agent
    }
}

/// Returns why models cannot call a tool: a provider would reject a list with its name or its schema.
pub(super) fn not_callable(listed: &ListedTool) -> Option<String> {
    if !is_tool_name(&listed.tool.name) {
        let why = "a model cannot call this name; it needs 1 to 64 letters, digits, `_` and `-`";
        return Some(why.to_owned());
    }
    let schema = &listed.tool.input_schema;
    if let Some(argument) = argument_at_root(schema) {
        let argument = shorten_name(argument);
        return Some(format!(
            "`{argument}` is no keyword of JSON Schema; write its input schema as \
             `{{\"type\": \"object\", \"properties\": {{\"{argument}\": …}}}}`"
        ));
    }
    if let Some(argument) = impossible_argument(schema) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let names = properties
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str());
        let nearest = nearest(argument, names);
        let argument = shorten_name(argument);
        return Some(format!(
            "`required` of its input schema names `{argument}`, which is not in `properties`, and `additionalProperties` is \
             `false`, so that no arguments fit{}",
            suggest(nearest)
        ));
    }
    let why = "its input schema is not that of an object: `\"type\": \"object\"`";
    (!is_object_schema(schema)).then(|| why.to_owned())
}

/// Adds a tool to a data flow.
pub(super) fn add<'a>(flow: &mut DataFlow<'a>, listed: &'a ListedTool) {
    let owner = ActionOwner::source(&listed.source);
    flow.add(owner, &listed.tool.name, listed.tool.hints);
}

/// Formats the error for a complete data flow.
pub(super) fn data_flow_text(flow: &DataFlow<'_>) -> String {
    let actions = flow.actions_text();
    format!(
        "data can leak through the toolbox: {actions}; leave one of them out, or write `.allow_data_flow(\"reason\")`"
    )
}

/// Returns the hints of a tool from a custom source. If there is no data hint, it is unknown what the tool reads, so it counts as
/// reading untrusted content.
pub(super) fn hints_of_stranger(hints: Hints) -> Hints {
    if Hint::DATA.iter().any(|kind| hints.has(*kind)) {
        hints
    } else {
        hints.reads_untrusted()
    }
}
