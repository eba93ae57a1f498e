//! The errors of a fetch, as a model reads them.

use std::time::Duration;
use thiserror::Error;

use super::address::Refusal;

/// The reason why a URL was not fetched.
#[derive(Debug, Error)]
pub(crate) enum FetchError {
    #[error(
        "`{url}` does not begin with `https://` or `http://`, and nothing else can be fetched; \
         write a whole URL, such as `https://example.com/page`"
    )]
    Scheme { url: String },
    #[error("`{url}` is not a valid URL: {problem}; write one such as `https://example.com/page`")]
    Invalid { url: String, problem: String },
    #[error("the URL has {length} bytes, more than the limit of {limit}")]
    TooLong { length: usize, limit: usize },
    /// The URL is the one to write instead.
    #[error("the URL has a user name or password before `@`, which is never sent; write `{url}`")]
    UserInfo { url: String },
    #[error("a request with {method} has no body; leave it out, or use POST")]
    Body { method: reqwest::Method },
    /// The host is an address.
    #[error("`{url}` is refused: its host is {refusal}; only public addresses can be fetched")]
    Address { url: String, refusal: Refusal },
    /// The host is a name with at least one refused address.
    #[error(
        "`{url}` is refused: the name `{host}` has the address {refusal}; \
         only public addresses can be fetched"
    )]
    Answer {
        url: String,
        host: String,
        refusal: Refusal,
    },
    #[error("the name `{host}` has no address: {problem}; check its spelling")]
    Unknown { host: String, problem: String },
    #[error("the request to `{url}` failed: {problem}")]
    Request { url: String, problem: String },
    #[error("`{url}` took longer than {limit:?}; try a smaller page, or try again later")]
    TimedOut { url: String, limit: Duration },
    /// A redirect that is not followed.
    #[error("`{from}` redirects to a URL that is not fetched: {error}")]
    Redirect {
        from: String,
        #[source]
        error: Box<FetchError>,
    },
    #[error("`{url}` is redirected more than {limit} times; fetch the page that it should lead to")]
    TooManyRedirects { url: String, limit: usize },
    #[error("`{url}` has no TLS, unlike the URL before; fetch this URL itself to read it anyway")]
    Downgrade { url: String },
    #[error(
        "`{url}` is on another server, which would get the body; \
         send the body to this URL itself if that is right"
    )]
    BodyElsewhere { url: String },
    #[error("`{url}` is compressed with `{encoding}`, although it was asked for uncompressed")]
    Compressed { url: String, encoding: String },
    #[error("`{url}` is {content}, and only text can be fetched")]
    NotText { url: String, content: String },
}
