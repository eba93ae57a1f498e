// A mountable skill has an attribute other than `#[cfg(…)]`.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        mounted: [#[doc(hidden)] Clock],
    }
}

fn main() {}
