//! Properties of arbitrary folders.

use crate::catalog::support::{Temp, ids, project};
use proptest::prelude::*;
use skill_agent::manifest::{Catalog, ContentHash, Dialect, DocText, Source};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Folder names and the contents of their SKILL.md.
type Files = BTreeMap<String, Vec<u8>>;

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(b"# Body\n".to_vec()),
        "---\nsummary: [a-z]{1,4}\n---\n# [a-z]{1,4}\n".prop_map(String::into_bytes),
        "---\ncommand: (go|skills|[a-z]{2})\n---\n".prop_map(String::into_bytes),
        "---\neligibility:\n  os: \\[(linux|plan9)\\]\n---\n".prop_map(String::into_bytes),
        "---\n[a-z:\\[\\]{}&*!'\"\n -]{0,40}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..40),
    ]
}

fn files() -> impl Strategy<Value = Files> {
    prop::collection::btree_map("[a-cA-C]{1,2}(/[ab])?", text(), 0..8)
}

fn load(temp: &Temp) -> Catalog {
    Catalog::builder(Dialect::LILY.with_depth(2))
        .source(Source::user(temp.at("user")))
        .source(Source::named("found", temp.at("found")).discovered())
        .source(Source::project(temp.at("project")))
        .load()
}

fn write<'a>(temp: &Temp, source: &str, files: impl Iterator<Item = (&'a String, &'a Vec<u8>)>) {
    std::fs::create_dir_all(temp.at(source)).unwrap();
    for (folder, text) in files {
        temp.write(&format!("{source}/{folder}/SKILL.md"), text);
    }
}

/// Formats a whole catalog, without the paths of its folders.
fn whole(catalog: &Catalog, temp: &Temp) -> String {
    let listed: Vec<_> = catalog
        .listed()
        .map(|entry| {
            (
                &entry.id,
                &entry.source,
                &entry.path,
                entry.hash,
                entry.trusted,
                entry.doc(),
            )
        })
        .collect();
    let whole = format!("{listed:?} {:?} {}", catalog.diagnostics(), catalog.hash());
    whole.replace(temp.path().to_str().unwrap(), "")
}

/// The offered documents by id: hash and file.
type Offered = BTreeMap<DocText, (ContentHash, Option<PathBuf>)>;

fn offered(catalog: &Catalog) -> Offered {
    let skills = catalog.skills();
    skills
        .map(|entry| (entry.id.clone(), (entry.hash, entry.path.clone())))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_same_folders_give_the_same_catalog_in_any_order_of_creation(
        user in files(), found in files(), project in files()
    ) {
        let (one, other) = (Temp::new(), Temp::new());
        for (source, files) in [("user", &user), ("found", &found), ("project", &project)] {
            write(&one, source, files.iter());
        }
        for (source, files) in [("project", &project), ("found", &found), ("user", &user)] {
            write(&other, source, files.iter().rev());
        }
        let mut catalog = load(&one);
        let first = whole(&catalog, &one);
        prop_assert_eq!(&first, &whole(&load(&other), &other));
        prop_assert!(catalog.reload().is_empty());
        prop_assert_eq!(&first, &whole(&catalog, &one));
    }

    #[test]
    fn offered_documents_are_sorted_and_readable(user in files(), project in files()) {
        let temp = Temp::new();
        write(&temp, "user", user.iter());
        write(&temp, "project", project.iter());
        let catalog = load(&temp);
        let ids = ids(&catalog);
        prop_assert!(ids.is_sorted());
        for entry in catalog.skills() {
            let doc = catalog.read(&entry.id).unwrap();
            prop_assert_eq!(&doc.summary, &entry.doc().summary);
            prop_assert!(entry.doc().body.is_empty());
        }
    }

    #[test]
    fn a_reload_returns_exactly_the_changes_and_hash_and_generation_agree(
        user in files(), project in files(), user_then in files(), project_then in files()
    ) {
        let temp = Temp::new();
        write(&temp, "user", user.iter());
        write(&temp, "project", project.iter());
        let mut catalog = load(&temp);
        let (before, hash) = (offered(&catalog), catalog.hash());
        for source in ["user", "project"] {
            std::fs::remove_dir_all(temp.at(source)).unwrap();
        }
        write(&temp, "user", user_then.iter());
        write(&temp, "project", project_then.iter());
        let changes = catalog.reload();
        let after = offered(&catalog);
        let only = |one: &Offered, other: &Offered| {
            one.keys().filter(|id| !other.contains_key(*id)).cloned().collect::<Vec<_>>()
        };
        prop_assert_eq!(&changes.added, &only(&after, &before));
        prop_assert_eq!(&changes.removed, &only(&before, &after));
        let changed = after.iter().filter(|(id, new)| before.get(*id).is_some_and(|old| old != *new));
        let changed: Vec<_> = changed.map(|(id, _)| id.clone()).collect();
        prop_assert_eq!(&changes.changed, &changed);
        prop_assert_eq!(changes.is_empty(), catalog.hash() == hash);
        prop_assert_eq!(catalog.generation(), u64::from(!changes.is_empty()));
    }

    #[test]
    fn a_bad_document_hides_no_other_document(bad in text()) {
        let temp = Temp::new();
        temp.write("a/SKILL.md", "# A\n").write("m/SKILL.md", &bad).write("z/SKILL.md", "# Z\n");
        let mut ids = ids(&project(&temp, Dialect::LILY).load());
        ids.retain(|id| id != "m");
        prop_assert_eq!(ids, ["a", "z"]);
    }
}
