//! A skill with a child: a clock that ticks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// Counts the ticks of its child, and tells of each.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "ticker", config = TickerConfig, actions(Tick), hooks)]
pub struct Ticker {
    /// How many ticks there were.
    pub ticks: u64,
}

/// How fast it ticks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TickerConfig {
    /// Milliseconds from one tick to the next; 0: it does not tick.
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

/// The child: a signal for every period, the first at once.
async fn run(cx: ChildContext, period: Duration) -> Result<(), HookError> {
    let mut beats = interval(period);
    // an agent that was busy for long does not hear of every period of it
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = cx.stopped() => return Ok(()),
            _ = beats.tick() => cx.deliver(Signal::new("ticker.tick", json!({}))).await?,
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
