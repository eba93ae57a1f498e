//! Finding the documents of a folder.

use crate::support::{Folder, valid, verdicts};

#[test]
fn a_folder_is_walked_sorted_by_name() {
    let folder = Folder::of(&[
        ("c/SKILL.md", &valid("c")),
        ("a/SKILL.md", &valid("a")),
        ("a/deeper/x/SKILL.md", &valid("x")),
        ("a/notes.md", "no document"),
        ("b/readme.md", "no document"),
        (".claude/skills/d/SKILL.md", &valid("d")),
        (".git/e/SKILL.md", &valid("e")),
        ("node_modules/f/SKILL.md", &valid("f")),
    ]);
    let run = folder.run(&["validate", "--json", "."]);
    let expected = verdicts(&[
        ("./.claude/skills/d/SKILL.md", "ok"),
        ("./a/SKILL.md", "ok"),
        ("./a/deeper/x/SKILL.md", "ok"),
        ("./c/SKILL.md", "ok"),
    ]);
    assert_eq!((run.code, run.verdicts()), (0, expected));
    // a named path is not skipped
    let run = folder.run(&["validate", "--json", ".git/e", "node_modules"]);
    let expected = verdicts(&[(".git/e/SKILL.md", "ok"), ("node_modules/f/SKILL.md", "ok")]);
    assert_eq!(run.verdicts(), expected);
}

#[test]
fn the_dialect_decides_the_file_names() {
    let folder = Folder::of(&[
        ("a/skill.md", &valid("a")),
        ("b/SKILL.md", &valid("b")),
        ("b/Skill.md", "no document"),
    ]);
    let run = folder.run(&["validate", "--json", "."]);
    let expected = verdicts(&[("./a/skill.md", "ok"), ("./b/SKILL.md", "ok")]);
    assert_eq!(run.verdicts(), expected);
    let run = folder.run(&["validate", "--dialect", "triggered", "--json", "."]);
    assert_eq!(run.verdicts(), verdicts(&[("./b/SKILL.md", "ok")]));
    folder.write("c/Skill.MD", valid("c").as_bytes());
    let run = folder.run(&[
        "validate",
        "--dialect",
        "agent_skills_lenient",
        "--json",
        ".",
    ]);
    let expected = verdicts(&[
        ("./a/skill.md", "ok"),
        ("./b/SKILL.md", "ok"),
        ("./c/Skill.MD", "ok"),
    ]);
    assert_eq!(run.verdicts(), expected);
}

#[test]
fn a_path_without_a_document_is_not_valid() {
    let folder = Folder::of(&[("a/notes.md", "x"), ("b/SKILL.md", &valid("b"))]);
    let run = folder.run(&["validate", "--json", "a", "gone", "b"]);
    let expected = verdicts(&[
        ("a", "missing_skill_md"),
        ("gone", "unreadable"),
        ("b/SKILL.md", "ok"),
    ]);
    assert_eq!((run.code, run.verdicts()), (2, expected));
    let run = folder.run(&["validate", "gone"]);
    assert!(
        run.out
            .starts_with("error[unreadable]: there is no such file or folder\n--> gone\n"),
        "{}",
        run.out
    );
    let run = folder.run(&["validate", "a"]);
    assert!(
        run.out
            .contains("error[missing_skill_md]: there is no SKILL.md in this folder\n--> a\n")
    );
}

#[test]
fn a_file_with_another_name_is_checked_with_a_warning() {
    let folder = Folder::of(&[
        ("a/draft.md", &valid("a")),
        ("a/skill.md", &valid("a")),
        ("notes.txt", "no document"),
        ("b/SKILL.md/x", "a folder"),
    ]);
    let run = folder.run(&["validate", "a/draft.md"]);
    let reported = "\
warning[missing_skill_md]: no loader finds this file, because its name is not `SKILL.md`
--> a/draft.md

1 document: 1 valid, 0 invalid (0 errors, 1 warning)
";
    assert_eq!((run.code, &*run.out), (0, reported));
    // in a dialect in which any text is a document
    let run = folder.run(&["validate", "--dialect", "lily", "--json", "notes.txt"]);
    let line = &run.lines()[0];
    assert_eq!(line["diagnostics"][0]["code"], "missing_skill_md");
    let run = folder.run(&["validate", "--json", "a/skill.md"]);
    assert_eq!(run.lines()[0]["diagnostics"], serde_json::json!([]));
    let run = folder.run(&["validate", "b"]);
    assert!(
        run.out
            .starts_with("error[unreadable]: this is a folder, not a file\n--> b/SKILL.md\n"),
        "{}",
        run.out
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_only_files_are_opened() {
    use std::os::unix::fs::symlink;
    let folder = Folder::of(&[("a/SKILL.md", &valid("a")), ("d/x", ""), ("e/x", "")]);
    let path = folder.path();
    symlink(path, path.join("a/loop")).unwrap();
    symlink(path.join("a"), path.join("b")).unwrap();
    symlink(path.join("a/SKILL.md"), path.join("d/SKILL.md")).unwrap();
    let fifo = std::process::Command::new("mkfifo")
        .arg(path.join("e/SKILL.md"))
        .status();
    assert!(fifo.unwrap().success());
    let run = folder.run(&["validate", "--json", "."]);
    let expected = verdicts(&[
        ("./a/SKILL.md", "ok"),
        ("./b", "link_refused"),
        ("./d/SKILL.md", "link_refused"),
        ("./e/SKILL.md", "unreadable"),
    ]);
    assert_eq!((run.code, run.verdicts()), (1, expected));
    // a link that is named is followed
    let run = folder.run(&["validate", "--json", "b", "e/SKILL.md"]);
    let expected = verdicts(&[
        ("b/SKILL.md", "name_mismatch"),
        ("e/SKILL.md", "unreadable"),
    ]);
    assert_eq!(run.verdicts(), expected);
}

/// A folder `skills` with documents, and with links to documents in it and next to it.
#[cfg(unix)]
fn with_links() -> Folder {
    use std::os::unix::fs::symlink;
    let folder = Folder::of(&[
        ("skills/real/SKILL.md", &valid("real")),
        ("skills/node_modules/kept/SKILL.md", &valid("kept")),
        ("skills/same/notes.md", "no document"),
        ("outside/SKILL.md", &valid("outside")),
        ("more/deep/SKILL.md", &valid("deep")),
        ("notes/one.md", "no document"),
    ]);
    for (target, link) in [
        // to documents
        ("../outside", "out"),
        ("../more", "several"),
        ("real", "twice"),
        ("node_modules/kept", "near"),
        ("../real/SKILL.md", "same/SKILL.md"),
        // to folders that contain no readable document
        ("../notes", "notes"),
        ("../notes/one.md", "one.md"),
        ("nowhere", "broken"),
        ("loop", "loop"),
    ] {
        symlink(target, folder.path().join("skills").join(link)).unwrap();
    }
    folder
}

#[cfg(unix)]
#[test]
fn a_link_to_documents_is_reported_if_the_dialect_follows_none() {
    let folder = with_links();
    let run = folder.run(&["validate", "--json", "skills"]);
    let expected = verdicts(&[
        ("skills/near", "link_refused"),
        ("skills/out", "link_refused"),
        ("skills/real/SKILL.md", "ok"),
        ("skills/same/SKILL.md", "link_refused"),
        ("skills/several", "link_refused"),
        ("skills/twice", "link_refused"),
    ]);
    assert_eq!((run.code, run.verdicts()), (1, expected));
    let run = folder.run(&["validate", "skills"]);
    let reported = "error[link_refused]: this is a link, and links are not followed
--> skills/out
 = help: loaders refuse it too: replace it with its target
";
    assert!(run.out.contains(reported), "{}", run.out);
    assert!(
        run.out
            .ends_with("6 documents: 1 valid, 5 invalid (5 errors, 0 warnings)\n")
    );
}

#[cfg(unix)]
#[test]
fn a_link_within_the_folder_is_followed_once_if_the_dialect_says_so() {
    let folder = with_links();
    let run = folder.run(&[
        "validate",
        "--dialect",
        "agent_skills_lenient",
        "--json",
        "skills",
    ]);
    let expected = verdicts(&[
        ("skills/node_modules/kept/SKILL.md", "ok"),
        ("skills/out", "link_refused"),
        ("skills/real/SKILL.md", "ok"),
        ("skills/same/SKILL.md", "link_refused"),
        ("skills/several", "link_refused"),
    ]);
    assert_eq!((run.code, run.verdicts()), (1, expected));
    let out = &run.lines()[1]["diagnostics"][0];
    assert_eq!(
        out["message"],
        "this is a link out of the folder that is searched, and such links are not followed"
    );
    // links that lead to each other are cut off, and the folder itself is not visited again
    let here = folder.path().join("skills");
    std::os::unix::fs::symlink(".", here.join("self")).unwrap();
    std::os::unix::fs::symlink("real", here.join("again")).unwrap();
    let run = folder.run(&[
        "validate",
        "--dialect",
        "agent_skills_lenient",
        "--json",
        "skills",
    ]);
    assert_eq!(run.lines().len(), 5, "{}", run.out);
}

#[test]
fn folders_may_be_nested_as_deep_as_the_system_allows() {
    let folder = Folder::of(&[]);
    let deep = vec!["d"; 1_000].join("/");
    folder.write(&format!("{deep}/SKILL.md"), valid("d").as_bytes());
    let run = folder.run(&["validate", "--json", "."]);
    assert_eq!(
        run.verdicts(),
        verdicts(&[(&format!("./{deep}/SKILL.md"), "ok")])
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_unicode_is_shown_with_replacement_characters() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::of(&[]);
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"a\xFF"));
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("SKILL.md"), valid("a")).unwrap();
    let run = folder.run(&["validate", "--json", "."]);
    assert_eq!(
        run.verdicts(),
        verdicts(&[("./a\u{FFFD}/SKILL.md", "name_mismatch")])
    );
}
