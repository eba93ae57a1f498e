//! The tokens of one connection.

use super::error::shown;
use super::requests::{NOT_ALLOWED, OAuthRequests, is_allowed};
use super::store::Store;
use super::{Grant, SignInError, within};
use crate::text::cleaned;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthClient, AuthorizationManager, AuthorizationMetadata, CredentialStore,
    InMemoryCredentialStore, StoredCredentials, WWWAuthenticateParams,
};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::replace;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::runtime::Handle;
use tokio::sync::Mutex;

/// The tokens for an MCP server. rmcp refreshes them; this type gets new ones.
pub(in crate::client) struct Tokens {
    grant: Grant,
    server: Url,
    store: Store,
    requests: Arc<OAuthRequests>,
    /// The manager that gives each request its token.
    manager: Arc<Mutex<AuthorizationManager>>,
    /// The number of finished sign-ins, failed ones too.
    finished: AtomicU64,
    /// Held during a sign-in, so that several calls do not ask one person several times.
    past: Mutex<Past>,
}

/// The silent side of a sign-in that waits for the store.
const STORE: &str = "the store of credentials";
/// The maximum number of remembered failures.
const MAX_FAILURES: usize = 16;

#[derive(Default)]
struct Past {
    /// The number of the last sign-in that succeeded.
    succeeded: u64,
    /// The number and the error of the last sign-in, for each set of scopes that no sign-in has got.
    failures: BTreeMap<BTreeSet<String>, (u64, SignInError)>,
    /// The authorization server of the first sign-in.
    issuer: Option<String>,
    /// The scopes of the tokens so far.
    requested: BTreeSet<String>,
    /// The scopes that calls needed beyond the first ones, and that were granted or denied.
    decided: BTreeSet<String>,
}

impl Past {
    /// Keeps the last failures. The server names the scopes, so there may be any number of them.
    fn forget_failures(&mut self) {
        while self.failures.len() > MAX_FAILURES {
            let oldest = self.failures.iter().min_by_key(|(_, (number, _))| *number);
            let Some(oldest) = oldest.map(|(needed, _)| needed.clone()) else {
                return;
            };
            self.failures.remove(&oldest);
        }
    }
}

impl Tokens {
    /// Reads the stored tokens, and returns a client that sends them.
    pub(in crate::client) async fn open<C>(
        grant: Grant,
        mut server: Url,
        runtime: Option<Handle>,
        client: C,
    ) -> Result<(Self, AuthClient<C>), SignInError> {
        // The address may contain a key. As the resource, it would reach the authorization server.
        server.set_query(None);
        server.set_fragment(None);
        let store = Store {
            credentials: match &grant {
                Grant::Program(_) => Arc::new(InMemoryCredentialStore::new()),
                Grant::Person(sign_in) => sign_in.store.clone(),
            },
            server: server.as_str().into(),
        };
        let requests = OAuthRequests {
            server: server.clone(),
            runtime,
        };
        let requests = Arc::new(requests);
        let manager = empty(&server, &requests, &store).await?;
        let client = AuthClient::new(client, manager);
        let tokens = Self {
            grant,
            server,
            store,
            requests,
            manager: client.auth_manager.clone(),
            finished: AtomicU64::new(0),
            past: Mutex::default(),
        };
        tokens.restore().await?;
        Ok((tokens, client))
    }

    /// Prepares the refresh of stored tokens.
    async fn restore(&self) -> Result<(), SignInError> {
        let Grant::Person(sign_in) = &self.grant else {
            return Ok(());
        };
        let stored = self.stored().await?;
        let Some(stored) = stored.filter(|stored| stored.token_response.is_some()) else {
            return Ok(());
        };
        // rmcp clears the tokens of another authorization server, and its name with them
        let (mut manager, issuer) = self.discovered(None, stored.issuer.as_deref()).await?;
        self.past.lock().await.issuer = stored.issuer.or(issuer);
        if within(STORE, manager.initialize_from_store()).await? {
            sign_in.configured(&mut manager)?;
            *self.manager.lock().await = manager;
        }
        Ok(())
    }

    /// Begins a request, which may need another token.
    pub(in crate::client) fn renewal(&self) -> Renewal<'_> {
        Renewal {
            tokens: self,
            seen: self.finished.load(Ordering::Acquire),
            has_signed_in: false,
            has_stepped_up: false,
        }
    }

    /// Finds the authorization server, and returns a manager for it with its name. It must be the bound one, if the client belongs
    /// to that.
    async fn discovered(
        &self,
        challenge: Option<&str>,
        bound: Option<&str>,
    ) -> Result<(AuthorizationManager, Option<String>), SignInError> {
        let mut manager = empty(&self.server, &self.requests, &self.store).await?;
        // the documents of both servers
        let resolving = manager.resolve_metadata_from_challenge(challenge);
        let resolution = within("the MCP server or the authorization server", resolving).await?;
        let has_secret = match &self.grant {
            Grant::Program(_) => true,
            Grant::Person(sign_in) => sign_in.has_secret(),
        };
        if has_secret && !resolution.source.is_discovered() {
            let reason = "the MCP server names none, so that the secret was not sent";
            return Err(SignInError::discovery(reason));
        }
        let mut metadata = resolution.metadata;
        self.check(&metadata, bound)?;
        if let Grant::Program(_) = &self.grant {
            // These are about browsers. rmcp checks them for every address, and warns without the methods.
            metadata.response_types_supported = None;
            metadata.code_challenge_methods_supported = Some(vec!["S256".to_owned()]);
        }
        let issuer = metadata.issuer.clone();
        manager.set_metadata(metadata);
        Ok((manager, issuer))
    }

    /// Checks the authorization server before anything is sent there, and before a browser opens its address.
    fn check(
        &self,
        metadata: &AuthorizationMetadata,
        bound: Option<&str>,
    ) -> Result<(), SignInError> {
        for address in [&metadata.authorization_endpoint, &metadata.token_endpoint] {
            let url = Url::parse(address).ok();
            if url.is_none_or(|url| !is_allowed(&url, &self.server)) {
                return Err(SignInError::discovery(NOT_ALLOWED));
            }
        }
        let bound = bound.filter(|_| self.grant.has_client());
        let Some(expected) = self.grant.authorization_server().or(bound) else {
            return Ok(());
        };
        let found = metadata.issuer.as_deref().unwrap_or_default();
        if found.trim_end_matches('/') == expected.trim_end_matches('/') {
            return Ok(());
        }
        // the path of the MCP server may contain a key, but paths tell the tenants of other servers apart
        let shown = |issuer: &str| match Url::parse(issuer) {
            Ok(url) if url.origin() != self.server.origin() => cleaned(issuer),
            _ => shown(issuer),
        };
        Err(SignInError::AuthorizationServer {
            expected: shown(expected),
            found: shown(found),
        })
    }

    /// Gets a token with the needed scopes, or with those that the MCP server names.
    async fn sign_in(
        &self,
        challenge: Option<&str>,
        needed: &BTreeSet<String>,
        past: &mut Past,
    ) -> Result<(), SignInError> {
        let scopes = self.scopes(needed, past).await?;
        let (manager, issuer) = self.discovered(challenge, past.issuer.as_deref()).await?;
        let scopes = if scopes.is_empty() {
            manager.select_initial_scopes(&[]).await
        } else {
            scopes
        };
        let requested = scopes.clone();
        let (manager, exchange) = match &self.grant {
            Grant::Program(credentials) => credentials.prepared(manager, scopes).await?,
            Grant::Person(sign_in) => sign_in.prepared(manager, scopes).await?,
        };
        let mut current = self.manager.lock().await;
        // If the call is dropped when the tokens are in the store, the client that can refresh them must be there.
        let before = replace(&mut *current, manager);
        if let Err(error) = within(exchange.awaits(), exchange.run(&current)).await {
            *current = before;
            return Err(error);
        }
        drop(current);
        past.issuer = issuer;
        past.requested.extend(requested);
        Ok(())
    }

    async fn stored(&self) -> Result<Option<StoredCredentials>, SignInError> {
        within(STORE, self.store.load()).await
    }

    /// Returns the scopes to ask for; none if the MCP server is to say.
    async fn scopes(
        &self,
        needed: &BTreeSet<String>,
        past: &Past,
    ) -> Result<Vec<String>, SignInError> {
        let mut scopes: BTreeSet<_> = self.grant.scopes().iter().cloned().collect();
        if !needed.is_empty() || !past.decided.is_empty() {
            let stored = self.stored().await?;
            scopes.extend(stored.into_iter().flat_map(|stored| stored.granted_scopes));
            scopes.extend(past.requested.iter().cloned());
            scopes.extend(needed.iter().cloned());
            // a token without scopes has the scope `` at GitHub
            scopes.remove("");
        }
        Ok(scopes.into_iter().collect())
    }
}

async fn empty(
    server: &Url,
    requests: &Arc<OAuthRequests>,
    store: &Store,
) -> Result<AuthorizationManager, SignInError> {
    let manager =
        AuthorizationManager::new_with_oauth_http_client(server.clone(), requests.clone());
    let mut manager = manager.await?;
    manager.set_credential_store(store.clone());
    Ok(manager)
}

/// A request that may need another token. Each reason to sign in counts once, so that a server cannot ask without end.
pub(in crate::client) struct Renewal<'t> {
    tokens: &'t Tokens,
    seen: u64,
    has_signed_in: bool,
    has_stepped_up: bool,
}

impl Renewal<'_> {
    /// Gets another token for a challenge of the MCP server. Returns whether the request is worth another attempt.
    pub(in crate::client) async fn renewed(
        &mut self,
        challenge: &str,
    ) -> Result<bool, SignInError> {
        let Self { tokens, .. } = self;
        let mut past = tokens.past.lock().await;
        let wanted = WWWAuthenticateParams::parse(challenge, &tokens.server);
        let is_step_up = wanted.is_insufficient_scope();
        let scope = wanted.scope.filter(|_| is_step_up).unwrap_or_default();
        let needed: BTreeSet<_> = scope.split_whitespace().map(str::to_owned).collect();
        let seen = replace(&mut self.seen, tokens.finished.load(Ordering::Acquire));
        // another request has failed for all that waited with the same need, or has signed in
        match past.failures.get(&needed) {
            Some((number, error)) if *number > seen => return Err(error.clone()),
            _ if past.succeeded > seen => return Ok(true),
            _ => {}
        }
        if is_step_up {
            if replace(&mut self.has_stepped_up, true) || needed.is_subset(&past.decided) {
                return Ok(false);
            }
        } else if replace(&mut self.has_signed_in, true) {
            return Ok(false);
        }
        let challenge = Some(challenge).filter(|challenge| !challenge.is_empty());
        let signed_in = tokens.sign_in(challenge, &needed, &mut past).await;
        if matches!(
            signed_in,
            Ok(()) | Err(SignInError::Denied { .. } | SignInError::Refused { .. })
        ) {
            past.decided.extend(needed.iter().cloned());
        }
        // a dropped call does not count, so that another one asks the person
        self.seen = tokens.finished.fetch_add(1, Ordering::Release) + 1;
        if let Err(error) = &signed_in {
            past.failures.insert(needed, (self.seen, error.clone()));
            past.forget_failures();
        } else {
            past.failures.retain(|need, _| !need.is_subset(&needed));
            past.succeeded = self.seen;
        }
        signed_in.map(|()| true)
    }
}
