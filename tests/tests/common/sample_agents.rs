//! Agents without skills, with one and with several, from derived and hand-written skills.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::NoConfig;
use skill_agent::core::spec::Schemas;
use skill_agent::core::{ActionEntry, ActionSpec, Hints, Pure, SkillSpec};
use skill_agent::prelude::*;
use std::convert::Infallible;

/// Keeps lines.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "notes",
    title = "Notes",
    category = "memory",
    version = "0.3.0",
    tags("text", "memory"),
    instructions = "Write down what matters.",
    config = NotesConfig,
    actions(Write, Clear)
)]
pub struct Notes {
    #[skill(default)]
    pub lines: Vec<String>,
    #[skill(from_config)]
    pub max_length: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct NotesConfig {
    pub max_length: usize,
    pub prefix: Option<String>,
}

impl Default for NotesConfig {
    fn default() -> Self {
        Self {
            max_length: 5,
            prefix: None,
        }
    }
}

/// Add a line.
#[action]
pub fn write(notes: &mut Notes, cx: &mut Context<Notes>, line: String) -> Result<usize, TooLong> {
    let line = cx.config().prefix.clone().unwrap_or_default() + &line;
    let length = line.len();
    notes.lines.push(line);
    cx.emit(Signal::new("notes.written", json!({ "length": length })).with_subject("line"));
    if length > notes.max_length {
        return Err(TooLong { length });
    }
    Ok(notes.lines.len())
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{length} letters are too many")]
pub struct TooLong {
    pub length: usize,
}

/// Remove all lines.
#[action(destructive, idempotent, title = "Forget")]
pub fn clear(notes: &mut Notes) {
    notes.lines.clear();
}

/// Counts. Implemented by hand, without a macro.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tally {
    pub count: u32,
}

impl Skill for Tally {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("tally-sheet")
        .state_key("tally")
        .description("Counts.")
        .requires(&["notes"])
        .actions(&[Mark::SPEC]);
    const ACTIONS: &'static [ActionEntry<Self>] = &[ActionEntry::of::<Mark>()];
}

/// Add to the count.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    pub times: u32,
}

impl Action for Mark {
    type Skill = Tally;
    type Output = u32;
    type Error = Infallible;
    type Kind = Pure;
    const SPEC: ActionSpec =
        ActionSpec::of::<Self>("mark", "Make marks.").hints(Hints::NONE.open_world());
    fn schemas() -> &'static Schemas {
        static SCHEMAS: Schemas = Schemas::of::<Mark>();
        &SCHEMAS
    }
}

impl PureAction for Mark {
    fn run(self, tally: &mut Tally, cx: &mut Context<Tally>) -> Result<u32, Infallible> {
        tally.count += self.times;
        cx.emit(Signal::new("tally-sheet.marked", json!(tally.count)));
        Ok(tally.count)
    }
}

agent! {
    /// Has no skills.
    #[derive(Debug, PartialEq)]
    pub struct EmptyAgent {
        name: "empty_agent",
    }
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct NotesAgent {
        name: "notes_agent",
        skills: [Notes { max_length: 3 }],
    }
}

agent! {
    /// Writes, counts, and can be closed.
    #[derive(Debug, PartialEq)]
    pub struct FullAgent {
        name: "full_agent",
        version: "1.0.0",
        category: "work",
        tags: ["desk", "chair"],
        state: {
            /// Whether the agent is open.
            open: bool = true,
            #[serde(rename = "openedTimes")]
            opened: u32,
        },
        config: FullAgentConfig { max_opened: 2 },
        skills: [Notes, Tally],
        actions: [Open, Hours],
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FullAgentConfig {
    pub max_opened: u32,
    pub sign: String,
}

/// Open or close.
#[action(on("agent.open"))]
pub fn open(
    agent: &mut FullAgentBase,
    cx: &mut Context<FullAgentBase>,
    now: bool,
) -> Result<u32, String> {
    agent.open = now;
    agent.opened += u32::from(now);
    cx.run(Instruction::new("mark", json!({ "times": 1 })));
    if agent.opened > cx.config().max_opened {
        return Err(format!("{} was opened too often", cx.agent_name()));
    }
    Ok(agent.opened)
}

/// Return the sign and whether the agent is open.
#[action]
pub fn hours(agent: &FullAgentBase, cx: &mut Context<FullAgentBase>) -> String {
    format!("{}: {}", cx.config().sign, agent.open)
}
