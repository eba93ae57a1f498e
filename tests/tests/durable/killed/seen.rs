//! A set that detects missing and repeated numbers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
