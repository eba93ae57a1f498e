//! A skill library that depends on `skill-core` alone. Each of its skills clashes with `Chat` of `fixture-chat` in one
//! way, which only an agent that lists both can see.

use skill_core::schemars::JsonSchema;
use skill_core::serde::{Deserialize, Serialize};
use skill_core::{Skill, action};

/// A conversation aloud. Its state key is that of `Chat`.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "speech", state_key = "chat", version = "0.1.0", actions(Speak))]
pub struct Speech {
    /// How loud it is.
    pub volume: u8,
}

/// Say something aloud.
#[action]
pub fn speak(
    speech: &mut Speech,
    /// What to say.
    line: String,
) -> usize {
    speech.volume = speech.volume.saturating_add(1);
    line.len()
}

/// Talks about others. Its tool has the name of one of `Chat`.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "gossip", actions(Whisper))]
pub struct Gossip {
    /// How many secrets were told.
    pub told: u32,
}

/// Say something in confidence.
#[action(name = "say")]
pub fn whisper(
    gossip: &mut Gossip,
    /// What to say.
    secret: String,
) -> usize {
    gossip.told += 1;
    secret.len()
}

/// Says everything twice. Its route is that of an action of `Chat`.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "echo", actions(Repeat))]
pub struct Echo {
    /// How much was repeated.
    pub repeated: u32,
}

/// Say something again.
#[action(on("chat.say"))]
pub fn repeat(
    echo: &mut Echo,
    /// What to say again.
    line: String,
) -> String {
    echo.repeated += 1;
    line
}

/// Has the name of `Chat`, and a state key of its own.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "chat", state_key = "namesake")]
pub struct Namesake {}

/// Writes down what is said. Requires `Chat`.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "transcript", requires("chat"))]
pub struct Transcript {}

/// Translates what is said. Requires `Chat` in a version that there is not.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "translator", requires("chat@^2.0"))]
pub struct Translator {}

/// Keeps what nobody else reads. Clashes with nothing, and has no version.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(name = "diary")]
pub struct Diary {
    /// The entries, oldest first.
    pub entries: Vec<String>,
}
