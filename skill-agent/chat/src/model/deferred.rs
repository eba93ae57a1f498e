//! The tools that a model loads on demand, in a request.

use crate::Message;
use skill_core::ToolBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// How a request offers the tools of deferred skills and sources to a model that cannot
/// [read tools in messages](crate::ModelProfile::tools_in_messages).
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

/// The tools of a deferred skill or source, loaded or not, in [`ChatRequest::deferred`](crate::ChatRequest::deferred).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeferredTools {
    /// The name of the group, as in [`ContextPart::groups`](crate::ContextPart::groups).
    pub group: String,
    /// The definitions of the group's tools, in the toolbox's order.
    pub tools: Vec<ToolBuf>,
}

/// The tools of a session, from which a request offers deferred tools in the form of its model.
#[derive(Debug)]
pub(crate) struct Deferral {
    /// The tools for models that cannot read tools in messages.
    pub(crate) offered: Arc<[ToolBuf]>,
    /// The tools that are not deferred.
    pub(crate) others: Arc<[ToolBuf]>,
    pub(crate) groups: Arc<[DeferredTools]>,
    /// The names of the loaded groups.
    pub(crate) loaded: Vec<String>,
    /// The last result of [`in_messages`](Self::in_messages) with groups that are not revealed. Models convert the same lists only once.
    last: Mutex<Option<(Vec<String>, InMessages)>>,
}

/// The tools of a request to a model that reads tools in messages, and the deferred ones.
type InMessages = (Arc<[ToolBuf]>, Arc<[DeferredTools]>);

impl Deferral {
    pub(crate) fn new(
        offered: Arc<[ToolBuf]>,
        others: Arc<[ToolBuf]>,
        groups: Arc<[DeferredTools]>,
        loaded: Vec<String>,
    ) -> Self {
        Self {
            offered,
            others,
            groups,
            loaded,
            last: Mutex::default(),
        }
    }

    /// Returns the tools of a request to a model that reads tools in messages. A loaded group that no message reveals is offered like
    /// other tools.
    pub(super) fn in_messages(&self, tools: &Arc<[ToolBuf]>, messages: &[Message]) -> InMessages {
        if !Arc::ptr_eq(tools, &self.offered) {
            return self.kept(tools, messages);
        }
        let revealed = revealed(messages);
        let lost = self.loaded.iter();
        let lost = lost.filter(|name| !revealed.contains(&name.as_str()));
        let lost: Vec<String> = lost.cloned().collect();
        if lost.is_empty() {
            return (Arc::clone(&self.others), Arc::clone(&self.groups));
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, result)) = &*last
            && *known == lost
        {
            return result.clone();
        }
        let (listed, deferred): (Vec<_>, Vec<_>) =
            (self.groups.iter()).partition(|group| lost.contains(&group.group));
        let listed = listed.into_iter().flat_map(|group| &group.tools);
        let result: InMessages = (
            self.others.iter().chain(listed).cloned().collect(),
            deferred.into_iter().cloned().collect(),
        );
        *last = Some((lost, result.clone()));
        result
    }

    /// Does the same after a layer has changed the tools. A tool that the layer has removed stays away.
    fn kept(&self, tools: &[ToolBuf], messages: &[Message]) -> InMessages {
        let has =
            |tools: &[ToolBuf], tool: &ToolBuf| tools.iter().any(|other| other.name == tool.name);
        let is_removed = |tool: &ToolBuf| has(&self.offered, tool) && !has(tools, tool);
        let (all, mut deferred) = self.in_messages(&self.offered, messages);
        let is_deferred = |tool: &ToolBuf| {
            let mut groups = deferred.iter();
            groups.any(|group| has(&group.tools, tool))
        };
        let mut kept: Vec<ToolBuf> = tools.to_vec();
        kept.retain(|tool| !is_deferred(tool));
        let lost = all.iter().filter(|tool| !has(&self.others, tool));
        let lost: Vec<_> = lost
            .filter(|tool| !is_removed(tool) && !has(&kept, tool))
            .cloned()
            .collect();
        kept.extend(lost);
        for group in Arc::make_mut(&mut deferred) {
            group.tools.retain(|tool| !is_removed(tool));
        }
        (kept.into(), deferred)
    }
}

/// Two are equal if they share their tools.
impl PartialEq for Deferral {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.offered, &other.offered)
    }
}

/// Returns the groups that messages reveal.
pub(super) fn revealed(messages: &[Message]) -> Vec<&str> {
    let groups = messages.iter().flat_map(Message::revealed_groups);
    groups.map(|(_, group)| group).collect()
}
