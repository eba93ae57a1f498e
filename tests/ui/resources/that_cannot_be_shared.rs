// The resources contain a value that threads cannot share.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World {
    api: std::rc::Rc<String>,
}

fn main() {}
