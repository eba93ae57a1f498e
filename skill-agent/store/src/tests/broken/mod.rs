//! Stores that each break one law. The conformance suite must find it.

mod log;

use super::*;
use crate::conformance::Medium;
use log::BrokenLog;

/// How a store breaks a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    None,
    SeveralOwners,
    ForgetsWhenReopened,
    IdsWithoutCase,
    IdsEndAtNul,
    OneLogForAll,
    NeedsNoRecovery,
    LosesTheLastRecord,
    LosesLargeRecords,
    RenumbersRecords,
    WritesThePrefixOfARefusedCommit,
    WritesRowsOfARefusedCommit,
    FailsAfterARefusal,
    RefusesEmptyCommits,
    CompactsWithoutTheCommit,
    KeepsTheOldSnapshot,
    SplitsADroppedWrite,
    LosesRowsWithoutRecords,
    MakesChangesInReverse,
    OneTableForAll,
    ScansInReverse,
    ScansAfterTheKey,
    ScansOneRowMore,
    DeletesTheEndOfARange,
    DeletesNoRange,
    ClearsTablesInACompaction,
    CutsKeys,
    TakesLargeValues,
}

/// Each defect, with a law that it breaks.
const DEFECTS: [(Defect, &str); 27] = [
    (Defect::SeveralOwners, "a_log_has_one_owner_at_a_time"),
    (
        Defect::ForgetsWhenReopened,
        "committed_records_are_recovered",
    ),
    (Defect::IdsWithoutCase, "every_text_is_an_id"),
    (Defect::IdsEndAtNul, "every_text_is_an_id"),
    (Defect::OneLogForAll, "logs_do_not_mix"),
    (Defect::NeedsNoRecovery, "recovery_comes_first"),
    (
        Defect::LosesTheLastRecord,
        "committed_records_are_recovered",
    ),
    (Defect::LosesLargeRecords, "committed_records_are_recovered"),
    (Defect::RenumbersRecords, "records_are_consecutive"),
    (
        Defect::WritesThePrefixOfARefusedCommit,
        "a_refused_write_changes_nothing",
    ),
    (
        Defect::WritesRowsOfARefusedCommit,
        "a_refused_write_changes_nothing",
    ),
    (
        Defect::FailsAfterARefusal,
        "a_refused_write_changes_nothing",
    ),
    (
        Defect::RefusesEmptyCommits,
        "an_empty_commit_writes_nothing",
    ),
    (
        Defect::CompactsWithoutTheCommit,
        "a_compaction_replaces_records_by_a_snapshot",
    ),
    (
        Defect::KeepsTheOldSnapshot,
        "a_snapshot_is_of_a_number_in_the_log",
    ),
    (
        Defect::SplitsADroppedWrite,
        "a_dropped_write_is_whole_or_absent",
    ),
    (Defect::LosesRowsWithoutRecords, "rows_are_read_as_written"),
    (Defect::MakesChangesInReverse, "rows_are_read_as_written"),
    (Defect::OneTableForAll, "tables_do_not_mix"),
    (
        Defect::ScansInReverse,
        "rows_are_scanned_in_the_order_of_keys",
    ),
    (
        Defect::ScansAfterTheKey,
        "rows_are_scanned_in_the_order_of_keys",
    ),
    (
        Defect::ScansOneRowMore,
        "rows_are_scanned_in_the_order_of_keys",
    ),
    (Defect::DeletesTheEndOfARange, "ranges_of_rows_are_deleted"),
    (Defect::DeletesNoRange, "ranges_of_rows_are_deleted"),
    (Defect::ClearsTablesInACompaction, "a_compaction_keeps_rows"),
    (Defect::CutsKeys, "larger_names_keys_and_values_are_refused"),
    (
        Defect::TakesLargeValues,
        "larger_names_keys_and_values_are_refused",
    ),
];

/// A store in memory with a defect.
#[derive(Clone)]
struct Broken(Memory, Defect);

impl Medium for Broken {
    fn open(&self) -> Result<Box<dyn Store>, StoreError> {
        let memory = match self.1 {
            Defect::ForgetsWhenReopened => Memory::default(),
            _ => self.0.clone(),
        };
        Ok(Box::new(Self(memory, self.1)))
    }
}

impl Store for Broken {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        let opened = match self.1 {
            Defect::IdsWithoutCase => self.0.open(&id.to_lowercase()),
            Defect::IdsEndAtNul => self.0.open(id.split('\0').next().unwrap_or("")),
            Defect::OneLogForAll => self.0.open("").or_else(|_| self.0.open(id)),
            Defect::SeveralOwners => self.0.open(id).or_else(|_| self.0.open("another")),
            _ => self.0.open(id),
        };
        Ok(Box::new(BrokenLog::new(opened?, self.1)))
    }
}

fn laws_broken_by(defect: Defect) -> Vec<conformance::Violation> {
    let new_medium = || Broken(Memory::default(), defect);
    match wait(conformance::run(new_medium)) {
        Ok(()) => Vec::new(),
        Err(violations) => violations.violations,
    }
}

#[test]
fn a_store_that_breaks_a_law_is_found() {
    assert_eq!(laws_broken_by(Defect::None), []);
    for (defect, law) in DEFECTS {
        let violations = laws_broken_by(defect);
        let found = violations.iter().find(|violation| violation.law == law);
        let Some(violation) = found else {
            panic!("{defect:?}: {violations:#?}");
        };
        assert!(violation.reason.contains("expected"), "{violation}");
    }
}

#[test]
fn a_violation_names_its_law_and_what_was_expected_and_found() {
    let new_medium = || Broken(Memory::default(), Defect::ScansOneRowMore);
    let error = wait(conformance::run(new_medium)).unwrap_err();
    assert_eq!(
        error.violations[0].to_string(),
        "the store breaks the law `rows_are_scanned_in_the_order_of_keys`: `scan` from [] with the limit 3: expected \
         [([], [111, 102, 32]), ([0], [111, 102, 32, 0]), ([0, 0], [111, 102, 32, 0, 0])], found [([], [111, 102, 32]), ([0], \
         [111, 102, 32, 0]), ([0, 0], [111, 102, 32, 0, 0]), ([1], [111, 102, 32, 1])]"
    );
    assert!(format!("{error:?}").starts_with("the store breaks the law `"));
}
