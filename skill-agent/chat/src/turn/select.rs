//! Selects documents for the user's message.

use super::TurnTask;
use super::outlet::{HistoryChange, Outlet};
use crate::history::context;
use crate::{ChatError, ContextOrigin, ContextPart, Event, Message, MessagePart, Selected};
use skill_agent_documents::Catalog;
use skill_agent_documents::selection::{
    Activations, Disclosure, SelectedItem, SelectionPolicy, SelectionReason,
};
use std::sync::Arc;

/// What a selection adds to a message.
struct Found {
    parts: Vec<ContextPart>,
    /// The explanation for a person.
    explanation: String,
}

impl TurnTask {
    /// Adds to the user's message what it selects, unless the policy leaves the choice to the model. A turn that is resumed before its
    /// first step selects again, in case the process ended before the selection was recorded.
    pub(super) async fn select(&mut self, outlet: &Outlet) -> Result<(), ChatError> {
        let (toolbox, history) = (&self.setup.toolbox, &self.history);
        let policy = toolbox.selection_policy();
        let last = history.last().filter(|last| last.is_of_user());
        let (Some(catalog), Some(last)) = (toolbox.catalog(), last) else {
            return Ok(());
        };
        if policy.disclosure == Disclosure::LazyTool {
            return Ok(());
        }
        // the last message also has the request for a typed answer
        let text = self.said.as_ref().unwrap_or(last).text();
        let activations = context::activations(history);
        let select = move || found(&catalog, &text, &activations, policy);
        let found = tokio::task::spawn_blocking(select).await;
        let Found {
            mut parts,
            explanation,
        } = found.map_err(|error| {
            tracing::error!(%error, "no documents were selected");
            ChatError::Ended
        })?;
        // a list or a number that the model still reads is not repeated
        let visible = &history[self.compacted.replaced()..];
        parts.retain(|part| !part.loaded.is_empty() || !is_shown(visible, part));
        let loaded = parts.iter().flat_map(|part| part.loaded.clone()).collect();
        let is_changed = !parts.is_empty();
        let Some(last) = Arc::make_mut(&mut self.history).last_mut() else {
            return Ok(());
        };
        last.parts
            .extend(parts.into_iter().map(MessagePart::Context));
        let message = last.clone();
        self.restore_activations();
        let event = Event::Selected(Selected {
            message: message.clone(),
            loaded,
            explanation,
        });
        // a durable conversation has the message already
        let is_recorded = is_changed && self.setup.keeper.is_some();
        if is_recorded {
            self.record_last(None).await?;
        }
        let change = is_recorded.then_some(HistoryChange::ReplaceLast(message));
        outlet.emit_unlayered(event, change).await;
        Ok(())
    }
}

/// Returns whether an earlier message has the text of a part.
fn is_shown(messages: &[Message], part: &ContextPart) -> bool {
    let mut shown = messages.iter().flat_map(Message::contexts);
    shown.any(|earlier| earlier.text == part.text)
}

/// Selects for a text. The texts of active documents are in earlier messages.
fn found(
    catalog: &Catalog,
    text: &str,
    activations: &Activations,
    policy: SelectionPolicy,
) -> Found {
    let policy = catalog.configured(policy);
    let selection = catalog.select(text, activations, &policy);
    let is_new = |item: &SelectedItem<'_>| !activations.is_active(&item.candidate.id);
    let found = catalog.selection_parts(&selection, is_new);
    for (id, error) in &found.shown.unreadable {
        tracing::warn!(id, %error, "a selected document is left out");
    }
    let part = |loaded, turns, text| ContextPart {
        text,
        loaded,
        turns,
        ..ContextPart::new(ContextOrigin::Selection)
    };
    let turns = context::turns_of(&policy);
    let full = found.full.into_iter().map(|(item, text)| {
        // a pinned document is selected for each message
        let is_pinned = item.reason == SelectionReason::Pinned;
        let turns = if is_pinned { None } else { turns };
        part(vec![item.candidate.id.to_string()], turns, text)
    });
    let tail = (!found.tail.is_empty()).then(|| part(Vec::new(), None, found.tail));
    Found {
        parts: full.chain(tail).collect(),
        explanation: selection.to_string(),
    }
}
