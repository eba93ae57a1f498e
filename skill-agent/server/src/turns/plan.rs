//! Compares the kept states of turns with the present ones.

use super::mark::StateMark;
use super::rows::state_key;
use super::{Changer, StateView, Turns, TurnsError, TurnsRange};
use crate::error::ServeError;
use crate::journal::{AnyAgent, Journal, encode_present, state_value};
use serde_json::Value;
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

/// Reads the states from before the turns, and compares the states between the turns and after them.
///
/// # Errors
/// Fails with `TooOld` if a state is no longer kept, or if the agent has a different schema for it.
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
    /// Whether another command changed the skill between two turns, and the command if it is known.
    broken: Option<Option<Changer>>,
}

impl<'a> Chain<'a> {
    fn new(turn: u64, first: &'a StateMark) -> Self {
        Self {
            turn,
            first,
            after: first.after,
            broken: None,
        }
    }

    fn add(&mut self, next: &StateMark) {
        if self.after != next.before {
            self.broken.get_or_insert_with(|| next.found.clone());
        }
        self.after = next.after;
    }

    fn changed(self, agent: &dyn AnyAgent, turns: &Turns, now: &Value) -> Option<Option<Changer>> {
        let is_same = agent.state_hash(&self.first.key, now) == self.after;
        self.broken
            .or_else(|| (!is_same).then(|| turns.note(&self.first.key).cloned()))
    }
}
