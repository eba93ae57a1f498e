//! The scripts of the models, and the history before them, for both.

use super::{ANSWER, STEPS, SYSTEM};
use crate::source::example;
use crate::tools::{COUNT, ours, rig as tools};
use rig::agent::{Agent, AgentBuilder};
use rig::completion::message::{AssistantContent, CallId, Message as RigMessage, ToolName};
use rig::test_utils::{MockCompletionModel, MockStreamEvent, MockTurn};
use rig::tool::server::ToolServer;
use serde_json::Value;
use skill_agent::AgentServer;
use skill_agent::chat::{
    BoxStream, CallPart, Chat, ChatModel, ChatRequest, Message, MessagePart, ModelError,
    ModelEvent, ModelProfile, ResultPart, Role, Scripted, TextPart,
};
use skill_agent::models::ToolCall;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;

/// The calls of a turn, each of another tool.
fn calls() -> impl Iterator<Item = (String, &'static str)> {
    (1..STEPS).map(|step| example(step * 2 % COUNT + step % 2))
}

fn value(arguments: &str) -> Value {
    serde_json::from_str(arguments).expect("the arguments are JSON")
}

/// A scripted model that keeps no requests, like one behind a network. The next step need not copy the messages of one then.
pub struct Released(pub Scripted);

impl ChatModel for Released {
    fn profile(&self) -> ModelProfile {
        self.0.profile()
    }

    fn stream(
        &self,
        mut request: ChatRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        request.messages = Arc::default();
        self.0.stream(request)
    }
}

pub fn chat(
    model: impl ChatModel,
    server: &AgentServer<ours::Worker>,
    history: Vec<Message>,
) -> Chat {
    Chat::builder(model, Toolbox::of(server))
        .system(SYSTEM)
        .history(history)
        .build()
        .expect("the history is one of a chat")
}

pub fn script() -> Scripted {
    let script = calls().fold(Scripted::new(), |model, (name, arguments)| {
        model.raw_calls([ToolCall::new(name, arguments)])
    });
    script.text(ANSWER)
}

pub fn agent(model: MockCompletionModel) -> Agent {
    let server = ToolServer::new().run();
    server.add_tools(tools::tools());
    AgentBuilder::new(model)
        .preamble(SYSTEM)
        .tool_server_handle(server)
        .build()
}

pub fn whole_turns() -> MockCompletionModel {
    let calls =
        calls().map(|(name, arguments)| MockTurn::tool_call(&name, &name, value(arguments)));
    MockCompletionModel::from_turns(calls.chain([MockTurn::text(ANSWER)]))
}

pub fn streamed_turns() -> MockCompletionModel {
    let end = MockStreamEvent::final_response_with_default_usage;
    let calls = calls().map(|(name, arguments)| {
        let call = MockStreamEvent::tool_call(&name, &name, value(arguments));
        vec![call, end()]
    });
    let answer = vec![MockStreamEvent::text(ANSWER), end()];
    MockCompletionModel::from_stream_turns(calls.chain([answer]))
}

/// A message of a history, before it has the types of one of the two.
enum Said {
    User(String),
    Call(String, &'static str),
    Result(String),
    Answer(String),
}

/// Turns with one call each, and a last one without.
fn said(length: usize) -> Vec<Said> {
    let mut said = Vec::with_capacity(length);
    let mut number = 0;
    while said.len() + 4 <= length {
        let (name, arguments) = example(number % COUNT);
        let text = format!("Question {number}: how much is it this time, and why?");
        said.extend([
            Said::User(text),
            Said::Call(name.clone(), arguments),
            Said::Result(name),
            Said::Answer(format!("Answer {number}: it is as much as the last time.")),
        ]);
        number += 1;
    }
    let rest = (said.len()..length).map(|at| match at % 2 {
        0 => Said::User("Thank you for all of it.".to_owned()),
        _ => Said::Answer("You are welcome.".to_owned()),
    });
    let rest: Vec<_> = rest.collect();
    said.extend(rest);
    said
}

/// The result of each call of a history.
const RESULT: &str = "42";

pub fn history(length: usize) -> Vec<Message> {
    let mut last = None;
    let message = |(at, said)| match said {
        Said::User(text) => text.into(),
        Said::Answer(text) => Message::new(Role::Assistant, vec![TextPart::new(text).into()]),
        Said::Call(name, arguments) => {
            let mut call = CallPart::new(ToolCall::new(name, arguments));
            call.id = format!("call_{at}_1_0");
            last = Some(call.clone());
            Message::new(Role::Assistant, vec![MessagePart::Call(call)])
        }
        Said::Result(_) => {
            let call = last.take().expect("a call stands before its result");
            let result = ResultPart::new(&call, Ok(RESULT.into()));
            Message::new(Role::Tool, vec![MessagePart::Result(result)])
        }
    };
    said(length).into_iter().enumerate().map(message).collect()
}

pub fn rig_history(length: usize) -> Vec<RigMessage> {
    let name = |name: String| ToolName::new(name).expect("the tool has a name");
    let message = |said| match said {
        Said::User(text) => RigMessage::user(text),
        Said::Answer(text) => RigMessage::assistant(text),
        Said::Call(tool, arguments) => {
            let call = AssistantContent::tool_call(&tool, name(tool.clone()), value(arguments));
            RigMessage::from(call)
        }
        Said::Result(tool) => RigMessage::tool_result(CallId::from_wire(&tool), name(tool), RESULT),
    };
    said(length).into_iter().map(message).collect()
}
