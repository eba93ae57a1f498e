//! A catalog that follows its folders. Each step waits for the change itself.

use crate::catalog::support::{Temp, ids};
use skill_agent::manifest::{Catalog, CatalogChanges, CatalogWatcher, Dialect, Source};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

/// Waits until the given documents are offered: several files may cause several changes.
fn until(watcher: &mut CatalogWatcher, expected: &[&str]) -> Vec<CatalogChanges> {
    let mut all = Vec::new();
    while ids(watcher.catalog()) != expected {
        let changes = watcher.wait(LONG).unwrap();
        all.push(changes.expect("a change within a minute"));
    }
    all
}

#[test]
fn added_changed_and_removed_documents_are_noticed() {
    let temp = Temp::new();
    temp.write("skills/a/SKILL.md", "# A\n");
    let load = || Catalog::builder(Dialect::LILY).source(Source::project(temp.at("skills")));
    let before = load().load();
    let mut watcher = before.clone().watch().unwrap();
    assert_eq!(ids(watcher.catalog()), ["a"]);

    temp.write("skills/b/SKILL.md", "# B\n");
    let changes = until(&mut watcher, &["a", "b"]);
    assert!(changes.iter().any(|changes| changes.added == ["b"]));

    temp.write("skills/b/SKILL.md", "# Another B\n");
    let mut changed = Vec::new();
    while changed != ["b"] {
        changed = watcher.wait(LONG).unwrap().expect("a change").changed;
    }
    assert_eq!(watcher.catalog().read("b").unwrap().body, "# Another B");

    std::fs::remove_dir_all(temp.at("skills/a")).unwrap();
    until(&mut watcher, &["b"]);
    // the clone made at the beginning is unchanged
    assert_eq!(ids(&before), ["a"]);
}

#[test]
fn a_missing_folder_is_watched_for_repeatedly() {
    let temp = Temp::new();
    let root = temp.at("one/two/skills");
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(&root))
        .load();
    let mut watcher = catalog.watch().unwrap();
    for id in ["a", "b"] {
        temp.write(&format!("one/two/skills/{id}/SKILL.md"), "# It\n");
        until(&mut watcher, &[id]);
        std::fs::remove_dir_all(temp.at("one")).unwrap();
        until(&mut watcher, &[]);
    }
}

#[test]
fn waiting_without_a_change_times_out() {
    let temp = Temp::new();
    temp.write("a/SKILL.md", "# A\n");
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(temp.path()))
        .load();
    let mut watcher = catalog.watch().unwrap();
    assert_eq!(watcher.wait(Duration::ZERO).unwrap(), None);
    // a load reads the folder, which does not count as a change
    watcher.catalog_mut().reload();
    assert_eq!(watcher.wait(Duration::from_millis(1)).unwrap(), None);
}

#[test]
fn endless_events_without_changes_do_not_extend_the_wait() {
    let temp = Temp::new();
    temp.write("skills/a/SKILL.md", "# A\n");
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(temp.at("skills")))
        .load();
    let mut watcher = catalog.watch().unwrap();
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                temp.write("skills/log", "a line");
            }
        });
        let changes = watcher.wait(Duration::from_millis(300));
        ended.store(true, Ordering::Relaxed);
        assert_eq!(changes.unwrap(), None);
    });
}

#[cfg(unix)]
#[test]
fn a_change_behind_a_followed_link_is_noticed() {
    let temp = Temp::new();
    temp.write("store/a/SKILL.md", "# A\n");
    std::fs::create_dir_all(temp.at("skills")).unwrap();
    std::os::unix::fs::symlink(temp.at("store/a"), temp.at("skills/a")).unwrap();
    let source = Source::project(temp.at("skills")).follow_links();
    let catalog = Catalog::builder(Dialect::LILY).source(source).load();
    let mut watcher = catalog.watch().unwrap();
    assert_eq!(ids(watcher.catalog()), ["a"]);
    temp.write("store/a/SKILL.md", "# Another A\n");
    let changes = watcher
        .wait(LONG)
        .unwrap()
        .expect("a change within a minute");
    assert_eq!(changes.changed, ["a"]);
    assert_eq!(watcher.catalog().read("a").unwrap().body, "# Another A");
}
