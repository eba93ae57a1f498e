//! The state of a session and its lookups.

use super::groups;
use super::results::{self, CutResults, without_large_data};
use super::view::View;
use crate::error::ToolError;
use crate::list::merged::withheld_text;
use crate::list::reserved::READ_RESULT;
use crate::list::{ListedTool, ToolGroup, ToolList, Withheld};
use crate::output::ToolOutput;
use crate::shared::Shared;
use crate::sources::Source;
#[cfg(feature = "documents")]
use skill_agent_documents::selection::Activations;
use skill_agent_server::ErasedCallerHandle;
use skill_core::process::SKILL_TOOL;
use skill_core::{Caller, ForeignCaller};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The state behind a `ToolSession`.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) shared: Arc<Shared>,
    pub(super) caller: Caller,
    /// One handle per source, or `None` for a source that is not a server.
    pub(super) handles: Vec<Option<ErasedCallerHandle>>,
    /// Whether long results are cut, and kept for the tool `read_result`.
    pub(super) cuts_results: bool,
    /// Whether the tool `skill` loads deferred groups, as in a chat.
    pub(super) defers: bool,
    /// Why the documents are withheld, if they are.
    no_documents: Option<Arc<str>>,
    state: Mutex<SessionState>,
}

#[derive(Debug, Default)]
pub(super) struct SessionState {
    view: Option<View>,
    pub(super) results: CutResults,
    /// The names of the loaded groups.
    pub(super) loaded: Vec<String>,
    #[cfg(feature = "documents")]
    pub(super) activations: Activations,
}

/// The tool that a call refers to.
#[derive(Debug)]
pub(super) enum Found {
    Of(usize, Arc<ListedTool>),
    /// The tool `skill`, without documents.
    Skill(Arc<ListedTool>),
    ReadResult,
}

impl Found {
    pub(super) fn listed(&self) -> &ListedTool {
        match self {
            Self::Of(_, listed) | Self::Skill(listed) => listed,
            Self::ReadResult => results::tool(),
        }
    }
}

impl Inner {
    pub(super) fn new(
        shared: Arc<Shared>,
        caller: ForeignCaller,
        no_documents: Option<Arc<str>>,
    ) -> Self {
        let sources = shared.sources.iter();
        let handles = sources.map(|source| match source {
            Source::Server(source) => Some(source.server.on_behalf_of(caller.clone())),
            _ => None,
        });
        Self {
            handles: handles.collect(),
            caller: caller.into(),
            shared,
            cuts_results: true,
            defers: false,
            no_documents,
            state: Mutex::default(),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, SessionState> {
        // no user code runs under the lock
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn list(&self) -> Arc<ToolList> {
        self.shared.refresh().await;
        self.known_list()
    }

    /// Returns the list of the last refresh.
    pub(super) fn known_list(&self) -> Arc<ToolList> {
        let mut state = self.state();
        // hold the lock, so that a later list is never older than an earlier one
        let (merged, reads_results) = (self.shared.merged(), state.results.has_any());
        let own = || self.own_list(&merged.list);
        let view = View::next(state.view.as_ref(), &merged.list, reads_results, own);
        let list = Arc::clone(view.list());
        state.view = Some(view);
        list
    }

    /// Finds a tool by name. First refreshes the sources that report a change without waiting, and then, if the name is still
    /// unknown, all sources.
    pub(super) async fn find(&self, name: &str) -> Result<Found, ToolError> {
        if name == READ_RESULT && self.state().results.has_any() {
            return Ok(Found::ReadResult);
        }
        if name == SKILL_TOOL && self.defers {
            let merged = self.shared.current().await;
            if let Some(skill) = self.skill_tool(&merged.list) {
                return Ok(match merged.find(name) {
                    Some((source, listed)) if !self.withholds(&listed.source) => {
                        Found::Of(source, skill)
                    }
                    _ => Found::Skill(skill),
                });
            }
        }
        let of = |(source, listed): (usize, &Arc<ListedTool>)| match &self.no_documents {
            Some(reason) if self.withholds(&listed.source) => {
                let reason = withheld_text(&listed.source, reason);
                Err(ToolError::unavailable(name, reason))
            }
            _ => Ok(Found::Of(source, Arc::clone(listed))),
        };
        if let Some(found) = self.shared.current().await.find(name).map(of) {
            return found;
        }
        let merged = self.shared.refresh().await;
        if let Some(found) = merged.find(name).map(of) {
            return found;
        }
        if let Some(reason) = self.shared.failure_of(name) {
            return Err(ToolError::unavailable(name, reason));
        }
        if let Some(reason) = merged.not_callable(name) {
            return Err(ToolError::unavailable(name, reason));
        }
        Err(self.unknown(name))
    }

    /// Returns whether the session withholds a source.
    pub(super) fn withholds(&self, source: &str) -> bool {
        self.no_documents.is_some() && self.shared.catalog_name() == Some(source)
    }

    /// Returns the session's tool `skill` if it has deferred groups.
    fn skill_tool(&self, list: &ToolList) -> Option<Arc<ListedTool>> {
        if !self.defers {
            return None;
        }
        let mut tools = list.tools.iter();
        let documents =
            tools.find(|listed| listed.tool.name == SKILL_TOOL && !self.withholds(&listed.source));
        groups::tool(list, documents)
    }

    /// Returns the toolbox's list with the session's tool `skill` and without withheld documents, or `None` if it is unchanged.
    fn own_list(&self, list: &ToolList) -> Option<ToolList> {
        let skill = self.skill_tool(list);
        if skill.is_none() && self.no_documents.is_none() {
            return None;
        }
        let mut own = list.clone();
        if let (Some(reason), Some(catalog)) = (&self.no_documents, self.shared.catalog_name()) {
            own.tools.retain(|listed| listed.source != catalog);
            own.withheld.retain(|withheld| withheld.source != catalog);
            own.withheld.push(Withheld {
                source: catalog.to_owned(),
                tool: None,
                reason: reason.to_string(),
            });
        }
        if let Some(skill) = skill {
            groups::place(&mut own, skill);
        }
        Some(own)
    }

    /// Returns the answer for a load of a group. `document` is the text of the document with the same name.
    pub(super) fn load(
        &self,
        list: &ToolList,
        group: &ToolGroup,
        document: Option<String>,
    ) -> ToolOutput {
        let name = &group.name;
        let text = document.unwrap_or_else(|| {
            let instructions = self.shared.instructions().into_iter();
            let own = instructions.filter(|skill| skill.group.as_ref() == Some(name));
            let texts: Vec<_> = own.map(|skill| skill.text).collect();
            texts.join("\n\n")
        });
        groups::answer(list, name, &text)
    }

    /// Checks that the group of a tool is loaded.
    pub(super) fn check_group(&self, listed: &ListedTool) -> Result<(), ToolError> {
        match &listed.group {
            Some(group) if self.defers && !self.state().loaded.contains(group) => {
                Err(ToolError::NotLoaded {
                    tool: listed.tool.name.clone(),
                    group: group.clone(),
                })
            }
            _ => Ok(()),
        }
    }

    /// Checks that a tool can still be called after the approver's decision.
    ///
    /// # Errors
    /// Returns an error if the tool no longer exists or has changed, or if the active documents no longer allow it.
    pub(super) async fn find_again(&self, found: &Found) -> Result<(), ToolError> {
        let Found::Of(source, listed) = found else {
            return Ok(());
        };
        let name = &listed.tool.name;
        let now = self.find(name).await?;
        self.check_access(&now)?;
        match &now {
            Found::Of(owner, now) if owner == source && now.tool == listed.tool => Ok(()),
            _ => {
                let reason = "it has changed while its call waited for approval";
                Err(ToolError::unavailable(name, reason.to_owned()))
            }
        }
    }

    /// Creates the error for an unknown tool name.
    pub(super) fn unknown(&self, name: &str) -> ToolError {
        let merged = self.shared.merged();
        let own = self.state().results.has_any().then_some(READ_RESULT);
        let skill = self.skill_tool(&merged.list).map(|_| SKILL_TOOL);
        let tools = merged.list.tools.iter();
        // the list may be older than the response that the tool does not exist, so do not suggest the same name
        let names = tools
            .filter(|listed| !self.withholds(&listed.source))
            .map(|listed| listed.tool.name.as_str())
            .filter(|other| *other != name);
        ToolError::unknown(name, names.chain(own).chain(skill))
    }

    /// Returns a better error if the key and the name were swapped. Both are strings, so programs can mix them up.
    pub(super) fn or_swapped_key(&self, error: ToolError, key: Option<&str>) -> ToolError {
        match (error, key) {
            (ToolError::Unknown { name, .. }, Some(key))
                if self.shared.merged().find(key).is_some() =>
            {
                let key = key.to_owned();
                ToolError::SwappedKey { key, name }
            }
            (error, _) => error,
        }
    }

    /// Converts an output to the form that the model sees.
    pub(super) fn shown(&self, found: &Found, mut output: ToolOutput) -> ToolOutput {
        let loaded = output.take_loaded();
        let shown = match found {
            // this is already a part of a cut result
            Found::ReadResult => output,
            _ if self.cuts_results => self.state().results.cut(without_large_data(output)),
            _ => without_large_data(output),
        };
        shown.with_loaded(loaded)
    }

    /// Checks that the active documents allow a tool.
    pub(super) fn check_access(&self, found: &Found) -> Result<(), ToolError> {
        let Found::Of(_, listed) = found else {
            return Ok(());
        };
        let tool = &listed.tool.name;
        match self.restriction(tool) {
            None => Ok(()),
            Some(reason) => Err(ToolError::Restricted {
                tool: tool.clone(),
                reason,
            }),
        }
    }

    #[cfg(not(feature = "documents"))]
    #[allow(clippy::unused_self)]
    pub(super) fn restriction(&self, _: &str) -> Option<String> {
        None
    }

    /// Returns why the active documents do not allow a source's tool.
    #[cfg(feature = "documents")]
    pub(super) fn restriction(&self, tool: &str) -> Option<String> {
        if self.no_documents.is_some() {
            // the documents are not there, so they restrict nothing
            return None;
        }
        let catalog = self.shared.catalog()?.catalog();
        let access = {
            let state = self.state();
            catalog.tool_access(tool, |id| state.activations.is_active(id))
        };
        (!access.is_allowed()).then(|| access.to_string())
    }
}
