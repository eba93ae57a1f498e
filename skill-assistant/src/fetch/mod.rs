//! The skill `web`.

mod address;
mod client;
mod error;
mod page;
mod redirect;
#[cfg(test)]
mod tests;

pub(crate) use client::FetchClient;
pub(crate) use error::FetchError;
pub(crate) use page::Page;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::fmt;

/// Pages and files of the web.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "web", actions(Fetch))]
pub(crate) struct Web {}

/// Fetch a text from the web: a page, a file or the response of a service. Follows up to five redirects. Returns at most 1 MiB of
/// text. Reaches only public addresses, and has 20 seconds.
#[action(open_world, reads_untrusted, sends_out)]
pub(crate) async fn fetch(
    _: &Web,
    _: &mut Context<Web>,
    client: &FetchClient,
    /// A whole URL that begins with `https://` or `http://`.
    #[arg(example = "https://example.com/page")]
    url: String,
    /// The method of the request.
    #[arg(default)]
    method: Method,
    /// The body of a POST. It is sent as `application/json` if it is JSON, and as `text/plain` otherwise.
    body: Option<String>,
) -> Result<Page, FetchError> {
    client.fetch(method, &url, body).await
}

/// The method of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Method {
    #[default]
    Get,
    Head,
    Post,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        reqwest::Method::from(*self).fmt(f)
    }
}

impl From<Method> for reqwest::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Get => Self::GET,
            Method::Head => Self::HEAD,
            Method::Post => Self::POST,
        }
    }
}
