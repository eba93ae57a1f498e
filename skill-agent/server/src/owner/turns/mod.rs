//! Takes turns of conversations back, and brings them back.

mod restore;
pub(crate) mod track;

use super::Owner;
use crate::error::ServeError;
use crate::journal::{Journal, PendingDirective};
use crate::turns::{TurnEffect, TurnsError, TurnsRange, TurnsView, TurnsWork, plan};
use skill_agent_store::decode;
use skill_core::{Agent, Directive};
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

    /// Returns whether the marks of the conversation must still be read.
    fn lease_turns(&mut self, conversation: &str, lease: &Weak<()>) -> bool {
        let journal = self.journal.as_ref();
        let is_pending = |conversation: &str| {
            let pending = journal.into_iter().flat_map(Journal::not_done);
            let mut turns = pending.filter_map(PendingDirective::turn);
            turns.any(|turn| turn.conversation == conversation)
        };
        self.turns.lease(conversation, lease, is_pending)
    }

    async fn load_turns(
        &mut self,
        conversation: String,
        lease: Weak<()>,
    ) -> Result<(), ServeError<Infallible>> {
        if !self.lease_turns(&conversation, &lease) {
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

    /// Returns the key of a waiting signal that signals of the turns to bring back would replace.
    fn replaced_key(&self, range: &TurnsRange) -> Option<String> {
        let kept = self.turns.get(&range.conversation)?;
        let mark = kept.turns.get(&range.marks().start)?;
        mark.withdrawn.iter().find_map(|withdrawn| {
            let directive = decode(&withdrawn.directive).ok()?;
            let Directive::Schedule(schedule) = directive else {
                return None;
            };
            let key = schedule.effect.key?;
            self.schedules.number_of(&key).is_some().then_some(key)
        })
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
            replaced: self.replaced_key(range),
        };
        let kept = self.turns.get(&range.conversation);
        let marks = kept
            .into_iter()
            .flat_map(|kept| kept.turns.range(range.marks()));
        let waiting = self.schedules.numbers();
        for (_, mark) in marks {
            view.effects.extend(mark.effects.iter().cloned());
            let gone = mark.schedules.iter();
            let gone = gone.filter(|schedule| !waiting.contains(&schedule.n));
            view.effects
                .extend(gone.map(|gone| TurnEffect::Fired(gone.ty.clone())));
        }
        Ok(view)
    }
}
