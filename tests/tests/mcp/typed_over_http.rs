//! Typed calls to an agent over HTTP.

use crate::http::bound_again;
use crate::over_http::url;
use crate::support::*;
use skill_agent::mcp::{self, BoundHttp, McpClient};
use skill_agent::prelude::*;
use skill_agent::store::Redb;
use skill_agent::toolbox::Toolbox;
use std::path::Path;

/// An office that keeps its notes in a file, and asks the person at its client.
async fn filed(file: &Path, address: &str) -> (AgentServer<Office>, BoundHttp) {
    let server = AgentServer::builder(Office::with_id("office-1"))
        .resources(Tools::default())
        .store(Redb::open(file).unwrap())
        .approver(mcp::ask_client())
        .start()
        .await
        .unwrap();
    let http = bound_again(address, || mcp::http(Toolbox::of(&server))).await;
    (server, http)
}

#[timed_test::test]
async fn a_caller_reads_that_nobody_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    let (server, http) = filed(&folder.path().join("office"), "127.0.0.1:0").await;
    let client = McpClient::http(url(&http)).await.unwrap();
    let office = client.typed::<Office>().await.unwrap();
    let text = "milk".to_owned();
    office.call(AddNote { text }).await.unwrap();
    let error = office.call(Shred {}).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`shred` was denied: the MCP client cannot ask anybody: it does not declare elicitation by form"
    );
    assert_eq!(server.agent().await.unwrap().state().desk.notes, ["milk"]);
}

#[timed_test::test]
async fn an_action_with_a_key_runs_once_over_a_restart_of_its_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("office");
    let (server, http) = filed(&file, "127.0.0.1:0").await;
    let address = http.local_addr().to_string();
    let client = McpClient::http(url(&http)).await.unwrap();
    let office = client.typed::<Office>().await.unwrap();
    let note = |text: &str| AddNote {
        text: text.to_owned(),
    };
    let count = office.call_with_key("order-1", note("milk")).await.unwrap();
    assert_eq!(count, 1);
    http.stop().await;
    server.stop().await.unwrap();

    // the caller does not know whether its call arrived
    let error = office.call_with_key("order-1", note("milk")).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the MCP server"), "{error}");
    let (server, _http) = filed(&file, &address).await;
    let count = office.call_with_key("order-1", note("milk")).await.unwrap();
    assert_eq!(count, 1);
    let count = office.call_with_key("order-2", note("eggs")).await.unwrap();
    assert_eq!(count, 2);
    let notes = server.agent().await.unwrap().state().desk.notes.clone();
    assert_eq!(notes, ["milk", "eggs"]);
}
