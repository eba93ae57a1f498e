//! Requests that are sent again with another token.

use super::McpClient;
use rmcp::service::ServiceError;
use skill_agent_toolbox::SourceError;

/// The attempts of one request.
pub(super) struct Attempts<'c> {
    #[cfg(feature = "auth")]
    renewal: Option<super::auth::Renewal<'c>>,
    #[cfg(not(feature = "auth"))]
    _client: &'c McpClient,
}

impl McpClient {
    pub(super) fn attempts(&self) -> Attempts<'_> {
        Attempts {
            #[cfg(feature = "auth")]
            renewal: self.tokens.as_ref().map(|tokens| tokens.renewal()),
            #[cfg(not(feature = "auth"))]
            _client: self,
        }
    }
}

impl Attempts<'_> {
    /// Gets another token if the server refused a request for that. Returns whether the request is worth another attempt.
    #[cfg(feature = "auth")]
    pub(super) async fn again(&mut self, error: &ServiceError) -> Result<bool, SourceError> {
        use super::failure::{challenge, of_http};
        let challenge = of_http(error).and_then(challenge);
        let Some((renewal, challenge)) = self.renewal.as_mut().zip(challenge) else {
            return Ok(false);
        };
        let renewed = renewal.renewed(challenge).await;
        renewed.map_err(|error| {
            SourceError::unavailable(format!("the MCP server asks for another token: {error}"))
        })
    }

    /// Without the feature `auth`, there is no other token.
    #[cfg(not(feature = "auth"))]
    #[allow(clippy::unused_async, reason = "it is async with the feature")]
    pub(super) async fn again(&mut self, _: &ServiceError) -> Result<bool, SourceError> {
        Ok(false)
    }
}
