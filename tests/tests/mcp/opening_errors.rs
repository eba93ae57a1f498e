//! Mistakes of a program that connects to an MCP server.

use crate::http::office;
use crate::over_http::shown;
use skill_agent::mcp::{ConnectError, McpClient, RuntimeError};
use skill_agent::toolbox::{ToolSource, Toolbox};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::runtime::Builder;

/// The address of a server that gives the same response to each request.
async fn answering(head: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 8192]).await;
            let length = body.len();
            let response = format!(
                "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
            let _ = stream.write_all(response.as_bytes()).await;
        }
    });
    address
}

#[timed_test::test]
async fn a_server_that_is_not_of_mcp_is_asked_for_its_endpoint() {
    let question = "; is this the address of its MCP endpoint, such as `…/mcp`?";
    for (head, body, expected, question) in [
        (
            "200 OK\r\nContent-Type: text/html",
            "<html>",
            "it answers with text/html instead of MCP",
            question,
        ),
        (
            "200 OK",
            "",
            "its answer has no content type, so it is not of MCP",
            question,
        ),
        (
            "200 OK\r\nContent-Type: application/json",
            r#"{"name":"office"}"#,
            r#"its JSON is not a message of MCP: {"name":"office"}"#,
            question,
        ),
        (
            "404 Not Found",
            "",
            "it answers with HTTP 404 Not Found",
            question,
        ),
        (
            "405 Method Not Allowed\r\nContent-Type: text/html",
            "<html>",
            "it answers with HTTP 405 Method Not Allowed",
            question,
        ),
        (
            "301 Moved Permanently\r\nLocation: /mcp",
            "",
            "it redirects (HTTP 301), and redirects are not followed; use the final address",
            "",
        ),
    ] {
        let address = answering(head, body).await;
        let error = McpClient::http(format!("http://{address}/")).await;
        assert_eq!(
            error.unwrap_err().to_string(),
            format!("the MCP server did not open the connection: {expected}{question}")
        );
    }
}

#[timed_test::test]
async fn a_refusal_without_a_challenge_asks_for_a_token() {
    let address = answering("401 Unauthorized", "").await;
    let error = McpClient::http(format!("http://{address}/mcp")).await;
    let error = error.unwrap_err();
    let ConnectError::Unauthorized { challenge, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(challenge, "");
    assert!(
        error.to_string().ends_with("the feature `mcp-auth`"),
        "{error}"
    );
}

#[timed_test::test]
async fn a_server_that_repeats_a_secret_does_not_put_it_into_an_error() {
    let body = "no token hunter2-token, no key hunter3-key";
    let head = "403 Forbidden\r\nContent-Type: text/plain";
    let address = answering(head, body).await;
    let opened = McpClient::http(format!("http://{address}/mcp"))
        .bearer_token("hunter2-token")
        .header("X-Key", "hunter3-key");
    let error = opened.await.unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(text.contains("no token …, no key …"), "{text}");
    assert!(!text.contains("hunter"), "{text}");
}

#[timed_test::test]
async fn a_server_without_tls_is_not_reached_by_https() {
    let address = answering("200 OK", "").await;
    let error = McpClient::http(format!("https://{address}/mcp")).await;
    let error = error.unwrap_err();
    if matches!(error, ConnectError::Tls(_)) {
        println!("skipped: {error}");
        return;
    }
    assert_eq!(
        error.to_string(),
        "the MCP server did not open the connection: it does not speak TLS at this address; write `http://`?"
    );
}

#[cfg(unix)]
#[timed_test::test]
async fn a_program_that_ends_at_once_is_named_with_its_status() {
    for (script, status) in [
        (
            "exit 0",
            "exit status 0 before it answered; is it an MCP server?",
        ),
        (
            "exit 3",
            "exit status 3 before it answered; its standard error may say why",
        ),
        (
            "read -r line; exit 3",
            "exit status 3 before it answered; its standard error may say why",
        ),
        (
            "kill -9 $$",
            "signal 9 (SIGKILL) before it answered; its standard error may say why",
        ),
    ] {
        let error = McpClient::command("sh", ["-c", script]).await.unwrap_err();
        let expected = format!("the program `sh` ended with {status}");
        assert_eq!(error.to_string(), expected, "{script}");
    }
}

#[cfg(unix)]
#[timed_test::test]
async fn a_program_that_cannot_be_started_says_what_to_change() {
    let error = McpClient::command("sh", [""; 0]).current_dir("/no/such");
    assert_eq!(
        error.await.unwrap_err().to_string(),
        "the working directory `/no/such` of the program `sh` does not exist"
    );
    // the directory exists
    let error = McpClient::command("no-such-program", [""; 0]).current_dir("/");
    let error = error.await.unwrap_err();
    assert!(matches!(error, ConnectError::Program { .. }), "{error:?}");
    assert!(error.to_string().ends_with("(os error 2)"), "{error}");
    let error = McpClient::command("sh -c true", [""; 0]).await.unwrap_err();
    let text = error.to_string();
    assert!(
        text.ends_with(
            r#"; if it contains arguments, they are the second parameter: `McpClient::command("sh", ["-c", …])`"#
        ),
        "{text}"
    );
}

/// Ctrl-C in a terminal reaches all processes of a group, and may only cancel a turn.
#[cfg(target_os = "linux")]
#[timed_test::test]
async fn a_program_is_in_a_process_group_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("group");
    // the first field of this file is the process, and the fifth its group
    let script = format!("cut -d ' ' -f 1,5 /proc/$$/stat > {}", file.display());
    McpClient::command("sh", ["-c", &script]).await.unwrap_err();
    let written = std::fs::read_to_string(file).unwrap();
    let (process, group) = written.trim().split_once(' ').unwrap();
    assert_eq!(process, group);
}

#[test]
fn a_connection_needs_a_runtime() {
    let runtime = |is_timed, has_io| {
        let mut builder = Builder::new_current_thread();
        if is_timed {
            builder.enable_time();
        }
        if has_io {
            builder.enable_io();
        }
        builder.build().unwrap()
    };
    let http = || McpClient::http("http://127.0.0.1:9/mcp").into_future();
    let program = || McpClient::command("true", [""; 0]).into_future();
    let connect = || Box::pin(McpClient::connect(tokio::io::duplex(64).0));
    let failed = |opened: Result<McpClient, ConnectError>| opened.unwrap_err();

    let error = outside(http());
    assert!(
        matches!(error, ConnectError::Runtime(RuntimeError::NoRuntime)),
        "{error:?}"
    );
    assert!(error.to_string().contains("#[tokio::main]"), "{error}");
    for error in [outside(program()), outside(connect())] {
        assert!(
            matches!(error, ConnectError::Runtime(RuntimeError::NoRuntime)),
            "{error:?}"
        );
    }

    let untimed = runtime(false, true);
    for error in [
        failed(untimed.block_on(http())),
        failed(untimed.block_on(program())),
        failed(untimed.block_on(connect())),
    ] {
        assert!(
            matches!(error, ConnectError::Runtime(RuntimeError::NoTimer)),
            "{error:?}"
        );
        assert!(error.to_string().contains("enable_all()"), "{error}");
    }

    #[cfg(unix)]
    {
        let error = failed(runtime(true, false).block_on(program()));
        assert!(
            matches!(error, ConnectError::Runtime(RuntimeError::NoIo)),
            "{error:?}"
        );
    }
}

/// Polls a connection once, outside of a runtime.
fn outside(opened: impl Future<Output = Result<McpClient, ConnectError>>) -> ConnectError {
    let mut cx = Context::from_waker(Waker::noop());
    match pin!(opened).poll(&mut cx) {
        Poll::Ready(opened) => opened.unwrap_err(),
        Poll::Pending => panic!("it waits"),
    }
}

#[timed_test::test]
async fn a_connection_that_has_closed_says_so() {
    let (here, there) = tokio::io::duplex(64 * 1024);
    let server = office().await;
    let serving = tokio::spawn(skill_agent::mcp::serve(Toolbox::of(&server), there));
    let client = McpClient::connect(here).await.unwrap();
    let source = client.clone().trust_hints();
    serving.abort();
    assert!(serving.await.is_err());
    let closed = "the connection to the MCP server has closed; connect to it again";
    loop {
        let error = source.list().await.unwrap_err().to_string();
        // the end of the connection may arrive while the request runs
        if error == closed {
            break;
        }
        assert_eq!(
            error,
            "the MCP server does not list its tools: its connection has closed"
        );
    }
}

#[timed_test::test]
async fn what_main_prints_is_short() {
    let address = answering("200 OK\r\nContent-Type: text/html", "<html>").await;
    let error = McpClient::http(format!("http://{address}/?key=hunter2")).await;
    let error = error.unwrap_err();
    assert_eq!(format!("{error:?}"), format!("ConnectError({error})"));
    assert!(!shown(&error).contains("hunter2"), "{error:?}");
}
