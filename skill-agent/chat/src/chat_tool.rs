//! A chat that another chat calls as a tool.

use super::turn::Ledger;
use super::{
    BuildError, Chat, ChatBuilder, ChatError, Event, IntoChatBuilder, Message, OwnedTurnStream,
    Stop, Turn,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
#[cfg(feature = "documents")]
use skill_agent_documents::selection::Activations;
use skill_agent_server::__private::catch_async;
use skill_agent_server::{Applied, BoxFuture, ProgressSender};
use skill_agent_toolbox::{
    SourceCall, SourceDecision, SourceError, SourceTool, ToolError, ToolOutput, ToolSource,
};
use skill_core::spec::Hints;
use skill_core::{Caller, ForeignCaller, ToolBuf};
use std::fmt;
use std::future::ready;
use std::time::Duration;

/// The maximum nesting of chats that run as tools.
const MAX_DEPTH: usize = 3;

/// Creates a tool that runs a chat: the model passes a message, and reads the answer. Each call has a history of its own, so the
/// steps of the inner chat do not fill the outer history.
///
/// `build` creates the inner chat for each call, and again for each verdict on a call of the inner chat. Create servers and
/// toolboxes beforehand, and clone them in `build`. Unless `build` sets a [caller](ChatBuilder::caller), the inner chat calls its
/// tools on behalf of the outer chat's principal. The inner chat has its own [limits](ChatBuilder::limits) and layers. Its tokens
/// also count for the outer turn.
///
/// If a call of the inner chat waits for approval, the outer call waits too: [`Chat::pending`] lists the inner call, and
/// [`Chat::decide`] continues both chats. The inner history is part of the outer one until then. A verdict after a restart needs an
/// [approval secret](skill_agent_toolbox::ToolboxBuilder::approval_secret) in the outer toolbox.
///
/// ```
/// use serde_json::json;
/// use skill_agent::chat::{Chat, Scripted, chat_tool};
/// use skill_agent::toolbox::Toolbox;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let inner = Toolbox::builder().build().await?; // the tools of the inner chat
/// let research = chat_tool("research", "Finds sources.", move || {
///     let model = Scripted::new().text("See RFC 9110.");
///     Chat::builder(model, inner.clone()).system("You find sources.")
/// });
/// let toolbox = Toolbox::builder().source("research", research).build().await?;
///
/// let model = Scripted::new()
///     .calls([("research", json!({ "message": "Where is HTTP defined?" }))])
///     .text("In RFC 9110.");
/// let mut chat = Chat::builder(model, toolbox).build()?;
/// let turn = chat.send("Where is HTTP defined?").await?;
/// assert_eq!(turn.text(), "In RFC 9110.");
/// assert_eq!(turn.calls[0].result.as_ref().unwrap().text(), "See RFC 9110.");
/// # Ok(())
/// # }
/// ```
pub fn chat_tool<B: IntoChatBuilder>(
    name: impl Into<String>,
    description: impl Into<String>,
    build: impl Fn() -> B + Send + Sync + 'static,
) -> ChatTool {
    let schema = json!({
        "type": "object",
        "properties": {
            "message": { "type": "string", "description": "The task, with all that is needed to know for it." },
        },
        "required": ["message"],
        "additionalProperties": false,
    });
    ChatTool {
        tool: ToolBuf::new(name, description, schema),
        build: Box::new(move || build().into_chat_builder()),
    }
}

/// A tool that runs a chat. Created by [`chat_tool`].
pub struct ChatTool {
    tool: ToolBuf,
    build: Box<dyn Fn() -> BoxFuture<'static, Result<ChatBuilder, BuildError>> + Send + Sync>,
}

impl ChatTool {
    /// Sets the tool's hints. Calls of a [read-only](Hints::read_only) chat run in parallel.
    #[must_use]
    pub fn hints(mut self, hints: Hints) -> Self {
        self.tool.hints = hints;
        self
    }

    /// Builds the inner chat.
    async fn chat(&self, caller: &Caller, paused: Option<Paused>) -> Result<Chat, NotBuilt> {
        let built = catch_async(Box::pin(async {
            let builder = (self.build)().await?;
            let mut builder = builder.caller_by_default(passed_on(caller));
            if let Some(paused) = paused {
                builder = paused.restore(builder);
            }
            Ok::<_, BuildError>(builder.build()?)
        }));
        let error = match built.await {
            Ok(Ok(chat)) => return Ok(chat),
            Ok(Err(error)) => error.to_string(),
            Err(message) => format!("it panicked: {message}"),
        };
        tracing::error!(tool = self.tool.name, %error, "the chat of a tool cannot be built");
        Err(NotBuilt)
    }

    async fn begin(&self, call: SourceCall<'_>) -> Result<ToolOutput, SourceError> {
        if Ledger::depth() > MAX_DEPTH {
            let message = format!(
                "chats run inside each other at most {MAX_DEPTH} deep; answer without this tool"
            );
            return Err(SourceError::unavailable(message));
        }
        let message = call.arguments["message"].as_str().unwrap_or_default();
        let chat = self.chat(call.caller, None).await;
        let chat = chat.map_err(|NotBuilt| SourceError::unavailable(NOT_BUILT))?;
        let stream = chat.into_stream(message);
        self.finish(stream, Applied::No, call.progress).await
    }

    async fn go_on(&self, decision: SourceDecision<'_>) -> Result<ToolOutput, SourceError> {
        let paused = Paused::deserialize(decision.state);
        let paused = paused.map_err(|error| SourceError::undecided(error.to_string()))?;
        let chat = self.chat(decision.caller, Some(paused)).await;
        let chat = chat.map_err(|NotBuilt| SourceError::undecided(NOT_BUILT))?;
        let mut waiting = chat.pending().into_iter();
        let Some(waiting) = waiting.find(|call| call.request == *decision.request) else {
            let reason = "the inner chat does not wait for it";
            return Err(SourceError::undecided(reason));
        };
        let stream = chat.into_stream_decide(&waiting.id, decision.verdict);
        // the call that was decided, and the calls before it, may have run
        self.finish(stream, Applied::Unknown, decision.progress)
            .await
    }

    /// Reads the inner turn to its end.
    async fn finish(
        &self,
        mut stream: OwnedTurnStream,
        mut applied: Applied,
        progress: Option<&ProgressSender>,
    ) -> Result<ToolOutput, SourceError> {
        let turn = loop {
            match stream.next().await {
                Some(Ok(Event::Calling(call))) => {
                    applied = Applied::Unknown;
                    if let Some(progress) = progress {
                        progress.send(json!({ "calling": call.call.name }));
                    }
                }
                Some(Ok(Event::Done(turn))) => break turn,
                Some(Ok(_)) => {}
                Some(Err(ChatError::Decision { reason, .. })) => {
                    return Err(SourceError::undecided(reason));
                }
                Some(Err(error)) => {
                    let message = format!("its chat failed: {error}");
                    return Err(SourceError::failed(message).with_applied(applied));
                }
                None => {
                    return Err(SourceError::failed("its chat ended early").with_applied(applied));
                }
            }
        };
        match turn.stop {
            Stop::Answered => Ok(turn.text().into()),
            // a turn that ends at a limit may have waiting calls
            stop if stop != Stop::Aborted && !turn.pending.is_empty() => {
                let paused = Paused::of(stream.chat());
                let requests = turn.pending.into_iter().map(|call| call.request);
                let error = SourceError::pending(requests.collect());
                Err(error.with_state(json!(paused)))
            }
            Stop::Aborted => Err(SourceError::aborted(abort_reason(&turn)).with_applied(applied)),
            _ => Err(SourceError::failed(unanswered(&turn)).with_applied(applied)),
        }
    }
}

impl fmt::Debug for ChatTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatTool")
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}

impl ToolSource for ChatTool {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        Box::pin(ready(Ok(vec![self.tool.clone().into()])))
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(self.begin(call))
    }

    fn decide<'a>(
        &'a self,
        decision: SourceDecision<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(self.go_on(decision))
    }

    /// Returns the maximum, because only the limits of the chats apply.
    fn time_limit(&self) -> Option<Duration> {
        Some(Duration::MAX)
    }

    fn generation(&self) -> Option<u64> {
        Some(0)
    }
}

/// The error for an inner chat that could not be built. The log has the reason.
struct NotBuilt;

const NOT_BUILT: &str = "its chat cannot be built";

/// Returns the caller of the inner chat's calls.
fn passed_on(caller: &Caller) -> ForeignCaller {
    let mut inner = ForeignCaller::Model;
    if let Some(principal) = caller.principal() {
        inner = inner.with_principal(principal);
    }
    let agents = caller.agents().iter();
    agents.fold(inner, ForeignCaller::via)
}

/// The inner chat of a call that waits for approval.
#[derive(Serialize, Deserialize)]
struct Paused {
    history: Vec<Message>,
    /// Only an earlier version kept them beside the history.
    #[cfg(feature = "documents")]
    #[serde(default, skip_serializing)]
    activations: Activations,
}

impl Paused {
    fn restore(self, builder: ChatBuilder) -> ChatBuilder {
        let builder = builder.history(self.history);
        #[cfg(feature = "documents")]
        let builder = builder.activations(self.activations);
        builder
    }

    fn of(chat: &Chat) -> Self {
        Self {
            history: chat.history().to_vec(),
            #[cfg(feature = "documents")]
            activations: Activations::default(),
        }
    }
}

/// Returns the approver's reason for aborting a call.
fn abort_reason(turn: &Turn) -> String {
    let errors = turn
        .calls
        .iter()
        .filter_map(|call| call.result.as_ref().err());
    let mut reasons = errors.filter_map(|error| match error {
        ToolError::Aborted { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    reasons.next_back().unwrap_or_default()
}

/// Returns why a turn ended without an answer, for the outer model.
fn unanswered(turn: &Turn) -> String {
    let why = match turn.stop {
        Stop::Steps | Stop::Tokens | Stop::Time => "its chat reached a limit",
        Stop::Repeated => "its model made the same call again and again",
        Stop::Truncated => "its answer was cut off",
        Stop::Refused => "its model refused",
        Stop::Budget => "its budget is spent",
        _ => "its chat was ended",
    };
    let mut message = format!("it did not answer: {why}");
    if !turn.text().trim().is_empty() {
        message += &format!("; it last wrote: {}", turn.text());
    }
    message
}
