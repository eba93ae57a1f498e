//! The tools that a model loads on demand, in a request.

use crate::{Message, Role};
use skill_core::ToolBuf;
use std::sync::Arc;

/// How a request offers the tools of deferred skills and sources to a model that cannot
/// [read tools in messages](ModelProfile::tools_in_messages).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deferred {
    /// The tools are in all requests, and a call before the load is an error. The beginning of the requests stays the same, so the
    /// provider's cache keeps the conversation.
    #[default]
    Listed,
    /// The tools join the end of the list when they are loaded. Requests are shorter until then, but with each load the provider's
    /// cache loses the conversation.
    Hidden,
}

/// The tools of a deferred skill or source, in [`ChatRequest::deferred`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeferredTools {
    /// The name of the group, as in [`ContextPart::groups`](crate::ContextPart::groups).
    pub group: String,
    /// The tools.
    pub tools: Vec<ToolBuf>,
}

/// What a request needs to offer deferred tools in the form of each model.
#[derive(Debug, PartialEq)]
pub(crate) struct Deferral {
    /// The tools for models that cannot read tools in messages.
    pub(crate) offered: Arc<[ToolBuf]>,
    /// The tools that are not deferred.
    pub(crate) others: Arc<[ToolBuf]>,
    pub(crate) groups: Arc<[DeferredTools]>,
    /// The names of the loaded groups.
    pub(crate) loaded: Vec<String>,
}

impl Deferral {
    /// Returns the tools of a request to a model that reads tools in messages, and the deferred ones. A group whose load is no longer in
    /// the messages is offered like other tools.
    pub(super) fn in_messages(
        &self,
        tools: &Arc<[ToolBuf]>,
        messages: &[Message],
    ) -> (Arc<[ToolBuf]>, Arc<[DeferredTools]>) {
        let revealed: Vec<&str> = messages.iter().flat_map(Message::revealed_groups).collect();
        let is_lost = |group: &DeferredTools| {
            self.loaded.contains(&group.group) && !revealed.contains(&&*group.group)
        };
        let is_deferred = |tool: &ToolBuf| {
            let mut tools = self.groups.iter().flat_map(|group| &group.tools);
            tools.any(|deferred| deferred.name == tool.name)
        };
        // the same list in all requests, so that a model converts it only once
        let others: Arc<[ToolBuf]> = if Arc::ptr_eq(tools, &self.offered) {
            Arc::clone(&self.others)
        } else {
            let others = tools.iter().filter(|tool| !is_deferred(tool));
            others.cloned().collect()
        };
        let (lost, deferred): (Vec<_>, Vec<_>) =
            self.groups.iter().partition(|group| is_lost(group));
        if lost.is_empty() {
            return (others, Arc::clone(&self.groups));
        }
        let lost = lost.into_iter().flat_map(|group| &group.tools);
        let tools = others.iter().chain(lost).cloned().collect();
        (tools, deferred.into_iter().cloned().collect())
    }
}

impl Message {
    /// Returns the groups whose tools the message reveals to a model that reads tools in messages.
    #[doc(hidden)]
    pub fn revealed_groups(&self) -> impl Iterator<Item = &str> {
        // providers accept tools only where a call has loaded them
        let parts = self.contexts().filter(|_| self.role == Role::Tool);
        parts.flat_map(|part| &part.groups).map(String::as_str)
    }
}
