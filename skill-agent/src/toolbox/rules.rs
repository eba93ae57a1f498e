//! The rules of agents that hold for all sources together: hints that an agent forbids, and the data flow.

use super::list::ListedTool;
use skill_core::Hints;
use skill_core::policy::{ActionOwner, DataFlow, FlowAction, ForbiddenActions};
use skill_core::spec::{AgentSpec, Hint};

/// The sources, and the rules of their agents.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) names: Vec<String>,
    /// The agent of each source that is a server.
    pub(super) agents: Vec<Option<&'static AgentSpec>>,
    /// Whether the program allows every data flow, with a reason for readers.
    pub(super) allow_data_flow: bool,
}

impl Rules {
    /// The agents of sources other than this one.
    fn others(&self, source: usize) -> impl Iterator<Item = &'static AgentSpec> {
        let agents = self.agents.iter().enumerate();
        let others = agents.filter(move |(index, _)| *index != source);
        others.filter_map(|(_, agent)| *agent)
    }

    /// The tools of a source that each other agent forbids.
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

    /// Why another agent forbids a tool, if one does.
    pub(super) fn refusal(&self, source: usize, listed: &ListedTool) -> Option<String> {
        let hints = listed.tool.hints;
        // no agent forbids most tools
        if !self.others(source).any(|agent| agent.forbids(hints)) {
            return None;
        }
        let mut forbidden = self.forbidden(source, std::iter::once(listed));
        forbidden.next().map(|found| found.to_string())
    }

    /// Whether the data flow is judged here. The flow of a single agent is judged by the agent itself.
    pub(super) fn judges_data_flow(&self) -> bool {
        let is_one_agent = matches!(self.agents[..], [Some(_)]);
        !self.allow_data_flow && !is_one_agent
    }
}

/// Adds a tool to a data flow.
pub(super) fn add<'a>(flow: &mut DataFlow<'a>, listed: &'a ListedTool) {
    let owner = ActionOwner::source(&listed.source);
    flow.add(owner, &listed.tool.name, listed.tool.hints);
}

/// The text of the error about a complete data flow.
pub(super) fn data_flow_text(flow: &DataFlow<'_>) -> String {
    let name = |kind| {
        let found = flow.get(kind);
        found.map_or_else(String::new, |FlowAction { action, owner, .. }| {
            format!("`{action}` of {owner}")
        })
    };
    let [sensitive, untrusted, out] = Hint::DATA.map(name);
    let reads = if sensitive == untrusted {
        format!("{sensitive} reads sensitive data and untrusted content")
    } else {
        format!("{sensitive} reads sensitive data, {untrusted} reads untrusted content")
    };
    format!(
        "data can leak through the toolbox: {reads}, and {out} sends data out; leave one of them out, or write `.allow_data_flow(\"reason\")`"
    )
}

/// The hints of a tool of a stranger. One without any says nothing about itself, and counts as reading content of strangers.
pub(super) fn hints_of_stranger(hints: Hints) -> Hints {
    if hints == Hints::NONE {
        hints.reads_untrusted()
    } else {
        hints
    }
}
