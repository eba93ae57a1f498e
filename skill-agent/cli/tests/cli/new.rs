//! Creating a skill.

use crate::support::Folder;

#[test]
fn a_new_document_is_valid_in_every_dialect() {
    let folder = Folder::of(&[]);
    for dialect in [
        "agent_skills",
        "agent_skills_lenient",
        "triggered",
        "named",
        "lily",
    ] {
        for name in ["plan", "true", "007", "1-0", "no"] {
            let path = format!("{dialect}/{name}/SKILL.md");
            let run = folder.run(&["new", name, dialect, "--dialect", dialect]);
            assert_eq!((run.code, run.out), (0, format!("{path}\n")), "{}", run.err);
            let run = folder.run(&["validate", "--json", "--dialect", dialect, &path]);
            assert_eq!(
                (run.code, &run.lines()[0]["id"]),
                (0, &name.into()),
                "{}",
                run.out
            );
        }
    }
}

#[test]
fn a_display_name_is_quoted() {
    let folder = Folder::of(&[]);
    for name in ["Plan: \"it\" #1", "字 字", "- a", "it's"] {
        assert_eq!(
            folder.run(&["new", "--dialect", "named", "--", name]).code,
            0,
            "{name}"
        );
        let path = format!("./{name}");
        let run = folder.run(&["validate", "--dialect", "named", "--json", &path]);
        assert_eq!(
            (run.code, &run.lines()[0]["diagnostics"]),
            (0, &serde_json::json!([]))
        );
    }
}

#[test]
fn an_existing_document_is_not_overwritten() {
    let folder = Folder::of(&[("a/skill.md", "mine"), ("b/notes.md", "mine")]);
    let run = folder.run(&["new", "a"]);
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(
        run.err
            .starts_with("error: `./a/skill.md` already exists\n"),
        "{}",
        run.err
    );
    let entries: Vec<_> = folder.path().join("a").read_dir().unwrap().collect();
    assert_eq!(entries.len(), 1);
    // the folder may exist before its document
    assert_eq!(folder.run(&["new", "b"]).code, 0);
    assert_eq!(folder.run(&["new", "b"]).code, 1);
}

#[test]
fn a_wrong_name_is_reported_before_anything_is_written() {
    let folder = Folder::of(&[]);
    for name in [
        "My_Skill",
        "a--b",
        "a ",
        "",
        ".",
        "..",
        "../a",
        "a/b",
        "/a",
        "a\nb",
        "\u{202e}a",
    ] {
        let run = folder.run(&["new", name]);
        assert_eq!((run.code, &*run.out), (2, ""), "{name:?}");
        assert!(run.err.starts_with("error: "), "{name:?}: {}", run.err);
    }
    for (name, help) in [
        ("My_Skill", "`my-skill` would be valid"),
        ("\u{c9}tude 2", "`\u{e9}tude-2` would be valid"),
        ("\u{ff21}b", "`ab` would be valid"),
        ("--a", "`a` would be valid"),
        ("__", "name it as in `code-review`"),
        ("", "name it as in `code-review`"),
        ("..", "name it as in `code-review`"),
        ("a/b", "give the folder to write to as the second argument"),
    ] {
        let run = folder.run(&["new", "--", name]);
        let help = format!("= help: {help}\n");
        assert!(run.err.ends_with(&help), "{name}: {}", run.err);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn the_created_folders_are_named() {
    let folder = Folder::of(&[("a/notes.md", "")]);
    for (arguments, path, note) in [
        (
            &["new", "plan"][..],
            "./plan/SKILL.md",
            "note: created the folder `./plan`\n",
        ),
        (
            &["new", "plan", "a/b/c"],
            "a/b/c/plan/SKILL.md",
            "note: created the folders `a/b`, `a/b/c`, `a/b/c/plan`\n",
        ),
        (&["new", "a"], "./a/SKILL.md", ""),
    ] {
        let run = folder.run(arguments);
        let printed = (run.code, &*run.out, &*run.err);
        assert_eq!(printed, (0, &*format!("{path}\n"), note));
    }
}

#[test]
fn the_folder_may_be_an_option() {
    let folder = Folder::of(&[]);
    let run = folder.run(&["new", "plan", "--dir", "skills"]);
    assert_eq!((run.code, &*run.out), (0, "skills/plan/SKILL.md\n"));
    let run = folder.run(&["new", "plan", "other", "--dir", "skills"]);
    assert_eq!(run.code, 2, "{}", run.err);
}
