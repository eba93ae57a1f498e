//! The service of a handler, whatever the type of the handler.

use super::auth::Answer;
use super::sessions::Sessions;
use crate::Handler;
use bytes::Bytes;
use http::Request;
use http_body_util::combinators::UnsyncBoxBody;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use skill_agent_server::BoxFuture;
use std::sync::Arc;

/// A request whose body has any type.
pub(super) type AnyRequest = Request<UnsyncBoxBody<Bytes, String>>;
/// Answers the requests of one principal, or of all.
pub(super) type McpService = Arc<dyn Fn(AnyRequest) -> BoxFuture<'static, Answer> + Send + Sync>;
/// Creates the service of a handler.
pub(super) type Serve =
    Arc<dyn Fn(Handler, Arc<Sessions>, StreamableHttpServerConfig) -> McpService + Send + Sync>;

/// Serves the handler that `wrap` creates.
pub(super) fn serve<H: ServerHandler>(
    wrap: impl Fn(Handler) -> H + Send + Sync + 'static,
) -> Serve {
    let wrap = Arc::new(wrap);
    Arc::new(move |handler, sessions, config| {
        let wrap = Arc::clone(&wrap);
        let wrapped = move || Ok(wrap(handler.clone()));
        let service = StreamableHttpService::new(wrapped, sessions, config);
        Arc::new(move |request| {
            let service = service.clone();
            Box::pin(async move { service.handle(request).await })
        })
    })
}
