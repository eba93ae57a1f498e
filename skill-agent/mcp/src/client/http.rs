//! Connections to MCP servers over HTTP.

use super::connection::{Connection, Opener, Service, open};
use super::error::TOO_LONG;
use super::failure::{Failure, without_url};
use super::{ConnectError, McpClient};
use futures_core::stream::BoxStream;
use futures_util::StreamExt;
use http::{HeaderName, HeaderValue, Uri};
use reqwest::Client;
use rmcp::ErrorData;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, DiscoverRequestMethod, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransportConfig,
    StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use skill_agent_http::{chain, client, runtime_of};
use skill_agent_server::BoxFuture;
use sse_stream::Sse;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A connection to an MCP server over HTTP, which `.await` opens. Created by [`McpClient::http`].
#[must_use = "a connection opens with `.await`"]
pub struct OpenHttp {
    url: String,
    token: Option<String>,
    headers: Vec<(String, String)>,
}

impl OpenHttp {
    pub(super) fn new(url: String) -> Self {
        Self {
            url,
            token: None,
            headers: Vec::new(),
        }
    }

    /// Sets the token of each request, without the word `Bearer`.
    pub fn bearer_token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Adds a header to each request, such as the key that a server expects. Its value appears in no error.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    fn parsed_headers(&self) -> Result<HashMap<HeaderName, HeaderValue>, ConnectError> {
        let parsed = |(name, value): &(String, String)| {
            let parsed = HeaderName::try_from(name).ok().zip(secret(value));
            parsed.ok_or_else(|| ConnectError::Header { name: name.clone() })
        };
        self.headers.iter().map(parsed).collect()
    }

    async fn connect(&self, changes: Arc<AtomicU64>) -> Result<Service, ConnectError> {
        let uri: Uri = self.url.parse().map_err(|_| ConnectError::Address)?;
        let has_tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(ConnectError::Address),
        };
        if self
            .token
            .as_deref()
            .is_some_and(|token| secret(token).is_none())
        {
            return Err(ConnectError::Header {
                name: "authorization".to_owned(),
            });
        }
        let client = client(has_tls, None).map_err(ConnectError::Tls)?;
        let mut config = StreamableHttpClientTransportConfig::with_uri(&*self.url)
            .custom_headers(self.parsed_headers()?);
        config.auth_header.clone_from(&self.token);
        let transport = {
            // without the user and the password
            let host = uri.host().unwrap_or_default();
            let server = format!("{host}:{}", uri.port_u16().unwrap_or_default());
            // a server that sends headers without end cannot block the tasks of the program
            let runtime = runtime_of(&server);
            let _entered = runtime.as_ref().map(|runtime| runtime.enter());
            StreamableHttpClientTransport::with_client(Requests(client), config)
        };
        open(transport, changes, Arc::default()).await
    }
}

fn secret(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

impl Opener for OpenHttp {
    fn open(&self, changes: Arc<AtomicU64>) -> BoxFuture<'_, Result<Service, ConnectError>> {
        Box::pin(self.connect(changes))
    }
}

impl IntoFuture for OpenHttp {
    type Output = Result<McpClient, ConnectError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async { Ok(McpClient::new(Connection::of(self).await?)) })
    }
}

impl fmt::Debug for OpenHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenHttp").finish_non_exhaustive()
    }
}

/// A client whose errors are without the URL, which may contain a key.
#[derive(Clone)]
struct Requests(Client);

/// Puts an error of the protocol in place of an event that is too long. Otherwise, rmcp says only that the stream has ended.
fn or_too_long(event: Result<Sse, SseError>, id: &RequestId) -> Result<Sse, SseError> {
    match event {
        Err(error) if chain(&error).contains("SSE event exceeded") => {
            let error = format!("the MCP server failed: {TOO_LONG}");
            let error = ErrorData::internal_error(error, None);
            let message = ServerJsonRpcMessage::error(error, Some(id.clone()));
            let json = serde_json::to_string(&message);
            json.map(|json| Sse::default().data(json))
                .map_err(|error| SseError::Body(error.into()))
        }
        event => event,
    }
}

/// Makes an empty response to `server/discover` the error of an unknown method. Some servers of the earlier era answer every
/// request, and rmcp takes only an error for their sign.
fn without_empty_discovery(
    id: RequestId,
    response: StreamableHttpPostResponse,
) -> StreamableHttpPostResponse {
    match response {
        StreamableHttpPostResponse::Json(ServerJsonRpcMessage::Response(response), session)
            if matches!(response.result, ServerResult::EmptyResult(_)) =>
        {
            let error = ErrorData::method_not_found::<DiscoverRequestMethod>();
            let error = ServerJsonRpcMessage::error(error, Some(id));
            StreamableHttpPostResponse::Json(error, session)
        }
        response => response,
    }
}

impl StreamableHttpClient for Requests {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits)
            .await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let Self(client) = self;
        let request = match &message {
            ClientJsonRpcMessage::Request(message) => {
                let is_discovery = matches!(message.request, ClientRequest::DiscoverRequest(_));
                Some((message.id.clone(), is_discovery))
            }
            _ => None,
        };
        let response = client
            .post_message_with_response_limits(uri, message, session, token, headers, limits)
            .await
            .map_err(without_url)?;
        Ok(match (request, response) {
            (Some((id, _)), StreamableHttpPostResponse::Sse(stream, session)) => {
                let told = stream.map(move |event| or_too_long(event, &id));
                StreamableHttpPostResponse::Sse(Box::pin(told), session)
            }
            (Some((id, true)), response) => without_empty_discovery(id, response),
            (_, response) => response,
        })
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let Self(client) = self;
        let deleted = client.delete_session(uri, session, token, headers).await;
        deleted.map_err(without_url)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let max = StreamableHttpResponseLimits::default().max_sse_event_size;
        self.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, max)
            .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        max: usize,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let Self(client) = self;
        client
            .get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, max)
            .await
            .map_err(without_url)
    }
}
