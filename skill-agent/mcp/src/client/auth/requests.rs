//! Requests to authorization servers, and for the documents that name them.

use http::Method;
use reqwest::{Request, Url};
use rmcp::transport::auth::{
    OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRequest,
};
use skill_agent_http::{chain, client, is_local};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

/// The time limit for one request with its response.
const REQUEST_TIME: Duration = Duration::from_secs(30);
/// The maximum size of a response in bytes.
const MAX_BYTES: usize = 1 << 20;

type Response = http::Response<Vec<u8>>;

/// Sends requests without redirects, by the thread of the MCP server.
pub(super) struct OAuthRequests {
    pub(super) server: Url,
    pub(super) runtime: Option<Handle>,
}

impl OAuthHttpClient for OAuthRequests {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let request = Request::try_from(request.request).map_err(cause)?;
            let request = self.allowed(request)?;
            // the timer belongs to the thread of the request
            let answering = async { timeout(REQUEST_TIME, answered(request)).await };
            let ended = match &self.runtime {
                Some(runtime) => AbortOnDropHandle::new(runtime.spawn(answering)).await?,
                None => answering.await,
            };
            ended.map_err(|_| format!("no answer within {REQUEST_TIME:?}"))?
        })
    }
}

impl OAuthRequests {
    /// Refuses requests without TLS, except on this machine and for documents of the MCP server itself. An MCP server elsewhere
    /// cannot name an address of this machine.
    fn allowed(&self, request: Request) -> Result<Request, OAuthHttpClientError> {
        let url = request.url();
        let is_document = request.method() == Method::GET && url.origin() == self.server.origin();
        if is_document || is_allowed(url, &self.server) {
            Ok(request)
        } else {
            Err(NOT_ALLOWED.into())
        }
    }
}

pub(super) const NOT_ALLOWED: &str = "its address does not begin with `https://`, or it is on this machine and the MCP server is not";

/// Returns whether the address of an authorization server may be used.
pub(super) fn is_allowed(url: &Url, server: &Url) -> bool {
    match url.scheme() {
        "https" => !is_local(url) || is_local(server),
        "http" => is_local(url) && is_local(server),
        _ => false,
    }
}

async fn answered(request: Request) -> Result<Response, OAuthHttpClientError> {
    // a sign-in is rare, and its servers differ, so that no connection is kept
    let client = client(request.url().scheme() == "https", None)?;
    let mut answer = client.execute(request).await.map_err(cause)?;
    let mut response = Response::new(Vec::new());
    *response.status_mut() = answer.status();
    *response.headers_mut() = std::mem::take(answer.headers_mut());
    let body = response.body_mut();
    while let Some(bytes) = answer.chunk().await.map_err(cause)? {
        if body.len() + bytes.len() > MAX_BYTES {
            return Err(format!("the answer has more than {MAX_BYTES} bytes").into());
        }
        body.extend_from_slice(&bytes);
    }
    Ok(response)
}

fn cause(error: reqwest::Error) -> OAuthHttpClientError {
    chain(&error.without_url()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_leaves_this_machine_and_only_a_server_here_leads_here() {
        let allowed =
            |url: &str, server: &str| is_allowed(&url.parse().unwrap(), &server.parse().unwrap());
        let (here, there) = ("http://127.0.0.1:4000/mcp", "https://office.example/mcp");
        for (url, from_here, from_there) in [
            ("https://login.example/token", true, true),
            ("http://login.example/token", false, false),
            ("http://localhost:1/token", true, false),
            ("http://login.localhost./token", true, false),
            ("http://[::1]/token", true, false),
            ("https://[::ffff:127.0.0.1]/token", true, false),
            ("https://127.8.8.8/token", true, false),
            ("https://0.0.0.0/token", true, false),
            ("https://[::]/token", true, false),
            ("https://[::127.0.0.1]/token", true, false),
            ("http://127.0.0.1.example/token", false, false),
            ("file:///etc/passwd", false, false),
            ("javascript:alert(1)", false, false),
        ] {
            assert_eq!(allowed(url, here), from_here, "{url} from here");
            assert_eq!(allowed(url, there), from_there, "{url} from there");
        }
    }
}
