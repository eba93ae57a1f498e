//! The services of a server's principals.

use super::auth::{Answer, Principal, answer};
use super::sessions::{AllSessions, Sessions};
use crate::Handler;
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use skill_agent_server::BoxFuture;
use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

/// How long a principal's service is kept after its last request.
const IDLE_TIME: Duration = Duration::from_secs(5 * 60);
/// How often idle services are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);
/// The time after a failed start in which no other one is tried for the principal.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) type McpService = StreamableHttpService<Handler, Sessions>;

type StartError = Box<dyn Error + Send + Sync>;
pub(super) type Start =
    dyn Fn(Principal) -> BoxFuture<'static, Result<Handler, StartError>> + Send + Sync;

/// The handler for a principal's requests.
#[derive(Clone)]
pub(super) enum Handlers {
    /// One for all.
    Shared(Handler),
    /// One of its own for each principal.
    PerPrincipal(Arc<Start>),
}

/// The services of all principals, each with its own sessions. A service ends when its principal has been idle.
pub(super) struct Principals {
    handlers: Handlers,
    config: StreamableHttpServerConfig,
    sessions: AllSessions,
    max: usize,
    /// The service for requests without a principal, which only a shared handler has.
    nobody: Option<McpService>,
    services: Mutex<HashMap<String, Arc<Entry>>>,
    closing: CancellationToken,
}

/// A principal's service. Each request has a clone, so that an entry without other clones is idle.
pub(super) struct Entry {
    service: OnceCell<McpService>,
    state: Mutex<EntryState>,
}

struct EntryState {
    last_request: Instant,
    failed: Option<Instant>,
}

impl Entry {
    fn new() -> Self {
        Self {
            service: OnceCell::new(),
            state: Mutex::new(EntryState {
                last_request: Instant::now(),
                failed: None,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, EntryState> {
        // no user code runs under the lock
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Principals {
    pub(super) fn new(
        handlers: Handlers,
        config: StreamableHttpServerConfig,
        max_sessions: usize,
        max: usize,
        closing: CancellationToken,
    ) -> Arc<Self> {
        let sessions = AllSessions::new(max_sessions);
        let nobody = match &handlers {
            Handlers::Shared(handler) => {
                let handler = handler.clone().closing_with(closing.clone());
                Some(service(
                    handler,
                    sessions.of_principal(false),
                    config.clone(),
                ))
            }
            Handlers::PerPrincipal(_) => None,
        };
        Arc::new(Self {
            handlers,
            config,
            sessions,
            max,
            nobody,
            services: Mutex::default(),
            closing,
        })
    }

    fn services(&self) -> MutexGuard<'_, HashMap<String, Arc<Entry>>> {
        // no user code runs under the lock
        self.services.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the service for requests without a principal.
    pub(super) fn of_nobody(&self) -> Option<McpService> {
        self.nobody.clone()
    }

    /// Returns the service of a principal, and the entry to hold until the response has ended. Starts the service if there is none.
    ///
    /// Starts one service of a principal at a time. Dropping the future drops the start.
    pub(super) async fn of(
        self: &Arc<Self>,
        principal: Principal,
    ) -> Result<(McpService, Arc<Entry>), Answer> {
        let Some(entry) = self.entry(principal.name()) else {
            tracing::warn!(
                max = self.max,
                "a principal was refused, since there are too many"
            );
            return Err(busy("too many clients are connected"));
        };
        let started = entry
            .service
            .get_or_try_init(|| self.start(&entry, principal));
        let service = started.await?.clone();
        Ok((service, entry))
    }

    async fn start(&self, entry: &Entry, principal: Principal) -> Result<McpService, Answer> {
        let name = principal.name().to_owned();
        let handler = match &self.handlers {
            Handlers::Shared(handler) => handler.clone(),
            Handlers::PerPrincipal(start) => {
                let failed = entry.state().failed;
                if failed.is_some_and(|failed| failed.elapsed() < PAUSE) {
                    return Err(busy("the start has just failed"));
                }
                start(principal).await.map_err(|error| {
                    entry.state().failed = Some(Instant::now());
                    tracing::error!(principal = name, %error, "the toolbox of a principal did not start");
                    // the reason may say more than a client should know
                    busy("the start has failed")
                })?
            }
        };
        let handler = handler
            .with_principal(name)
            .closing_with(self.closing.clone());
        Ok(service(
            handler,
            self.sessions.of_principal(true),
            self.config.clone(),
        ))
    }

    /// Returns the entry of a principal, or `None` if there is no room for another one.
    fn entry(self: &Arc<Self>, name: &str) -> Option<Arc<Entry>> {
        let mut services = self.services();
        if let Some(entry) = services.get(name) {
            entry.state().last_request = Instant::now();
            return Some(Arc::clone(entry));
        }
        if services.len() >= self.max {
            return None;
        }
        if services.is_empty() {
            tokio::spawn(sweep(Arc::downgrade(self)));
        }
        let entry = Arc::new(Entry::new());
        services.insert(name.to_owned(), Arc::clone(&entry));
        Some(entry)
    }

    /// Removes idle services. Returns whether there are others.
    fn remove_idle(&self) -> bool {
        let mut ended = Vec::new();
        let mut services = self.services();
        services.retain(|_, entry| {
            let is_idle =
                Arc::strong_count(entry) == 1 && entry.state().last_request.elapsed() >= IDLE_TIME;
            if is_idle {
                ended.push(Arc::clone(entry));
            }
            !is_idle
        });
        let has_others = !services.is_empty();
        drop(services); // the ended toolboxes are dropped without the lock
        has_others
    }
}

/// Removes idle services, as long as there are any.
async fn sweep(principals: Weak<Principals>) {
    loop {
        sleep(SWEEP_INTERVAL).await;
        match principals.upgrade() {
            Some(principals) if principals.remove_idle() => {}
            _ => return,
        }
    }
}

fn service(handler: Handler, sessions: Sessions, config: StreamableHttpServerConfig) -> McpService {
    StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(sessions), config)
}

/// Creates the response to a request that can be sent again in a second.
fn busy(reason: &'static str) -> Answer {
    let mut answer = answer(StatusCode::SERVICE_UNAVAILABLE, reason);
    answer
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("1"));
    answer
}
