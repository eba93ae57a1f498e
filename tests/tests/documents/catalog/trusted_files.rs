//! Trust in a document covers the files that it bundles.

use crate::catalog::support::{Temp, codes, ids, reported};
use proptest::prelude::*;
use skill_agent::manifest::{
    Catalog, CatalogBuilder, ContentHash, Dialect, DocumentReadError, Source,
};
use std::collections::BTreeMap;

const TEXT: &str = "# Plan\n";

fn builder(temp: &Temp, dialect: Dialect) -> CatalogBuilder {
    Catalog::builder(dialect).source(Source::project(temp.at("project")).discovered())
}

fn found(temp: &Temp) -> Catalog {
    builder(temp, Dialect::LILY).load()
}

fn hash(catalog: &Catalog) -> ContentHash {
    catalog
        .listed()
        .find(|entry| entry.id == "plan")
        .unwrap()
        .hash
}

fn plan() -> Temp {
    let temp = Temp::new();
    temp.write("project/plan/SKILL.md", TEXT)
        .write("project/plan/scripts/run.py", "print()")
        .write("project/plan/notes.md", "notes");
    temp
}

/// The plan, trusted as it is.
fn trusted(temp: &Temp) -> Catalog {
    let mut catalog = found(temp);
    let hash = hash(&catalog);
    catalog.trust("plan", hash).unwrap();
    assert_eq!(catalog.get("plan").unwrap().hash, hash);
    catalog
}

#[test]
fn a_file_that_changed_after_trust_is_not_served_and_ends_the_trust() {
    type Change = fn(&Temp);
    let changes: [(&str, Change); 4] = [
        ("another content", |temp| {
            temp.write("project/plan/scripts/run.py", "evil()");
        }),
        ("gone", |temp| {
            std::fs::remove_file(temp.at("project/plan/scripts/run.py")).unwrap();
        }),
        ("another name", |temp| {
            let at = |name: &str| temp.at("project/plan/scripts").join(name);
            std::fs::rename(at("run.py"), at("ran.py")).unwrap();
        }),
        ("a folder", |temp| {
            std::fs::remove_file(temp.at("project/plan/scripts/run.py")).unwrap();
            std::fs::create_dir(temp.at("project/plan/scripts/run.py")).unwrap();
        }),
    ];
    for (what, change) in changes {
        let temp = plan();
        let mut catalog = trusted(&temp);
        let run = || catalog.resource("plan", "scripts/run.py");
        assert_eq!(run().unwrap(), b"print()");
        change(&temp);
        let error = run().unwrap_err();
        assert!(
            matches!(error, DocumentReadError::Changed { .. }),
            "{what}: {error}"
        );
        assert!(error.to_string().contains("run.py"), "{error}");
        // the other files are unchanged
        assert_eq!(catalog.resource("plan", "notes.md").unwrap(), b"notes");
        assert_eq!(catalog.read("plan").unwrap().body, "# Plan");
        assert_eq!(catalog.reload().removed, ["plan"], "{what}");
        assert_eq!(codes(&catalog), ["untrusted"]);
        assert!(catalog.resource("plan", "notes.md").is_err());
    }
}

#[test]
fn a_file_added_after_trust_is_not_served_and_ends_the_trust() {
    let temp = plan();
    let mut catalog = trusted(&temp);
    let files = ["notes.md", "scripts/run.py"];
    assert_eq!(catalog.resources("plan").unwrap(), files);
    temp.write("project/plan/scripts/more.py", "");
    let error = catalog.resource("plan", "scripts/more.py").unwrap_err();
    assert!(
        matches!(error, DocumentReadError::NoResource { .. }),
        "{error}"
    );
    let error = catalog.resources("plan").unwrap_err();
    assert!(
        matches!(error, DocumentReadError::Changed { .. }),
        "{error}"
    );
    assert_eq!(catalog.reload().removed, ["plan"]);
    std::fs::remove_file(temp.at("project/plan/scripts/more.py")).unwrap();
    assert_eq!(catalog.reload().added, ["plan"]);
    assert_eq!(catalog.resources("plan").unwrap(), files);
}

#[test]
fn a_configured_source_is_hashed_without_bundled_files() {
    let temp = plan();
    let mut catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(temp.at("project")))
        .load();
    assert_eq!(hash(&catalog), ContentHash::of(TEXT.as_bytes()));
    temp.write("project/plan/scripts/run.py", "better()");
    assert_eq!(
        catalog.resource("plan", "scripts/run.py").unwrap(),
        b"better()"
    );
    assert!(catalog.reload().is_empty());
    // a document without bundled files is hashed the same way in any source
    std::fs::remove_dir_all(temp.at("project/plan/scripts")).unwrap();
    std::fs::remove_file(temp.at("project/plan/notes.md")).unwrap();
    assert_eq!(hash(&found(&temp)), ContentHash::of(TEXT.as_bytes()));
}

#[test]
fn a_document_whose_files_cannot_be_read_cannot_be_trusted() {
    let limited = |change: fn(&mut skill_agent::manifest::DocumentLimits)| {
        let mut limits = Dialect::LILY.limits;
        change(&mut limits);
        Dialect::LILY.with_limits(limits)
    };
    for (dialect, place, why) in [
        (
            limited(|limits| limits.resources = 3),
            "SKILL.md",
            "more than 3 files",
        ),
        (
            limited(|limits| limits.resource = 6),
            "scripts/run.py",
            "7 bytes",
        ),
        (
            limited(|limits| limits.all_resources = 11),
            "scripts/run.py",
            "11 bytes in total",
        ),
        (
            limited(|limits| limits.resource_depth = 0),
            "scripts",
            "0 folders",
        ),
    ] {
        let temp = plan();
        temp.write("project/z/SKILL.md", "# Z\n");
        let catalog = builder(&temp, dialect).load();
        let listed: Vec<_> = catalog.listed().map(|entry| &*entry.id).collect();
        assert_eq!(listed, ["z"], "{why}");
        let at = format!("project/plan/{place}");
        let reported = reported(&catalog, temp.path());
        assert_eq!(reported[0], ("too_large", at));
        let message = &catalog.diagnostics()[0].message;
        assert!(
            message.contains("`plan`") && message.contains(why),
            "{message}"
        );
        // in a source that the program names, the document is offered, and reading the file is refused
        let named = Catalog::builder(dialect).source(Source::project(temp.at("project")));
        assert_eq!(ids(&named.load()), ["plan", "z"]);
    }
}

/// Files of a document by path. No path is a prefix of another.
fn files() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    let content = prop::collection::vec(any::<u8>(), 0..4);
    prop::collection::btree_map("[a-c]{1,2}\\.(md|py)|[d-f]/[a-c]{1,2}", content, 0..5)
}

fn hash_of(text: &str, files: &BTreeMap<String, Vec<u8>>) -> ContentHash {
    let temp = Temp::new();
    temp.write("project/plan/SKILL.md", text);
    for (path, content) in files {
        temp.write(&format!("project/plan/{path}"), content);
    }
    hash(&found(&temp))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn hashes_are_equal_exactly_if_document_and_files_are(
        text in "# [ab]\n", files in files(), other_text in "# [ab]\n", other_files in files()
    ) {
        let same = (&text, &files) == (&other_text, &other_files);
        let (one, other) = (hash_of(&text, &files), hash_of(&other_text, &other_files));
        prop_assert_eq!(one == other, same);
        prop_assert_eq!(one, hash_of(&text, &files));
    }
}
