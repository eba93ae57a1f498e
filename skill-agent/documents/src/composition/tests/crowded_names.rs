//! Names that are chosen to collide in a hash table.

use super::super::input::BUILT_IN;
use super::super::names::{NameKind, seed};
use super::super::rules::{BrokenRules, DUPLICATE_ID, REQUIREMENTS, SHARED_COMMAND, check_into};
use super::*;
use skill_core::__private::capacity;
use skill_core::__private::names::{SEED, hash};
use std::collections::HashMap;

/// The number of colliding ids.
const COUNT: usize = 1_500;

/// The last slot of the hash table for these ids.
const LAST: u64 = capacity(COUNT + BUILT_IN.len()) as u64 - 1;

/// Returns ids that share one slot in the compile-time table.
fn crowded() -> Vec<String> {
    let ids = (0_u64..).map(|number| format!("id-{number:x}"));
    let same = ids.filter(|id| hash(SEED, id) & LAST == 0);
    same.take(COUNT).collect()
}

/// Returns the number of ids in the most crowded slot.
fn most_at_one_place(seed: u64, ids: &[String]) -> usize {
    let mut places: HashMap<u64, usize> = HashMap::new();
    for id in ids {
        *places.entry(hash(seed, id) & LAST).or_default() += 1;
    }
    places.into_values().max().unwrap_or_default()
}

fn checked(input: &CheckInput<'_>) -> Vec<(u16, usize, usize)> {
    let mut tables = vec![None; input.room() * NameKind::COUNT];
    let mut found = vec![BrokenRules::NONE; input.docs.len()];
    check_into(input, &mut tables, &mut found);
    let found = found.iter();
    found
        .map(|broken| (broken.rules, broken.duplicate_of, broken.same_command))
        .collect()
}

#[test]
fn ids_chosen_to_collide_do_not_collide_at_run_time() {
    let ids = crowded();
    assert_eq!(most_at_one_place(SEED, &ids), COUNT);
    // with random seeds, about six ids share a slot
    assert!(most_at_one_place(seed(), &ids) < 40);
    assert_ne!(seed(), seed());
}

#[test]
fn the_verdicts_do_not_depend_on_the_seed() {
    let mut ids = crowded();
    for index in (0..COUNT).step_by(10) {
        ids[index] = ids[index + 1].to_uppercase();
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let docs = docs(&ids, |index, doc| {
        doc.command = Some(DocText::from(ids[index % 1_000].to_lowercase()));
        doc.requires = vec![DocText::from(ids[COUNT - 1 - index].to_owned())].into();
    });
    let docs: Vec<_> = docs.iter().map(|doc| LocatedDoc::new("", doc)).collect();
    let input = CheckInput {
        docs: &docs,
        ..CheckInput::EMPTY
    };
    let compiled = checked(&input);
    for rule in [DUPLICATE_ID, SHARED_COMMAND, REQUIREMENTS] {
        let reported = compiled
            .iter()
            .filter(|checked| checked.0 & rule != 0)
            .count();
        assert!((100..COUNT).contains(&reported), "{reported}");
    }
    for _ in 0..3 {
        let seed = seed();
        assert_eq!(checked(&CheckInput { seed, ..input }), compiled);
    }
}

#[test]
fn texts_that_differ_in_more_than_case_have_different_hashes() {
    let pairs = [
        ("à", "À"),
        ("[", "{"),
        ("@", "`"),
        ("\u{10}", "0"),
        ("\0a", "a"),
        ("a", "a\0"),
        ("ab", "ba"),
    ];
    for (one, other) in pairs {
        assert_ne!(hash(SEED, one), hash(SEED, other), "{one:?} {other:?}");
    }
    assert_eq!(hash(SEED, "Desk-Z"), hash(SEED, "dESK-z"));
}
