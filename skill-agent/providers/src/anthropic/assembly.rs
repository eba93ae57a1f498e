//! Assembles an Anthropic message from the events of its stream.

use std::collections::HashMap;

use serde_json::Value;

use crate::format::{Assembly, Taken, bounded, object, reason_to_stop};
use skill_agent_chat::ModelEvent;
use skill_agent_models::__private::Raw;
use skill_agent_models::__private::{Place, are_whole};
use skill_agent_models::CompletionError;

/// A message that is still being assembled.
#[derive(Debug, Default)]
pub(super) struct MessageAssembly {
    blocks: Vec<Block>,
    /// Maps each index that the server sent to the position in `blocks` of its latest block.
    by_index: HashMap<String, usize>,
    calls: usize,
    stop_reason: Option<String>,
    /// The token counts by name, as raw JSON. A later event may replace a count.
    usage: Vec<(String, String)>,
}

/// A content block: its initial JSON, and the text added since then.
#[derive(Debug, Default)]
struct Block {
    start: String,
    text: String,
    thinking: String,
    signature: String,
    input: String,
    citations: Vec<String>,
    /// The position of a call among the calls, starting at 0, or `None` for other blocks.
    call: Option<usize>,
}

impl Assembly for MessageAssembly {
    fn take(
        &mut self,
        event: Raw<'_>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<Taken, CompletionError> {
        let event = Place::root(event);
        match event.text_or_empty("type")?.as_str() {
            "message_start" => {
                let message = event.need("message", "an object")?;
                self.count(message.get("usage"))?;
            }
            "content_block_start" => self.start(&event, pieces)?,
            "content_block_delta" => self.add(&event, pieces)?,
            "message_delta" => {
                let delta = event.need("delta", "an object")?;
                if let Some(reason) = reason_to_stop(&delta, "stop_reason")? {
                    self.stop_reason = Some(reason);
                }
                self.count(event.get("usage"))?;
            }
            "message_stop" => return Ok(Taken::Last),
            "error" => return Ok(Taken::Failure),
            // `ping`, `content_block_stop`, and events added in the future
            _ => {}
        }
        Ok(Taken::More)
    }

    fn finish(self, has_last: bool) -> Option<String> {
        let is_whole = || !self.blocks.is_empty() && self.blocks.iter().all(Block::is_whole);
        if self.stop_reason.is_none() && !(has_last && is_whole()) {
            return None;
        }
        let stop_reason = Value::from(self.stop_reason).to_string();
        let blocks: Vec<String> = self.blocks.into_iter().map(Block::finish).collect();
        let fields = [
            ("content".to_owned(), format!("[{}]", blocks.join(","))),
            ("stop_reason".to_owned(), stop_reason),
            ("usage".to_owned(), object(&self.usage)),
        ];
        Some(object(&fields))
    }
}

impl MessageAssembly {
    fn count(&mut self, usage: Option<Place<'_>>) -> Result<(), CompletionError> {
        let Some(usage) = usage else { return Ok(()) };
        for entry in usage.value.entries() {
            if entry.value.is_null() {
                continue;
            }
            let json = entry.value.text().to_owned();
            match self.usage.iter_mut().find(|(key, _)| *key == entry.key) {
                Some((_, known)) => *known = json,
                None => self.usage.push((entry.key, json)),
            }
            bounded(self.usage.len(), "usage")?;
        }
        Ok(())
    }

    fn start(
        &mut self,
        event: &Place<'_>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<(), CompletionError> {
        let start = event.need("content_block", "an object")?.object()?;
        let mut block = Block {
            start: start.value.text().to_owned(),
            text: start.text_or_empty("text")?,
            thinking: start.text_or_empty("thinking")?,
            signature: start.text_or_empty("signature")?,
            ..Block::default()
        };
        if start.text("type")? == "tool_use" {
            pieces.push(ModelEvent::CallDelta {
                index: self.calls,
                name: Some(start.text("name")?),
                arguments: String::new(),
            });
            block.call = Some(self.calls);
            self.calls += 1;
        }
        show(ModelEvent::Text, &block.text, pieces);
        show(ModelEvent::Reasoning, &block.thinking, pieces);
        self.by_index.insert(index(event)?, self.blocks.len());
        self.blocks.push(block);
        bounded(self.blocks.len(), "content")
    }

    fn add(
        &mut self,
        event: &Place<'_>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<(), CompletionError> {
        let delta = event.need("delta", "an object")?.object()?;
        let index = index(event)?;
        let found = self.by_index.get(&index);
        let found = found.and_then(|&at| self.blocks.get_mut(at));
        let place = || event.need("index", "the number of a block");
        let Some(block) = found else {
            return Err(place()?.malformed("the number of a block that has begun"));
        };
        match delta.text("type")?.as_str() {
            "text_delta" => {
                let text = delta.text("text")?;
                show(ModelEvent::Text, &text, pieces);
                block.text.push_str(&text);
            }
            "thinking_delta" => {
                let text = delta.text("thinking")?;
                show(ModelEvent::Reasoning, &text, pieces);
                block.thinking.push_str(&text);
            }
            "signature_delta" => block.signature.push_str(&delta.text("signature")?),
            "input_json_delta" => {
                let arguments = delta.text("partial_json")?;
                block.input.push_str(&arguments);
                if let Some(index) = block.call {
                    pieces.push(ModelEvent::CallDelta {
                        index,
                        name: None,
                        arguments,
                    });
                }
            }
            "citations_delta" => {
                let citation = delta.need("citation", "an object")?;
                block.citations.push(citation.value.text().to_owned());
                bounded(block.citations.len(), "content.citations")?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Block {
    /// Returns `false` for a call whose input is incomplete, and `true` for all other blocks.
    fn is_whole(&self) -> bool {
        self.call.is_none() || are_whole(&self.input)
    }

    /// Returns the block's JSON, including the text added since the start. If the input of a call is not JSON, it is written as a
    /// string.
    fn finish(self) -> String {
        let Ok(start) = Raw::parse(&self.start) else {
            return self.start;
        };
        let strings = [
            ("text", &self.text),
            ("thinking", &self.thinking),
            ("signature", &self.signature),
        ];
        // a key that the start lacks is added only if its text is not empty
        let is_there = |key: &str, text: &str| !text.is_empty() || start.get(key).is_some();
        let strings = strings
            .into_iter()
            .filter(|(key, text)| is_there(key, text));
        let mut added: Vec<_> = strings
            .map(|(key, text)| (key, Value::from(text.as_str()).to_string()))
            .collect();
        if !self.citations.is_empty() {
            added.push(("citations", format!("[{}]", self.citations.join(","))));
        }
        if !self.input.trim().is_empty() {
            let is_json = Raw::parse(&self.input).is_ok();
            let json = if is_json {
                self.input
            } else {
                Value::from(self.input).to_string()
            };
            added.push(("input", json));
        }
        start.with(added)
    }
}

fn index(event: &Place<'_>) -> Result<String, CompletionError> {
    let index = event.need("index", "a number")?;
    Ok(index.value.text().to_owned())
}

fn show(event: fn(String) -> ModelEvent, text: &str, pieces: &mut Vec<ModelEvent>) {
    if !text.is_empty() {
        pieces.push(event(text.to_owned()));
    }
}
