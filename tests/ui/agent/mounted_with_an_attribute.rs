// A skill that may be mounted has another attribute than `#[cfg(…)]`.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        mounted: [#[doc(hidden)] Clock],
    }
}

fn main() {}
