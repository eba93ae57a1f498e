//! Clients that send too much, or read too little.

use crate::http::{EARLIER, STATELESS, initialize, office, post, request};
use crate::support::*;
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::mcp;
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};
use std::future::pending;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, WriteHalf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::timeout;

const TOO_MANY: &str = "too many clients listen for changes";

/// Opens a stream, and returns it with the status of its response.
async fn stream(
    address: SocketAddr,
    line: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let accept = "Accept: application/json, text/event-stream\r\nContent-Type: application/json";
    let mut head = format!("{line} HTTP/1.1\r\nHost: localhost\r\n{accept}\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    (stream, String::from_utf8(status[9..].to_vec()).unwrap())
}

#[timed_test::test]
async fn streams_over_the_limit_are_refused_in_both_eras() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).max_listeners(1);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    let address = http.local_addr();
    let opened = initialize(address, &[]).await;
    let session = [
        ("Mcp-Session-Id", opened.session().unwrap()),
        ("MCP-Protocol-Version", EARLIER),
    ];
    let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(post(address, &session, told).await.status, 202);
    let stateless = [
        ("MCP-Protocol-Version", STATELESS),
        ("Mcp-Method", "subscriptions/listen"),
    ];
    let listen = call_of(
        "subscriptions/listen",
        json!({ "notifications": { "toolsListChanged": true } }),
    );

    let refuse = async || {
        let refused = request(address, "GET /mcp", &session, "").await;
        assert_eq!(
            (refused.status, refused.header("retry-after")),
            (503, Some("1"))
        );
        assert_eq!(refused.body, TOO_MANY);
        let refused = post(address, &stateless, &listen).await.body;
        assert!(refused.contains(TOO_MANY), "{refused}");
        let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
        assert_eq!(post(address, &session, list).await.status, 200);
    };

    let (kept, status) = stream(address, "POST /mcp", &stateless, &listen).await;
    assert_eq!(status, "200");
    refuse().await;
    drop(kept);
    // the server notices that soon
    let kept = loop {
        let (stream, status) = stream(address, "GET /mcp", &session, "").await;
        if status == "200" {
            break stream;
        }
    };
    refuse().await;
    drop(kept);
}

/// A request of the stateless era.
fn call_of(method: &str, mut params: Value) -> String {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

#[timed_test::test]
async fn a_body_that_does_not_arrive_is_given_up() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server));
    let http = http.bind("127.0.0.1:0").await.unwrap();
    let mut stream = TcpStream::connect(http.local_addr()).await.unwrap();
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Accept: application/json, text/event-stream\r\nContent-Length: 10\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    tokio::time::pause();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(
        response.starts_with("HTTP/1.1 408 Request Timeout\r\n"),
        "{response}"
    );
    assert!(
        response.ends_with("did not arrive within 60 seconds"),
        "{response}"
    );
}

/// Reads the next message.
async fn message(lines: &mut (impl AsyncBufReadExt + Unpin)) -> Value {
    let mut line = String::new();
    lines.read_line(&mut line).await.unwrap();
    serde_json::from_str(&line).unwrap()
}

/// A client of the earlier era that writes and reads lines.
async fn raw_client(toolbox: Toolbox) -> (impl AsyncBufReadExt + Unpin, WriteHalf<DuplexStream>) {
    let (here, there) = tokio::io::duplex(4 * 1024);
    tokio::spawn(mcp::serve(toolbox, there));
    let (reader, mut writer) = tokio::io::split(here);
    let mut lines = BufReader::new(reader);
    let params = json!({
        "protocolVersion": EARLIER,
        "clientInfo": { "name": "raw", "version": "1" },
        "capabilities": {},
    });
    let open = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    writer
        .write_all(format!("{open}\n{INITIALIZED}").as_bytes())
        .await
        .unwrap();
    assert_eq!(message(&mut lines).await["id"], 0);
    (lines, writer)
}

const INITIALIZED: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

#[timed_test::test]
async fn a_client_that_reads_nothing_is_not_read() {
    let server = office().await;
    let (mut lines, mut writer) = raw_client(Toolbox::of(&server)).await;
    // with a paused clock, a time limit ends when the server waits, too
    tokio::time::pause();
    let mut sent = 0;
    let rest = loop {
        sent += 1;
        assert!(sent < 10_000, "the server reads on");
        let ping = json!({ "jsonrpc": "2.0", "id": sent, "method": "tools/list" });
        let ping = format!("{ping}\n").into_bytes();
        let mut written = 0;
        while written < ping.len()
            && let Ok(more) = timeout(Duration::from_secs(1), writer.write(&ping[written..])).await
        {
            written += more.unwrap();
        }
        if written < ping.len() {
            break ping[written..].to_vec();
        }
    };
    let mut answered = Vec::new();
    let write = async { writer.write_all(&rest).await.unwrap() };
    let read = async {
        for _ in 0..sent {
            answered.push(message(&mut lines).await["id"].as_u64().unwrap());
        }
    };
    tokio::join!(write, read);
    answered.sort_unstable();
    assert_eq!(answered, (1..=sent).collect::<Vec<u64>>());
}

#[timed_test::test]
async fn a_client_is_initialized_once() {
    let server = office().await;
    let (mut lines, mut writer) = raw_client(Toolbox::of(&server)).await;
    let mut tasks = Vec::new();
    for id in 1..=2 {
        let ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        let flood = format!("{}{ping}\n", INITIALIZED.repeat(100));
        writer.write_all(flood.as_bytes()).await.unwrap();
        assert_eq!(message(&mut lines).await["id"], id);
        tasks.push(Handle::current().metrics().num_alive_tasks());
    }
    assert!(tasks[1] < tasks[0] + 10, "{tasks:?}");
    drop(writer);
}

/// A source whose tool never answers.
struct Silent;

impl ToolSource for Silent {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let tool = ToolBuf::new("wait", "Waits.", json!({ "type": "object" }));
        Box::pin(async { Ok(vec![tool.into()]) })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(pending())
    }
}

#[timed_test::test]
async fn more_than_a_thousand_calls_at_the_same_time_are_refused() {
    let toolbox = Toolbox::builder()
        .source("silent", Silent)
        .build()
        .await
        .unwrap();
    let client = connected(toolbox, (), Era::Stateless).await;
    let mut calls = JoinSet::new();
    for _ in 0..1_001 {
        let peer = client.peer().clone();
        calls.spawn(async move { peer.call_tool(params("wait", json!({}))).await });
    }
    let refused = calls.join_next().await.unwrap().unwrap().unwrap_err();
    let text = refused.to_string();
    assert!(
        text.contains("too many calls run at the same time"),
        "{text}"
    );
    calls.abort_all();
}

#[timed_test::test]
async fn any_number_is_a_maximum_of_streams() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).max_listeners(usize::MAX);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    assert_eq!(initialize(http.local_addr(), &[]).await.status, 200);
}
