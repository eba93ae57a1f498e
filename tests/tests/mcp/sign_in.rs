//! A client that gets its tokens from an authorization server.

use crate::far;
use crate::login::{
    Form, Instead, LateStore, Login, REDIRECT, challenge, credentials, json_response, person,
};
use rmcp::transport::auth::InMemoryCredentialStore;
use serde_json::json;
use skill_agent::chat::{Chat, Scripted};
use skill_agent::mcp::{ConnectError, McpClient, SignIn, SignInError};
use skill_agent::prelude::*;
use skill_agent::toolbox::{ToolSession, Toolbox};
use std::future::{pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use tokio::sync::Notify;

async fn session(client: McpClient) -> ToolSession {
    far::session(client.allow(["add_note", "notes"])).await
}

/// The session of a model with a desk, whose tools need a scope each.
async fn desk(login: &Login, sign_in: SignIn) -> ToolSession {
    let client = McpClient::http(login.desk_url()).sign_in(sign_in);
    far::session(client.await.unwrap().allow(["send", "add"])).await
}

fn last<'f>(forms: &'f [Form], name: &str) -> &'f str {
    &forms.last().unwrap()[name]
}

#[timed_test::test]
async fn a_model_calls_a_server_that_the_program_signs_in_to() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let client = McpClient::http(&url).client_credentials(credentials());
    let client = client.await.unwrap().allow(["add_note"]);
    {
        let state = login.state();
        assert_eq!(state.exchanges.len(), 1);
        assert_eq!(last(&state.exchanges, "grant_type"), "client_credentials");
        assert_eq!(last(&state.exchanges, "resource"), url);
        assert_eq!(last(&state.exchanges, "scope"), "office");
    }
    let toolbox = Toolbox::builder().mcp("far", client).build().await.unwrap();
    let model = Scripted::new().calls([("far__add_note", json!({ "text": "milk" }))]);
    let mut chat = Chat::builder(model.text("Done."), toolbox).build().unwrap();
    let turn = chat.send("Note milk.").await.unwrap();
    assert_eq!(turn.calls[0].result.clone().unwrap().text(), "1");
}

#[timed_test::test]
async fn a_person_signs_in_with_a_browser() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    // a key in the URL stays between the program and the server
    let keyed = format!("{}?key=hunter3", url.replace("://", "://ann:hunter4@"));
    let client = McpClient::http(keyed)
        .sign_in(person(&login))
        .await
        .unwrap();
    let session = session(client).await;
    assert_eq!(session.call("far__notes", "{}").await.unwrap().text(), "[]");
    let state = login.state();
    assert_eq!((state.registrations, state.visits.len()), (1, 1));
    for (name, value) in [
        ("code_challenge_method", "S256"),
        ("resource", &url),
        ("scope", "office"),
        ("redirect_uri", REDIRECT),
    ] {
        assert_eq!(last(&state.visits, name), value, "{name}");
    }
    assert_eq!(last(&state.exchanges, "resource"), url);
    assert!(last(&state.exchanges, "code_verifier").len() >= 43);
    let all = format!("{:?} {:?}", state.visits, state.exchanges);
    assert!(!all.contains("hunter"), "{all}");
}

#[timed_test::test]
async fn an_expired_token_is_replaced_in_a_call() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let program = McpClient::http(&url).client_credentials(credentials());
    let program = session(program.await.unwrap()).await;
    login.expire();
    assert_eq!(program.call("far__notes", "{}").await.unwrap().text(), "[]");
    assert_eq!(login.state().exchanges.len(), 2);

    let person = McpClient::http(&url).sign_in(person(&login)).await.unwrap();
    let person = session(person).await;
    login.expire();
    person.call("far__notes", "{}").await.unwrap();
    assert_eq!(
        last(&login.state().exchanges, "grant_type"),
        "refresh_token"
    );
    assert_eq!(last(&login.state().exchanges, "resource"), url);
    assert_eq!(login.state().visits.len(), 1);

    // without a refresh token, the person is asked again, once for all calls
    login.expire();
    login.state().refresh_tokens.clear();
    let calls = [(); 5].map(|()| person.call("far__notes", "{}"));
    let [a, b, c, d, e] = calls;
    let (a, b, c, d, e) = tokio::join!(a, b, c, d, e);
    for called in [a, b, c, d, e] {
        assert_eq!(called.unwrap().text(), "[]");
    }
    assert_eq!(login.state().visits.len(), 2);
}

#[timed_test::test]
async fn a_person_who_denies_is_asked_once_for_all_waiting_calls() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let client = McpClient::http(&url).sign_in(person(&login)).await.unwrap();
    let session = session(client).await;
    login.expire();
    login.state().refresh_tokens.clear();
    login.state().denial = Some("error=access_denied");
    let [a, b, c, d, e] = [(); 5].map(|()| session.call("far__notes", "{}"));
    let (a, b, c, d, e) = tokio::join!(a, b, c, d, e);
    for called in [a, b, c, d, e] {
        let error = called.unwrap_err().to_string();
        assert!(error.contains("did not allow the access"), "{error}");
    }
    assert_eq!(login.state().visits.len(), 2);

    // a later call asks again
    login.state().denial = None;
    assert_eq!(session.call("far__notes", "{}").await.unwrap().text(), "[]");
    assert_eq!(login.state().visits.len(), 3);
}

#[timed_test::test]
async fn a_call_gets_the_scope_that_it_needs_once() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let sign_in = person(&login).scope("mail");
    let client = McpClient::http(&url).sign_in(sign_in).await.unwrap();
    // the server has asked for its scope while the connection opened
    assert_eq!(last(&login.state().visits, "scope"), "mail office");
    assert_eq!(login.state().visits.len(), 2);
    let first = session(client).await;

    // a program's token loses its scope
    let program = McpClient::http(&url).client_credentials(credentials().scope("office"));
    let program = session(program.await.unwrap()).await;
    let lose = || {
        let mut state = login.state();
        state.tokens.values_mut().for_each(Vec::clear);
    };
    lose();
    program.call("far__notes", "{}").await.unwrap();
    lose();
    let exchanges = login.state().exchanges.len();
    let error = program.call("far__notes", "{}").await.unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("the token lacks the scope `office`"),
        "{error}"
    );
    assert_eq!(login.state().exchanges.len(), exchanges);
    drop(first);
}

#[timed_test::test]
async fn a_person_who_denies_one_scope_is_asked_about_another_one() {
    let login = Login::start().await;
    let browser = login.clone();
    let sign_in = SignIn::new(REDIRECT, move |url| {
        let login = browser.clone();
        async move {
            let is_mail = url.contains("mail");
            // the person takes a while
            while is_mail && login.state().called.len() < 4 {
                login.has_called.notified().await;
            }
            login.state().denial = is_mail.then_some("error=access_denied");
            Ok::<_, String>(login.browse(&url).await)
        }
    });
    let desk = desk(&login, sign_in).await;
    let [a, b, c] = [(); 3].map(|()| desk.call("far__send", "{}"));
    let (a, added, b, c) = tokio::join!(a, desk.call("far__add", "{}"), b, c);
    assert_eq!(added.unwrap().text(), "add is done");
    for sent in [a, b, c] {
        let error = sent.unwrap_err().to_string();
        assert!(error.contains("did not allow the access"), "{error}");
    }
    // once to open, and once for each scope
    assert_eq!(login.state().visits.len(), 3);
}

#[timed_test::test]
async fn a_scope_is_asked_for_again_after_a_temporary_failure() {
    let login = Login::start().await;
    let desk = desk(&login, person(&login)).await;
    let failed = async || desk.call("far__send", "{}").await.unwrap_err().to_string();
    let later = |reason: &str| {
        format!("the authorization server cannot give a token now: {reason}; try again later")
    };
    login.state().denial = Some("error=temporarily_unavailable&error_description=soon");
    let error = failed().await;
    assert!(
        error.ends_with(&later("temporarily_unavailable: soon")),
        "{error}"
    );
    login.state().denial = None;
    for answer in [
        json!({ "error": "server_error" }),
        json!({ "error": "temporarily_unavailable", "error_description": "in an hour" }),
    ] {
        login.instead("/token", Instead::Response(json_response(400, &answer)));
        let code = answer["error"].as_str().unwrap();
        let reason = match answer["error_description"].as_str() {
            Some(text) => format!("{code}: {text}"),
            None => code.to_owned(),
        };
        let error = failed().await;
        assert!(error.ends_with(&later(&reason)), "{error}");
    }
    login.state().instead.clear();
    let sent = desk.call("far__send", "{}").await.unwrap();
    assert_eq!(sent.text(), "send is done");
    assert_eq!(login.state().visits.len(), 5);
}

#[timed_test::test]
async fn tokens_in_a_store_outlive_the_program_and_reach_no_other_server() {
    let login = Login::start().await;
    let ((_office, url), (_other, other)) = (login.office().await, login.office().await);
    let store = InMemoryCredentialStore::new();
    let open = |url: &str| McpClient::http(url).sign_in(person(&login).store(store.clone()));
    for _ in 0..2 {
        session(open(&url).await.unwrap()).await;
        assert_eq!(login.state().visits.len(), 1);
    }
    login.expire();
    session(open(&url).await.unwrap()).await;
    assert_eq!(
        last(&login.state().exchanges, "grant_type"),
        "refresh_token"
    );
    assert_eq!(login.state().visits.len(), 1);
    session(open(&other).await.unwrap()).await;
    assert_eq!(login.state().visits.len(), 2);
}

#[timed_test::test]
async fn a_client_that_opened_with_the_tokens_of_another_one_signs_in() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let store = InMemoryCredentialStore::new();
    let open = |sign_in: SignIn| McpClient::http(&url).sign_in(sign_in);
    session(open(person(&login).store(store.clone())).await.unwrap()).await;
    let late = LateStore::new(&store);
    let session = session(open(person(&login).store(late.clone())).await.unwrap()).await;
    assert_eq!(login.state().visits.len(), 1);

    // it has no client that can refresh the tokens of the first one
    login.expire();
    tokio::select! {
        called = session.call("far__notes", "{}") => panic!("{called:?}"),
        () = late.saved.notified() => {}
    }
    assert_eq!(login.state().visits.len(), 2);

    // the call was dropped after the store had the tokens, and the client can refresh them
    login.expire();
    assert_eq!(session.call("far__notes", "{}").await.unwrap().text(), "[]");
    assert_eq!(login.state().visits.len(), 2);
    assert_eq!(
        last(&login.state().exchanges, "grant_type"),
        "refresh_token"
    );
}

#[timed_test::test]
async fn after_a_restart_a_secret_reaches_no_other_authorization_server() {
    let [first, second, far] = [(); 3].map(|()| Login::start());
    let (first, second, far) = tokio::join!(first, second, far);
    let pointer = format!("Bearer resource_metadata=\"{}/metadata\"", far.issuer());
    far.instead("/mcp", Instead::Response(challenge(&pointer)));
    let url = format!("{}/mcp", far.issuer());
    let store = InMemoryCredentialStore::new();
    let open = async |login: &Login| {
        let document = json!({ "resource": url, "authorization_servers": [login.issuer()] });
        let document = Instead::Response(json_response(200, &document));
        far.instead("/metadata", document);
        let sign_in = person(login).client_with_secret("robot", "hunter2");
        let opened = McpClient::http(&url).sign_in(sign_in.store(store.clone()));
        opened.await.unwrap_err()
    };
    open(&first).await;
    assert_eq!(
        first.state().exchanges[0]["grant_type"],
        "authorization_code"
    );
    for _ in 0..2 {
        let error = open(&second).await;
        assert!(
            matches!(
                error,
                ConnectError::SignIn(SignInError::AuthorizationServer { .. })
            ),
            "{error:?}"
        );
        assert!(second.state().exchanges.is_empty() && second.state().visits.is_empty());
    }
}

/// Polls a future until it has waited some times. Returns whether it has ended.
async fn ends_within<F: Future>(waits: usize, future: F) -> bool {
    let mut future = pin!(future);
    let mut left = waits;
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(_) => Poll::Ready(true),
        Poll::Pending if left == 0 => Poll::Ready(false),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

#[timed_test::test]
async fn a_sign_in_can_be_dropped_at_each_await() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let mut waits = 0;
    while !ends_within(
        waits,
        McpClient::http(&url).sign_in(person(&login)).into_future(),
    )
    .await
    {
        waits += 1;
    }
    assert!(waits > 3, "{waits}");

    let client = McpClient::http(&url).sign_in(person(&login)).await.unwrap();
    let session = session(client).await;
    let mut waits = 0;
    loop {
        login.expire();
        login.state().refresh_tokens.clear();
        if ends_within(waits, session.call("far__notes", "{}")).await {
            break;
        }
        waits += 1;
    }
    assert_eq!(session.call("far__notes", "{}").await.unwrap().text(), "[]");
}

#[timed_test::test]
async fn a_dropped_call_no_longer_asks_the_person() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let asks = Arc::new((AtomicUsize::new(0), Notify::new(), Notify::new()));
    struct Left(Arc<(AtomicUsize, Notify, Notify)>);
    impl Drop for Left {
        fn drop(&mut self) {
            self.0.2.notify_one();
        }
    }
    let (browser, count) = (login.clone(), asks.clone());
    let sign_in = SignIn::new(REDIRECT, move |url| {
        let (browser, count) = (browser.clone(), count.clone());
        async move {
            // the second time, the person is away
            if count.0.fetch_add(1, Ordering::SeqCst) == 1 {
                let _left = Left(count.clone());
                count.1.notify_one();
                pending::<()>().await;
            }
            Ok::<_, String>(browser.browse(&url).await)
        }
    });
    let session = session(McpClient::http(&url).sign_in(sign_in).await.unwrap()).await;
    login.expire();
    login.state().refresh_tokens.clear();
    tokio::select! {
        called = session.call("far__notes", "{}") => panic!("{called:?}"),
        () = asks.1.notified() => {}
    }
    asks.2.notified().await;
    assert_eq!(session.call("far__notes", "{}").await.unwrap().text(), "[]");
    assert_eq!(asks.0.load(Ordering::SeqCst), 3);
}
