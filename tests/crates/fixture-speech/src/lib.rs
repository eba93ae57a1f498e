//! A skill library whose only dependency is `skill-core`. Most of its skills clash with `Chat` of `fixture-chat` in one
//! way, which only an agent that lists both can detect.

use skill_core::schemars::JsonSchema;
use skill_core::serde::{Deserialize, Serialize};
use skill_core::{Skill, action};

/// A spoken conversation. Has the state key of `Chat`.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "speech", state_key = "chat", version = "0.1.0", actions(Speak))]
pub struct Speech {
    /// The volume.
    pub volume: u8,
}

/// Say something aloud.
#[action]
pub fn speak(
    speech: &mut Speech,
    /// The line to say.
    line: String,
) -> usize {
    speech.volume = speech.volume.saturating_add(1);
    line.len()
}

/// Has an action with the name of one of `Chat`.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "gossip", actions(Whisper))]
pub struct Gossip {
    /// The number of secrets.
    pub told: u32,
}

/// Say something in confidence.
#[action(name = "say")]
pub fn whisper(
    gossip: &mut Gossip,
    /// The line to say.
    secret: String,
) -> usize {
    gossip.told += 1;
    secret.len()
}

/// Has the route of an action of `Chat`.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "echo", actions(Repeat))]
pub struct Echo {
    /// The number of repetitions.
    pub repeated: u32,
}

/// Say something again.
#[action(on("chat.say"))]
pub fn repeat(
    echo: &mut Echo,
    /// The line to repeat.
    line: String,
) -> String {
    echo.repeated += 1;
    line
}

/// Has the name of `Chat` and another state key.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "chat", state_key = "namesake")]
pub struct Namesake {}

/// Requires `Chat`, and names one of its tools.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(
    name = "transcript",
    requires("chat"),
    instructions = "Read the lines with `{History}`."
)]
pub struct Transcript {}

/// Requires `Chat`, and names a tool that it does not have.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(
    name = "minutes",
    requires("chat"),
    instructions = "Read the lines with `{Histroy}`."
)]
pub struct Minutes {}

/// Requires a version of `Chat` that does not exist.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "translator", requires("chat@^2.0"))]
pub struct Translator {}

/// Clashes with nothing, and has no version.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "diary")]
pub struct Diary {
    /// The entries, oldest first.
    pub entries: Vec<String>,
}

/// Has the version of this package.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "whistle", version)]
pub struct Whistle {}
