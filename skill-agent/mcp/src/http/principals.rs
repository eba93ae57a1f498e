//! The services of a server's principals.

use super::auth::{Answer, Principal, answer};
use super::served::{McpService, Serve};
use super::sessions::{AllSessions, IDLE_TIME, Sessions};
use crate::Handler;
use crate::handler::Limits;
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use skill_agent_server::__private::catch_async;
use skill_agent_server::BoxFuture;
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How often idle services are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);
/// The time limit for a start.
const START_TIME: Duration = Duration::from_secs(30);
/// The maximum number of requests of one principal at a time, with its open streams.
const MAX_REQUESTS: usize = 1_000;
/// The longest wait for the servers of an idle principal to stop.
const STOP_TIME: Duration = Duration::from_secs(10);
/// The pause between a failed start and the next one of the same principal.
const PAUSE: Duration = Duration::from_secs(1);

type StartError = Box<dyn Error + Send + Sync>;
pub(super) type Start =
    dyn Fn(Principal) -> BoxFuture<'static, Result<Handler, StartError>> + Send + Sync;

/// The handler for a principal's requests.
pub(super) enum Handlers {
    /// One for all.
    Shared(Handler),
    /// One of its own for each principal.
    PerPrincipal(Arc<Start>),
}

/// The services of all principals, each with its own sessions. A service ends when its principal has been idle.
pub(super) struct Principals {
    handlers: Handlers,
    serve: Serve,
    config: StreamableHttpServerConfig,
    sessions: AllSessions,
    max: usize,
    /// The service for requests without a principal. Only a shared handler has one.
    anonymous: Option<Started>,
    services: Mutex<HashMap<String, Arc<Entry>>>,
    /// The principals whose servers are stopping. A receiver ends with the stop.
    stopping: Mutex<HashMap<String, watch::Receiver<()>>>,
    is_swept: AtomicBool,
    limits: Limits,
    closing: CancellationToken,
}

/// A service that has been started.
#[derive(Clone)]
struct Started {
    handler: Handler,
    service: McpService,
    sessions: Arc<Sessions>,
}

/// A principal's service. Each request has a clone until its response has ended, so that an entry without other clones is idle.
pub(super) struct Entry {
    started: OnceCell<Started>,
    state: Mutex<EntryState>,
}

struct EntryState {
    last_use: Instant,
    failed: Option<Instant>,
}

impl Entry {
    fn new() -> Self {
        Self {
            started: OnceCell::new(),
            state: Mutex::new(EntryState {
                last_use: Instant::now(),
                failed: None,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, EntryState> {
        // no user code runs under the lock
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a request begins, or that its response has ended.
    pub(super) fn note_use(&self) {
        self.state().last_use = Instant::now();
    }
}

impl Principals {
    pub(super) fn new(
        handlers: Handlers,
        serve: Serve,
        config: StreamableHttpServerConfig,
        max_sessions: usize,
        max: usize,
        max_listeners: usize,
        closing: CancellationToken,
    ) -> Arc<Self> {
        let mut principals = Self {
            handlers,
            serve,
            config,
            sessions: AllSessions::new(max_sessions),
            max,
            anonymous: None,
            services: Mutex::default(),
            stopping: Mutex::default(),
            is_swept: AtomicBool::new(false),
            limits: Limits::new(max_listeners),
            closing,
        };
        if let Handlers::Shared(handler) = &principals.handlers {
            let handler = handler.clone();
            principals.anonymous = Some(principals.started(handler, false));
        }
        Arc::new(principals)
    }

    fn services(&self) -> MutexGuard<'_, HashMap<String, Arc<Entry>>> {
        // no user code runs under the lock
        self.services.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopping(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<()>>> {
        // no user code runs under the lock
        self.stopping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn started(&self, handler: Handler, has_principal: bool) -> Started {
        let handler = handler.in_server(self.limits.clone(), self.closing.clone());
        let sessions = Arc::new(self.sessions.of_principal(has_principal));
        let service = (self.serve)(handler.clone(), Arc::clone(&sessions), self.config.clone());
        Started {
            handler,
            service,
            sessions,
        }
    }

    /// Returns a permit for the stream of a listening client, unless there are too many.
    pub(super) fn listener(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.limits.listeners).try_acquire_owned().ok()
    }

    /// Returns a token that ends the streams of listening clients.
    pub(super) fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// Returns the service for requests without a principal.
    pub(super) fn anonymous(self: &Arc<Self>) -> Option<McpService> {
        self.sweep_from_now_on();
        Some(Arc::clone(&self.anonymous.as_ref()?.service))
    }

    /// Returns a principal's service, and the entry to hold until the response has ended. Starts the service if it is missing.
    ///
    /// Starts one service of a principal at a time. Dropping the future drops the start.
    pub(super) async fn of(
        self: &Arc<Self>,
        principal: Principal,
    ) -> Result<(McpService, Arc<Entry>), Answer> {
        self.sweep_from_now_on();
        let Some(entry) = self.entry(principal.name()) else {
            tracing::warn!(
                max = self.max,
                "a principal was refused, since there are too many"
            );
            return Err(busy("too many clients are connected"));
        };
        // the map has one clone
        if Arc::strong_count(&entry) > MAX_REQUESTS + 1 {
            return Err(busy("there are too many requests at a time"));
        }
        let started = entry
            .started
            .get_or_try_init(|| self.start(&entry, principal));
        let service = Arc::clone(&started.await?.service);
        Ok((service, entry))
    }

    async fn start(&self, entry: &Entry, principal: Principal) -> Result<Started, Answer> {
        let name = principal.name().to_owned();
        let handler = match &self.handlers {
            Handlers::Shared(handler) => handler.clone(),
            Handlers::PerPrincipal(start) => {
                let failed = entry.state().failed;
                if failed.is_some_and(|failed| failed.elapsed() < PAUSE) {
                    return Err(busy("the start has just failed"));
                }
                let stopping = self.stopping().get(&name).cloned();
                if let Some(mut stopping) = stopping {
                    // the server that stops may still hold the principal's store
                    let _ = stopping.changed().await;
                }
                let limit = || format!("it took longer than {START_TIME:?}").into();
                let started = catch_async(Box::pin(async { start(principal).await }));
                let started = timeout(START_TIME, started).await;
                let started = match started {
                    Ok(Ok(started)) => started,
                    Ok(Err(message)) => Err(format!("it panicked: {message}").into()),
                    Err(_) => Err(limit()),
                };
                started.map_err(|error| {
                    entry.state().failed = Some(Instant::now());
                    tracing::error!(principal = name, %error, "the toolbox of a principal did not start");
                    // the reason may say more than a client should know
                    busy("the start has failed")
                })?
            }
        };
        Ok(self.started(handler.with_principal(name), true))
    }

    /// Returns the entry of a principal, or `None` if there is no room for another one.
    fn entry(&self, name: &str) -> Option<Arc<Entry>> {
        let mut services = self.services();
        if let Some(entry) = services.get(name) {
            entry.note_use();
            return Some(Arc::clone(entry));
        }
        if services.len() >= self.max {
            return None;
        }
        let entry = Arc::new(Entry::new());
        services.insert(name.to_owned(), Arc::clone(&entry));
        Some(entry)
    }

    /// Starts the task that ends what is idle, unless it runs.
    fn sweep_from_now_on(self: &Arc<Self>) {
        if !self.is_swept.swap(true, Ordering::Relaxed) {
            tokio::spawn(sweep(Arc::downgrade(self)));
        }
    }

    /// Ends idle sessions, and removes services without a session that have been idle.
    fn remove_idle(self: &Arc<Self>) {
        if let Some(anonymous) = &self.anonymous {
            anonymous.sessions.end_idle();
        }
        let started: Vec<(String, Started)> = {
            let services = self.services();
            let started = services.iter();
            let started = started.filter_map(|(name, entry)| Some((name, entry.started.get()?)));
            started
                .map(|(name, started)| (name.clone(), started.clone()))
                .collect()
        };
        let mut in_session = HashSet::new();
        for (name, started) in started {
            if started.sessions.end_idle() {
                in_session.insert(name);
            }
        }
        let mut ended = Vec::new();
        self.services().retain(|name, entry| {
            let is_idle = Arc::strong_count(entry) == 1
                && entry.state().last_use.elapsed() >= IDLE_TIME
                && !in_session.contains(name);
            if is_idle {
                self.note_stop(name, entry);
                ended.push(Arc::clone(entry));
            }
            !is_idle
        });
        // their toolboxes are dropped without the lock
    }

    /// Keeps a principal's next start waiting until the servers of an idle entry have stopped. A server that the program keeps does
    /// not stop.
    fn note_stop(self: &Arc<Self>, name: &str, entry: &Entry) {
        let (Handlers::PerPrincipal(_), Some(started)) = (&self.handlers, entry.started.get())
        else {
            return;
        };
        let closed = started.handler.servers_closed();
        let (stopped, stopping) = watch::channel(());
        self.stopping().insert(name.to_owned(), stopping);
        let (principals, name) = (Arc::downgrade(self), name.to_owned());
        tokio::spawn(async move {
            let _ = timeout(STOP_TIME, closed).await;
            if let Some(principals) = principals.upgrade() {
                principals.stopping().remove(&name);
            }
            drop(stopped);
        });
    }
}

/// Ends what is idle, as long as the server exists.
async fn sweep(principals: Weak<Principals>) {
    loop {
        sleep(SWEEP_INTERVAL).await;
        match principals.upgrade() {
            Some(principals) => principals.remove_idle(),
            None => return,
        }
    }
}

/// Creates the response to a request that can be sent again in a second.
pub(super) fn busy(reason: &'static str) -> Answer {
    let mut answer = answer(StatusCode::SERVICE_UNAVAILABLE, reason);
    answer
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("1"));
    answer
}
