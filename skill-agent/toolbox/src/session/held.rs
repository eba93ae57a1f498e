//! Calls of a conversation that records its steps.

use super::ToolSession;
use super::call::Key;
use super::inner::Found;
use crate::error::ToolError;
use crate::list::ToolKind;
use crate::output::ToolOutput;
use crate::sources::Source;
use skill_agent_server::{Applied, ErasedServer};

/// A call whose caller records the result, and may make the call again if it was stopped before.
#[derive(Clone, Copy, Debug)]
pub struct HeldCall<'a> {
    /// The key under which a server keeps the output until the caller has recorded it. Each call has its own.
    pub key: &'a str,
    /// Whether the call may have run before.
    pub attempt: CallAttempt,
}

/// Whether a call may have run before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallAttempt {
    /// It has not.
    First,
    /// It may have. It runs again only if that has no second effect.
    Repeated,
    /// It may have. It does not run again, and a server returns the output that it holds.
    Settled,
    /// Like `Settled`, but its server may have forgotten whether it has run.
    Forgotten,
}

impl ToolSession {
    /// Returns the result of a call that is not to run, because it may have run before. Returns `None` if it is to run.
    pub(super) async fn earlier(
        &self,
        found: &Found,
        call: HeldCall<'_>,
    ) -> Option<Result<ToolOutput, ToolError>> {
        let listed = found.listed();
        let reads = listed.tool.hints.read_only || listed.kind == ToolKind::Builtin;
        let server = self.server(found);
        // a command and its key are in one record, which a server without a store loses
        let is_recorded =
            listed.kind == ToolKind::PureAction && server.is_some_and(ErasedServer::has_store);
        let runs_again = match call.attempt {
            CallAttempt::First => return None,
            CallAttempt::Repeated => reads || is_recorded,
            CallAttempt::Settled | CallAttempt::Forgotten => false,
        };
        if runs_again {
            return None;
        }
        let tool = &listed.tool.name;
        let failed = |message: &str, applied| {
            Some(Err(ToolError::failed(tool, message.to_owned(), applied)))
        };
        if reads {
            let message = "its result was not recorded; call it again if you need it";
            return failed(message, Applied::No);
        }
        if let Some(server) = server {
            match server.held_output(call.key.to_owned()).await {
                Ok(Some(output)) => return Some(Ok(output.into())),
                Ok(None) if is_recorded && call.attempt == CallAttempt::Settled => {
                    return failed("it was not run: the program stopped before", Applied::No);
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, "a server does not say whether a call has run");
                }
            }
        }
        failed(
            "it has perhaps run: the program stopped before its result was recorded; look at its effects before you call it again",
            Applied::Unknown,
        )
    }

    /// Returns the server that holds the outputs of a tool's calls, or `None` for a tool that only reads.
    #[doc(hidden)]
    pub async fn holder_of(&self, name: &str) -> Option<ErasedServer> {
        let found = self.inner.find(name).await.ok()?;
        let reads = found.listed().tool.hints.read_only;
        self.server(&found).filter(|_| !reads).cloned()
    }

    fn server(&self, found: &Found) -> Option<&ErasedServer> {
        let Found::Of(index, _) = found else {
            return None;
        };
        match &self.inner.shared.sources[*index] {
            Source::Server(source) => Some(&source.server),
            _ => None,
        }
    }

    /// Returns futures that wait until the servers of the toolbox have stopped. They do not keep the servers running.
    #[doc(hidden)]
    pub fn servers_closed(&self) -> Vec<impl Future<Output = ()> + Send + use<>> {
        let sources = self.inner.shared.sources.iter();
        let servers = sources.filter_map(|source| match source {
            Source::Server(source) => Some(source.server.when_closed()),
            _ => None,
        });
        servers.collect()
    }
}

impl<'a> HeldCall<'a> {
    /// Returns the key for a source.
    pub(super) fn key_for(self, found: &Found) -> Key<'a> {
        if found.listed().tool.hints.read_only {
            Key::Read(self.key)
        } else {
            Key::Held(self.key)
        }
    }
}
