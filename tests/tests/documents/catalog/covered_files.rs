//! The hash of a discovered document covers every file below its folder, or the document cannot be trusted.

use crate::catalog::support::{Temp, codes, ids, reported};
use skill_agent::manifest::{
    Catalog, CatalogEntry, Dialect, DocumentReadError, PathProblem, Source,
};

fn plan() -> Temp {
    let temp = Temp::new();
    temp.write("project/plan/SKILL.md", "# Plan\n")
        .write("project/plan/run.py", "print()");
    temp
}

fn discovered(temp: &Temp) -> Catalog {
    Catalog::builder(Dialect::LILY)
        .source(Source::project(temp.at("project")).discovered())
        .load()
}

fn named(temp: &Temp) -> Catalog {
    Catalog::builder(Dialect::LILY)
        .source(Source::project(temp.at("project")))
        .load()
}

fn entry(catalog: &Catalog) -> CatalogEntry {
    catalog.listed().next().unwrap().clone()
}

/// Files that are not served, but that a script beside them can read or run.
const COVERED: [&str; 5] = [
    ".env",
    ".git/hooks/post-checkout",
    "node_modules/x/index.js",
    "lib/node_modules/x.js",
    "skill.md",
];

#[test]
fn the_hash_covers_hidden_files_and_modules() {
    for path in COVERED {
        let temp = plan();
        let without = entry(&discovered(&temp)).hash;
        let path_on_disk = format!("project/plan/{path}");
        temp.write(&path_on_disk, "one");
        if temp.at("project/plan/skill.md").exists() && path != "skill.md" {
            println!("skipped: this file system does not distinguish these names");
            return;
        }
        let mut catalog = discovered(&temp);
        let hash = entry(&catalog).hash;
        assert_ne!(hash, without, "{path}");
        catalog.trust("plan", hash).unwrap();
        assert_eq!(ids(&catalog), ["plan"]);
        // a change ends the trust, although the file is not served
        temp.write(&path_on_disk, "two");
        assert_eq!(catalog.reload().removed, ["plan"], "{path}");
        assert_ne!(entry(&catalog).hash, hash, "{path}");
    }
}

#[test]
fn a_person_reviews_every_covered_file_and_a_program_gets_those_that_are_served() {
    let temp = plan();
    for path in COVERED {
        temp.write(&format!("project/plan/{path}"), path);
    }
    let mut catalog = discovered(&temp);
    let entry = entry(&catalog);
    let all = catalog.resources_listed(&entry).unwrap();
    let mut expected = [&COVERED[..], &["run.py"]].concat();
    expected.sort_unstable();
    assert_eq!(all, expected);
    for path in COVERED {
        let content = catalog.resource_listed(&entry, path).unwrap();
        assert_eq!(content, path.as_bytes());
    }
    for path in ["../plan/run.py", "/etc/passwd", ".git", "none"] {
        assert!(catalog.resource_listed(&entry, path).is_err(), "{path}");
    }
    catalog.trust("plan", entry.hash).unwrap();
    assert_eq!(catalog.resources("plan").unwrap(), ["run.py"]);
    let error = catalog.resource("plan", ".env").unwrap_err();
    let hidden = PathProblem::Hidden;
    assert!(
        matches!(error, DocumentReadError::Path { problem, .. } if problem == hidden),
        "{error}"
    );
    // in a source that the program names, nothing is hashed
    let named = named(&temp);
    assert_eq!(named.resources("plan").unwrap(), ["run.py"]);
}

#[cfg(unix)]
#[test]
fn a_document_with_a_link_a_pipe_or_an_unreadable_name_cannot_be_trusted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    type Change = fn(&Temp);
    let changes: [(&str, Change, &str, &str); 5] = [
        (
            "link",
            |temp| symlink("../../outside", temp.at("project/plan/link")).unwrap(),
            "link_refused",
            "it is a symbolic link",
        ),
        (
            "lib/.up",
            |temp| {
                std::fs::create_dir(temp.at("project/plan/lib")).unwrap();
                symlink("..", temp.at("project/plan/lib/.up")).unwrap();
            },
            "link_refused",
            "it is a symbolic link",
        ),
        (
            "pipe",
            |temp| {
                let pipe = temp.at("project/plan/pipe");
                let made = std::process::Command::new("mkfifo").arg(pipe).status();
                assert!(made.unwrap().success());
            },
            "unreadable",
            "it is not a regular file",
        ),
        (
            "\u{fffd}",
            |temp| {
                let name = OsStr::from_bytes(b"\xff");
                std::fs::write(temp.at("project/plan").join(name), "").unwrap();
            },
            "unreadable",
            "its name is not UTF-8",
        ),
        (
            "SKILL.md",
            |temp| std::fs::hard_link(temp.at("project/plan/SKILL.md"), temp.at("more")).unwrap(),
            "link_refused",
            "it has several hard links",
        ),
    ];
    for (place, change, code, why) in changes {
        let temp = plan();
        temp.write("outside", "no");
        change(&temp);
        let catalog = discovered(&temp);
        assert_eq!(catalog.listed().count(), 0, "{place}");
        let at = format!("project/plan/{place}");
        assert_eq!(reported(&catalog, temp.path()), [(code, at)]);
        let message = &catalog.diagnostics()[0].message;
        assert!(message.contains(why), "{message}");
        // the program vouches for a folder that it names
        assert_eq!(ids(&named(&temp)), ["plan"], "{place}");
    }
}

#[cfg(unix)]
#[test]
fn a_hard_link_to_outside_is_refused_where_the_source_was_discovered() {
    let temp = plan();
    temp.write("secret", "key");
    for path in ["secret.txt", ".secret", "a/b"] {
        let link = temp.at("project/plan").join(path);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::fs::hard_link(temp.at("secret"), &link).unwrap();
        let catalog = discovered(&temp);
        assert_eq!(catalog.listed().count(), 0, "{path}");
        let at = format!("project/plan/{path}");
        assert_eq!(reported(&catalog, temp.path()), [("link_refused", at)]);
        std::fs::remove_file(&link).unwrap();
    }
    // made after the trust: nothing is served that has another name elsewhere
    let mut catalog = discovered(&temp);
    let hash = entry(&catalog).hash;
    catalog.trust("plan", hash).unwrap();
    std::fs::hard_link(temp.at("project/plan/run.py"), temp.at("copy")).unwrap();
    assert!(catalog.resource("plan", "run.py").is_err());
    assert_eq!(catalog.reload().removed, ["plan"]);
    assert_eq!(codes(&catalog), ["link_refused"]);
    // package stores link files into the folders of programs
    assert_eq!(named(&temp).resource("plan", "run.py").unwrap(), b"print()");
}
