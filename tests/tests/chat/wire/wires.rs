//! Texts on the wire, from the parts of a completion.

use super::{Format, TEXT};
use model_server::Response;
use serde_json::{Value, json};
use skill_agent::chat::genai::adapter::AdapterKind;

/// A response on the wire.
#[derive(Clone)]
pub enum Wire {
    /// The text of a stream of events.
    Stream(String),
    /// A body of JSON.
    Whole(String),
    /// The items of a response of OpenAI, which is streamed or whole.
    Items(Value, bool),
    /// The blocks of a message of Anthropic and the reason of its end; streamed or whole.
    Blocks(Value, &'static str, bool),
}

impl Wire {
    /// The text of a stream.
    pub fn text(&self) -> String {
        match self {
            Self::Stream(text) | Self::Whole(text) => text.clone(),
            Self::Items(items, _) => events_of_items(items),
            Self::Blocks(blocks, reason, _) => events_of_blocks(blocks, reason),
        }
    }

    pub fn response(&self) -> Response {
        match self {
            Self::Stream(text) => Response::stream(text),
            Self::Whole(text) => Response::json(text),
            Self::Items(_, true) | Self::Blocks(_, _, true) => Response::stream(self.text()),
            Self::Items(items, false) => Response::json(&response(items).to_string()),
            Self::Blocks(blocks, reason, false) => {
                let usage = json!({ "input_tokens": 3, "output_tokens": 2 });
                let message = json!({ "type": "message", "role": "assistant", "content": blocks, "stop_reason": reason, "usage": usage });
                Response::json(&message.to_string())
            }
        }
    }

    /// The response with an answer in the place of the text; nothing if it has no such text in one piece.
    pub fn with_answer(&self, answer: &str) -> Option<Self> {
        let answer = Value::from(answer).to_string();
        let replaced = |text: &str| {
            let text_json = Value::from(TEXT).to_string();
            (text.matches(&text_json).count() > 0).then(|| text.replace(&text_json, &answer))
        };
        let value = |value: &Value| serde_json::from_str(&replaced(&value.to_string())?).ok();
        Some(match self {
            Self::Stream(text) => Self::Stream(replaced(text)?),
            Self::Whole(text) => Self::Whole(replaced(text)?),
            Self::Items(items, is_streamed) => Self::Items(value(items)?, *is_streamed),
            Self::Blocks(blocks, reason, is_streamed) => {
                Self::Blocks(value(blocks)?, reason, *is_streamed)
            }
        })
    }
}

/// A stream of the data of events.
pub fn events(events: &[&str]) -> Wire {
    Wire::Stream(
        events
            .iter()
            .map(|data| format!("data: {data}\n\n"))
            .collect(),
    )
}

/// A stream of Chat Completions of these deltas and a reason of the end.
pub fn deltas(deltas: &[&str], reason: &str) -> Wire {
    let delta = |delta: &&str| {
        format!(
            "data: {{\"id\":\"x\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}]}}\n\n"
        )
    };
    let deltas: String = deltas.iter().map(delta).collect();
    let last = format!(
        r#"{{"id":"x","choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#
    );
    let usage = r#"{"id":"x","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3}}"#;
    Wire::Stream(format!(
        "{deltas}data: {last}\n\ndata: {usage}\n\ndata: [DONE]\n\n"
    ))
}

/// A whole message of Chat Completions.
pub fn message(message: &str, reason: &str) -> Wire {
    Wire::Whole(format!(
        r#"{{"id":"x","choices":[{{"index":0,"finish_reason":"{reason}","message":{message}}}],"usage":{{"prompt_tokens":5,"completion_tokens":3}}}}"#
    ))
}

/// A short answer, `Done.`
pub fn plain(format: Format) -> Response {
    match format {
        Format::Responses | Format::GenAi(AdapterKind::OpenAIResp) => {
            let text = json!([{ "type": "output_text", "text": "Done." }]);
            Wire::Items(
                json!([{ "type": "message", "id": "msg_9", "role": "assistant", "content": text }]),
                true,
            )
            .response()
        }
        Format::Anthropic | Format::GenAi(AdapterKind::Anthropic) => Wire::Blocks(
            json!([{ "type": "text", "text": "Done." }]),
            "end_turn",
            true,
        )
        .response(),
        Format::GenAi(AdapterKind::Gemini) => Response::events(&[
            r#"{"candidates":[{"content":{"parts":[{"text":"Done."}]},"finishReason":"STOP"}]}"#,
        ]),
        Format::GenAi(AdapterKind::Ollama) => {
            let lines = r#"{"message":{"content":"Done."},"done":true,"done_reason":"stop"}"#;
            Response::stream(format!("{lines}\n"))
        }
        Format::ChatCompletions | Format::GenAi(_) => {
            deltas(&[r#"{"content":"Done."}"#], "stop").response()
        }
    }
}

fn event(kind: &str, mut data: Value) -> String {
    data["type"] = kind.into();
    format!("event: {kind}\ndata: {data}\n\n")
}

/// A text in two pieces.
fn pieces(text: &Value) -> Vec<String> {
    let text = text.as_str().unwrap_or_default();
    let middle = text.chars().count() / 2;
    let middle = text.char_indices().nth(middle).map_or(0, |(at, _)| at);
    let pieces = [&text[..middle], &text[middle..]];
    pieces
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .map(str::to_owned)
        .collect()
}

fn response(items: &Value) -> Value {
    let usage = json!({ "input_tokens": 5, "output_tokens": 3, "total_tokens": 8 });
    json!({ "id": "resp_1", "model": "m", "status": "completed", "error": null, "incomplete_details": null, "output": items, "usage": usage })
}

fn events_of_items(items: &Value) -> String {
    let begun = json!({ "response": { "id": "resp_1", "status": "in_progress", "output": [] } });
    let mut text = event("response.created", begun);
    for (index, item) in items.as_array().unwrap().iter().enumerate() {
        let mut begun = item.clone();
        for key in ["content", "summary"] {
            if begun.get(key).is_some() {
                begun[key] = json!([]);
            }
        }
        if begun.get("arguments").is_some() {
            begun["arguments"] = "".into();
        }
        text += &event(
            "response.output_item.added",
            json!({ "output_index": index, "item": begun }),
        );
        let mut delta = |kind: &str, value: &Value| {
            for piece in pieces(value) {
                let data = json!({ "item_id": item["id"], "output_index": index, "delta": piece });
                text += &event(&format!("response.{kind}.delta"), data);
            }
        };
        let parts = |key: &str| item[key].as_array().cloned().unwrap_or_default();
        for part in parts("summary") {
            delta("reasoning_summary_text", &part["text"]);
        }
        for part in parts("content") {
            match part["type"].as_str().unwrap() {
                "output_text" => delta("output_text", &part["text"]),
                "refusal" => delta("refusal", &part["refusal"]),
                "reasoning_text" => delta("reasoning_text", &part["text"]),
                _ => {}
            }
        }
        delta("function_call_arguments", &item["arguments"]);
        text += &event(
            "response.output_item.done",
            json!({ "output_index": index, "item": item }),
        );
    }
    text + &event("response.completed", json!({ "response": response(items) }))
}

fn events_of_blocks(blocks: &Value, reason: &str) -> String {
    let usage = json!({ "input_tokens": 3, "output_tokens": 1 });
    let begun =
        json!({ "message": { "id": "msg_1", "role": "assistant", "content": [], "usage": usage } });
    let mut text = event("message_start", begun) + &event("ping", json!({}));
    for (index, block) in blocks.as_array().unwrap().iter().enumerate() {
        let mut begun = block.clone();
        for key in ["text", "thinking", "signature"] {
            if begun.get(key).is_some() {
                begun[key] = "".into();
            }
        }
        if block["input"].is_object() {
            begun["input"] = json!({});
        }
        if begun.get("citations").is_some() {
            begun["citations"] = json!([]);
        }
        text += &event(
            "content_block_start",
            json!({ "index": index, "content_block": begun }),
        );
        let mut delta = |kind: &str, key: &str, piece: Value| {
            let delta = json!({ "type": kind, key: piece });
            text += &event(
                "content_block_delta",
                json!({ "index": index, "delta": delta }),
            );
        };
        for (kind, key) in [
            ("text_delta", "text"),
            ("thinking_delta", "thinking"),
            ("signature_delta", "signature"),
        ] {
            for piece in pieces(&block[key]) {
                delta(kind, key, piece.into());
            }
        }
        for citation in block["citations"].as_array().into_iter().flatten() {
            delta("citations_delta", "citation", citation.clone());
        }
        if block["input"].is_object() {
            for piece in pieces(&block["input"].to_string().into()) {
                delta("input_json_delta", "partial_json", piece.into());
            }
        }
        text += &event("content_block_stop", json!({ "index": index }));
    }
    let end = json!({ "delta": { "stop_reason": reason }, "usage": { "output_tokens": 2 } });
    text + &event("message_delta", end) + &event("message_stop", json!({}))
}
