//! Tests of the models against a local server.

mod again;
mod bounds;
mod completions;
mod constrained;
pub(crate) mod errors;
mod from_env;
#[cfg(feature = "genai")]
mod genai;
mod hostile;
mod hostile_events;
mod requests;
pub(crate) mod servers;

use std::future::ready;
use std::time::Duration;

use futures_util::StreamExt;
use model_server::{Response, Server};
use serde_json::json;

use super::{Anthropic, OpenAi, OpenAiResponses};
use skill_agent_chat::{
    CallPart, Chat, ChatModel, ChatRequest, Message, MessagePart, ModelError, ModelEvent,
    ResultPart, Role, Usage,
};
use skill_agent_models::Finish;
use skill_agent_server::Applied;
use skill_agent_toolbox::{ToolError, ToolOutput};
use skill_core::ToolBuf;

const KEY: &str = "sk-secret-of-tests";

type Events = Vec<Result<ModelEvent, ModelError>>;

fn open_ai(server: &Server) -> OpenAi {
    OpenAi::new(KEY, "m").base_url(format!("{}/v1", server.url))
}

fn responses(server: &Server) -> OpenAiResponses {
    OpenAiResponses::new(KEY, "m").base_url(format!("{}/v1/", server.url))
}

fn anthropic(server: &Server) -> Anthropic {
    Anthropic::new(KEY, "m").base_url(&*server.url)
}

/// Returns one model of each format for the same server.
fn models(server: &Server) -> [Box<dyn ChatModel>; 3] {
    [
        Box::new(open_ai(server)),
        Box::new(responses(server)),
        Box::new(anthropic(server)),
    ]
}

/// Stream methods resolve on a turn. It also implements `Iterator`, but with bounds that no type satisfies.
#[test]
fn a_turn_has_the_methods_of_streams() {
    let _texts = |chat: &mut Chat| {
        let events = chat.stream("a").filter_map(|event| ready(event.ok()));
        let _events = events.map(drop).take(1);
    };
}

fn question() -> ChatRequest {
    ChatRequest::new(vec!["Hello?".into()])
}

/// Checks the error for an address that contains `secret` and whose port refuses connections.
fn assert_not_there(error: &ModelError) {
    assert!(matches!(error, ModelError::Transport(_)) && error.is_retryable());
    let text = error.to_string();
    assert!(
        text.contains("refused") && text.ends_with("at `127.0.0.1:1`") && !text.contains("secret"),
        "{text}"
    );
}

/// Collects everything that a model sends. The timeout stops a hanging test.
async fn events(model: &dyn ChatModel, request: ChatRequest) -> Events {
    let is_kept = |event: &Result<ModelEvent, ModelError>| *event != Ok(ModelEvent::KeepAlive);
    let events = model.stream(request);
    let events = events
        .filter(|event| std::future::ready(is_kept(event)))
        .collect();
    tokio::time::timeout(Duration::from_secs(60), events)
        .await
        .unwrap()
}

/// Completion of one request: the shown pieces and the whole parts.
#[derive(Debug, PartialEq)]
struct Collected {
    text: String,
    reasoning: String,
    /// Calls as they came in pieces.
    calls: Vec<(String, String)>,
    parts: Vec<MessagePart>,
    usage: Option<Usage>,
    finish: Option<Finish>,
}

fn collected(events: Events) -> Collected {
    let mut collected = Collected {
        text: String::new(),
        reasoning: String::new(),
        calls: Vec::new(),
        parts: Vec::new(),
        usage: None,
        finish: None,
    };
    for event in events {
        assert_eq!(collected.finish, None, "nothing follows the end");
        match event.unwrap() {
            ModelEvent::Text(text) => collected.text += &text,
            ModelEvent::Reasoning(text) => collected.reasoning += &text,
            ModelEvent::CallDelta {
                index,
                name,
                arguments,
            } => {
                if let Some(name) = name {
                    assert_eq!(index, collected.calls.len());
                    collected.calls.push((name, String::new()));
                }
                collected.calls[index].1 += &arguments;
            }
            ModelEvent::Part(part) => collected.parts.push(part),
            ModelEvent::KeepAlive => {}
            ModelEvent::Usage(usage) => collected.usage = Some(usage),
            ModelEvent::Finish(finish) => collected.finish = Some(finish),
            other => panic!("{other:?}"),
        }
    }
    collected
}

/// Returns the completion that a model reads from a response. Removes the server from the names of items, as if it were the
/// provider's.
async fn completion(
    model: impl Fn(&Server) -> Box<dyn ChatModel>,
    response: Response,
) -> Collected {
    let server = Server::start([response]).await;
    let mut completion = collected(events(&*model(&server), question()).await);
    let suffix = kept_name("", &server);
    for item in completion
        .parts
        .iter_mut()
        .filter_map(MessagePart::item_mut)
    {
        let format = item.provider.strip_suffix(&suffix);
        item.provider = format.unwrap_or("another server").to_owned();
    }
    completion
}

/// Returns the name of a server's items in a format.
fn kept_name(format: &str, server: &Server) -> String {
    format!("{format}@{}", server.url.strip_prefix("http://").unwrap())
}

/// Returns the error of a model, which is its last event.
async fn error(model: &dyn ChatModel) -> ModelError {
    events(model, question()).await.pop().unwrap().unwrap_err()
}

/// Returns the request that follows a completion whose calls have these results.
fn next(parts: Vec<MessagePart>, results: &[Result<&str, &str>]) -> ChatRequest {
    let said = Message::new(Role::Assistant, parts);
    let result = |(call, result): (&CallPart, &Result<&str, &str>)| {
        let failed =
            |message: &str| ToolError::failed(&call.call.name, message.to_owned(), Applied::No);
        let result = result.map(ToolOutput::from).map_err(failed);
        MessagePart::Result(ResultPart::new(call, result))
    };
    let results = said.calls().zip(results).map(result).collect::<Vec<_>>();
    let mut messages = vec![Message::from("Hello?"), said];
    if !results.is_empty() {
        messages.push(Message::new(Role::Tool, results));
    }
    ChatRequest::new(messages)
}

fn tool(name: &str) -> ToolBuf {
    let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
    ToolBuf::new(name, "Keeps a note.", schema)
}
