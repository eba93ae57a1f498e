//! Builds a toolbox from several sources.

use super::Toolbox;
use super::guarding::Guarding;
use super::problem::{ToolboxError, ToolboxProblem};
use super::shared::{Settings, Shared};
use super::source::ToolSource;
#[cfg(feature = "documents")]
use super::sources::{CatalogSource, IntoCatalog};
use super::sources::{ForeignSource, ServerSource, Source};
use crate::list::ToolGroup;
use crate::list::reserved::TOOLBOX;
#[cfg(feature = "documents")]
use skill_agent_documents::selection::SelectionPolicy;
use skill_agent_server::__private::APPROVAL_SECRET_MIN;
use skill_agent_server::AgentServer;
use skill_agent_server::{Approver, Guard};
use skill_core::process::is_tool_name;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

/// Builds a [`Toolbox`] from several sources. Created by [`Toolbox::builder`].
#[must_use = "a builder does nothing until `build`"]
#[derive(Debug, Default)]
pub struct ToolboxBuilder {
    sources: Vec<Source>,
    guarding: Guarding,
    settings: Settings,
    /// Whether `deferred` follows something else than a server or a custom source.
    defers_nothing: bool,
}

impl ToolboxBuilder {
    /// Adds a server, whose own guard and approver decide on its tools.
    pub fn server<G>(mut self, server: &AgentServer<G>) -> Self {
        let source = ServerSource::new(server.clone().erase());
        self.sources.push(Source::Server(source));
        self
    }

    /// Adds a catalog, with its tools `skill`, `search_skills` and `read_skill_file`. When a model loads a document, the document
    /// becomes active in the model's session. The tools of a session are limited to those that its active documents
    /// [allow](skill_agent_documents::Catalog::tool_access).
    ///
    /// A toolbox has at most one catalog, so calling this again replaces the catalog.
    #[cfg(feature = "documents")]
    pub fn catalog(mut self, catalog: impl IntoCatalog) -> Self {
        let source = Source::Catalog(CatalogSource::new(catalog.into_catalog()));
        let mut sources = self.sources.iter_mut();
        match sources.find(|source| matches!(source, Source::Catalog(_))) {
            Some(before) => *before = source,
            None => self.sources.push(source),
        }
        self
    }

    /// Sets the policy for activating documents. Defaults to [`SelectionPolicy::LAZY_TOOL`].
    #[cfg(feature = "documents")]
    pub fn selection_policy(mut self, policy: SelectionPolicy) -> Self {
        self.settings.policy = policy;
        self
    }

    /// Adds a custom source under a unique name: 1 to 64 letters, digits, `_` or `-`.
    pub fn source(mut self, name: impl Into<String>, source: impl ToolSource) -> Self {
        let source = ForeignSource::new(name.into(), source);
        self.sources.push(Source::Foreign(source));
        self
    }

    /// Defers the last server or custom source. The model of a chat sees only this description at first, in the list of the tool
    /// `skill`. It loads the tools when it needs them. For all other callers, nothing changes.
    ///
    /// The description says what the tools are for, in a sentence. Defer sources with many tools first: the model reads all other
    /// tools with each request. To defer single skills of an agent, list them in `deferred` of `agent!`. In a deferred server, they
    /// belong to the server's group. A second description replaces the first one.
    pub fn deferred(mut self, description: impl Into<String>) -> Self {
        let last = self.sources.last_mut();
        self.defers_nothing |= !last.is_some_and(|last| last.defer(description.into()));
        self
    }

    /// Adds a guard for tools that are not actions of a server. If there are several, the strictest decision counts. Without a
    /// guard, [`ConfirmDestructive`](skill_agent_server::ConfirmDestructive) decides.
    pub fn guard(mut self, guard: impl Guard) -> Self {
        self.guarding.policy.add_guard(guard);
        self
    }

    /// Sets the approver, which decides when the guard returns [`Decision::Ask`](skill_agent_server::Decision::Ask).
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.guarding.approver = Some(Arc::new(approver));
        self
    }

    /// Sets the approver's time limit. Defaults to [`APPROVER_TIME_LIMIT`](skill_agent_server::APPROVER_TIME_LIMIT).
    pub fn approver_time_limit(mut self, time: Duration) -> Self {
        self.guarding.time_limit = time;
        self
    }

    /// Sets the secret that seals [deferred](skill_agent_server::Verdict::Later) approval requests. A toolbox in another process
    /// with the same secret can [decide](super::ToolSession::decide) on these requests too, but each toolbox decides each request
    /// only once.
    ///
    /// Defaults to a random secret. [`build`](Self::build) fails if the secret has less than 16 bytes.
    pub fn approval_secret(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.guarding.secret = Some(secret.into());
        self
    }

    /// Allows tools that together read sensitive data, read untrusted content and send data out. The reason is for people who
    /// read the program. Without this setting, a toolbox with several sources cannot be built with such tools, even if its agents
    /// allow their own [data flow](skill_core::policy::DataFlow). A tool that is added later and would complete the flow is
    /// withheld.
    ///
    /// The documents of a [discovered](skill_agent_documents::Source::discovered) source count as untrusted content, and so does
    /// a custom source's tool without a [data hint](skill_core::spec::Hint::DATA).
    pub fn allow_data_flow(mut self, reason: impl Into<String>) -> Self {
        self.settings.allow_data_flow = Some(reason.into());
        self
    }

    /// Sets the time limit for a call to a custom source. Defaults to 60 seconds.
    pub fn call_time_limit(mut self, time: Duration) -> Self {
        self.settings.call_time_limit = time;
        self
    }

    /// Lists the tools of all sources and builds the toolbox. A source that fails, or does not respond within 10 seconds, is
    /// withheld until it responds.
    ///
    /// # Errors
    /// Returns an error with all problems at once: a tool name that two sources have, a source name that is taken or malformed, a
    /// tool that an agent forbids, a complete data flow, or a secret that is too short.
    pub async fn build(self) -> Result<Toolbox, ToolboxError> {
        let mut problems = self.problems();
        let idle = self.idle_guarding();
        let shared = Shared::new(self.sources, self.guarding, self.settings);
        let merged = shared.refresh().await;
        // an equal name of two sources is the mistake, whatever their tools
        let taken: HashSet<String> = problems.iter().filter_map(taken).collect();
        for clash in &merged.clashes {
            if clash.owner == clash.newcomer && taken.contains(&clash.owner) {
                continue;
            }
            problems.push(ToolboxProblem::ToolTaken {
                tool: clash.tool.clone(),
                by: clash.owner.clone(),
                of: clash.newcomer.clone(),
            });
        }
        let (forbidden, flow) = shared.broken_rules();
        problems.extend(forbidden.into_iter().map(ToolboxProblem::Forbidden));
        problems.extend(flow.map(|text| ToolboxProblem::DataFlow { text }));
        match ToolboxError::new(problems) {
            Some(error) => Err(error),
            None => {
                if let Some(idle) = idle {
                    tracing::warn!("{idle}");
                }
                Ok(Toolbox::of_shared(shared))
            }
        }
    }

    /// Returns a warning about a guard or an approver that is never used, because all sources are servers.
    fn idle_guarding(&self) -> Option<String> {
        let guarding = &self.guarding;
        let methods = match (guarding.policy.is_custom(), guarding.approver.is_some()) {
            (true, true) => ".guard(...).approver(...)",
            (true, false) => ".guard(...)",
            (false, true) => ".approver(...)",
            (false, false) => return None,
        };
        let agents = self.sources.iter().map(|source| match source {
            Source::Server(server) => Some(format!("`{}`", server.name())),
            _ => None,
        });
        let agents = agents.collect::<Option<Vec<_>>>()?.join(", ");
        (!agents.is_empty()).then(|| {
            format!(
                "the toolbox has only actions of {agents}, and `{methods}` of a toolbox does not decide on actions of a server; \
                 write `AgentServer::builder(...){methods}`"
            )
        })
    }

    fn problems(&self) -> Vec<ToolboxProblem> {
        let mut problems = Vec::new();
        let mut names = HashSet::new();
        for source in &self.sources {
            let name = source.name();
            if !is_tool_name(name) {
                let name = name.to_owned();
                problems.push(ToolboxProblem::SourceName { name });
            } else if name == TOOLBOX {
                let name = name.to_owned();
                problems.push(ToolboxProblem::SourceReserved { name });
            } else if !names.insert(name) {
                let name = name.to_owned();
                problems.push(ToolboxProblem::SourceTaken { name });
            }
        }
        if self.defers_nothing {
            problems.push(ToolboxProblem::DefersNothing);
        }
        let mut groups = HashMap::new();
        for source in &self.sources {
            for ToolGroup {
                name: group,
                description,
                ..
            } in source.groups()
            {
                if description.trim().is_empty() {
                    let group = group.clone();
                    problems.push(ToolboxProblem::GroupDescription { group });
                }
                if let Some(by) = groups.insert(group.clone(), source.name()) {
                    let (by, of) = (by.to_owned(), source.name().to_owned());
                    problems.push(ToolboxProblem::GroupTaken { group, by, of });
                }
            }
        }
        let reason = self.settings.allow_data_flow.as_deref();
        if reason.is_some_and(|reason| reason.trim().is_empty()) {
            problems.push(ToolboxProblem::NoReason);
        }
        let secret = self.guarding.secret.as_ref().map(Vec::len);
        if let Some(bytes) = secret.filter(|bytes| *bytes < APPROVAL_SECRET_MIN) {
            let min = APPROVAL_SECRET_MIN;
            problems.push(ToolboxProblem::ApprovalSecret { bytes, min });
        }
        problems
    }
}

/// Returns the name that two sources have, if this is the problem.
fn taken(problem: &ToolboxProblem) -> Option<String> {
    match problem {
        ToolboxProblem::SourceTaken { name } | ToolboxProblem::SourceReserved { name } => {
            Some(name.clone())
        }
        _ => None,
    }
}
