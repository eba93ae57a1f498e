//! Traits and helper functions that all formats of the providers use.

pub(crate) mod completion;
pub(crate) mod decoder;
pub(crate) mod media;
pub(crate) mod sent_tools;
pub(crate) mod usage;

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value, from_str, json};

use crate::failure::clues::Api;
use skill_agent_chat::{
    CallPart, ChatRequest, KeptItem, ModelError, ModelEvent, ResultPart, ToolChoice,
};
use skill_agent_models::__private::Place;
use skill_agent_models::__private::{Kind, Raw};
use skill_agent_models::{CompletionError, Provider, ToolResult};

/// A format of completions.
pub(super) trait Format: Send + Sync + 'static {
    /// Assembles a completion from the events of a stream.
    type Assembly: Assembly;
    /// The API that uses this format.
    const API: Api;
    /// Whether the pieces of a stream are shown as they arrive.
    const SHOWS_PIECES: bool = true;

    /// Reads the [events](completion::events) of a completion from JSON. Each part that is more than plain text keeps the
    /// provider's JSON as a [`KeptItem`].
    fn completion(text: &str) -> Result<Vec<ModelEvent>, CompletionError>;
}

/// Assembles the events of a stream into the JSON that the server would send without streaming.
pub(super) trait Assembly: Default + Send + 'static {
    /// Processes the JSON of an event, and appends the pieces to show.
    fn take(
        &mut self,
        event: Raw<'_>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<Taken, CompletionError>;

    /// Returns the completion, or `None` if it was cut off. `has_last` says whether the stream's last event has arrived. Most
    /// formats accept a completion if the stream said why the model stopped, or if the last event followed a complete message.
    fn finish(self, has_last: bool) -> Option<String>;
}

/// Returns why the model stopped, or `None` if the reason is missing, empty or the word `null`.
pub(super) fn reason_to_stop(
    object: &Place<'_>,
    key: &str,
) -> Result<Option<String>, CompletionError> {
    let reason = object.text_or_empty(key)?;
    Ok(Some(reason).filter(|reason| !matches!(reason.as_str(), "" | "null")))
}

/// The maximum number of calls, blocks or items in one completion.
const MAX_ITEMS: usize = 4096;

/// Returns an error if a completion has too many entries.
pub(super) fn bounded(count: usize, path: &str) -> Result<(), CompletionError> {
    if count <= MAX_ITEMS {
        return Ok(());
    }
    Err(CompletionError::Malformed {
        path: path.to_owned(),
        expected: "at most 4096 entries",
        found: "more",
    })
}

/// How a stream continues after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// More events follow.
    More,
    /// This was the last event.
    Last,
    /// The event is an error from the provider.
    Failure,
}

/// Returns whether `new` is the same JSON value as a call's arguments so far. Some servers repeat the arguments at the end of a
/// call.
pub(super) fn are_repeated(known: &str, new: &str) -> bool {
    // escapes make text at most six times longer, so a much shorter piece cannot be a repetition
    let is_similar = new.len().saturating_mul(8) >= known.len();
    let read = |text: &str| from_str::<Value>(text).ok();
    is_similar && read(new).is_some_and(|new| read(known) == Some(new))
}

/// Returns the JSON of a part's item if the item has this format.
pub(super) fn own_item<'a>(item: Option<&'a KeptItem>, format: &str) -> Option<Raw<'a>> {
    let item = item.filter(|item| item.provider == format)?;
    Raw::parse(&item.json).ok()
}

/// The body of a request: fields with their JSON. A later field replaces an earlier one with the same name.
#[derive(Debug, Default)]
pub(super) struct Body(Vec<(String, String)>);

impl Body {
    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.set_json(name, value.into().to_string());
    }

    pub(super) fn set_json(&mut self, name: &str, json: String) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = json,
            None => self.0.push((name.to_owned(), json)),
        }
    }

    pub(super) fn set_list(&mut self, name: &str, items: &[String]) {
        self.set_json(name, format!("[{}]", items.join(",")));
    }

    /// Sets OpenAI's fields for tools. `named` returns the `tool_choice` that requires one tool.
    pub(super) fn set_tools(
        &mut self,
        tools: Option<Arc<String>>,
        request: &ChatRequest,
        named: fn(&str) -> Value,
    ) {
        let Some(tools) = tools else { return };
        self.set_json("tools", tools.to_string());
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::Required => self.set("tool_choice", "required"),
            ToolChoice::None => self.set("tool_choice", "none"),
            ToolChoice::Tool(name) => self.set("tool_choice", named(name)),
        }
        if let Some(parallel) = request.parallel_calls {
            self.set("parallel_tool_calls", parallel);
        }
    }

    /// Returns the body as JSON text, including the extra fields of the request's options.
    ///
    /// # Errors
    /// Returns an error if an extra field would replace a field of the chat, such as the messages or the tools.
    pub(super) fn finish(mut self, extra: &Map<String, Value>) -> Result<String, ModelError> {
        check_extra(extra, |name| self.0.iter().any(|(known, _)| known == name))?;
        for (name, value) in extra {
            self.set_json(name, value.to_string());
        }
        Ok(object(&self.0))
    }
}

/// The fields that an extra field must not replace, in all formats: their names, their content, and the advice for the error
/// message.
const OF_CHAT: [(&[&str], &str, &str); 5] = [
    (
        &["tools"],
        "the tools of the toolbox",
        "add a tool to the toolbox as a `ToolSource`; only a chat whose toolbox has no tools can have tools of the provider",
    ),
    (
        &["tool_choice"],
        "the choice of the chat",
        "leave it out, and write `ChatBuilder::tool_choice`",
    ),
    (
        &["messages", "input", "contents"],
        "the conversation",
        "leave it out, and write `ChatBuilder::history` for earlier messages",
    ),
    (
        &["system", "instructions"],
        "the system text of the chat, with the instructions of its skills",
        "leave it out, and write `ChatBuilder::system`",
    ),
    (
        &["model"],
        "the name of the model",
        "leave it out, and write the name where the model is made",
    ),
];

/// Checks that no extra field replaces a field of [`OF_CHAT`]. `is_written` returns whether the request itself has a field.
pub(super) fn check_extra(
    extra: &Map<String, Value>,
    is_written: impl Fn(&str) -> bool,
) -> Result<(), ModelError> {
    for name in extra.keys().filter(|name| is_written(name)) {
        let of_chat = OF_CHAT
            .iter()
            .find(|(names, ..)| names.contains(&name.as_str()));
        if let Some((_, what, instead)) = of_chat {
            return Err(ModelError::Request(format!(
                "`RequestOptions::extra(\"{name}\", ...)` would replace {what}; {instead}"
            )));
        }
    }
    Ok(())
}

/// Returns a JSON object as text.
pub(super) fn object(fields: &[(String, String)]) -> String {
    let field = |(name, json): &(String, String)| format!("{}:{json}", Value::from(name.as_str()));
    let fields = fields.iter().map(field).collect::<Vec<_>>();
    format!("{{{}}}", fields.join(","))
}

/// Returns arguments in a form that servers accept. Wraps malformed arguments in the object that Anthropic documents for this case,
/// because servers would reject the conversation or fail.
pub(super) fn sendable_arguments(arguments: &str) -> String {
    let is_object = |raw: Raw<'_>| raw.kind() == Kind::Object;
    if Raw::parse(arguments).is_ok_and(is_object) {
        return arguments.to_owned();
    }
    json!({ "INVALID_JSON": arguments }).to_string()
}

/// Returns the schema to send for an answer, and whether it is strict. OpenAI enforces schemas only in strict mode. A schema that
/// strict mode cannot express is sent without enforcement, and the answer is repaired if necessary. Other servers enforce the whole
/// schema or none of it, so they get the schema unchanged apart from integer bounds.
pub(super) fn answer_schema(schema: &Value, is_openai: bool) -> (Value, bool) {
    match Provider::OPENAI_STRICT.schema(schema) {
        Ok(strict) if is_openai => (strict, true),
        strict => {
            let is_strict = strict.is_ok_and(|strict| strict == *schema);
            (decoder::bounded(schema.clone()), is_strict)
        }
    }
}

/// The ids of calls in a request. Providers reject requests with repeated ids, although their own completions may repeat or omit
/// ids.
#[derive(Debug, Default)]
pub(super) struct CallIds {
    used: HashSet<String>,
    /// The calls of the model's latest message.
    open: Vec<OpenCall>,
}

#[derive(Debug)]
struct OpenCall {
    id: String,
    provider_id: Option<String>,
    sent: String,
    has_result: bool,
}

impl CallIds {
    /// Starts a model's message.
    pub(super) fn begin(&mut self) {
        self.open.clear();
    }

    /// Returns the id to send for a call: the provider's own id if possible, otherwise an id generated from the call's number.
    /// Later requests with the same history get the same ids.
    pub(super) fn call(&mut self, part: &CallPart, is_own: bool) -> String {
        let provider_id = part.call.id.clone().filter(|id| !id.is_empty());
        let fits = |id: &String| !self.used.contains(id) && (is_own || is_portable(id));
        let sent = provider_id.clone().filter(fits).unwrap_or_else(|| {
            let made = (self.used.len()..).map(|number| format!("call{number:05}"));
            let mut unused = made.filter(|id| !self.used.contains(id));
            unused.next().unwrap_or_default()
        });
        self.used.insert(sent.clone());
        self.open.push(OpenCall {
            id: part.id.clone(),
            provider_id,
            sent: sent.clone(),
            has_result: false,
        });
        sent
    }

    /// Returns a result with the id that was sent for its call.
    pub(super) fn result(&mut self, part: &ResultPart) -> ToolResult {
        let mut result = part.to_tool_result();
        let provider_id = part.provider_id.as_ref().filter(|id| !id.is_empty());
        let is_its_call = |call: &&mut OpenCall| {
            let by_id = !part.id.is_empty() && call.id == part.id;
            let by_provider = call.id.is_empty() && call.provider_id.as_ref() == provider_id;
            !call.has_result && (by_id || by_provider)
        };
        if let Some(call) = self.open.iter_mut().find(is_its_call) {
            call.has_result = true;
            result.id = Some(call.sent.clone());
        }
        result
    }
}

/// Returns whether every provider accepts the id. Mistral is the strictest: it requires exactly nine letters or digits.
fn is_portable(id: &str) -> bool {
    id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
