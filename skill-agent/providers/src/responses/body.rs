//! Request bodies for Responses.

use serde_json::{Value, json};

use super::FORMAT;
use crate::format::media::{MediaRules, data_url, only_images};
use crate::format::sent_tools::DeferredForm;
use crate::format::{Body, CallIds, answer_schema, own_item, sendable_arguments};
use crate::settings::Settings;
use skill_agent_chat::{
    CallPart, ChatRequest, Message, MessagePart, ModelError, ResultPart, Role, TextPart,
};
use skill_agent_models::__private::Raw;
use skill_agent_models::openai;

pub(super) fn body(
    settings: &Settings,
    request: &ChatRequest,
    is_stateless: bool,
) -> Result<String, ModelError> {
    let mut body = Body::default();
    body.set("model", settings.endpoint.model.as_str());
    let system = request.system_text();
    if !system.trim().is_empty() {
        body.set("instructions", system);
    }
    body.set_list("input", &input(settings, request)?);
    body.set("stream", true);
    if is_stateless {
        body.set("store", false);
        body.set("include", json!(["reasoning.encrypted_content"]));
    }
    if let Some(tokens) = request.options.max_tokens {
        body.set("max_output_tokens", tokens);
    }
    if let Some(temperature) = request.options.temperature {
        body.set("temperature", temperature);
    }
    let tools = settings.tools(&request.tools)?;
    body.set_tools(
        tools,
        request,
        |name| json!({ "type": "function", "name": name }),
    );
    if let Some(schema) = &request.output_schema {
        let (schema, is_strict) = answer_schema(schema, settings.endpoint.is_openai());
        let format = json!({ "type": "json_schema", "name": "answer", "schema": schema, "strict": is_strict });
        body.set("text", json!({ "format": format }));
    }
    body.finish(&request.options.extra)
}

fn input(settings: &Settings, request: &ChatRequest) -> Result<Vec<String>, ModelError> {
    let messages = &request.messages;
    let deferred = settings.deferred(&request.deferred)?;
    let rules = MediaRules {
        images: settings.profile.images,
        files: |_| Ok(()),
    };
    let (mut ids, mut sent, mut known) = (CallIds::default(), Vec::new(), Vec::new());
    let format = settings.endpoint.kept_name(FORMAT);
    for (index, message) in messages.iter().enumerate() {
        let is_last = index + 1 == messages.len();
        match message.role {
            Role::Assistant => sent.extend(assistant(message, &mut ids, &format)),
            Role::User | Role::Tool => {
                let results = message.results().map(|result| ids.result(result));
                let results = openai::responses::results(&results.collect::<Vec<_>>());
                for (written, part) in results.into_iter().zip(message.results()) {
                    sent.push(with_media(written, part, rules)?);
                }
                let revealed = deferred
                    .as_ref()
                    .map(|deferred| deferred.revealed_by(message, &mut known));
                sent.extend(additional_tools(&revealed.unwrap_or_default()));
                let content = content(rules.of_message(message, is_last))?;
                if !content.is_empty() {
                    sent.push(json!({ "role": "user", "content": content }).to_string());
                }
            }
        }
    }
    Ok(sent)
}

/// Returns an item that adds tools at its place in the conversation.
fn additional_tools(tools: &[(&str, &DeferredForm)]) -> Option<String> {
    let forms: Vec<&str> = tools.iter().map(|(_, tool)| &*tool.json).collect();
    let forms = forms.join(",");
    (!tools.is_empty())
        .then(|| format!(r#"{{"type":"additional_tools","role":"developer","tools":[{forms}]}}"#))
}

/// Adds the images and files of an output to its written result.
fn with_media(written: String, part: &ResultPart, rules: MediaRules) -> Result<String, ModelError> {
    let media = rules.of_output(part);
    match Raw::parse(&written) {
        Ok(raw) if !media.is_empty() => {
            let parts = std::iter::once(TextPart::new(part.text()).into()).chain(media);
            let output = Value::from(content(parts)?).to_string();
            Ok(raw.with([("output", output)]))
        }
        _ => Ok(written),
    }
}

/// Returns the content of a user's message.
fn content(parts: impl IntoIterator<Item = MessagePart>) -> Result<Vec<Value>, ModelError> {
    let mut content = Vec::new();
    for part in parts {
        content.push(match part {
            MessagePart::Text(part) => json!({ "type": "input_text", "text": part.text }),
            MessagePart::Image(image) => {
                only_images(&image)?;
                let url = data_url(&image.media_type, &image.data);
                json!({ "type": "input_image", "image_url": url })
            }
            MessagePart::File(file) => {
                let data = data_url(&file.media_type, &file.data);
                json!({ "type": "input_file", "filename": file.name, "file_data": data })
            }
            _ => continue,
        });
    }
    Ok(content)
}

/// Returns the items of a model's message. Drops reasoning at the end, because OpenAI rejects reasoning that nothing follows.
fn assistant(message: &Message, ids: &mut CallIds, format: &str) -> Vec<String> {
    ids.begin();
    let (mut items, mut end) = (Vec::new(), 0);
    for part in &message.parts {
        let own = |item| own_item(item, format).map(|raw| raw.text().to_owned());
        let item = match part {
            MessagePart::Text(part) => own(part.item.as_ref()).or_else(|| text(&part.text)),
            MessagePart::Reasoning(part) => {
                items.extend(own(part.item.as_ref()));
                continue;
            }
            MessagePart::Call(part) => Some(call(part, ids, format)),
            MessagePart::Opaque(part) => own(Some(&part.item)),
            _ => None,
        };
        items.extend(item);
        end = items.len();
    }
    items.truncate(end);
    items
}

fn text(text: &str) -> Option<String> {
    let content = json!([{ "type": "output_text", "text": text }]);
    let message = json!({ "type": "message", "role": "assistant", "content": content });
    (!text.is_empty()).then(|| message.to_string())
}

fn call(part: &CallPart, ids: &mut CallIds, format: &str) -> String {
    let own = own_item(part.item.as_ref(), format);
    let id = ids.call(part, own.is_some());
    let arguments = sendable_arguments(&part.call.arguments);
    let Some(own) = own else {
        let name = &part.call.name;
        return json!({ "type": "function_call", "call_id": id, "name": name, "arguments": arguments }).to_string();
    };
    let mut changes = vec![("call_id", Value::from(id).to_string())];
    let written = own.get("arguments").and_then(Raw::string);
    if written.is_none_or(|written| sendable_arguments(&written) != written) {
        changes.push(("arguments", Value::from(arguments).to_string()));
    }
    own.with(changes)
}

#[cfg(test)]
mod tests {
    use super::super::BASE_URL;
    use super::*;
    use skill_agent_chat::ModelProfile;
    use skill_agent_models::Provider;

    #[test]
    fn openai_gets_a_strict_answer() {
        let profile = |_: &str, _: &str| ModelProfile::new(Provider::OPENAI_RESPONSES);
        let mut settings = Settings::new(String::new(), "m".to_owned(), BASE_URL, profile);
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        let mut request = ChatRequest::new(vec!["Hello?".into()]);
        request.output_schema = Some(schema.clone());
        let format = |settings: &Settings| {
            let body = body(settings, &request, true).unwrap();
            serde_json::from_str::<Value>(&body).unwrap()["text"]["format"].take()
        };
        let strict = format(&settings);
        assert_eq!(strict["strict"], true);
        assert_eq!(strict["schema"]["required"], json!(["a"]));
        settings.set_base_url("http://localhost".to_owned());
        let whole = format(&settings);
        assert_eq!(
            (&whole["strict"], &whole["schema"]),
            (&json!(false), &schema)
        );
    }
}
