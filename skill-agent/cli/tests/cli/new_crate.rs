//! Creating a crate with a skill.

use crate::support::{Folder, Run, checkout, program};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the files below a folder, with their texts.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.insert(name.replace('\\', "/"), fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// Checks that no placeholder is left in the files, and that each ends with one line break.
pub(crate) fn assert_filled(files: &BTreeMap<String, String>) {
    for (name, text) in files {
        for placeholder in [
            "{name}",
            "{library}",
            "{Type}",
            "{core}",
            "{agent}",
            "{rust_version}",
            "{workspace}",
        ] {
            assert!(!text.contains(placeholder), "{name}: {placeholder}");
        }
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name}");
    }
}

#[test]
fn a_new_crate_has_a_skill_tests_and_a_contract() {
    let folder = Folder::of(&[]);
    let run = folder.run(&["new", "--crate", "web-search"]);
    assert_eq!(
        (run.code, &*run.out),
        (0, "cd ./web-search\ncargo test\n"),
        "{}",
        run.err
    );
    let notes = "note: created the crate `./web-search`\n\
        note: `skill-agent` is not published yet, so that cargo does not find the dependencies\n \
        |\n = help: until then, write `--path CHECKOUT` with the folder of a checkout\n";
    assert_eq!(run.err, notes);
    let files = files(&folder.path().join("web-search"));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            ".github/workflows/ci.yml",
            ".gitignore",
            "CHANGELOG.md",
            "Cargo.toml",
            "README.md",
            "contract.json",
            "src/lib.rs",
            "tests/skill.rs",
        ]
    );
    assert_filled(&files);
    let version = env!("CARGO_PKG_VERSION");
    let manifest = &files["Cargo.toml"];
    for line in [
        "name = \"web-search\"".to_owned(),
        format!("rust-version = \"{}\"", env!("CARGO_PKG_RUST_VERSION")),
        format!(
            "skill-agent-core = {{ version = \"{version}\", default-features = false, features = [\"macros\"] }}"
        ),
        format!(
            "skill-agent = {{ version = \"{version}\", default-features = false, features = [\"testing\"] }}"
        ),
    ] {
        assert!(
            manifest.lines().any(|found| found == line),
            "{line}\n{manifest}"
        );
    }
    // the edition of this workspace
    let workspace = fs::read_to_string(checkout().join("Cargo.toml")).unwrap();
    let edition = workspace
        .lines()
        .find(|line| line.starts_with("edition ="))
        .unwrap();
    assert!(manifest.lines().any(|line| line == edition));
    assert!(files["src/lib.rs"].contains("pub struct WebSearch {"));
}

#[test]
fn a_name_that_cargo_or_an_agent_reserves_is_refused() {
    let folder = Folder::of(&[]);
    for (name, why, help) in [
        ("", "it is empty", ""),
        (
            "Weather",
            "a name has `a-z`, `0-9`, `_` and `-` only, and begins with a letter",
            "`weather` would be valid",
        ),
        (
            "my skill",
            "a name has `a-z`, `0-9`, `_` and `-` only, and begins with a letter",
            "`my-skill` would be valid",
        ),
        (
            "w\u{e4}tter",
            "it has a character that is not ASCII",
            "`w-tter` would be valid",
        ),
        (
            "2fast",
            "it begins with a digit",
            "`skill-2fast` would be valid",
        ),
        (
            "_x",
            "a name has `a-z`, `0-9`, `_` and `-` only, and begins with a letter",
            "`x` would be valid",
        ),
        (
            "a--b",
            "one `-` or `_` separates two words",
            "`a-b` would be valid",
        ),
        (
            "a_",
            "one `-` or `_` separates two words",
            "`a` would be valid",
        ),
        (
            "match",
            "it is a word that Rust or this library reserves",
            "`match-skill` would be valid",
        ),
        (
            "gen",
            "it is a word that Rust or this library reserves",
            "`gen-skill` would be valid",
        ),
        (
            "skills",
            "it is a word that Rust or this library reserves",
            "`skills-skill` would be valid",
        ),
        (
            "test",
            "it is a library of the Rust toolchain",
            "`test-skill` would be valid",
        ),
        (
            "core",
            "it is a library of the Rust toolchain",
            "`core-skill` would be valid",
        ),
        (
            "std",
            "it is a library of the Rust toolchain",
            "`std-skill` would be valid",
        ),
        (
            "proc-macro",
            "it is a library of the Rust toolchain",
            "`proc-macro-skill` would be valid",
        ),
        (
            "nul",
            "it is a name that Windows reserves",
            "`nul-skill` would be valid",
        ),
        (
            "com1",
            "it is a name that Windows reserves",
            "`com1-skill` would be valid",
        ),
        (
            "serde",
            "it is a crate that the new one depends on",
            "`serde-skill` would be valid",
        ),
        (
            "skill-agent",
            "it is a crate that the new one depends on",
            "`skill-agent-skill` would be valid",
        ),
        (
            "a/b",
            "a name has `a-z`, `0-9`, `_` and `-` only, and begins with a letter",
            "give the folder to write to as the second argument",
        ),
        (
            "..",
            "a name has `a-z`, `0-9`, `_` and `-` only, and begins with a letter",
            "",
        ),
    ] {
        let run = folder.run(&["new", "--crate", "--", name]);
        let mut expected = format!("error: `{name}` cannot be the name of a skill crate: {why}\n");
        if !help.is_empty() {
            expected += &format!(" |\n = help: {help}\n");
        }
        assert_eq!(
            (run.code, run.out, run.err),
            (2, String::new(), expected),
            "{name:?}"
        );
    }
    let long = "a".repeat(51);
    let run = folder.run(&["new", "--crate", &long]);
    assert!(
        run.code == 2 && run.err.contains("it has more than 50 characters"),
        "{}",
        run.err
    );
    assert_eq!(folder.run(&["new", "--crate", &long[1..]]).code, 0);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[test]
fn an_existing_folder_or_file_is_not_changed() {
    let folder = Folder::of(&[("full/notes.md", "mine"), ("file", "mine")]);
    fs::create_dir(folder.path().join("empty")).unwrap();
    let before = files(folder.path());
    for name in ["full", "file", "empty"] {
        let run = folder.run(&["new", "--crate", name]);
        let expected = format!(
            "error: `./{name}` already exists\n |\n = help: choose another name, or edit it\n"
        );
        assert_eq!((run.code, &*run.out, run.err), (1, "", expected));
    }
    let run = folder.run(&["new", "--crate", "weather", "file"]);
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(
        run.err
            .starts_with("error: `file/weather` cannot be written: "),
        "{}",
        run.err
    );
    assert_eq!(files(folder.path()), before);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = Folder::of(&[]);
    for (arguments, error) in [
        (
            &["new", "weather", "--path", "."][..],
            "the following required arguments were not provided:\n  <--crate|--agent>",
        ),
        (
            &["new", "--crate", "weather", "--dialect", "lily"],
            "the argument '--crate' cannot be used with '--dialect",
        ),
        (
            &["new", "--crate"],
            "the following required arguments were not provided:\n  <NAME>",
        ),
        (
            &["new", "--crate", "weather", "--path"],
            "a value is required for '--path <CHECKOUT>'",
        ),
    ] {
        let run = folder.run(arguments);
        assert_eq!((run.code, &*run.out), (2, ""));
        assert!(run.err.contains(error), "{}", run.err);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

/// A limit of the size of files makes a write fail after others have succeeded.
#[cfg(unix)]
#[test]
fn a_failure_half_way_leaves_nothing_behind() {
    let folder = Folder::of(&[("mine.txt", "mine")]);
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$0\" new --crate weather new/place";
    let program = program();
    let run = Run::of(
        Command::new("sh")
            .args([OsStr::new("-c"), OsStr::new(script), program.get_program()])
            .current_dir(folder.path()),
    );
    assert_eq!((run.code, &*run.out), (1, ""));
    let error = "error: `new/place/weather/src/lib.rs` cannot be written: ";
    assert!(run.err.starts_with(error), "{}", run.err);
    assert_eq!(
        files(folder.path()).into_keys().collect::<Vec<_>>(),
        ["mine.txt"]
    );
    assert!(!folder.path().join("new").exists());
}
