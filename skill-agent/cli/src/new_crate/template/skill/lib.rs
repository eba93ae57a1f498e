#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_core::{Context, Skill, SkillConfig, action};
use std::collections::BTreeMap;

/// Notes on subjects: the latest one on each.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "{name}", version, config = Config, actions(Record, Latest, Forget))]
pub struct {Type} {
    /// The latest note on each subject.
    pub notes: BTreeMap<String, String>,
}

/// The values that an agent may set when it lists the skill.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    /// The most subjects.
    #[skill(default = 100)]
    pub most: usize,
}

/// Record a note on a subject, in place of an earlier one. Returns the number of subjects.
#[action(
    name = "{library}_record", // the tools of all skills of an agent are in one list
    idempotent
)]
pub fn record(
    skill: &mut {Type},
    cx: &mut Context<{Type}>,
    /// The subject, such as a place.
    #[arg(length(1..=80), example = "Oslo")]
    subject: String,
    /// The note.
    #[arg(length(1..=400), example = "light rain")]
    note: String,
) -> Result<usize, String> {
    let most = cx.config().most;
    if skill.notes.len() >= most && !skill.notes.contains_key(&subject) {
        return Err(format!("there are {most} subjects; forget one first"));
    }
    skill.notes.insert(subject, note);
    Ok(skill.notes.len())
}

/// Return the latest note on a subject, if there is one.
#[action(name = "{library}_latest")]
pub fn latest(
    skill: &{Type},
    /// The subject.
    #[arg(length(1..=80), example = "Oslo")]
    subject: String,
) -> Option<String> {
    skill.notes.get(&subject).cloned()
}

/// Forget the note on a subject. Returns whether there was one.
#[action(
    name = "{library}_forget",
    destructive, // the note cannot be restored
    idempotent
)]
pub fn forget(
    skill: &mut {Type},
    /// The subject.
    #[arg(length(1..=80), example = "Oslo")]
    subject: String,
) -> bool {
    skill.notes.remove(&subject).is_some()
}
