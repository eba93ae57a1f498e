//! A hook that blocks its thread.

use crate::support::gate::{Gate, wait_at};
use crate::support::seconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::Applied;
use skill_agent::prelude::*;
use skill_agent::testing::ManualClock;

/// Blocks its thread on every signal.
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
        wait_at(signal.data()["gate"].as_str().unwrap_or_default());
        Ok(Handled::Done)
    }
}

agent! {
    pub struct Watcher {
        name: "watcher",
        skills: [Slow],
    }
}

#[timed_test::test(threads = 2)]
async fn a_call_returns_at_its_deadline_while_a_hook_blocks_and_the_hook_is_undone() {
    let (gate, clock) = (Gate::new("hook"), ManualClock::new());
    let builder = AgentServer::builder(Watcher::new()).clock(clock.clone());
    let server = builder.start().await.unwrap();
    let request = tokio::spawn({
        let (server, gate) = (server.within(seconds(5)), gate.name.clone());
        let signal = Signal::new("slow.block", json!({ "gate": gate }));
        async move { server.request(signal).await }
    });
    gate.reached().await;
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(5));
    let error = request.await.unwrap().unwrap_err();
    assert!(
        matches!(error, ServeError::Deadline { .. }) && error.applied() == Applied::No,
        "{error}"
    );
    gate.open();
    // The server still runs, and the late hook has changed nothing.
    assert_eq!(server.agent().await.unwrap().state().slow.seen, 0);
    server.stop().await.unwrap();
}
