//! The state of each tool.

use super::ToolSession;
use crate::ask_servers::ServerAnswer;
use crate::list::reserved::TOOLBOX;
use crate::list::{ListedTool, ToolKind, Withheld};
use crate::source::shortened;
use skill_agent_server::ErasedServer;
use skill_core::process::RefusedTool;
use std::sync::Arc;

/// A session's tools, each with its state at one moment. Returned by [`ToolSession::tools_now`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolsNow {
    /// The tools, in source order.
    pub tools: Vec<ToolNow>,
    /// The withheld tools and sources as in [`ToolList::withheld`](crate::ToolList::withheld), and the servers that have stopped or
    /// did not answer in time. Their tools are left out.
    pub withheld: Vec<Withheld>,
}

/// A tool and its state at one moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolNow {
    /// The tool, as in the session's list.
    pub tool: Arc<ListedTool>,
    /// The reason for a refusal, or `None` if the condition and the active documents allow a call. The guard has not been asked.
    pub refusal: Option<String>,
}

impl ToolSession {
    /// Returns for each tool whether it can be called now: whether the active documents allow it, and whether its action's
    /// condition, `#[action(when = …)]`, is met.
    ///
    /// This is for a person or a page. The [list](Self::list) for a model does not change with the state.
    ///
    /// Asks all servers, and waits at most one second for all of them together. For a custom source that is slower,
    /// returns the tools of its last list.
    pub async fn tools_now(&self) -> ToolsNow {
        let shared = &self.inner.shared;
        let asked = shared.ask_servers(|_| true, ErasedServer::refused_tools);
        let (_, answers) = tokio::join!(shared.refresh_in_time(), asked);
        let list = self.inner.known_list();
        let mut withheld = list.withheld.clone();
        for ServerAnswer { agent, answer } in &answers {
            let is_agent = |other: &Withheld| other.source == *agent && other.tool.is_none();
            if let Err(reason) = answer
                && !withheld.iter().any(is_agent)
            {
                withheld.push(Withheld {
                    source: (*agent).to_owned(),
                    tool: None,
                    reason: reason.clone(),
                });
            }
        }
        let tools = list.tools.iter();
        let tools = tools.filter_map(|tool| {
            let refused = refused_with(&answers, tool)?;
            let name = tool.tool.name.as_str();
            // the session's own tools need no document
            let restriction = (tool.source != TOOLBOX).then(|| self.inner.restriction(name));
            let refusal = restriction.flatten().or_else(|| {
                let refused = refused.iter().find(|refused| refused.tool == name)?;
                Some(shortened(refused.reason.to_string()))
            });
            let tool = Arc::clone(tool);
            Some(ToolNow { tool, refusal })
        });
        ToolsNow {
            tools: tools.collect(),
            withheld,
        }
    }
}

/// Returns the refused tools of a tool's server; none if the tool is not an action. Returns `None` if its server did not answer.
fn refused_with<'a>(
    answers: &'a [ServerAnswer<Vec<RefusedTool>>],
    tool: &ListedTool,
) -> Option<&'a [RefusedTool]> {
    if !matches!(tool.kind, ToolKind::PureAction | ToolKind::AsyncAction) {
        return Some(&[]);
    }
    let answer = answers.iter().find(|answer| answer.agent == tool.source)?;
    answer.answer.as_deref().ok()
}
