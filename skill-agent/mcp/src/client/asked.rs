//! Requests of a client, and lists of several pages.

use super::McpClient;
use super::connection::Service;
use super::failure::{TOO_LONG, is_cut_off, is_too_long, reason};
use crate::text::cleaned;
use rmcp::ErrorData;
use rmcp::model::PaginatedRequestParams;
use rmcp::service::ServiceError;
use serde::Serialize;
use skill_agent_toolbox::SourceError;
use std::fmt;
use std::time::Duration;
use tokio::time::timeout;

/// The time limit for one request.
const REQUEST_TIME: Duration = Duration::from_secs(60);
/// The time limit for a list with all its pages.
pub(super) const LIST_TIME: Duration = Duration::from_secs(10 * 60);
/// The maximum number of pages of a list.
const MAX_PAGES: usize = 1_000;
/// The maximum size of a list, as much as one page can have.
const MAX_LIST_BYTES: usize = 16 << 20;

/// A request without a response. Displays the reason. The server may have written a part of it.
pub(super) enum Failed {
    /// The response is too long.
    TooLong,
    /// The server answered with an error.
    Error(ErrorData),
    /// There was no answer.
    Other(String),
}

impl From<ServiceError> for Failed {
    fn from(error: ServiceError) -> Self {
        match error {
            error if is_too_long(&error) => Self::TooLong,
            ServiceError::McpError(error) => Self::Error(error),
            error => Self::Other(reason(&error)),
        }
    }
}

impl From<SourceError> for Failed {
    fn from(error: SourceError) -> Self {
        Self::Other(error.to_string())
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::TooLong => TOO_LONG.to_owned(),
            Self::Error(error) => cleaned(&error.message),
            Self::Other(reason) => cleaned(reason),
        })
    }
}

impl McpClient {
    /// Sends a request that changes nothing: again if the server asks for another token, and once more if the connection ends.
    pub(super) async fn asked<T, F>(
        &self,
        service: &Service,
        request: impl Fn() -> F,
    ) -> Result<T, Failed>
    where
        F: Future<Output = Result<T, ServiceError>>,
    {
        let mut attempts = self.attempts();
        let mut is_first = true;
        loop {
            let answer = tokio::select! {
                () = service.service().too_long.notified() => return Err(Failed::TooLong),
                answer = timeout(REQUEST_TIME, request()) => answer,
            };
            let answer = answer.unwrap_or(Err(ServiceError::Timeout {
                timeout: REQUEST_TIME,
            }));
            match answer {
                Err(error) if is_cut_off(&error) && std::mem::take(&mut is_first) => {}
                Err(error) if attempts.again(&error).await? => {}
                answer => return Ok(answer?),
            }
        }
    }

    /// Returns the items of all pages, at most `max`. `items` is their name in the error.
    pub(super) async fn pages<P, T, F>(
        &self,
        service: &Service,
        (max, items): (usize, &str),
        request: impl Fn(Option<PaginatedRequestParams>) -> F,
        split: impl Fn(P) -> (Vec<T>, Option<String>),
    ) -> Result<Vec<T>, Failed>
    where
        T: Serialize,
        F: Future<Output = Result<P, ServiceError>>,
    {
        let listing = async {
            let (mut all, mut cursor, mut bytes) = (Vec::new(), None, 0);
            for _ in 0..MAX_PAGES {
                let params = PaginatedRequestParams::default().with_cursor(cursor);
                let page = self
                    .asked(service, || request(Some(params.clone())))
                    .await?;
                let (page, next) = split(page);
                bytes += serde_json::to_string(&page).map_or(0, |json| json.len());
                all.extend(page);
                if all.len() > max || bytes > MAX_LIST_BYTES {
                    break;
                }
                if next.is_none() {
                    return Ok(all);
                }
                cursor = next;
            }
            Err(Failed::Other(format!(
                "it lists more than {max} {items}, {MAX_PAGES} pages or {} MiB",
                MAX_LIST_BYTES >> 20
            )))
        };
        let listed = timeout(LIST_TIME, listing).await;
        listed.unwrap_or_else(|_| {
            let reason = format!("its list did not end within {LIST_TIME:?}");
            Err(Failed::Other(reason))
        })
    }
}
