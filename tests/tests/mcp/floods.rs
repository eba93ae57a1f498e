//! Clients that send too much, or read too little.

use crate::http::{EARLIER, office};
use crate::support::*;
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::mcp;
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};
use std::future::pending;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, WriteHalf};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::timeout;

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
