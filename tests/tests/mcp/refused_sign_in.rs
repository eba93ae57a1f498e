//! Sign-ins that fail, and authorization servers that attack.

use crate::login::{
    Instead, Login, REDIRECT, StallingStore, challenge, credentials, json_response, person,
    redirect,
};
use crate::over_http::shown;
use rmcp::transport::auth::InMemoryCredentialStore;
use serde_json::json;
use skill_agent::mcp::{ClientCredentials, ConnectError, McpClient, SignIn, SignInError};
use std::future::pending;

#[timed_test::test]
async fn a_refusal_says_what_to_do_and_no_secret() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let open = |credentials| McpClient::http(&url).client_credentials(credentials);
    let wrong = open(ClientCredentials::new("robot", "hunter5"))
        .await
        .unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "the authorization server gave no token: invalid_client: no such client; check the id, the secret and the scopes"
    );
    assert!(!shown(&wrong).contains("hunter"), "{}", shown(&wrong));
    let debug = format!("{:?}", ClientCredentials::new("robot", "hunter5"));
    assert!(
        debug.contains("robot") && !debug.contains("hunter"),
        "{debug}"
    );

    let elsewhere = credentials().authorization_server("https://login.example.com");
    let exchanges = login.state().exchanges.len();
    let elsewhere = open(elsewhere).await.unwrap_err();
    assert!(
        matches!(
            elsewhere,
            ConnectError::SignIn(SignInError::AuthorizationServer { .. })
        ),
        "{elsewhere:?}"
    );
    assert_eq!(login.state().exchanges.len(), exchanges);
    open(credentials().authorization_server(login.issuer()))
        .await
        .unwrap();
    let tenant = format!("{}/tenant", login.issuer());
    let other = open(credentials().authorization_server(&tenant)).await;
    let expected = format!("`{}`, but `{tenant}` was expected", login.issuer());
    let other = other.unwrap_err().to_string();
    assert!(other.contains(&expected), "{other}");

    let none = McpClient::http(&url).await.unwrap_err();
    assert!(
        none.to_string()
            .contains("`client_credentials` or `sign_in`"),
        "{none}"
    );
}

#[timed_test::test]
async fn a_browser_that_brings_no_code_is_an_error() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let open = |sign_in| async {
        McpClient::http(&url)
            .sign_in(sign_in)
            .await
            .unwrap_err()
            .to_string()
    };
    login.state().denial = Some("error=access_denied&error_description=not+today");
    assert_eq!(
        open(person(&login)).await,
        "the person did not allow the access: access_denied: not today"
    );
    login.state().denial = None;
    let at = |address: &'static str| {
        SignIn::new(REDIRECT, move |_| async move {
            Ok::<_, String>(address.to_owned())
        })
    };
    let state = "the `state` of the redirect is not the one of this sign-in; sign in again";
    assert_eq!(open(at("/callback?code=stolen&state=other")).await, state);
    assert_eq!(open(at("/callback?code=stolen")).await, state);
    assert_eq!(
        open(SignIn::new(REDIRECT, async |_| Err::<String, _>(
            "no browser"
        )))
        .await,
        "the redirect did not arrive: no browser"
    );
    assert!(
        open(SignIn::new("nowhere", async |_| Err::<String, _>("-")))
            .await
            .contains("redirect URL")
    );
    assert!(login.state().exchanges.is_empty());
}

#[timed_test::test]
async fn a_hostile_authorization_server_gets_nothing() {
    let document = "/.well-known/oauth-authorization-server";
    let elsewhere = Login::start().await;
    let there = format!("{}/token", elsewhere.issuer());
    let cases = [
        (
            document,
            Instead::Response(redirect(&there)),
            "non-same-origin",
        ),
        (document, Instead::Endless, "more than 1048576 bytes"),
        (document, Instead::Bytes(2 << 20), "more than 1048576 bytes"),
        (
            document,
            Instead::Member("issuer", json!("http://127.0.0.1:1")),
            "the MCP server names the authorization server",
        ),
        (
            document,
            Instead::Member("token_endpoint", json!("http://login.example/token")),
            "does not begin with `https://`",
        ),
        (
            document,
            Instead::Member("authorization_endpoint", json!("javascript:alert(1)")),
            "does not begin with `https://`",
        ),
        (
            document,
            Instead::Member(
                "registration_endpoint",
                json!("http://login.example/register"),
            ),
            "does not begin with `https://`",
        ),
        (
            document,
            Instead::Member("code_challenge_methods_supported", json!(["plain"])),
            "S256",
        ),
        (
            "/register",
            Instead::Response(redirect(&there)),
            "does not register this program",
        ),
        (
            "/register",
            // rmcp quotes it
            Instead::Response(json_response(
                201,
                &json!({ "client_id": "id", "redirect_uris": [REDIRECT], "client_secret": 31_415_926 }),
            )),
            "its answer is malformed",
        ),
        (
            "/register",
            Instead::Response(json_response(400, &json!("31415926"))),
            "it answers with HTTP 400",
        ),
        (
            "/register",
            Instead::Response(json_response(
                400,
                &json!({ "error": "invalid_redirect_uri" }),
            )),
            "this program: invalid_redirect_uri;",
        ),
        (
            "/token",
            Instead::Response(redirect(&there)),
            "has no token and no reason",
        ),
        ("/token", Instead::Endless, "it did not answer"),
        ("/token", Instead::Bytes(100), "has no token and no reason"),
        (
            "/token",
            // rmcp quotes it
            Instead::Response(json_response(200, &json!({ "access_token": 31_415_926 }))),
            "has no token and no reason",
        ),
    ];
    for (path, instead, message) in cases {
        let login = Login::start().await;
        let (_office, url) = login.office().await;
        login.instead(path, instead);
        let error = McpClient::http(&url)
            .sign_in(person(&login))
            .await
            .unwrap_err();
        assert!(
            error.to_string().contains(message),
            "{path}, {message}: {error}"
        );
        assert!(error.to_string().len() < 400, "{error}");
        assert!(!shown(&error).contains("31415926"), "{}", shown(&error));
        assert!(elsewhere.state().exchanges.is_empty(), "{path}, {message}");
    }
}

#[timed_test::test]
async fn a_token_is_for_the_resource_that_the_document_names() {
    let login = Login::start().await;
    let (_office, office) = login.office().await;
    let far = Login::start().await;
    let pointer = format!("Bearer resource_metadata=\"{}/metadata\"", far.issuer());
    far.instead("/mcp", Instead::Response(challenge(&pointer)));
    let open = async |resource: &str| {
        let document = json!({ "resource": resource, "authorization_servers": [login.issuer()] });
        far.instead(
            "/metadata",
            Instead::Response(json_response(200, &document)),
        );
        let url = format!("{}/mcp", far.issuer());
        let opened = McpClient::http(url).client_credentials(credentials()).await;
        opened.unwrap_err().to_string()
    };
    // a token for the office would reach another server
    let error = open(&office).await;
    assert!(error.contains("is about another server"), "{error}");
    assert!(login.state().exchanges.is_empty());

    let resource = format!("{}/", far.issuer());
    let error = open(&resource).await;
    assert_eq!(
        error,
        format!(
            "the MCP server does not accept the token that the authorization server gave; check the scopes and the authorization \
             server: Bearer resource_metadata=\"{}/…\"",
            far.issuer()
        )
    );
    {
        let state = login.state();
        assert_eq!(state.exchanges.len(), 1);
        assert_eq!(state.exchanges[0]["resource"], resource);
    }

    // an authorization server for programs alone
    for (member, value) in [
        ("response_types_supported", json!([])),
        ("code_challenge_methods_supported", json!(["plain"])),
    ] {
        login.instead(
            "/.well-known/oauth-authorization-server",
            Instead::Member(member, value),
        );
        let error = open(&resource).await;
        assert!(error.contains("does not accept the token"), "{error}");
        let state = login.state();
        let exchange = state.exchanges.last().unwrap();
        assert_eq!(exchange["resource"], resource, "{member}");
    }
    assert_eq!(login.state().exchanges.len(), 3);
}

#[timed_test::test]
async fn a_key_in_the_url_does_not_reach_the_authorization_server() {
    // an earlier server without a document, so that the URL is the resource
    let far = Login::start().await;
    far.instead("/mcp", Instead::Response(challenge("Bearer")));
    let url = format!("{}/mcp", far.issuer());
    let keyed = McpClient::http(format!("{url}?key=hunter3"));
    let error = keyed.client_credentials(credentials()).await.unwrap_err();
    assert!(error.to_string().ends_with("server: Bearer"), "{error}");
    assert!(!shown(&error).contains("hunter"), "{}", shown(&error));
    assert_eq!(far.state().exchanges[0]["resource"], url);

    // an empty challenge ends the sentence
    far.instead("/mcp", Instead::Response(challenge("")));
    let error = McpClient::http(url).client_credentials(credentials()).await;
    let error = error.unwrap_err().to_string();
    assert!(
        error.ends_with("the scopes and the authorization server"),
        "{error}"
    );
}

#[timed_test::test]
async fn a_key_in_the_path_is_in_no_error() {
    let far = Login::start().await;
    let (server, path) = (
        far.issuer(),
        "/.well-known/oauth-protected-resource/s/hunter3/mcp",
    );
    let url = format!("{server}/s/hunter3/mcp");
    let pointer = format!("Bearer resource_metadata=\"{server}{path}\"");
    far.instead("/s/hunter3/mcp", Instead::Response(challenge(&pointer)));
    let document = |resource: &str, server: &str| {
        let document = json!({ "resource": resource, "authorization_servers": [server] });
        Instead::Response(json_response(200, &document))
    };
    let elsewhere = redirect("http://localhost:1/s/hunter3/mcp");
    for (instead, message) in [
        (document(&url, &server), "does not accept the token that"),
        (Instead::Endless, "cannot be read"),
        (Instead::Response(elsewhere), "cannot be read"),
        (
            document(&format!("{server}/s/hunter3/x"), &server),
            "is about another server",
        ),
        (document("s/hunter3/mcp", &server), "is not a URL"),
        (
            document(&url, "http://127.0.0.1:1/s/hunter3"),
            "http://127.0.0.1:",
        ),
        (document(&url, &url), "http://127.0.0.1:"),
    ] {
        far.instead(path, instead);
        let error = McpClient::http(&url).sign_in(person(&far)).await;
        let error = error.unwrap_err();
        assert!(error.to_string().contains(message), "{message}: {error}");
        assert!(!shown(&error).contains("hunter"), "{}", shown(&error));
    }
}

#[timed_test::test]
async fn a_person_and_each_server_have_a_time_limit() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let away = SignIn::new(REDIRECT, async |_| {
        tokio::time::pause();
        pending::<Result<String, String>>().await
    });
    let error = McpClient::http(&url).sign_in(away).await.unwrap_err();
    assert_eq!(error.to_string(), "the person did not sign in within 300s");
    tokio::time::resume();

    for (path, awaited) in [
        (
            "/.well-known/oauth-authorization-server",
            "the MCP server or the authorization server",
        ),
        ("/register", "the authorization server"),
        (
            "/token",
            "the authorization server or the store of credentials",
        ),
    ] {
        login.instead(path, Instead::Never);
        let error = McpClient::http(&url).sign_in(person(&login)).await;
        assert_eq!(
            error.unwrap_err().to_string(),
            format!("{awaited} did not answer within 60s"),
            "{path}"
        );
        tokio::time::resume();
        login.state().instead.clear();
    }

    let store = InMemoryCredentialStore::new();
    let opened = McpClient::http(&url).sign_in(person(&login).store(store.clone()));
    drop(opened.await.unwrap());
    for answers_once in [true, false] {
        let stalls = StallingStore::new(&store, answers_once);
        let opened = McpClient::http(&url).sign_in(person(&login).store(stalls));
        assert_eq!(
            opened.await.unwrap_err().to_string(),
            "the store of credentials did not answer within 60s"
        );
        tokio::time::resume();
    }
}

#[timed_test::test]
async fn a_refusal_for_another_reason_asks_no_person() {
    let far = Login::start().await;
    let refusal = "HTTP/1.1 403 Forbidden\r\nWWW-Authenticate: Bearer error=\"invalid_request\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    far.instead("/mcp", Instead::Response(refusal.to_owned()));
    let url = format!("{}/mcp", far.issuer());
    let error = McpClient::http(url).sign_in(person(&far)).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("it refuses the token"), "{error}");
    assert!(far.state().visits.is_empty());
}
