//! Reads an agent's log at the start, and restores the agent.

use crate::error::StartError;
use crate::idempotency::{KeyTables, UsedKeys};
use crate::journal::{
    AnyAgent, Journal, PendingDirectives, Recovery, RecoveryOptions, RestoredAgent, StateEncoder,
    apply_recovered,
};
use crate::rows::lost_rows;
use crate::turns::{Turns, lost_turns, restored_turns};
use skill_agent_store::{Log, Recovered, Store, StoreError, TableChange};
use std::pin::Pin;

/// An agent's open log and its contents.
pub(super) struct OpenedLog {
    log: Box<dyn Log>,
    recovered: Recovered,
    tables: KeyTables,
    /// The changes that drop rows of another crate whose record is lost.
    lost: Vec<TableChange>,
    turns: Turns,
    id: String,
}

impl OpenedLog {
    /// Opens and reads an agent's log. The agent's `name` is for errors.
    pub(super) fn read<'a>(
        store: Box<dyn Store>,
        id: Option<&'a str>,
        name: &'static str,
    ) -> Pin<Box<dyn Future<Output = Result<Self, StartError>> + Send + 'a>> {
        // The future is boxed, so that its code is compiled here and not with each agent.
        Box::pin(async move {
            let id = id.ok_or(StartError::NoId { agent: name })?.to_owned();
            if id.is_empty() {
                return Err(StartError::EmptyId { agent: name });
            }
            if id.trim() != id {
                return Err(StartError::UntrimmedId { agent: name, id });
            }
            let opened = async {
                let mut log = store.open(&id)?;
                let recovered = log.recover().await?;
                let tables = KeyTables::read(&mut *log).await?;
                let mut lost = lost_rows(&mut *log, recovered.last_seq()).await?;
                if recovered.damage.is_some() {
                    lost.extend(lost_turns(&mut *log, recovered.last_seq()).await?);
                }
                let turns = restored_turns(&mut *log, &recovered).await?;
                Ok((log, recovered, tables, lost, turns))
            };
            let opened: Result<_, StoreError> = opened.await;
            match opened {
                Ok((log, recovered, tables, lost, turns)) => Ok(Self {
                    log,
                    recovered,
                    tables,
                    lost,
                    turns,
                    id,
                }),
                Err(source) => Err(StartError::Store { id, source }),
            }
        })
    }

    /// Restores the log's contents into a new agent. `now` is in milliseconds since the Unix epoch.
    pub(super) fn restore(
        self,
        agent: &mut dyn AnyAgent,
        options: &RecoveryOptions,
        states: StateEncoder,
        now: u64,
    ) -> Result<Restored, StartError> {
        let Self {
            log,
            recovered,
            tables,
            lost,
            turns,
            id,
        } = self;
        let (name, build) = (agent.name(), agent.build());
        if let Some(damage) = &recovered.damage {
            tracing::error!(agent = name, %id, %damage, "the log was damaged, and was cut");
        }
        let restored = apply_recovered(agent, recovered, options, &build, states.quoting());
        let restored = restored.map_err(|source| StartError::Recovery {
            id: id.clone(),
            source,
        })?;
        warn_of(&restored, name, &id);
        let (pending, seq) = (restored.log.pending.clone(), restored.log.seq);
        let mut journal = Journal::new(log, id.clone(), build, restored.log, states);
        if let Err(source) = journal.check_states(agent) {
            return Err(StartError::State { id, source });
        }
        let (keys, mut rows) = restore_keys(agent, tables, &restored.adopted, seq, now);
        rows.extend(lost);
        if restored.needs_snapshot || !rows.is_empty() {
            rows.extend(turns.note_rows(seq));
        }
        if restored.needs_snapshot || !rows.is_empty() {
            let made = journal.make_first_snapshot(agent, rows);
            made.map_err(|source| StartError::Store { id, source })?;
        }
        Ok(Restored {
            journal: Some(journal),
            recovery: restored.recovery,
            pending,
            keys,
            turns,
        })
    }
}

/// The contents of the log, empty without a store.
#[derive(Default)]
pub(super) struct Restored {
    pub(super) journal: Option<Journal>,
    pub(super) recovery: Recovery,
    pub(super) pending: PendingDirectives,
    pub(super) keys: UsedKeys,
    pub(super) turns: Turns,
}

/// Logs the findings of a recovery that need a person's attention.
fn warn_of(restored: &RestoredAgent, agent: &str, id: &str) {
    for skill in &restored.recovery.other_configuration {
        tracing::warn!(agent, %id, %skill, "the configuration is not the one that was stored");
    }
    for (skill, field) in &restored.kept_fields {
        tracing::warn!(
            agent, %id, %skill, field,
            "a field keeps its stored value, although the configuration has another; `#[skill(from_config, always)]` takes the configuration's"
        );
    }
    for key in &restored.recovery.forgotten {
        tracing::warn!(agent, %id, %key, "a stored state or field was dropped; remove `forget` from the builder");
    }
    for problem in &restored.recovery.violations {
        tracing::warn!(agent, %id, %problem, "a stored value violates a constraint");
    }
}

/// Restores the used keys, adds rows for instances, and returns the changes to the side tables.
fn restore_keys(
    agent: &dyn AnyAgent,
    tables: KeyTables,
    adopted: &[(String, String)],
    seq: u64,
    now: u64,
) -> (UsedKeys, Vec<TableChange>) {
    let (mut keys, mut rows) = UsedKeys::restore(tables, seq, now);
    rows.extend(keys.adopt_instances(adopted));
    for skill in 0..agent.skills().len() {
        rows.extend(keys.add_instance(agent.key(skill)));
    }
    (keys, rows)
}
