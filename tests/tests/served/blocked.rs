//! A hook that blocks its thread.

use crate::support::door::{Door, pass};
use crate::support::seconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::testing::ManualClock;

/// Looks long at every signal.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "slow", hooks)]
pub struct Slow {
    pub seen: u32,
}

impl Hooks for Slow {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        _: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        self.seen += 1;
        pass(signal.data()["door"].as_str().unwrap_or_default());
        Ok(Handled::Done)
    }
}

agent! {
    pub struct Watcher {
        name: "watcher",
        skills: [Slow],
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_blocking_hook_delays_no_caller_beyond_its_deadline_and_is_undone() {
    let (door, clock) = (Door::new("hook"), ManualClock::new());
    let builder = AgentServer::builder(Watcher::new()).clock(clock.clone());
    let server = builder.start().await.unwrap();
    let request = tokio::spawn({
        let (server, door) = (server.within(seconds(5)), door.name.clone());
        let signal = Signal::new("slow.look", json!({ "door": door }));
        async move { server.request(signal).await }
    });
    door.reached().await;
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(5));
    let error = request.await.unwrap().unwrap_err();
    assert!(
        matches!(error, ServeError::Deadline { applied: false, .. }),
        "{error}"
    );
    door.open();
    // the server lives, and nothing of the late hook is kept
    assert_eq!(server.agent().await.unwrap().state().slow.seen, 0);
    server.stop().await.unwrap();
}
