//! A connection to an MCP server. A program starts again after it has ended.

use super::error::{ConnectError, OPENING_TIME};
use crate::runtime;
use rmcp::handler::client::progress::ProgressDispatcher;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RoleClient, RunningService};
use rmcp::transport::IntoTransport;
use rmcp::{ClientCacheConfig, ClientHandler, ClientLifecycleMode, ClientServiceExt};
use skill_agent_server::BoxFuture;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

/// The first wait between two openings. Each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The longest wait. The waits begin anew after a connection has lasted this long.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The number of responses that rmcp keeps for the time that the server gives, such as the pages of a list.
const MAX_CACHED: usize = 8;

/// An open connection.
pub(super) type Service = RunningService<RoleClient, Listener>;

/// Receives the notifications of the server.
pub(super) struct Listener {
    /// How often the list of tools may have changed.
    changes: Arc<AtomicU64>,
    pub(super) progress: ProgressDispatcher,
    /// Is notified when a response was dropped because it is too long.
    pub(super) too_long: Arc<Notify>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("skill-agent", env!("CARGO_PKG_VERSION")),
        )
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress.handle_notification(params).await;
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }
}

/// Opens a connection over a transport, which notifies `too_long` of each response that it drops.
pub(super) async fn open<T, E, A>(
    transport: T,
    changes: Arc<AtomicU64>,
    too_long: Arc<Notify>,
) -> Result<Service, ConnectError>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let listener = Listener {
        changes,
        progress: ProgressDispatcher::new(),
        too_long: Arc::clone(&too_long),
    };
    let era = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: None,
    };
    let opening = listener.serve_with_lifecycle(transport, era);
    let service = tokio::select! {
        () = too_long.notified() => return Err(ConnectError::TooLong),
        service = timeout(OPENING_TIME, opening) => service,
    };
    let service = service.map_err(|_| ConnectError::NoAnswer)?;
    let service = service.map_err(ConnectError::of)?;
    // a list that cannot be asked for again is an error, and pages without end are not kept
    let cache = ClientCacheConfig::default().with_serve_stale_on_error(false);
    let peer = service.peer();
    peer.set_response_cache_config(cache.with_max_entries(MAX_CACHED))
        .await;
    Ok(service)
}

/// Starts the program of a server, and opens a connection that counts the changes of its list.
pub(super) type Start =
    Box<dyn Fn(Arc<AtomicU64>) -> BoxFuture<'static, Result<Service, ConnectError>> + Send + Sync>;

/// A connection, open or closed.
pub(super) struct Connection {
    current: Mutex<Arc<Service>>,
    /// Starts the program of the server, again after it has ended.
    start: Option<Start>,
    waits: tokio::sync::Mutex<Waits>,
    changes: Arc<AtomicU64>,
    /// Whether every announcement of the server arrives. A stream over HTTP may break, or not exist.
    hears_all: bool,
}

/// When the connection may open again.
struct Waits {
    /// The end of the last opening.
    last_opening: Instant,
    wait: Duration,
    /// Why the last opening failed, if it did.
    failure: Option<String>,
}

impl Connection {
    /// Starts a program, and again after it has ended.
    pub(super) async fn of_program(start: Start) -> Result<Self, ConnectError> {
        let changes = Arc::default();
        let service = start(Arc::clone(&changes)).await?;
        Ok(Self {
            start: Some(start),
            ..Self::new(service, changes)
        })
    }

    /// Returns a connection over HTTP, whose transport opens it again.
    pub(super) fn over_http(service: Service) -> Self {
        Self {
            hears_all: false,
            ..Self::new(service, Arc::default())
        }
    }

    /// Opens a connection over a transport, which cannot be opened again.
    pub(super) async fn over<T, E, A>(transport: T) -> Result<Self, ConnectError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        runtime::check()?;
        let changes = Arc::default();
        let service = open(transport, Arc::clone(&changes), Arc::default()).await?;
        Ok(Self::new(service, changes))
    }

    fn new(service: Service, changes: Arc<AtomicU64>) -> Self {
        Self {
            current: Mutex::new(Arc::new(service)),
            start: None,
            hears_all: true,
            waits: tokio::sync::Mutex::new(Waits {
                last_opening: Instant::now(),
                wait: Duration::ZERO,
                failure: None,
            }),
            changes,
        }
    }

    /// Returns how often the list of tools may have changed, or `None` if not every change is announced.
    pub(super) fn list_changes(&self) -> Option<u64> {
        if !self.hears_all {
            return None;
        }
        let current = self.current();
        let server = current.peer().peer_info()?;
        let is_stateless = server.protocol_version >= ProtocolVersion::V_2026_07_28;
        let announces = server.capabilities.tools.as_ref()?.list_changed == Some(true);
        // before the check, because an opening that has just ended is counted
        let changes = self.changes.load(Ordering::Relaxed);
        // a new program may have other tools, so its list comes before its first call
        let opening = u64::from(self.is_about_to_open(&current));
        (announces && !is_stateless).then_some(changes + opening)
    }

    /// Returns whether the next request opens the connection again, or waits for an opening.
    fn is_about_to_open(&self, current: &Service) -> bool {
        let may_open = || match self.waits.try_lock() {
            Ok(waits) => waits.left().is_none(),
            Err(_) => true,
        };
        self.start.is_some() && current.is_transport_closed() && may_open()
    }

    /// Returns the last connection, which may have closed.
    pub(super) fn current(&self) -> Arc<Service> {
        // no user code runs under the lock
        let current = self.current.lock();
        Arc::clone(&current.unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns an open connection, after opening it again if it has closed.
    pub(super) async fn service(&self) -> Result<Arc<Service>, ConnectError> {
        let current = self.current();
        if !current.is_transport_closed() {
            return Ok(current);
        }
        let start = self.start.as_ref().ok_or(ConnectError::Disconnected)?;
        let mut waits = self.waits.lock().await;
        // another call may have opened it
        let current = self.current();
        if !current.is_transport_closed() {
            return Ok(current);
        }
        let opening = waits.begin()?;
        let started = start(Arc::clone(&self.changes)).await;
        let service = Arc::new(opening.ended(started)?);
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = Arc::clone(&service);
        // the new program may have other tools
        self.changes.fetch_add(1, Ordering::Relaxed);
        tracing::info!("the connection to an MCP server is open again");
        Ok(service)
    }
}

impl Waits {
    /// Returns the time until the next opening, if any.
    fn left(&self) -> Option<Duration> {
        let left = self.wait.checked_sub(self.last_opening.elapsed());
        left.filter(|left| !left.is_zero())
    }

    /// Begins an opening, unless the last one has ended a short time ago.
    fn begin(&mut self) -> Result<Opening<'_>, ConnectError> {
        if let Some(wait) = self.left() {
            let failure = self.failure.clone();
            return Err(ConnectError::Closed { wait, failure });
        }
        if self.last_opening.elapsed() >= LONGEST_WAIT {
            self.wait = Duration::ZERO;
        }
        self.wait = (self.wait * 2).clamp(FIRST_WAIT, LONGEST_WAIT);
        Ok(Opening(self))
    }
}

/// An opening that runs. It ends when it is dropped, so that a failed or cancelled one counts too.
struct Opening<'w>(&'w mut Waits);

impl Opening<'_> {
    fn ended<T>(self, opened: Result<T, ConnectError>) -> Result<T, ConnectError> {
        self.0.failure = opened.as_ref().err().map(ToString::to_string);
        opened
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.0.last_opening = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_closes_again_and_again_waits_longer_each_time() {
        let mut waits = Waits {
            last_opening: Instant::now(),
            wait: Duration::ZERO,
            failure: None,
        };
        let mut refused = Vec::new();
        for _ in 0..8 {
            let begun = waits.begin().map(drop);
            if let Err(ConnectError::Closed { wait, .. }) = begun {
                refused.push(wait.as_secs());
                tokio::time::advance(wait).await;
                drop(waits.begin().unwrap());
            }
        }
        assert_eq!(refused, [1, 2, 4, 8, 16, 32, 60]);
        tokio::time::advance(LONGEST_WAIT).await;
        let opening = waits.begin().unwrap();
        // an opening that hangs is followed by a wait too
        tokio::time::advance(LONGEST_WAIT).await;
        drop(opening);
        assert!(waits.begin().is_err());
        tokio::time::advance(LONGEST_WAIT).await;
        let failed = waits
            .begin()
            .unwrap()
            .ended(Err::<(), _>(ConnectError::NoAnswer));
        failed.unwrap_err();
        let error = waits.begin().map(drop).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the program of the MCP server has ended; a call after 2 s starts it again; its last start failed: the server did \
             not answer within 60s; is it an MCP server?"
        );
    }
}
