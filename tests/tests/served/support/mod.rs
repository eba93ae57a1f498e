//! Helpers and fixtures for the server tests.

pub mod bell;
pub mod counter;
pub mod gate;
pub mod pages;
pub mod scripted_hooks;

use serde_json::Value;
use skill_agent::core::Resources;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use std::collections::BTreeMap;
use std::time::Duration;

/// A signal without data.
pub fn signal(ty: &'static str) -> Signal {
    Signal::new(ty, Value::Null)
}

pub fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// A builder with a subscription that starts before the server.
pub fn subscribed<G: Agent, R: Resources>(
    builder: AgentServerBuilder<G, R>,
    pattern: &str,
) -> (AgentServerBuilder<G, R>, Subscription) {
    let mut subscription = None;
    let builder = builder.subscribe(pattern, |signals| subscription = Some(signals));
    (builder, subscription.expect("the pattern is valid"))
}

/// The data of the signals waiting in a subscription.
pub fn heard(subscription: &mut Subscription) -> Vec<Value> {
    std::iter::from_fn(|| subscription.try_next())
        .map(|signal| signal.data().clone())
        .collect()
}

/// Like [`heard`], but as strings.
pub fn texts(subscription: &mut Subscription) -> Vec<String> {
    let text = |data: Value| data.as_str().unwrap_or_default().to_owned();
    heard(subscription).into_iter().map(text).collect()
}

/// The current state of a served agent.
pub async fn state<G: Agent>(server: &AgentServer<G>) -> Value {
    server.agent().await.unwrap().state_value().unwrap()
}

/// Parses the hook script of a test, as in `alpha.prepare=fail beta.handle=done`.
pub fn script(text: &str) -> BTreeMap<&str, &str> {
    let words = text.split_whitespace();
    words.filter_map(|word| word.split_once('=')).collect()
}
