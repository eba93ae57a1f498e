//! The verdicts of pairs of contract files.

use crate::pairs::{Pair, pairs};
use serde_json::Value;
use skill_agent::contract::{ChangeClass, Changes, Contract};
use std::collections::BTreeSet;

#[test]
fn every_pair_has_the_verdict_that_was_written_before() {
    let pairs = pairs();
    assert!(pairs.len() >= 170, "{}", pairs.len());
    let wrong: Vec<String> = pairs.iter().filter_map(wrong).collect();
    assert!(
        wrong.is_empty(),
        "{} pairs:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_breaking_change_is_accepted_once_each_version_is_written_as_asked() {
    let mut count = 0;
    for pair in pairs() {
        let changes = pair.old.changes_to(&pair.new);
        let mut new: Value = serde_json::from_str(&pair.new.to_text()).expect("it is JSON");
        for needed in changes.versions_needed() {
            count += 1;
            write_version(&mut new, needed);
        }
        let new = Contract::parse(&new.to_string()).expect("it is a contract");
        let after = pair.old.changes_to(&new);
        let needed: Vec<_> = after.versions_needed().collect();
        assert!(!after.is_breaking(), "{}: {needed:?}", pair.name);
    }
    assert!(count >= 100, "{count} versions");
}

/// Writes a version into a contract as the advice says: `version = "2.0.0"` or some version, for the agent or a skill.
fn write_version(contract: &mut Value, needed: &str) {
    let version = match needed.strip_prefix("`version = \"") {
        Some(rest) => rest.split('"').next().expect("it has an end"),
        None => "0.1.0",
    };
    let skill = needed.split_once("the skill `").map(|(_, rest)| rest);
    let skill = skill.map(|rest| rest.split('`').next().expect("it has an end"));
    let mut is_written = false;
    let places = match skill {
        None => vec!["/agent".to_owned()],
        Some(skill) => vec![
            format!("/skills/{skill}"),
            format!("/mountable/{skill}/skill"),
        ],
    };
    for place in places {
        if let Some(entry) = contract.pointer_mut(&place) {
            entry["version"] = version.into();
            is_written = true;
        }
    }
    assert!(is_written, "there is no place for {needed}");
}

/// The mistakes in the changes that are found.
fn wrong(pair: &Pair) -> Option<String> {
    let changes = pair.old.changes_to(&pair.new);
    let found = [
        ChangeClass::Breaking,
        ChangeClass::Additive,
        ChangeClass::Text,
    ]
    .map(|class| paths(&changes, class));
    let passes = found[0].is_empty() || !changes.is_breaking();
    let is_right = found == pair.paths && passes == (pair.passes || pair.paths[0].is_empty());
    (!is_right).then(|| format!("{}\n  expected {:?}\n{changes}\n", pair.name, pair.paths))
}

fn paths(changes: &Changes, class: ChangeClass) -> BTreeSet<String> {
    let list = changes.list.iter().filter(|change| change.class == class);
    list.map(|change| change.path.clone()).collect()
}
