//! Oversized input: an answer in bounded time and memory, without affecting the rest.

use crate::catalog::support::{Temp, codes, ids, project, reported};
use skill_agent::manifest::{Catalog, Dialect, Source};
use std::fs::File;

const LENIENT: Dialect = Dialect::AGENT_SKILLS_LENIENT;

fn with_entries(dialect: Dialect, entries: usize) -> Dialect {
    let mut limits = dialect.limits;
    limits.entries = entries;
    dialect.with_limits(limits)
}

#[test]
fn a_file_of_a_hundred_megabytes_is_reported_and_not_read() {
    let temp = Temp::new();
    temp.standard("good").standard("huge");
    // a sparse file: it takes no disk space, but reading it would take time and memory
    File::options()
        .write(true)
        .open(temp.at("huge/SKILL.md"))
        .unwrap()
        .set_len(100 << 20)
        .unwrap();
    let catalog = project(&temp, Dialect::AGENT_SKILLS).load();
    assert_eq!(ids(&catalog), ["good"]);
    assert_eq!(
        reported(&catalog, temp.path()),
        [("too_large", "huge/SKILL.md".to_owned())]
    );
    assert!(catalog.diagnostics()[0].message.contains("104857600 bytes"));
}

#[test]
fn too_many_entries_stop_a_source_and_no_other_one() {
    let temp = Temp::new();
    temp.standard("other/a").standard("full/b");
    for number in 0..100 {
        temp.write(&format!("full/{number}"), "");
    }
    let dialect = with_entries(Dialect::AGENT_SKILLS, 100);
    let catalog = Catalog::builder(dialect)
        .source(Source::user(temp.at("full")))
        .source(Source::project(temp.at("other")))
        .load();
    assert_eq!(ids(&catalog), ["a"]);
    assert_eq!(
        reported(&catalog, temp.path()),
        [("too_large", "full".to_owned())]
    );
    std::fs::remove_file(temp.at("full/0")).unwrap();
    let catalog = project(&temp, with_entries(LENIENT, 1_000)).load();
    assert_eq!(ids(&catalog), ["a", "b"]);
}

#[test]
fn the_deepest_folders_are_cut_off_first() {
    let temp = Temp::new();
    temp.standard("z").standard("m/y");
    for number in 0..50 {
        temp.write(&format!("a/{number}"), "");
    }
    let catalog = project(&temp, with_entries(LENIENT, 40)).load();
    assert_eq!(ids(&catalog), ["z"]);
    assert_eq!(
        reported(&catalog, temp.path()),
        [("too_large", "a".to_owned())]
    );
}

/// A million entries take a file system long to create, so this creates one more than the limit of every preset.
#[test]
fn one_entry_more_than_the_presets_allow_is_reported() {
    let temp = Temp::new();
    temp.standard("other/a");
    let full = temp.at("full");
    std::fs::create_dir(&full).unwrap();
    temp.write("one", "");
    // hard links to one file are the cheapest entries
    for number in 0..=Dialect::AGENT_SKILLS.limits.entries {
        if std::fs::hard_link(temp.at("one"), full.join(number.to_string())).is_err() {
            File::create(full.join(number.to_string())).unwrap();
        }
    }
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
        .source(Source::user(&full))
        .source(Source::project(temp.at("other")))
        .load();
    assert_eq!(
        (ids(&catalog), codes(&catalog)),
        (vec!["a".to_owned()], vec!["too_large"])
    );
}

#[test]
fn deeply_nested_folders_are_cut_off() {
    let temp = Temp::new();
    temp.standard("good");
    std::fs::create_dir_all(temp.at(&"d/".repeat(200))).unwrap();
    let catalog = project(&temp, LENIENT).load();
    assert_eq!(
        (ids(&catalog), codes(&catalog).len()),
        (vec!["good".to_owned()], 0)
    );
}
