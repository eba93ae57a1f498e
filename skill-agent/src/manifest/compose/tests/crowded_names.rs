//! Names that were chosen so that they stand together in a table.

use super::super::examine::{DUPLICATE_ID, Found, REQUIREMENTS, SHARED_COMMAND, examine_into};
use super::super::names::{Names, SEED, hash, seed};
use super::super::scene::BUILT_IN;
use super::*;
use skill_core::__private::{EMPTY, capacity};
use std::collections::HashMap;

/// How many ids are chosen.
const COUNT: usize = 1_500;

/// The last place of their table.
const LAST: u64 = capacity(COUNT + BUILT_IN.len()) as u64 - 1;

/// Ids that have one place in the table that is made while compiling.
fn crowded() -> Vec<String> {
    let ids = (0_u64..).map(|number| format!("id-{number:x}"));
    let same = ids.filter(|id| hash(SEED, id) & LAST == 0);
    same.take(COUNT).collect()
}

/// How many ids have the place that most of them have.
fn most_at_one_place(seed: u64, ids: &[String]) -> usize {
    let mut places: HashMap<u64, usize> = HashMap::new();
    for id in ids {
        *places.entry(hash(seed, id) & LAST).or_default() += 1;
    }
    places.into_values().max().unwrap_or_default()
}

fn examined(scene: &Scene<'_>) -> Vec<(u16, usize, usize)> {
    let mut tables = vec![EMPTY; scene.room() * Names::KINDS];
    let mut found = vec![Found::NOTHING; scene.docs.len()];
    examine_into(scene, &mut tables, &mut found);
    let found = found.iter();
    found.map(|it| (it.rules, it.twin, it.rival)).collect()
}

#[test]
fn ids_that_are_chosen_to_stand_together_stand_apart_at_run_time() {
    let ids = crowded();
    assert_eq!(most_at_one_place(SEED, &ids), COUNT);
    // of so many at random, six have one place
    assert!(most_at_one_place(seed(), &ids) < 40);
    assert_ne!(seed(), seed());
}

#[test]
fn the_verdicts_are_those_of_any_seed() {
    let mut ids = crowded();
    for index in (0..COUNT).step_by(10) {
        ids[index] = ids[index + 1].to_uppercase();
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let docs = docs(&ids, |index, doc| {
        doc.command = Some(Text::from(ids[index % 1_000].to_lowercase()));
        doc.requires = vec![Text::from(ids[COUNT - 1 - index].to_owned())].into();
    });
    let docs: Vec<_> = docs.iter().map(|doc| Candidate::new("", doc)).collect();
    let scene = Scene {
        docs: &docs,
        ..Scene::EMPTY
    };
    let compiled = examined(&scene);
    for rule in [DUPLICATE_ID, SHARED_COMMAND, REQUIREMENTS] {
        let told = compiled.iter().filter(|it| it.0 & rule != 0).count();
        assert!((100..COUNT).contains(&told), "{told}");
    }
    for _ in 0..3 {
        let seed = seed();
        assert_eq!(examined(&Scene { seed, ..scene }), compiled);
    }
}

#[test]
fn texts_that_differ_in_more_than_the_case_of_letters_have_hashes_of_their_own() {
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
