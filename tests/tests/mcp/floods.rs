//! Clients that send too much, or read too little.

use crate::http::{EARLIER, initialize, office};
use crate::raw::Raw;
use crate::support::*;
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::mcp;
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};
use std::future::pending;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, WriteHalf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::timeout;

const TOO_MANY: &str = "too many clients listen for changes";

#[timed_test::test]
async fn streams_over_the_limit_are_refused_in_both_eras() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).max_listeners(2);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    let earlier = Raw::open(http.local_addr(), Era::Initialize, None).await;
    let stateless = Raw::open(http.local_addr(), Era::Stateless, None).await;
    let filter = || json!({ "notifications": { "toolsListChanged": true } });
    let refuse = async || {
        let refused = earlier.listen().await.rest().await;
        let retry = refused.header("retry-after");
        assert_eq!((refused.status, retry), (503, Some("1")));
        assert_eq!(refused.body, TOO_MANY);
        let refused = stateless.send("subscriptions/listen", filter()).await;
        let refused = refused.rest().await.body;
        assert!(refused.contains(TOO_MANY), "{refused}");
        let listed = earlier.ask("tools/list", json!({})).await;
        assert!(listed["tools"].is_array());
    };

    let listening = stateless.send("subscriptions/listen", filter()).await;
    let left = earlier.listen().await;
    assert_eq!((listening.status, left.status), (200, 200));
    refuse().await;
    drop(left);
    // the server notices that soon
    let reading = loop {
        let stream = earlier.listen().await;
        if stream.status == 200 {
            break stream;
        }
    };
    refuse().await;

    let stopped = timeout(Duration::from_secs(5), http.stop()).await;
    stopped.expect("the streams of both eras end at once");
    tokio::join!(listening.rest(), reading.rest());
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
