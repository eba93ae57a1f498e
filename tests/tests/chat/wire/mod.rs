//! A bench from the wire to the history: responses of providers go over HTTP through a model into a chat with tools.
//!
//! A row is a name, a format, the text on the wire and what a user then sees: the text of the turn, the parts in the history, the
//! message in the next request, and a typed answer. A new fault of this kind is one more row.

mod anthropic;
mod calls;
mod chat_completions;
mod cuts;
mod ends;
mod genai;
mod kept;
mod met_by_others;
mod responses;
pub mod wires;

use crate::support::{Assistant, assert_whole, server, stored};
use model_server::{Response, Server};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use skill_agent::chat::genai::adapter::AdapterKind;
use skill_agent::chat::genai::resolver::{AuthData, Endpoint};
use skill_agent::chat::genai::{ModelIden, ServiceTarget};
use skill_agent::chat::{
    self, Chat, ChatBuilder, ChatModel, Event, GenAi, MessagePart, OpenAi, OpenAiResponses,
    Retries, Role, Stop,
};
use skill_agent::prelude::AgentServer;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use wires::Wire;

/// The model that reads a response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    ChatCompletions,
    Responses,
    Anthropic,
    GenAi(AdapterKind),
}

/// A response, and what a user sees of it.
pub struct Row {
    name: String,
    format: Format,
    wire: Wire,
    parts: Vec<String>,
    /// The message in the next request; `null` if there is none.
    sent: Value,
    end: Result<Stop, String>,
}

/// A row that expects no message and an answer.
pub fn row(name: &str, format: Format, wire: Wire) -> Row {
    Row {
        name: name.to_owned(),
        format,
        wire,
        parts: Vec::new(),
        sent: Value::Null,
        end: Ok(Stop::Answered),
    }
}

impl Row {
    /// The row that expects these parts in the history, such as `text Noted.` or `call add_note {"text":"a"}`.
    pub fn parts(mut self, parts: &[&str]) -> Self {
        self.parts = parts.iter().map(|&part| part.to_owned()).collect();
        self
    }

    /// The row that expects this message in the next request.
    pub fn sent(mut self, sent: Value) -> Self {
        self.sent = sent;
        self
    }

    /// The row whose turn ends otherwise.
    pub fn stop(mut self, stop: Stop) -> Self {
        self.end = Ok(stop);
        self
    }

    /// The row whose turn fails with this text in the error.
    pub fn fails(mut self, error: &str) -> Self {
        self.end = Err(error.to_owned());
        self
    }
}

/// The text of the rows, in whose place a typed answer can be.
const TEXT: &str = "Noted.";

/// A typed answer.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Visit {
    city: String,
}

/// Runs all rows, and fails with those that differ.
pub async fn check(rows: Vec<Row>) {
    let agent = server().await;
    let mut failed = Vec::new();
    for row in rows {
        let checked = row.check(&agent).await;
        let outcome = match &checked {
            Ok(()) => "right",
            Err(problem) => problem,
        };
        println!("| {} | {} |", row.name, outcome.replace('\n', " "));
        failed.extend(
            checked
                .map_err(|problem| format!("{}: {problem}", row.name))
                .err(),
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

impl Row {
    async fn check(&self, agent: &AgentServer<Assistant>) -> Result<(), String> {
        let models = Server::start(self.responses(&self.wire)).await;
        let mut chat = self.chat(&models, agent);
        let ended = self.turn(&mut chat).await;
        if ended != self.end && !is_expected_error(&ended, &self.end) {
            return Err(format!("ended with {ended:?}, not {:?}", self.end));
        }
        if ended.is_err() {
            let history = chat.history();
            return same("the history", &history.len(), &0);
        }
        assert_whole(chat.history());
        same(
            "a stored history",
            &stored(chat.history()),
            &chat.history().to_vec(),
        )?;
        chat.send("And now?")
            .await
            .map_err(|error| error.to_string())?;
        same(
            "the message sent",
            &sent(self.format, &models.body()),
            &self.sent,
        )?;
        self.check_kept().await?;
        self.ask(agent).await
    }

    /// Sends a message, and looks at its turn.
    async fn turn(&self, chat: &mut Chat) -> Result<Stop, String> {
        let mut stream = chat.stream("Hello?");
        let (mut shown, mut thought, mut is_shown, mut called) =
            (String::new(), String::new(), true, Vec::new());
        let turn = loop {
            match stream.next().await.unwrap() {
                Ok(Event::Text(text)) if is_shown => shown += &text,
                Ok(Event::Reasoning(text)) if is_shown => thought += &text,
                Ok(Event::Called(call)) => called.push(call.name),
                Ok(Event::StepEnd(_)) => is_shown = false,
                Ok(Event::Done(turn)) => break turn,
                Ok(_) => {}
                Err(error) => return Err(error.to_string()),
            }
        };
        drop(stream);
        let message = chat
            .history()
            .get(1)
            .filter(|message| message.role == Role::Assistant);
        let parts: Vec<String> = message
            .iter()
            .flat_map(|message| message.parts.iter().map(short))
            .collect();
        same("the parts", &parts, &self.parts)?;
        let of = |kind: &str| {
            let texts = parts.iter().filter_map(|part| part.strip_prefix(kind));
            texts.collect::<String>()
        };
        same("the text shown", &shown, &of("text "))?;
        same("the reasoning shown", &thought, &of("reasoning "))?;
        let calls: Vec<&str> = message
            .iter()
            .flat_map(|message| message.calls().map(|call| &*call.call.name))
            .collect();
        same("the calls run", &called, &calls)?;
        let text = if calls.is_empty() || turn.stop != Stop::Answered {
            shown
        } else {
            "Done.".to_owned()
        };
        same("the text of the turn", &turn.text(), &&*text)?;
        Ok(turn.stop)
    }

    /// Asks for a typed answer, which is in the place of the text.
    async fn ask(&self, agent: &AgentServer<Assistant>) -> Result<(), String> {
        let is_text = |part: &&String| part.starts_with("text ") || part.starts_with("call ");
        let has_text_alone = self
            .parts
            .iter()
            .filter(is_text)
            .eq([&format!("text {TEXT}")]);
        let has_schema = !matches!(self.format, Format::GenAi(kind) if kind != AdapterKind::OpenAI && kind != AdapterKind::OpenAIResp);
        let Some(wire) = self
            .wire
            .with_answer(r#"{"city":"Rome"}"#)
            .filter(|_| has_text_alone && has_schema && self.end == Ok(Stop::Answered))
        else {
            return Ok(());
        };
        let models = Server::start(self.responses(&wire)).await;
        let mut chat = self.chat(&models, agent);
        let visit = chat.ask::<Visit>("Where?").await;
        let city = "Rome".to_owned();
        same(
            "the typed answer",
            &visit.map_err(|error| error.to_string()),
            &Ok(Visit { city }),
        )?;
        same("the requests for it", &models.received().len(), &1)
    }

    /// The response of the row, and plain ones for the requests that follow it.
    fn responses(&self, wire: &Wire) -> Vec<Response> {
        let plain = wires::plain(self.format);
        vec![wire.response(), plain.clone(), plain.clone(), plain]
    }

    fn chat(&self, models: &Server, agent: &AgentServer<Assistant>) -> Chat {
        let model = model(&models.url, self.format);
        builder(model, agent).build().unwrap()
    }
}

/// A model of a format at an address.
pub fn model(url: &str, format: Format) -> Arc<dyn ChatModel> {
    match format {
        Format::ChatCompletions => Arc::new(OpenAi::new("", "m").base_url(format!("{url}/v1"))),
        Format::Responses => Arc::new(OpenAiResponses::new("", "m").base_url(format!("{url}/v1"))),
        Format::Anthropic => Arc::new(chat::Anthropic::new("", "m").base_url(url)),
        Format::GenAi(kind) => Arc::new(GenAi::new(ServiceTarget {
            endpoint: Endpoint::from_owned(format!("{url}/v1/")),
            auth: AuthData::from_single("the key of tests"),
            model: ModelIden::new(kind, "m"),
        })),
    }
}

/// A chat that sends no request again.
pub fn builder(model: Arc<dyn ChatModel>, agent: &AgentServer<Assistant>) -> ChatBuilder {
    Chat::builder(model, Toolbox::of(agent)).retries(Retries::none())
}

fn same<T: PartialEq<U> + std::fmt::Debug, U: std::fmt::Debug>(
    of: &str,
    found: &T,
    expected: &U,
) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{of}: {found:?}, not {expected:?}"))
}

fn is_expected_error(ended: &Result<Stop, String>, expected: &Result<Stop, String>) -> bool {
    matches!((ended, expected), (Err(ended), Err(expected)) if ended.contains(expected))
}

fn short(part: &MessagePart) -> String {
    match part {
        MessagePart::Text(part) => format!("text {}", part.text),
        MessagePart::Reasoning(part) => format!("reasoning {}", part.text),
        MessagePart::Call(part) => format!("call {} {}", part.call.name, part.call.arguments),
        MessagePart::Opaque(_) => "opaque".to_owned(),
        other => format!("{other:?}"),
    }
}

/// The message of the model in the body of a request.
fn sent(format: Format, body: &Value) -> Value {
    let list = |key: &str| body[key].as_array().cloned().unwrap_or_default();
    let of_role = |messages: Vec<Value>, role: &str| {
        let mut messages = messages.into_iter();
        messages
            .find(|message| message["role"] == role)
            .unwrap_or_default()
    };
    match format {
        Format::Responses | Format::GenAi(AdapterKind::OpenAIResp) => {
            let items = list("input").into_iter();
            let items = items.skip_while(|item| item["role"] == "system");
            let is_of_model =
                |item: &Value| item["role"] != "user" && item["type"] != "function_call_output";
            let items: Vec<Value> = items.skip(1).take_while(is_of_model).collect();
            if items.is_empty() {
                Value::Null
            } else {
                items.into()
            }
        }
        Format::Anthropic | Format::GenAi(AdapterKind::Anthropic) => {
            of_role(list("messages"), "assistant")["content"].take()
        }
        Format::GenAi(AdapterKind::Gemini) => of_role(list("contents"), "model")["parts"].take(),
        Format::ChatCompletions | Format::GenAi(_) => of_role(list("messages"), "assistant"),
    }
}
