//! Servers that answer too much.

use crate::far::{ByHand, Lists, client_of, session, url_of};
use rmcp::model::{ListToolsResult, Tool};
use serde_json::{Value, json};
use skill_agent::mcp::McpClient;
use skill_agent::server::Applied;
use std::future::ready;

/// A program that answers a call of `read` with a line of 17 MB, and all other requests.
#[cfg(unix)]
pub const PROGRAM: &str = r#"
tool() { echo "{\"name\":\"$1\",\"inputSchema\":{\"type\":\"object\"}}"; }
while read -r line; do
    id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
    result='{"jsonrpc":"2.0","id":'$id',"result":'
    case $line in
    *'"initialize"'*) echo "$result"'{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"far","version":"1"}}}' ;;
    *tools/list*) echo "$result{\"tools\":[$(tool read),$(tool look)]}}" ;;
    *'"name":"read"'*) head -c 17000000 /dev/zero | tr '\0' x; echo ;;
    *tools/call*) echo "$result"'{"content":[{"type":"text","text":"seen"}]}}' ;;
    *'"id"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"Method not found"}}' ;;
    esac
done
"#;

#[cfg(unix)]
#[timed_test::test]
async fn a_line_that_is_too_long_fails_the_call_and_no_other_one() {
    let client = McpClient::command("sh", ["-c", PROGRAM]).await.unwrap();
    let session = session(client.allow(["read", "look"])).await;
    for _ in 0..2 {
        let error = session.call("far__read", "{}").await.unwrap_err();
        assert_eq!(error.applied(), Applied::Unknown);
        assert_eq!(
            error.to_string(),
            "`far__read` cannot be called now: the MCP server failed: its response has more than 16 MiB; the call may have been applied"
        );
        let seen = session.call("far__look", "{}").await.unwrap();
        assert_eq!(seen.text(), "seen");
    }
}

#[cfg(unix)]
#[timed_test::test]
async fn a_line_that_is_too_long_in_a_list_and_in_the_opening() {
    let long = "head -c 17000000 /dev/zero | tr '\\0' x; echo";
    let listing = PROGRAM.replace(
        r#"echo "$result{\"tools\":[$(tool read),$(tool look)]}}""#,
        long,
    );
    assert_ne!(listing, PROGRAM);
    let client = McpClient::command("sh", ["-c", &listing]).await.unwrap();
    let withheld = session(client).await.list().await.withheld.clone();
    assert_eq!(
        withheld[0].reason,
        "the MCP server does not list its tools: its response has more than 16 MiB"
    );
    let error =
        McpClient::command("sh", ["-c", &format!("read -r line; {long}; read -r line")]).await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "the MCP server cannot be used: its response has more than 16 MiB"
    );
}

#[timed_test::test]
async fn a_list_of_many_large_pages_is_refused() {
    let page = || {
        let schema = json!({ "type": "object" }).as_object().unwrap().clone();
        let tool = Tool::new("read", "x".repeat(9 << 20), schema);
        let mut page = ListToolsResult::with_all_items(vec![tool]);
        page.next_cursor = Some("next".to_owned());
        ready(page)
    };
    let client = client_of(Lists(page)).await;
    let withheld = session(client).await.list().await.withheld.clone();
    assert_eq!(
        withheld[0].reason,
        "the MCP server does not list its tools: it lists more than 10000 tools, 1000 pages or 16 MiB"
    );
}

/// A call gets an event of 17 MB.
pub fn answer(request: &Value) -> Option<ByHand> {
    let result = match request["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "far", "version": "1" },
        }),
        "tools/list" => {
            json!({ "tools": [{ "name": "read", "inputSchema": { "type": "object" } }] })
        }
        "tools/call" => {
            let event = format!("data: {}", "x".repeat(17_000_000));
            return Some(ByHand::Body("text/event-stream", event));
        }
        _ => return None,
    };
    Some(ByHand::Result(result))
}

#[timed_test::test]
async fn an_event_that_is_too_long_is_an_error_that_says_so() {
    let client = McpClient::http(url_of(answer).await).await.unwrap();
    let session = session(client.allow(["read"])).await;
    let error = session.call("far__read", "{}").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`far__read` cannot be called now: the MCP server failed: its response has more than 16 MiB; the call may have been applied"
    );
    assert_eq!(error.applied(), Applied::Unknown);
}
