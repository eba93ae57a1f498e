//! The endpoint of a model, and how requests to it are built.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};

use crate::http::base_url;
use crate::http::client::transport;
use skill_agent_chat::{MessagePart, ModelError};
use skill_agent_http::Secrets;
use skill_agent_http::client;

/// The address, key and headers of a model.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub(crate) model: String,
    pub(crate) base_url: String,
    /// The default base URL of the format's own provider.
    provider_url: &'static str,
    /// The host and port of the server, unless it is the provider's own.
    other_server: Option<String>,
    key: String,
    /// Additional headers, whose values may be secret too.
    headers: Vec<(String, String)>,
    /// How long the server may be silent.
    idle_time: Duration,
    client: Arc<OnceLock<Client>>,
}

/// The error message for an idle time of zero.
pub(crate) const NO_TIME: &str =
    "`idle_time` is 0, so that every request would fail; leave it out for five minutes";

/// The path and the key header of a format's requests.
pub(crate) struct Route {
    /// The path under the base URL.
    pub(crate) path: &'static [&'static str],
    /// The header for the key, and the prefix before the key.
    pub(crate) key: (HeaderName, &'static str),
    pub(crate) headers: &'static [(&'static str, &'static str)],
}

impl Route {
    /// Creates the route for a server that accepts the key as a bearer token.
    pub(crate) const fn bearer(path: &'static [&'static str]) -> Self {
        Self {
            path,
            key: (AUTHORIZATION, "Bearer "),
            headers: &[],
        }
    }
}

impl Endpoint {
    pub(crate) fn new(key: String, model: String, base_url: &'static str) -> Self {
        Self {
            model: model.trim().to_owned(),
            base_url: base_url.to_owned(),
            provider_url: base_url,
            other_server: None,
            key: key.trim().to_owned(),
            headers: Vec::new(),
            idle_time: Duration::from_secs(300),
            client: Arc::default(),
        }
    }

    pub(crate) fn set_base_url(&mut self, url: String) {
        let of_provider = base_url::server(self.provider_url);
        self.other_server =
            base_url::server(&url).filter(|server| Some(server) != of_provider.as_ref());
        self.base_url = url;
        self.client = Arc::default();
    }

    /// Returns the format's name in kept items. The name includes the server unless it is the provider's own, because a server
    /// cannot use the items of a different server, and may reject them.
    pub(crate) fn kept_name(&self, format: &'static str) -> Cow<'static, str> {
        match &self.other_server {
            Some(server) => format!("{format}@{server}").into(),
            None => format.into(),
        }
    }

    /// Adds this server to the format's name in a new kept item, unless this server is the provider's own.
    pub(crate) fn rename_item(&self, part: &mut MessagePart) {
        if let (Some(server), Some(item)) = (&self.other_server, part.item_mut()) {
            item.provider = format!("{}@{server}", item.provider);
        }
    }

    /// Returns whether the server is OpenAI's, including its regions and Azure.
    pub(crate) fn is_openai(&self) -> bool {
        base_url::is_openai(&self.base_url)
    }

    pub(crate) fn set_idle_time(&mut self, time: Duration) {
        self.idle_time = time;
        self.client = Arc::default();
    }

    pub(crate) fn add_header(&mut self, name: String, value: String) {
        self.headers.push((name, value));
    }

    /// Checks the model's name, the key, the idle time, the address and the headers.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        if let Some(problem) = self.problem() {
            return Err(ModelError::Request(problem.to_owned()));
        }
        let parsed = base_url::parsed(&self.base_url);
        let headers = parsed.and_then(|_| self.headers(&Route::bearer(&[])));
        headers.map(drop).map_err(ModelError::Request)
    }

    /// Returns the problem with the model's name, the key or the idle time. The usual cause is an environment variable with
    /// unexpected content.
    fn problem(&self) -> Option<&'static str> {
        let is_quoted = |text: &str| text.starts_with(['"', '\'']);
        let mut words = self.key.split_whitespace();
        let begin = words.next().unwrap_or_default();
        Some(if self.model.is_empty() {
            "the name of the model is empty; write `new(key, model)`"
        } else if self.model.starts_with("sk-") {
            "the name of the model is a key: write `new(key, model)`, the key first"
        } else if is_quoted(&self.model) {
            "the name of the model has quotes around it; give the name alone"
        } else if is_quoted(&self.key) {
            "the key has quotes around it; give the key alone"
        } else if begin.eq_ignore_ascii_case("bearer") {
            "the key begins with `Bearer`, which the model writes itself; give the key alone"
        } else if words.next().is_some() {
            "the key has a space or a line end in it; give the key alone"
        } else if self.idle_time.is_zero() {
            NO_TIME
        } else {
            return None;
        })
    }

    /// Builds a request without sending it.
    pub(crate) fn request(
        &self,
        route: &Route,
        body: String,
    ) -> Result<RequestBuilder, ModelError> {
        let url = base_url::with_path(&self.base_url, route.path).map_err(ModelError::Request)?;
        let headers = self.headers(route).map_err(ModelError::Request)?;
        let client = self.client(url.scheme() == "https")?;
        Ok(client.post(url).headers(headers).body(body))
    }

    fn headers(&self, route: &Route) -> Result<HeaderMap, String> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let accepted = HeaderValue::from_static("text/event-stream, application/json");
        headers.insert(ACCEPT, accepted);
        for &(name, value) in route.headers {
            let name = HeaderName::from_static(name);
            headers.insert(name, HeaderValue::from_static(value));
        }
        if !self.key.is_empty() {
            let (name, prefix) = &route.key;
            let value = secret(&format!("{prefix}{}", self.key));
            let value = value.ok_or("the key of the model has characters that no header has")?;
            headers.insert(name, value);
        }
        for (name, value) in &self.headers {
            let parsed = HeaderName::try_from(name).ok().zip(secret(value));
            let (parsed, value) =
                parsed.ok_or_else(|| format!("the header `{name}` is malformed"))?;
            headers.insert(parsed, value);
        }
        Ok(headers)
    }

    fn client(&self, has_tls: bool) -> Result<&Client, ModelError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = client(has_tls, Some(self.idle_time)).map_err(ModelError::Request)?;
        Ok(self.client.get_or_init(|| client))
    }

    /// Converts a connection error, and hides the secrets in it.
    pub(crate) fn transport(&self, error: reqwest::Error) -> ModelError {
        transport(&self.secrets(), error, self.idle_time)
    }

    /// Hides secrets in a server's text: the key, header values, secrets in the address, and single words within them, such as
    /// the token after `Bearer`.
    pub(crate) fn without_secrets(&self, text: &str) -> String {
        self.secrets().hide(text)
    }

    pub(crate) fn secrets(&self) -> Secrets {
        let values = self.headers.iter().map(|(_, value)| value);
        let values = values.chain([&self.key]).cloned();
        Secrets::new(values.chain(base_url::secrets(&self.base_url)))
    }
}

/// Omits the key, the header values, and the parts of the address that may contain a password.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = Url::parse(&self.base_url).map(base_url::shown);
        let headers: Vec<&String> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("Endpoint")
            .field("model", &self.model)
            .field("base_url", &url.unwrap_or_default())
            .field("headers", &headers)
            .field("idle_time", &self.idle_time)
            .finish_non_exhaustive()
    }
}

fn secret(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_openai_and_other_servers_are_known() {
        let endpoint = |url: &str| {
            let mut endpoint =
                Endpoint::new(String::new(), String::new(), "https://api.openai.com/v1");
            endpoint.set_base_url(url.to_owned());
            endpoint
        };
        for (url, is_openai, kept_name) in [
            ("https://api.openai.com/v2", true, "f"),
            ("https://eu.api.openai.com/v1", true, "f@eu.api.openai.com"),
            (
                "https://x.openai.azure.com/openai/v1",
                true,
                "f@x.openai.azure.com",
            ),
            (
                "https://api.openai.com.a.example",
                false,
                "f@api.openai.com.a.example",
            ),
            ("http://localhost:80/v1", false, "f@localhost"),
            ("http://[::1]:8080/?api.openai.com", false, "f@[::1]:8080"),
            ("api.openai.com", false, "f"),
        ] {
            let endpoint = endpoint(url);
            assert_eq!(endpoint.is_openai(), is_openai, "{url}");
            assert_eq!(endpoint.kept_name("f"), kept_name, "{url}");
        }
        let mut back = endpoint("http://localhost");
        back.set_base_url("https://api.openai.com".to_owned());
        assert_eq!(back.kept_name("f"), "f");
    }

    #[test]
    fn secrets_are_not_printed() {
        let base = "https://user:hidden-1@a.example/v1?token=hidden-2";
        let mut endpoint = Endpoint::new("hidden-3".to_owned(), "m".to_owned(), base);
        endpoint.add_header("x-team".to_owned(), "hidden-4".to_owned());
        let printed = format!("{endpoint:?}");
        assert!(
            !printed.contains("hidden") && printed.contains("https://a.example/v1"),
            "{printed}"
        );
        let text = endpoint.without_secrets("the key hidden-3 of hidden-4 is wrong");
        assert_eq!(text, "the key … of … is wrong");
        // the `Debug` output of a request hides these values too
        let route = Route::bearer(&["chat", "completions"]);
        let request = endpoint.request(&route, String::new()).unwrap();
        let printed = format!("{:?}", request.build().unwrap().headers());
        assert!(
            !printed.contains("hidden") && printed.contains("authorization"),
            "{printed}"
        );
    }

    #[test]
    fn what_no_header_has_is_an_error_without_the_key() {
        let endpoint = Endpoint::new("sec\nret".to_owned(), "m".to_owned(), "http://localhost");
        let error = endpoint
            .request(&Route::bearer(&["x"]), String::new())
            .unwrap_err();
        let ModelError::Request(message) = error else {
            panic!("{error:?}");
        };
        assert!(
            !message.contains("sec") && !message.contains("ret"),
            "{message}"
        );
    }
}
