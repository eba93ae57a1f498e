//! Starts and kills of servers on a store.

use skill_agent::StopReason;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;

pub async fn start<G: Agent + AgentRunsWith<()>>(builder: AgentServerBuilder<G>) -> AgentServer<G> {
    builder.start().await.unwrap()
}

/// Kills a server, and waits until its store is free.
pub async fn kill<G: Agent>(server: AgentServer<G>) {
    server.kill();
    assert!(matches!(server.closed().await, StopReason::Killed));
}

/// A builder with a subscription that begins before the start.
pub fn subscribed<G: Agent>(
    builder: AgentServerBuilder<G>,
    pattern: &str,
) -> (AgentServerBuilder<G>, Subscription) {
    let mut subscription = None;
    let builder = builder.subscribe(pattern, |signals| subscription = Some(signals));
    (builder, subscription.expect("the pattern is valid"))
}
