//! The errors of a server that was built, bound or started wrongly.

use crate::http::office;
use crate::script::Script;
use crate::support::*;
use rmcp::ServiceError;
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::mcp::{self, BindError, Http, McpClient, RuntimeError, ServeMcpError};
use skill_agent::toolbox::Toolbox;
use std::net::Ipv4Addr;
use std::pin::pin;
use std::task::{Context as Task, Poll, Waker};
use tokio::runtime::Builder;

/// A server over HTTP without tools.
async fn empty() -> Http {
    mcp::http(Toolbox::builder().build().await.unwrap())
}

async fn bind_error(http: Http, address: &str) -> String {
    http.bind(address).await.unwrap_err().to_string()
}

#[timed_test::test]
async fn an_address_that_is_none_is_named() {
    assert_eq!(
        bind_error(empty().await, "127.0.0.1").await,
        "`127.0.0.1` cannot be resolved: invalid socket address; write a host and a port, such as `127.0.0.1:4000`"
    );
    assert_eq!(
        bind_error(empty().await, "http://localhost:4100/mcp").await,
        "`http://localhost:4100/mcp` cannot be resolved: it is a URL; write a host and a port, such as `localhost:4100`"
    );
    assert_eq!(
        bind_error(empty().await, "http://localhost").await,
        "`http://localhost` cannot be resolved: it is a URL; write a host and a port, such as `127.0.0.1:4000`"
    );
    // the forms that are no text
    for http in [
        empty().await.bind(("127.0.0.1", 0)).await,
        empty().await.bind("127.0.0.1:0".to_owned()).await,
        empty().await.bind((Ipv4Addr::LOCALHOST, 0)).await,
    ] {
        http.unwrap().stop().await;
    }
}

#[timed_test::test]
async fn a_host_or_origin_that_no_request_has_is_an_error() {
    for (host, instead) in [
        ("https://office.example.com/mcp", "office.example.com"),
        ("office.example.com/mcp", "office.example.com"),
        ("ann@office.test:80", "office.test:80"),
        ("*.office.test", "office.example.com"),
        ("", "office.example.com"),
    ] {
        let error = bind_error(empty().await.hosts([host]), "127.0.0.1:0").await;
        let expected = format!("`{host}` is not a host; write `{instead}` in `.hosts`");
        assert_eq!(error, expected);
    }
    for (origin, instead) in [
        ("office.example.com", "https://office.example.com"),
        ("office.test:8080", "https://office.test:8080"),
        ("*", "https://office.example.com"),
        ("https://*.office.test", "https://office.example.com"),
        ("http://office.test:80:*", "https://office.example.com"),
    ] {
        let error = bind_error(empty().await.origins([origin]), "127.0.0.1:0").await;
        let expected = format!("`{origin}` is not an origin; write `{instead}` in `.origins`");
        assert_eq!(error, expected);
    }
    let right = empty()
        .await
        .hosts(["office.test", "office.test:80", "::1", "[::1]:80"]);
    let right = right.origins(["https://office.test", "http://office.test:*", "null"]);
    right.bind("127.0.0.1:0").await.unwrap().stop().await;
}

/// Polls a future once, outside a runtime.
fn polled<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Task::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("expected an error"),
    }
}

#[test]
fn a_server_outside_a_runtime_or_without_a_timer_is_an_error() {
    let with_time = Builder::new_current_thread().enable_time().build().unwrap();
    let toolbox = with_time.block_on(Toolbox::builder().build()).unwrap();
    let bind = || mcp::http(toolbox.clone()).bind("127.0.0.1:0");
    let serve = || mcp::serve(toolbox.clone(), tokio::io::duplex(8).0);

    let error = polled(bind()).unwrap_err();
    assert!(
        matches!(error, BindError::Runtime(RuntimeError::NoRuntime)),
        "{error:?}"
    );
    assert!(error.to_string().contains("#[tokio::main]"), "{error}");
    let error = polled(serve()).unwrap_err();
    assert!(
        matches!(error, ServeMcpError::Runtime(RuntimeError::NoRuntime)),
        "{error:?}"
    );
    let error = polled(mcp::stdio(toolbox.clone())).unwrap_err();
    assert!(
        matches!(error, ServeMcpError::Runtime(RuntimeError::NoRuntime)),
        "{error:?}"
    );

    let without_time = Builder::new_current_thread().enable_io().build().unwrap();
    let error = without_time.block_on(bind()).unwrap_err();
    assert!(error.to_string().contains("no timer"), "{error}");
    assert!(error.to_string().contains("enable_all()"), "{error}");
    let error = without_time.block_on(serve()).unwrap_err();
    assert!(
        matches!(error, ServeMcpError::Runtime(RuntimeError::NoTimer)),
        "{error:?}"
    );

    let error = with_time.block_on(bind()).unwrap_err();
    assert!(error.to_string().contains("no I/O"), "{error}");
}

#[timed_test::test]
async fn a_client_that_leaves_at_once_is_named() {
    let (here, there) = tokio::io::duplex(8);
    drop(here);
    let toolbox = Toolbox::builder().build().await.unwrap();
    let error = mcp::serve(toolbox, there).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the MCP client could not be served: it closed the connection without asking for anything"
    );
}

#[timed_test::test]
async fn a_list_without_its_only_tool_is_empty() {
    let schema = json!({ "type": "object", "required": ["town"], "additionalProperties": false });
    let tool = ToolBuf::new("bare", "A tool without its property.", schema);
    let toolbox = Toolbox::builder().source("far", Script::with(vec![tool.into()]));
    let toolbox = toolbox.build().await.unwrap();
    let client = connected(toolbox, (), Era::Stateless).await;
    assert_eq!(client.list_all_tools().await.unwrap(), []);
}

#[timed_test::test]
async fn the_list_of_an_agent_that_has_stopped_is_an_error() {
    let expected = "the tools of `office` are withheld; the log of the server says why";
    for era in ERAS {
        let server = office().await;
        let client = connected(Toolbox::of(&server), (), era).await;
        assert!(!client.list_all_tools().await.unwrap().is_empty());
        server.stop().await.unwrap();
        let error = client.list_all_tools().await.unwrap_err();
        let ServiceError::McpError(error) = error else {
            panic!("{error:?}")
        };
        assert_eq!(error.message, expected);
    }
    // the agent does not seem to lack its tools
    let server = office().await;
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(mcp::serve(Toolbox::of(&server), there));
    let client = McpClient::connect(here).await.unwrap();
    server.stop().await.unwrap();
    let error = client.typed::<Office>().await.unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}
