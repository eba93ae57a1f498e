//! Replaces matches in the pieces of a completion. The complete parts stay unchanged.

use super::Redact;
use super::window::Window;
use crate::completion::draft::Draft;
use crate::texts::Stage;
use crate::{MessagePart, ModelEvent, TextPart};
use std::collections::{BTreeMap, VecDeque};
use std::mem::take;

/// Shows the pieces of a completion with all matches replaced, and its original parts at the end.
pub(super) struct Shown {
    redact: Redact,
    text: Window,
    reasoning: Window,
    calls: BTreeMap<usize, Window>,
    /// The original completion.
    draft: Draft,
}

impl Shown {
    pub(super) fn new(redact: Redact) -> Self {
        Self {
            redact,
            text: Window::default(),
            reasoning: Window::default(),
            calls: BTreeMap::new(),
            draft: Draft::default(),
        }
    }

    /// Shows the held-back text of the chosen kinds: text, reasoning and calls.
    fn end(&mut self, kinds: [bool; 3], out: &mut VecDeque<ModelEvent>) {
        let [text, reasoning, calls] = kinds;
        if text {
            push(out, ModelEvent::Text, self.text.end(&self.redact));
        }
        if reasoning {
            push(out, ModelEvent::Reasoning, self.reasoning.end(&self.redact));
        }
        if calls {
            for (index, mut window) in take(&mut self.calls) {
                push(
                    out,
                    |arguments| of_call(index, None, arguments),
                    window.end(&self.redact),
                );
            }
        }
    }
}

fn of_call(index: usize, name: Option<String>, arguments: String) -> ModelEvent {
    ModelEvent::CallDelta {
        index,
        name,
        arguments,
    }
}

fn push(out: &mut VecDeque<ModelEvent>, event: impl FnOnce(String) -> ModelEvent, piece: String) {
    if !piece.is_empty() {
        out.push_back(event(piece));
    }
}

impl Stage for Shown {
    fn take(&mut self, event: ModelEvent, out: &mut VecDeque<ModelEvent>) {
        // the reader of the stream returns the error for a completion that is too large
        let _ = self.draft.add(event.clone());
        match event {
            ModelEvent::Text(piece) => {
                push(out, ModelEvent::Text, self.text.push(&self.redact, &piece));
            }
            ModelEvent::Reasoning(piece) => {
                let piece = self.reasoning.push(&self.redact, &piece);
                push(out, ModelEvent::Reasoning, piece);
            }
            ModelEvent::CallDelta {
                index,
                name,
                arguments,
            } => {
                let window = self.calls.entry(index).or_default();
                let arguments = window.push(&self.redact, &arguments);
                if name.is_some() || !arguments.is_empty() {
                    out.push_back(of_call(index, name, arguments));
                }
            }
            ModelEvent::Part(part) => {
                let kinds = [
                    matches!(part, MessagePart::Text(_)),
                    matches!(part, MessagePart::Reasoning(_)),
                    matches!(part, MessagePart::Call(_)),
                ];
                self.end(kinds, out);
            }
            ModelEvent::Retry(_) | ModelEvent::Switched { .. } => {
                *self = Self::new(self.redact.clone());
                out.push_back(event);
            }
            ModelEvent::Finish(_) => {
                self.end([true; 3], out);
                // an empty part replaces the shown pieces, even if the message has no text
                out.push_back(ModelEvent::Part(TextPart::default().into()));
                let parts = take(&mut self.draft).finish().parts;
                out.extend(parts.into_iter().map(ModelEvent::Part));
                out.push_back(event);
            }
            ModelEvent::Usage(_) | ModelEvent::KeepAlive => out.push_back(event),
        }
    }
}
