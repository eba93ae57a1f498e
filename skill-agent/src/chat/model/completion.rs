//! A completion as a whole.

#[cfg(feature = "http")]
use super::ModelEvent;
use super::Usage;
#[cfg(feature = "http")]
use crate::chat::CallPart;
use crate::chat::MessagePart;
#[cfg(feature = "http")]
use crate::chat::message::calls;
use crate::models::Finish;

/// A completion in the parts of a message. The one of [`models`](crate::models) has those of its provider.
#[derive(Debug)]
pub(in crate::chat) struct WholeCompletion {
    pub(in crate::chat) parts: Vec<MessagePart>,
    pub(in crate::chat) finish: Finish,
    /// `None` if the provider does not count.
    pub(in crate::chat) usage: Option<Usage>,
}

impl WholeCompletion {
    #[cfg(feature = "http")]
    pub(in crate::chat) fn calls(&self) -> impl Iterator<Item = &CallPart> {
        calls(&self.parts)
    }

    /// The events of a completion, with its pieces if they were not sent.
    #[cfg(feature = "http")]
    pub(in crate::chat) fn into_events(self, with_pieces: bool) -> Vec<ModelEvent> {
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

/// The text of a part that a person sees.
#[cfg(feature = "http")]
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
