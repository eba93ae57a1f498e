//! What the context of an async action can do beside.

use super::{Live, Queued};
use crate::agent::Shell;
use crate::context::{Occasion, Place};
use crate::{CallFailure, Context, Directive, Instruction, Skill, WriteError};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// What an async action queues beside directives, and its line to its caller.
#[derive(Default)]
pub(crate) struct Extra {
    pub(crate) then: Vec<Instruction>,
    /// The first queued action that JSON cannot hold.
    lost: Option<(&'static str, WriteError)>,
    live: Option<Arc<dyn Live>>,
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extra")
            .field("then", &self.then)
            .field("lost", &self.lost)
            .finish_non_exhaustive()
    }
}

impl<S: Skill> Context<S> {
    /// What is queued cannot be written.
    #[cold]
    pub(crate) fn lose(&mut self, next: &'static str, error: WriteError) {
        match &mut self.extra {
            Some(extra) => {
                extra.lost.get_or_insert((next, error));
            }
            None => {
                let failure = CallFailure::Queued {
                    next,
                    source: error,
                };
                let message = failure.of_action(self.place.instance).to_string();
                let origin = self.origin();
                self.directives.push(Directive::Error { message, origin });
            }
        }
    }

    /// Tells the caller of an async action how far it has come. Nothing in a pure action.
    pub fn progress(&self, value: impl Into<Value>) {
        if let Some(live) = self.live() {
            live.progress(self.place.instance, value.into());
        }
    }

    /// Whether nobody waits for the answer of this async action any more. False in a pure one.
    pub fn is_cancelled(&self) -> bool {
        self.live().is_some_and(|live| live.is_cancelled())
    }

    /// Ends when nobody waits for the answer of this async action any more. In a pure one it never ends.
    pub async fn cancelled(&self) {
        match self.live() {
            Some(live) => live.cancelled().await,
            None => std::future::pending().await,
        }
    }

    fn live(&self) -> Option<&Arc<dyn Live>> {
        self.extra.as_ref()?.live.as_ref()
    }

    /// For an async action.
    pub(crate) fn for_job(
        place: &'static Place,
        shell: &Shell,
        occasion: Option<&Arc<Occasion>>,
        live: Option<Arc<dyn Live>>,
    ) -> Self {
        let mut cx = Self::new(place, shell, occasion);
        cx.extra = Some(Box::new(Extra {
            live,
            ..Extra::default()
        }));
        cx
    }

    /// Takes what an async action queued.
    pub(crate) fn into_queued(self) -> Result<Queued, CallFailure> {
        let extra = self.extra.map(|extra| *extra).unwrap_or_default();
        match extra.lost {
            Some((next, source)) => Err(CallFailure::Queued { next, source }),
            None => Ok(Queued {
                then: extra.then,
                directives: self.directives,
                wishes: self.wishes.map(|list| list.0).unwrap_or_default(),
            }),
        }
    }
}
