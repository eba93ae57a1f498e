//! Redirects, which are followed by hand, because each target is checked.

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{StatusCode, Url};

use super::client::web_url;
use super::{FetchError, Method};

/// One request of a fetch.
pub(super) struct Hop {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) body: Option<String>,
}

impl Hop {
    /// Returns the request that a response leads to, or `None` if the response is the last one.
    pub(super) fn next(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
    ) -> Result<Option<Hop>, FetchError> {
        let becomes_get = match status {
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER => true,
            StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => false,
            _ => return Ok(None),
        };
        let Some(location) = headers.get(LOCATION) else {
            return Ok(None);
        };
        let location = String::from_utf8_lossy(location.as_bytes());
        let url = web_url(&location, self.url.join(&location))?;
        if self.url.scheme() == "https" && url.scheme() == "http" {
            return Err(FetchError::Downgrade { url: url.into() });
        }
        // as in browsers
        if becomes_get && self.method == Method::Post {
            return Ok(Some(Hop {
                method: Method::Get,
                url,
                body: None,
            }));
        }
        // the person agreed to send the body to one server
        if self.body.is_some() && url.origin() != self.url.origin() {
            return Err(FetchError::BodyElsewhere { url: url.into() });
        }
        Ok(Some(Hop {
            method: self.method,
            url,
            body: self.body.clone(),
        }))
    }
}
