//! The addresses of servers.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;
use skill_agent_http::is_local;

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

/// Returns whether the server belongs to a known model provider. Such a server parses the calls and reasoning of its models
/// itself.
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

/// Returns an address without its user name, password, query and fragment, because they may contain secrets.
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
    // a password may also contain `?` or `#`
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
        let url = Url::parse(&format!("http://{shown}"));
        let is_local = url.is_ok_and(|url| is_local(&url));
        let scheme = if is_local { "http" } else { "https" };
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

/// Returns a hint for a 404 error if the base URL probably lacks the API's version. The base URLs of Chat Completions and
/// Responses include the version. The user may have left it out, or written `/api`, the path of another API on the same server.
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

/// Appends a path to a base URL. If the URL already ends with the path or its leading segments, appends only the missing segments.
/// Keeps the query and drops the fragment.
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
mod tests;
