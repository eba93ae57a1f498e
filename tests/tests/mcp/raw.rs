//! A client over HTTP that writes its requests by hand.

use crate::http::{EARLIER, Response, STATELESS, open, stateless_request};
use crate::support::Era;
use serde_json::{Value, json};
use std::net::SocketAddr;

pub struct Raw {
    address: SocketAddr,
    pub era: Era,
    headers: Vec<(&'static str, String)>,
}

impl Raw {
    /// Opens a session if the era has sessions.
    pub async fn open(address: SocketAddr, era: Era, token: Option<&str>) -> Self {
        let mut headers = Vec::new();
        headers.extend(token.map(|token| ("Authorization", format!("Bearer {token}"))));
        let mut raw = Self {
            address,
            era,
            headers,
        };
        if era == Era::Stateless {
            let version = STATELESS.to_owned();
            raw.headers.push(("MCP-Protocol-Version", version));
            return raw;
        }
        let params = json!({
            "protocolVersion": EARLIER,
            "clientInfo": { "name": "raw", "version": "1" },
            "capabilities": { "elicitation": {} },
        });
        let opened = raw.send("initialize", params).await;
        let session = opened.header("mcp-session-id").unwrap().to_owned();
        let version = EARLIER.to_owned();
        raw.headers.push(("MCP-Protocol-Version", version));
        raw.headers.push(("Mcp-Session-Id", session));
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(raw.post(&[], &told).await.status, 202);
        raw
    }

    /// Opens the stream of a session.
    pub async fn listen(&self) -> Response {
        self.request("GET /mcp", &[], "").await
    }

    /// Sends a message.
    pub async fn post(&self, headers: &[(&str, &str)], message: &Value) -> Response {
        self.request("POST /mcp", headers, &message.to_string())
            .await
    }

    async fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let own = self.headers.iter().map(|(name, value)| (*name, &**value));
        let headers: Vec<_> = own.chain(headers.iter().copied()).collect();
        open(self.address, line, &headers, body).await
    }

    /// Sends a request, which describes its client in the stateless era.
    pub async fn send(&self, method: &str, params: Value) -> Response {
        if self.era == Era::Initialize {
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            return self.post(&[], &message).await;
        }
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let mut headers = vec![("Mcp-Method", method), ("Mcp-Name", &*name)];
        headers.retain(|(_, value)| !value.is_empty());
        let capabilities = json!({ "elicitation": {} });
        let message = stateless_request(method, params, capabilities);
        self.post(&headers, &message).await
    }

    /// Sends a request, and returns its result.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        let mut answer = self.send(method, params).await.next().await;
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].take()
    }

    /// Calls a tool without arguments, and returns its text.
    pub async fn call(&self, name: &str) -> String {
        let called = json!({ "name": name, "arguments": {} });
        let result = self.ask("tools/call", called).await;
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}
