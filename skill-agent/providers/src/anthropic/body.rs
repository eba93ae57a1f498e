//! Request bodies for Anthropic.

use serde_json::{Value, json};

use super::FORMAT;
use crate::format::media::{MediaRules, data_of_text, only_images, only_texts_and_pdf};
use crate::format::sent_tools::{DeferredForm, DeferredForms};
use crate::format::{Body, CallIds, own_item, sendable_arguments};
use crate::settings::Settings;
use skill_agent_chat::{
    CallPart, ChatRequest, FilePart, Message, MessagePart, ModelError, Role, TextPart, ToolChoice,
};
use skill_agent_models::__private::{Kind, Raw};
use skill_agent_models::{Provider, anthropic};

/// The default token limit of a completion. The format requires a limit, and all models currently served support this one.
const MAX_TOKENS: u32 = 8192;

pub(super) fn body(
    settings: &Settings,
    request: &ChatRequest,
    has_cache: bool,
) -> Result<String, ModelError> {
    let mut body = Body::default();
    body.set("model", settings.endpoint.model.as_str());
    body.set(
        "max_tokens",
        request.options.max_tokens.unwrap_or(MAX_TOKENS),
    );
    body.set("stream", true);
    if let Some(temperature) = request.options.temperature {
        body.set("temperature", temperature);
    }
    let system = request
        .system
        .iter()
        .filter(|part| !part.text.trim().is_empty());
    let mut system: Vec<String> = system.map(|part| text(&part.text)).collect();
    // a list of nothing but deferred tools is an error
    let deferred = settings.deferred(&request.deferred)?;
    let deferred = deferred.filter(|_| !request.tools.is_empty());
    if let Some(tools) = settings.tools(&request.tools)? {
        let raw = Raw::parse(&tools).map_err(|error| ModelError::Request(error.to_string()))?;
        let mut tools: Vec<String> = raw.items().map(|tool| tool.text().to_owned()).collect();
        // Anthropic refuses a mark at a deferred tool
        mark(has_cache, &mut tools);
        let forms = deferred.iter().flat_map(|deferred| deferred.all());
        tools.extend(forms.filter_map(defer_loading));
        body.set_list("tools", &tools);
        if let Some(choice) = tool_choice(request) {
            body.set("tool_choice", choice);
        }
    }
    mark(has_cache, &mut system);
    if !system.is_empty() {
        body.set_list("system", &system);
    }
    if let Some(schema) = &request.output_schema {
        let schema = Provider::ANTHROPIC_STRICT.schema(schema);
        let schema = schema.map_err(|error| {
            ModelError::Request(format!(
                "{error}; `AnswerForm::Tool` in the profile takes such a schema"
            ))
        })?;
        let format = json!({ "format": { "type": "json_schema", "schema": schema } });
        body.set("output_config", format);
    }
    body.set_list(
        "messages",
        &messages(settings, request, deferred.as_deref(), has_cache)?,
    );
    body.finish(&request.options.extra)
}

fn text(text: &str) -> String {
    json!({ "type": "text", "text": text }).to_string()
}

/// Marks the last block, so that the provider can cache the prompt up to it.
fn mark(has_cache: bool, blocks: &mut [String]) {
    let Some(last) = blocks.last_mut().filter(|_| has_cache) else {
        return;
    };
    if let Ok(raw) = Raw::parse(last) {
        *last = raw.with([("cache_control", r#"{"type":"ephemeral"}"#.to_owned())]);
    }
}

fn tool_choice(request: &ChatRequest) -> Option<Value> {
    let mut choice = match &request.tool_choice {
        ToolChoice::Auto if request.parallel_calls.is_none() => return None,
        ToolChoice::Auto => json!({ "type": "auto" }),
        ToolChoice::Required => json!({ "type": "any" }),
        ToolChoice::None => return Some(json!({ "type": "none" })),
        ToolChoice::Tool(name) => json!({ "type": "tool", "name": name }),
    };
    if let Some(parallel) = request.parallel_calls {
        choice["disable_parallel_tool_use"] = (!parallel).into();
    }
    Some(choice)
}

/// Converts the messages to JSON, and merges consecutive messages of the same role.
fn messages(
    settings: &Settings,
    request: &ChatRequest,
    deferred: Option<&DeferredForms>,
    has_cache: bool,
) -> Result<Vec<String>, ModelError> {
    let messages = &request.messages;
    let rules = MediaRules {
        images: settings.profile.images,
        files: only_texts_and_pdf,
    };
    let mut ids = CallIds::default();
    let format = settings.endpoint.kept_name(FORMAT);
    let mut sent: Vec<(&str, Vec<String>)> = Vec::new();
    let mut known = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let is_last = index + 1 == messages.len();
        let (role, blocks) = match message.role {
            Role::Assistant => ("assistant", assistant(message, &mut ids, &format)),
            Role::User | Role::Tool => {
                let revealed = deferred.map(|deferred| deferred.revealed_by(message, &mut known));
                let revealed = revealed.unwrap_or_default();
                let blocks = user(message, &revealed, &mut ids, rules, is_last)?;
                ("user", blocks)
            }
        };
        if blocks.is_empty() {
            continue;
        }
        match sent.last_mut() {
            Some((last, known)) if *last == role => known.extend(blocks),
            _ => sent.push((role, blocks)),
        }
    }
    if let Some((_, blocks)) = sent.last_mut().filter(|(role, _)| *role == "user") {
        mark(has_cache, blocks);
    }
    let message = |(role, blocks): (&str, Vec<String>)| {
        format!(r#"{{"role":"{role}","content":[{}]}}"#, blocks.join(","))
    };
    Ok(sent.into_iter().map(message).collect())
}

/// Returns the blocks of a model's message. Returns no blocks for a message with nothing but reasoning, because Anthropic rejects
/// it.
fn assistant(message: &Message, ids: &mut CallIds, format: &str) -> Vec<String> {
    ids.begin();
    let (mut blocks, mut is_said) = (Vec::new(), false);
    for part in &message.parts {
        let item = |part| own_item(part, format).map(|raw| raw.text().to_owned());
        let block = match part {
            MessagePart::Text(part) if part.text.trim().is_empty() => None,
            MessagePart::Text(part) => item(part.item.as_ref()).or_else(|| Some(text(&part.text))),
            MessagePart::Reasoning(part) => {
                blocks.extend(item(part.item.as_ref()));
                continue;
            }
            MessagePart::Call(part) => Some(call(part, ids, format)),
            MessagePart::Opaque(part) => item(Some(&part.item)),
            _ => None,
        };
        is_said |= block.is_some();
        blocks.extend(block);
    }
    if is_said { blocks } else { Vec::new() }
}

fn call(part: &CallPart, ids: &mut CallIds, format: &str) -> String {
    let own = own_item(part.item.as_ref(), format);
    let id = ids.call(part, own.is_some());
    let Some(own) = own else {
        let input = sendable_arguments(&part.call.arguments);
        let (id, name) = (Value::from(id), Value::from(part.call.name.as_str()));
        return format!(r#"{{"type":"tool_use","id":{id},"name":{name},"input":{input}}}"#);
    };
    let mut changes = vec![("id", Value::from(id).to_string())];
    if own
        .get("input")
        .is_none_or(|input| input.kind() != Kind::Object)
    {
        changes.push(("input", sendable_arguments(&part.call.arguments)));
    }
    own.with(changes)
}

/// Returns a tool that the model reads only where a message refers to it.
fn defer_loading(form: &DeferredForm) -> Option<String> {
    let raw = Raw::parse(&form.json).ok()?;
    Some(raw.with([("defer_loading", "true".to_owned())]))
}

/// Returns the blocks of a message from the user or the tools. Results come first, as Anthropic requires.
fn user(
    message: &Message,
    revealed: &[(&str, &DeferredForm)],
    ids: &mut CallIds,
    rules: MediaRules,
    is_last: bool,
) -> Result<Vec<String>, ModelError> {
    let results = message.results().map(|result| ids.result(result));
    let written = anthropic::results(&results.collect::<Vec<_>>());
    let content = written
        .first()
        .and_then(|message| Raw::parse(message).ok()?.get("content"));
    let items = content.into_iter().flat_map(Raw::items);
    let (mut blocks, mut behind) = (Vec::new(), Vec::new());
    for (item, part) in items.zip(message.results()) {
        let revealed = revealed.iter().filter(|(call, _)| *call == part.id);
        let references: Vec<_> = revealed.map(|(_, tool)| reference(tool)).collect();
        if !references.is_empty() {
            // a result with references has nothing else
            let references = Value::from(references).to_string();
            blocks.push(item.with([("content", references)]));
            behind.push(text(&part.text()));
            continue;
        }
        let media = rules.of_output(part);
        if media.is_empty() {
            blocks.push(item.text().to_owned());
            continue;
        }
        let content =
            content_blocks(std::iter::once(TextPart::new(part.text()).into()).chain(media))?;
        blocks.push(item.with([("content", format!("[{}]", content.join(",")))]));
    }
    blocks.extend(behind);
    blocks.extend(content_blocks(rules.of_message(message, is_last))?);
    Ok(blocks)
}

fn reference(tool: &DeferredForm) -> Value {
    json!({ "type": "tool_reference", "tool_name": tool.name })
}

/// Returns the blocks for text, images and files.
fn content_blocks(parts: impl IntoIterator<Item = MessagePart>) -> Result<Vec<String>, ModelError> {
    let mut blocks = Vec::new();
    for part in parts {
        match part {
            MessagePart::Text(part) if part.text.trim().is_empty() => {}
            MessagePart::Text(part) => blocks.push(text(&part.text)),
            MessagePart::Image(image) => {
                only_images(&image)?;
                blocks.push(media("image", base64(&image.media_type, &image.data)));
            }
            MessagePart::File(file) => blocks.push(self::file(&file)?),
            _ => {}
        }
    }
    Ok(blocks)
}

fn media(kind: &str, source: Value) -> String {
    json!({ "type": kind, "source": source }).to_string()
}

fn base64(media_type: &str, data: &str) -> Value {
    json!({ "type": "base64", "media_type": media_type, "data": data })
}

fn file(file: &FilePart) -> Result<String, ModelError> {
    let source = if file.media_type.starts_with("text/") {
        let text = data_of_text(file)?;
        json!({ "type": "text", "media_type": "text/plain", "data": text })
    } else {
        base64(&file.media_type, &file.data)
    };
    let document = json!({ "type": "document", "source": source, "title": file.name });
    Ok(document.to_string())
}
