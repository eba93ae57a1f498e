//! Names that a program gives to the server and to its tools.

use crate::far::{Lists, client_of, listing, session};
use rmcp::model::{ListToolsResult, Tool};
use skill_agent::mcp::McpTools;
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn tool(name: impl Into<String>) -> Tool {
    Tool::new(name.into(), "Works.", serde_json::Map::new())
}

/// The reasons for which the tools of a source are withheld.
async fn withheld(name: &str, tools: impl Into<McpTools>) -> Vec<String> {
    let toolbox = Toolbox::builder().mcp(name, tools).build().await.unwrap();
    let list = toolbox.session(ForeignCaller::Model).list().await;
    let withheld = list.withheld.iter();
    withheld.map(|withheld| withheld.reason.clone()).collect()
}

#[timed_test::test]
async fn an_allowed_name_that_the_server_does_not_list_is_an_error() {
    let client = client_of(listing(vec![tool("increment"), tool("reset")])).await;
    let unlisted =
        |name, hint| format!("`.allow` names `{name}`, which the MCP server does not list; {hint}");
    for (name, hint) in [
        ("far__increment", "did you mean `increment`?"),
        ("incremnt", "did you mean `increment`?"),
        ("", "names are those at the server, such as `increment`"),
    ] {
        let reasons = withheld("far", client.clone().allow(["reset", name])).await;
        assert_eq!(reasons, [unlisted(name, hint)]);
    }
    let allowed = client.allow(["reset".to_owned(), "increment".to_owned()]);
    assert!(withheld("far", allowed).await.is_empty());
}

#[timed_test::test]
async fn an_allowed_tool_may_go_later() {
    let is_gone = Arc::new(AtomicBool::new(false));
    let gone = Arc::clone(&is_gone);
    let lists = move || {
        let mut tools = vec![tool("increment"), tool("reset")];
        if gone.load(Ordering::SeqCst) {
            tools.remove(0);
        }
        std::future::ready(ListToolsResult::with_all_items(tools))
    };
    let client = client_of(Lists(lists)).await;
    let session = session(client.allow(["increment"])).await;
    assert_eq!(session.list().await.tools.len(), 2);
    is_gone.store(true, Ordering::SeqCst);
    let list = session.list().await;
    assert_eq!((list.tools.len(), list.withheld.len()), (1, 0));
}

#[timed_test::test]
async fn the_name_of_a_server_leaves_room_for_each_tool() {
    let client = client_of(listing(vec![tool("a".repeat(100)), tool("b.c")])).await;
    let longest = "x".repeat(53);
    let toolbox = Toolbox::builder().mcp(&longest, client.clone());
    let session = toolbox.build().await.unwrap().session(ForeignCaller::Model);
    assert_eq!(session.list().await.tools.len(), 2);
    let reasons = withheld(&"x".repeat(54), client).await;
    assert_eq!(
        reasons,
        [
            "the name of an MCP server has at most 53 characters, since `__` and the name of a tool follow"
        ]
    );
}
