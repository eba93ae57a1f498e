//! A build without the lamp.

use super::old::Tally;
use skill_agent::prelude::*;

agent! {
    /// Mounts one.
    pub struct Desk {
        name: "desk",
        mounted: [Tally],
    }
}
