//! Reading bodies and files on request.

use crate::catalog::support::{Temp, ids, project};
use skill_agent::manifest::{Catalog, Dialect, DocumentReadError, PathProblem};

fn plan() -> (Temp, Catalog) {
    let temp = Temp::new();
    temp.write(
        "plan/SKILL.md",
        "---\nsummary: It plans.\n---\n# Plan\nThink.\n",
    );
    temp.write("plan/scripts/run.py", "print()")
        .write("plan/assets/a/b.txt", "b");
    temp.write("plan/.git/config", "secret")
        .write("plan/.env", "secret")
        .write("outside", "no");
    let catalog = project(&temp, Dialect::LILY).load();
    (temp, catalog)
}

#[test]
fn a_catalog_keeps_metadata_and_reads_bodies() {
    let (temp, catalog) = plan();
    let entry = catalog.get("plan").unwrap();
    assert_eq!(
        (&*entry.doc().summary, &*entry.doc().body),
        ("It plans.", "")
    );
    assert_eq!(catalog.read("plan").unwrap().body, "# Plan\nThink.");
    assert!(
        matches!(catalog.read("Plan"), Err(DocumentReadError::Unknown { id, .. }) if id == "Plan")
    );

    temp.write("plan/SKILL.md", "# Another\n");
    assert_eq!(catalog.read("plan").unwrap().body, "# Another");
    std::fs::remove_dir_all(temp.at("plan")).unwrap();
    let error = catalog.read("plan").unwrap_err();
    assert!(
        matches!(error, DocumentReadError::Removed { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("plan/SKILL.md"));
}

#[test]
fn files_are_listed_in_order_and_read_by_path() {
    let (_temp, catalog) = plan();
    let files = catalog.resources("plan").unwrap();
    assert_eq!(files, ["assets/a/b.txt", "scripts/run.py"]);
    for path in &files {
        assert!(!catalog.resource("plan", path).unwrap().is_empty());
    }
    assert_eq!(catalog.resource("plan", "assets/a/b.txt").unwrap(), b"b");
    for path in ["none", "assets/none", "none/b"] {
        let error = catalog.resource("plan", path).unwrap_err();
        assert!(
            matches!(error, DocumentReadError::NoResource { .. }),
            "{error}"
        );
    }
}

#[test]
fn a_path_that_leads_out_is_refused_with_its_kind() {
    let (temp, catalog) = plan();
    let absolute = temp.at("outside").display().to_string();
    for (path, expected) in [
        ("../outside", PathProblem::Dots),
        ("assets/../../outside", PathProblem::Dots),
        (&*absolute, PathProblem::Absolute),
        ("C:\\outside", PathProblem::Absolute),
        ("..\\outside", PathProblem::Backslash),
        ("", PathProblem::Empty),
        ("a\0", PathProblem::Nul),
        (".env", PathProblem::Hidden),
        (".git/config", PathProblem::Hidden),
        ("SKILL.md", PathProblem::Document),
        ("a/a/a/a/a/a/a/a/a/a", PathProblem::TooDeep),
    ] {
        match catalog.resource("plan", path).unwrap_err() {
            DocumentReadError::Path { problem, .. } => assert_eq!(problem, expected, "{path:?}"),
            other => panic!("{path:?}: {other}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn links_pipes_and_large_files_are_not_read() {
    use std::os::unix::fs::symlink;
    let (temp, _) = plan();
    symlink("../outside", temp.at("plan/link")).unwrap();
    symlink("..", temp.at("plan/up")).unwrap();
    symlink("assets", temp.at("plan/same")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(temp.at("plan/pipe"))
        .status();
    temp.write("plan/large", "12345");
    let mut limits = Dialect::LILY.limits;
    limits.resource = 4;
    let catalog = project(&temp, Dialect::LILY.with_limits(limits)).load();
    assert_eq!(
        catalog.resources("plan").unwrap(),
        ["assets/a/b.txt", "large", "scripts/run.py"]
    );
    let mut paths = vec![
        "link",
        "up/outside",
        "same/a/b.txt",
        "assets",
        "large",
        "large/x",
    ];
    if pipe.is_ok_and(|status| status.success()) {
        paths.push("pipe")
    } else {
        println!("skipped in part: there is no `mkfifo`")
    }
    for path in paths {
        let error = catalog.resource("plan", path).unwrap_err();
        assert!(
            matches!(error, DocumentReadError::Refused { .. }),
            "{path}: {error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_became_a_link_is_not_followed() {
    let (temp, catalog) = plan();
    std::fs::rename(temp.at("plan"), temp.at("moved")).unwrap();
    std::os::unix::fs::symlink("moved", temp.at("plan")).unwrap();
    assert!(matches!(
        catalog.read("plan"),
        Err(DocumentReadError::Refused { .. })
    ));
    assert!(catalog.resource("plan", "scripts/run.py").is_err());
    assert!(catalog.resources("plan").is_err());
}

#[test]
fn too_many_files_are_refused_and_deep_ones_left_out() {
    let (temp, _) = plan();
    let mut limits = Dialect::LILY.limits;
    limits.resource_depth = 1;
    let catalog = project(&temp, Dialect::LILY.with_limits(limits)).load();
    assert_eq!(catalog.resources("plan").unwrap(), ["scripts/run.py"]);
    limits.resources = 3;
    let catalog = project(&temp, Dialect::LILY.with_limits(limits)).load();
    let error = catalog.resources("plan").unwrap_err();
    assert!(error.to_string().contains("more than 3 files"), "{error}");
}

#[test]
fn a_reload_returns_what_it_changed() {
    let (temp, mut catalog) = plan();
    let before = catalog.clone();
    let hash = catalog.hash();
    assert!(catalog.reload().is_empty());
    assert_eq!((catalog.generation(), catalog.hash()), (0, hash));

    temp.write("a/SKILL.md", "# A\n")
        .write("z/SKILL.md", "# Z\n")
        .write("plan/SKILL.md", "# P\n");
    let changes = catalog.reload();
    assert_eq!(
        (changes.added, changes.changed),
        (vec!["a".into(), "z".into()], vec!["plan".into()])
    );
    assert!(changes.removed.is_empty());
    assert_eq!(catalog.generation(), 1);
    assert_ne!(catalog.hash(), hash);
    // a clone is unchanged
    assert_eq!(
        (ids(&before), before.generation()),
        (vec!["plan".to_owned()], 0)
    );

    std::fs::remove_dir_all(temp.at("a")).unwrap();
    let changes = catalog.reload();
    assert_eq!(
        (changes.removed, changes.added.len()),
        (vec!["a".into()], 0)
    );
    assert_eq!(
        (catalog.generation(), ids(&catalog)),
        (2, vec!["plan".to_owned(), "z".to_owned()])
    );
}
