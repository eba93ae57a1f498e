//! The first messages of desktop programs, line by line, as their users reported them.

use crate::http::office;
use serde_json::{Value, json};
use skill_agent::mcp;
use skill_agent::toolbox::Toolbox;
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

/// A connection whose messages are written by hand.
struct Connection {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
}

impl Connection {
    async fn open() -> Self {
        let server = office().await;
        let (here, there) = tokio::io::duplex(64 * 1024);
        tokio::spawn(mcp::serve(Toolbox::of(&server), there));
        let (reader, writer) = tokio::io::split(here);
        let lines = BufReader::new(reader).lines();
        Self { lines, writer }
    }

    async fn send(&mut self, message: Value) {
        let line = format!("{message}\n");
        self.writer.write_all(line.as_bytes()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap();
        serde_json::from_str(&line.expect("the server goes on")).unwrap()
    }

    /// Sends a request, and receives its response.
    async fn ask(&mut self, id: u32, method: &str, params: Value) -> Value {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(request).await;
        let response = self.receive().await;
        assert_eq!(response["id"], id, "{response}");
        response
    }
}

// https://github.com/modelcontextprotocol/rust-sdk/issues/704
#[timed_test::test]
async fn visual_studio_code_sets_a_log_level_before_it_is_initialized() {
    let mut vs_code = Connection::open().await;
    let client = json!({ "name": "Visual Studio Code", "version": "1.109.0" });
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "roots": { "listChanged": true }, "sampling": {}, "elicitation": { "form": {}, "url": {} } },
        "clientInfo": client,
    });
    let opened = vs_code.ask(1, "initialize", params).await;
    assert_eq!(opened["result"]["serverInfo"]["name"], "office");
    assert_eq!(opened["result"]["protocolVersion"], "2025-11-25");
    // logging is not offered, and the connection goes on
    let level = vs_code
        .ask(2, "logging/setLevel", json!({ "level": "info" }))
        .await;
    assert_eq!(level["error"]["code"], -32601, "{level}");
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    vs_code.send(told).await;
    let tools = vs_code.ask(3, "tools/list", json!({})).await;
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 5);
    let prompts = vs_code.ask(4, "prompts/list", json!({})).await;
    assert_eq!(prompts["result"]["prompts"][0]["name"], "desk");
}

// The request: https://github.com/cl-ai-project/cl-mcp/issues/26. Without `initialized`:
// https://github.com/anthropics/claude-code/issues/59835. Lists that the server does not offer:
// https://github.com/anthropics/claude-code/issues/9012
#[timed_test::test]
async fn claude_code_asks_for_lists_without_being_initialized() {
    let mut claude = Connection::open().await;
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "roots": {} },
        "clientInfo": { "name": "claude-code", "version": "2.0.73" },
    });
    let opened = claude.ask(0, "initialize", params).await;
    assert_eq!(opened["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(opened["result"]["instructions"], "Keep notes short.");
    let tools = claude.ask(1, "tools/list", json!({})).await;
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 5);
    let resources = claude.ask(2, "resources/list", json!({})).await;
    assert_eq!(resources["error"]["code"], -32601, "{resources}");
    let call = json!({ "name": "add_note", "arguments": { "text": "milk" }, "_meta": { "progressToken": 3 } });
    let called = claude.ask(3, "tools/call", call).await;
    assert_eq!(called["result"]["content"][0]["text"], "1");
}

// https://github.com/anthropics/claude-code/issues/92835: an earlier version stays the one that was agreed on
#[timed_test::test]
async fn a_client_of_an_earlier_version_gets_that_version() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let mut client = Connection::open().await;
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "old", "version": "1" },
        });
        let opened = client.ask(0, "initialize", params).await;
        assert_eq!(opened["result"]["protocolVersion"], version);
        let tools = client.ask(1, "tools/list", json!({})).await;
        assert!(tools["result"]["tools"][0]["name"].is_string(), "{tools}");
    }
}
