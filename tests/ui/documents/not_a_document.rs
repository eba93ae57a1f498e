// The text of a file is listed as a document.
use skill_agent::prelude::*;

static PLAN: &str = "---\nname: plan\n---\n";

agent! {
    struct Clerk {
        name: "clerk",
        documents: [PLAN],
    }
}

fn main() {}
