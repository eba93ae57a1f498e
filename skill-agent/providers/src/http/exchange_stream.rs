//! Turns an exchange into a stream of events.

use std::collections::VecDeque;

use futures_core::stream::BoxStream;
use futures_util::StreamExt;

use crate::http::connections::OnConnections;
use skill_agent_chat::{ModelError, ModelEvent};

/// Events to emit before the exchange continues.
pub(crate) type Ready = VecDeque<Result<ModelEvent, ModelError>>;

/// A request and its response.
pub(crate) trait Exchange: Sized + Send + 'static {
    /// Sends the request or reads more of the response, and appends the events. Returns `None` at the end.
    fn advance(
        self,
        ready: &mut Ready,
    ) -> impl Future<Output = Result<Option<Self>, ModelError>> + Send;
}

/// Returns the events of an exchange as a stream. The exchange starts when the stream is first polled, and ends after an error.
pub(crate) fn stream<E: Exchange>(
    server: &str,
    exchange: Result<E, ModelError>,
) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
    let exchange = match exchange {
        Ok(exchange) => exchange,
        Err(error) => return Box::pin(futures_util::stream::iter([Err(error)])),
    };
    // polling after the end must not panic
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
