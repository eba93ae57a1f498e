//! The active documents of a conversation, from the parts of its messages.

use super::turns;
use crate::{ContextOrigin, ContextPart, Message, MessagePart, ResultPart};
use skill_agent_documents::__private::SKILL_TOOL;
use skill_agent_documents::selection::{ActivationPeriod, Activations, SelectionPolicy};

/// Returns the documents that are active at the end of a history.
pub(crate) fn activations(history: &[Message]) -> Activations {
    let mut activations = Activations::default();
    let mut turns = turns(history).into_iter().peekable();
    for (index, message) in history.iter().enumerate() {
        if turns.next_if_eq(&index).is_some() {
            activations.start_turn();
        }
        for part in message.contexts() {
            apply(part, &mut activations);
        }
    }
    activations
}

/// Applies a part to the documents that are active before it.
pub(crate) fn apply(part: &ContextPart, activations: &mut Activations) {
    for id in &part.ended {
        activations.deactivate(id);
    }
    let period = part
        .turns
        .map_or(ActivationPeriod::Conversation, ActivationPeriod::Turns);
    let policy = SelectionPolicy::LAZY_TOOL.period(period);
    for id in &part.loaded {
        // this policy allows several active documents
        let _ = activations.activate(id, &policy);
    }
}

/// Returns the number of turns of a period, or `None` for the whole conversation.
pub(crate) fn turns_of(policy: &SelectionPolicy) -> Option<u32> {
    match policy.period {
        ActivationPeriod::Conversation => None,
        ActivationPeriod::Turns(turns) => Some(turns.max(1)),
    }
}

/// Returns the part for the documents that calls have loaded since the end of the history.
pub(crate) fn of_calls(
    history: &[Message],
    now: &Activations,
    policy: &SelectionPolicy,
) -> Option<ContextPart> {
    let before = activations(history);
    let in_this_turn =
        |list: &Activations, id: &str| list.is_active(id) && list.turns_since_use(id) == Some(0);
    let loaded = now
        .active()
        .filter(|id| in_this_turn(now, id) && !in_this_turn(&before, id));
    let loaded: Vec<_> = loaded.map(str::to_owned).collect();
    (!loaded.is_empty()).then(|| ContextPart {
        loaded,
        turns: turns_of(policy),
        ..ContextPart::new(ContextOrigin::Model)
    })
}

/// Returns parts for activations that an earlier version kept beside the history.
pub(crate) fn of_stored(history: &[Message], stored: &Activations) -> Vec<ContextPart> {
    let known = activations(history);
    let lost = stored.active().filter(|id| !known.is_active(id));
    let part = |id: &str| ContextPart {
        loaded: vec![id.to_owned()],
        turns: stored.turns_left(id),
        ..ContextPart::new(ContextOrigin::Stored)
    };
    lost.map(part).collect()
}

/// Returns parts with the texts of the documents that were loaded in the replaced messages and are still active, for the message
/// behind them.
pub(crate) fn carried(replaced: &[Message], active: &Activations) -> Vec<MessagePart> {
    let mut carried: Vec<ContextPart> = Vec::new();
    for message in replaced {
        for part in message.contexts() {
            let mut part = part.clone();
            part.loaded.retain(|id| active.is_active(id));
            if part.loaded.is_empty() {
                continue;
            }
            if part.text.is_empty() {
                part.text = results_of_loads(message);
            }
            // the last text of a document holds
            carried.retain(|earlier| earlier.loaded.iter().any(|id| !part.loaded.contains(id)));
            carried.push(part);
        }
    }
    carried.retain(|part| !part.text.is_empty());
    carried.into_iter().map(MessagePart::Context).collect()
}

/// Returns the texts of the documents that a message of tools has.
fn results_of_loads(message: &Message) -> String {
    let is_load = |part: &&ResultPart| part.name == SKILL_TOOL && !part.is_error();
    let texts = message.results().filter(is_load).map(ResultPart::text);
    texts.collect::<Vec<_>>().join("\n\n")
}
