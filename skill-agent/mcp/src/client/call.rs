//! Calls to the tools of an MCP server.

use super::connection::Service;
use super::failure::{TOO_LONG, is_reopened, is_too_long, is_unsent, of_http, reason};
use super::listed::McpTools;
use super::{McpClient, content};
use crate::IDEMPOTENCY_KEY;
use crate::sent::Sent;
use futures_core::Stream;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, ErrorCode,
    ProgressNotificationParam, RequestMetaObject, ServerResult,
};
use rmcp::service::ServiceError;
use serde_json::Value;
use skill_agent_server::{Applied, ProgressSender};
use skill_agent_toolbox::{SourceCall, SourceError, ToolOutput};
use std::fmt::Display;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The time limit for an answer or for progress.
const IDLE_TIME: Duration = Duration::from_secs(60);
/// The maximum time of a call, even if the server reports progress.
const MAX_CALL_TIME: Duration = Duration::from_secs(60 * 60);

impl McpTools {
    /// Calls a tool. Dropping the future cancels the call at the server.
    pub(super) async fn called(&self, call: SourceCall<'_>) -> Result<ToolOutput, SourceError> {
        let Some(name) = self.name_at_server(call.name) else {
            return Err(SourceError::unavailable(
                "the MCP server no longer lists it",
            ));
        };
        let result = self
            .client
            .call(name, call.arguments, call.key, call.progress);
        content::output(result.await?)
    }
}

impl McpClient {
    /// Calls a tool by its name at the server.
    pub(super) async fn call(
        &self,
        name: String,
        arguments: &Value,
        key: Option<&str>,
        progress: Option<&ProgressSender>,
    ) -> Result<CallToolResult, SourceError> {
        let mut params = CallToolRequestParams::new(name);
        if let Value::Object(arguments) = arguments {
            params = params.with_arguments(arguments.clone());
        }
        if let Some(key) = key {
            let mut meta = RequestMetaObject::default();
            meta.0.insert(IDEMPOTENCY_KEY.to_owned(), key.into());
            params.meta = Some(meta);
        }
        let service = self.service().await.map_err(unreachable)?;
        let mut attempts = self.attempts();
        let answer = loop {
            let request = ClientRequest::CallToolRequest(CallToolRequest::new(params.clone()));
            let too_long = service.service().too_long.notified();
            let sent = Sent::new(service.peer(), request).await;
            let sent = sent.map_err(|error| not_sent(&error))?;
            let answer = tokio::select! {
                () = too_long => return Err(unknown(TOO_LONG.to_owned())),
                answer = answered(&service, sent, progress) => answer,
            };
            match answer {
                Err(error) if attempts.again(&error).await? => {}
                answer => break answer,
            }
        };
        match answer {
            Ok(ServerResult::CallToolResult(result)) => Ok(result),
            Ok(ServerResult::InputRequiredResult(_)) => {
                let message = "the MCP server asks for input of a person, which this program does not pass on";
                Err(SourceError::unavailable(message).with_applied(Applied::Unknown))
            }
            Ok(_) => Err(SourceError::failed(
                "the MCP server sent no result of a call",
            )),
            Err(error) => Err(failed(error)),
        }
    }
}

/// Waits for the response of a call, and forwards its progress.
async fn answered(
    service: &Service,
    sent: Sent<rmcp::RoleClient>,
    sender: Option<&ProgressSender>,
) -> Result<ServerResult, ServiceError> {
    let progress = &service.service().progress;
    let token = sent.progress_token().ok_or(ServiceError::TransportClosed)?;
    let mut reports = pin!(progress.subscribe(token).await);
    let mut sent = pin!(sent);
    let mut idle = pin!(sleep(IDLE_TIME));
    let mut longest = pin!(sleep(MAX_CALL_TIME));
    poll_fn(|cx| {
        while let Poll::Ready(Some(report)) = reports.as_mut().poll_next(cx) {
            idle.as_mut().reset(Instant::now() + IDLE_TIME);
            if let Some(sender) = sender {
                forward(sender, report);
            }
        }
        if let Poll::Ready(response) = sent.as_mut().poll(cx) {
            return Poll::Ready(response);
        }
        for (timer, timeout) in [(&mut idle, IDLE_TIME), (&mut longest, MAX_CALL_TIME)] {
            if timer.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Err(ServiceError::Timeout { timeout }));
            }
        }
        Poll::Pending
    })
    .await
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

fn not_sent(error: &ServiceError) -> SourceError {
    unreachable(reason(error))
}

fn unreachable(reason: impl Display) -> SourceError {
    SourceError::unavailable(format!("the MCP server cannot be reached: {reason}"))
}

/// Converts the error of a call that was sent.
fn failed(error: ServiceError) -> SourceError {
    match error {
        // also an unknown tool
        ServiceError::McpError(error) if error.code == ErrorCode::INVALID_PARAMS => {
            SourceError::arguments(error.message)
        }
        error if is_too_long(&error) => unknown(TOO_LONG.to_owned()),
        error if is_reopened(&error) => unknown("its session has ended".to_owned()),
        ServiceError::McpError(error) => SourceError::failed(error.message),
        ServiceError::Timeout { timeout } => {
            unknown(format!("it did not answer within {timeout:?}"))
        }
        error if of_http(&error).is_some_and(is_unsent) => not_sent(&error),
        error => unknown(reason(&error)),
    }
}

fn unknown(reason: String) -> SourceError {
    let message = format!("the MCP server failed: {reason}; the call may have been applied");
    SourceError::unavailable(message).with_applied(Applied::Unknown)
}
