//! A server over HTTP, by requests as they are written.

use crate::support::*;
use serde_json::{Value, json};
use skill_agent::mcp::{self, BindError, BoundHttp, Http};
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

pub const STATELESS: &str = "2026-07-28";
pub const EARLIER: &str = "2025-11-25";

/// A response whose body may be a stream.
pub struct Response {
    pub status: u16,
    head: String,
    body: BufReader<TcpStream>,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    /// Reads the next message.
    pub async fn next(&mut self) -> Value {
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.body.read_line(&mut line).await.unwrap();
            assert_ne!(read, 0, "a message");
            if let Some(message) = message_of(&line) {
                return message;
            }
        }
    }

    /// Reads the body until the server closes.
    pub async fn rest(mut self) -> Answer {
        let mut bytes = Vec::new();
        let _ = self.body.read_to_end(&mut bytes).await;
        Answer {
            status: self.status,
            head: self.head,
            body: String::from_utf8(bytes).unwrap(),
        }
    }
}

/// A whole response.
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    pub fn session(&self) -> Option<&str> {
        self.header("mcp-session-id")
    }

    /// The message in the body.
    pub fn message(&self) -> Value {
        let message = self.body.lines().find_map(message_of);
        message.unwrap_or_else(|| panic!("a message: {}", self.body))
    }
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut lines = head.lines();
    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

fn message_of(line: &str) -> Option<Value> {
    let line = line.strip_prefix("data: ").unwrap_or(line);
    serde_json::from_str(line).ok().filter(Value::is_object)
}

/// Sends a request with some more headers, and reads the response until the server closes.
pub async fn post(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> Answer {
    request(address, "POST /mcp", headers, body).await
}

/// Sends a request with a method and a path.
pub async fn request(
    address: SocketAddr,
    line: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    open(address, line, headers, body).await.rest().await
}

/// Sends a request, and reads the head of the response.
pub async fn open(
    address: SocketAddr,
    line: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Response {
    let mut stream = BufReader::new(TcpStream::connect(address).await.unwrap());
    let mut head = format!(
        "{line} HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n"
    );
    if !headers.iter().any(|(name, _)| *name == "Host") {
        head += &format!("Host: {address}\r\n");
    }
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await.unwrap();
    // a server that refuses a request may close before it has read all of it
    let _ = stream.write_all(body.as_bytes()).await;
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let read = stream.read_line(&mut head).await.unwrap();
        assert_ne!(read, 0, "the head of a response: {head}");
    }
    Response {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head,
        body: stream,
    }
}

/// A request of the stateless era. Each one describes its client.
pub fn stateless_request(method: &str, mut params: Value, capabilities: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// Calls a tool in the stateless era.
pub async fn call(
    address: SocketAddr,
    headers: &[(&str, &str)],
    name: &str,
    arguments: Value,
) -> Answer {
    let params = json!({ "name": name, "arguments": arguments });
    let body = stateless_request("tools/call", params, json!({}));
    let standard = [
        ("MCP-Protocol-Version", STATELESS),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", name),
    ];
    post(address, &[&standard, headers].concat(), &body.to_string()).await
}

/// Opens a session of the earlier era.
pub async fn initialize(address: SocketAddr, headers: &[(&str, &str)]) -> Answer {
    let params = json!({
        "protocolVersion": EARLIER,
        "clientInfo": { "name": "raw", "version": "1" },
        "capabilities": {},
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    post(address, headers, &body.to_string()).await
}

/// Binds the address of a server that has stopped. A client of another test may have the port for a moment.
pub async fn bound_again(address: &str, http: impl Fn() -> Http) -> BoundHttp {
    loop {
        match http().bind(address).await {
            Err(BindError::Io { .. }) => tokio::task::yield_now().await,
            bound => return bound.unwrap(),
        }
    }
}

pub async fn office() -> AgentServer<Office> {
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    builder.start().await.unwrap()
}

#[timed_test::test]
async fn clients_of_both_eras_share_a_server() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server))
        .bind("127.0.0.1:0")
        .await
        .unwrap();
    let added = call(
        http.local_addr(),
        &[],
        "add_note",
        json!({ "text": "milk" }),
    )
    .await;
    assert_eq!(added.status, 200, "{}", added.body);
    assert_eq!(added.message()["result"]["structuredContent"], 1);

    let opened = initialize(http.local_addr(), &[]).await;
    assert_eq!(opened.message()["result"]["serverInfo"]["name"], "office");
    let session = opened.session().unwrap();
    let headers = [
        ("Mcp-Session-Id", session),
        ("MCP-Protocol-Version", EARLIER),
    ];
    let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(post(http.local_addr(), &headers, told).await.status, 202);
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let listed = post(http.local_addr(), &headers, list).await.message();
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 5);
    let notes = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"notes"}}"#;
    let notes = post(http.local_addr(), &headers, notes).await.message();
    assert_eq!(notes["result"]["content"][0]["text"], r#"["milk"]"#);

    let unknown = [
        ("Mcp-Session-Id", "unknown"),
        ("MCP-Protocol-Version", EARLIER),
    ];
    assert_eq!(post(http.local_addr(), &unknown, list).await.status, 404);
    http.stop().await;
}

#[timed_test::test]
async fn a_web_page_from_elsewhere_reaches_nothing() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server))
        .bind("127.0.0.1:0")
        .await
        .unwrap();
    let arguments = || json!({ "text": "milk" });
    for header in [
        ("Origin", "https://example.com"),
        ("Origin", "null"),
        ("Origin", "http://localhost.example.com"),
        ("Origin", "http://localhost:80@example.com"),
        ("Origin", "http://127.0.0.1.example.com:3000"),
        ("Host", "rebound.example.com"),
    ] {
        let refused = call(http.local_addr(), &[header], "add_note", arguments()).await;
        assert_eq!(refused.status, 403, "{header:?}: {}", refused.body);
    }
    assert!(server.agent().await.unwrap().state().desk.notes.is_empty());
    let page = ("Origin", "http://localhost:3000");
    let answer = call(http.local_addr(), &[page], "add_note", arguments()).await;
    assert_eq!(answer.status, 200);
    let http = mcp::http(Toolbox::of(&server)).origins(["https://office.example.com"]);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    for (origin, status) in [
        ("https://office.example.com", 200),
        ("https://office.example.com:8443", 403),
        ("http://localhost:3000", 403),
    ] {
        let page = ("Origin", origin);
        let answer = call(http.local_addr(), &[page], "add_note", arguments()).await;
        assert_eq!(answer.status, status, "{origin}");
    }
}

#[timed_test::test]
async fn wrong_requests_are_errors_and_the_server_goes_on() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).max_request_bytes(1 << 10);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    let long = "x".repeat(1 << 11);
    let large = call(http.local_addr(), &[], "add_note", json!({ "text": long })).await;
    assert_eq!(large.status, 413);
    let version = [("MCP-Protocol-Version", STATELESS)];
    for body in ["{", "[]", r#"{"jsonrpc":"2.0","id":1}"#] {
        let status = post(http.local_addr(), &version, body).await.status;
        assert!((400..500).contains(&status), "{body}: {status}");
    }
    // a header that differs from the body
    let header = ("Mcp-Name", "shred");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "notes", "_meta": meta });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let headers = [version[0], ("Mcp-Method", "tools/call"), header];
    assert_eq!(
        post(http.local_addr(), &headers, &body.to_string())
            .await
            .status,
        400
    );
    // a request of the stateless era without its version
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(post(http.local_addr(), &version, body).await.status, 400);
    assert_eq!(
        call(http.local_addr(), &[], "notes", json!({}))
            .await
            .status,
        200
    );
}

#[timed_test::test]
async fn the_number_of_sessions_is_limited() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).max_sessions(2);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    for _ in 0..2 {
        assert_eq!(initialize(http.local_addr(), &[]).await.status, 200);
    }
    let refused = initialize(http.local_addr(), &[]).await;
    assert_eq!(refused.status, 500, "{}", refused.body);
    // clients of the stateless era have no sessions
    assert_eq!(
        call(http.local_addr(), &[], "notes", json!({}))
            .await
            .status,
        200
    );
}

#[timed_test::test]
async fn an_address_that_others_reach_is_refused() {
    let server = office().await;
    let error = mcp::http(Toolbox::of(&server))
        .bind("0.0.0.0:0")
        .await
        .unwrap_err();
    assert!(matches!(error, BindError::NotLoopback { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "`0.0.0.0:0` is not an address of this machine alone, and the server has no authentication; add `.auth(…)`, or bind to \
         `127.0.0.1`"
    );
    let taken = mcp::http(Toolbox::of(&server))
        .bind("127.0.0.1:0")
        .await
        .unwrap();
    let again = mcp::http(Toolbox::of(&server))
        .bind(taken.local_addr())
        .await;
    let expected = format!(
        "`{}` cannot be bound: a program already uses the port; stop it, or choose another port",
        taken.local_addr()
    );
    assert_eq!(again.unwrap_err().to_string(), expected);
}

#[timed_test::test]
async fn a_server_that_stops_finishes_its_calls() {
    let copier = Copier::default();
    let tools = Tools {
        copier: copier.clone(),
    };
    let server = AgentServer::builder(Office::new()).resources(tools);
    let server = server.start().await.unwrap();
    let http = mcp::http(Toolbox::of(&server))
        .bind("127.0.0.1:0")
        .await
        .unwrap();
    let address = http.local_addr();
    let calling = call(address, &[], "copy", json!({ "times": 1 }));
    let stopping = async {
        copier.0.started.notified().await;
        let stopping = tokio::spawn(http.stop());
        while TcpStream::connect(address).await.is_ok() {}
        copier.0.permits.add_permits(1);
        stopping.await.unwrap();
    };
    let (copied, ()) = tokio::join!(calling, stopping);
    assert_eq!(copied.message()["result"]["content"][0]["text"], "1");
}

#[timed_test::test]
async fn a_server_that_stops_waits_for_no_body() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).bind("127.0.0.1:0").await;
    let http = http.unwrap();
    let mut half = TcpStream::connect(http.local_addr()).await.unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n",
        http.local_addr()
    );
    half.write_all(head.as_bytes()).await.unwrap();
    half.read_exact(&mut [0]).await.unwrap(); // `100 Continue`: the server waits for the body
    tokio::time::pause();
    http.stop().await;
}

#[timed_test::test]
async fn a_session_lasts_five_minutes_after_its_last_request_or_stream() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).bind("127.0.0.1:0").await;
    let http = http.unwrap();
    let address = http.local_addr();
    let pass_minutes = async |minutes: u32| {
        tokio::time::pause();
        for _ in 0..minutes {
            tokio::time::advance(Duration::from_secs(60)).await;
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
        }
        tokio::time::resume();
    };
    let (idle, listening) = (
        initialize(address, &[]).await,
        initialize(address, &[]).await,
    );
    let asked = async |session: &str| {
        let headers = [
            ("Mcp-Session-Id", session),
            ("MCP-Protocol-Version", EARLIER),
        ];
        let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
        post(address, &headers, list).await.status
    };
    let (idle, session) = (idle.session().unwrap(), listening.session().unwrap());
    let headers = [
        ("Mcp-Session-Id", session),
        ("MCP-Protocol-Version", EARLIER),
    ];
    let _stream = open(address, "GET /mcp", &headers, "").await;
    pass_minutes(4).await;
    assert_eq!(asked(idle).await, 200);
    pass_minutes(8).await;
    assert_eq!(asked(idle).await, 404);
    assert_eq!(asked(session).await, 200);
}
