// Three skills require each other in a cycle, and a fourth outside the cycle requires one of them.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Is covered by paper.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "rock", requires("paper"))]
struct Rock {}

/// Is cut by scissors.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "paper", requires("scissors"))]
struct Paper {}

/// Are broken by the rock.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "scissors", requires("rock"))]
struct Scissors {}

/// Counts who won.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "score", requires("rock"))]
struct Score {
    won: u32,
}

agent! {
    struct Player {
        name: "player",
        skills: [Score, Rock, Paper, Scissors],
    }
}

fn main() {}
