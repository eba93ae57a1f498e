//! Programs that sign in with their own credentials.

use super::sign_in::parameter;
use super::{Exchange, SignInError};
use reqwest::Url;
use rmcp::transport::auth::{AuthError, AuthorizationManager, ClientCredentialsConfig};
use std::fmt;

/// The id and the secret of a program at the authorization server of an MCP server, for
/// [`OpenHttp::client_credentials`](crate::OpenHttp::client_credentials). No person takes part.
#[derive(Clone)]
pub struct ClientCredentials {
    id: String,
    secret: String,
    pub(super) scopes: Vec<String>,
    pub(super) authorization_server: Option<String>,
}

impl ClientCredentials {
    /// Creates credentials from an id and a secret of the authorization server.
    pub fn new(id: impl Into<String>, secret: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            secret: secret.into(),
            scopes: Vec::new(),
            authorization_server: None,
        }
    }

    /// Adds a scope to ask for. Without one, the MCP server says which scopes it needs.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// Sets the URL of the authorization server that has issued the secret. No other server gets it. Without this URL, the MCP
    /// server chooses who gets the secret.
    #[must_use]
    pub fn authorization_server(mut self, url: impl Into<String>) -> Self {
        self.authorization_server = Some(url.into());
        self
    }

    /// Prepares the exchange of the secret for a token.
    pub(super) async fn prepared(
        &self,
        mut manager: AuthorizationManager,
        mut scopes: Vec<String>,
    ) -> Result<(AuthorizationManager, Exchange), SignInError> {
        // a program needs no refresh, because it can always ask again
        scopes.retain(|scope| scope != "offline_access");
        let config = |resource| ClientCredentialsConfig::ClientSecret {
            client_id: self.id.clone(),
            client_secret: self.secret.clone(),
            scopes: scopes.clone(),
            resource,
        };
        manager.validate_client_credentials_metadata(&config(None))?;
        manager.configure_client_credentials(&config(None))?;
        let resource = resource(&manager).await?;
        Ok((manager, Exchange::Secret(config(Some(resource)))))
    }
}

/// Returns the resource in the document about the MCP server, or its URL. rmcp tells it in the address for a browser alone.
async fn resource(manager: &AuthorizationManager) -> Result<String, SignInError> {
    let address = manager.get_authorization_url(&[]).await?;
    let address = Url::parse(&address).map_err(AuthError::from)?;
    let resource = parameter(&address, "resource");
    resource.ok_or_else(|| SignInError::discovery("rmcp names no resource"))
}

impl fmt::Debug for ClientCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientCredentials")
            .field("id", &self.id)
            .field("scopes", &self.scopes)
            .field("authorization_server", &self.authorization_server)
            .finish_non_exhaustive()
    }
}
