//! Selects documents for the user's message.

use super::TurnTask;
use super::add_context::Found;
use crate::history::context;
use crate::history::groups;
use crate::history::last_parts::LastParts;
use crate::{ChatError, ContextOrigin, ContextPart, Message};
use skill_agent_documents::selection::{
    Activations, CandidateKind, Disclosure, SelectedItem, SelectionPolicy, SelectionReason, Tier,
};
use skill_agent_toolbox::__private::DocumentRights;
use std::fmt::Write as _;

impl TurnTask {
    /// Selects for the user's message, unless the policy leaves the choice to the model.
    pub(super) async fn selected(&self, message: &Message) -> Result<Option<Found>, ChatError> {
        let (setup, history) = (&self.setup, &self.history);
        let policy = setup.toolbox.selection_policy();
        if policy.disclosure == Disclosure::LazyTool {
            return Ok(None);
        }
        let session = setup.toolbox.session(setup.caller.clone());
        let rights = session.into_document_rights().await;
        let Some(rights) = rights.filter(|rights| !rights.are_withheld()) else {
            return Ok(None);
        };
        // the last message also has the request for a typed answer
        let text = self.said.as_ref().unwrap_or(message).text();
        let activations = context::activations(history);
        let select = move || found(&rights, &text, &activations, policy);
        let found = tokio::task::spawn_blocking(select).await;
        let mut found = found.map_err(|error| {
            tracing::error!(%error, "no documents were selected");
            ChatError::Ended
        })?;
        let list = setup.toolbox.known_list();
        for part in &mut found.parts {
            part.groups = groups::among(&list, &part.loaded);
        }
        let known = LastParts::of(self.compacted.contexts(history));
        found.parts.retain(|part| !known.has(part));
        for part in &mut found.parts {
            if self.has_read(part) {
                part.text.clear();
            }
        }
        Ok(Some(found))
    }

    /// Returns whether requests contain the text of a part, as the last text of its document or in the system text.
    fn has_read(&self, part: &ContextPart) -> bool {
        part.loaded.iter().any(|id| {
            let mut system = self.setup.system.iter();
            let last = self.compacted.last_text(&self.history, id);
            system.any(|part| part.origin == *id) || last.as_ref() == Some(&part.text)
        })
    }
}

/// Selects for a text. The texts of active documents are in earlier messages.
fn found(
    rights: &DocumentRights,
    text: &str,
    activations: &Activations,
    policy: SelectionPolicy,
) -> Found {
    let catalog = rights.catalog();
    let policy = catalog.configured(policy);
    let selection = catalog.select(text, activations, &policy);
    let mut explanation = selection.to_string();
    let mut left_out = |id: &str, reason: &str| {
        let _ = write!(explanation, "\n- {id}: left out, because {reason}");
    };
    let (mut wanted, mut prolonged) = (Vec::new(), Vec::new());
    let mut active = activations.clone();
    for item in &selection.items {
        let id = &*item.candidate.id;
        if item.tier != Tier::Full {
            continue;
        }
        if activations.is_active(id) {
            let is_match = item.reason != SelectionReason::Pinned && !item.matches.is_empty();
            prolonged.extend(is_match.then(|| id.to_owned()));
            continue;
        }
        let is_document = item.candidate.kind == CandidateKind::Document;
        if is_document && !rights.allow_document(id) {
            left_out(id, "the guard does not let the model load it");
        } else if let Err(error) = catalog.note_activation(id, &mut active, &policy) {
            left_out(id, &error.to_string());
        } else {
            wanted.push(id);
        }
    }
    let is_wanted = |item: &SelectedItem<'_>| wanted.contains(&&*item.candidate.id);
    let parts = catalog.selection_parts(&selection, is_wanted);
    for (id, error) in &parts.unreadable {
        left_out(id, &error.to_string());
    }
    for id in &parts.over_budget {
        left_out(id, "its text is longer than the budget");
    }
    let part = |loaded, turns, text| ContextPart {
        text,
        loaded,
        turns,
        ..ContextPart::new(ContextOrigin::Selection)
    };
    let turns = context::turns_of(&policy);
    let full = parts.full.into_iter().map(|(item, text)| {
        // a pinned document is selected for each message
        let is_pinned = item.reason == SelectionReason::Pinned;
        let turns = if is_pinned { None } else { turns };
        part(vec![item.candidate.id.to_string()], turns, text)
    });
    // without an end, there is nothing to prolong
    let prolonged = prolonged.into_iter().filter(|_| turns.is_some());
    let prolonged = prolonged.map(|id| part(vec![id], turns, String::new()));
    let tail = (!parts.tail.is_empty()).then(|| part(Vec::new(), None, parts.tail));
    Found {
        parts: full.chain(prolonged).chain(tail).collect(),
        explanation,
    }
}
