//! Servers that answer too much.

use rmcp::model::{
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use skill_agent::mcp::{McpClient, McpTools};
use skill_agent::prelude::*;
use skill_agent::server::Applied;
use skill_agent::toolbox::{ToolSession, Toolbox};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

async fn session(tools: impl Into<McpTools>) -> ToolSession {
    let toolbox = Toolbox::builder().mcp("far", tools).build().await.unwrap();
    toolbox.session(ForeignCaller::Model)
}

/// A program that answers a call of `read` with a line of 17 MB, and all other requests.
#[cfg(unix)]
const PROGRAM: &str = r#"
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

/// A server whose list has no end.
struct Endless;

impl ServerHandler for Endless {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({ "type": "object" }).as_object().unwrap().clone();
        let mut page =
            ListToolsResult::with_all_items(vec![Tool::new("read", "x".repeat(9 << 20), schema)]);
        page.next_cursor = Some("next".to_owned());
        Ok(page)
    }
}

#[timed_test::test]
async fn a_list_of_many_large_pages_is_refused() {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        rmcp::serve_server(Endless, there)
            .await
            .unwrap()
            .waiting()
            .await
    });
    let client = McpClient::connect(here).await.unwrap();
    let withheld = session(client).await.list().await.withheld.clone();
    assert_eq!(
        withheld[0].reason,
        "the MCP server does not list its tools: it lists more than 10000 tools, 1000 pages or 16 MiB"
    );
}

/// Answers one request over HTTP. A call gets an event of 17 MB.
async fn answer(stream: TcpStream) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let (mut length, mut line) = (0, String::new());
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).await?;
        if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let id = &request["id"];
    let result = match request["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "far", "version": "1" },
        }),
        Some("tools/list") => {
            json!({ "tools": [{ "name": "read", "inputSchema": { "type": "object" } }] })
        }
        Some("tools/call") => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: ").await?;
            return stream.write_all(&vec![b'x'; 17_000_000]).await;
        }
        _ if id.is_null() => {
            return stream
                .write_all(
                    b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                )
                .await;
        }
        _ => Value::Null,
    };
    let body = if result.is_null() {
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "Method not found" } })
    } else {
        json!({ "jsonrpc": "2.0", "id": id, "result": result })
    };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ";
    let body = body.to_string();
    stream
        .write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes())
        .await
}

#[timed_test::test]
async fn an_event_that_is_too_long_is_an_error_that_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream));
        }
    });
    let client = McpClient::http(url).await.unwrap();
    let session = session(client.allow(["read", "look"])).await;
    let error = session.call("far__read", "{}").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`far__read` cannot be called now: the MCP server failed: its response has more than 16 MiB; the call may have been applied"
    );
    assert_eq!(error.applied(), Applied::Unknown);
}
