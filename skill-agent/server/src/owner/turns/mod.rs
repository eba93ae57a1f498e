//! Takes turns of conversations back, and brings them back.

mod restore;
pub(crate) mod track;

use super::Owner;
use crate::error::ServeError;
use crate::turns::{TurnEffect, TurnsError, TurnsRange, TurnsView, TurnsWork, plan};
use skill_core::Agent;
use std::convert::Infallible;
use std::sync::{Arc, Weak};

impl<G: Agent> Owner<G> {
    /// Does the requested work. Commands do not run meanwhile, so a state stays as it was compared.
    pub(crate) async fn run_turn_work(&mut self) {
        if self.turn_work.is_empty() {
            return;
        }
        // the rows of earlier commands must be in the log, and a response may run a command
        while !self.batch.is_empty() {
            self.commit().await;
        }
        for work in std::mem::take(&mut self.turn_work) {
            match work {
                TurnsWork::Load(conversation, lease, responder) => {
                    let loaded = self.load_turns(conversation, lease).await;
                    responder.respond(loaded);
                }
                TurnsWork::View(range, responder) => {
                    let view = self.view_turns(&range).await;
                    responder.respond(view);
                }
                TurnsWork::Restore(restore, responder) => {
                    let Some(journal) = &mut self.journal else {
                        continue;
                    };
                    let planned = plan(journal, &self.turns, &self.agent, &restore.turns).await;
                    match planned {
                        Ok(planned) => self.restore_turns(*restore, planned, responder),
                        Err(error) => self.respond_in_turn(responder, error),
                    }
                }
            }
        }
    }

    async fn load_turns(
        &mut self,
        conversation: String,
        lease: Weak<()>,
    ) -> Result<(), ServeError<Infallible>> {
        if !self.turns.lease(&conversation, &lease) {
            return Ok(());
        }
        if let Some(journal) = &mut self.journal {
            let kept = journal.read_kept(conversation.clone()).await;
            let mut kept = kept.map_err(|error| ServeError::store_before(Arc::new(error)))?;
            kept.lease = lease;
            self.turns.insert(conversation, kept);
        }
        Ok(())
    }

    async fn view_turns(
        &mut self,
        range: &TurnsRange,
    ) -> Result<TurnsView, ServeError<TurnsError>> {
        let Some(journal) = &mut self.journal else {
            return Ok(TurnsView::default());
        };
        let planned = plan(journal, &self.turns, &self.agent, range).await?;
        let mut view = TurnsView {
            states: planned
                .into_iter()
                .map(|planned| planned.into_view())
                .collect(),
            effects: Vec::new(),
        };
        let kept = self.turns.get(&range.conversation);
        let marks = kept
            .into_iter()
            .flat_map(|kept| kept.turns.range(range.marks()));
        for (_, mark) in marks {
            view.effects.extend(mark.effects.iter().cloned());
            let waits = |n| self.schedules.has(n);
            let gone = mark.schedules.iter().filter(|schedule| !waits(schedule.n));
            view.effects
                .extend(gone.map(|gone| TurnEffect::Fired(gone.ty.clone())));
        }
        Ok(view)
    }
}
