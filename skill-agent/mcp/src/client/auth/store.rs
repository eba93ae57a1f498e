//! The program's store of credentials.

use async_trait::async_trait;
use rmcp::transport::auth::{
    AuthError, CredentialRefreshGuard, CredentialStore, OAuthTokenResponse, StoredCredentials,
};
use std::sync::Arc;

/// The member of stored tokens with the MCP server that they are for.
const SERVER: &str = "mcp_server";

/// A store that hides the tokens of other MCP servers. No server gets them.
#[derive(Clone)]
pub(super) struct Store {
    pub(super) credentials: Arc<dyn CredentialStore>,
    pub(super) server: Arc<str>,
}

impl Store {
    fn is_here(&self, tokens: &OAuthTokenResponse) -> bool {
        let server = tokens.extra_fields().0.get(SERVER);
        server.and_then(|server| server.as_str()) == Some(&*self.server)
    }
}

#[async_trait]
impl CredentialStore for Store {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let stored = self.credentials.load().await?;
        Ok(stored.filter(|stored| {
            let tokens = stored.token_response.as_ref();
            tokens.is_none_or(|tokens| self.is_here(tokens))
        }))
    }

    async fn save(&self, mut credentials: StoredCredentials) -> Result<(), AuthError> {
        if let Some(tokens) = &mut credentials.token_response {
            let mut fields = tokens.extra_fields().clone();
            fields.0.insert(SERVER.to_owned(), (*self.server).into());
            tokens.set_extra_fields(fields);
        }
        self.credentials.save(credentials).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.credentials.clear().await
    }

    async fn on_refresh_token_rejected(
        &self,
        credentials: &StoredCredentials,
    ) -> Result<(), AuthError> {
        self.credentials
            .on_refresh_token_rejected(credentials)
            .await
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        self.credentials.acquire_refresh_guard().await
    }
}
