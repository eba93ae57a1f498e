//! An agent that counts its commands, to detect missing and repeated ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use std::time::Duration;

/// A set of numbers, and the numbers that were inserted more than once. Consecutive numbers take no extra space.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seen {
    /// The first and last numbers of each range.
    ranges: Vec<(u64, u64)>,
    pub twice: Vec<u64>,
}

impl Seen {
    pub fn contains(&self, n: u64) -> bool {
        let at = self.ranges.partition_point(|(_, last)| *last < n);
        self.ranges.get(at).is_some_and(|(first, _)| *first <= n)
    }

    pub fn insert(&mut self, n: u64) {
        if self.contains(n) {
            return self.twice.push(n);
        }
        let at = self.ranges.partition_point(|(_, last)| *last < n);
        self.ranges.insert(at, (n, n));
        let joins = |left: (u64, u64), right: (u64, u64)| left.1 + 1 == right.0;
        if at + 1 < self.ranges.len() && joins(self.ranges[at], self.ranges[at + 1]) {
            self.ranges[at].1 = self.ranges.remove(at + 1).1;
        }
        if at > 0 && joins(self.ranges[at - 1], self.ranges[at]) {
            self.ranges[at - 1].1 = self.ranges.remove(at).1;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges.iter().flat_map(|(first, last)| *first..=*last)
    }
}

/// Which commands were applied, and which of their runs and schedules happened.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "tally", actions(Apply, RecordRun, RecordSchedule))]
pub struct Tally {
    pub applied: Seen,
    pub ran: Seen,
    pub scheduled: Seen,
}

/// Record a number, and queue a signal, a run and a schedule for it.
#[action(on("tally.apply"))]
pub fn apply(tally: &mut Tally, cx: &mut Context<Tally>, n: u64) -> u64 {
    tally.applied.insert(n);
    cx.emit(Signal::new("tally.applied", json!({ "n": n })));
    cx.run(Instruction::new("record_run", json!({ "n": n })));
    cx.schedule(
        Duration::from_millis(n % 50),
        Signal::new("tally.scheduled", json!({ "n": n })),
    );
    n
}

/// Record that a run happened.
#[action(internal)]
pub fn record_run(tally: &mut Tally, n: u64) {
    tally.ran.insert(n);
}

/// Record that a schedule fired.
#[action(on("tally.scheduled"), internal)]
pub fn record_schedule(tally: &mut Tally, n: u64) {
    tally.scheduled.insert(n);
}

agent! {
    /// Counts commands.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Counting {
        name: "counting",
        skills: [Tally],
    }
}
