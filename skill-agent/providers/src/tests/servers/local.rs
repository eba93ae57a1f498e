//! Tests of the profiles that servers' addresses select.

use crate::tests::*;
use skill_agent_chat::ModelProfile;
use skill_agent_models::Provider;

fn profile(model: OpenAi) -> (Provider, bool, bool) {
    let profile = model.profile();
    (profile.provider, profile.think_tags, profile.text_calls)
}

#[test]
fn the_address_of_a_server_selects_its_profile() {
    let local = (Provider::OPENAI_COMPATIBLE, true, true);
    let hosted = (Provider::OPENAI_CHAT, false, false);
    let at = |url: &str| profile(OpenAi::new("", "m").base_url(url));
    assert_eq!(profile(OpenAi::new("", "m")), hosted);
    for (url, expected) in [
        ("http://localhost:8080/v1", local),
        ("http://192.168.0.7:11434/v1", local),
        ("https://openrouter.ai/api/v1", local),
        ("https://eu.api.openai.com/v1", hosted),
        ("https://x.openai.azure.com/openai/v1", hosted),
        (
            "https://generativelanguage.googleapis.com/v1beta/openai",
            hosted,
        ),
        ("https://api.anthropic.com/v1", hosted),
    ] {
        assert_eq!(at(url), expected, "{url}");
    }
    let back = OpenAi::new("", "m").base_url("http://localhost");
    assert_eq!(profile(back.base_url("https://api.openai.com/v1")), hosted);
    // a profile that was set by hand takes precedence, whether it was set before or after
    let own = || ModelProfile::new(Provider::OPENAI_STRICT);
    let strict = (Provider::OPENAI_STRICT, false, false);
    let model = || OpenAi::new("", "m");
    let url = "http://localhost";
    assert_eq!(profile(model().with_profile(own()).base_url(url)), strict);
    assert_eq!(profile(model().base_url(url).with_profile(own())), strict);
    // only Chat Completions has these options
    for profile in [
        OpenAiResponses::new("", "m").base_url(url).profile(),
        Anthropic::new("", "m").base_url(url).profile(),
    ] {
        assert!(!profile.think_tags && !profile.text_calls);
    }
}

#[tokio::test]
async fn a_local_server_gets_no_lists_of_types_and_no_formats() {
    let server = Server::start([Response::json(
        r#"{"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}"#,
    )])
    .await;
    let schema = json!({
        "type": "object",
        "properties": {
            "text": { "type": ["string", "null"], "format": "date-time" },
            "count": { "type": "integer", "format": "int32" },
            "size": { "type": ["integer", "string"] },
        },
        "required": ["count", "size"],
    });
    let mut request = question();
    request.tools = [ToolBuf::new("note", "Notes.", schema)].into();
    collected(events(&open_ai(&server), request).await);
    let body = server.body();
    let properties = &body["tools"][0]["function"]["parameters"]["properties"];
    let text = properties.to_string();
    assert!(
        !text.contains("\"format\"") && !text.contains("\"type\":["),
        "{text}"
    );
    assert_eq!(properties["text"]["type"], "string");
    assert_eq!(properties["count"]["maximum"], i32::MAX);
    assert_eq!(
        properties["size"]["anyOf"],
        json!([{ "type": "integer" }, { "type": "string" }])
    );
}
