//! The addresses of servers.

use reqwest::Url;

/// Whether the server is OpenAI's, also in a region or in Azure.
pub(super) fn is_openai(base: &str) -> bool {
    let url = Url::parse(base.trim()).ok();
    let host = url.as_ref().and_then(Url::host_str);
    host.is_some_and(|host| {
        host == "api.openai.com"
            || host.ends_with(".api.openai.com")
            || host.ends_with(".openai.azure.com")
    })
}

/// Host and port of an address.
pub(super) fn server(url: &str) -> Option<String> {
    let url = Url::parse(url.trim()).ok()?;
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// The address of a path under a base, whose end may have the path or its beginning already. A query stays.
pub(super) fn with_path(base: &str, path: &[&str]) -> Result<Url, String> {
    let mut url = Url::parse(base.trim()).map_err(|error| format!("the base URL: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("the base URL does not begin with `https://` or `http://`".to_owned());
    }
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
        assert_eq!(
            with_path("api.example/v1", completions).unwrap_err(),
            "the base URL: relative URL without a base"
        );
        assert!(
            with_path("file:///v1", completions)
                .unwrap_err()
                .contains("https://")
        );
    }
}
