//! The sign-ins of the scenarios `auth/…`. The program also plays the person: it opens the authorization URL itself.

use serde_json::Value;
use skill_agent::mcp::{ClientCredentials, McpClient, OpenHttp, SignIn};
use std::env::var;
use std::error::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub type Failure = Box<dyn Error + Send + Sync>;

const REDIRECT: &str = "http://127.0.0.1:8912/callback";
const CLIENT_METADATA: &str = "https://conformance-test.local/client-metadata.json";

/// Visits a URL, and returns the address of the redirect.
async fn visited(url: String) -> Result<String, Failure> {
    let rest = url.strip_prefix("http://").ok_or("not on this machine")?;
    let (host, path) = rest.split_once('/').ok_or("no path")?;
    let mut stream = TcpStream::connect(host).await?;
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let location = answer.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("location").then_some(value)
    });
    Ok(location.ok_or("no redirect")?.to_owned())
}

/// Chooses the way to a token by the context of the scenario.
pub fn opened(url: String, scenario: &str) -> OpenHttp {
    let context = var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
    let context: Value = serde_json::from_str(&context).unwrap_or_default();
    let text = |name: &str| context[name].as_str().map(str::to_owned);
    let client = text("client_id").zip(text("client_secret"));
    if let Some((id, secret)) = client.clone()
        && scenario.contains("client-credentials")
    {
        return McpClient::http(url).client_credentials(ClientCredentials::new(id, secret));
    }
    let mut sign_in = SignIn::new(REDIRECT, visited).client_metadata(CLIENT_METADATA);
    if let Some((id, secret)) = client {
        sign_in = sign_in.client_with_secret(id, secret);
    }
    if let Some(issuer) = text("issuer") {
        sign_in = sign_in.authorization_server(issuer);
    }
    McpClient::http(url).sign_in(sign_in)
}
