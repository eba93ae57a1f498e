//! Replays of recorded conversations.
//!
//! A scenario holds the initial state of some skills, the calls of each turn with the answers of the
//! reference implementation, and its final state. [`Scenario::replay`] makes the same calls to a
//! [`Workbench`] and reports every difference by its path. A difference that a known fault of the
//! reference ([`DEVIATIONS`]) explains is noted but does not count.
//!
//! The reference is the Berkeley Function Calling Leaderboard (PyPI package `bfcl-eval`).
//! [`mod@reference`] translates its names of skills and its format of states.

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
    /// The name.
    pub id: String,
    /// The initial state of each skill, in the reference's format.
    #[serde(default)]
    pub initial_config: Map<String, Value>,
    /// The calls of each turn.
    pub turns: Vec<Vec<RecordedCall>>,
    /// The final state of each skill, in the reference's format.
    #[serde(default)]
    pub state_after: Map<String, Value>,
}

/// A recorded call and its answer.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedCall {
    /// The reference's name of the skill.
    pub skill: String,
    /// The name of the action.
    pub action: String,
    /// The arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// The answer of the reference.
    #[serde(default)]
    pub result: Value,
}

/// The result of a replay.
#[derive(Clone, Debug)]
pub struct ReplayResult {
    /// The name of the scenario.
    pub id: String,
    /// The number of turns.
    pub turns: usize,
    /// Whether the skills took the initial state. Otherwise no call was made, and no answer and no state is equal.
    pub started: bool,
    /// The number of compared and of equal answers.
    pub answers: Score,
    /// The number of compared and of equal final states.
    pub states: Score,
    /// Unexplained differences.
    pub differences: Vec<Difference>,
    /// Differences that a fault of the reference explains.
    pub deviations: Vec<(Difference, &'static Deviation)>,
}

/// A number of equal values out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The number of equal values.
    pub equal: usize,
    /// The total.
    pub total: usize,
}

/// Reads a JSON list of scenarios.
///
/// # Errors
///
/// If the text is not a JSON list of scenarios; with line and column.
pub fn scenarios(text: &str) -> Result<Vec<Scenario>, serde_json::Error> {
    serde_json::from_str(text)
}

impl Scenario {
    /// Makes the calls and compares answers and final states.
    pub fn replay(&self) -> ReplayResult {
        let mut replay = Replay {
            scenario: self,
            suspected: Vec::new(),
            result: ReplayResult {
                id: self.id.clone(),
                turns: self.turns.len(),
                started: false,
                answers: Score::default(),
                states: Score::default(),
                differences: Vec::new(),
                deviations: Vec::new(),
            },
        };
        match reference::workbench(&self.initial_config) {
            Ok(mut agent) => {
                replay.result.started = true;
                replay.calls(&mut agent);
                replay.final_states(&agent);
            }
            Err(error) => replay.not_started(error.to_string()),
        }
        replay.result
    }
}

/// A replay in progress.
struct Replay<'a> {
    scenario: &'a Scenario,
    /// Faults of the reference that may affect later calls.
    suspected: Vec<&'static Deviation>,
    result: ReplayResult,
}

impl Replay<'_> {
    /// Counts every answer and final state as different.
    fn not_started(&mut self, reason: String) {
        let Scenario {
            turns, state_after, ..
        } = self.scenario;
        self.result.answers.total = turns.iter().map(Vec::len).sum();
        self.result.states.total = state_after.len();
        self.result.differences.push(Difference {
            path: "initial_config".to_owned(),
            expected: "a valid state".to_owned(),
            found: reason,
        });
    }

    fn calls(&mut self, agent: &mut Workbench) {
        for (t, turn) in self.scenario.turns.iter().enumerate() {
            for (c, call) in turn.iter().enumerate() {
                self.suspect(call, agent);
                let arguments = Value::Object(call.arguments.clone()).to_string();
                let answer = agent.call_json(&call.action, &arguments);
                let answer = answer.map(|called| called.output);
                let path = format!("turns[{t}][{c}] {}: result", call.action);
                let equal = self.answer(call, &path, answer);
                self.suspected
                    .retain(|deviation| deviation.reach != Reach::Answer);
                self.result.answers.add(equal);
            }
        }
    }

    /// Notes the faults of the reference that affect this call.
    fn suspect(&mut self, call: &RecordedCall, agent: &Workbench) {
        let affecting = DEVIATIONS.iter().filter(|deviation| {
            deviation.concerns(call) && (deviation.affects)(self.scenario, call, agent)
        });
        self.suspected.extend(affecting);
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
        // The reference checks types later, with other messages.
        let refused_early = answer.is_err_and(|error| error.action_error().is_none());
        if refused_early && expected.get("error").is_some() {
            let checked = differences.into_iter();
            let checked = checked.map(|difference| (difference, &deviations::CHECKED_FIRST));
            self.result.deviations.extend(checked);
            return true;
        }
        self.sort_out(&call.skill, differences)
    }

    fn final_states(&mut self, agent: &Workbench) {
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
            self.result.states.add(equal);
        }
    }

    /// Separates explained from unexplained differences. Returns whether all are explained.
    fn sort_out(&mut self, skill: &str, differences: Vec<Difference>) -> bool {
        let before = self.result.differences.len();
        for difference in differences {
            let mut suspected = self.suspected.iter();
            let explanation =
                suspected.find(|deviation| deviation.explains(skill, &difference.path));
            match explanation {
                Some(deviation) => self.result.deviations.push((difference, deviation)),
                None => self.result.differences.push(difference),
            }
        }
        self.result.differences.len() == before
    }
}

impl Score {
    fn add(&mut self, equal: bool) {
        self.total += 1;
        self.equal += usize::from(equal);
    }
}
