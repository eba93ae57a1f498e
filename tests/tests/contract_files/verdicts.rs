//! The verdicts of pairs of contract files.

use crate::pairs::{Pair, pairs};
use skill_agent::contract::{ChangeClass, Changes};
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
