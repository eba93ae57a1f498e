//! Converts requests to `genai` types.

use std::collections::HashMap;
use std::time::Duration;

use genai::ModelIden;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest as Request, ContentPart, JsonSpec, MessageContent, Tool,
    ToolCall, ToolChoice as Choice, ToolResponse,
};
use serde_json::{Map, Value, from_str, json};

use super::kept;
use super::wire::{Wire, is_openai, reads_reasoning, sends_extra};
use crate::format::media::{MediaRules, only_images, only_pdf, only_texts_and_pdf};
use crate::format::sent_tools;
use crate::format::{CallIds, answer_schema, check_extra, sendable_arguments};
use skill_agent_chat::{
    CallPart, ChatRequest, Message, MessagePart, ModelError, ModelProfile, ResultPart, Role,
    ToolChoice,
};
use skill_agent_models::Provider;
use skill_core::ToolBuf;

/// Converts the tools, with schemas in the provider's dialect.
pub(super) fn tools(provider: Provider, list: &[ToolBuf]) -> Result<Vec<Tool>, ModelError> {
    let json = sent_tools::json(provider, list)?;
    let tools: Vec<Value> = from_str(&json).map_err(malformed)?;
    let shape = provider.shape;
    let tool = |mut tool: Value| {
        let mut parts = match shape.wrapper {
            Some(wrapper) => tool[wrapper].take(),
            None => tool,
        };
        let text = |parts: &Value, key: &str| parts[key].as_str().unwrap_or_default().to_owned();
        let mut tool = Tool::new(text(&parts, "name"));
        tool.description = Some(text(&parts, "description"));
        tool.schema = Some(parts[shape.schema].take()).filter(|schema| !schema.is_null());
        tool.strict = shape.strict;
        tool
    };
    Ok(tools.into_iter().map(tool).collect())
}

/// Converts the conversation.
pub(super) fn request(
    model: &ModelIden,
    profile: &ModelProfile,
    request: &ChatRequest,
    tools: Option<&Vec<Tool>>,
) -> Result<Request, ModelError> {
    let wire = Wire::of(model);
    if wire == Wire::Cohere && !request.tools.is_empty() {
        let message = "the adapter of `genai` for Cohere sends no tools";
        return Err(ModelError::Request(message.to_owned()));
    }
    let mut conversation = Conversation {
        wire,
        reads_reasoning: reads_reasoning(model),
        format: kept::format(model.adapter_kind),
        ids: CallIds::default(),
        made_ids: HashMap::new(),
        messages: Vec::new(),
    };
    let rules = MediaRules {
        images: profile.images,
        files: match wire {
            Wire::Gemini | Wire::Interactions => only_texts_and_pdf,
            _ => only_pdf,
        },
    };
    for (index, message) in request.messages.iter().enumerate() {
        let is_last = index + 1 == request.messages.len();
        conversation.add(message, is_last, rules)?;
    }
    let mut sent = Request::new(conversation.messages);
    sent.system = Some(request.system_text()).filter(|system| !system.trim().is_empty());
    sent.tools = tools.cloned();
    Ok(sent)
}

/// The messages converted so far.
struct Conversation {
    wire: Wire,
    reads_reasoning: bool,
    /// The name of the adapter's kept items.
    format: String,
    ids: CallIds,
    /// Maps the ids from `ids` to generated ids, for Gemini's calls without an id. `genai` recognizes generated ids by their form
    /// and does not send them.
    made_ids: HashMap<String, String>,
    messages: Vec<ChatMessage>,
}

impl Conversation {
    fn add(
        &mut self,
        message: &Message,
        is_last: bool,
        rules: MediaRules,
    ) -> Result<(), ModelError> {
        if message.role == Role::Assistant {
            return self.add_completion(message);
        }
        let results = message.results().map(|result| self.result(result));
        let results: Vec<ToolResponse> = results.collect();
        if self.wire == Wire::Ollama {
            // this adapter sends only the last result in a message, so each result gets its own message
            let messages = results.into_iter().map(ChatMessage::from);
            self.messages.extend(messages);
        } else if !results.is_empty() {
            self.messages.push(ChatMessage::from(results));
        }
        // a result in `genai` contains only text
        let media = message.results().flat_map(|part| rules.of_output(part));
        let parts = media.chain(rules.of_message(message, is_last));
        let parts = parts.filter_map(|part| said(part).transpose());
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        if !parts.is_empty() {
            let content = MessageContent::from_parts(parts);
            self.messages.push(ChatMessage::user(content));
        }
        Ok(())
    }

    /// Adds a model's message, unless it has neither text nor calls, because providers reject such messages.
    fn add_completion(&mut self, message: &Message) -> Result<(), ModelError> {
        self.ids.begin();
        let (mut parts, mut is_said) = (Vec::new(), false);
        for part in &message.parts {
            match part {
                // Anthropic rejects empty strings
                MessagePart::Text(text) if !text.text.trim().is_empty() => {
                    is_said = true;
                    parts.push(ContentPart::Text(text.text.clone()));
                }
                MessagePart::Reasoning(text) if self.reads_reasoning => {
                    let own = kept::parts(text.item.as_ref(), &self.format);
                    parts.extend(own.unwrap_or_default());
                }
                MessagePart::Call(call) => {
                    is_said = true;
                    parts.push(ContentPart::ToolCall(self.call(call)?));
                }
                _ => {}
            }
        }
        if is_said {
            let content = MessageContent::from_parts(parts);
            self.messages.push(ChatMessage::assistant(content));
        }
        Ok(())
    }

    fn call(&mut self, part: &CallPart) -> Result<ToolCall, ModelError> {
        let own = kept::parts(part.item.as_ref(), &self.format);
        let mut call_id = self.ids.call(part, own.is_some());
        let has_id = part.call.id.as_ref().is_some_and(|id| !id.is_empty());
        if self.wire == Wire::Gemini && !has_id {
            let made_id = format!("call#{}#{}", part.call.name, self.made_ids.len());
            self.made_ids.insert(call_id, made_id.clone());
            call_id = made_id;
        }
        let signature = |part| match part {
            ContentPart::ThoughtSignature(signature) => Some(signature),
            _ => None,
        };
        let signatures = own.into_iter().flatten().filter_map(signature);
        let signatures = Some(signatures.collect::<Vec<_>>());
        Ok(ToolCall {
            call_id,
            fn_name: part.call.name.clone(),
            fn_arguments: from_str(&sendable_arguments(&part.call.arguments)).map_err(malformed)?,
            thought_signatures: signatures.filter(|signatures| !signatures.is_empty()),
        })
    }

    fn result(&mut self, part: &ResultPart) -> ToolResponse {
        let result = self.ids.result(part);
        let content = result.marked_content();
        let id = result.id.unwrap_or_default();
        let id = self.made_ids.get(&id).cloned().unwrap_or(id);
        ToolResponse::new(id, content).with_fn_name(result.name)
    }
}

/// Converts a part of a user's message.
fn said(part: MessagePart) -> Result<Option<ContentPart>, ModelError> {
    Ok(match part {
        MessagePart::Text(text) => Some(ContentPart::Text(text.text)),
        MessagePart::Image(image) => {
            only_images(&image)?;
            let part = ContentPart::from_binary_base64(image.media_type, image.data, None);
            Some(part)
        }
        MessagePart::File(file) => {
            let name = Some(file.name);
            let part = ContentPart::from_binary_base64(file.media_type, file.data, name);
            Some(part)
        }
        _ => None,
    })
}

/// Merges the options of a request into the model's options.
pub(super) fn options(
    mut options: ChatOptions,
    idle_time: Duration,
    model: &ModelIden,
    request: &ChatRequest,
) -> Result<ChatOptions, ModelError> {
    let wire = Wire::of(model);
    options.temperature = request.options.temperature.or(options.temperature);
    options.max_tokens = request.options.max_tokens.or(options.max_tokens);
    options.stream_header_timeout.get_or_insert(idle_time);
    options.stream_read_timeout.get_or_insert(idle_time);
    options.capture_usage = Some(true);
    options.capture_tool_calls = Some(wire.collects_calls());
    // Gemini sends signatures even without this option, and Gemini models without thinking reject the option
    if !matches!(wire, Wire::Gemini | Wire::Interactions) {
        options.capture_reasoning_content.get_or_insert(true);
    }
    let mut body = match options.extra_body.take() {
        None => Map::new(),
        Some(Value::Object(body)) => body,
        Some(_) => return Err(ModelError::Request("`extra_body` is no object".to_owned())),
    };
    if request.tools.is_empty() {
        // providers reject a tool choice without tools
        options.tool_choice = None;
    } else {
        options.tool_choice = choice(&request.tool_choice).or(options.tool_choice);
        let parallel = request.parallel_calls;
        let parallel = parallel.filter(|_| matches!(wire, Wire::ChatCompletions | Wire::Responses));
        if let Some(parallel) = parallel {
            body.insert("parallel_tool_calls".to_owned(), parallel.into());
        }
    }
    if let Some(schema) = &request.output_schema {
        // `genai` would mark every schema as strict and rewrite it, so OpenAI's formats get the schema as an extra field of the
        // body
        let format = || {
            let (schema, is_strict) = answer_schema(schema, is_openai(model));
            json!({ "name": "answer", "schema": schema, "strict": is_strict })
        };
        match wire {
            Wire::ChatCompletions => {
                let format = json!({ "type": "json_schema", "json_schema": format() });
                body.insert("response_format".to_owned(), format);
            }
            Wire::Responses => {
                let mut format = format();
                format["type"] = "json_schema".into();
                body.insert("text".to_owned(), json!({ "format": format }));
            }
            _ => options.response_format = Some(JsonSpec::new("answer", schema.clone()).into()),
        }
    }
    let extra = &request.options.extra;
    check_extra(extra, |name| match name {
        "tools" => !request.tools.is_empty(),
        "tool_choice" => options.tool_choice.is_some(),
        "system" => !request.system.is_empty() && matches!(wire, Wire::Anthropic | Wire::Several),
        "instructions" => {
            !request.system.is_empty() && matches!(wire, Wire::Responses | Wire::Several)
        }
        "input" => matches!(wire, Wire::Responses | Wire::Interactions | Wire::Several),
        "messages" => !matches!(wire, Wire::Responses | Wire::Gemini | Wire::Interactions),
        "contents" => matches!(wire, Wire::Gemini),
        _ => true,
    })?;
    body.extend(extra.clone());
    if !body.is_empty() {
        if !sends_extra(model) {
            return Err(ModelError::Request(format!(
                "the adapter of `genai` for {} sends no further fields of a body",
                model.adapter_kind
            )));
        }
        options.extra_body = Some(body.into());
    }
    Ok(options)
}

fn choice(choice: &ToolChoice) -> Option<Choice> {
    Some(match choice {
        ToolChoice::Auto => return None,
        ToolChoice::Required => Choice::Required,
        ToolChoice::None => Choice::None,
        ToolChoice::Tool(name) => Choice::tool(name.as_str()),
    })
}

fn malformed(error: serde_json::Error) -> ModelError {
    ModelError::Request(error.to_string())
}
