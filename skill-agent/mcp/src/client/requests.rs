//! The requests of a connection over HTTP.

use super::failure::{Failure, TOO_LONG, shown};
use futures_core::stream::BoxStream;
use futures_util::StreamExt;
use http::{HeaderName, HeaderValue};
use reqwest::Client;
use rmcp::ErrorData;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, DiscoverRequestMethod, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use skill_agent_http::{Secrets, chain};
use sse_stream::Sse;
use std::collections::HashMap;
use std::sync::Arc;

/// A client whose errors are without the URL, which may contain a key.
#[derive(Clone)]
pub(super) struct Requests(pub(super) Client);

/// Returns the secrets of a request, which a server may repeat.
fn secrets_of(token: Option<&str>, headers: &HashMap<HeaderName, HeaderValue>) -> Secrets {
    let headers = headers.values().filter(|value| value.is_sensitive());
    let headers = headers.filter_map(|value| value.to_str().ok());
    Secrets::new(headers.chain(token).map(str::to_owned))
}

/// Puts an error of the protocol in place of an event that is too long. Otherwise, rmcp says only that the stream has ended.
fn or_too_long(event: Result<Sse, SseError>, id: &RequestId) -> Result<Sse, SseError> {
    match event {
        Err(error) if chain(&error).contains("SSE event exceeded") => {
            let error = ErrorData::internal_error(TOO_LONG, None);
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
        let secrets = secrets_of(token.as_deref(), &headers);
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
            .map_err(|error| shown(error, &secrets))?;
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
        let secrets = secrets_of(token.as_deref(), &headers);
        let deleted = client.delete_session(uri, session, token, headers).await;
        deleted.map_err(|error| shown(error, &secrets))
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
        let secrets = secrets_of(token.as_deref(), &headers);
        client
            .get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, max)
            .await
            .map_err(|error| shown(error, &secrets))
    }
}
