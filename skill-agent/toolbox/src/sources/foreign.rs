//! Wraps a custom source.

use super::{Listed, Version};
use crate::list::{ListedTool, ToolGroup, ToolKind};
use crate::output::ToolOutput;
use crate::rules::hints_of_stranger;
use crate::source::{SourceCall, SourceDecision, SourceError, SourceTool, ToolSource, shortened};
use skill_agent_server::__private::{catch, catch_async};
use skill_agent_server::{Applied, BoxFuture};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A custom source, whose panics are caught and whose calls have a time limit.
pub(crate) struct ForeignSource {
    name: String,
    source: Box<dyn ToolSource>,
    /// The description of the source's group, if the source is deferred.
    deferred: Option<String>,
}

impl fmt::Debug for ForeignSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ForeignSource").field(&self.name).finish()
    }
}

impl ForeignSource {
    pub(crate) fn new(name: String, source: impl ToolSource) -> Self {
        Self {
            name,
            source: Box::new(source),
            deferred: None,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn defer(&mut self, description: String) {
        self.deferred = Some(description);
    }

    pub(super) fn group(&self) -> Option<ToolGroup> {
        Some(ToolGroup {
            name: self.name.clone(),
            source: self.name.clone(),
            description: self.deferred.clone()?,
        })
    }

    /// Returns whether the source reports a change to its list. Also returns `true` if the source panics, so that it is asked
    /// again.
    pub(super) fn has_changed_since(&self, known: u64) -> bool {
        match caught(|| self.source.generation()) {
            Ok(now) => now.is_some_and(|now| now != known),
            Err(_) => true,
        }
    }

    pub(super) fn list_time_limit(&self) -> Option<Duration> {
        caught(|| self.source.list_time_limit()).ok().flatten()
    }

    pub(super) async fn list(&self, known: &Version) -> Result<Option<Listed>, String> {
        // read the generation before the list, so that the next call notices a change in between
        let generation = caught(|| self.source.generation())?;
        if let (Some(now), Version::Generation(known)) = (generation, known)
            && now == *known
        {
            return Ok(None);
        }
        let tools = polled(|| self.source.list()).await?;
        let tools = tools.map_err(|error| shortened(error.message))?;
        let tools = tools.into_iter().map(|tool| Arc::new(self.listed(tool)));
        Ok(Some(Listed {
            tools: tools.collect(),
            version: generation.map_or(Version::Unknown, Version::Generation),
        }))
    }

    fn listed(&self, source_tool: SourceTool) -> ListedTool {
        let SourceTool {
            mut tool,
            lane,
            asks,
        } = source_tool;
        let source = self.name.clone();
        tool.hints = hints_of_stranger(tool.hints);
        ListedTool {
            group: self.deferred.is_some().then(|| source.clone()),
            lane: lane.map_or_else(|| source.clone(), |lane| format!("{source}/{lane}")),
            tool,
            source,
            kind: ToolKind::Foreign,
            asks,
        }
    }

    /// Calls a tool, with the time limit `limit` unless the source has its own.
    ///
    /// # Errors
    /// Returns the source's error, or an error if the source panics or does not respond in time.
    pub(crate) async fn call(
        &self,
        call: SourceCall<'_>,
        limit: Duration,
    ) -> Result<ToolOutput, SourceError> {
        self.limited(limit, || self.source.call(call)).await
    }

    /// Continues a call after a verdict.
    ///
    /// # Errors
    /// Returns the same errors as [`call`](Self::call).
    pub(crate) async fn decide(
        &self,
        decision: SourceDecision<'_>,
        limit: Duration,
    ) -> Result<ToolOutput, SourceError> {
        self.limited(limit, || self.source.decide(decision)).await
    }

    async fn limited<'a>(
        &'a self,
        limit: Duration,
        work: impl FnOnce() -> BoxFuture<'a, Result<ToolOutput, SourceError>>,
    ) -> Result<ToolOutput, SourceError> {
        let own = caught(|| self.source.time_limit()).map_err(SourceError::unavailable)?;
        let limit = own.unwrap_or(limit);
        let failed = match timeout(limit, polled(work)).await {
            Ok(Ok(result)) => return result,
            Ok(Err(message)) => message,
            Err(_) => format!("the source did not answer within {limit:?}"),
        };
        let message = format!("{failed}; the call may have been applied");
        Err(SourceError::unavailable(message).with_applied(Applied::Unknown))
    }
}

fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch(work).map_err(|message| panicked(&message))
}

/// Creates and awaits a future of the source, although both steps may panic.
async fn polled<'a, T>(work: impl FnOnce() -> BoxFuture<'a, T>) -> Result<T, String> {
    let work = caught(work)?;
    let ended = catch_async(work).await;
    ended.map_err(|message| panicked(&message))
}

/// Logs the panic's message for the program, whereas the model gets a generic message.
fn panicked(message: &str) -> String {
    tracing::error!(%message, "a source of tools panicked");
    "the source panicked".to_owned()
}
