//! Assembles a completion from `genai` events.

use std::collections::HashMap;

use genai::ModelIden;
use genai::chat::{ChatStreamEvent, ContentPart, StreamEnd, ToolCall as Piece};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::end::{finish, usage};
use super::kept;
use super::wire::Wire;
use crate::format::completion::{checked, events};
use crate::format::{are_repeated, bounded};
use crate::http::exchange::MAX_BODY_BYTES;
use skill_agent_chat::{CallPart, ModelEvent, TextPart};
use skill_agent_models::{CompletionError, Finish, ToolCall};

/// The number of bytes to count for a call or a signature in addition to its text.
const PIECE_BYTES: usize = 16;

/// A completion that is still being assembled.
#[derive(Debug)]
pub(super) struct CompletionAssembly {
    wire: Wire,
    /// The name of the adapter's kept items.
    format: String,
    /// `true` if each piece of a call contains only new text, `false` if it contains all text so far.
    has_deltas: bool,
    text: String,
    reasoning: String,
    calls: Vec<Call>,
    bytes: usize,
}

/// A call that is still being assembled.
#[derive(Debug)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    signatures: Vec<String>,
}

/// The effect of an event.
#[derive(Debug)]
pub(super) enum Effect {
    Event(ModelEvent),
    /// The event has no content.
    Nothing,
    /// The events of the finished completion.
    Completion(Vec<ModelEvent>),
    /// The stream ended before the completion was complete.
    CutOff,
}

impl CompletionAssembly {
    /// Creates an assembly for the model that the client has resolved. `collects_calls` says whether `genai` joins the pieces of
    /// calls.
    pub(super) fn new(model: &ModelIden, collects_calls: bool) -> Self {
        let wire = Wire::of(model);
        Self {
            wire,
            format: kept::format(model.adapter_kind),
            has_deltas: wire == Wire::ChatCompletions && !collects_calls,
            text: String::new(),
            reasoning: String::new(),
            calls: Vec::new(),
            bytes: 0,
        }
    }

    pub(super) fn take(&mut self, event: ChatStreamEvent) -> Result<Effect, CompletionError> {
        Ok(match event {
            // `genai` sends this event before the request
            ChatStreamEvent::Start => Effect::Nothing,
            ChatStreamEvent::Chunk(chunk) => {
                self.grow(chunk.content.len())?;
                self.text.push_str(&chunk.content);
                Effect::Event(ModelEvent::Text(chunk.content))
            }
            ChatStreamEvent::ReasoningChunk(chunk) => {
                self.grow(chunk.content.len())?;
                self.reasoning.push_str(&chunk.content);
                Effect::Event(ModelEvent::Reasoning(chunk.content))
            }
            ChatStreamEvent::ToolCallChunk(chunk) => Effect::Event(self.piece(chunk.tool_call)?),
            // the signature is repeated at the end
            ChatStreamEvent::ThoughtSignatureChunk(chunk) => {
                self.grow(PIECE_BYTES + chunk.content.len())?;
                Effect::Event(ModelEvent::KeepAlive)
            }
            ChatStreamEvent::Heartbeat => Effect::Event(ModelEvent::KeepAlive),
            ChatStreamEvent::End(end) => self.end(end)?,
        })
    }

    /// Returns whether no part of the completion has arrived.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    fn grow(&mut self, bytes: usize) -> Result<(), CompletionError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes <= MAX_BODY_BYTES {
            return Ok(());
        }
        Err(CompletionError::Malformed {
            path: String::new(),
            expected: "at most 256 MiB",
            found: "more",
        })
    }

    /// Adds a piece of a call. If `genai` delivers a call in one piece, the arguments are a JSON value, and the id may repeat.
    fn piece(&mut self, piece: Piece) -> Result<ModelEvent, CompletionError> {
        let text = match &piece.fn_arguments {
            Value::String(text) => text.clone(),
            _ => {
                let call = Call::whole(piece);
                return self.begin(call);
            }
        };
        let Some(index) = self.known(&piece)? else {
            return self.begin(Call {
                arguments: text,
                ..Call::whole(piece)
            });
        };
        if self.is_next(&self.calls[index], &piece, &text) {
            return self.begin(Call {
                arguments: text,
                ..Call::whole(piece)
            });
        }
        let call = &mut self.calls[index];
        let added = if self.has_deltas && are_repeated(&call.arguments, &text) {
            String::new()
        } else if self.has_deltas || piece.fn_name.is_empty() {
            text
        } else {
            let added = text.strip_prefix(&call.arguments).unwrap_or_default();
            added.to_owned()
        };
        call.arguments.push_str(&added);
        self.grow(added.len())?;
        Ok(ModelEvent::CallDelta {
            index,
            name: None,
            arguments: added,
        })
    }

    /// Returns whether a piece with a known id starts a new call. Ids may repeat.
    fn is_next(&self, call: &Call, piece: &Piece, text: &str) -> bool {
        if piece.fn_name.is_empty() {
            return false;
        }
        if self.has_deltas {
            return is_whole(call) && !text.is_empty() && !are_repeated(&call.arguments, text);
        }
        // each piece contains all arguments so far
        !text.starts_with(&call.arguments)
    }

    fn begin(&mut self, call: Call) -> Result<ModelEvent, CompletionError> {
        self.grow(PIECE_BYTES + call.id.len() + call.name.len() + call.arguments.len())?;
        let event = ModelEvent::CallDelta {
            index: self.calls.len(),
            name: Some(call.name.clone()),
            arguments: call.arguments.clone(),
        };
        self.calls.push(call);
        bounded(self.calls.len(), "calls")?;
        Ok(event)
    }

    /// Returns the call that a piece belongs to. If a piece has no id, `genai` generates one from the call's number, and a
    /// different call may have the same id.
    fn known(&self, piece: &Piece) -> Result<Option<usize>, CompletionError> {
        let same_id = |call: &Call| !call.id.is_empty() && call.id == piece.call_id;
        let by_id = self.calls.iter().rposition(same_id);
        let last = self.calls.len().checked_sub(1);
        let Some(last) = last.filter(|_| self.has_deltas && piece.fn_name.is_empty()) else {
            return Ok(by_id);
        };
        let number = piece.call_id.strip_prefix("call_");
        let number: Option<usize> = number.and_then(|number| number.parse().ok());
        match (number.filter(|number| *number <= last), by_id) {
            // the id and the number may differ only for the last call, because pieces usually belong to it
            (Some(number), Some(by_id)) if number != by_id && number != last => {
                Err(CompletionError::Malformed {
                    path: "tool_calls".to_owned(),
                    expected: "pieces with the numbers of their calls",
                    found: "the id of another call",
                })
            }
            (Some(index), _) | (None, Some(index)) => Ok(Some(index)),
            (None, None) => Ok(Some(last)),
        }
    }

    fn end(&mut self, end: StreamEnd) -> Result<Effect, CompletionError> {
        let finish = match end.captured_stop_reason {
            Some(reason) => finish(reason),
            // some servers send no stop reason; if the answer is whole, the last event (`[DONE]`) still ends it
            None if self.wire == Wire::ChatCompletions && self.is_whole() => {
                Some(Finish::Other(String::new()))
            }
            None => None,
        };
        let Some(finish) = finish else {
            return Ok(Effect::CutOff);
        };
        let content = end.captured_content.unwrap_or_default().into_parts();
        let (calls, others): (Vec<_>, Vec<_>) = content
            .into_iter()
            .partition(|part| matches!(part, ContentPart::ToolCall(_)));
        self.add_missing(calls.into_iter().filter_map(ContentPart::into_tool_call));
        let (text, reasoning) = (&mut self.text, &mut self.reasoning);
        let mut parts = Vec::new();
        parts.extend(kept::reasoning(
            &self.format,
            std::mem::take(reasoning),
            others,
        ));
        if !text.is_empty() {
            parts.push(TextPart::new(std::mem::take(text)).into());
        }
        let has_call = !self.calls.is_empty();
        let calls = std::mem::take(&mut self.calls).into_iter();
        parts.extend(calls.map(|call| call.part(&self.format).into()));
        let usage = end.captured_usage.as_ref().and_then(usage);
        let events = events(parts, usage, finish.of_parts(has_call, false));
        Ok(Effect::Completion(checked(events)?))
    }

    /// Returns whether the completion contains an answer and no call is incomplete.
    fn is_whole(&self) -> bool {
        let has_answer = !self.text.is_empty() || !self.calls.is_empty();
        has_answer && self.calls.iter().all(is_whole)
    }

    /// Adds calls that arrived without pieces. In Responses, complete calls replace their pieces, because the pieces may be
    /// incomplete.
    fn add_missing(&mut self, collected: impl Iterator<Item = Piece>) {
        let collected: Vec<Piece> = collected.collect();
        if self.wire == Wire::Responses && !collected.is_empty() {
            self.calls.clear();
        }
        let mut known: HashMap<String, usize> = HashMap::new();
        for call in &self.calls {
            *known.entry(call.id.clone()).or_default() += 1;
        }
        for piece in collected {
            match known.get_mut(&piece.call_id) {
                Some(count) if *count > 0 => *count -= 1,
                _ => self.calls.push(Call::whole(piece)),
            }
        }
    }
}

/// Returns whether the arguments of a call are complete.
fn is_whole(call: &Call) -> bool {
    serde_json::from_str::<IgnoredAny>(&call.arguments).is_ok()
}

impl Call {
    fn whole(piece: Piece) -> Self {
        Self {
            id: piece.call_id,
            name: piece.fn_name,
            arguments: match piece.fn_arguments {
                Value::String(text) => text,
                Value::Null => String::new(),
                value => value.to_string(),
            },
            signatures: piece.thought_signatures.unwrap_or_default(),
        }
    }

    fn part(self, format: &str) -> CallPart {
        let arguments = match self.arguments.trim() {
            "" => "{}".to_owned(),
            _ => self.arguments,
        };
        let mut call = ToolCall::new(self.name, arguments);
        // `genai` generates ids like `call#add#0` for Gemini, and generates the same ones for the next completion
        let is_made = self.id.starts_with("call#");
        call.id = Some(self.id).filter(|id| !id.is_empty() && !is_made);
        CallPart::new(call).with_item(kept::signatures(format, self.signatures))
    }
}

#[cfg(test)]
mod tests {
    use genai::adapter::AdapterKind;
    use genai::chat::StreamChunk;

    use super::*;

    #[test]
    fn all_that_is_kept_counts_as_memory() {
        let chunk = || StreamChunk {
            content: "a".repeat(MAX_BODY_BYTES / 2 + 1),
        };
        for event in [
            ChatStreamEvent::Chunk,
            ChatStreamEvent::ReasoningChunk,
            ChatStreamEvent::ThoughtSignatureChunk,
        ] {
            let model = ModelIden::new(AdapterKind::Gemini, "m");
            let mut assembly = CompletionAssembly::new(&model, true);
            assembly.take(event(chunk())).unwrap();
            let error = assembly.take(event(chunk())).unwrap_err();
            assert!(error.to_string().contains("at most 256 MiB"), "{error}");
        }
    }
}
