//! Typed answers: schemas for the model, and parsing of its replies.

use super::{
    AnswerForm, CallPart, ChatError, ChatRequest, Message, TextPart, ToolChoice, Turn, texts,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, from_str, json};
use skill_agent_models::__private::{repair, without_nulls};
use skill_agent_models::Provider;
use skill_agent_server::BoxFuture;
use skill_agent_toolbox::ToolList;
use skill_core::ToolBuf;
use skill_core::schemars;
use skill_core::{Problem, StateError, process};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A type that [`Chat::ask`](super::Chat::ask) can return.
///
/// Implemented for every type that implements `Deserialize` and `JsonSchema`, so do not implement this trait yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer of a model: it lacks one or more derives",
    label = "cannot be read from JSON and described to a model",
    note = "the type of an answer needs `#[derive(Deserialize, JsonSchema)]`; `Deserialize` is that of serde 1, `JsonSchema` is that of schemars 1. A plain text is `chat.send(...)`, whose turn has `text()`"
)]
pub trait ModelAnswer: Sized {
    #[doc(hidden)]
    type Read: DeserializeOwned + JsonSchema;

    #[doc(hidden)]
    fn of(read: Self::Read) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ModelAnswer for T {
    type Read = T;

    fn of(read: T) -> T {
        read
    }
}

/// The future of a typed answer, returned by [`Chat::ask`](super::Chat::ask).
#[must_use = "a turn does nothing unless it is awaited"]
pub struct AnswerFuture<'a, T> {
    pub(super) turn: BoxFuture<'a, Result<(Arc<AnswerSpec>, Turn), ChatError>>,
    pub(super) read: fn(&AnswerSpec, &str) -> Result<T, StateError>,
}

impl<T> Future for AnswerFuture<'_, T> {
    type Output = Result<T, ChatError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (spec, turn) = ready!(self.turn.as_mut().poll(cx))?;
        let read = (self.read)(&spec, turn.text());
        Poll::Ready(read.map_err(ChatError::Answer))
    }
}

impl<T> fmt::Debug for AnswerFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerFuture").finish_non_exhaustive()
    }
}

/// How to ask the model for a typed answer, and how to read it.
pub(super) struct AnswerSpec {
    form: AnswerForm,
    /// The tool that delivers the answer, whose parameter schema is the schema of the answer or of its wrapper.
    tool: ToolBuf,
    /// The same schema in the provider's dialect.
    projected: Value,
    check: fn(&str, &Value) -> Result<(), StateError>,
    is_wrapped: bool,
    /// Whether to repair answers that do not fit the schema, where their meaning is clear.
    lenient: bool,
}

/// Wraps an answer whose schema is not an object, because providers accept only objects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrapped<T> {
    answer: T,
}

/// The name of the tool that delivers the answer, and of the wrapper's only field.
const TOOL: &str = "answer";

impl AnswerSpec {
    /// Creates the spec for answers of type `T`.
    pub(super) fn of<T: DeserializeOwned + JsonSchema>(
        form: AnswerForm,
        provider: Provider,
    ) -> Result<Self, ChatError> {
        let schema = process::type_schema::<T>();
        let is_wrapped = !is_object(&schema);
        let schema = if is_wrapped { wrapped(schema) } else { schema };
        Ok(Self {
            form,
            projected: provider.schema(&schema).map_err(ChatError::Schema)?,
            tool: ToolBuf::new(TOOL, "Give the answer, and end the conversation.", schema),
            check: if is_wrapped {
                |text, schema| process::read_typed::<Wrapped<T>>(text, schema).map(drop)
            } else {
                |text, schema| process::read_typed::<T>(text, schema).map(drop)
            },
            is_wrapped,
            lenient: true,
        })
    }

    /// Sets whether to repair answers that do not fit the schema.
    pub(super) fn lenient(self, lenient: bool) -> Self {
        Self { lenient, ..self }
    }

    /// Appends the schema to the user's message if no other part of the request contains it.
    pub(super) fn add_to(&self, message: &mut Message) {
        if self.form == AnswerForm::Prompt {
            let schema = &self.projected;
            let text = format!("Answer with JSON of this schema, and nothing else:\n{schema}");
            message.parts.push(TextPart::new(text).into());
        }
    }

    /// Sets the request's output schema, or requires a tool call.
    pub(super) fn prepare(&self, request: &mut ChatRequest) {
        match self.form {
            AnswerForm::Schema => request.output_schema = Some(self.projected.clone()),
            AnswerForm::Tool if request.tool_choice == ToolChoice::Auto => {
                request.tool_choice = ToolChoice::Required;
            }
            AnswerForm::Tool | AnswerForm::Prompt => {}
        }
    }

    /// Returns the tool that delivers the answer. Renames it if the list already has a tool with its name.
    pub(super) fn tool(&self, list: &ToolList) -> Option<ToolBuf> {
        if self.form != AnswerForm::Tool {
            return None;
        }
        let mut tool = self.tool.clone();
        while list
            .tools
            .iter()
            .any(|listed| listed.tool.name == tool.name)
        {
            tool.name.push('_');
        }
        Some(tool)
    }

    /// Returns whether the call delivers the answer.
    pub(super) fn is_given_by(&self, call: &CallPart, tools: &[ToolBuf]) -> bool {
        let own = tools.last().filter(|_| self.form == AnswerForm::Tool);
        own.is_some_and(|own| own.name == call.call.name)
    }

    /// Returns the answer's JSON if it fits the type.
    pub(super) fn checked(&self, text: &str) -> Result<String, StateError> {
        let (_, behind) = texts::split(text);
        if behind.trim().is_empty() {
            return Err(Problem::new("", "the answer is empty").into());
        }
        let whole = match self.checked_json(behind.trim()) {
            Ok(json) => return Ok(json),
            Err(error) => error,
        };
        let (mut fenced, mut errors) = (fences(behind), Vec::new());
        let found = fenced.find_map(|json| {
            let checked = self.checked_json(json);
            checked.map_err(|error| errors.push(error)).ok()
        });
        let found = found.or_else(|| self.bare(behind.trim()));
        // a model that writes a code fence puts the answer inside it, so report the error of the fence's content
        found.ok_or_else(|| errors.into_iter().next().unwrap_or(whole))
    }

    /// Reads an answer without its wrapper: a JSON value, or plain text for a string. Rejects objects: serde would read an object
    /// with a wrong wrapper as one without any fields.
    fn bare(&self, text: &str) -> Option<String> {
        if !self.is_wrapped || text.starts_with('{') {
            return None;
        }
        let wrapped = |value: &str| self.checked_json(&format!("{{\"{TOOL}\":{value}}}")).ok();
        let words = || wrapped(&Value::from(text).to_string());
        if is_words(text) {
            return words();
        }
        // `8080` may also be a string
        wrapped(text).or_else(|| words().filter(|_| !text.starts_with(['[', '"', '`'])))
    }

    /// Returns the error for the caller of `ask` if the model answered in prose instead of JSON.
    pub(super) fn in_words(text: &str) -> Option<StateError> {
        /// How much of the answer the error quotes at most, in characters.
        const MOST: usize = 80;
        let (_, behind) = texts::split(text);
        let words = behind.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.contains(['{', '[']) || words.is_empty() || !is_words(&words) {
            return None;
        }
        let shown = match words.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words,
        };
        let problem = format!("the model answered in words, not JSON: `{shown}`");
        Some(
            Problem::new("", problem)
                .with_help("`chat.send` gives the text")
                .into(),
        )
    }

    fn checked_json(&self, text: &str) -> Result<String, StateError> {
        // strict modes require every property, so a model with a strict schema writes `null` for omitted ones
        let schema = &self.tool.input_schema;
        let text = without_nulls(schema, text);
        let Err(error) = (self.check)(&text, schema) else {
            return Ok(text.into_owned());
        };
        let repaired = self.lenient.then(|| repair(schema, &text)).flatten();
        match repaired {
            Some(repaired) if (self.check)(&repaired.text, schema).is_ok() => {
                tracing::debug!(repairs = ?repaired.repairs, "an answer was repaired");
                Ok(repaired.text)
            }
            _ => Err(error),
        }
    }

    /// Deserializes a checked answer.
    pub(super) fn read<T: DeserializeOwned>(&self, text: &str) -> Result<T, StateError> {
        let schema = &self.tool.input_schema;
        if self.is_wrapped {
            process::read_typed::<Wrapped<T>>(text, schema).map(|wrapped| wrapped.answer)
        } else {
            process::read_typed(text, schema)
        }
    }

    /// Returns the message that tells the model what is wrong with its answer.
    pub(super) fn repair(&self, error: &StateError) -> Message {
        let how = match self.form {
            AnswerForm::Tool => "call the tool for the answer",
            AnswerForm::Schema | AnswerForm::Prompt => "answer with the corrected JSON alone",
        };
        format!("The answer does not fit: {error}\n\nAgain, {how}.").into()
    }
}

/// Returns whether the schema allows objects of only one kind, as providers require.
fn is_object(schema: &Value) -> bool {
    let has_choices = ["oneOf", "anyOf", "allOf"]
        .iter()
        .any(|key| schema.get(*key).is_some());
    schema.get("type").is_some_and(|kind| kind == "object") && !has_choices
}

/// Returns whether the text is prose: neither JSON nor an attempt to write JSON.
fn is_words(text: &str) -> bool {
    !text.starts_with(['{', '[', '"'])
        && !text.contains("```")
        && from_str::<IgnoredAny>(text).is_err()
}

fn wrapped(mut schema: Value) -> Value {
    // `$ref`s point to the definitions at the schema's root
    let definitions = schema
        .as_object_mut()
        .and_then(|schema| schema.remove("$defs"));
    let mut whole = json!({
        "type": "object",
        "properties": { TOOL: schema },
        "required": [TOOL],
        "additionalProperties": false,
    });
    if let Some(definitions) = definitions {
        whole["$defs"] = definitions;
    }
    whole
}

/// Iterates over the contents of Markdown code fences, even if the last fence is unclosed.
fn fences(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (_, behind) = text.split_once("```")?;
        let (_, within) = behind.split_once('\n')?;
        // JSON strings cannot contain raw line breaks, so a fence at the start of a line is never inside one
        let end = within.find("\n```").map(|end| end + 1);
        let end = end.or_else(|| within.rfind("```")).unwrap_or(within.len());
        text = within[end..].strip_prefix("```").unwrap_or_default();
        Some(within[..end].trim())
    })
}
