//! What the context of an async action can do beside.

use super::{ActionHost, AgentEnv, CommandMeta, InstanceInfo, QueuedEffects};
use crate::{CallFailure, Context, Directive, Skill, WriteError};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// What an async action queues beside directives, and its line to its caller.
#[derive(Default)]
pub(crate) struct AsyncState {
    /// The first queued action that JSON cannot hold.
    unwritable: Option<(&'static str, WriteError)>,
    host: Option<Arc<dyn ActionHost>>,
}

impl fmt::Debug for AsyncState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncState")
            .field("unwritable", &self.unwritable)
            .finish_non_exhaustive()
    }
}

impl<S: Skill> Context<S> {
    /// What is queued cannot be written.
    #[cold]
    pub(crate) fn record_unwritable(&mut self, next: &'static str, error: WriteError) {
        match &mut self.async_state {
            Some(async_state) => {
                async_state.unwritable.get_or_insert((next, error));
            }
            None => {
                let failure = CallFailure::Queued {
                    next,
                    source: error,
                };
                let message = failure.of_action(self.instance.name).to_string();
                let origin = self.origin();
                self.queued
                    .directives
                    .push(Directive::Error { message, origin });
            }
        }
    }

    /// Tells the caller of an async action how far it has come. Nothing in a pure action.
    pub fn progress(&self, value: impl Into<Value>) {
        if let Some(host) = self.host() {
            host.progress(self.instance.name, value.into());
        }
    }

    /// Whether nobody waits for the answer of this async action any more. False in a pure one.
    pub fn is_cancelled(&self) -> bool {
        self.host().is_some_and(|host| host.is_cancelled())
    }

    /// Ends when nobody waits for the answer of this async action any more. In a pure one it never ends.
    pub async fn cancelled(&self) {
        match self.host() {
            Some(host) => host.cancelled().await,
            None => std::future::pending().await,
        }
    }

    fn host(&self) -> Option<&Arc<dyn ActionHost>> {
        self.async_state.as_ref()?.host.as_ref()
    }

    /// For an async action.
    pub(crate) fn for_async(
        instance: &'static InstanceInfo,
        env: &AgentEnv,
        meta: Option<&Arc<CommandMeta>>,
        host: Option<Arc<dyn ActionHost>>,
    ) -> Self {
        let mut cx = Self::new(instance, env, meta);
        cx.async_state = Some(Box::new(AsyncState {
            host,
            ..AsyncState::default()
        }));
        cx
    }

    /// Takes what an async action queued.
    pub(crate) fn finish(self) -> Result<QueuedEffects, CallFailure> {
        match self.async_state.and_then(|state| state.unwritable) {
            Some((next, source)) => Err(CallFailure::Queued { next, source }),
            None => Ok(self.queued),
        }
    }
}
