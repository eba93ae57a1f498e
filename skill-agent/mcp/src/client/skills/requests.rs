//! The requests for skills.

use super::files::Refused;
use super::{MAX_SKILLS, SkillsError};
use crate::client::McpClient;
use crate::client::connection::Service;
use crate::client::error::TOO_LONG;
use crate::client::failure::{of_http, reason};
use crate::sent::Sent;
use crate::text::cleaned;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    ClientRequest, ErrorCode, PaginatedRequestParams, ReadResourceRequest,
    ReadResourceRequestParams, ResourceContents, ServerResult, Skill, SkillResource,
};
use rmcp::service::ServiceError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use skill_agent_toolbox::SourceError;
use std::time::Duration;
use tokio::time::timeout;

/// The time limit for one request.
const REQUEST_TIME: Duration = Duration::from_secs(60);
/// The time limit for a list with all its pages.
const LIST_TIME: Duration = Duration::from_secs(10 * 60);
/// The maximum size of a list, as much as one page can have.
pub(super) const MAX_LIST_BYTES: usize = 16 << 20;

/// Why a request has no response.
enum Failed {
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
            // so it is in place of an event that is too long
            ServiceError::McpError(error) if error.message.ends_with(TOO_LONG) => Self::TooLong,
            ServiceError::McpError(error) => Self::Error(error),
            error => match of_http(&error) {
                Some(StreamableHttpError::ResponseBodyTooLarge { .. }) => Self::TooLong,
                _ => Self::Other(reason(&error)),
            },
        }
    }
}

impl From<SourceError> for Failed {
    fn from(error: SourceError) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<Failed> for SkillsError {
    fn from(failed: Failed) -> Self {
        Self::Server(match failed {
            Failed::TooLong => TOO_LONG.to_owned(),
            Failed::Error(error) => cleaned(&error.message),
            Failed::Other(reason) => cleaned(&reason),
        })
    }
}

/// Returns whether a resource does not exist. Later versions of the protocol have no code of their own for that.
fn is_missing(code: ErrorCode) -> bool {
    [ErrorCode::RESOURCE_NOT_FOUND, ErrorCode::INVALID_PARAMS].contains(&code)
}

impl McpClient {
    /// Sends a request, again if the server asks for another token.
    async fn asked<T, F>(&self, service: &Service, request: impl Fn() -> F) -> Result<T, Failed>
    where
        F: Future<Output = Result<T, ServiceError>>,
    {
        let mut attempts = self.attempts();
        loop {
            let answer = tokio::select! {
                () = service.service().too_long.notified() => return Err(Failed::TooLong),
                answer = timeout(REQUEST_TIME, request()) => answer,
            };
            let answer = answer.unwrap_or(Err(ServiceError::Timeout {
                timeout: REQUEST_TIME,
            }));
            match answer {
                Err(error) if attempts.again(&error).await? => {}
                answer => return Ok(answer?),
            }
        }
    }

    /// Returns the skills of all pages.
    pub(super) async fn listed_skills(&self) -> Result<Vec<Skill>, SkillsError> {
        let list = timeout(LIST_TIME, self.pages_of_skills()).await;
        list.unwrap_or_else(|_| {
            let reason = format!("their list did not end within {LIST_TIME:?}");
            Err(SkillsError::Server(reason))
        })
    }

    async fn pages_of_skills(&self) -> Result<Vec<Skill>, SkillsError> {
        let service = self.service().await?;
        let peer = service.peer();
        let server = peer.peer_info();
        if !server.is_some_and(|server| server.capabilities.supports_skills()) {
            return Err(SkillsError::NoSkills);
        }
        let (mut skills, mut cursor, mut bytes) = (Vec::new(), None, 0);
        loop {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let request = || peer.list_skills(Some(params.clone()));
            let page = self.asked(&service, request).await?;
            // an empty page would let a server go on without end
            let is_last = page.next_cursor.is_none() || page.skills.is_empty();
            bytes += serde_json::to_string(&page.skills).map_or(0, |json| json.len());
            skills.extend(page.skills);
            if skills.len() > MAX_SKILLS || bytes > MAX_LIST_BYTES {
                return Err(SkillsError::TooMany);
            }
            if is_last {
                return Ok(skills);
            }
            cursor = page.next_cursor;
        }
    }

    /// Reads a file at the server, and compares it with its digest.
    pub(super) async fn fetched(
        &self,
        service: &Service,
        resource: &SkillResource,
    ) -> Result<Result<Vec<u8>, Refused>, SkillsError> {
        let uri = &resource.uri;
        let params = ReadResourceRequestParams::new(uri);
        // not by rmcp's client, which would keep the file in memory
        let request = || async {
            let request = ReadResourceRequest::new(params.clone());
            let request = ClientRequest::ReadResourceRequest(request);
            Sent::new(service.peer(), request).await?.await
        };
        let contents = match self.asked(service, request).await {
            Ok(ServerResult::ReadResourceResult(result)) => result.contents,
            Ok(_) => Vec::new(),
            Err(Failed::Error(error)) if is_missing(error.code) => {
                return Ok(Err(Refused::unreadable(uri, &error.message)));
            }
            Err(Failed::TooLong) => return Ok(Err(Refused::unreadable(uri, TOO_LONG))),
            Err(failed) => return Err(failed.into()),
        };
        let bytes = match <[_; 1]>::try_from(contents) {
            Ok([ResourceContents::TextResourceContents { text, .. }]) => Some(text.into_bytes()),
            Ok([ResourceContents::BlobResourceContents { blob, .. }]) => STANDARD.decode(blob).ok(),
            _ => None,
        };
        let Some(bytes) = bytes else {
            return Ok(Err(Refused::Contents(uri.clone())));
        };
        Ok(match resource.verify(&bytes) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(error.into()),
        })
    }
}
