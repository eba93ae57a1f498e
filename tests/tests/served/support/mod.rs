//! What the tests of the server share.

pub mod bell;
pub mod counter;
pub mod door;
pub mod pages;
pub mod trail;

use serde_json::Value;
use skill_agent::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// A signal that matters by its type alone.
pub fn signal(ty: &'static str) -> Signal {
    Signal::new(ty, Value::Null)
}

pub fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// The data of what a subscriber has heard by now.
pub fn heard(subscription: &mut Subscription) -> Vec<Value> {
    std::iter::from_fn(|| subscription.try_next())
        .map(|signal| signal.data().clone())
        .collect()
}

/// The same as texts.
pub fn texts(subscription: &mut Subscription) -> Vec<String> {
    let text = |data: Value| data.as_str().unwrap_or_default().to_owned();
    heard(subscription).into_iter().map(text).collect()
}

/// What the agent of a server is like now.
pub async fn state<G: Agent>(server: &AgentServer<G>) -> Value {
    server.agent().await.unwrap().state_value().unwrap()
}

/// Words by which a test tells a hook what to do: `alpha.prepare=fail beta.handle=done`.
pub fn script(text: &str) -> BTreeMap<&str, &str> {
    let words = text.split_whitespace();
    words.filter_map(|word| word.split_once('=')).collect()
}
