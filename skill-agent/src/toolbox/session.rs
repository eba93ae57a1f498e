//! A session: the tools of a toolbox for one conversation or client.

use super::error::ToolError;
use super::list::{ListedTool, ToolList};
use super::output::ToolOutput;
use super::shared::Shared;
use crate::server::{ApprovalRequest, ErasedCallerHandle, Verdict};
use skill_core::__private::nearest;
use skill_core::{Caller, ForeignCaller};
use std::fmt;
use std::sync::Arc;

/// The tools of a toolbox for one conversation or client. Created by [`Toolbox::session`](super::Toolbox::session).
///
/// All calls are made on behalf of its caller.
pub struct ToolSession {
    shared: Arc<Shared>,
    caller: Caller,
    /// One for each source.
    handles: Vec<ErasedCallerHandle>,
}

impl fmt::Debug for ToolSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSession")
            .field("caller", &self.caller)
            .finish_non_exhaustive()
    }
}

impl ToolSession {
    pub(super) fn new(shared: Arc<Shared>, caller: ForeignCaller) -> Self {
        let sources = shared.sources.iter();
        let handles = sources.map(|source| source.origin.server.on_behalf_of(caller.clone()));
        Self {
            handles: handles.collect(),
            caller: caller.into(),
            shared,
        }
    }

    /// Who the calls are made for.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns the tools that can be called now. While the list does not change, it is the same one, with the same generation.
    pub async fn list(&self) -> Arc<ToolList> {
        Arc::clone(&self.shared.refresh().await.list)
    }

    /// Calls a tool with the JSON text of its arguments, as a model wrote it.
    ///
    /// # Errors
    /// See [`ToolError`]; the texts are for the model.
    pub async fn call(&self, name: &str, arguments: &str) -> Result<ToolOutput, ToolError> {
        self.run(None, name, arguments).await
    }

    /// Like [`call`](Self::call), at most once for each idempotency key; see
    /// [`AgentServer::call_with_key`](crate::AgentServer::call_with_key). The key is chosen by the program, never by the model.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn call_with_key(
        &self,
        key: &str,
        name: &str,
        arguments: &str,
    ) -> Result<ToolOutput, ToolError> {
        self.run(Some(key), name, arguments).await
    }

    async fn run(
        &self,
        key: Option<&str>,
        name: &str,
        arguments: &str,
    ) -> Result<ToolOutput, ToolError> {
        let (source, _) = self.find(name).await?;
        let handle = &self.handles[source];
        let response = match key {
            Some(key) => handle.call_json_with_key(key, name, arguments),
            None => handle.call_json(name, arguments),
        };
        let output = response.await;
        Ok(output
            .map_err(|error| ToolError::of_server(name, error))?
            .into())
    }

    /// Carries out the verdict on a deferred request of this caller: an approved call runs, and its output is returned. See
    /// [`AgentServer::decide`](crate::AgentServer::decide).
    ///
    /// # Errors
    /// As [`call`](Self::call), and [`InvalidRequest`](ToolError::InvalidRequest).
    pub async fn decide(
        &self,
        request: ApprovalRequest,
        verdict: impl Into<Verdict>,
    ) -> Result<ToolOutput, ToolError> {
        let verdict = verdict.into();
        let invalid = |reason: &str| ToolError::InvalidRequest {
            reason: reason.to_owned(),
        };
        if request.caller != self.caller {
            return Err(invalid("it is of another caller"));
        }
        let name = request.tool.name.clone();
        let (source, _) = self
            .find(&name)
            .await
            .map_err(|_| invalid("its tool is gone"))?;
        let server = &self.shared.sources[source].origin.server;
        let output = server.decide(request, verdict).await;
        Ok(output
            .map_err(|error| ToolError::of_server(&name, error))?
            .into())
    }

    /// The tool with a name, and the index of its source. The sources are asked only if there is none.
    async fn find(&self, name: &str) -> Result<(usize, Arc<ListedTool>), ToolError> {
        let found = |(source, tool): (usize, &Arc<ListedTool>)| (source, Arc::clone(tool));
        if let Some(found) = self.shared.merged().find(name).map(found) {
            return Ok(found);
        }
        let merged = self.shared.refresh().await;
        if let Some(found) = merged.find(name).map(found) {
            return Ok(found);
        }
        let names = merged
            .list
            .tools
            .iter()
            .map(|listed| listed.tool.name.as_str());
        Err(ToolError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, names).map(str::to_owned),
        })
    }
}
