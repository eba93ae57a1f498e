//! Compares the kept states of turns with the present ones.

use super::mark::StateMark;
use super::rows::state_key;
use super::{Changer, StateView, Turns, TurnsError, TurnsRange};
use crate::chain::FollowUp;
use crate::error::ServeError;
use crate::journal::{AnyAgent, Journal, encode_present, state_value};
use serde_json::Value;
use skill_core::Directive;
use std::sync::Arc;

/// A state to restore.
pub(crate) struct Planned {
    pub(crate) key: String,
    pub(crate) stored: Vec<u8>,
    view: StateView,
}

impl Planned {
    pub(crate) fn into_view(self) -> StateView {
        self.view
    }

    /// Returns an error if another command has changed the state.
    pub(crate) fn check(&self) -> Result<(), TurnsError> {
        match &self.view.changed {
            None => Ok(()),
            Some(by) => Err(TurnsError::Changed {
                key: self.key.clone(),
                by: by.clone(),
            }),
        }
    }
}

/// Returns an error if a command that the turns queued has not run to its end. It could change a state after the restore.
fn check_done(journal: &Journal, range: &TurnsRange) -> Result<(), TurnsError> {
    for pending in journal.not_done() {
        let is_of_turns = pending.turn().is_some_and(|turn| {
            turn.conversation == range.conversation && (range.from..range.to).contains(&turn.turn)
        });
        if is_of_turns
            && let Ok(directive) = pending.directive()
            && FollowUp::of(&directive).is_some()
        {
            return Err(TurnsError::Running(in_words(&directive)));
        }
    }
    Ok(())
}

/// Names the command that a directive leads to.
fn in_words(directive: &Directive) -> String {
    match directive {
        Directive::Run(run) => format!("the action `{}`", run.action),
        Directive::Schedule(schedule) => format!("the signal `{}`", schedule.signal.ty()),
        other => format!("the directive `{}`", other.kind()),
    }
}

/// Reads the states from before the turns, and compares the states between the turns and after them.
///
/// # Errors
/// Fails with `TooOld` if a state is no longer kept, or if the agent has a different schema for it, and with `Running` if a
/// command of the turns still runs.
pub(crate) async fn plan(
    journal: &mut Journal,
    turns: &Turns,
    agent: &dyn AnyAgent,
    range: &TurnsRange,
) -> Result<Vec<Planned>, ServeError<TurnsError>> {
    let too_old = || ServeError::Action(TurnsError::TooOld);
    let kept = turns.get(&range.conversation).ok_or_else(too_old)?;
    if range.from < kept.first {
        return Err(too_old());
    }
    check_done(journal, range).map_err(ServeError::Action)?;
    let mut states: Vec<Chain<'_>> = Vec::new();
    for (turn, mark) in kept.turns.range(range.marks()) {
        for state in &mark.states {
            match states.iter_mut().find(|chain| chain.first.key == state.key) {
                Some(chain) => chain.add(state),
                None => states.push(Chain::new(*turn, state)),
            }
        }
    }
    let mut planned = Vec::with_capacity(states.len());
    for chain in states {
        let StateMark { key, schema, .. } = chain.first;
        if agent.schema_of(key) != Some(*schema) {
            return Err(too_old());
        }
        let row = state_key(&range.conversation, chain.turn, key);
        let stored = journal.read_state(row).await;
        let stored = stored.map_err(|error| ServeError::store_before(Arc::new(error)))?;
        let stored = stored.ok_or_else(too_old)?;
        let then = state_value(&stored).ok_or_else(too_old)?;
        let now = encode_present(agent, key);
        let now = now.and_then(|now| state_value(&now)).unwrap_or_default();
        let changed = chain.changed(agent, turns, &now);
        planned.push(Planned {
            key: key.clone(),
            stored,
            view: StateView {
                key: key.clone(),
                now,
                then,
                changed,
            },
        });
    }
    Ok(planned)
}

/// The changes of one skill by the turns, in order.
struct Chain<'a> {
    turn: u64,
    first: &'a StateMark,
    after: u64,
    /// The first command of another caller that changed the skill in the middle of the turns.
    broken: Option<Changer>,
}

impl<'a> Chain<'a> {
    fn new(turn: u64, first: &'a StateMark) -> Self {
        Self {
            turn,
            first,
            after: first.after,
            broken: first.broken.clone(),
        }
    }

    fn add(&mut self, next: &StateMark) {
        if self.broken.is_none() {
            // without `found`, a late command of an earlier turn made the change
            let between = next.found.as_ref().filter(|_| self.after != next.before);
            self.broken = between.or(next.broken.as_ref()).cloned();
        }
        self.after = next.after;
    }

    fn changed(self, agent: &dyn AnyAgent, turns: &Turns, now: &Value) -> Option<Changer> {
        let is_same = agent.state_hash(&self.first.key, now) == self.after;
        let last = || turns.note(&self.first.key).cloned();
        self.broken
            .or_else(|| (!is_same).then(|| last().unwrap_or_else(Changer::unknown)))
    }
}
