//! Asks the person at the client whether a call may run.

use super::call::Call;
use super::content;
use crate::sent::Sent;
use crate::text::cleaned;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult,
    ProtocolVersion, RequestStateCodec, RequestStateError, SealOptions, ServerRequest,
};
use rmcp::service::ServiceError;
use serde_json::json;
use skill_agent_server::__private::new_secret;
use skill_agent_server::{ApprovalRequest, Verdict};
use skill_agent_toolbox::{ToolError, ToolOutput};
use std::future::ready;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// The name of the form among the inputs that a call requires.
const FORM: &str = "approval";
/// The time limit for a person's answer.
const ANSWER_TIME: Duration = Duration::from_secs(5 * 60);
/// The least time that a person needs to decline. A faster answer is the client's own.
const TOO_FAST: Duration = Duration::from_millis(50);

/// Seals the calls that wait for a person.
pub(super) struct Asking {
    codec: RequestStateCodec,
}

impl Asking {
    /// Seals with a random secret.
    pub(super) fn random() -> Self {
        let codec = RequestStateCodec::new_unchecked(new_secret());
        Self { codec }
    }

    /// Seals with a secret, which must have at least 32 bytes.
    pub(super) fn with_secret(secret: Vec<u8>) -> Result<Self, RequestStateError> {
        let codec = RequestStateCodec::try_new(secret)?;
        Ok(Self { codec })
    }

    /// Asks the person at the client about a call, and carries out the verdict. In the stateless era, the response is the question,
    /// and the client repeats the request with the answer.
    pub(super) async fn ask(
        &self,
        call: &Call<'_>,
        request: ApprovalRequest,
        has_schema: bool,
    ) -> Result<CallToolResponse, ErrorData> {
        if !request.caller_decides {
            let error = ToolError::Pending(Box::new(request));
            return Ok(content::error(format!("{error} by somebody else")).into());
        }
        if !shows_forms(call) {
            let reason =
                "the MCP client cannot ask anybody: it does not declare elicitation by form";
            let denied = decide(call, request, Verdict::Deny(reason.into()));
            return Ok(response(denied.await, has_schema));
        }
        let form = form(&request);
        if is_stateless(call) {
            let bound = bound_to(call);
            let options = SealOptions::new().associated_data(&bound).ttl(ANSWER_TIME);
            let state = self.codec.seal_json_with(&request, &options);
            let state =
                state.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            let form = InputRequest::Elicitation(ElicitRequest::new(form));
            let forms = InputRequests::from([(FORM.to_owned(), form)]);
            return Ok(InputRequiredResult::new(Some(forms), Some(state)).into());
        }
        let asked = Instant::now();
        let verdict = match elicit(call, form).await {
            Ok(answer) => verdict(&answer, asked.elapsed()),
            Err(reason) => Verdict::Deny(format!("the MCP client did not answer: {reason}").into()),
        };
        Ok(response(decide(call, request, verdict).await, has_schema))
    }

    /// Carries out the answer of a client in the stateless era. Without an answer, the call waits as before.
    pub(super) async fn answered(
        &self,
        call: &Call<'_>,
        state: &str,
    ) -> Result<Result<ToolOutput, ToolError>, ErrorData> {
        let request = self.codec.open_json_with(state, &bound_to(call));
        let request: ApprovalRequest = request.map_err(|error| {
            let message = format!("`requestState` does not belong to this call: {error}");
            ErrorData::invalid_params(message, None)
        })?;
        let responses = call.request.input_responses.as_ref();
        let Some(answer) = responses.and_then(|responses| responses.get(FORM)) else {
            return Ok(Err(ToolError::Pending(Box::new(request))));
        };
        let answer: ElicitResult = serde_json::from_value(answer.clone()).map_err(|error| {
            let message = format!("the answer to `{FORM}` is wrong: {error}");
            ErrorData::invalid_params(message, None)
        })?;
        // the time of the question is not known
        let verdict = verdict(&answer, Duration::MAX);
        Ok(decide(call, request, verdict).await)
    }
}

async fn decide(
    call: &Call<'_>,
    request: ApprovalRequest,
    verdict: Verdict,
) -> Result<ToolOutput, ToolError> {
    let run = |progress| {
        call.session
            .carry_out(request, verdict, progress, ready(()))
    };
    call.reporting(run).await
}

/// Shows a form to the person at a client of the earlier era. Cancels the form if the call is cancelled.
async fn elicit(call: &Call<'_>, form: ElicitRequestParams) -> Result<ElicitResult, String> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
    let answer = async {
        match Sent::new(&call.context.peer, request).await?.await? {
            ClientResult::ElicitResult(answer) => Ok(answer),
            _ => Err(ServiceError::UnexpectedResponse),
        }
    };
    match timeout(ANSWER_TIME, answer).await {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err(format!("nothing within {ANSWER_TIME:?}")),
    }
}

fn response(output: Result<ToolOutput, ToolError>, has_schema: bool) -> CallToolResponse {
    match output {
        Ok(output) => content::success(output, has_schema).into(),
        Err(error) => content::failure(&error).into(),
    }
}

/// Returns whether the client of this request shows forms to a person.
fn shows_forms(call: &Call<'_>) -> bool {
    let capabilities = call.context.client_capabilities();
    let elicitation = capabilities.and_then(|capabilities| capabilities.elicitation);
    // without a mode, forms are meant
    elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

fn is_stateless(call: &Call<'_>) -> bool {
    let version = call.context.protocol_version();
    version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// The call that a sealed request is bound to: the caller, the tool and the arguments.
fn bound_to(call: &Call<'_>) -> Vec<u8> {
    let bound = json!([
        call.session.caller(),
        "tools/call",
        call.request.name,
        call.arguments()
    ]);
    bound.to_string().into_bytes()
}

/// An empty form: accepting it approves the call. The name and the arguments come first, because others may have written the rest.
fn form(request: &ApprovalRequest) -> ElicitRequestParams {
    let tool = &request.tool;
    let arguments = serde_json::to_string_pretty(&request.arguments).unwrap_or_default();
    let message = format!(
        "Run `{}` of `{}` with {}?\n\n{}",
        tool.name,
        request.skill,
        cleaned(&arguments),
        cleaned(&tool.description)
    );
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: ElicitationSchema::new(Default::default()),
    }
}

fn verdict(answer: &ElicitResult, after: Duration) -> Verdict {
    match answer.action {
        ElicitationAction::Accept => Verdict::Approve,
        _ if after < TOO_FAST => {
            Verdict::Deny("the MCP client declined at once, so nobody was asked".into())
        }
        ElicitationAction::Decline => {
            Verdict::Deny("the person at the MCP client declined it".into())
        }
        _ => Verdict::Deny("the person at the MCP client did not decide".into()),
    }
}
