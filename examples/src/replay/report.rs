//! The report on replays, as a table.

use super::{Outcome, Scenario, Score};
use std::fmt;

/// The results of several scenarios. Its [`Display`](fmt::Display) is a table, followed by every
/// difference and the totals.
#[derive(Clone, Debug)]
pub struct Report {
    /// One result for each scenario.
    pub outcomes: Vec<Outcome>,
}

impl Report {
    /// Replays scenarios, each on its own agent.
    pub fn of(scenarios: &[Scenario]) -> Self {
        Self {
            outcomes: scenarios.iter().map(Scenario::replay).collect(),
        }
    }

    /// Whether there are no unexplained differences.
    pub fn is_equal(&self) -> bool {
        self.outcomes.iter().all(Outcome::is_equal)
    }
}

impl Outcome {
    /// Whether there are no unexplained differences.
    pub fn is_equal(&self) -> bool {
        self.differences.is_empty()
    }

    fn verdict(&self) -> &'static str {
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
        let ids = self
            .outcomes
            .iter()
            .map(|outcome| outcome.id.chars().count());
        let width = ids.chain(["scenario".len()]).max().unwrap_or_default();
        writeln!(
            f,
            "{:<width$}  {:>5}  {:>7}  {:>6}  verdict",
            "scenario", "turns", "answers", "states"
        )?;
        for outcome in &self.outcomes {
            let Outcome {
                id,
                turns,
                answers,
                states,
                ..
            } = outcome;
            let verdict = outcome.verdict();
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
        for outcome in &self.outcomes {
            if outcome.differences.is_empty() && outcome.deviations.is_empty() {
                continue;
            }
            writeln!(f, "\n{}", outcome.id)?;
            for difference in &outcome.differences {
                writeln!(f, "  {difference}")?;
            }
            for (difference, deviation) in &outcome.deviations {
                writeln!(f, "  (known fault: {}) {difference}", deviation.reason)?;
            }
        }
        Ok(())
    }

    fn sums(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |score: fn(&Outcome) -> Score| {
            let scores = self.outcomes.iter().map(score);
            scores.fold(Score::default(), |sum, score| Score {
                equal: sum.equal + score.equal,
                total: sum.total + score.total,
            })
        };
        let equal = self
            .outcomes
            .iter()
            .filter(|outcome| outcome.is_equal())
            .count();
        let total = self.outcomes.len();
        let scenarios = Score { equal, total };
        let (answers, states) = (
            sum(|outcome| outcome.answers),
            sum(|outcome| outcome.states),
        );
        write!(
            f,
            "\nequal: {scenarios} scenarios, {answers} answers, {states} final states"
        )?;
        match self
            .outcomes
            .iter()
            .map(|outcome| outcome.deviations.len())
            .sum()
        {
            0_usize => Ok(()),
            count => write!(
                f,
                "; {count} differences due to known faults of the reference"
            ),
        }
    }
}
