// Resources hold what two threads cannot share.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World {
    api: std::rc::Rc<String>,
}

fn main() {}
