//! `tools/call`.

use super::{IDEMPOTENCY_KEY, Inner, content};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ProgressNotificationParam, ProgressToken,
    RequestMetaObject,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use skill_agent_server::{ProgressReceiver, progress_channel};
use skill_agent_toolbox::{ToolError, ToolOutput, ToolSession};

impl Inner {
    /// Calls a tool, until the client cancels the request. Dropping the call cancels it.
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let cancelled = context.ct.clone();
        tokio::select! {
            response = self.respond(request, context) => response,
            // no response is sent
            () = cancelled.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }

    async fn respond(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let session = self.sessions.of(&self.toolbox, None);
        let tools = match self.tools.known() {
            Some(known) => known,
            None => self.tools.listed(&self.toolbox).await?,
        };
        let tool = tools.get(&request.name);
        let has_schema = tool.is_some_and(|tool| tool.output_schema.is_some());
        let call = Call {
            session: &session,
            request: &request,
            context: &context,
        };
        let output = match &request.request_state {
            Some(state) => self.asking.answered(&call, state).await?,
            None => call.run().await,
        };
        match output {
            Ok(output) => Ok(content::success(output, has_schema).into()),
            Err(ToolError::Pending(pending)) => self.asking.ask(&call, *pending, has_schema).await,
            Err(error @ ToolError::Unknown { .. }) => {
                Err(ErrorData::invalid_params(error.to_string(), None))
            }
            Err(error) => Ok(content::failure(&error).into()),
        }
    }
}

/// A request to call a tool.
pub(super) struct Call<'a> {
    pub(super) session: &'a ToolSession,
    pub(super) request: &'a CallToolRequestParams,
    pub(super) context: &'a RequestContext<RoleServer>,
}

impl Call<'_> {
    /// Returns the arguments as JSON text.
    pub(super) fn arguments(&self) -> String {
        let arguments = self.request.arguments.as_ref();
        arguments.map_or_else(
            || "{}".to_owned(),
            |arguments| Value::Object(arguments.clone()).to_string(),
        )
    }

    async fn run(&self) -> Result<ToolOutput, ToolError> {
        let (session, name) = (self.session, &*self.request.name);
        let arguments = self.arguments();
        if let Some(key) = self.meta(IDEMPOTENCY_KEY) {
            return session.call_with_key(key, name, &arguments).await;
        }
        let Some(token) = self.context.meta.get_progress_token() else {
            return session.call(name, &arguments).await;
        };
        let (sender, progress) = progress_channel();
        let call = session.call_with_progress(name, &arguments, sender);
        let (output, ()) = tokio::join!(call, report(&self.context.peer, token, progress));
        output
    }

    fn meta(&self, key: &str) -> Option<&str> {
        let RequestMetaObject(meta) = &self.context.meta;
        meta.get(key)?.as_str()
    }
}

/// Passes the progress of a call on to the client. The first numbers of a value are the progress and its total; any other value
/// counts up, and is the message.
async fn report(peer: &Peer<RoleServer>, token: ProgressToken, mut progress: ProgressReceiver) {
    let mut last = 0.0;
    while let Some(value) = progress.next().await {
        let number = |name: &str| value.get(name).and_then(Value::as_f64);
        let at = value.as_f64().or_else(|| number("progress"));
        // the protocol asks for a progress that increases
        last = at.filter(|at| *at > last).unwrap_or(last + 1.0);
        let mut params = ProgressNotificationParam::new(token.clone(), last);
        params.total = number("total");
        params.message = match &value {
            Value::Number(_) => None,
            Value::String(text) => Some(text.clone()),
            other => Some(match other.get("message").and_then(Value::as_str) {
                Some(message) => message.to_owned(),
                None => other.to_string(),
            }),
        };
        if peer.notify_progress(params).await.is_err() {
            return;
        }
    }
}
