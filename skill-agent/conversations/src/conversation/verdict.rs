//! Verdicts that are recorded and not carried out yet.

use super::storage::Change;
use super::{Conversation, State};
use crate::rows::Rest;
use skill_agent_chat::ChatError;
use skill_agent_server::Verdict;

impl Conversation {
    /// Records a verdict before it is carried out, so that it outlives the process.
    pub(super) async fn keep_verdict(&self, id: &str, verdict: &Verdict) -> Result<(), ChatError> {
        let kept = self.write(
            |_, head| {
                head.verdict = Some((id.to_owned(), verdict.clone()));
                head.rest = Rest::Interrupted;
                Ok((Change::default(), ()))
            },
            |_, ()| {},
        );
        kept.await
    }

    /// Forgets a verdict that the turn did not carry out, so that its call waits again.
    pub(super) async fn drop_verdict(&self) {
        if self.state().head.verdict.is_none() {
            return;
        }
        let dropped = self.write(
            |state, head| {
                head.verdict = None;
                if let Some(loaded) = &state.loaded {
                    head.rest = Rest::of(&loaded.shown).with_queue(!loaded.queued.is_empty());
                }
                Ok((Change::default(), ()))
            },
            |_, ()| {},
        );
        if let Err(error) = dropped.await {
            tracing::debug!(%error, "a verdict that was not carried out is kept");
        }
    }
}

impl State {
    /// Returns whether calls wait for a verdict, or for one that is not carried out yet.
    pub(super) fn has_open_calls(&self) -> bool {
        self.head.rest == Rest::Waiting || self.head.verdict.is_some()
    }
}
