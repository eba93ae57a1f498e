//! A person who signs in.

use super::error::shown;
use super::{Exchange, PERSON_TIME, SignInError, within};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthorizationManager, AuthorizationRequest, AuthorizationSession, CredentialStore,
    InMemoryCredentialStore, OAuthClientConfig,
};
use skill_agent_server::BoxFuture;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use tokio::time::timeout;

type Asked = BoxFuture<'static, Result<String, Box<dyn Error + Send + Sync>>>;
type Ask = dyn Fn(String) -> Asked + Send + Sync;

/// A person signs in with a browser, for [`OpenHttp::sign_in`](crate::OpenHttp::sign_in).
#[derive(Clone)]
pub struct SignIn {
    redirect: String,
    ask: Arc<Ask>,
    pub(super) client: Option<Client>,
    metadata_url: Option<String>,
    client_name: Option<String>,
    pub(super) scopes: Vec<String>,
    pub(super) authorization_server: Option<String>,
    pub(super) store: Arc<dyn CredentialStore>,
}

/// A client that was registered beforehand.
#[derive(Clone)]
pub(super) struct Client {
    id: String,
    secret: Option<String>,
}

impl SignIn {
    /// Creates a sign-in. The authorization server sends the browser to `redirect` at the end, usually a port of this machine.
    ///
    /// `ask` gets a URL, opens it in a browser, and returns the address that the browser was sent to, in full or from its path on.
    /// It may be called again when a token no longer suffices. The person has five minutes.
    pub fn new<F, E>(
        redirect: impl Into<String>,
        ask: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<String, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        Self {
            redirect: redirect.into(),
            ask: Arc::new(move |url| {
                let asked = ask(url);
                Box::pin(async { asked.await.map_err(Into::into) })
            }),
            client: None,
            metadata_url: None,
            client_name: None,
            scopes: Vec::new(),
            authorization_server: None,
            store: Arc::new(InMemoryCredentialStore::new()),
        }
    }

    /// Sets the id of a client that was registered at the authorization server beforehand. Otherwise, the program registers itself.
    #[must_use]
    pub fn client(mut self, id: impl Into<String>) -> Self {
        self.client = Some(Client {
            id: id.into(),
            secret: None,
        });
        self
    }

    /// Sets the id and the secret of a client that was registered at the authorization server beforehand.
    #[must_use]
    pub fn client_with_secret(mut self, id: impl Into<String>, secret: impl Into<String>) -> Self {
        self.client = Some(Client {
            id: id.into(),
            secret: Some(secret.into()),
        });
        self
    }

    /// Sets the URL of a document about the program. Authorization servers that read such documents need no registration.
    #[must_use]
    pub fn client_metadata(mut self, url: impl Into<String>) -> Self {
        self.metadata_url = Some(url.into());
        self
    }

    /// Sets the name under which the program registers itself. The person sees it.
    #[must_use]
    pub fn client_name(mut self, name: impl Into<String>) -> Self {
        self.client_name = Some(name.into());
        self
    }

    /// Adds a scope to ask for. Without one, the MCP server says which scopes it needs.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// Sets the URL of the only authorization server that may be used. Without this URL, the MCP server chooses it.
    #[must_use]
    pub fn authorization_server(mut self, url: impl Into<String>) -> Self {
        self.authorization_server = Some(url.into());
        self
    }

    /// Sets a store that keeps the tokens, so that the person need not sign in after a restart. It is a trait of rmcp. Without
    /// one, the tokens are in memory. Tokens of another MCP server in the store are not used.
    #[must_use]
    pub fn store(mut self, store: impl CredentialStore + 'static) -> Self {
        self.store = Arc::new(store);
        self
    }

    /// Gives a manager with stored tokens the secret, which is not in the store.
    pub(super) fn configured(&self, manager: &mut AuthorizationManager) -> Result<(), SignInError> {
        if let Some(client) = &self.client {
            let mut config = OAuthClientConfig::new(&*client.id, &*self.redirect);
            config.client_secret.clone_from(&client.secret);
            manager.configure_client(config)?;
        }
        Ok(())
    }

    pub(super) fn has_secret(&self) -> bool {
        self.client
            .as_ref()
            .is_some_and(|client| client.secret.is_some())
    }

    /// Lets the person sign in, and prepares the exchange of the code for a token.
    pub(super) async fn prepared(
        &self,
        manager: AuthorizationManager,
        scopes: Vec<String>,
    ) -> Result<(AuthorizationManager, Exchange), SignInError> {
        let redirect = Url::parse(&self.redirect).map_err(|_| SignInError::Redirect)?;
        let session = AuthorizationSession::new(manager, self.request(scopes));
        let session = async { session.await.map_err(|(_, error)| error) };
        let session = within("the authorization server", session).await?;
        let url = session.get_authorization_url();
        let state = url.parse().ok().and_then(|url| parameter(&url, "state"));
        let asked = timeout(PERSON_TIME, (self.ask)(url.to_owned())).await;
        let address = asked.map_err(|_| SignInError::NoPerson)?;
        let address = address.map_err(|error| SignInError::Browser(error.into()))?;
        let address = redirect.join(&address).map_err(|_| SignInError::Address)?;
        if state.is_none() || parameter(&address, "state") != state {
            return Err(SignInError::State);
        }
        if let Some(error) = parameter(&address, "error") {
            let reason = parameter(&address, "error_description");
            let reason = reason.map_or(error.clone(), |text| format!("{error}: {text}"));
            return Err(match &*error {
                "access_denied" => SignInError::Denied {
                    reason: shown(&reason),
                },
                code => SignInError::response(code, &reason),
            });
        }
        if parameter(&address, "code").is_none() {
            return Err(SignInError::Address);
        }
        Ok((session.auth_manager, Exchange::Code(address)))
    }

    fn request(&self, scopes: Vec<String>) -> AuthorizationRequest {
        let name = self.client_name.as_deref().unwrap_or("skill-agent");
        let mut request = AuthorizationRequest::new(&*self.redirect)
            .with_initial_scope_selection()
            .with_scopes(scopes)
            .with_client_name(name);
        if let Some(client) = &self.client {
            request.client_id = Some(client.id.clone());
            request.client_secret.clone_from(&client.secret);
        }
        request.client_metadata_url.clone_from(&self.metadata_url);
        request
    }
}

/// Returns a parameter in the query of an address.
pub(super) fn parameter(address: &Url, name: &str) -> Option<String> {
    let mut pairs = address.query_pairs();
    let (_, value) = pairs.find(|(key, _)| key == name)?;
    Some(value.into_owned())
}

impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIn")
            .field("redirect", &self.redirect)
            .field("client", &self.client.as_ref().map(|client| &client.id))
            .field("scopes", &self.scopes)
            .field("authorization_server", &self.authorization_server)
            .finish_non_exhaustive()
    }
}
