//! The interface of the formats of providers.

use std::collections::HashSet;

use serde_json::{Map, Value, from_str, json};

use super::clues::Api;
use super::decoder;
use skill_agent_chat::__private::WholeCompletion;
use skill_agent_chat::{CallPart, KeptItem, ModelEvent, ResultPart};
use skill_agent_models::__private::Place;
use skill_agent_models::__private::{Kind, Raw};
use skill_agent_models::{CompletionError, Provider, ToolResult};

/// A format in which a provider writes completions.
pub(super) trait Format: Send + Sync + 'static {
    /// Assembles one completion from the events of a stream.
    type Assembly: Assembly;
    /// The API that has it.
    const API: Api;

    /// Reads the JSON of a completion. The items of its parts are what [`KeptItem`] calls the provider's.
    fn completion(text: &str) -> Result<WholeCompletion, CompletionError>;
}

/// Makes the JSON of a completion, as the server sends it at once, from the events of a stream.
pub(super) trait Assembly: Default + Send + 'static {
    /// Takes the JSON of an event, and appends the pieces that can be shown.
    fn take(
        &mut self,
        event: Raw<'_>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<Taken, CompletionError>;

    /// The completion, or nothing if it was cut off: the stream has not said why the model stopped, and has not come to its last event
    /// behind a completion that is whole.
    fn finish(self, has_last: bool) -> Option<String>;
}

/// Why the model stopped; nothing in a word that says so.
pub(super) fn reason_to_stop(
    object: &Place<'_>,
    key: &str,
) -> Result<Option<String>, CompletionError> {
    let reason = object.text_or_empty(key)?;
    Ok(Some(reason).filter(|reason| !matches!(reason.as_str(), "" | "null")))
}

/// The most calls, blocks or items of one completion.
const MAX_ITEMS: usize = 4096;

/// Refuses a completion without end.
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

/// Refuses a completion that no history can have.
pub(super) fn checked(completion: WholeCompletion) -> Result<WholeCompletion, CompletionError> {
    bounded(completion.parts.len(), "")?;
    if completion.calls().all(|call| !call.call.name.is_empty()) {
        return Ok(completion);
    }
    Err(CompletionError::Malformed {
        path: String::new(),
        expected: "calls with names",
        found: "one without",
    })
}

/// The state of a stream after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It goes on.
    More,
    /// It has ended.
    Last,
    /// The event is an error of the provider.
    Failure,
}

/// Whether the arguments of a call come once more, as some servers send them at its end.
pub(super) fn are_repeated(known: &str, new: &str) -> bool {
    // escapes make a text at most six times longer; a short piece is not worth the comparison with a long text
    let is_similar = new.len().saturating_mul(8) >= known.len();
    let read = |text: &str| from_str::<Value>(text).ok();
    is_similar && read(new).is_some_and(|new| read(known) == Some(new))
}

/// The item of a part, if it was written in this format.
pub(super) fn own_item<'a>(item: Option<&'a KeptItem>, format: &str) -> Option<Raw<'a>> {
    let item = item.filter(|item| item.provider == format)?;
    Raw::parse(&item.json).ok()
}

/// The body of a request: fields and their JSON. Later fields replace earlier ones of the same name.
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

    /// The text, with the further fields of the program.
    pub(super) fn finish(mut self, extra: &Map<String, Value>) -> String {
        for (name, value) in extra {
            self.set_json(name, value.to_string());
        }
        object(&self.0)
    }
}

/// The text of an object.
pub(super) fn object(fields: &[(String, String)]) -> String {
    let field = |(name, json): &(String, String)| format!("{}:{json}", Value::from(name.as_str()));
    let fields = fields.iter().map(field).collect::<Vec<_>>();
    format!("{{{}}}", fields.join(","))
}

/// The arguments of a call as they go back. Servers refuse a conversation with malformed ones, or fail; this form is the one that
/// Anthropic documents for them.
pub(super) fn sendable_arguments(arguments: &str) -> String {
    let is_object = |raw: Raw<'_>| raw.kind() == Kind::Object;
    if Raw::parse(arguments).is_ok_and(is_object) {
        return arguments.to_owned();
    }
    json!({ "INVALID_JSON": arguments }).to_string()
}

/// The schema of an answer as a server gets it, and whether it is strict. OpenAI enforces a schema only in its strict mode; one that the mode
/// cannot express is not enforced, and repaired if need be. Other servers enforce all of a schema, or none.
pub(super) fn answer_schema(schema: &Value, is_openai: bool) -> (Value, bool) {
    match Provider::OPENAI_STRICT.schema(schema) {
        Ok(strict) if is_openai => (strict, true),
        strict => {
            let is_strict = strict.is_ok_and(|strict| strict == *schema);
            (decoder::bounded(schema.clone()), is_strict)
        }
    }
}

/// The ids of calls in a request. Those of a provider may repeat, which it refuses in a request, or be missing.
#[derive(Debug, Default)]
pub(super) struct CallIds {
    used: HashSet<String>,
    /// The calls of the last message with calls.
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
    /// Begins a message of the model.
    pub(super) fn begin(&mut self) {
        self.open.clear();
    }

    /// The id under which a call is sent: the provider's if it can be, otherwise one that is made of the number of the call, which is
    /// the same in the next request.
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

    /// A result under the id of its call.
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

/// Whether every provider takes an id: Mistral takes only nine letters and digits.
fn is_portable(id: &str) -> bool {
    id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
