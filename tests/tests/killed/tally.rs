//! An agent that counts its commands, which shows missing and repeated ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use std::time::Duration;

/// Numbers, and those that came a second time. Numbers that follow one another take no room.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seen {
    /// First and last.
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

/// Which commands were applied, and what followed from each.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "tally", actions(Apply, Follow, Ring))]
pub struct Tally {
    pub applied: Seen,
    pub followed: Seen,
    pub rung: Seen,
}

/// Note a number; a signal, a run and a schedule follow from it.
#[action(on("tally.apply"))]
pub fn apply(tally: &mut Tally, cx: &mut Context<Tally>, n: u64) -> u64 {
    tally.applied.insert(n);
    cx.emit(Signal::new("tally.applied", json!({ "n": n })));
    cx.run(Instruction::new("follow", json!({ "n": n })));
    cx.schedule(
        Duration::from_millis(n % 50),
        Signal::new("tally.ring", json!({ "n": n })),
    );
    n
}

/// Note what a run led to.
#[action(internal)]
pub fn follow(tally: &mut Tally, n: u64) {
    tally.followed.insert(n);
}

/// Note what a schedule led to.
#[action(on("tally.ring"), internal)]
pub fn ring(tally: &mut Tally, n: u64) {
    tally.rung.insert(n);
}

agent! {
    /// Counts.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Counting {
        name: "counting",
        skills: [Tally],
    }
}
