// A skill is listed under the name of another skill's field.
use skill_agent::prelude::*;

fixture_ui::calculator!();
fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        skills: [Calculator, Clock as calculator],
    }
}

fn main() {}
