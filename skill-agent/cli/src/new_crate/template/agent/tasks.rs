//! Tasks of the person.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// Tasks of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "tasks", actions(AddTask, ListTasks, FinishTask))]
pub struct Tasks {
    /// The open tasks by their numbers.
    pub open: BTreeMap<u32, String>,
    /// The number of the latest task.
    pub latest: u32,
}

/// Add a task. Returns its number.
#[action]
pub fn add_task(
    tasks: &mut Tasks,
    /// A short sentence about the work.
    #[arg(length(1..=400), example = "Call Ann.")]
    text: String,
) -> u32 {
    tasks.latest += 1;
    tasks.open.insert(tasks.latest, text);
    tasks.latest
}

/// Return the open tasks by their numbers.
#[action(read_only)]
pub fn list_tasks(tasks: &Tasks) -> BTreeMap<u32, String> {
    tasks.open.clone()
}

/// Finish a task. Returns its text.
#[action]
pub fn finish_task(
    tasks: &mut Tasks,
    /// The number of the task.
    #[arg(example = 1)]
    number: u32,
) -> Result<String, String> {
    let task = tasks.open.remove(&number);
    task.ok_or_else(|| {
        format!("there is no open task {number}; `list_tasks` returns the open ones")
    })
}
