//! A new agent is built and tested by the commands that are printed, and talks to a model over pipes.
#![cfg(unix)]

use crate::new_crate_builds::{create, empty_folder, prepare, run, target};
use model_server::{Response, Server};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::runtime;
use tokio::time::timeout;

/// A name that differs from every other word.
const NAME: &str = "made-agent";

/// The maximum time of the conversation with the program.
const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn a_new_agent_passes_its_tests_and_talks() {
    let folder = empty_folder("new_agent");
    let commands = create("--agent", NAME, &folder).out;
    let crate_folder = folder.join(NAME);
    prepare(&crate_folder);
    let printed = run("sh", &["-ec", &commands], &folder).unwrap_or_else(|error| panic!("{error}"));
    assert!(printed.contains("test result: ok. 5 passed"), "{printed}");
    let built = run("cargo", &["build", "--quiet"], &crate_folder);
    assert_eq!(built.as_deref(), Ok(""));
    let conversation = async {
        without_a_model_the_program_says_what_to_set(&folder).await;
        the_person_is_asked(&folder).await;
        the_conversation_continues(&folder).await;
    };
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let ended = runtime
        .unwrap()
        .block_on(async { timeout(LIMIT, conversation).await });
    ended.expect("the program ends with its input");
}

async fn without_a_model_the_program_says_what_to_set(folder: &Path) {
    let talk = talk(folder, None, "Hello.\n").await;
    let error = "error: there is no model; set `OPENAI_API_KEY`, `OPENAI_BASE_URL` or `ANTHROPIC_API_KEY`\n";
    assert_eq!(talk, (Some(1), String::new(), error.to_owned()));
}

async fn the_person_is_asked(folder: &Path) {
    let server = Server::start([
        call("add_note", &json!({ "text": "Buy milk." })),
        text("Noted."),
        call("clear_notes", &json!({})),
        text("They stay."),
        call("clear_notes", &json!({})),
        text("They are gone."),
    ])
    .await;
    let lines = "Note milk.\nThrow them away.\nno\nThrow them away!\nyes\n";
    let (code, out, error) = talk(folder, Some(&server), lines).await;
    let expected = "> \n  add_note{\"text\":\"Buy milk.\"} -> 1\nNoted.\n\
        > \n  `clear_notes` waits for approval\n\
        May it call clear_notes{}? yes/no > \n  `clear_notes` was denied: the person said no\nThey stay.\n\
        > \n  `clear_notes` waits for approval\n\
        May it call clear_notes{}? yes/no > \n  clear_notes{} -> 1\nThey are gone.\n> ";
    assert_eq!((code, &*out, &*error), (Some(0), expected, ""));
}

async fn the_conversation_continues(folder: &Path) {
    let server = Server::start([text("You asked me to note milk.")]).await;
    let (code, out, error) = talk(folder, Some(&server), "What did I ask?\n").await;
    let expected = "> You asked me to note milk.\n> ";
    assert_eq!((code, &*out, &*error), (Some(0), expected, ""));
    let body = server.body();
    let messages = body["messages"].as_array().unwrap().iter();
    let asked: Vec<&Value> = messages
        .filter(|message| message["role"] == "user")
        .map(|message| &message["content"])
        .collect();
    let expected = [
        "Note milk.",
        "Throw them away.",
        "Throw them away!",
        "What did I ask?",
    ];
    assert_eq!(asked, expected);
}

/// Runs the program with the lines of a person. Returns its exit code, its output and its errors.
async fn talk(
    folder: &Path,
    server: Option<&Server>,
    lines: &str,
) -> (Option<i32>, String, String) {
    let mut command = Command::new(target().join("debug").join(NAME));
    command.current_dir(folder).env_clear().kill_on_drop(true);
    if let Some(server) = server {
        command.env("OPENAI_BASE_URL", format!("{}/v1", server.url));
    }
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = pipes.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = program.stdin.take().unwrap();
    // a program without a model does not read its input
    input.write_all(lines.as_bytes()).await.ok();
    drop(input);
    let output = program.wait_with_output().await.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Returns a completion with a call.
fn call(name: &str, arguments: &Value) -> Response {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    let call = json!({ "index": 0, "id": "c1", "type": "function", "function": function });
    completion(&json!({ "tool_calls": [call] }), "tool_calls")
}

/// Returns a completion with text.
fn text(text: &str) -> Response {
    completion(&json!({ "content": text }), "stop")
}

fn completion(delta: &Value, reason: &str) -> Response {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
    let chunk = json!({ "choices": [choice] }).to_string();
    Response::events(&[&chunk, "[DONE]"])
}
