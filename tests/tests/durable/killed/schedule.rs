//! The random builds and moments of the kills.

use super::builds::BuildName;
use crate::numbers::Numbers;
use std::time::Duration;

/// The moment of a kill.
#[derive(Clone, Copy, Debug)]
pub enum Moment {
    /// A time after the victim begins to start its server.
    AfterStarting(Duration),
    /// A time after its first answer.
    AfterAnswer(Duration),
}

/// One kill.
#[derive(Debug)]
pub struct Kill {
    pub build: BuildName,
    /// Whether it is another build than the one before.
    pub is_new: bool,
    pub moment: Moment,
}

/// About as long as a start takes.
const START: Duration = Duration::from_millis(20);

/// Much longer than a start takes.
const RUN: Duration = Duration::from_millis(300);

/// A random sequence of kills, of which one in each two is of a new build.
pub struct Kills {
    numbers: Numbers,
    build: BuildName,
    /// Whether the next kills are of new builds, from the last one to the next one.
    are_new: Vec<bool>,
}

impl Kills {
    pub fn new(seed: u64) -> Self {
        Self {
            numbers: Numbers::new(seed),
            build: BuildName::First,
            // There is nothing before the first one.
            are_new: vec![true, false],
        }
    }

    fn coin(&mut self) -> bool {
        self.numbers.below(2) == 0
    }

    fn time_below(&mut self, end: Duration) -> Duration {
        Duration::from_micros(self.numbers.below(end.as_micros() as u64))
    }

    fn other_build(&mut self) -> BuildName {
        // Otherwise the field would seldom have something to lose.
        if self.build != BuildName::Audited && self.coin() {
            return BuildName::Audited;
        }
        let others = BuildName::ALL.into_iter();
        let others: Vec<_> = others.filter(|build| *build != self.build).collect();
        others[self.numbers.below(others.len() as u64) as usize]
    }
}

impl Iterator for Kills {
    type Item = Kill;

    fn next(&mut self) -> Option<Kill> {
        if self.are_new.is_empty() {
            let is_second_new = self.coin();
            self.are_new = vec![is_second_new, !is_second_new];
        }
        let is_new = self.are_new.pop()?;
        if is_new {
            self.build = self.other_build();
        }
        let moment = if !is_new {
            Moment::AfterStarting(self.time_below(RUN))
        } else if self.coin() {
            Moment::AfterStarting(self.time_below(START))
        } else {
            Moment::AfterAnswer(self.time_below(RUN))
        };
        Some(Kill {
            build: self.build,
            is_new,
            moment,
        })
    }
}

#[test]
fn half_of_the_kills_are_of_a_new_build_and_some_of_these_come_during_its_start() {
    for seed in 0..20 {
        let kills: Vec<_> = Kills::new(seed).take(300).collect();
        let new: Vec<_> = kills.iter().filter(|kill| kill.is_new).collect();
        assert_eq!(new.len(), 150, "seed {seed}");
        for pair in kills.windows(2) {
            assert_eq!(pair[0].build != pair[1].build, pair[1].is_new);
        }
        let is_early = |kill: &&&Kill| matches!(kill.moment, Moment::AfterStarting(_));
        let early = new.iter().filter(is_early).count();
        assert!((50..100).contains(&early), "seed {seed}: {early}");
    }
}
