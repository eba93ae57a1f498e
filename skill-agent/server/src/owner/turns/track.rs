//! Keeps the states from before a turn changes them.

use crate::chain::Chain;
use crate::journal::{AnyAgent, JournalEntry, encode_saved, state_value};
use crate::owner::Owner;
use crate::owner::call::batch::RecordedCommand;
use crate::turns::{TurnId, TurnMark, TurnState, Turns};
use skill_agent_store::{Record, StoreError, TableChange};
use skill_core::process::Saved;
use skill_core::{Agent, Directive};

/// The encoded states from before a command, by state key.
pub(crate) type EarlierStates = Vec<(&'static str, Vec<u8>)>;

/// Encodes the states that a command has replaced and that are new to its turn.
pub(crate) fn earlier_states<G: Agent>(
    agent: &G,
    turns: &Turns,
    chain: &Chain,
    saved: &Saved<G>,
) -> Result<EarlierStates, StoreError> {
    let Some(turn) = chain.turn().filter(|turn| turns.tracks(turn)) else {
        return Ok(Vec::new());
    };
    let new = saved.iter().filter(|saved| turns.is_new(turn, saved.key()));
    let encoded = new.map(|saved| {
        let state = encode_saved(saved);
        let id = agent.id().unwrap_or_default();
        let state = state.map_err(|error| StoreError::unrecordable(id, error))?;
        Ok((saved.key(), state))
    });
    encoded.collect()
}

impl<G: Agent> Owner<G> {
    /// Finds the turn of a call by its key.
    pub(crate) fn find_turn(&self, entry: &mut JournalEntry) {
        let key = entry.keyed.as_ref().map(|keyed| &keyed.key);
        if let Some(turn) = key.and_then(|key| TurnId::of_key(key)) {
            entry.chain.begin_turn(turn);
        }
    }

    /// Notes a command whose record is created. Returns the rows that its turn adds to the commit.
    pub(in crate::owner) fn track(
        &mut self,
        command: &mut RecordedCommand<G>,
        record: &Record,
        earlier: EarlierStates,
        directives: &[(Directive, Option<u64>)],
    ) -> Vec<TableChange> {
        let turn = command.chain.turn().filter(|turn| self.turns.tracks(turn));
        let Some(turn) = turn else {
            self.turns.see(record);
            return Vec::new();
        };
        let agent: &dyn AnyAgent = &self.agent;
        let mut earlier: Vec<_> = earlier.into_iter().map(Some).collect();
        let mut states = Vec::new();
        for (saved, changed) in command.saved.iter().zip(&record.states) {
            let key = saved.key();
            let hash = |state: &[u8]| {
                let value = state_value(state).unwrap_or_default();
                agent.state_hash(key, &value)
            };
            let is_of =
                |one: &Option<(&str, Vec<u8>)>| one.as_ref().is_some_and(|one| one.0 == key);
            let before = earlier
                .iter_mut()
                .find(|one| is_of(one))
                .and_then(Option::take);
            // not by hash, because states with lists in different orders may have the same hash
            if before
                .as_ref()
                .is_some_and(|(_, before)| *before == changed.state)
            {
                continue;
            }
            let before = before.map(|(_, state)| {
                let hash = hash(&state);
                (state, hash)
            });
            let after = hash(&changed.state);
            let schemas = &mut self.turns.schemas;
            let schema = schemas.entry(key);
            let schema = *schema.or_insert_with(|| agent.schema_of(key).unwrap_or_default());
            states.push(TurnState {
                key,
                schema,
                after,
                before,
            });
        }
        let add_effects = |mark: &mut TurnMark| {
            mark.add_directives(directives, &self.schedules, self.journal.as_ref());
        };
        let (rows, tracked) = self.turns.track(turn, record, states, add_effects);
        command.tracked = tracked;
        rows
    }
}
