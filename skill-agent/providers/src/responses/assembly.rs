//! Assembles a response from the events of its stream.

use std::collections::HashMap;

use crate::format::{Assembly, Taken, bounded};
use skill_agent_chat::ModelEvent;
use skill_agent_models::__private::Place;
use skill_agent_models::__private::Raw;
use skill_agent_models::CompletionError;

/// A response that is still being assembled.
#[derive(Debug, Default)]
pub(super) struct ResponseAssembly {
    /// The completed items and their positions, kept because some servers leave the items out of the final event.
    items: Vec<(u64, String)>,
    /// The number of calls so far; `by_place` maps the position of each item to the index of its call.
    calls: usize,
    by_place: HashMap<String, usize>,
    response: Option<String>,
    /// For each item, the type of the events with the reasoning to show. Some servers send the same text as a summary too.
    reasoning: HashMap<String, String>,
}

impl Assembly for ResponseAssembly {
    fn take(
        &mut self,
        event: Raw<'_>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<Taken, CompletionError> {
        let event = Place::root(event);
        match event.text_or_empty("type")?.as_str() {
            "response.output_text.delta" | "response.refusal.delta" => {
                pieces.push(ModelEvent::Text(event.text("delta")?));
            }
            kind @ ("response.reasoning_text.delta" | "response.reasoning_summary_text.delta") => {
                let item = event.text_or_empty("item_id")?;
                let shown = self
                    .reasoning
                    .entry(item)
                    .or_insert_with(|| kind.to_owned());
                if shown == kind {
                    pieces.push(ModelEvent::Reasoning(event.text("delta")?));
                }
                bounded(self.reasoning.len(), "output")?;
            }
            "response.output_item.added" => {
                let item = event.need("item", "an object")?.object()?;
                if item.text_or_empty("type")? == "function_call" {
                    let index = self.calls;
                    self.calls += 1;
                    bounded(self.calls, "output")?;
                    self.by_place.entry(place(&event)?).or_insert(index);
                    pieces.push(ModelEvent::CallDelta {
                        index,
                        name: Some(item.text("name")?),
                        arguments: String::new(),
                    });
                }
            }
            "response.function_call_arguments.delta" => {
                let place = place(&event)?;
                let arguments = event.text("delta")?;
                if let Some(&index) = self.by_place.get(&place) {
                    let name = None;
                    pieces.push(ModelEvent::CallDelta {
                        index,
                        name,
                        arguments,
                    });
                }
            }
            "response.output_item.done" => {
                let item = event.need("item", "an object")?.object()?;
                // servers that send no positions send the items in order
                let place = event.get("output_index");
                let place = place.and_then(|place| place.value.text().parse().ok());
                let place = place.unwrap_or(self.items.len() as u64);
                self.items.push((place, item.value.text().to_owned()));
                bounded(self.items.len(), "output")?;
            }
            // some gateways write `done`
            "response.completed" | "response.incomplete" | "response.done" => {
                let response = event.need("response", "an object")?.object()?;
                self.response = Some(response.value.text().to_owned());
                return Ok(Taken::Last);
            }
            "response.failed" | "error" => return Ok(Taken::Failure),
            // ignore the start of a response, the start and end of parts, events of the provider's own tools, and unknown events
            _ => {}
        }
        Ok(Taken::More)
    }

    fn finish(mut self, _: bool) -> Option<String> {
        let text = self.response?;
        let Ok(response) = Raw::parse(&text) else {
            return Some(text);
        };
        let output = response.get("output");
        let has_output = output.is_some_and(|output| output.items().next().is_some());
        if has_output {
            return Some(text);
        }
        self.items.sort_by_key(|(place, _)| *place);
        let items: Vec<String> = self.items.into_iter().map(|(_, item)| item).collect();
        Some(response.with([("output", format!("[{}]", items.join(",")))]))
    }
}

fn place(event: &Place<'_>) -> Result<String, CompletionError> {
    let place = event.need("output_index", "a number")?;
    Ok(place.value.text().to_owned())
}
