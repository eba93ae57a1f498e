//! The events of a request and the response to it, as a stream.

use std::collections::VecDeque;

use futures_core::stream::BoxStream;
use futures_util::StreamExt;

use super::connections::OnConnections;
use skill_agent_chat::{ModelError, ModelEvent};

/// Events that were not read yet.
pub(super) type Ready = VecDeque<Result<ModelEvent, ModelError>>;

/// A request and the response to it.
pub(super) trait Exchange: Sized + Send + 'static {
    /// Sends the request or reads what has come, and adds the events. `None` is the end.
    fn advance(
        self,
        ready: &mut Ready,
    ) -> impl Future<Output = Result<Option<Self>, ModelError>> + Send;
}

/// The exchange with a server. It begins when the stream is polled, and ends after an error.
pub(super) fn stream<E: Exchange>(
    server: &str,
    exchange: Result<E, ModelError>,
) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
    let exchange = match exchange {
        Ok(exchange) => exchange,
        Err(error) => return Box::pin(futures_util::stream::iter([Err(error)])),
    };
    // reading on after the end is no panic
    let events = futures_util::stream::unfold((Some(exchange), Ready::new()), next).fuse();
    Box::pin(OnConnections::new(server, Box::pin(events)))
}

async fn next<E: Exchange>(
    (mut exchange, mut ready): (Option<E>, Ready),
) -> Option<(Result<ModelEvent, ModelError>, (Option<E>, Ready))> {
    loop {
        if let Some(event) = ready.pop_front() {
            return Some((event, (exchange, ready)));
        }
        exchange = match exchange?.advance(&mut ready).await {
            Ok(exchange) => exchange,
            Err(error) => {
                ready.push_back(Err(error));
                None
            }
        };
    }
}
