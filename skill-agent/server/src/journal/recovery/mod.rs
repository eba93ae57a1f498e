//! Recovery: applies the content of a log to a fresh agent.

mod earlier_name;
mod fits;
mod fold;
mod options;
mod seeds;
mod skill;
mod stored_fit;
mod values;

pub(crate) use options::RecoveryOptions;

use super::JournalState;
use super::size::{record_size, snapshot_size};
use super::stored_text::Quoting;
use crate::error::RecoveryError;
use crate::idempotency::translate_keys;
use fold::StateFold;
use skill::SkillRecovery;
use skill_agent_store::{Keyed, Recovered, SkillSnapshot};
use skill_core::process;
use skill_core::{Agent, Problem};

/// A report on the content of the store at the start of a server; see [`AgentServer::recovery`](crate::AgentServer::recovery).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// Whether there was a stored state.
    pub is_restored: bool,
    /// How many records followed the snapshot.
    pub records: usize,
    /// How many pending directives there were, which the server executes.
    pub directives: usize,
    /// A description of the records that were cut off, if the log was damaged.
    pub damage: Option<String>,
    /// The skills whose configuration differs from the stored one.
    pub other_configuration: Vec<String>,
    /// The skills, listed and mounted, whose state was stored with another schema, and fits the present one: new fields have their
    /// defaults.
    pub other_schema: Vec<String>,
    /// The skills, listed and mounted, whose state was stored by an incompatible version with the present schema and is taken as it is,
    /// because the skill does not implement `Hooks::restore`.
    pub other_version: Vec<String>,
    /// The skills, listed and mounted, whose state `Hooks::restore` converted, because it does not fit or the version that stored it
    /// is incompatible.
    pub migrated: Vec<String>,
    /// The values in the restored states that violate a constraint of their schema, such as `#[schemars(range(…))]`. An action may
    /// write such a value, and a start never refuses it. The problems quote the values only if
    /// [`trace_payloads`](crate::AgentServerBuilder::trace_payloads) is set.
    pub violations: Vec<Problem>,
    /// The stored states and fields that [`forget`](crate::AgentServerBuilder::forget) dropped; those of a mounted skill begin with
    /// `skills.`.
    pub forgotten: Vec<String>,
    /// The idempotency keys of an earlier build that could not be translated, because they fit no action of this one, or more than
    /// one. A command that repeats one of them runs.
    pub unknown_keys: Vec<String>,
}

/// The state of a log, after the states of the skills were restored into the agent.
pub(crate) struct RestoredAgent {
    pub(crate) recovery: Recovery,
    pub(crate) log: JournalState,
    /// The keys and outputs in the records and the snapshot of an earlier build; they have side tables now.
    pub(crate) keyed: Vec<Keyed>,
    /// The instances whose states were adopted, with their earlier and present state keys.
    pub(crate) adopted: Vec<(String, String)>,
    /// Skills and their fields that keep a stored value although the configuration has another one.
    pub(crate) kept_fields: Vec<(String, &'static str)>,
    /// Whether the first snapshot of this build has yet to be written.
    pub(crate) needs_snapshot: bool,
}

/// Restores the stored states into a fresh agent. The user code that runs is `Hooks::restore` of a skill whose schema
/// has changed, and `Skill::init` of one with fields of the configuration.
pub(crate) fn apply_recovered<G: Agent>(
    agent: &mut G,
    recovered: Recovered,
    options: &RecoveryOptions,
    build: &str,
    quoting: Quoting,
) -> Result<RestoredAgent, RecoveryError> {
    options.check_adopted::<G>()?;
    if let Some(snapshot) = &recovered.snapshot {
        options.check_agent(&snapshot.agent, G::SPEC.name)?;
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
    // A state may take the key of a forgotten one. It is not forgotten itself at the next start, with the same builder.
    let (forgotten, kept): (Vec<_>, _) = {
        let stored: Vec<String> = folded
            .skills
            .iter()
            .map(|skill| skill.key.clone())
            .collect();
        let is_forgotten = |skill: &SkillSnapshot| {
            options.forget.contains(&skill.key) && !options.has_adopted::<G>(skill, &stored)
        };
        folded.skills.into_iter().partition(is_forgotten)
    };
    folded.skills = kept;
    let adopted = options.rename_skills::<G>(&mut folded);
    options.check_skills::<G>(&folded.skills)?;
    let (keyed, unknown_keys) = translate_keys::<G>(folded.keyed);
    let mut skills = SkillRecovery {
        agent,
        options,
        quoting,
        recovery: Recovery {
            is_restored,
            records,
            directives: folded.pending.len(),
            damage,
            unknown_keys,
            forgotten: forgotten.into_iter().map(|skill| skill.key).collect(),
            ..Recovery::default()
        },
        kept_fields: Vec::new(),
    };
    let is_mounted =
        |skill: &SkillSnapshot| skill.key == process::MOUNTED && process::mounts::<G>();
    // All fields first: an error names the entries of `forget` that had none.
    for skill in &mut folded.skills {
        let forgotten = if is_mounted(skill) {
            options.forget_mounted_fields::<G>(skill)
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
    process::take_config(agent);
    if is_restored {
        // A `Serialize` that panics is reported when the states are checked.
        let violations = process::catch(|| process::violations(agent, quoting.payloads));
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
        keyed,
        // A snapshot makes what was forgotten or converted permanent: the next start need not do it again.
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
