//! Custom sources of tools, which are not actions of a served agent.

mod error;
mod wrapped;

pub use error::SourceError;
pub(crate) use error::{SourceErrorKind, shortened};
pub use wrapped::WrappedSource;

use crate::output::ToolOutput;
use serde_json::Value;
use skill_agent_server::{ApprovalRequest, BoxFuture, ProgressSender, Verdict};
use skill_core::{Caller, ToolBuf};
use std::time::Duration;
use wrapped::Change;

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

    /// Continues a call after a verdict on one of the requests that it waits for; see [`SourceError::pending`].
    ///
    /// The request may have come from a stored conversation, so a source has to check it, as a server and a toolbox do. By
    /// default, returns an error, and the call keeps waiting.
    fn decide<'a>(
        &'a self,
        decision: SourceDecision<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        let _ = decision;
        let error = SourceError::undecided("its source does not take decisions");
        Box::pin(async { Err(error) })
    }

    /// Returns the time limit for a call, or `None` for the toolbox's [limit](super::ToolboxBuilder::call_time_limit), which is the
    /// default.
    fn time_limit(&self) -> Option<Duration> {
        None
    }

    /// Returns the time limit for a list, or `None` for 10 seconds, the default. A source that does not list its tools in time is asked
    /// again after 30 seconds at the earliest.
    fn list_time_limit(&self) -> Option<Duration> {
        None
    }

    /// Returns a number that changes whenever the list changes. The toolbox calls [`list`](Self::list) again only after the
    /// number has changed, or if the number is `None`, the default.
    fn generation(&self) -> Option<u64> {
        None
    }

    /// Puts a prefix in front of the names of all tools.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use skill_agent::ToolBuf;
    /// # use skill_agent::prelude::*;
    /// # use skill_agent::toolbox::{BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox};
    /// # struct Files;
    /// # impl ToolSource for Files {
    /// #     fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
    /// #         let tool = |name: &str| ToolBuf::new(name, "A file.", json!({ "type": "object" })).into();
    /// #         Box::pin(async move { Ok(["read", "write", "delete"].map(tool).to_vec()) })
    /// #     }
    /// #     fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
    /// #         Box::pin(async move { Ok(call.name.into()) })
    /// #     }
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let files = Files.only(["read", "write"]).ask_for(["write"]).rename([("read", "open")]).prefix("disk_");
    /// let toolbox = Toolbox::builder().source("files", files).build().await?;
    /// let session = toolbox.session(ForeignCaller::Model);
    /// let list = session.list().await;
    /// let names: Vec<_> = list.tools.iter().map(|listed| &*listed.tool.name).collect();
    /// assert_eq!(names, ["disk_open", "disk_write"]);
    /// assert_eq!(session.call("disk_open", "{}").await?.text(), "read");
    /// # Ok(())
    /// # }
    /// ```
    fn prefix(self, prefix: impl Into<String>) -> WrappedSource<Self>
    where
        Self: Sized,
    {
        WrappedSource::new(self, Change::Prefix(prefix.into()))
    }

    /// Gives tools other names: pairs of a name and the new name. If the source lacks one of these tools, or a name is in two pairs,
    /// the toolbox withholds the source.
    fn rename<A: Into<String>, B: Into<String>>(
        self,
        names: impl IntoIterator<Item = (A, B)>,
    ) -> WrappedSource<Self>
    where
        Self: Sized,
    {
        let names = names.into_iter();
        let names = names.map(|(name, new)| (name.into(), new.into())).collect();
        WrappedSource::new(self, Change::Rename(names))
    }

    /// Keeps only the tools with these names. If the source lacks one of them, the toolbox withholds the source.
    fn only<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> WrappedSource<Self>
    where
        Self: Sized,
    {
        let names = names.into_iter().map(Into::into).collect();
        WrappedSource::new(self, Change::Only(names))
    }

    /// Makes each call to the tools with these names need approval, even if the guard allows it. If the source lacks one of them,
    /// the toolbox withholds the source, so that a misspelled name lets no call through.
    fn ask_for<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> WrappedSource<Self>
    where
        Self: Sized,
    {
        let names = names.into_iter().map(Into::into).collect();
        WrappedSource::new(self, Change::AskFor(names))
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
    /// Whether each call needs approval, even if the guard allows it.
    pub asks: bool,
}

impl SourceTool {
    /// Creates a tool in the source's own lane.
    pub fn new(tool: ToolBuf) -> Self {
        Self {
            tool,
            lane: None,
            asks: false,
        }
    }

    /// Sets whether each call needs approval, even if the guard allows it.
    #[must_use]
    pub fn asks(mut self, asks: bool) -> Self {
        self.asks = asks;
        self
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

/// A verdict on a request that a call of a [`ToolSource`] waits for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SourceDecision<'a> {
    /// The tool's name.
    pub name: &'a str,
    /// The caller on whose behalf the call was made.
    pub caller: &'a Caller,
    /// The source's own data about the call, from [`SourceError::with_state`].
    pub state: &'a Value,
    /// The decided request, one of those passed to [`SourceError::pending`].
    pub request: &'a ApprovalRequest,
    /// The verdict on the request.
    pub verdict: Verdict,
    /// Where to send the call's progress, as in [`SourceCall::progress`].
    pub progress: Option<&'a ProgressSender>,
}
