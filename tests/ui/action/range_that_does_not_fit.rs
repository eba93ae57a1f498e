// A limit is larger than the type of the argument can hold.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sets the volume.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "volume", actions(SetVolume))]
struct Volume {
    percent: u8,
}

/// Set the volume.
#[action]
fn set_volume(volume: &mut Volume, #[arg(range(0..=1000))] percent: u8) {
    volume.percent = percent;
}

fn main() {}
