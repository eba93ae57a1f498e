//! A model on the loopback address that answers as a test says.

use model_server::{Response, Server};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

use crate::pty::program;

/// A completion of text.
pub(crate) fn text(text: &str) -> Response {
    completion(json!({ "content": text }), "stop")
}

/// A completion with a call.
pub(crate) fn call(name: &str, arguments: Value) -> Response {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    let call = json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
    completion(json!({ "tool_calls": [call] }), "tool_calls")
}

fn completion(delta: Value, finish: &str) -> Response {
    let delta = json!({ "choices": [{ "index": 0, "delta": delta }] }).to_string();
    let usage = json!({ "prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15 });
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }], "usage": usage });
    Response::events(&[&delta, &end.to_string(), "[DONE]"])
}

/// The first words of a completion, after which nothing comes.
pub(crate) fn stalled(text: &str) -> Response {
    let delta = json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }).to_string();
    Response::events(&[&delta]).stall()
}

/// The program with a model that answers so.
pub(crate) async fn with_model(
    folder: &Path,
    responses: impl IntoIterator<Item = Response>,
) -> (Command, Server) {
    let server = Server::start(responses).await;
    (with_server(folder, &server), server)
}

/// The program with the model of a server.
pub(crate) fn with_server(folder: &Path, server: &Server) -> Command {
    let mut program = program(folder);
    program.args(["--url", &server.url, "--model", "small"]);
    program
}
