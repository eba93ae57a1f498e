//! Completions that have arrived completely.

use super::ModelEvent;
use super::Usage;
use crate::CallPart;
use crate::MessagePart;
use crate::message::calls;
use skill_agent_models::Finish;

/// A completion as message parts. [`models`](skill_agent_models) has a completion with the provider's parts instead.
#[derive(Debug)]
pub struct WholeCompletion {
    /// Parts of the completion, in the provider's order.
    pub parts: Vec<MessagePart>,
    /// Why the completion ended.
    pub finish: Finish,
    /// The token counts, or `None` if the provider does not count tokens.
    pub usage: Option<Usage>,
}

impl WholeCompletion {
    /// Iterates over the calls among the parts.
    pub fn calls(&self) -> impl Iterator<Item = &CallPart> {
        calls(&self.parts)
    }

    /// Converts the completion to events. With `with_pieces`, also adds its pieces, which is needed if they were not sent before.
    pub fn into_events(self, with_pieces: bool) -> Vec<ModelEvent> {
        let (mut events, mut calls) = (Vec::new(), 0);
        for part in self.parts {
            if with_pieces {
                events.extend(piece(&part, &mut calls));
            }
            events.push(ModelEvent::Part(part));
        }
        events.extend(self.usage.map(ModelEvent::Usage));
        events.push(ModelEvent::Finish(self.finish));
        events
    }
}

/// Returns the piece to show to a person for a part.
fn piece(part: &MessagePart, calls: &mut usize) -> Option<ModelEvent> {
    match part {
        MessagePart::Text(text) => Some(ModelEvent::Text(text.text.clone())),
        MessagePart::Reasoning(text) if text.text.is_empty() => None,
        MessagePart::Reasoning(text) => Some(ModelEvent::Reasoning(text.text.clone())),
        MessagePart::Call(call) => {
            *calls += 1;
            Some(ModelEvent::CallDelta {
                index: *calls - 1,
                name: Some(call.call.name.clone()),
                arguments: call.call.arguments.clone(),
            })
        }
        _ => None,
    }
}
