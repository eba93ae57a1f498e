//! Assembles a Chat Completions message from the pieces of its stream.

use serde_json::{Map, Value, from_str, json};

use super::calls::Calls;
use crate::failure::is_failure;
use crate::format::{Assembly, Taken, bounded, reason_to_stop};
use skill_agent_chat::ModelEvent;
use skill_agent_models::__private::Place;
use skill_agent_models::__private::Raw;
use skill_agent_models::CompletionError;

/// The fields of a message that arrive as pieces of text.
const TEXTS: [&str; 4] = ["content", "reasoning_content", "reasoning", "refusal"];
/// The keys of OpenRouter's reasoning details that arrive as pieces of text.
const DETAIL_TEXTS: [&str; 3] = ["text", "summary", "data"];

/// The maximum estimated memory for a completion's values, in bytes. A list takes many times more memory than its JSON text.
const MAX_MEMORY: usize = 128 << 20;

/// A completion that is still being assembled.
#[derive(Debug, Default)]
pub(super) struct CompletionAssembly {
    message: Map<String, Value>,
    calls: Calls,
    finish_reason: Option<String>,
    usage: Option<String>,
    /// The estimated memory for the completion, in bytes.
    memory: usize,
}

impl Assembly for CompletionAssembly {
    fn take(
        &mut self,
        event: Raw<'_>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<Taken, CompletionError> {
        if is_failure(event) {
            return Ok(Taken::Failure);
        }
        let event = Place::root(event);
        if let Some(usage) = event.get("usage") {
            self.usage = Some(usage.value.text().to_owned());
        }
        let Some(choices) = event.get("choices") else {
            return Ok(Taken::More);
        };
        // a completion may have several choices; only the first one is read
        for choice in choices.items()? {
            let is_first = choice
                .get("index")
                .is_none_or(|index| index.value.text() == "0");
            if !is_first {
                continue;
            }
            // some servers send a whole message in one event; after pieces, it would only repeat them
            let message = || choice.get("message").filter(|_| self.is_empty());
            if let Some(delta) = choice.get("delta").or_else(message) {
                let delta = delta.object()?;
                let fields = from_str(delta.value.text()).map_err(CompletionError::Json)?;
                self.add(&delta, fields, pieces)?;
            }
            if let Some(reason) = reason_to_stop(&choice, "finish_reason")? {
                self.finish_reason = Some(reason);
            }
        }
        Ok(Taken::More)
    }

    fn finish(mut self, has_last: bool) -> Option<String> {
        if self.finish_reason.is_none() && !(has_last && self.is_whole()) {
            return None;
        }
        let reason = self.finish_reason.unwrap_or_default();
        if !self.calls.is_empty() {
            let calls = self.calls.finish();
            self.message.insert("tool_calls".to_owned(), calls.into());
        }
        let choice = json!({ "finish_reason": reason, "message": self.message });
        let usage = self.usage.unwrap_or_else(|| "null".to_owned());
        Some(format!(r#"{{"choices":[{choice}],"usage":{usage}}}"#))
    }
}

impl CompletionAssembly {
    fn is_empty(&self) -> bool {
        self.message.is_empty() && self.calls.is_empty()
    }

    /// Returns whether the message contains an answer and no call is incomplete.
    fn is_whole(&self) -> bool {
        let is_said = |key| match self.message.get(key) {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(items)) => !items.is_empty(),
            _ => false,
        };
        let has_answer = is_said("content") || is_said("refusal") || !self.calls.is_empty();
        has_answer && self.calls.are_whole()
    }

    fn add(
        &mut self,
        delta: &Place<'_>,
        fields: Map<String, Value>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<(), CompletionError> {
        // servers that send both fields send the same text in each, or leave one of them empty
        let mut reasoning = ["reasoning_content", "reasoning"]
            .iter()
            .filter_map(|key| fields.get(*key));
        let reasoning = reasoning.find(|text| !text.is_null() && *text != "");
        show(ModelEvent::Reasoning, reasoning, pieces);
        for key in ["content", "refusal"] {
            show(ModelEvent::Text, fields.get(key), pieces);
        }
        for (key, value) in fields {
            self.memory = self.memory.saturating_add(memory(&value));
            if self.memory > MAX_MEMORY {
                return Err(delta.malformed("values of at most 128 MiB in memory"));
            }
            match (key.as_str(), value) {
                (_, Value::Null) => {}
                ("tool_calls", _) => {
                    for call in delta.need("tool_calls", "a list")?.items()? {
                        self.calls.add(&call.object()?, pieces)?;
                    }
                }
                ("reasoning_details", Value::Array(details)) => self.details(details),
                (_, value) if TEXTS.contains(&key.as_str()) => {
                    append(&mut self.message, key, value)
                }
                // a list arrives in pieces, unless the server repeats the whole list in each event
                (_, value @ Value::Array(_)) if self.message.get(&key) != Some(&value) => {
                    append(&mut self.message, key, value)
                }
                (_, value) => _ = self.message.insert(key, value),
            }
        }
        let lists = self.message.values().filter_map(Value::as_array);
        let longest = lists.map(Vec::len).max().unwrap_or(0);
        bounded(longest.max(self.message.len()), "choices[0].message")
    }

    /// Adds OpenRouter's reasoning details, and joins the pieces of a detail. The details must be sent back in order.
    fn details(&mut self, details: Vec<Value>) {
        let known = self
            .message
            .entry("reasoning_details")
            .or_insert_with(|| json!([]));
        let Value::Array(known) = known else { return };
        for detail in details {
            let same = |other: &&mut Value| {
                ["index", "type"]
                    .iter()
                    .all(|key| other.get(key) == detail.get(key))
            };
            let last = known.last_mut().filter(same);
            let (Some(Value::Object(last)), Value::Object(added)) = (last, &detail) else {
                known.push(detail);
                continue;
            };
            for (key, value) in added.iter().filter(|(_, value)| !value.is_null()) {
                if DETAIL_TEXTS.contains(&key.as_str()) {
                    append(last, key.clone(), value.clone());
                } else {
                    last.insert(key.clone(), value.clone());
                }
            }
        }
    }
}

/// Appends text or items to the value of a key. If one is a string and the other a list, the result is a list. In all other cases,
/// the new value replaces the old one.
fn append(object: &mut Map<String, Value>, key: String, value: Value) {
    match (object.get_mut(&key), value) {
        (Some(Value::String(known)), Value::String(text)) => known.push_str(&text),
        (Some(Value::Array(known)), Value::Array(items)) => extend(known, items),
        (Some(Value::Array(known)), Value::String(text)) => {
            if !text.is_empty() {
                extend(known, vec![json!({ "type": "text", "text": text })]);
            }
        }
        (Some(Value::String(known)), Value::Array(mut items)) => {
            if !known.is_empty() {
                items.insert(0, json!({ "type": "text", "text": known }));
            }
            object.insert(key, items.into());
        }
        (_, value) => _ = object.insert(key, value),
    }
}

/// Appends items. The first one may continue the text or reasoning of the last item, because Mistral sends one word per event.
/// Reasoning with a signature is complete, so nothing continues it.
fn extend(known: &mut Vec<Value>, items: Vec<Value>) {
    let mut items = items.into_iter();
    let first = items.next();
    match (known.last_mut(), first) {
        (Some(Value::Object(last)), Some(Value::Object(first)))
            if last.get("type") == first.get("type") && is_text(&first) && !is_signed(last) =>
        {
            for (key, value) in first.into_iter().filter(|(_, value)| !value.is_null()) {
                if is_text_key(&key) {
                    append(last, key, value);
                } else {
                    last.insert(key, value);
                }
            }
        }
        (_, first) => known.extend(first),
    }
    known.extend(items);
}

fn is_signed(item: &Map<String, Value>) -> bool {
    let signature = item.get("signature").and_then(Value::as_str);
    signature.is_some_and(|signature| !signature.is_empty())
}

fn is_text(item: &Map<String, Value>) -> bool {
    let kind = item.get("type").and_then(Value::as_str);
    kind.is_some_and(|kind| is_text_key(kind) && item.contains_key(kind))
}

/// Returns whether items store their text, or a list of text items, under this key. The key is also the type of such items.
fn is_text_key(key: &str) -> bool {
    matches!(key, "text" | "thinking")
}

/// Estimates how much memory a value takes up, in bytes.
fn memory(value: &Value) -> usize {
    let within = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(memory).sum(),
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| key.len() + 64 + memory(value);
            fields.iter().map(field).sum()
        }
        _ => 0,
    };
    size_of::<Value>() + within
}

/// Adds the pieces to show for a string, or for the text and reasoning in a list of items.
fn show(event: fn(String) -> ModelEvent, value: Option<&Value>, pieces: &mut Vec<ModelEvent>) {
    match value {
        Some(Value::String(text)) if !text.is_empty() => pieces.push(event(text.clone())),
        Some(Value::Array(items)) => {
            for item in items {
                show(event, item.get("text"), pieces);
                show(ModelEvent::Reasoning, item.get("thinking"), pieces);
            }
        }
        _ => {}
    }
}
