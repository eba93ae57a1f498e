//! Request bodies for Chat Completions.

use serde_json::{Value, json};

use super::FORMAT;
use crate::format::media::{MediaRules, data_url, only_images, only_pdf};
use crate::format::{Body, CallIds, answer_schema, object, own_item, sendable_arguments};
use crate::settings::Settings;
use skill_agent_chat::{CallPart, ChatRequest, Message, MessagePart, ModelError, Role};
use skill_agent_models::__private::Raw;
use skill_agent_models::openai;

/// Returns the body of a request. A `constraint` is sent as the response schema instead of the answer's schema.
pub(super) fn body(
    settings: &Settings,
    request: &ChatRequest,
    constraint: Option<String>,
) -> Result<String, ModelError> {
    let mut body = Body::default();
    body.set("model", settings.endpoint.model.as_str());
    body.set_list("messages", &messages(settings, request)?);
    body.set("stream", true);
    // servers reject stream options unless the completion is streamed
    if request.options.extra.get("stream") != Some(&Value::Bool(false)) {
        body.set("stream_options", json!({ "include_usage": true }));
    }
    if let Some(tokens) = request.options.max_tokens {
        // OpenAI's reasoning models reject the old name, and other servers do not know the new one
        body.set(
            if settings.endpoint.is_openai() {
                "max_completion_tokens"
            } else {
                "max_tokens"
            },
            tokens,
        );
    }
    if let Some(temperature) = request.options.temperature {
        body.set("temperature", temperature);
    }
    let tools = settings.tools(&request.tools)?;
    body.set_tools(
        tools,
        request,
        |name| json!({ "type": "function", "function": { "name": name } }),
    );
    let answer = request.output_schema.as_ref().map(|schema| {
        let (schema, is_strict) = answer_schema(schema, settings.endpoint.is_openai());
        (schema.to_string(), is_strict)
    });
    if let Some((schema, is_strict)) = constraint.map(|schema| (schema, false)).or(answer) {
        let format = format!(r#"{{"name":"answer","strict":{is_strict},"schema":{schema}}}"#);
        let format = format!(r#"{{"type":"json_schema","json_schema":{format}}}"#);
        body.set_json("response_format", format);
    }
    body.finish(&request.options.extra)
}

/// Returns which images and files the model accepts.
pub(super) fn media_rules(settings: &Settings) -> MediaRules {
    MediaRules {
        images: settings.profile.images,
        files: only_pdf,
    }
}

fn messages(settings: &Settings, request: &ChatRequest) -> Result<Vec<String>, ModelError> {
    let rules = media_rules(settings);
    let (mut ids, mut sent) = (CallIds::default(), Vec::new());
    let format = settings.endpoint.kept_name(FORMAT);
    let system = request.system_text();
    if !system.trim().is_empty() {
        sent.push(json!({ "role": "system", "content": system }).to_string());
    }
    for (index, message) in request.messages.iter().enumerate() {
        let is_last = index + 1 == request.messages.len();
        match message.role {
            Role::Assistant => sent.extend(assistant(message, &mut ids, &format)),
            Role::User | Role::Tool => {
                let results = message.results().map(|result| ids.result(result));
                sent.extend(openai::chat::results(&results.collect::<Vec<_>>()));
                // images of results follow in a user's message, because no other message can contain images
                let media = message.results().flat_map(|part| rules.of_output(part));
                sent.extend(user(media.chain(rules.of_message(message, is_last)))?);
            }
        }
    }
    Ok(sent)
}

/// Returns a user's message, or `None` if it has no content. A single text part is sent as a string, because not every server
/// accepts lists.
fn user(parts: impl Iterator<Item = MessagePart>) -> Result<Option<String>, ModelError> {
    let mut content = Vec::new();
    for part in parts {
        match part {
            MessagePart::Text(part) => content.push(json!({ "type": "text", "text": part.text })),
            MessagePart::Image(image) => {
                only_images(&image)?;
                let url = data_url(&image.media_type, &image.data);
                content.push(json!({ "type": "image_url", "image_url": { "url": url } }));
            }
            MessagePart::File(file) => {
                let data = data_url(&file.media_type, &file.data);
                let file = json!({ "filename": file.name, "file_data": data });
                content.push(json!({ "type": "file", "file": file }));
            }
            _ => {}
        }
    }
    let content = match content.as_slice() {
        [] => return Ok(None),
        [Value::Object(text)] if text.contains_key("text") => text["text"].clone(),
        _ => content.into(),
    };
    Ok(Some(
        json!({ "role": "user", "content": content }).to_string(),
    ))
}

/// Returns a model's message with its text, calls and kept fields. Returns `None` for a message with nothing but reasoning,
/// because servers reject it.
fn assistant(message: &Message, ids: &mut CallIds, format: &str) -> Option<String> {
    ids.begin();
    let (mut fields, mut texts) = (Vec::new(), Vec::new());
    let (mut items, mut calls, mut is_said) = (Vec::new(), Vec::new(), false);
    for part in &message.parts {
        let is_reasoning = matches!(part, MessagePart::Reasoning(_));
        let item = match part {
            MessagePart::Text(part) | MessagePart::Reasoning(part) => part.item.as_ref(),
            MessagePart::Opaque(part) => Some(&part.item),
            MessagePart::Call(part) => {
                calls.push(call(part, ids, format));
                continue;
            }
            _ => None,
        };
        let own = own_item(item, format);
        for entry in own.into_iter().flat_map(Raw::entries) {
            let json = entry.value.text().to_owned();
            is_said |= entry.key == "refusal";
            if entry.key == "content" {
                is_said |= !is_reasoning;
                items.extend(entry.value.items().map(|item| item.text().to_owned()));
            } else {
                fields.push((entry.key, json));
            }
        }
        if let (MessagePart::Text(part), None) = (part, own)
            && !part.text.is_empty()
        {
            is_said = true;
            texts.push(part.text.as_str());
            items.push(json!({ "type": "text", "text": part.text }).to_string());
        }
    }
    if !is_said && calls.is_empty() {
        return None;
    }
    let content = match (texts.len(), items.len()) {
        (_, 0) => Value::Null.to_string(),
        // join the parts into one string if all are plain text, because servers send such content as a string too
        (texts_count, count) if texts_count == count => Value::from(texts.concat()).to_string(),
        _ => format!("[{}]", items.join(",")),
    };
    let mut message = vec![
        ("role".to_owned(), r#""assistant""#.to_owned()),
        ("content".to_owned(), content),
    ];
    message.extend(fields);
    if !calls.is_empty() {
        message.push(("tool_calls".to_owned(), format!("[{}]", calls.join(","))));
    }
    Some(object(&message))
}

fn call(part: &CallPart, ids: &mut CallIds, format: &str) -> String {
    let own = own_item(part.item.as_ref(), format);
    let id = ids.call(part, own.is_some());
    let arguments = sendable_arguments(&part.call.arguments);
    let Some(own) = own else {
        let function = json!({ "name": part.call.name, "arguments": arguments });
        return json!({ "id": id, "type": "function", "function": function }).to_string();
    };
    let mut changes = vec![("id", Value::from(id).to_string())];
    if let Some(function) = own.get("function") {
        // keep the arguments as written, unless servers cannot read them
        let written = function.get("arguments").and_then(Raw::string);
        let is_sendable = written.is_some_and(|written| sendable_arguments(&written) == written);
        if !is_sendable {
            let arguments = Value::from(arguments).to_string();
            changes.push(("function", function.with([("arguments", arguments)])));
        }
    }
    own.with(changes)
}

#[cfg(test)]
mod tests {
    use super::super::BASE_URL;
    use super::*;
    use skill_agent_chat::{ModelProfile, RequestOptions};
    use skill_agent_models::Provider;

    /// Returns the body of a request to the given base URL.
    fn body_at(url: &str, request: &ChatRequest) -> Value {
        let profile = |_: &str, _: &str| ModelProfile::new(Provider::OPENAI_CHAT);
        let mut settings = Settings::new(String::new(), "m".to_owned(), BASE_URL, profile);
        settings.set_base_url(url.to_owned());
        let body = body(&settings, request, None).unwrap();
        serde_json::from_str(&body).unwrap()
    }

    #[test]
    fn openai_has_its_own_name_for_the_most_tokens() {
        let mut request = ChatRequest::new(vec!["Hello?".into()]);
        request.options = RequestOptions::new().max_tokens(9);
        for (url, own) in [(BASE_URL, true), ("http://localhost", false)] {
            let body = body_at(url, &request);
            let tokens = [body.get("max_completion_tokens"), body.get("max_tokens")];
            let tokens = tokens.map(|tokens| tokens.is_some());
            assert_eq!(tokens, [own, !own]);
        }
    }

    #[test]
    fn openai_enforces_a_strict_answer_and_other_servers_all_of_its_schema() {
        let number = json!({ "type": "integer", "format": "int32", "minimum": 1 });
        let text = json!({ "type": "string", "minLength": 2 });
        let schema = json!({
            "type": "object",
            "properties": { "number": number, "text": text },
            "required": ["number"],
        });
        let mut request = ChatRequest::new(vec!["Hello?".into()]);
        request.output_schema = Some(schema.clone());
        let format = |url| body_at(url, &request)["response_format"]["json_schema"].take();
        let strict = format(BASE_URL);
        assert_eq!(strict["strict"], true);
        assert_eq!(strict["schema"]["required"], json!(["number", "text"]));
        assert_eq!(strict["schema"]["additionalProperties"], false);
        let local = format("http://localhost:8080/v1");
        assert_eq!(local["strict"], false);
        let mut bounded = schema;
        bounded["properties"]["number"]["maximum"] = i32::MAX.into();
        assert_eq!(local["schema"], bounded);
    }
}
