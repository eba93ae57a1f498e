//! The addresses of servers.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;

/// Returns whether the server is OpenAI's, including its regions and Azure.
pub(crate) fn is_openai(base: &str) -> bool {
    let url = Url::parse(base.trim()).ok();
    let host = url.as_ref().and_then(Url::host_str);
    host.is_some_and(|host| {
        host == "api.openai.com"
            || host.ends_with(".api.openai.com")
            || host.ends_with(".openai.azure.com")
    })
}

/// Returns whether the server belongs to a model provider. Such a server parses the calls and reasoning of its models itself.
pub(crate) fn is_provider(base: &str) -> bool {
    const DOMAINS: [&str; 11] = [
        "openai.com",
        "azure.com",
        "anthropic.com",
        "googleapis.com",
        "amazonaws.com",
        "mistral.ai",
        "x.ai",
        "deepseek.com",
        "cohere.com",
        "cohere.ai",
        "moonshot.ai",
    ];
    let url = Url::parse(base.trim()).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    let is_in = |domain: &&str| -> bool {
        let sub = host.strip_suffix(*domain);
        sub.is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
    };
    DOMAINS.iter().any(is_in)
}

/// Returns the host and port of an address.
pub(crate) fn server(url: &str) -> Option<String> {
    let url = Url::parse(url.trim()).ok()?;
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// Returns the secrets in an address, both as written and percent-decoded: the password, a user name without a password, and the
/// query's values except versions. Also returns the user name and password in base64, because servers receive them in that form.
pub(crate) fn secrets(base: &str) -> Vec<String> {
    let Ok(url) = Url::parse(base.trim()) else {
        return Vec::new();
    };
    let (name, password) = (url.username(), url.password());
    let mut secrets = vec![password.unwrap_or(name).to_owned()];
    secrets.extend(secrets.first().map(|secret| decoded(secret)));
    let both = format!(
        "{}:{}",
        decoded(name),
        decoded(password.unwrap_or_default())
    );
    if both != ":" {
        secrets.push(BASE64_STANDARD.encode(both));
    }
    let written = url.query().unwrap_or_default().split('&');
    // skips empty pairs, as `query_pairs` does
    let written = written.filter(|pair| !pair.is_empty());
    let written = written.map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    for ((key, value), written) in url.query_pairs().zip(written) {
        if !key.to_lowercase().contains("version") {
            secrets.extend([value.into_owned(), written.to_owned()]);
        }
    }
    secrets
}

/// Percent-decodes a part of an address.
fn decoded(part: &str) -> String {
    let mut url = Url::parse("http://localhost").ok();
    let decoded = url.as_mut().and_then(|url| {
        url.set_query(Some(
            &part
                .replace('+', "%2B")
                .replace('&', "%26")
                .replace('=', "%3D"),
        ));
        url.query_pairs().next().map(|(key, _)| key.into_owned())
    });
    decoded.unwrap_or_default()
}

/// Returns an address without parts that may contain a password.
pub(crate) fn shown(mut url: Url) -> String {
    url.set_query(None);
    url.set_fragment(None);
    url.set_username("")
        .and_then(|()| url.set_password(None))
        .ok();
    url.to_string()
}

/// Parses a base URL.
///
/// # Errors
/// Returns a message if `base` is not an HTTP address. The message omits the user name, the password and the query.
pub(crate) fn parsed(base: &str) -> Result<Url, String> {
    let base = base.trim();
    if base.is_empty() {
        let problem = "the base URL is empty; leave `base_url` out for the provider itself, or write one like `http://localhost:8080/v1`";
        return Err(problem.to_owned());
    }
    if base.starts_with(['"', '\'']) {
        return Err("the base URL has quotes around it; give it without them".to_owned());
    }
    let (scheme, rest) = match base.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, base),
    };
    let (before, query) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    // a password may also contain these characters
    let shown = if query.contains('@') { "…" } else { before };
    let shown = shown.rsplit('@').next().unwrap_or_default();
    if !has_host(before) {
        let scheme = scheme.map(|scheme| format!("{scheme}://"));
        return Err(format!(
            "the base URL `{}{shown}` has no host; write one like `http://localhost:8080/v1`",
            scheme.unwrap_or_default()
        ));
    }
    let Some(scheme) = scheme else {
        let scheme = if is_local(shown) { "http" } else { "https" };
        return Err(format!(
            "the base URL `{shown}` does not begin with `https://` or `http://`; write `{scheme}://{shown}`"
        ));
    };
    if !["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
    {
        return Err(format!(
            "the base URL begins with `{scheme}://`; write `https://{shown}` or `http://{shown}`"
        ));
    }
    Url::parse(base)
        .map_err(|error| format!("the base URL `{scheme}://{shown}` is malformed: {error}"))
}

/// Returns whether there is a host between the scheme and the path. If the host is missing, `Url::parse` takes the beginning of
/// the path as the host.
fn has_host(rest: &str) -> bool {
    let authority = rest.split(['/', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    !host.is_empty() && !host.starts_with(':')
}

/// Returns whether the host is this machine.
fn is_local(host: &str) -> bool {
    ["localhost", "127.", "0.0.0.0", "[::1]"]
        .iter()
        .any(|local| host.starts_with(local))
}

/// Returns a hint for an address that a server does not know. For Chat Completions and Responses, the base URL includes the
/// version, and the user may have omitted it, or written the `/api` of another API of the server.
pub(crate) fn without_version(url: &Url) -> Option<String> {
    let ends = ["/chat/completions", "/responses"];
    let path = ends.iter().find_map(|end| url.path().strip_suffix(end))?;
    let origin = url.origin().ascii_serialization();
    let most = "most servers have this API below `/v1`; did you mean";
    if path.is_empty() {
        return Some(format!(
            "the base URL has no path, and {most} `{origin}/v1`?"
        ));
    }
    let before = path.strip_suffix("/api")?;
    Some(format!(
        "the base URL ends in `/api`, and {most} `{origin}{before}/v1` or `{origin}{path}/v1`?"
    ))
}

/// Appends a path to a base URL, which may already end with the path or its beginning. Keeps the query.
pub(crate) fn with_path(base: &str, path: &[&str]) -> Result<Url, String> {
    let mut url = parsed(base)?;
    url.set_fragment(None);
    let base = url.path().trim_end_matches('/').to_owned();
    let is_there = |count: &usize| base.ends_with(&format!("/{}", path[..*count].join("/")));
    let there = (1..=path.len()).rev().find(is_there).unwrap_or(0);
    let missing = path[there..].iter().map(|part| format!("/{part}"));
    url.set_path(&(base.clone() + &missing.collect::<String>()));
    Ok(url)
}

#[cfg(test)]
mod tests {
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
}
