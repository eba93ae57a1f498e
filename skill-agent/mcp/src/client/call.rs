//! Calls to the tools of an MCP server.

use super::content;
use super::listed::{MAX_CALL_TIME, McpTools};
use crate::IDEMPOTENCY_KEY;
use futures_core::Stream;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, ErrorCode, ProgressNotificationParam,
    RequestMetaObject, ServerResult,
};
use rmcp::service::{PeerRequestOptions, ServiceError};
use serde_json::Value;
use skill_agent_server::{Applied, ProgressSender};
use skill_agent_toolbox::{SourceCall, SourceError, ToolOutput};
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// The time in which a server has to answer, or to report progress.
const IDLE_TIME: Duration = Duration::from_secs(60);

impl McpTools {
    pub(super) async fn called(&self, call: SourceCall<'_>) -> Result<ToolOutput, SourceError> {
        let Some(name) = self.name_at_server(call.name) else {
            return Err(SourceError::unavailable(
                "the MCP server no longer lists it",
            ));
        };
        let mut params = CallToolRequestParams::new(name);
        if let Value::Object(arguments) = call.arguments {
            params = params.with_arguments(arguments.clone());
        }
        let mut options = PeerRequestOptions::with_timeout(IDLE_TIME)
            .reset_timeout_on_progress()
            .with_max_total_timeout(MAX_CALL_TIME);
        if let Some(key) = call.key {
            let mut meta = RequestMetaObject::default();
            meta.0.insert(IDEMPOTENCY_KEY.to_owned(), key.into());
            options = options.with_meta(meta);
        }
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let peer = self.client.peer();
        let sent = peer.send_request_with_option(request, options).await;
        let sent = sent.map_err(not_sent)?;
        let progress = &self.client.listener().progress;
        let mut reports = pin!(progress.subscribe(sent.progress_token.clone()).await);
        let mut response = pin!(sent.await_response());
        let response = poll_fn(|cx| {
            while let Poll::Ready(Some(report)) = reports.as_mut().poll_next(cx) {
                if let Some(sender) = call.progress {
                    forward(sender, report);
                }
            }
            response.as_mut().poll(cx)
        });
        match response.await {
            Ok(ServerResult::CallToolResult(result)) => content::output(result),
            Ok(ServerResult::InputRequiredResult(_)) => Err(SourceError::unavailable(
                "the MCP server asks for input of a person, which this program does not pass on",
            )),
            Ok(_) => Err(SourceError::failed(
                "the MCP server sent no result of a call",
            )),
            Err(error) => Err(failed(error)),
        }
    }
}

fn forward(sender: &ProgressSender, report: ProgressNotificationParam) {
    let mut value = serde_json::Map::new();
    value.insert("progress".to_owned(), report.progress.into());
    if let Some(total) = report.total {
        value.insert("total".to_owned(), total.into());
    }
    if let Some(message) = report.message {
        value.insert("message".to_owned(), message.into());
    }
    sender.send(value);
}

fn not_sent(error: ServiceError) -> SourceError {
    SourceError::unavailable(format!("the MCP server cannot be reached: {error}"))
}

/// Converts the error of a call that was sent.
fn failed(error: ServiceError) -> SourceError {
    match error {
        // also an unknown tool
        ServiceError::McpError(error) if error.code == ErrorCode::INVALID_PARAMS => {
            SourceError::arguments(error.message)
        }
        ServiceError::McpError(error) => SourceError::failed(error.message),
        ServiceError::Timeout { timeout } => {
            unknown(format!("it did not answer within {timeout:?}"))
        }
        error => unknown(error.to_string()),
    }
}

fn unknown(reason: String) -> SourceError {
    let message = format!("the MCP server failed: {reason}; the call may have been applied");
    SourceError::unavailable(message).applied(Applied::Unknown)
}
