//! A completion that is still arriving.

use crate::limits::MAX_COMPLETION_BYTES;
use crate::{Event, Message, MessagePart, ModelError, ModelEvent, Retry, Role, TextPart};
use skill_agent_models::Finish;

/// The parts of a completion that have arrived so far. Parts and runs of consecutive pieces are numbered in order of arrival.
#[derive(Default)]
pub(crate) struct Draft {
    parts: Vec<(usize, MessagePart)>,
    /// Runs of text pieces, each with its place number. A complete part of text removes them.
    text: Vec<(usize, String)>,
    reasoning: Vec<(usize, String)>,
    /// The place number that was assigned last.
    place: usize,
    bytes: usize,
}

/// The effect of an event on a draft.
pub(crate) enum Added {
    Shown(Event),
    Kept,
    /// All earlier events are void, because the request is sent again.
    Retry(Retry),
    /// All earlier events are void, because a different model is asked.
    Switched {
        to: usize,
        error: ModelError,
    },
    Finished(Finish),
}

/// The number of bytes to count for an event in addition to its text, so that an endless stream of empty events reaches the limit
/// too.
const EVENT_BYTES: usize = 16;

impl Draft {
    pub(crate) fn add(&mut self, event: ModelEvent) -> Result<Added, ModelError> {
        if event == ModelEvent::KeepAlive {
            return Ok(Added::Kept);
        }
        self.bytes = self.bytes.saturating_add(EVENT_BYTES + size_of(&event));
        if self.bytes > MAX_COMPLETION_BYTES {
            let message = format!("it is larger than {MAX_COMPLETION_BYTES} bytes");
            return Err(ModelError::protocol(None, message));
        }
        Ok(match event {
            ModelEvent::Text(piece) => {
                add_piece(&mut self.text, &mut self.place, &piece);
                Added::Shown(Event::Text(piece))
            }
            ModelEvent::Reasoning(piece) => {
                add_piece(&mut self.reasoning, &mut self.place, &piece);
                Added::Shown(Event::Reasoning(piece))
            }
            ModelEvent::CallDelta {
                index,
                name,
                arguments,
            } => Added::Shown(Event::CallDelta {
                index,
                name,
                arguments,
            }),
            ModelEvent::Part(part) => {
                self.part(part);
                Added::Kept
            }
            ModelEvent::Usage(_) | ModelEvent::KeepAlive => Added::Kept,
            ModelEvent::Retry(retry) => {
                *self = Self::default();
                Added::Retry(retry)
            }
            ModelEvent::Switched { model, error } => {
                *self = Self::default();
                Added::Switched { to: model, error }
            }
            ModelEvent::Finish(finish) => Added::Finished(finish),
        })
    }

    /// Adds a complete part, which replaces the pieces of its kind.
    fn part(&mut self, part: MessagePart) {
        match &part {
            MessagePart::Text(_) => self.text.clear(),
            MessagePart::Reasoning(_) => self.reasoning.clear(),
            _ => {}
        }
        self.place += 1;
        self.parts.push((self.place, part));
    }

    /// Returns the message. Runs of pieces that no complete part replaced become parts in their own places.
    pub(crate) fn finish(self) -> Message {
        let reasoning = |text| MessagePart::Reasoning(TextPart::new(text));
        let text = |text| MessagePart::Text(TextPart::new(text));
        let mut parts = self.parts;
        parts.extend(
            self.reasoning
                .into_iter()
                .map(|(at, run)| (at, reasoning(run))),
        );
        parts.extend(self.text.into_iter().map(|(at, run)| (at, text(run))));
        parts.sort_by_key(|(place, _)| *place);
        // an empty part only served to replace its pieces
        let says_nothing = |part: &MessagePart| matches!(part, MessagePart::Text(text) if text.text.is_empty() && text.item.is_none());
        parts.retain(|(_, part)| !says_nothing(part));
        let parts = parts.into_iter().map(|(_, part)| part);
        Message::new(Role::Assistant, parts.collect())
    }
}

/// Appends a piece to the last run, or begins a new run if something else arrived in between.
fn add_piece(runs: &mut Vec<(usize, String)>, place: &mut usize, piece: &str) {
    if piece.is_empty() {
        return;
    }
    match runs.last_mut() {
        Some((last, run)) if last == place => run.push_str(piece),
        _ => {
            *place += 1;
            runs.push((*place, piece.to_owned()));
        }
    }
}

fn size_of(event: &ModelEvent) -> usize {
    match event {
        ModelEvent::Text(text) | ModelEvent::Reasoning(text) => text.len(),
        ModelEvent::CallDelta {
            name, arguments, ..
        } => name.as_ref().map_or(0, String::len) + arguments.len(),
        ModelEvent::Part(part) => part.bytes(),
        ModelEvent::Usage(_)
        | ModelEvent::KeepAlive
        | ModelEvent::Retry(_)
        | ModelEvent::Switched { .. }
        | ModelEvent::Finish(_) => 0,
    }
}
