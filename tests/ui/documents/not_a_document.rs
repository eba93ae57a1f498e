// The file of a document is listed as if it were one.
use skill_agent::prelude::*;

static PLAN: &str = "---\nname: plan\n---\n";

agent! {
    struct Clerk {
        name: "clerk",
        documents: [PLAN],
    }
}

fn main() {}
