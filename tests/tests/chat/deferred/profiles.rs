//! The models that read tools in messages.

use skill_agent::chat::{Anthropic, ChatModel, ModelProfile, OpenAi, OpenAiResponses};
use skill_agent::models::Provider;

#[timed_test::test]
async fn models_are_known_by_their_names() {
    let anthropic = |name: &str| Anthropic::new("k", name).profile().tools_in_messages;
    for name in [
        "claude-sonnet-4-5",
        "claude-opus-4-6-20260101",
        "claude-opus-5",
    ] {
        assert!(anthropic(name), "{name}");
    }
    for name in [
        "claude-sonnet-4-20250514",
        "claude-haiku-4-5",
        "claude-3-5-sonnet-20241022",
        "m",
    ] {
        assert!(!anthropic(name), "{name}");
    }
    let proxy = Anthropic::new("k", "claude-opus-5").base_url("http://localhost:1");
    assert!(!proxy.profile().tools_in_messages);
    let responses = |name: &str| OpenAiResponses::new("k", name).profile().tools_in_messages;
    for name in ["gpt-5.6", "gpt-5.6-sol", "gpt-6-astra", "gpt-5.10"] {
        assert!(responses(name), "{name}");
    }
    for name in ["gpt-5", "gpt-5.4-mini", "gpt-4o", "o3", "m"] {
        assert!(!responses(name), "{name}");
    }
}

#[timed_test::test]
async fn an_api_without_tools_in_messages_refuses_them() {
    let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_tools_in_messages(true);
    let error = OpenAi::new("k", "m")
        .with_profile(profile)
        .check()
        .unwrap_err();
    assert!(
        error.to_string().contains(
            "this API has no tools in messages; leave `tools_in_messages` of the profile off"
        ),
        "{error}"
    );
    let profile = ModelProfile::new(Provider::ANTHROPIC).with_tools_in_messages(true);
    Anthropic::new("k", "m")
        .with_profile(profile)
        .check()
        .unwrap();
}
