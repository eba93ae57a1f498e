//! A server over HTTP whose callers have tokens.

use crate::http::{Answer, EARLIER, STATELESS, call, initialize, office, post, request};
use crate::support::*;
use serde_json::{Value, json};
use skill_agent::chat::{Chat, Scripted};
use skill_agent::mcp::{self, Auth, BindError, BoundHttp, Http, McpClient, Principal, TokenError};
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};
use skill_agent::store::Redb;
use skill_agent::toolbox::Toolbox;
use std::error::Error;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};
use tokio::sync::Notify;

const RESOURCE: &str = "http://office.test/mcp";

/// Knows tokens such as `of ann`.
fn auth() -> Auth {
    let auth = Auth::new(RESOURCE, |token| async move {
        let ago = SystemTime::now() - Duration::from_secs(1);
        match token.as_str() {
            "elsewhere" => Ok(Principal::new("ann", ["http://other.test/mcp"])),
            "without-subject" => Ok(Principal::new("", [RESOURCE])),
            "old" => Ok(Principal::new("ann", [RESOURCE]).expires_at(ago)),
            "powerless" => Ok(Principal::new("ann", [RESOURCE])),
            "down" => Err(TokenError::Unavailable),
            "panics" => panic!("the keys are damaged"),
            token => match token.strip_prefix("of-") {
                Some(name) => Ok(Principal::new(name, [RESOURCE]).scopes(["office", "more"])),
                None => Err(TokenError::Invalid),
            },
        }
    });
    let auth = auth.unwrap().scopes(["office"]);
    auth.authorization_server("http://login.test")
}

async fn bound(http: Http) -> (BoundHttp, SocketAddr) {
    let http = http.auth(auth()).bind("127.0.0.1:0").await.unwrap();
    let address = http.local_addr();
    (http, address)
}

/// Adds a note with a token.
async fn added(address: SocketAddr, token: &str) -> Answer {
    let authorization = format!("Bearer {token}");
    let headers = [("Authorization", &*authorization)];
    call(address, &headers, "add_note", json!({ "text": "milk" })).await
}

#[timed_test::test]
async fn only_a_token_for_this_server_lets_a_call_through() {
    let server = office().await;
    let (_http, address) = bound(mcp::http(Toolbox::of(&server))).await;
    let metadata = "http://office.test/.well-known/oauth-protected-resource/mcp";
    for (token, status, error) in [
        ("unknown", 401, "invalid_token"),
        ("elsewhere", 401, "invalid_token"),
        ("without-subject", 401, "invalid_token"),
        ("old", 401, "invalid_token"),
        ("powerless", 403, "insufficient_scope"),
    ] {
        let refused = added(address, token).await;
        assert_eq!(refused.status, status, "{token}: {}", refused.body);
        let challenge = refused.header("www-authenticate").unwrap();
        let beginning =
            format!("Bearer resource_metadata=\"{metadata}\", scope=\"office\", error=\"{error}\"");
        assert!(challenge.starts_with(&beginning), "{token}: {challenge}");
    }
    let arguments = || json!({ "text": "milk" });
    for headers in [
        &[][..],
        &[("Authorization", "Basic of-ann")],
        &[("Authorization", "Bearer ")],
        // which one would count?
        &[
            ("Authorization", "Bearer of-ann"),
            ("Authorization", "Bearer of-bob"),
        ],
    ] {
        let refused = call(address, headers, "add_note", arguments()).await;
        assert_eq!(refused.status, 401, "{headers:?}");
        assert_eq!(
            refused.header("www-authenticate"),
            Some(&*format!(
                "Bearer resource_metadata=\"{metadata}\", scope=\"office\""
            ))
        );
    }
    for token in ["down", "panics"] {
        let later = added(address, token).await;
        assert_eq!(
            (later.status, later.header("www-authenticate")),
            (503, None)
        );
    }
    assert!(server.agent().await.unwrap().state().desk.notes.is_empty());

    let rebound = [("Authorization", "Bearer of-ann"), ("Host", "rebound.test")];
    assert_eq!(
        call(address, &rebound, "notes", json!({})).await.status,
        403
    );
    for host in ["office.test", "127.0.0.1"] {
        let known = [("Authorization", "bearer of-ann"), ("Host", host)];
        let answer = call(address, &known, "add_note", arguments()).await;
        assert_eq!(answer.status, 200, "{host}: {}", answer.body);
    }
}

#[timed_test::test]
async fn a_client_finds_the_authorization_server() {
    let server = office().await;
    let (_http, address) = bound(mcp::http(Toolbox::of(&server))).await;
    for path in ["/mcp", ""] {
        let line = format!("GET /.well-known/oauth-protected-resource{path}");
        let answer = request(address, &line, &[], "").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let document: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(
            document,
            json!({
                "resource": RESOURCE,
                "authorization_servers": ["http://login.test"],
                "scopes_supported": ["office"],
                "bearer_methods_supported": ["header"],
            })
        );
    }
    let other = "GET /.well-known/oauth-protected-resource/other";
    assert_eq!(request(address, other, &[], "").await.status, 401);
}

#[timed_test::test]
async fn a_session_of_another_principal_does_not_exist() {
    let server = office().await;
    let (_http, address) = bound(mcp::http(Toolbox::of(&server))).await;
    let ann = ("Authorization", "Bearer of-ann");
    let bob = ("Authorization", "Bearer of-bob");
    let opened = initialize(address, &[ann]).await;
    let session = opened.session().unwrap();
    let headers = |who| {
        [
            who,
            ("Mcp-Session-Id", session),
            ("MCP-Protocol-Version", EARLIER),
        ]
    };
    let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    assert_eq!(post(address, &headers(bob), list).await.status, 404);
    assert_eq!(
        request(address, "GET /mcp", &headers(bob), "").await.status,
        404
    );
    request(address, "DELETE /mcp", &headers(bob), "").await;
    let ann_listed = post(address, &headers(ann), list).await;
    assert_eq!(ann_listed.status, 200, "{}", ann_listed.body);
    assert_eq!(post(address, &headers(ann), told).await.status, 202);
    assert_eq!(post(address, &headers(ann), list).await.status, 200);
    let ended = request(address, "DELETE /mcp", &headers(ann), "").await;
    assert_eq!(ended.status, 204);
    assert_eq!(post(address, &headers(ann), list).await.status, 404);
}

#[timed_test::test]
async fn a_guard_sees_the_principal() {
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    let builder = builder.guard(|attempt: &Attempt<'_>| match attempt.caller.principal() {
        Some("ann") => Decision::Allow,
        other => Decision::Deny(format!("{other:?} may not").into()),
    });
    let server = builder.start().await.unwrap();
    let (_http, address) = bound(mcp::http(Toolbox::of(&server))).await;
    let added_by_ann = added(address, "of-ann").await.message();
    assert_eq!(added_by_ann["result"]["isError"], false, "{added_by_ann}");
    let denied = added(address, "of-bob").await.message();
    let text = denied["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(r#"Some("bob") may not"#), "{text}");
}

#[timed_test::test]
async fn a_question_to_one_principal_is_not_answered_by_another() {
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    let server = builder.approver(mcp::ask_client()).start().await.unwrap();
    let (_http, address) = bound(mcp::http(Toolbox::of(&server))).await;
    let shred = async |token: &str, answer: Option<(&Value, Value)>| {
        let mut params = json!({ "name": "shred", "arguments": {}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": STATELESS,
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        }});
        if let Some((state, answer)) = answer {
            params["requestState"] = state.clone();
            params["inputResponses"] = answer;
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let authorization = format!("Bearer {token}");
        let headers = [
            ("Authorization", &*authorization),
            ("MCP-Protocol-Version", STATELESS),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "shred"),
        ];
        post(address, &headers, &body.to_string()).await.message()
    };
    let asked = shred("of-ann", None).await;
    let state = &asked["result"]["requestState"];
    assert!(state.is_string(), "{asked}");
    let accept = || json!({ "approval": { "action": "accept" } });
    let stolen = shred("of-bob", Some((state, accept()))).await;
    let message = stolen["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("`requestState` does not belong to this call"),
        "{message}"
    );
    let shredded = shred("of-ann", Some((state, accept()))).await;
    assert_eq!(shredded["result"]["isError"], false, "{shredded}");
}

/// Starts an office for each principal, and counts the starts.
fn per_principal(starts: &Arc<AtomicUsize>) -> Http {
    let starts = Arc::clone(starts);
    mcp::http_per_principal(move |principal: Principal| {
        starts.fetch_add(1, Ordering::SeqCst);
        async move {
            assert_ne!(principal.name(), "eve", "the file of eve is damaged");
            if principal.name() == "mallory" {
                return Err("the file of mallory is damaged".to_owned());
            }
            Ok(Toolbox::of(&office().await))
        }
    })
}

async fn notes(address: SocketAddr, token: &str) -> Value {
    let authorization = format!("Bearer {token}");
    let headers = [("Authorization", &*authorization)];
    let notes = call(address, &headers, "notes", json!({})).await.message();
    notes["result"]["structuredContent"].clone()
}

#[timed_test::test]
async fn each_principal_has_an_agent_of_its_own() {
    let starts = Arc::default();
    let (_http, address) = bound(per_principal(&starts)).await;
    let at_once = (0..8).map(|_| tokio::spawn(added(address, "of-ann")));
    for answer in at_once.collect::<Vec<_>>() {
        assert_eq!(answer.await.unwrap().status, 200);
    }
    assert_eq!(notes(address, "of-ann").await, json!(vec!["milk"; 8]));
    assert_eq!(notes(address, "of-bob").await, json!([]));
    assert_eq!(starts.load(Ordering::SeqCst), 2, "one for ann, one for bob");
}

#[timed_test::test]
async fn a_failed_start_is_tried_again_a_second_later() {
    let starts = Arc::default();
    let (_http, address) = bound(per_principal(&starts)).await;
    for name in ["of-mallory", "of-mallory", "of-mallory", "of-eve"] {
        let refused = added(address, name).await;
        assert_eq!(
            (refused.status, refused.header("retry-after")),
            (503, Some("1"))
        );
        assert!(!refused.body.contains("damaged"), "{}", refused.body);
    }
    assert_eq!(starts.load(Ordering::SeqCst), 2);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(1)).await;
    tokio::time::resume();
    assert_eq!(added(address, "of-mallory").await.status, 503);
    assert_eq!(starts.load(Ordering::SeqCst), 3);
}

#[timed_test::test]
async fn an_idle_principal_makes_room_for_another() {
    let starts = Arc::default();
    let (_http, address) = bound(per_principal(&starts).max_principals(1)).await;
    assert_eq!(added(address, "of-ann").await.status, 200);
    assert_eq!(added(address, "of-bob").await.status, 503);
    tokio::time::pause();
    for _ in 0..6 {
        tokio::time::advance(Duration::from_secs(61)).await;
        tokio::task::yield_now().await;
    }
    tokio::time::resume();
    assert_eq!(added(address, "of-bob").await.status, 200);
    assert_eq!(added(address, "of-ann").await.status, 503);
    assert_eq!(starts.load(Ordering::SeqCst), 2);
}

#[timed_test::test]
async fn a_client_that_goes_away_during_its_start_is_started_later() {
    let begun = Arc::new(Notify::new());
    let gate = Arc::new(Notify::new());
    let http = {
        let (begun, gate) = (Arc::clone(&begun), Arc::clone(&gate));
        mcp::http_per_principal(move |_| {
            let (begun, gate) = (Arc::clone(&begun), Arc::clone(&gate));
            async move {
                begun.notify_one();
                gate.notified().await;
                Ok::<_, std::io::Error>(Toolbox::of(&office().await))
            }
        })
    };
    let (_http, address) = bound(http).await;
    let first = tokio::spawn(added(address, "of-ann"));
    begun.notified().await;
    first.abort();
    let second = tokio::spawn(added(address, "of-ann"));
    begun.notified().await;
    gate.notify_one();
    assert_eq!(second.await.unwrap().status, 200);
}

#[timed_test::test]
async fn a_server_per_principal_needs_authentication() {
    let starts = Arc::default();
    let error = per_principal(&starts)
        .bind("127.0.0.1:0")
        .await
        .unwrap_err();
    assert!(matches!(error, BindError::NoPrincipals), "{error:?}");
    assert_eq!(
        error.to_string(),
        "the server has no authentication, so no request has a principal; add `.auth(…)`"
    );
    let wrong = Auth::new("office.test", |_| async { Err(TokenError::Invalid) }).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "`office.test` is not the URL of a server; write one that begins with `https://` or `http://` and has no `#`, such as \
         `https://office.example.com/mcp`"
    );
    for wrong in ["ftp://office.test/", "https://office.test/mcp#frag"] {
        let made = Auth::new(wrong, |_| async { Err(TokenError::Invalid) });
        assert_eq!(made.unwrap_err().resource, wrong);
    }
}

/// An office for each principal, in a file of the principal. Counts the starts.
fn with_files(folder: &Path, starts: &Arc<AtomicUsize>) -> Http {
    let (folder, starts) = (folder.to_owned(), Arc::clone(starts));
    mcp::http_per_principal(move |principal: Principal| {
        starts.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(principal.name());
        async move {
            let store = Redb::open(path)?;
            let office = Office::with_id(principal.name());
            let builder = AgentServer::builder(office).resources(Tools::default());
            let server = builder.store(store).start().await?;
            Ok::<_, Box<dyn Error + Send + Sync>>(Toolbox::of(&server))
        }
    })
}

/// From a model's call over HTTP to the file of its principal, and back after the agent has stopped.
#[timed_test::test]
async fn a_chat_finds_the_notes_of_its_principal_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let starts = Arc::default();
    let (_http, address) = bound(with_files(folder.path(), &starts)).await;
    let asked = async |token: &str, model: Scripted| {
        let client = McpClient::http(format!("http://{address}/mcp")).bearer_token(token);
        let client = client.await.unwrap().allow(["add_note", "notes"]);
        let toolbox = Toolbox::builder().mcp("far", client).build().await.unwrap();
        let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
        let turn = chat.send("Milk?").await.unwrap();
        let results = turn
            .calls
            .iter()
            .map(|call| call.result.as_ref().unwrap().text().into_owned());
        (results.collect::<Vec<_>>(), turn.text().to_owned())
    };
    let note = [("far__add_note", json!({ "text": "milk" }))];
    let model = Scripted::new().calls(note).text("Noted.");
    let (results, text) = asked("of-ann", model.clone()).await;
    assert_eq!((results, &*text), (vec!["1".to_owned()], "Noted."));
    let request = format!("{:?}", model.requests()[1].messages);
    assert!(request.contains("far__add_note"), "{request}");

    // the agent stops when its principal is idle
    tokio::time::pause();
    for _ in 0..5 {
        tokio::time::advance(Duration::from_secs(61)).await;
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
    }
    tokio::time::resume();
    let read = || {
        Scripted::new()
            .calls([("far__notes", json!({}))])
            .text("Read.")
    };
    let (results, text) = asked("of-ann", read()).await;
    assert_eq!((results, &*text), (vec![r#"["milk"]"#.to_owned()], "Read."));
    assert_eq!(starts.load(Ordering::Relaxed), 2);
    let (results, _) = asked("of-bob", read()).await;
    assert_eq!(results, ["[]"]);
}
