//! Tests of the providers from environment variables.

use super::*;
use crate::from_env::providers_from;
use crate::providers_from_env;
use skill_agent_chat::Providers;
use std::env::VarError;

/// Returns the providers for some variables.
fn providers(variables: &[(&'static str, &str)]) -> Providers {
    providers_from(|wanted| {
        let mut variables = variables.iter();
        let found = variables.find(|(name, _)| *name == wanted);
        found.map_or(Err(VarError::NotPresent), |(_, value)| {
            Ok((*value).to_owned())
        })
    })
}

fn error(providers: &Providers, provider: &str) -> String {
    let error = providers.model(provider, "m").err();
    error.expect("a variable is missing").to_string()
}

#[timed_test::test]
async fn keys_and_addresses_come_from_variables() {
    let server = Server::start((0..3).map(|_| Response::json("{}"))).await;
    let open_ai = format!("{}/v1", server.url);
    let providers = providers(&[
        ("OPENAI_API_KEY", KEY),
        ("OPENAI_BASE_URL", &open_ai),
        ("ANTHROPIC_API_KEY", KEY),
        ("ANTHROPIC_BASE_URL", &server.url),
    ]);
    for provider in ["openai", "openai-compatible", "anthropic"] {
        let model = providers.model(provider, "m").unwrap();
        events(&*model, question()).await;
    }
    let received = server.received();
    let lines: Vec<&str> = received
        .iter()
        .map(|request| request.line.as_str())
        .collect();
    assert_eq!(
        lines,
        [
            "POST /v1/responses HTTP/1.1",
            "POST /v1/chat/completions HTTP/1.1",
            "POST /v1/messages HTTP/1.1",
        ]
    );
    let bearer = format!("Bearer {KEY}");
    assert_eq!(received[0].header("authorization"), Some(&*bearer));
    assert_eq!(received[1].header("authorization"), Some(&*bearer));
    assert_eq!(received[2].header("x-api-key"), Some(KEY));
    assert!(!format!("{providers:?}").contains(KEY));
}

#[timed_test::test]
async fn a_compatible_server_needs_no_key() {
    let server = Server::start([Response::json("{}")]).await;
    let providers = providers(&[("OPENAI_BASE_URL", &server.url), ("OPENAI_API_KEY", "")]);
    let model = providers.model("openai-compatible", "m").unwrap();
    events(&*model, question()).await;
    assert_eq!(server.received()[0].header("authorization"), None);
    assert_eq!(
        error(&providers, "openai"),
        "`openai` cannot be used: the environment variable `OPENAI_API_KEY` is not set"
    );
}

#[test]
fn a_missing_variable_is_an_error_with_its_name() {
    let providers = providers(&[]);
    for (provider, variable) in [
        ("openai", "OPENAI_API_KEY"),
        ("openai-compatible", "OPENAI_BASE_URL"),
        ("anthropic", "ANTHROPIC_API_KEY"),
    ] {
        assert_eq!(
            error(&providers, provider),
            format!(
                "`{provider}` cannot be used: the environment variable `{variable}` is not set"
            )
        );
    }
    let not_utf8 = providers_from(|_| Err(VarError::NotUnicode("\u{fffd}".into())));
    assert_eq!(
        error(&not_utf8, "anthropic"),
        "`anthropic` cannot be used: the environment variable `ANTHROPIC_API_KEY` is not UTF-8"
    );
    assert!(
        providers_from_env()
            .names()
            .eq(["anthropic", "openai", "openai-compatible"])
    );
}
