//! Skills that are mounted by `set`.

use crate::support::signal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// A skill that can be mounted.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "gong", actions(Strike))]
pub struct Gong {
    pub strikes: u32,
}

/// Strike the gong.
#[action(on("gong.strike"))]
pub fn strike(gong: &mut Gong) -> u32 {
    gong.strikes += 1;
    gong.strikes
}

agent! {
    /// Can mount `gong`.
    pub struct GongAgent {
        name: "gong_agent",
        mounted: [Gong],
    }
}

agent! {
    /// Has an empty `mounted` list.
    pub struct EmptyMountedList {
        name: "empty_mounted_list",
        mounted: [],
    }
}

agent! {
    /// Has no `mounted` list.
    pub struct NoMountedList {
        name: "no_mounted_list",
    }
}

#[timed_test::test]
async fn the_routes_of_a_skill_mounted_by_set_work_immediately() {
    let server = AgentServer::builder(GongAgent::new())
        .start()
        .await
        .unwrap();
    assert!(server.request(signal("gong.strike")).await.is_err());
    let patch = json!({ "skills": { "gong": { "strikes": 4 } } });
    server.set(patch.clone()).await.unwrap();
    assert_eq!(server.request(signal("gong.strike")).await.unwrap(), 5);
    // A skill that is already mounted does not get a second route.
    server.set(patch).await.unwrap();
    assert_eq!(server.request(signal("gong.strike")).await.unwrap(), 5);
    server.unmount("gong").await.unwrap();
    assert!(server.request(signal("gong.strike")).await.is_err());
}

#[timed_test::test]
async fn mounting_in_an_agent_without_mountable_skills_is_an_error_with_the_cure() {
    let server = AgentServer::builder(NoMountedList::new())
        .start()
        .await
        .unwrap();
    let error = server.mount("gong", json!({})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the agent `no_mounted_list` has no mountable skills, so `gong` cannot be mounted or unmounted; write `mounted: [...]` in its `agent!`"
    );
    let server = AgentServer::builder(EmptyMountedList::new())
        .start()
        .await
        .unwrap();
    let error = server.mount("gong", json!({})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no skill or document `gong` is in the registry"
    );
}
