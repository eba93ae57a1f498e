// The instructions of a skill without actions refer to one.
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(instructions = "Keep what matters with `{Write}`.");

fn main() {}
