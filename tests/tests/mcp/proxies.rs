//! Proxies in the environment of a client.

use crate::over_http::{TOKEN, guarded, url};
use skill_agent::mcp::McpClient;
use std::env;
use tokio::net::TcpListener;
use tokio::process::Command;

/// Holds the URL of the server in the process that the test starts.
const SERVER: &str = "SERVER_OF_A_TEST";

// Environment variables belong to the whole process, so the client runs in another one.
#[timed_test::test]
async fn a_proxy_gets_no_token() {
    if let Ok(url) = env::var(SERVER) {
        McpClient::http(url).bearer_token(TOKEN).await.unwrap();
        return;
    }
    let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url_of_proxy = format!("http://{}", proxy.local_addr().unwrap());
    let http = guarded("127.0.0.1:0").await;
    let mut client = Command::new(env::current_exe().unwrap());
    client.args(["--exact", "proxies::a_proxy_gets_no_token"]);
    client
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .env_remove("REQUEST_METHOD")
        .env("HTTP_PROXY", &url_of_proxy)
        .env("http_proxy", &url_of_proxy)
        .env(SERVER, url(&http))
        .kill_on_drop(true);
    tokio::select! {
        ended = client.output() => {
            let ended = ended.unwrap();
            let output = String::from_utf8_lossy(&ended.stdout);
            assert!(ended.status.success(), "{output}");
            assert!(output.contains("1 passed"), "{output}");
        }
        _ = proxy.accept() => panic!("the proxy got a request"),
    }
}
