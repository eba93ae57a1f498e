//! Size estimates for records and snapshots.

use serde_json::Value;
use skill_agent_store::{Record, Snapshot};

/// Estimates a record's size in bytes.
pub(crate) fn record_size(record: &Record) -> usize {
    let states = record.states.iter().map(|changed| changed.state.len());
    let directives = record
        .directives
        .iter()
        .map(|logged| logged.directive.len());
    let instructions = record
        .instructions
        .iter()
        .map(|instruction| value_size(&instruction.params));
    states.chain(directives).chain(instructions).sum::<usize>() + 64
}

/// Estimates a snapshot's size in bytes.
pub(super) fn snapshot_size(snapshot: &Snapshot) -> usize {
    let skills = snapshot.skills.iter();
    let skills = skills.map(|skill| skill.state.len() + skill.config.len());
    let pending = snapshot.pending.iter();
    let pending = pending.map(|logged| logged.directive.len());
    skills.chain(pending).sum()
}

/// Estimates a value's size in bytes.
fn value_size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(value_size).sum(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| key.len() + value_size(value))
            .sum(),
        _ => size_of::<f64>(),
    }
}
