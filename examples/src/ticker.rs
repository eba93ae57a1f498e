//! A skill with a child task that ticks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// Counts the ticks of its child, and emits a signal for each.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "ticker", config = TickerConfig, actions(Tick), hooks)]
pub struct Ticker {
    /// The number of ticks.
    pub ticks: u64,
}

/// The configuration of [`Ticker`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TickerConfig {
    /// The period in milliseconds; 0 disables the ticker.
    pub period_ms: u64,
}

/// Count a tick.
#[action(internal, on("ticker.tick"))]
pub fn tick(ticker: &mut Ticker, cx: &mut Context<Ticker>) -> u64 {
    ticker.ticks += 1;
    let ticks = ticker.ticks;
    cx.emit(Signal::new("ticker.ticked", json!({ "ticks": ticks })));
    ticks
}

impl Hooks for Ticker {
    fn child_specs(config: &TickerConfig) -> Vec<ChildSpec> {
        if config.period_ms == 0 {
            return Vec::new();
        }
        let period = Duration::from_millis(config.period_ms);
        vec![ChildSpec::new("ticker", move |cx| run(cx, period))]
    }
}

/// The child task. Delivers a signal for every period, the first one immediately.
async fn run(cx: ChildContext, period: Duration) -> Result<(), HookError> {
    let mut ticks = interval(period);
    // a busy agent skips ticks instead of catching up with them
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = cx.stopped() => return Ok(()),
            _ = ticks.tick() => cx.deliver(Signal::new("ticker.tick", json!({}))).await?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_period_there_is_no_child() {
        assert!(Ticker::child_specs(&TickerConfig::default()).is_empty());
        let specs = Ticker::child_specs(&TickerConfig { period_ms: 5 });
        assert_eq!((specs.len(), &*specs[0].id), (1, "ticker"));
    }
}
