//! A single tool call, handled according to the kind of its source.

use super::groups;
use super::inner::{Found, Inner};
use crate::error::{PendingInside, ToolError};
use crate::guarding::Subject;
use crate::list::ToolKind;
#[cfg(feature = "documents")]
use crate::list::ToolList;
use crate::output::ToolOutput;
use crate::source::{SourceCall, SourceDecision, SourceError, SourceErrorKind};
#[cfg(feature = "documents")]
use crate::sources::CatalogSource;
use crate::sources::Source;
use serde_json::Value;
#[cfg(feature = "documents")]
use skill_agent_documents::__private::ToolProblem;
use skill_agent_schema::read_document;
#[cfg(feature = "documents")]
use skill_agent_schema::{shorten_name, suggest};
use skill_agent_server::__private::Ruling;
use skill_agent_server::{
    Applied, ApprovalRequest, ErasedCallerHandle, ErasedResponseFuture, ProgressSender, ServeError,
    Verdict,
};
#[cfg(feature = "documents")]
use skill_core::__private::nearest;
#[cfg(feature = "documents")]
use skill_core::process::{SKILL_NAME, SKILL_TOOL};
use skill_core::{CallError, MAX_ARGUMENT_BYTES};
use std::sync::Arc;

/// The idempotency key of a call.
#[derive(Clone, Copy)]
pub(super) enum Key<'a> {
    None,
    /// A key that expires.
    Own(&'a str),
    /// A key that the caller releases.
    Held(&'a str),
    /// A key of a call that only reads. It says to a server where the call comes from, and sources do not get it.
    Read(&'a str),
}

impl<'a> Key<'a> {
    pub(super) fn text(self) -> Option<&'a str> {
        match self {
            Self::None | Self::Read(_) => None,
            Self::Own(key) | Self::Held(key) => Some(key),
        }
    }
}

/// A call to one of a session's tools.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    session: &'a Inner,
    found: &'a Found,
    key: Key<'a>,
    progress: Option<&'a ProgressSender>,
}

impl<'a> Call<'a> {
    pub(super) fn new(session: &'a Inner, found: &'a Found, key: Key<'a>) -> Self {
        Self {
            session,
            found,
            key,
            progress: None,
        }
    }

    pub(super) fn with_progress(self, progress: Option<&'a ProgressSender>) -> Self {
        Self { progress, ..self }
    }

    fn name(&self) -> &'a str {
        &self.found.listed().tool.name
    }

    /// Returns the tool's source and the source's index, or `None` for the session's own tool.
    fn source(&self) -> Option<(usize, &'a Source)> {
        match self.found {
            Found::Of(index, _) => Some((*index, &self.session.shared.sources[*index])),
            Found::Skill(_) | Found::ReadResult => None,
        }
    }

    fn subject(&self) -> Subject<'a> {
        let listed = self.found.listed();
        Subject {
            source: &listed.source,
            tool: &listed.tool,
            caller: &self.session.caller,
            key: self.key.text(),
            asks: listed.asks,
            // a catalog accepts more ids than its schema lists, so it checks the arguments itself
            checks_itself: !matches!(self.source(), Some((_, Source::Foreign(_))) | None),
        }
    }

    /// Returns whether the guard allows the call without an approval.
    #[cfg(feature = "documents")]
    pub(super) fn is_allowed(&self, arguments: &Value) -> bool {
        let guarding = &self.session.shared.guarding;
        guarding.decision(self.subject(), arguments) == skill_agent_server::Decision::Allow
    }

    /// Runs the call once the guard and the approver allow it.
    pub(super) async fn run(self, arguments: &str) -> Result<ToolOutput, ToolError> {
        if let Some(handle) = self.handle() {
            let response = match self.key {
                Key::None => handle.call_json(self.name(), arguments),
                Key::Own(key) => handle.call_json_with_key(key, self.name(), arguments),
                Key::Held(key) => handle.call_json_holding(key, self.name(), arguments),
                Key::Read(key) => handle.call_json_reading(key, self.name(), arguments),
            };
            return self.served(self.reported(response).await);
        }
        let arguments = self.read(arguments)?;
        let guarding = &self.session.shared.guarding;
        let arguments = guarding.admit(self.subject(), arguments).await?;
        // the tool may have changed while the approver was deciding
        self.session.find_again(self.found).await?;
        self.perform(arguments).await
    }

    /// Carries out the verdict on a request for the tool. Unless the tool is a pure action of a server, which decides a request
    /// only once, awaits `begins` before the tool runs.
    pub(super) async fn decide(
        self,
        request: ApprovalRequest,
        verdict: Verdict,
        begins: impl Future<Output = ()> + Send,
    ) -> Result<ToolOutput, ToolError> {
        if let Some((_, Source::Server(source))) = self.source() {
            let runs = matches!(verdict, Verdict::Approve | Verdict::ApproveWith(_));
            if runs && self.found.listed().kind == ToolKind::AsyncAction {
                begins.await;
            }
            let response = source.server.decide(request, verdict);
            return self.served(self.reported(response).await);
        }
        let guarding = &self.session.shared.guarding;
        let (arguments, mut once) =
            guarding.decide(self.subject(), request, Ruling::from(verdict))?;
        begins.await;
        once.begin();
        let output = self.perform(arguments).await;
        once.undo_without_effect(&output);
        output
    }

    /// Passes the verdict on a request inside a waiting call on to the call's source, after awaiting `begins`.
    pub(super) async fn decide_inside(
        self,
        pending: &PendingInside,
        request: &ApprovalRequest,
        verdict: Verdict,
        begins: impl Future<Output = ()> + Send,
    ) -> Result<ToolOutput, ToolError> {
        let Some((_, Source::Foreign(source))) = self.source() else {
            return Err(ToolError::invalid("its tool is now of another source"));
        };
        let shared = &self.session.shared;
        let mut once = shared.guarding.decide_inside(self.subject(), pending)?;
        let decision = SourceDecision {
            name: self.name(),
            caller: &self.session.caller,
            state: &pending.state,
            request,
            verdict,
            progress: self.progress,
        };
        begins.await;
        once.begin();
        let output = source.decide(decision, shared.settings.call_time_limit);
        let output = output.await;
        let output = output.map_err(|error| self.failed(pending.request.arguments.clone(), error));
        once.undo_without_effect(&output);
        output
    }

    /// Creates the error for a call that failed in a custom source.
    fn failed(&self, arguments: Value, error: SourceError) -> ToolError {
        match error.kind {
            SourceErrorKind::Pending { requests, state } => {
                let guarding = &self.session.shared.guarding;
                guarding.waiting_inside(self.subject(), arguments, requests, *state)
            }
            _ => ToolError::of_source(self.name(), error),
        }
    }

    fn handle(&self) -> Option<&'a ErasedCallerHandle> {
        let (index, _) = self.source()?;
        self.session.handles[index].as_ref()
    }

    /// Passes the progress of a server's response on to the caller, if the caller wants it.
    fn reported<'r, T, E>(
        &self,
        response: ErasedResponseFuture<'r, T, E>,
    ) -> ErasedResponseFuture<'r, T, E> {
        match self.progress {
            Some(progress) => response.with_progress(progress.clone()),
            None => response,
        }
    }

    /// Converts the result from a server, where an action that was unmounted in the meantime counts as unknown.
    fn served(
        &self,
        result: Result<String, ServeError<CallError>>,
    ) -> Result<ToolOutput, ToolError> {
        match result {
            Ok(output) => Ok(output.into()),
            Err(ServeError::Action(CallError::UnknownAction { .. })) => {
                Err(self.session.unknown(self.name()))
            }
            Err(error) => Err(ToolError::of_server(self.name(), error)),
        }
    }

    /// Parses the arguments for a tool that is not an action.
    fn read(&self, arguments: &str) -> Result<Value, ToolError> {
        let wrong = |problem| ToolError::Arguments {
            tool: self.name().to_owned(),
            problem,
        };
        // some models send nothing instead of empty arguments
        let text = match arguments.trim_ascii() {
            "" => "{}",
            text => text,
        };
        let value = read_document(text, MAX_ARGUMENT_BYTES);
        let value = value.map_err(|error| wrong(error.to_string()))?;
        self.subject().check(&value).map_err(wrong)?;
        Ok(value)
    }

    /// Calls a tool that is not an action.
    async fn perform(&self, arguments: Value) -> Result<ToolOutput, ToolError> {
        let (session, tool) = (self.session, self.name());
        match self.source() {
            None if matches!(self.found, Found::Skill(_)) => {
                let list = Arc::clone(&session.shared.merged().list);
                let group = groups::named(&list, &arguments);
                // the schema lists the names of the groups
                let group = group.ok_or_else(|| session.unknown(tool))?;
                Ok(session.load(&list, group, None))
            }
            None => {
                let read = session.state().results.read(&arguments);
                let message = match read {
                    Ok(text) => return Ok(text.into()),
                    Err(error) => error.to_string(),
                };
                Err(ToolError::failed(tool, message, Applied::No))
            }
            Some((_, Source::Foreign(source))) => {
                let call = SourceCall {
                    name: tool,
                    arguments: &arguments,
                    caller: &session.caller,
                    key: self.key.text(),
                    progress: self.progress,
                };
                let output = source.call(call, session.shared.settings.call_time_limit);
                let output = output.await;
                output.map_err(|error| self.failed(arguments, error))
            }
            #[cfg(feature = "documents")]
            Some((_, Source::Catalog(source))) => self.load(source, arguments).await,
            Some((_, Source::Server(_))) => {
                let reason = "its server decides on it".to_owned();
                Err(ToolError::unavailable(tool, reason))
            }
        }
    }

    /// Calls one of a catalog's tools. If the call loads a document, the document becomes active.
    #[cfg(feature = "documents")]
    async fn load(
        &self,
        source: &CatalogSource,
        arguments: Value,
    ) -> Result<ToolOutput, ToolError> {
        let (session, tool) = (self.session, self.name());
        let list = Arc::clone(&session.shared.merged().list);
        let group = groups::named(&list, &arguments);
        let loads_groups = session.defers && tool == SKILL_TOOL;
        let group = group.filter(|_| loads_groups);
        if let Some(group) = group
            && !source.catalog().offers(&group.name)
        {
            return Ok(session.load(&list, group, None));
        }
        let answer = source.call(tool, arguments.to_string()).await;
        let answer = answer.map_err(|problem| match problem {
            ToolProblem::Arguments(error) => ToolError::Arguments {
                tool: tool.to_owned(),
                problem: error.to_string(),
            },
            ToolProblem::Failed(message) => {
                // the error's type already says this, and callers print the type before the message
                let message = message.strip_prefix("Error: ").unwrap_or(&message);
                let misspelled = misspelled(&list, &arguments);
                let misspelled = misspelled.filter(|_| group.is_none() && loads_groups);
                let message = misspelled.unwrap_or_else(|| message.to_owned());
                ToolError::failed(tool, message, Applied::No)
            }
        })?;
        if let Some(id) = &answer.loaded {
            let policy = &session.shared.settings.policy;
            let mut state = session.state();
            let noted = answer
                .catalog
                .note_activation(id, &mut state.activations, policy);
            noted.map_err(|error| ToolError::failed(tool, error.to_string(), Applied::No))?;
        }
        Ok(match group {
            Some(group) => session.load(&list, group, Some(answer.text)),
            None => answer.text.into(),
        })
    }
}

/// Returns the error for a name that is not the name of a group, or `None` if no group has a similar name.
#[cfg(feature = "documents")]
fn misspelled(list: &ToolList, arguments: &Value) -> Option<String> {
    let name = arguments[SKILL_NAME].as_str()?;
    let nearest = nearest(name, list.groups.iter().map(|group| &*group.name))?;
    let name = shorten_name(name);
    Some(format!(
        "there is no skill `{name}`{}",
        suggest(Some(nearest))
    ))
}
