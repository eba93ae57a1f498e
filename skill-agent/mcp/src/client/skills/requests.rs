//! The requests for skills.

use super::SkillsError;
use super::files::Refused;
use crate::client::connection::Service;
use crate::sent::Sent;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    ClientRequest, PaginatedRequestParams, ReadResourceRequest, ReadResourceRequestParams,
    ResourceContents, ServerResult, Skill, SkillResource,
};
use rmcp::service::ServiceError;
use std::time::Duration;
use tokio::time::timeout;

/// The time limit for one request.
const REQUEST_TIME: Duration = Duration::from_secs(60);

pub(super) async fn list(service: &Service) -> Result<Vec<Skill>, SkillsError> {
    let peer = service.peer();
    let server = peer.peer_info();
    if !server.is_some_and(|server| server.capabilities.supports_skills()) {
        return Err(SkillsError::NoSkills);
    }
    let (mut skills, mut cursor) = (Vec::new(), None);
    loop {
        let page = PaginatedRequestParams::default().with_cursor(cursor);
        let page = limited(peer.list_skills(Some(page))).await?;
        // an empty page would let a server go on without end
        let is_last = page.next_cursor.is_none() || page.skills.is_empty();
        skills.extend(page.skills);
        if skills.len() > super::MAX_SKILLS {
            return Err(SkillsError::TooMany);
        }
        if is_last {
            return Ok(skills);
        }
        cursor = page.next_cursor;
    }
}

async fn limited<T>(
    request: impl Future<Output = Result<T, ServiceError>>,
) -> Result<T, SkillsError> {
    let response = timeout(REQUEST_TIME, request).await;
    let response = response.unwrap_or(Err(ServiceError::Timeout {
        timeout: REQUEST_TIME,
    }));
    response.map_err(|error| SkillsError::Server(error.to_string()))
}

/// Reads a file at the server, and compares it with its digest.
pub(super) async fn fetched(
    service: &Service,
    resource: &SkillResource,
) -> Result<Result<Vec<u8>, Refused>, SkillsError> {
    let uri = &resource.uri;
    let request = ReadResourceRequest::new(ReadResourceRequestParams::new(uri));
    // not by rmcp's client, which would keep the file in memory
    let response = async {
        let request = ClientRequest::ReadResourceRequest(request);
        Sent::new(service.peer(), request).await?.await
    };
    let response = match timeout(REQUEST_TIME, response).await {
        Ok(Err(ServiceError::McpError(error))) => {
            let reason = error.message.into_owned();
            let uri = uri.clone();
            return Ok(Err(Refused::Unreadable { uri, reason }));
        }
        Ok(response) => response,
        Err(_) => Err(ServiceError::Timeout {
            timeout: REQUEST_TIME,
        }),
    };
    let response = response.map_err(|error| SkillsError::Server(error.to_string()))?;
    let contents = match response {
        ServerResult::ReadResourceResult(result) => result.contents,
        _ => Vec::new(),
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
