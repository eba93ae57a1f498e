//! Each program against a server on the loopback address that answers with a call and then with text.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;

/// Answers one request after another, and returns their bodies.
fn serve(listener: &TcpListener, answers: &[Value]) -> Vec<Value> {
    let answer = |answer: &Value| {
        let (stream, _) = listener.accept().unwrap();
        let body = body(&stream);
        let text = answer.to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
        write!(
            &stream,
            "{head}content-length: {}\r\n\r\n{text}",
            text.len()
        )
        .unwrap();
        body
    };
    answers.iter().map(answer).collect()
}

/// The body of a request with a `content-length`.
fn body(stream: &TcpStream) -> Value {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

/// The bodies that a program sends. It prints the text that the second answer has.
fn bodies(program: &str, variables: [&str; 2], path: &str, answers: [Value; 2]) -> [Value; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let [url, key] = variables;
    let address = format!("http://{}{path}", listener.local_addr().unwrap());
    let server = thread::spawn(move || serve(&listener, &answers));
    let output = Command::new(program)
        .env(url, address)
        .env(key, "none")
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "Noted.\n",
        "{errors}"
    );
    server.join().unwrap().try_into().unwrap()
}

/// The answer of OpenAI: a call of Chat Completions, or text.
fn chat(finish: &str, message: Value) -> Value {
    let choice = json!({ "index": 0, "finish_reason": finish, "message": message });
    let usage = json!({ "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 });
    json!({
        "id": "chat_1", "object": "chat.completion", "created": 1, "model": "gpt-5",
        "choices": [choice], "usage": usage,
    })
}

fn chat_answers(arguments: &str) -> [Value; 2] {
    let function = json!({ "name": "add_note", "arguments": arguments });
    let call = json!({ "id": "call_7", "type": "function", "function": function });
    let call = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    let text = json!({ "role": "assistant", "content": "Noted." });
    [chat("tool_calls", call), chat("stop", text)]
}

/// Runs a program that speaks to Chat Completions. The last message of its second request is the result.
fn chat_result(program: &str, variables: [&str; 2], arguments: &str) -> Value {
    let [first, second] = bodies(program, variables, "/v1", chat_answers(arguments));
    for request in [&first, &second] {
        let function = &request["tools"][0]["function"];
        assert_eq!(function["name"], "add_note", "{request:#}");
        assert_eq!(
            function["description"],
            "Keep a note, and say how many there are."
        );
        assert_eq!(function["parameters"]["required"], json!(["text"]));
        assert_eq!(request["tools"].as_array().unwrap().len(), 1);
    }
    assert_eq!(first["messages"].as_array().unwrap().len(), 1, "{first:#}");
    let [user, call, result] = second["messages"].as_array().unwrap().as_slice() else {
        panic!("{second:#}");
    };
    assert_eq!(*user, first["messages"][0]);
    assert_eq!(call["tool_calls"][0]["id"], "call_7");
    let sent = call["tool_calls"][0]["function"]["arguments"]
        .as_str()
        .unwrap();
    let sent: Value = serde_json::from_str(sent).unwrap();
    assert_eq!(sent, serde_json::from_str::<Value>(arguments).unwrap());
    assert_eq!(
        [&result["role"], &result["tool_call_id"]],
        ["tool", "call_7"]
    );
    result["content"].clone()
}

/// The text of a result, which is a string or a list of parts.
fn text(content: &Value) -> &str {
    content
        .as_str()
        .or_else(|| content[0]["text"].as_str())
        .unwrap_or_else(|| panic!("{content}"))
}

const OPENAI: [&str; 2] = ["OPENAI_BASE_URL", "OPENAI_API_KEY"];
const GENAI: [&str; 2] = ["GENAI_1_ENDPOINT", "GENAI_1_API_KEY"];

#[test]
fn the_programs_send_tools_and_results() {
    let programs = [
        (env!("CARGO_BIN_EXE_async_openai"), OPENAI),
        (env!("CARGO_BIN_EXE_genai"), GENAI),
        (env!("CARGO_BIN_EXE_rig"), OPENAI),
    ];
    for (program, variables) in programs {
        let result = chat_result(program, variables, r#"{"text":"Buy milk."}"#);
        assert_eq!(text(&result), "1", "{program}");
        let wrong = chat_result(program, variables, r#"{"txt":"Buy milk."}"#);
        assert!(text(&wrong).contains("`text`"), "{program}: {wrong}");
    }
}

#[test]
fn the_program_over_http_sends_tools_and_results() {
    let call = json!({ "functionCall": { "name": "add_note", "args": { "text": "Buy milk." } } });
    let answer = |part: Value| {
        let content = json!({ "role": "model", "parts": [part] });
        json!({ "candidates": [{ "finishReason": "STOP", "content": content }] })
    };
    let answers = [answer(call.clone()), answer(json!({ "text": "Noted." }))];
    let variables = ["GEMINI_BASE_URL", "GEMINI_API_KEY"];
    let [first, second] = bodies(env!("CARGO_BIN_EXE_http"), variables, "", answers);
    for request in [&first, &second] {
        let declaration = &request["tools"][0]["functionDeclarations"][0];
        assert_eq!(declaration["name"], "add_note", "{request:#}");
        assert_eq!(
            declaration["parametersJsonSchema"]["required"],
            json!(["text"])
        );
    }
    assert_eq!(second["contents"][1]["parts"], json!([call]));
    let response = &second["contents"][2]["parts"][0]["functionResponse"];
    assert_eq!(response["name"], "add_note");
    assert_eq!(response["response"]["output"], 1, "{second:#}");
}
