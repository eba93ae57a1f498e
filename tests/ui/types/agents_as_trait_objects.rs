// Agents of different types are put into one list as trait objects.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
    }
}

agent! {
    struct Guide {
        name: "guide",
    }
}

fn main() {
    let agents: Vec<Box<dyn Agent>> = vec![Box::new(Clerk::new()), Box::new(Guide::new())];
    let _ = agents;
}
