//! The requests for skills.

use super::SkillsError;
use super::files::Refused;
use crate::client::McpClient;
use crate::client::asked::Failed;
use crate::client::connection::Service;
use crate::client::failure::TOO_LONG;
use crate::sent::Sent;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    ClientRequest, ErrorCode, ListSkillsResult, ReadResourceRequest, ReadResourceRequestParams,
    ResourceContents, ServerResult, Skill, SkillResource,
};

/// The maximum number of skills of a server.
const MAX_SKILLS: usize = 1_000;

impl From<Failed> for SkillsError {
    fn from(failed: Failed) -> Self {
        Self::Server(failed.to_string())
    }
}

/// Returns whether a resource does not exist. Later versions of the protocol have no code of their own for that.
fn is_missing(code: ErrorCode) -> bool {
    [ErrorCode::RESOURCE_NOT_FOUND, ErrorCode::INVALID_PARAMS].contains(&code)
}

impl McpClient {
    /// Returns the skills of all pages.
    pub(super) async fn listed_skills(&self) -> Result<Vec<Skill>, SkillsError> {
        let service = self.service().await?;
        let peer = service.peer();
        let server = peer.peer_info();
        if !server.is_some_and(|server| server.capabilities.supports_skills()) {
            return Err(SkillsError::NoSkills);
        }
        let list = |params| peer.list_skills(params);
        let split = |page: ListSkillsResult| (page.skills, page.next_cursor);
        let skills = self.pages(&service, (MAX_SKILLS, "skills"), list, split);
        Ok(skills.await?)
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
