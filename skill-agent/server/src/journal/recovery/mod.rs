//! Recovery: applies a log's contents to a new agent.

mod earlier_name;
mod fits;
mod fold;
mod options;
mod skill;
mod stored_fit;
mod values;

pub(crate) use options::RecoveryOptions;

use super::JournalState;
use super::any_agent::AnyAgent;
use super::size::{record_size, snapshot_size};
use super::stored_text::Quoting;
use crate::error::RecoveryError;
use fold::StateFold;
use skill::SkillRecovery;
use skill_agent_store::{Recovered, SkillSnapshot};
use skill_core::Problem;
use skill_core::process;

/// A report on the contents of a server's store at the start; see [`AgentServer::recovery`](crate::AgentServer::recovery).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// Whether the store had a state of the agent.
    pub is_restored: bool,
    /// The number of records after the snapshot.
    pub records: usize,
    /// The number of pending directives, which the server executes.
    pub directives: usize,
    /// Description of the records that were cut off, if the log was damaged.
    pub damage: Option<String>,
    /// Skills whose configuration differs from the stored one.
    pub other_configuration: Vec<String>,
    /// Listed and mounted skills whose state was stored with another schema and fits the current one. New fields get their
    /// defaults.
    pub other_schema: Vec<String>,
    /// Listed and mounted skills whose state was stored by an incompatible version with the same schema. The state is used
    /// unchanged, because the skill does not implement `Hooks::restore`.
    pub other_version: Vec<String>,
    /// Listed and mounted skills whose state `Hooks::restore` converted, because the state does not fit or its version is
    /// incompatible.
    pub migrated: Vec<String>,
    /// Values in the restored states that violate a constraint of their schema, such as `#[schemars(range(…))]`. Actions may
    /// write such values, so a start never refuses them. The problems quote values only with
    /// [`trace_payloads`](crate::AgentServerBuilder::trace_payloads).
    pub violations: Vec<Problem>,
    /// Stored states and fields that [`forget`](crate::AgentServerBuilder::forget) dropped. Paths of mounted skills begin with
    /// `skills.`.
    pub forgotten: Vec<String>,
}

/// The state of a log, after its states were restored into the agent.
pub(crate) struct RestoredAgent {
    pub(crate) recovery: Recovery,
    pub(crate) log: JournalState,
    /// Old and new state keys of the instances whose states were adopted.
    pub(crate) adopted: Vec<(String, String)>,
    /// Skills, each with a field that keeps its stored value although the configuration has a different value.
    pub(crate) kept_fields: Vec<(String, &'static str)>,
    /// Whether this build's first snapshot must still be written.
    pub(crate) needs_snapshot: bool,
}

/// Restores the stored states into a new agent. This runs user code: `Hooks::restore` of skills whose state must be converted,
/// and `Skill::init` of skills with configuration fields.
pub(crate) fn apply_recovered(
    agent: &mut dyn AnyAgent,
    recovered: Recovered,
    options: &RecoveryOptions,
    build: &str,
    quoting: Quoting,
) -> Result<RestoredAgent, RecoveryError> {
    options.check_adopted(agent)?;
    if let Some(snapshot) = &recovered.snapshot {
        options.check_agent(&snapshot.agent, agent.name())?;
    }
    let seq = recovered.last_seq();
    let damage = recovered.damage.as_ref().map(ToString::to_string);
    let records = recovered.records.len();
    let is_restored = seq > 0 || damage.is_some() || recovered.snapshot.is_some();
    let snapshot = recovered.snapshot.as_ref();
    let is_new_build = snapshot.is_none_or(|snapshot| snapshot.build != build);
    let bytes = recovered.records.iter().map(record_size).sum();
    let snapshot_bytes = snapshot.map_or(0, snapshot_size);
    let mut folded = StateFold::of(recovered);
    // A moved state may take the key of a forgotten one. The next start with the same builder must not forget the moved state.
    let (forgotten, kept): (Vec<_>, _) = {
        let stored: Vec<String> = folded
            .skills
            .iter()
            .map(|skill| skill.key.clone())
            .collect();
        let is_forgotten = |skill: &SkillSnapshot| {
            options.forget.contains(&skill.key) && !options.has_adopted(agent, skill, &stored)
        };
        folded.skills.into_iter().partition(is_forgotten)
    };
    folded.skills = kept;
    let adopted = options.rename_skills(agent, &mut folded);
    options.check_skills(agent, &folded.skills)?;
    let mounts = agent.mounts();
    let is_mounted = |skill: &SkillSnapshot| mounts && skill.key == process::MOUNTED;
    let mut skills = SkillRecovery {
        agent,
        options,
        quoting,
        recovery: Recovery {
            is_restored,
            records,
            directives: folded.pending.len(),
            damage,
            forgotten: forgotten.into_iter().map(|skill| skill.key).collect(),
            ..Recovery::default()
        },
        kept_fields: Vec::new(),
    };
    // Forget all fields before restoring: an error then suggests only a `forget` entry that matched nothing.
    for skill in &mut folded.skills {
        let forgotten = if is_mounted(skill) {
            options.forget_mounted_fields(skills.agent.mountable(), skill)
        } else {
            options.forget_fields(skill)
        };
        skills.recovery.forgotten.extend(forgotten);
    }
    for skill in &folded.skills {
        if is_mounted(skill) {
            skills.restore_mounted(skill)?;
        } else {
            skills.restore(skill)?;
        }
    }
    let (mut recovery, kept_fields) = (skills.recovery, skills.kept_fields);
    agent.take_config();
    if is_restored {
        // A panic in `Serialize` is reported when the states are checked.
        let violations = process::catch(|| agent.violations(quoting.payloads));
        recovery.violations = violations.unwrap_or_default();
    }
    Ok(RestoredAgent {
        log: JournalState {
            seq,
            next_directive: folded.next_directive,
            pending: folded.pending,
            records: records as u64,
            bytes,
            snapshot_bytes,
        },
        // A snapshot stores the result of forgetting, moving and converting states, so the next start need not repeat the work.
        needs_snapshot: is_new_build
            || !adopted.is_empty()
            || [
                &recovery.forgotten,
                &recovery.migrated,
                &recovery.other_schema,
            ]
            .iter()
            .any(|changed| !changed.is_empty()),
        recovery,
        adopted,
        kept_fields,
    })
}
