// Two fields provide one type, and one of them holds it in an `Arc`.
use skill_agent::prelude::*;
use std::sync::Arc;

struct Api;

#[derive(Resources)]
struct World {
    shared: Arc<Api>,
    own: Api,
}

fn main() {}
