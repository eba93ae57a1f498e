//! The skills of these tests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::core::{NoConfig, SkillSpec};
use skill_agent::prelude::*;

pub const SOURCE: &str =
    "Write with `{Record}`, and remove with `{Erase}`. {{Record}}, {record}, {\"A\": 1}.";

/// Keeps notes.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "notes",
    instructions = "Write with `{Record}`, and remove with `{Erase}`. {{Record}}, {record}, {\"A\": 1}.",
    actions(Record, Erase, Reset)
)]
pub struct Notes {
    pub lines: Vec<String>,
}

/// Write notes. The name of the argument is almost that of the tool.
#[action]
pub fn record(notes: &mut Notes, records: Vec<String>) {
    notes.lines.extend(records);
}

/// Remove the last note.
#[action(name = "undo")]
pub fn erase(notes: &mut Notes) -> Option<String> {
    notes.lines.pop()
}

/// Remove all notes.
#[action(internal)]
pub fn reset(notes: &mut Notes) {
    notes.lines.clear();
}

/// Writes about the day.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "journal",
    requires("notes"),
    instructions = "End the day with `{Record}`, after `{Begin}`.",
    actions(Begin)
)]
pub struct Journal {
    pub days: u32,
}

/// Begin a day.
#[action]
pub fn begin(journal: &mut Journal) {
    journal.days += 1;
}

/// Refers to an action that no skill has.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "lost", requires("notes"), instructions = "Use `{Recrod}`.")]
pub struct Lost {}

/// Keeps notes, too, but only adds to them.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", version = "2.0.0", actions(Add))]
pub struct NewNotes {
    pub lines: Vec<String>,
}

/// Add a note.
#[action]
pub fn add(notes: &mut NewNotes, line: String) {
    notes.lines.push(line);
}

/// A skill without a derive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ByHand {}

impl Skill for ByHand {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("by_hand")
        .requires(&["notes"])
        .instructions("First `{Record}`, {{Then}} rest.");
}

impl Hooks for ByHand {}

/// Refers to a tool that it does not have, and is written by hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LostByHand {}

impl Skill for LostByHand {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("lost_by_hand").instructions("Use `{Record}`.");
}

impl Hooks for LostByHand {}

/// Has the braces of its document.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(manifest = "braces/SKILL.md")]
pub struct Braces {}
