//! Asks all sources or servers of a toolbox at the same time, for at most a second.

use crate::join::join_all;
use crate::shared::Shared;
use crate::sources::Source;
use skill_agent_server::{BoxFuture, ErasedResponseFuture, ErasedServer};
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::timeout;

/// The time limit for all sources together.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The response of a server.
#[derive(Debug)]
pub(super) struct ServerAnswer<T> {
    /// The name of the server's agent.
    pub(super) agent: &'static str,
    /// The answer, or the reason for its absence.
    pub(super) answer: Result<T, String>,
}

impl Shared {
    /// Asks all sources for their lists, each for at most [`TIME_LIMIT`]. A slower source keeps its last list.
    pub(super) async fn refresh_in_time(&self) {
        let sources = (0..self.sources.len()).map(|index| -> BoxFuture<'_, _> {
            Box::pin(async move {
                let _ = timeout(TIME_LIMIT, self.ask(move |source| source == index)).await;
            })
        });
        join_all(sources.collect()).await;
    }

    /// Asks the servers for which `is_asked` returns `true`. The answers are in source order.
    pub(super) async fn ask_servers<T: Send + 'static>(
        &self,
        is_asked: impl Fn(&ErasedServer) -> bool,
        ask: impl Fn(&ErasedServer) -> ErasedResponseFuture<'_, T, Infallible>,
    ) -> Vec<ServerAnswer<T>> {
        let servers = self.sources.iter().filter_map(|source| match source {
            Source::Server(source) if is_asked(&source.server) => Some(source),
            _ => None,
        });
        let asked = servers.map(|source| -> BoxFuture<'_, _> {
            let (agent, response) = (source.name(), ask(&source.server));
            Box::pin(async move {
                let answer = match timeout(TIME_LIMIT, response).await {
                    Ok(Ok(answer)) => Ok(answer),
                    // for example, an action of the server runs this request
                    Ok(Err(error)) => Err(error.to_string()),
                    Err(_) => Err(format!("it did not answer within {TIME_LIMIT:?}")),
                };
                ServerAnswer { agent, answer }
            })
        });
        join_all(asked.collect()).await
    }
}
