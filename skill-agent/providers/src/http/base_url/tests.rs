use super::*;

#[test]
fn the_servers_of_providers_are_known() {
    for (base, is_known) in [
        ("https://api.openai.com/v1", true),
        ("https://x.openai.azure.com/openai/v1", true),
        (
            " https://generativelanguage.googleapis.com/v1beta/openai/",
            true,
        ),
        ("https://API.X.AI/v1", true),
        ("https://openai.com", true),
        ("https://max.ai/v1", false),
        ("https://openai.com.local/v1", false),
        ("https://gateway.local/api.openai.com", false),
        ("http://localhost:8080/v1", false),
        ("http://[::1]:8080/v1", false),
        ("api.openai.com", false),
    ] {
        assert_eq!(is_provider(base), is_known, "{base}");
    }
}

#[test]
fn a_path_is_joined_to_the_base_once() {
    let messages: &[&str] = &["v1", "messages"];
    let completions: &[&str] = &["chat", "completions"];
    for (base, path, joined) in [
        (
            "https://a.example",
            messages,
            "https://a.example/v1/messages",
        ),
        (
            "https://a.example/",
            messages,
            "https://a.example/v1/messages",
        ),
        (
            "https://a.example/v1",
            messages,
            "https://a.example/v1/messages",
        ),
        (
            "https://a.example/x/v1/messages/",
            messages,
            "https://a.example/x/v1/messages",
        ),
        (
            "https://a.example/v1?version=2#top",
            completions,
            "https://a.example/v1/chat/completions?version=2",
        ),
        (
            " http://[::1]:80/api/v1/ ",
            completions,
            "http://[::1]/api/v1/chat/completions",
        ),
        (
            "http://a.example/chat/completions",
            completions,
            "http://a.example/chat/completions",
        ),
        (
            "http://a.example/xchat",
            completions,
            "http://a.example/xchat/chat/completions",
        ),
    ] {
        assert_eq!(with_path(base, path).unwrap().as_str(), joined);
    }
}

#[test]
fn a_base_of_another_form_is_shown_as_it_should_be() {
    for (base, error) in [
        (
            "api.example/v1",
            "the base URL `api.example/v1` does not begin with `https://` or `http://`; write `https://api.example/v1`",
        ),
        (
            "localhost:8080/v1",
            "the base URL `localhost:8080/v1` does not begin with `https://` or `http://`; write `http://localhost:8080/v1`",
        ),
        (
            "[::1]:8080/v1",
            "the base URL `[::1]:8080/v1` does not begin with `https://` or `http://`; write `http://[::1]:8080/v1`",
        ),
        (
            "localhost.example/v1",
            "the base URL `localhost.example/v1` does not begin with `https://` or `http://`; write `https://localhost.example/v1`",
        ),
        (
            "user:hidden@a.example?key=hidden",
            "the base URL `a.example` does not begin with `https://` or `http://`; write `https://a.example`",
        ),
        (
            "user:hid#den@a.example",
            "the base URL `…` does not begin with `https://` or `http://`; write `https://…`",
        ),
        (
            "https://user:hid#den@a.example/v1",
            "the base URL `https://…` is malformed: invalid port number",
        ),
        (
            "wss://a.example/v1",
            "the base URL begins with `wss://`; write `https://a.example/v1` or `http://a.example/v1`",
        ),
        (
            "https://",
            "the base URL `https://` has no host; write one like `http://localhost:8080/v1`",
        ),
        (
            "http:///v1",
            "the base URL `http:///v1` has no host; write one like `http://localhost:8080/v1`",
        ),
        (
            "http://user:hidden@:8080/v1?key=hidden",
            "the base URL `http://:8080/v1` has no host; write one like `http://localhost:8080/v1`",
        ),
        (
            "/v1",
            "the base URL `/v1` has no host; write one like `http://localhost:8080/v1`",
        ),
        (
            "https://user:hidden@a.example:port/v1",
            "the base URL `https://a.example:port/v1` is malformed: invalid port number",
        ),
    ] {
        assert_eq!(parsed(base).unwrap_err(), error);
    }
    for (base, error) in [
        (
            " ",
            "the base URL is empty; leave `base_url` out for the provider itself, or write one like `http://localhost:8080/v1`",
        ),
        (
            "'http://a.example/v1'",
            "the base URL has quotes around it; give it without them",
        ),
    ] {
        assert_eq!(parsed(base).unwrap_err(), error);
    }
    assert_eq!(
        parsed(" HTTPS://a.example ").unwrap().as_str(),
        "https://a.example/"
    );
    for base in [
        "http://a.example/x@/v1",
        "http://:hidden@a.example/",
        "http://[::1]/",
    ] {
        assert!(parsed(base).is_ok(), "{base}");
    }
}

#[test]
fn a_base_without_a_path_is_named_without_its_secrets() {
    let hint = |url| without_version(&Url::parse(url).unwrap());
    let named = hint("http://user:hidden@localhost:8080/chat/completions?key=hidden").unwrap();
    assert!(
        named.ends_with("did you mean `http://localhost:8080/v1`?"),
        "{named}"
    );
    let named = hint("http://localhost:8080/x/api/responses?key=hidden").unwrap();
    assert!(
        named.ends_with(
            "did you mean `http://localhost:8080/x/v1` or `http://localhost:8080/x/api/v1`?"
        ),
        "{named}"
    );
    assert_eq!(hint("http://localhost:8080/v1/chat/completions"), None);
    assert_eq!(hint("http://localhost:8080/v1/messages"), None);
}
