//! Mounted skills of one path in two builds, as when only their fields change.

use super::{jobs, kill, leave, on, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::store::Memory;

/// A build that mounts the skill.
macro_rules! build {
    ($($field:tt)*) => {
        /// Has jobs.
        #[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        #[skill(name = "jobs")]
        struct Jobs {
            $($field)*
        }

        agent! {
            /// Mounts the skill.
            struct Mounting {
                name: "app",
                mounted: [Jobs],
            }
        }
    };
}

async fn leave_count(memory: &Memory) {
    build! { count: u32, }
    leave::<Mounting>(memory, json!({ "count": 7 })).await;
}

/// The skills with another schema, and the state.
async fn read_total(memory: &Memory) -> (Vec<String>, Value) {
    build! { #[serde(alias = "count")] total: u32, }
    let server = start(on::<Mounting>(memory)).await;
    let read = (server.recovery().other_schema.clone(), jobs(&server).await);
    kill(server).await;
    read
}

#[timed_test::test]
async fn a_build_with_the_same_types_writes_the_present_names_too() {
    let memory = Memory::default();
    leave_count(&memory).await;
    let total = json!({ "total": 7 });
    let read = read_total(&memory).await;
    assert_eq!(read, (vec!["jobs".to_owned()], total.clone()));
    assert_eq!(read_total(&memory).await, (Vec::new(), total));
}
