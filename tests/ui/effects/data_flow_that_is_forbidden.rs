// The data flow is allowed and one of its kinds is forbidden.
use fixture_ui::effects::Web;
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [sends_out],
        allow_data_flow: "a person reads each mail",
        skills: [Web],
    }
}

fn main() {}
