//! A context's additional state and methods for async actions.

use super::{ActionHost, ContextParts, QueuedEffects};
use crate::{CallFailure, Context, Directive, Skill, WriteError};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A context's additional state in an async action.
#[derive(Default)]
pub(crate) struct AsyncState {
    /// The first queued action whose arguments JSON cannot represent, with the error.
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
    /// Records that the arguments of the queued action `next` cannot be written as JSON.
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
                let message = failure.with_action(self.instance.name).to_string();
                let origin = self.origin();
                self.queued
                    .directives
                    .push(Directive::Error { message, origin });
            }
        }
    }

    /// Reports the progress of an async action to its caller. Does nothing in a pure action, which runs at once: write
    /// `async fn` and `&S` for an action with progress.
    pub fn progress(&self, value: impl Into<Value>) {
        if let Some(host) = self.host() {
            host.progress(self.instance.name, value.into());
        }
    }

    /// Returns whether the caller has stopped waiting for this async action. Always false in a pure action.
    pub fn is_cancelled(&self) -> bool {
        self.host().is_some_and(|host| host.is_cancelled())
    }

    /// Completes when the caller has stopped waiting for this async action. Never completes in a pure action.
    pub async fn cancelled(&self) {
        match self.host() {
            Some(host) => host.cancelled().await,
            None => std::future::pending().await,
        }
    }

    fn host(&self) -> Option<&Arc<dyn ActionHost>> {
        self.async_state.as_ref()?.host.as_ref()
    }

    /// Creates an async action's context.
    pub(crate) fn for_async(parts: ContextParts<'_>, host: Option<Arc<dyn ActionHost>>) -> Self {
        let mut cx = Self::new(parts);
        cx.async_state = Some(Box::new(AsyncState {
            host,
            ..AsyncState::default()
        }));
        cx
    }

    /// Returns the effects queued by an async action.
    pub(crate) fn finish(self) -> Result<QueuedEffects, CallFailure> {
        match self.async_state.and_then(|state| state.unwritable) {
            Some((next, source)) => Err(CallFailure::Queued { next, source }),
            None => Ok(self.queued),
        }
    }
}
