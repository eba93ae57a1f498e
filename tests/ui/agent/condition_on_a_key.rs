// A key of an agent has a `#[cfg(…)]`, which belongs on its entries.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        #[cfg(all())]
        skills: [Clock],
    }
}

fn main() {}
