//! Typed answers: schemas for the model, and parsing of its replies.

mod read;

use super::model::{AskedAnswer, AskedForm};
use super::{AnswerForm, ChatError, Message, ModelProfile, TextPart, Turn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use skill_agent_server::BoxFuture;
use skill_core::ToolBuf;
use skill_core::schemars;
use skill_core::{StateError, process};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A type that [`Chat::ask`](super::Chat::ask) can return.
///
/// Every type that implements `Deserialize` and `JsonSchema` implements this trait. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer of a model: it lacks one or more derives",
    label = "cannot be read from JSON and described to a model",
    note = "the type of an answer needs `#[derive(Deserialize, JsonSchema)]`; `Deserialize` comes from serde 1, and `JsonSchema` from schemars 1. For a plain text, write `chat.send(...)`; its turn has `text()`"
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

/// How to ask the model for a typed answer, and how to read the answer.
pub(super) struct AnswerSpec {
    /// The form of the answer for each model that may answer, without repetitions.
    forms: Arc<[AskedForm]>,
    /// The tool that delivers the answer. Its input schema is the schema of the answer or of the wrapper.
    tool: ToolBuf,
    check: fn(&str, &Value) -> Result<(), StateError>,
    is_wrapped: bool,
    /// Whether to repair answers that do not fit the schema if their meaning is clear.
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
    /// Creates the spec for answers of type `T` by models with this profile.
    pub(super) fn of<T: DeserializeOwned + JsonSchema>(
        profile: &ModelProfile,
    ) -> Result<Self, ChatError> {
        let schema = process::type_schema::<T>();
        let is_wrapped = !is_object(&schema);
        let schema = if is_wrapped { wrapped(schema) } else { schema };
        let mut forms: Vec<AskedForm> = Vec::new();
        for model in profile.models() {
            if !forms.iter().any(|form| form.is_for(model)) {
                let projected = model.provider.schema(&schema);
                forms.push(AskedForm {
                    form: model.answer_form,
                    provider: model.provider,
                    schema: projected.map_err(ChatError::Schema)?,
                });
            }
        }
        Ok(Self {
            forms: forms.into(),
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

    /// Appends the schema to the user's message if a model has the form [`AnswerForm::Prompt`].
    pub(super) fn add_to(&self, message: &mut Message) {
        let is_prompt = |form: &&AskedForm| form.form == AnswerForm::Prompt;
        if let Some(form) = self.forms.iter().find(is_prompt) {
            let schema = &form.schema;
            let text = format!("Answer with JSON of this schema, and nothing else:\n{schema}");
            message.parts.push(TextPart::new(text).into());
        }
    }

    /// Returns the typed answer for requests with the session's tools, `listed`. `taken` are the names of all tools.
    pub(super) fn asked(&self, listed: Arc<[ToolBuf]>, taken: &[&str]) -> AskedAnswer {
        AskedAnswer::new(Arc::clone(&self.forms), &self.tool, listed, taken)
    }

    /// Returns the message that tells the model what is wrong with its answer.
    pub(super) fn repair(&self, error: &StateError) -> Message {
        let is_tool = |form: &AskedForm| form.form == AnswerForm::Tool;
        let how = if self.forms.iter().all(is_tool) {
            "call the tool for the answer"
        } else {
            "answer with the corrected JSON alone"
        };
        format!("The answer does not fit: {error}\n\nAgain, {how}.").into()
    }
}

/// Returns whether the schema describes an object without alternatives (`oneOf`, `anyOf` or `allOf`), as providers require.
fn is_object(schema: &Value) -> bool {
    let has_choices = ["oneOf", "anyOf", "allOf"]
        .iter()
        .any(|key| schema.get(*key).is_some());
    schema.get("type").is_some_and(|kind| kind == "object") && !has_choices
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
