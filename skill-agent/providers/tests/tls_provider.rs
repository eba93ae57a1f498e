//! The provider of cryptography that a program has installed. It holds for the process, hence a test by itself.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use futures_util::StreamExt;
use rustls::crypto::CryptoProvider;
use skill_agent::chat::{ChatModel, ChatRequest, ModelError, OpenAi};

#[tokio::test]
async fn the_provider_of_the_program_has_precedence() {
    let provider = CryptoProvider {
        cipher_suites: Vec::new(),
        ..rustls_graviola::default_provider()
    };
    provider.install_default().unwrap();
    let model = OpenAi::new("the key", "m").base_url("https://127.0.0.1:1/v1");
    let mut events = model.stream(ChatRequest::new(vec!["Hello?".into()]));
    let error = events.next().await.unwrap().unwrap_err();
    assert!(matches!(error, ModelError::Request(_)), "{error:?}");
    assert!(!error.is_retryable());
    assert!(error.to_string().contains("cipher suites"), "{error}");
}
