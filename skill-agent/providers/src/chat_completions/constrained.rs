//! Constrained calls: the tools become one schema that the server's decoder enforces.
//!
//! Small models often write calls that no parser can read. With the schema in `response_format`, the decoder limits the model to
//! a tool call or an answer:
//!
//! ```text
//! {"name": "add_note", "arguments": {"text": "Buy milk."}}
//! {"text": "I noted it."}
//! ```
//!
//! The system text describes the tools. Calls and results are sent as text, because the templates of many small models support no
//! other form. A completion contains at most one call.

use serde_json::{Value, json};

use super::{ChatCompletions, assembly};
use crate::failure::clues::Api;
use crate::format::decoder;
use crate::format::media::{MediaRules, shown};
use crate::format::{Format, sendable_arguments};
use skill_agent_chat::{
    CallPart, ChatRequest, Message, MessagePart, ModelError, ModelEvent, Role, TextPart, ToolChoice,
};
use skill_agent_models::__private::{Kind, Raw};
use skill_agent_models::{CompletionError, Finish, ToolCall};
use skill_core::ToolBuf;

/// Returns the request to send and the schema. The sent request has no tools. Instead, its system text describes the tools, and
/// its messages contain the calls and results as text.
pub(super) fn request(
    request: &ChatRequest,
    rules: MediaRules,
) -> Result<(ChatRequest, String), ModelError> {
    let mut sent = request.clone();
    let schema = schema(request)?;
    sent.system = request
        .system
        .iter()
        .cloned()
        .chain([skill_agent_chat::SystemPart::new(
            "tools",
            instructions(request)?,
        )])
        .collect();
    sent.messages = std::sync::Arc::new(alternating(request, rules));
    sent.tools = [].into();
    Ok((sent, schema))
}

/// Returns the tools that the model may call, and whether it may answer.
fn allowed(request: &ChatRequest) -> (Vec<&ToolBuf>, bool) {
    let tools = request.tools.iter();
    match &request.tool_choice {
        ToolChoice::Auto => (tools.collect(), true),
        ToolChoice::Required => (tools.collect(), false),
        ToolChoice::None => (Vec::new(), true),
        ToolChoice::Tool(name) => (tools.filter(|tool| tool.name == *name).collect(), false),
    }
}

/// Returns the schema as text, so that the order of its properties is fixed. Decoders generate properties in that order, and the
/// name must come before the arguments, which depend on it.
fn schema(request: &ChatRequest) -> Result<String, ModelError> {
    let object = |properties: String, required: &str| {
        format!(
            r#"{{"type":"object","properties":{properties},"required":{required},"additionalProperties":false}}"#
        )
    };
    let (tools, may_answer) = allowed(request);
    let mut alternatives = Vec::new();
    for tool in tools {
        let (name, arguments) = (
            json!({ "type": "string", "enum": [tool.name] }),
            arguments(tool)?,
        );
        let properties = format!(r#"{{"name":{name},"arguments":{arguments}}}"#);
        alternatives.push(object(properties, r#"["name","arguments"]"#));
    }
    if may_answer {
        let answer = request.output_schema.as_ref();
        alternatives.push(match answer {
            Some(schema) => {
                let schema = decoder::part(schema)
                    .map_err(|error| ModelError::Request(format!("the answer: {error}")))?;
                object(json!({ "answer": schema }).to_string(), r#"["answer"]"#)
            }
            None => object(
                json!({ "text": { "type": "string" } }).to_string(),
                r#"["text"]"#,
            ),
        });
    }
    Ok(format!(r#"{{"anyOf":[{}]}}"#, alternatives.join(",")))
}

/// Returns the schema of a tool's arguments, with inlined references because the schema becomes part of a larger one.
fn arguments(tool: &ToolBuf) -> Result<Value, ModelError> {
    decoder::part(tool.as_tool().input_schema())
        .map_err(|error| ModelError::Request(format!("the tool `{}`: {error}", tool.name)))
}

fn instructions(request: &ChatRequest) -> Result<String, ModelError> {
    let (tools, may_answer) = allowed(request);
    let mut text = "Write one JSON object.".to_owned();
    if !tools.is_empty() {
        text += r#" {"name": …, "arguments": …} calls one of these tools:"#;
    }
    for tool in tools {
        text += &format!(
            "\n- {}: {} Arguments: {}",
            tool.name,
            tool.description,
            arguments(tool)?
        );
    }
    if may_answer {
        let key = if request.output_schema.is_some() {
            "answer"
        } else {
            "text"
        };
        text += &format!("\n{{\"{key}\": …}} is your answer to the user.");
    }
    Ok(text)
}

/// Converts calls and results to text. Consecutive user messages, such as results and a question, become one message, and their
/// adjacent text parts become one string. The templates of Gemma and Mistral reject two messages of the same role in a row.
fn alternating(request: &ChatRequest, rules: MediaRules) -> Vec<Message> {
    let has_schema = request.output_schema.is_some();
    let mut sent: Vec<Message> = Vec::with_capacity(request.messages.len());
    for message in request.messages.iter() {
        let message = as_text(message, rules, has_schema);
        let previous = sent.last_mut().filter(|last| last.role == message.role);
        let Some(previous) = previous.filter(|last| last.role == Role::User) else {
            sent.push(message);
            continue;
        };
        for part in message.parts {
            match (previous.parts.last_mut(), part) {
                (Some(MessagePart::Text(last)), MessagePart::Text(next)) => {
                    last.text = format!("{}\n\n{}", last.text, next.text);
                }
                (_, part) => previous.parts.push(part),
            }
        }
    }
    sent
}

/// Converts the calls and results in a message to text, followed by the results' images and files.
fn as_text(message: &Message, rules: MediaRules, has_schema: bool) -> Message {
    let media = |part: &MessagePart| match part {
        MessagePart::Result(part) => rules.of_output(part),
        _ => Vec::new(),
    };
    let of = |part: &MessagePart| match part {
        MessagePart::Call(part) => {
            let name = Value::from(part.call.name.as_str());
            let arguments = sendable_arguments(&part.call.arguments);
            TextPart::new(format!(r#"{{"name":{name},"arguments":{arguments}}}"#)).into()
        }
        MessagePart::Result(part) => {
            let kind = if part.is_error() { "error" } else { "result" };
            TextPart::new(format!("The {kind} of `{}`: {}", part.name, part.text())).into()
        }
        MessagePart::Text(part) if message.role == Role::Assistant => {
            TextPart::new(answer(&part.text, has_schema)).into()
        }
        part => part.clone(),
    };
    let role = if message.role == Role::Tool {
        Role::User
    } else {
        message.role
    };
    let parts = shown(&message.parts);
    let parts = parts.iter();
    let parts = parts.flat_map(|part| std::iter::once(of(part)).chain(media(part)));
    Message::new(role, parts.collect())
}

/// Writes the model's earlier text in the form that the request's schema requires, because small models imitate earlier messages.
fn answer(text: &str, has_schema: bool) -> String {
    if has_schema && Raw::parse(text).is_ok() {
        return format!(r#"{{"answer":{text}}}"#);
    }
    json!({ "text": text }).to_string()
}

/// The format of constrained completions. Their text is JSON that people should not see, so no pieces are shown while it
/// arrives.
pub(super) struct Constrained;

impl Format for Constrained {
    type Assembly = assembly::CompletionAssembly;
    const API: Api = ChatCompletions::API;
    const SHOWS_PIECES: bool = false;

    fn completion(text: &str) -> Result<Vec<ModelEvent>, CompletionError> {
        let mut events = ChatCompletions::completion(text)?;
        let is_cut = events.contains(&ModelEvent::Finish(Finish::Truncated));
        events.retain_mut(|event| {
            let ModelEvent::Part(MessagePart::Text(text)) = event else {
                return true;
            };
            let known = match read(&text.text) {
                None if is_cut => read_cut(&text.text),
                known => known,
            };
            // drop text that was cut off before it had any content
            let is_kept = known.is_some() || !is_cut || !is_beginning(&text.text);
            if let Some(known) = known {
                *event = ModelEvent::Part(known);
            }
            is_kept
        });
        let is_call = |event: &ModelEvent| matches!(event, ModelEvent::Part(MessagePart::Call(_)));
        let has_call = events.iter().any(is_call);
        if let Some(ModelEvent::Finish(finish)) = events.last_mut().filter(|_| has_call)
            && *finish == Finish::Answered
        {
            *finish = Finish::Calls;
        }
        Ok(events)
    }
}

/// Reads a call or an answer from incomplete JSON: a call with its incomplete arguments, or the beginning of an answer.
fn read_cut(text: &str) -> Option<MessagePart> {
    let rest = after(text, "{")?;
    if let Some(rest) = after(rest, "\"name\"").and_then(|rest| after(rest, ":")) {
        let name = Some(begun_string(rest)).filter(|name| !name.is_empty())?;
        let arguments = rest.split_once("\"arguments\"");
        let arguments = arguments.and_then(|(_, rest)| after(rest, ":"));
        let call = ToolCall::new(name, arguments.unwrap_or_default());
        return Some(CallPart::new(call).into());
    }
    if let Some(answer) = after(rest, "\"answer\"").and_then(|rest| after(rest, ":")) {
        return Some(TextPart::new(answer.trim()).into());
    }
    let text = after(rest, "\"text\"").and_then(|rest| after(rest, ":"))?;
    Some(TextPart::new(begun_string(text)).into())
}

/// Returns whether the text ends before the first value of a call or an answer.
fn is_beginning(text: &str) -> bool {
    let text: String = text.chars().filter(|char| !char.is_whitespace()).collect();
    let forms = [r#"{"name":""#, r#"{"text":""#, r#"{"answer":"#];
    forms.iter().any(|form| form.starts_with(&text))
}

/// Returns the text after leading whitespace and `token`, or `None` if the token is missing.
fn after<'a>(text: &'a str, token: &str) -> Option<&'a str> {
    text.trim_start().strip_prefix(token)
}

/// Returns the received part of the string at the beginning of incomplete JSON.
fn begun_string(json: &str) -> String {
    let json = json.trim_start();
    let mut strings = serde_json::Deserializer::from_str(json).into_iter::<String>();
    if let Some(Ok(string)) = strings.next() {
        return string;
    }
    // the text may end within an escape, which has at most 12 characters: a surrogate pair is two `\uXXXX`
    let ends = json
        .char_indices()
        .rev()
        .map(|(end, char)| end + char.len_utf8());
    let closed = |end: usize| serde_json::from_str(&format!("{}\"", &json[..end])).ok();
    ends.take(12).find_map(closed).unwrap_or_default()
}

/// Reads a call or an answer from text. Returns `None` if the server did not enforce the schema, or if it cut off the text.
fn read(text: &str) -> Option<MessagePart> {
    let object = Raw::parse(text).ok()?;
    if let Some(text) = object.get("text").and_then(Raw::string) {
        return Some(TextPart::new(text).into());
    }
    if let Some(answer) = object.get("answer") {
        return Some(TextPart::new(answer.text()).into());
    }
    let name = object.get("name").and_then(Raw::string)?;
    let arguments = object
        .get("arguments")
        .filter(|arguments| arguments.kind() == Kind::Object)?;
    Some(CallPart::new(ToolCall::new(name, arguments.text())).into())
}
