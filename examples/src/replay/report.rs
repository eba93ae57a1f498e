//! The report on replays, as a table.

use super::{ReplayResult, Scenario, Score};
use std::fmt;

/// The results of several scenarios. Its [`Display`](fmt::Display) is a table, followed by every
/// difference and the totals.
#[derive(Clone, Debug)]
pub struct Report {
    /// One result for each scenario.
    pub results: Vec<ReplayResult>,
}

impl Report {
    /// Replays scenarios, each on its own agent.
    pub fn of(scenarios: &[Scenario]) -> Self {
        Self {
            results: scenarios.iter().map(Scenario::replay).collect(),
        }
    }

    /// Whether there are no unexplained differences.
    pub fn is_equal(&self) -> bool {
        self.results.iter().all(ReplayResult::is_equal)
    }
}

impl ReplayResult {
    /// Whether there are no unexplained differences.
    pub fn is_equal(&self) -> bool {
        self.differences.is_empty()
    }

    fn verdict(&self) -> &'static str {
        if !self.started {
            return "DID NOT START";
        }
        match (self.differences.is_empty(), self.deviations.is_empty()) {
            (true, true) => "equal",
            (true, false) => "equal except for known faults of the reference",
            (false, _) => "DIFFERENT",
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.equal, self.total))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.results.iter().map(|result| result.id.chars().count());
        let width = ids.chain(["scenario".len()]).max().unwrap_or_default();
        writeln!(
            f,
            "{:<width$}  {:>5}  {:>7}  {:>6}  verdict",
            "scenario", "turns", "answers", "states"
        )?;
        for result in &self.results {
            let ReplayResult {
                id,
                turns,
                answers,
                states,
                ..
            } = result;
            let verdict = result.verdict();
            writeln!(
                f,
                "{id:<width$}  {turns:>5}  {answers:>7}  {states:>6}  {verdict}"
            )?;
        }
        self.details(f)?;
        self.sums(f)
    }
}

impl Report {
    fn details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for result in &self.results {
            if result.differences.is_empty() && result.deviations.is_empty() {
                continue;
            }
            writeln!(f, "\n{}", result.id)?;
            for difference in &result.differences {
                writeln!(f, "  {difference}")?;
            }
            for (difference, deviation) in &result.deviations {
                writeln!(f, "  (known fault: {}) {difference}", deviation.reason)?;
            }
        }
        Ok(())
    }

    fn sums(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |score: fn(&ReplayResult) -> Score| {
            let scores = self.results.iter().map(score);
            scores.fold(Score::default(), |sum, score| Score {
                equal: sum.equal + score.equal,
                total: sum.total + score.total,
            })
        };
        let equal = self
            .results
            .iter()
            .filter(|result| result.is_equal())
            .count();
        let total = self.results.len();
        let scenarios = Score { equal, total };
        let (answers, states) = (sum(|result| result.answers), sum(|result| result.states));
        write!(
            f,
            "\nequal: {scenarios} scenarios, {answers} answers, {states} final states"
        )?;
        let not_started = self.results.iter().filter(|result| !result.started);
        match not_started.count() {
            0 => {}
            count => write!(f, "; {count} of {total} scenarios did not start")?,
        }
        let deviations = self.results.iter().map(|result| result.deviations.len());
        match deviations.sum() {
            0_usize => Ok(()),
            count => write!(
                f,
                "; {count} differences due to known faults of the reference"
            ),
        }
    }
}
