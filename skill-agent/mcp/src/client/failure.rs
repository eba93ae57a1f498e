//! The errors of requests over HTTP.

use rmcp::transport::streamable_http_client::StreamableHttpError;
use skill_agent_http::{chain, sources};
use std::error::Error;

/// The error of a request over HTTP.
pub(super) type Failure = StreamableHttpError<reqwest::Error>;

/// Returns the error of a request over HTTP, if that is why something failed.
pub(super) fn of_http<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Failure> {
    let mut errors = std::iter::once(error).chain(sources(error));
    errors.find_map(|error| error.downcast_ref())
}

/// Returns the message of an error. If a request over HTTP failed, it is the message of that, with the reasons.
pub(super) fn reason_of(error: &(dyn Error + 'static)) -> String {
    of_http(error).map_or_else(|| error.to_string(), reason)
}

/// Returns the message of the error, with the reasons.
pub(super) fn reason(error: &Failure) -> String {
    match error {
        StreamableHttpError::Client(error) => chain(error),
        other => other.to_string(),
    }
}

/// Returns whether the server has not seen the request.
pub(super) fn is_unsent(error: &Failure) -> bool {
    match error {
        StreamableHttpError::Client(error) => error.is_connect(),
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => true,
        _ => false,
    }
}

pub(super) fn without_url(error: Failure) -> Failure {
    match error {
        StreamableHttpError::Client(error) => StreamableHttpError::Client(error.without_url()),
        other => other,
    }
}
