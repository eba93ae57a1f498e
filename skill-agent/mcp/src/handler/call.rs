//! `tools/call`.

use super::{IDEMPOTENCY_KEY, Inner, content};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ProgressNotificationParam, ProgressToken,
    RequestMetaObject,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use skill_agent_server::{ProgressReceiver, ProgressSender, progress_channel};
use skill_agent_toolbox::{ToolError, ToolOutput, ToolSession};

impl Inner {
    /// Calls a tool, until the client cancels the request. Dropping the call cancels it.
    ///
    /// The session is new for each call, so that a document that one client loads restricts no other one.
    pub(super) async fn call(
        &self,
        session: ToolSession,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let cancelled = context.ct.clone();
        tokio::select! {
            response = self.respond(session.uncut(), request, context) => response,
            // no response is sent
            () = cancelled.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }

    async fn respond(
        &self,
        session: ToolSession,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = Call {
            session: &session,
            request: &request,
            context: &context,
        };
        let key = call.key()?;
        let output = match &request.request_state {
            Some(state) => Box::pin(self.asking.answered(&call, state)).await?,
            None => call.run(key).await,
        };
        let has_schema = self.has_output_schema(&request.name);
        match output {
            Ok(output) => Ok(content::success(output, has_schema).into()),
            Err(ToolError::Pending(pending)) => {
                Box::pin(self.asking.ask(&call, *pending, has_schema)).await
            }
            Err(error @ ToolError::Unknown { .. }) => {
                Err(ErrorData::invalid_params(error.to_string(), None))
            }
            Err(error) => Ok(content::failure(&error).into()),
        }
    }
}

impl Inner {
    fn has_output_schema(&self, name: &str) -> bool {
        let list = self.toolbox.known_list();
        let mut tools = list.tools.iter();
        let listed = tools.find(|listed| listed.tool.name == name);
        listed.is_some_and(|listed| listed.tool.output_schema.is_some())
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
        let text = arguments.map(serde_json::to_string);
        text.map_or_else(|| "{}".to_owned(), |text| text.expect("a map of JSON"))
    }

    async fn run(&self, key: Option<&str>) -> Result<ToolOutput, ToolError> {
        let (name, arguments) = (&*self.request.name, self.arguments());
        let run = |progress| {
            let session = self.session;
            session.call_with_key_and_progress(key, name, &arguments, progress)
        };
        self.reporting(run).await
    }

    /// Runs `work` with a channel for progress if the client wants progress, and forwards it.
    pub(super) async fn reporting<F: Future>(
        &self,
        work: impl FnOnce(Option<ProgressSender>) -> F,
    ) -> F::Output {
        let Some(token) = self.context.meta.get_progress_token() else {
            return work(None).await;
        };
        let (sender, progress) = progress_channel();
        let (output, ()) = tokio::join!(
            work(Some(sender)),
            report(&self.context.peer, token, progress)
        );
        output
    }

    /// Returns the idempotency key that the client gave.
    fn key(&self) -> Result<Option<&str>, ErrorData> {
        let RequestMetaObject(meta) = &self.context.meta;
        match meta.get(IDEMPOTENCY_KEY) {
            None => Ok(None),
            Some(Value::String(key)) => Ok(Some(key)),
            Some(other) => {
                let message = format!("`_meta.{IDEMPOTENCY_KEY}` is {other}, expected a string");
                Err(ErrorData::invalid_params(message, None))
            }
        }
    }
}

/// Forwards progress to the client. A number, or the field `progress`, is the progress; any other value advances it by one and
/// becomes the message.
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
