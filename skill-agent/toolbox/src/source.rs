//! Custom sources of tools, which are not actions of a served agent.

use super::output::ToolOutput;
use serde_json::Value;
use skill_agent_server::{Applied, BoxFuture, ProgressSender};
use skill_core::{Caller, ToolBuf};
use std::fmt;

/// A custom source of tools, such as a client of a remote service. Its tools are not actions of a served agent.
///
/// The guard and the approver of the [`Toolbox`](super::Toolbox) decide on these tools. A source that panics, fails or does not
/// respond in time does not affect the other sources.
///
/// ```
/// use serde_json::json;
/// use skill_agent::ToolBuf;
/// use skill_agent::prelude::*;
/// use skill_agent::toolbox::{BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox};
///
/// struct Clock;
///
/// impl ToolSource for Clock {
///     fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
///         let schema = json!({ "type": "object", "properties": { "zone": { "type": "string" } }, "required": ["zone"] });
///         let tool = ToolBuf::new("time", "The time in a zone.", schema);
///         Box::pin(async move { Ok(vec![tool.into()]) })
///     }
///
///     fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
///         Box::pin(async move {
///             match call.arguments["zone"].as_str() {
///                 Some("UTC") => Ok("12:00".into()),
///                 _ => Err(SourceError::failed("there is no such zone")),
///             }
///         })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let toolbox = Toolbox::builder().source("clock", Clock).build().await?;
/// let session = toolbox.session(ForeignCaller::Model);
/// assert_eq!(session.call("time", r#"{"zone":"UTC"}"#).await?.text(), "12:00");
/// let error = session.call("time", r#"{"zone":1}"#).await.unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the arguments of `time` are wrong: `zone`: invalid type: integer `1`, expected a string",
/// );
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of tools",
    label = "not a source of tools",
    note = "a source of your own is a type with `impl ToolSource`, whose `list` returns the tools and whose `call` runs one; the documentation of `ToolSource` has an example",
    note = "a server is added by `.server(&server)`, and documents by `.catalog(catalog)`"
)]
pub trait ToolSource: Send + Sync + 'static {
    /// Returns the source's tools.
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>>;

    /// Calls a tool, with arguments that match the tool's schema, after the guard has allowed the call.
    ///
    /// Dropping the future cancels the call, provided that the source supports cancellation.
    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>>;

    /// Returns a number that changes whenever the list changes. The toolbox calls [`list`](Self::list) again only after the
    /// number has changed, or if the number is `None`, the default.
    fn generation(&self) -> Option<u64> {
        None
    }
}

/// A tool of a [`ToolSource`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SourceTool {
    /// The tool, whose input schema must describe an object.
    pub tool: ToolBuf,
    /// The tool's lane within the source; see [`ListedTool::lane`](super::ListedTool::lane). `None` stands for the source's own
    /// lane.
    pub lane: Option<String>,
}

impl SourceTool {
    /// Creates a tool in the source's own lane.
    pub fn new(tool: ToolBuf) -> Self {
        Self { tool, lane: None }
    }

    /// Sets the tool's lane within the source.
    #[must_use]
    pub fn lane(mut self, lane: impl Into<String>) -> Self {
        self.lane = Some(lane.into());
        self
    }
}

impl From<ToolBuf> for SourceTool {
    fn from(tool: ToolBuf) -> Self {
        Self::new(tool)
    }
}

/// A call to a tool of a [`ToolSource`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SourceCall<'a> {
    /// The tool's name.
    pub name: &'a str,
    /// The arguments: an object that matches the schema, or the object that the approver has put in its place.
    pub arguments: &'a Value,
    /// The caller on whose behalf the call is made.
    pub caller: &'a Caller,
    /// The call's idempotency key. The source should apply several calls with the same key only once, if possible.
    pub key: Option<&'a str>,
    /// Where to send the call's progress, or `None` if the caller does not want it. Values that are sent after the call has ended
    /// are dropped.
    pub progress: Option<&'a ProgressSender>,
}

/// An error from a [`ToolSource`], with a message that addresses the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    pub(super) kind: SourceErrorKind,
    pub(super) message: String,
    pub(super) applied: Applied,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceErrorKind {
    Arguments,
    Failed,
    Unavailable,
}

impl SourceError {
    /// Creates an error for invalid arguments: [`ToolError::Arguments`](super::ToolError::Arguments). Nothing has run.
    pub fn arguments(message: impl Into<String>) -> Self {
        Self::of_kind(SourceErrorKind::Arguments, message, Applied::No)
    }

    /// Creates an error for a failed tool: [`ToolError::Failed`](super::ToolError::Failed), after which it is unknown whether the
    /// call took effect.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::of_kind(SourceErrorKind::Failed, message, Applied::Unknown)
    }

    /// Creates an error for a tool that cannot be called now: [`ToolError::Unavailable`](super::ToolError::Unavailable). Nothing
    /// has run.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::of_kind(SourceErrorKind::Unavailable, message, Applied::No)
    }

    /// Sets whether the call took effect. If it may have taken effect, an error for invalid arguments becomes
    /// [`Failed`](super::ToolError::Failed).
    #[must_use]
    pub fn applied(mut self, applied: Applied) -> Self {
        self.applied = applied;
        self
    }

    fn of_kind(kind: SourceErrorKind, message: impl Into<String>, applied: Applied) -> Self {
        Self {
            kind,
            message: message.into(),
            applied,
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SourceError {}
