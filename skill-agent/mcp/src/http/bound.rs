//! A server over HTTP that listens.

use super::Http;
use super::service::HttpService;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

/// The maximum number of connections. Further ones wait.
const MAX_CONNECTIONS: usize = 10_000;
/// The time limit for the headers of a request.
const HEADER_TIME: Duration = Duration::from_secs(30);
/// The time to wait after the system refused a connection, for example because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The time limit for running calls after a stop.
const STOP_TIME: Duration = Duration::from_secs(10);
/// The time limit for the responses to calls that were ended.
const END_TIME: Duration = Duration::from_secs(1);

/// A server over HTTP. Created by [`Http::bind`]. Dropping it closes all connections.
#[must_use = "dropping the server closes it: keep it, as in `let http = ….bind(…).await?;`, until `http.stop().await`"]
pub struct BoundHttp {
    address: SocketAddr,
    stop: CancellationToken,
    /// Ends all requests at once.
    end: CancellationToken,
    task: JoinHandle<()>,
}

impl BoundHttp {
    pub(super) fn start(listener: TcpListener, mut http: Http) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let stop = CancellationToken::new();
        let end = CancellationToken::new();
        http.config = http.config.with_cancellation_token(end.clone());
        let task = tokio::spawn(accept(listener, http, stop.clone()));
        Ok(Self {
            address,
            stop,
            end,
            task,
        })
    }

    /// Returns the address, with the port that the system has chosen for the port 0.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Accepts no further connections, ends the streams of listening clients, and waits at most 10 seconds for the calls that run.
    pub async fn stop(mut self) {
        self.stop.cancel();
        if timeout(STOP_TIME, &mut self.task).await.is_err() {
            self.end.cancel();
            // dropping the server closes the connections that are left
            let _ = timeout(END_TIME, &mut self.task).await;
        }
    }
}

impl Drop for BoundHttp {
    fn drop(&mut self) {
        self.end.cancel();
        self.task.abort();
    }
}

impl fmt::Debug for BoundHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundHttp")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

async fn accept(listener: TcpListener, http: Http, stop: CancellationToken) {
    let service = http.service(stop.clone());
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut connections = JoinSet::new();
    while let Some(permit) = stop
        .run_until_cancelled(Arc::clone(&permits).acquire_owned())
        .await
    {
        let stream = match stop.run_until_cancelled(listener.accept()).await {
            None => break,
            Some(Ok((stream, _))) => stream,
            Some(Err(error)) => {
                tracing::warn!(%error, "a connection of an MCP client was not accepted");
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
        let (service, stop) = (service.clone(), stop.clone());
        connections.spawn(async move {
            let _permit = permit;
            serve(stream, service, stop).await;
        });
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

async fn serve(stream: TcpStream, service: HttpService, stop: CancellationToken) {
    // the parts of an event stream would wait for each other's acknowledgements, 40 ms a call
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "the delay of a connection's packets stays");
    }
    // the service is always ready
    let service = service_fn(|request| service.clone().call(request));
    let mut http1 = http1::Builder::new();
    http1
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME);
    let mut connection = std::pin::pin!(http1.serve_connection(TokioIo::new(stream), service));
    let served = tokio::select! {
        served = &mut connection => served,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection of an MCP client ended");
    }
}
