//! Skills that `set` mounts.

use crate::support::signal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// Rings.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "gong", actions(Strike))]
pub struct Gong {
    pub strikes: u32,
}

/// Strike it.
#[action(on("gong.strike"))]
pub fn strike(gong: &mut Gong) -> u32 {
    gong.strikes += 1;
    gong.strikes
}

agent! {
    /// Has a gong at times.
    pub struct Temple {
        name: "temple",
        mounted: [Gong],
    }
}

agent! {
    /// Has none.
    pub struct Field {
        name: "field",
        mounted: [],
    }
}

agent! {
    /// Mounts nothing.
    pub struct Rock {
        name: "rock",
    }
}

#[tokio::test]
async fn a_skill_mounted_by_set_has_its_routes_at_once() {
    let server = AgentServer::builder(Temple::new()).start().await.unwrap();
    assert!(server.request(signal("gong.strike")).await.is_err());
    let patch = json!({ "skills": { "gong": { "strikes": 4 } } });
    server.set(patch.clone()).await.unwrap();
    assert_eq!(server.request(signal("gong.strike")).await.unwrap(), 5);
    // what was there already keeps its one route
    server.set(patch).await.unwrap();
    assert_eq!(server.request(signal("gong.strike")).await.unwrap(), 5);
    server.unmount("gong").await.unwrap();
    assert!(server.request(signal("gong.strike")).await.is_err());
}

#[tokio::test]
async fn an_agent_that_mounts_nothing_says_how_it_would() {
    let server = AgentServer::builder(Rock::new()).start().await.unwrap();
    let error = server.mount("gong", json!({})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the agent `rock` has no mountable skills, so `gong` cannot be mounted or unmounted; write `mounted: [...]` in its `agent!`"
    );
    let server = AgentServer::builder(Field::new()).start().await.unwrap();
    let error = server.mount("gong", json!({})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no skill or document `gong` is in the registry"
    );
}
