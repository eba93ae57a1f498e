// A tuple is taken apart in the signature, so that the argument has no name.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Measures distances.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "ruler", actions(Distance))]
struct Ruler {
    last: f64,
}

/// Distance of a point from the origin.
#[action]
fn distance(ruler: &mut Ruler, (x, y): (f64, f64)) -> f64 {
    ruler.last = x.hypot(y);
    ruler.last
}

fn main() {}
