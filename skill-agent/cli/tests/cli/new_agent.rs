//! Creating a program with an agent.

use crate::new_crate::{assert_filled, files};
use crate::support::Folder;
use std::fs;

#[test]
fn a_new_agent_has_two_skills_tests_and_a_loop() {
    let folder = Folder::of(&[("Cargo.toml", "[workspace]\nmembers = []\n")]);
    let run = folder.run(&["new", "--agent", "my_assistant", "apps"]);
    assert_eq!(
        (run.code, &*run.out),
        (0, "cd apps/my_assistant\ncargo test\n"),
        "{}",
        run.err
    );
    let note = "note: created the crate `apps/my_assistant`\n";
    assert!(run.err.starts_with(note), "{}", run.err);
    let files = files(&folder.path().join("apps/my_assistant"));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            ".gitignore",
            "Cargo.toml",
            "README.md",
            "src/main.rs",
            "src/skills/mod.rs",
            "src/skills/notes.rs",
            "src/skills/tasks.rs",
            "src/tests.rs",
        ]
    );
    assert_filled(&files);
    let manifest = &files["Cargo.toml"];
    let version = env!("CARGO_PKG_VERSION");
    let dependency = format!(
        "skill-agent = {{ version = \"{version}\", features = [\"conversations\", \"http\", \"redb\"] }}"
    );
    assert!(
        manifest.lines().any(|line| line == dependency),
        "{manifest}"
    );
    assert!(manifest.ends_with("\n[workspace]\n"), "{manifest}");
    let main = &files["src/main.rs"];
    assert!(main.contains("name: \"my_assistant\",\n"), "{main}");
    let from_loop = main.lines().skip_while(|line| *line != "    loop {");
    let lines = from_loop.take_while(|line| *line != "    }").count() + 1;
    assert!((2..=30).contains(&lines), "the loop has {lines} lines");
}

#[test]
fn a_name_that_no_program_can_have_is_refused() {
    let folder = Folder::of(&[]);
    let long = "a".repeat(65);
    for (name, why, help) in [
        (
            "My Assistant",
            "a name has `a-z`, `0-9`, `_` and `-` only, and begins with a letter",
            "`my-assistant` would be valid",
        ),
        (
            "match",
            "it is a word that Rust or this library reserves",
            "`match-agent` would be valid",
        ),
        (
            "skill-agent",
            "it is a crate that the new one depends on",
            "`skill-agent-agent` would be valid",
        ),
        (
            "tokio",
            "it is a crate that the new one depends on",
            "`tokio-agent` would be valid",
        ),
        (
            "deps",
            "it is a folder of cargo's builds",
            "`deps-agent` would be valid",
        ),
        (
            "apps/assistant",
            "a name has `a-z`, `0-9`, `_` and `-` only, and begins with a letter",
            "give the folder to write to as the second argument",
        ),
        (&long, "it has more than 64 characters", ""),
    ] {
        let run = folder.run(&["new", "--agent", name]);
        let mut expected = format!("error: `{name}` cannot be the name of an agent: {why}\n");
        if !help.is_empty() {
            expected += &format!(" |\n = help: {help}\n");
        }
        assert_eq!((run.code, &*run.out, run.err), (2, "", expected));
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    assert_eq!(folder.run(&["new", "--agent", &long[1..]]).code, 0);
}

#[test]
fn an_existing_folder_is_not_changed() {
    let folder = Folder::of(&[("mine/notes.md", "mine")]);
    let run = folder.run(&["new", "--agent", "mine"]);
    let expected = "error: `./mine` already exists\n |\n = help: choose another name, or edit it\n";
    assert_eq!((run.code, &*run.out, &*run.err), (1, "", expected));
    let path = folder.path().join("mine/notes.md");
    assert_eq!(fs::read_to_string(path).unwrap(), "mine");
    assert_eq!(files(folder.path()).len(), 1);
}

#[test]
fn an_agent_has_no_options_of_skills() {
    let folder = Folder::of(&[]);
    for (option, error) in [
        (
            &["--dialect", "lily"][..],
            "the argument '--agent' cannot be used with '--dialect",
        ),
        (
            &["--crate"],
            "the argument '--agent' cannot be used with '--crate'",
        ),
    ] {
        let run = folder.run(&[&["new", "--agent", "assistant"], option].concat());
        assert_eq!((run.code, &*run.out), (2, ""));
        assert!(run.err.contains(error), "{}", run.err);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
