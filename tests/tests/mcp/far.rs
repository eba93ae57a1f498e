//! Servers of other programs, and clients of them.

use rmcp::model::{
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use skill_agent::mcp::{self, McpClient, McpTools};
use skill_agent::prelude::*;
use skill_agent::toolbox::{ToolSession, Toolbox};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Connects to a server of rmcp in memory.
pub async fn client_of(server: impl ServerHandler) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async { server.serve(there).await.unwrap().waiting().await });
    McpClient::connect(here).await.unwrap()
}

/// Connects to a toolbox that is served in memory.
pub async fn client_of_toolbox(toolbox: Toolbox) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(mcp::serve(toolbox, there));
    McpClient::connect(here).await.unwrap()
}

/// The session of a model with the tools of a server, whose names begin with `far__`.
pub async fn session(tools: impl Into<McpTools>) -> ToolSession {
    let toolbox = Toolbox::builder().mcp("far", tools).build().await.unwrap();
    toolbox.session(ForeignCaller::Model)
}

/// A server whose lists come from a function.
pub struct Lists<F>(pub F);

impl<F, L> ServerHandler for Lists<F>
where
    F: Fn() -> L + Send + Sync + 'static,
    L: Future<Output = ListToolsResult> + Send + 'static,
{
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(self.0().await)
    }
}

/// A server with these tools.
pub fn listing(tools: Vec<Tool>) -> impl ServerHandler {
    Lists(move || std::future::ready(ListToolsResult::with_all_items(tools.clone())))
}

/// A response that a test writes by hand.
pub enum ByHand {
    Result(Value),
    /// A body with its media type.
    Body(&'static str, String),
    /// No response: the connection ends.
    End,
}

/// Serves requests over HTTP, one for each connection, and returns the URL. A request without an answer is of an unknown method.
pub async fn url_of(answer: impl Fn(&Value) -> Option<ByHand> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = Arc::clone(&answer);
            tokio::spawn(async move { respond(stream, &*answer).await });
        }
    });
    url
}

/// Reads the head of a request, in lower case, and its body.
pub async fn read(stream: &mut BufReader<TcpStream>) -> std::io::Result<(String, Value)> {
    let (mut head, mut length) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        head += &line.to_lowercase();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok((head, serde_json::from_slice(&body).unwrap_or_default()))
}

async fn respond(
    stream: TcpStream,
    answer: impl Fn(&Value) -> Option<ByHand>,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let (_, request) = read(&mut stream).await?;
    let id = &request["id"];
    let (status, kind, body) = if id.is_null() {
        ("202 Accepted", "text/plain", String::new())
    } else {
        let (kind, body) = match answer(&request) {
            Some(ByHand::Result(result)) => ("application/json", text(id, "result", result)),
            Some(ByHand::Body(kind, body)) => (kind, body),
            Some(ByHand::End) => return Ok(()),
            None => {
                let unknown = json!({ "code": -32601, "message": "Method not found" });
                ("application/json", text(id, "error", unknown))
            }
        };
        ("200 OK", kind, body)
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).await
}

pub fn text(id: &Value, key: &str, value: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, (key): value }).to_string()
}
