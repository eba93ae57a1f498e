//! Adds text for the model to the user's message.

use super::TurnTask;
use super::outlet::{HistoryChange, Outlet};
use crate::history::groups;
use crate::history::last_parts::LastParts;
use crate::message::escaped;
use crate::{ChatError, ContextOrigin, ContextPart, Event, Message, MessagePart, Selected};
use skill_agent_toolbox::__private::AgentContexts;
use skill_agent_toolbox::ToolGroup;
use skill_core::process::TurnContext;
use std::sync::Arc;

/// The maximum number of tokens in the texts about states, together with the selected documents.
#[cfg(not(feature = "documents"))]
const BUDGET: usize = 8_000;

/// The parts that a selection adds to a message.
#[derive(Default)]
pub(super) struct Found {
    pub(super) parts: Vec<ContextPart>,
    /// The explanation for a person.
    pub(super) explanation: String,
}

impl TurnTask {
    /// Adds the documents that the message selects, and the skills' texts about their states. A turn that is resumed before its
    /// first step does this only if nothing was added, in case the process ended before the parts were recorded.
    pub(super) async fn add_context(&mut self, outlet: &Outlet) -> Result<(), ChatError> {
        let is_added = |part: &ContextPart| {
            matches!(part.origin, ContextOrigin::Selection | ContextOrigin::State)
        };
        let is_new = |last: &&Message| {
            last.is_of_user() && !last.is_steered && !last.contexts().any(is_added)
        };
        let last = self.history.last().filter(is_new);
        // a completion without its results is recorded behind the message
        let Some(last) = last.filter(|_| self.begun.is_none()) else {
            return Ok(());
        };
        let selected = self.selected(last).await?;
        let is_selected = selected.is_some();
        let Found {
            mut parts,
            explanation,
        } = selected.unwrap_or_default();
        let loaded = parts.iter().flat_map(|part| part.loaded.clone()).collect();
        parts.extend(groups::gone(&self.history, &self.setup.toolbox));
        parts.extend(self.states(&parts).await);
        let is_changed = !parts.is_empty();
        if !is_changed && !is_selected {
            return Ok(());
        }
        let Some(last) = Arc::make_mut(&mut self.history).last_mut() else {
            return Ok(());
        };
        last.parts
            .extend(parts.into_iter().map(MessagePart::Context));
        let message = last.clone();
        self.restore_session();
        // a durable conversation and a resumed turn have the message already
        let is_in_chat = self.in_chat == self.history.len();
        if is_changed && is_in_chat {
            self.record_last(None).await?;
        }
        let change =
            (is_changed && is_in_chat).then(|| HistoryChange::ReplaceLast(message.clone()));
        let selected = Selected {
            message,
            loaded,
            explanation,
        };
        outlet.emit_with(Event::Selected(selected), change).await;
        Ok(())
    }

    /// Returns the groups that the model has not loaded.
    fn hidden_groups(&self, selected: &[ContextPart]) -> Vec<ToolGroup> {
        let list = self.setup.toolbox.known_list();
        let loaded = self.loaded_groups(&list);
        let mut hidden = list.groups.to_vec();
        hidden.retain(|group| {
            let mut selected = selected.iter().flat_map(|part| &part.groups);
            !loaded.contains(&group.name) && selected.all(|name| *name != group.name)
        });
        hidden
    }

    /// Returns parts for the states that differ from what the model has read.
    async fn states(&self, selected: &[ContextPart]) -> Vec<ContextPart> {
        let agents = self.setup.toolbox.turn_contexts().await;
        let hidden = self.hidden_groups(selected);
        let is_hidden = |agent: &str, skill: &str| {
            let mut hidden = hidden.iter().filter(|group| group.source == agent);
            hidden.any(|group| group.name == skill || group.name == agent)
        };
        let known = LastParts::of(self.compacted.contexts(&self.history));
        let names_agents = agents.len() > 1;
        // four bytes are a token, and four texts of the maximum length fit
        let most = self.budget();
        let used: usize = selected.iter().map(|part| part.text.len()).sum();
        let mut left = most.saturating_mul(4).saturating_sub(used);
        let mut parts = Vec::new();
        for AgentContexts { agent, texts } in agents {
            let Some(contexts) = texts else {
                parts.extend(known.has_current(agent).then(|| unknown(agent)));
                continue;
            };
            for (skill, text) in texts_of(contexts, known.skills_of(agent)) {
                if is_hidden(agent, skill) {
                    continue;
                }
                let element = |text: &str| element(names_agents.then_some(agent), skill, text);
                let all = text.len();
                let mut part = ContextPart {
                    text: element(&cut(skill, text, most)),
                    agent: Some(agent.to_owned()),
                    skill: Some(skill.to_owned()),
                    ..ContextPart::new(ContextOrigin::State)
                };
                if known.has(&part) {
                    continue;
                }
                match left.checked_sub(part.text.len()) {
                    Some(rest) => left = rest,
                    None => part.text = element(&too_long(skill, 0, all)),
                }
                if !known.has(&part) {
                    parts.push(part);
                }
            }
        }
        parts
    }

    #[cfg(feature = "documents")]
    fn budget(&self) -> usize {
        self.setup.toolbox.selection_policy().budget
    }

    #[cfg(not(feature = "documents"))]
    #[allow(clippy::unused_self, clippy::unused_async)]
    async fn selected(&self, _: &Message) -> Result<Option<Found>, ChatError> {
        Ok(None)
    }

    #[cfg(not(feature = "documents"))]
    #[allow(clippy::unused_self)]
    fn budget(&self) -> usize {
        BUDGET
    }
}

/// The text for a skill that had a text and has none any more.
const NONE: &str = "(nothing)";

/// Returns the texts of an agent's skills. `known` are the skills that had a text.
fn texts_of(contexts: Vec<TurnContext>, known: Vec<&str>) -> Vec<(&str, String)> {
    let is_gone = |skill: &&str| contexts.iter().all(|context| context.skill != *skill);
    let gone: Vec<_> = known.into_iter().filter(is_gone).collect();
    let mut texts = Vec::new();
    for TurnContext { skill, text } in contexts {
        match text {
            Ok(text) => texts.push((skill, text)),
            Err(message) => tracing::error!(skill, message, "`turn_context` panicked"),
        }
    }
    texts.extend(gone.into_iter().map(|skill| (skill, NONE.to_owned())));
    texts
}

fn element(agent: Option<&str>, skill: &str, text: &str) -> String {
    let agent = agent
        .map(|agent| format!(" agent=\"{agent}\""))
        .unwrap_or_default();
    format!(
        "<state{agent} skill=\"{skill}\">\n{}\n</state>",
        escaped(text, "state")
    )
}

/// Cuts a text after a number of bytes.
fn cut(skill: &str, mut text: String, most: usize) -> String {
    if text.len() > most {
        let (end, all) = (text.floor_char_boundary(most), text.len());
        text.truncate(end);
        text.push_str(&too_long(skill, end, all));
    }
    text
}

fn too_long(skill: &str, shown: usize, all: usize) -> String {
    format!("\n[{shown} of {all} bytes; the state of `{skill}` is too long]")
}

/// Returns the part for an agent that gives no texts at the moment.
fn unknown(agent: &str) -> ContextPart {
    ContextPart {
        text: format!(
            "The states of `{agent}` are unknown at the moment. Earlier ones may be out of date."
        ),
        agent: Some(agent.to_owned()),
        ..ContextPart::new(ContextOrigin::State)
    }
}
