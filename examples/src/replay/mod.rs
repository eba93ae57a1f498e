//! Recorded conversations, repeated.
//!
//! A scenario holds the state that some skills begin with, the calls of each turn with the answer
//! that the reference implementation gave, and the state it held in the end. [`Scenario::replay`]
//! makes the same calls to a [`Workbench`] and tells every difference by its path; where the
//! reference is known to be at fault ([`DEVIATIONS`]), a difference is noted but does not count.
//!
//! The reference is the Berkeley Function Calling Leaderboard (PyPI package `bfcl-eval`); its names
//! for the skills and its way to write their states are translated in [`mod@reference`].

mod compare;
mod deviations;
pub mod reference;
mod report;

pub use compare::{Difference, compare};
pub use deviations::{DEVIATIONS, Deviation, Reach};
pub use report::Report;

use crate::Workbench;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use skill_agent::Agent;
use skill_agent::prelude::CallError;

/// A recorded conversation.
#[derive(Clone, Debug, Deserialize)]
pub struct Scenario {
    /// Its name.
    pub id: String,
    /// State of each skill in the beginning, as the reference writes it.
    #[serde(default)]
    pub initial_config: Map<String, Value>,
    /// The calls of each turn.
    pub turns: Vec<Vec<RecordedCall>>,
    /// State of each skill in the end, as the reference writes it.
    #[serde(default)]
    pub state_after: Map<String, Value>,
}

/// A recorded call and its answer.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedCall {
    /// The skill, by the reference's name.
    pub skill: String,
    /// Name of the action.
    pub action: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// The answer of the reference.
    #[serde(default)]
    pub result: Value,
}

/// What came of a scenario.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Name of the scenario.
    pub id: String,
    /// How many turns it has.
    pub turns: usize,
    /// How many of its answers were compared, and how many were equal.
    pub answers: Score,
    /// How many of its end states were compared, and how many were equal.
    pub states: Score,
    /// Differences that count, each with its path.
    pub differences: Vec<Difference>,
    /// Differences that a fault of the reference explains.
    pub deviations: Vec<(Difference, &'static Deviation)>,
}

/// How many of several were equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// How many were equal.
    pub equal: usize,
    /// How many there are.
    pub total: usize,
}

/// Reads scenarios: a JSON list.
///
/// # Errors
///
/// When the text is not JSON, or not a list of scenarios; with line and column.
pub fn scenarios(text: &str) -> Result<Vec<Scenario>, serde_json::Error> {
    serde_json::from_str(text)
}

impl Scenario {
    /// Makes the calls and compares.
    pub fn replay(&self) -> Outcome {
        let mut run = Run {
            scenario: self,
            suspected: Vec::new(),
            outcome: Outcome {
                id: self.id.clone(),
                turns: self.turns.len(),
                answers: Score::default(),
                states: Score::default(),
                differences: Vec::new(),
                deviations: Vec::new(),
            },
        };
        match reference::workbench(&self.initial_config) {
            Ok(mut agent) => {
                run.calls(&mut agent);
                run.end_states(&agent);
            }
            Err(error) => run.outcome.differences.push(Difference {
                path: "initial_config".to_owned(),
                expected: "a state to begin with".to_owned(),
                found: error.to_string(),
            }),
        }
        run.outcome
    }
}

/// A scenario on its way.
struct Run<'a> {
    scenario: &'a Scenario,
    /// Faults of the reference that the calls so far have met.
    suspected: Vec<&'static Deviation>,
    outcome: Outcome,
}

impl Run<'_> {
    fn calls(&mut self, agent: &mut Workbench) {
        for (t, turn) in self.scenario.turns.iter().enumerate() {
            for (c, call) in turn.iter().enumerate() {
                self.suspect(call, agent);
                let arguments = Value::Object(call.arguments.clone()).to_string();
                let answer = agent.call_json(&call.action, &arguments);
                let answer = answer.map(|called| called.output);
                let path = format!("turns[{t}][{c}] {}: result", call.action);
                let equal = self.answer(call, &path, answer);
                self.suspected.retain(|it| it.reach != Reach::Answer);
                self.outcome.answers.add(equal);
            }
        }
    }

    /// Notes which faults of the reference this call meets.
    fn suspect(&mut self, call: &RecordedCall, agent: &Workbench) {
        let met = DEVIATIONS.iter().filter(|deviation| {
            deviation.concerns(call) && (deviation.meets)(self.scenario, call, agent)
        });
        self.suspected.extend(met);
    }

    fn answer(
        &mut self,
        call: &RecordedCall,
        path: &str,
        answer: Result<String, CallError>,
    ) -> bool {
        let found = match &answer {
            Ok(output) => serde_json::from_str(output).unwrap_or_else(|_| json!(output)),
            Err(error) => json!({ "error": error.to_string() }),
        };
        let expected = reference::answer(&call.result);
        let differences = compare(path, expected, &found);
        // The reference looks at types only when it trips over them, and says so in other words.
        let refused_early = answer.is_err_and(|error| error.action_error().is_none());
        if refused_early && expected.get("error").is_some() {
            let checked = differences.into_iter();
            let checked = checked.map(|difference| (difference, &deviations::CHECKED_FIRST));
            self.outcome.deviations.extend(checked);
            return true;
        }
        self.sort_out(&call.skill, differences)
    }

    fn end_states(&mut self, agent: &Workbench) {
        for (skill, expected) in &self.scenario.state_after {
            let path = format!("state_after.{skill}");
            let differences = match reference::state(skill, agent) {
                Some(found) => compare(&path, expected, &found),
                None => vec![Difference {
                    path,
                    expected: "a state".to_owned(),
                    found: "no skill of this name".to_owned(),
                }],
            };
            let equal = self.sort_out(skill, differences);
            self.outcome.states.add(equal);
        }
    }

    /// Files each difference as one that counts or one that is explained. True if none counts.
    fn sort_out(&mut self, skill: &str, differences: Vec<Difference>) -> bool {
        let before = self.outcome.differences.len();
        for difference in differences {
            let mut met = self.suspected.iter();
            let explanation = met.find(|deviation| deviation.explains(skill, &difference.path));
            match explanation {
                Some(deviation) => self.outcome.deviations.push((difference, deviation)),
                None => self.outcome.differences.push(difference),
            }
        }
        self.outcome.differences.len() == before
    }
}

impl Score {
    fn add(&mut self, equal: bool) {
        self.total += 1;
        self.equal += usize::from(equal);
    }
}
