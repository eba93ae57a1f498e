//! An MCP server over HTTP in a toolbox.

use crate::far::{ByHand, url_of};
use crate::http::office;
use serde_json::json;
use skill_agent::chat::{Chat, Scripted};
use skill_agent::mcp::{self, Auth, BoundHttp, ConnectError, McpClient, Principal, TokenError};
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Verdict};
use skill_agent::toolbox::{ToolSource, Toolbox};
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

pub const TOKEN: &str = "token-of-ann";

/// An office that only a token opens.
pub async fn guarded(address: &str) -> BoundHttp {
    let server = office().await;
    let resource = "http://127.0.0.1/mcp";
    let auth = Auth::new(resource, move |token| async move {
        match token.as_str() {
            TOKEN => Ok(Principal::new("ann", [resource])),
            _ => Err(TokenError::Invalid),
        }
    });
    let http = mcp::http(Toolbox::of(&server)).auth(auth.unwrap());
    http.bind(address).await.unwrap()
}

pub fn url(http: &BoundHttp) -> String {
    format!("http://{}/mcp", http.local_addr())
}

#[timed_test::test]
async fn a_model_calls_a_server_over_http() {
    let http = guarded("127.0.0.1:0").await;
    let client = McpClient::http(url(&http))
        .bearer_token(TOKEN)
        .await
        .unwrap();
    let toolbox = Toolbox::builder().mcp("far", client.allow(["add_note", "notes"]));
    let session = toolbox.build().await.unwrap().session(ForeignCaller::Model);
    let added = session
        .call("far__add_note", r#"{"text":"milk"}"#)
        .await
        .unwrap();
    assert_eq!(added.text(), "1");

    // the server starts again under its address, and the next call reaches it
    let address = http.local_addr().to_string();
    http.stop().await;
    // the connection may close while the request is on its way, so the first error may not know
    session.call("far__notes", "{}").await.unwrap_err();
    let error = session.call("far__notes", "{}").await.unwrap_err();
    assert_eq!(error.applied(), Applied::No, "{error:?}");
    assert!(error.to_string().contains("cannot be reached"), "{error}");
    let _again = guarded(&address).await;
    assert_eq!(session.call("far__notes", "{}").await.unwrap().text(), "[]");
}

#[timed_test::test]
async fn a_wrong_token_is_an_error_with_the_challenge() {
    let http = guarded("127.0.0.1:0").await;
    for open in [
        McpClient::http(url(&http)),
        McpClient::http(url(&http)).bearer_token("hunter2"),
    ] {
        let error = open.await.unwrap_err();
        let ConnectError::Unauthorized { challenge, .. } = &error else {
            panic!("{error:?}");
        };
        assert!(
            challenge.starts_with("Bearer resource_metadata="),
            "{challenge}"
        );
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    }
}

/// All that a log of an error may show.
pub fn shown(error: &ConnectError) -> String {
    let sources = std::iter::successors(error.source(), |&error| error.source());
    let sources: Vec<_> = sources.map(ToString::to_string).collect();
    format!("{error} {error:?} {sources:?}")
}

#[timed_test::test]
async fn errors_say_the_reason_and_no_secret() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let refused = McpClient::http(format!("http://ann:hunter2@{address}/mcp?key=hunter2"));
    let refused = refused.header("x-api-key", "hunter2").await.unwrap_err();
    let text = shown(&refused);
    assert!(
        refused.to_string().contains("Connection refused"),
        "{refused}"
    );
    assert!(!text.contains("hunter2"), "{text}");

    for url in [
        "ftp://example.com?key=hunter2",
        "example.com/mcp",
        "http://exa mple.com/hunter2",
    ] {
        let error = McpClient::http(url).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the address of the MCP server is not a URL that begins with `https://` or `http://`"
        );
        assert!(!shown(&error).contains("hunter2"));
    }
    let header = McpClient::http("http://localhost")
        .header("x api", "hunter2")
        .await
        .unwrap_err();
    assert_eq!(
        header.to_string(),
        "the name of the header `x api` has a character that it cannot contain, such as a blank"
    );
    let token = McpClient::http("http://localhost")
        .bearer_token("hunter2\n")
        .await
        .unwrap_err();
    assert_eq!(
        token.to_string(),
        "the token in `bearer_token` has a character that a header cannot contain, such as a line break at its end"
    );
    let two = McpClient::http("http://localhost")
        .bearer_token("hunter2")
        .header("Authorization", "Bearer hunter2");
    let two = two.await.unwrap_err();
    assert!(matches!(two, ConnectError::TwoTokens), "{two:?}");
}

#[timed_test::test]
async fn a_server_that_answers_every_request_is_of_the_earlier_era_and_is_listed_each_time() {
    let lists = AtomicUsize::new(0);
    // every method that it does not know gets an empty result, and each list has another description
    let url = url_of(move |request| {
        let result = match request["method"].as_str()? {
            "initialize" => json!({
                "protocolVersion": "2025-11-25",
                "serverInfo": { "name": "far", "version": "1" },
                "capabilities": { "tools": { "listChanged": true } },
            }),
            "tools/list" => {
                let list = lists.fetch_add(1, Ordering::SeqCst);
                let tool = json!({
                    "name": "read",
                    "description": format!("List {list}."),
                    "inputSchema": { "type": "object" },
                });
                json!({ "tools": [tool] })
            }
            _ => json!({}),
        };
        Some(ByHand::Result(result))
    });
    let client = McpClient::http(url.await).await.unwrap();
    let toolbox = Toolbox::builder().mcp("far", client).build().await.unwrap();
    let session = toolbox.session(ForeignCaller::Model);
    let first = session.list().await;
    assert_eq!(first.tools[0].tool.name, "far__read");
    // without a session, no announcement of the server arrives
    let second = session.list().await;
    assert_ne!(
        first.tools[0].tool.description,
        second.tools[0].tool.description
    );
}

#[timed_test::test]
async fn a_token_does_not_follow_a_redirect() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let there = elsewhere.local_addr().unwrap();
    let here = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", here.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = here.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let redirect = format!(
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://{there}/mcp\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all(redirect.as_bytes()).await;
        }
    });
    tokio::select! {
        opened = McpClient::http(url).bearer_token(TOKEN) => assert!(opened.is_err()),
        _ = elsewhere.accept() => panic!("the redirect was followed"),
    }
}

/// A tool under another name, from the model's call over the approver to the server, and into the next request.
#[timed_test::test]
async fn a_person_and_a_model_see_the_new_name_of_a_tool() {
    let http = guarded("127.0.0.1:0").await;
    let client = McpClient::http(url(&http)).bearer_token(TOKEN);
    let client = client.await.unwrap().allow(["add_note", "notes"]);
    let source = client
        .ask_for(["add_note"])
        .rename([("add_note", "jot")])
        .prefix("far_");
    let (asked, mut asks) = tokio::sync::mpsc::unbounded_channel();
    let toolbox =
        Toolbox::builder()
            .source("far", source)
            .approver(move |request: ApprovalRequest| {
                let asked = asked.clone();
                async move {
                    let text = request.arguments["text"].as_str();
                    let verdict = match text {
                        Some("milk") => Verdict::Approve,
                        _ => Verdict::Deny("only milk".into()),
                    };
                    asked.send(request.tool.name).unwrap();
                    verdict
                }
            });
    let model = Scripted::new()
        .calls([
            ("far_jot", json!({ "text": "milk" })),
            ("far_jot", json!({ "text": "eggs" })),
            ("far_jot", json!({ "text": 1 })),
            ("far_add_note", json!({ "text": "milk" })),
            ("far_notes", json!({})),
        ])
        .text("Done.");
    let toolbox = toolbox.build().await.unwrap();
    let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
    let turn = chat.send("Note milk.").await.unwrap();
    assert_eq!(turn.text(), "Done.");
    let results = turn.calls.iter().map(|call| match &call.result {
        Ok(output) => output.text().into_owned(),
        Err(error) => error.to_string(),
    });
    let results: Vec<_> = results.collect();
    let wrong = "the arguments of `far_jot` are wrong: `text`: invalid type: integer `1`, expected a string";
    assert_eq!(results[0], "1");
    assert!(
        results[1].contains("far_jot") && results[1].contains("only milk"),
        "{results:?}"
    );
    assert_eq!(results[2], wrong);
    assert!(results[3].contains("far_add_note"), "{results:?}");
    assert_eq!(results[4], r#"["milk"]"#);
    asks.close();
    assert_eq!(asks.recv().await.as_deref(), Some("far_jot"));
    assert_eq!(asks.recv().await.as_deref(), Some("far_jot"));
    assert_eq!(asks.recv().await, None);
    let request = format!("{:?}", model.requests()[1].messages);
    for said in [
        "only milk",
        "expected a string",
        r#"nearest: Some("far_notes")"#,
    ] {
        assert!(request.contains(said), "{said}: {request}");
    }
}
