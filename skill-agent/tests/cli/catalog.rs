//! `list`, `show` and `prompt`: the skills of folders.

use crate::support::{Folder, Run, program, valid};

const REVIEW: &str = "---
name: review
description: Reviews a change. Twice.
license: MIT
allowed-tools: Read, Bash(git diff:*)
---
# Review

\tRead it.\u{1b}[2J
";

fn folder() -> Folder {
    Folder::of(&[
        ("skills/review/SKILL.md", REVIEW),
        ("skills/review/notes/one.md", "1"),
        ("skills/plan/SKILL.md", &valid("plan")),
        ("skills/broken/SKILL.md", "---\nname: broken\n"),
        ("more/write/SKILL.md", &valid("write")),
    ])
}

#[test]
fn list_has_a_line_for_each_skill_and_says_what_is_left_out() {
    let run = folder().run(&["list", "skills", "more"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.out,
        "plan    What it does\nreview  Reviews a change\nwrite   What it does\n"
    );
    assert_eq!(
        run.err,
        "error[malformed_frontmatter]: the frontmatter has no end\n--> skills/broken/SKILL.md:1:1\n = help: end it with a line `---`\n"
    );
}

#[test]
fn show_has_all_that_a_skill_says_and_brings() {
    let run = folder().run(&["show", "review", "skills"]);
    assert_eq!((run.code, &*run.err), (0, ""));
    let (header, body) = run.out.split_once("\n\n").unwrap();
    let rows: Vec<(&str, &str)> = header.lines().map(|it| it.split_at(16)).collect();
    let hash = rows[4].1;
    assert_eq!(hash.len(), 64);
    assert_eq!(
        rows,
        [
            ("id              ", "review"),
            ("description     ", "Reviews a change. Twice."),
            ("path            ", "skills/review/SKILL.md"),
            ("source          ", "skills"),
            ("hash            ", hash),
            ("license         ", "MIT"),
            ("allowed-tools   ", "Read, Bash(git diff:*)"),
            ("files           ", "notes/one.md"),
        ]
    );
    assert_eq!(body, "# Review\n\n\tRead it.\\u{1b}[2J\n");
}

#[test]
fn prompt_is_the_block_for_a_model() {
    let folder = Folder::of(&[
        ("skills/a/SKILL.md", &valid("a")),
        (
            "skills/b/SKILL.md",
            "---\nname: b\ndescription: <b> & \"\u{202e}\u{200b}\"\n---\n",
        ),
    ]);
    let run = folder.run(&["prompt", "skills"]);
    let here = folder.path().canonicalize().unwrap();
    let expected = format!(
        "<available_skills>
<skill>
<name>
a
</name>
<description>
What it does.
</description>
<location>
{0}/skills/a/SKILL.md
</location>
</skill>
<skill>
<name>
b
</name>
<description>
&lt;b&gt; &amp; &quot;&quot;
</description>
<location>
{0}/skills/b/SKILL.md
</location>
</skill>
</available_skills>
",
        here.display()
    );
    assert_eq!((run.code, run.out), (0, expected));
    assert!(run.err.starts_with("warning[hidden_character]: "));
    let folder = Folder::of(&[("skills/notes.md", "")]);
    let none = folder.run(&["prompt", "skills"]);
    assert_eq!((none.code, &*none.out, &*none.err), (0, "", ""));
    let none = folder.run(&["list", "skills"]);
    let told = (none.code, &*none.out, &*none.err);
    assert_eq!(told, (0, "", "note: there are no skills\n"));
    let usual = Run::of(
        program()
            .arg("list")
            .current_dir(folder.path())
            .env("HOME", folder.path()),
    );
    assert!(
        usual
            .err
            .ends_with("= help: name the folder that holds them\n"),
        "{}",
        usual.err
    );
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let folder = folder();
    let run = folder.run(&["show", "broken", "skills"]);
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(
        run.err.contains("error[malformed_frontmatter]"),
        "{}",
        run.err
    );
    assert!(run.err.contains("error: there is no skill `broken`\n"));
    assert!(run.err.ends_with("= help: there are `plan`, `review`\n"));
    let run = folder.run(&["list", "gone"]);
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(
        run.err.starts_with("error: the source `gone` is required"),
        "{}",
        run.err
    );
    for one in ["skills/plan", "skills/plan/", "skills/plan/SKILL.md"] {
        let run = folder.run(&["list", one]);
        assert_eq!(run.code, 2);
        assert!(
            run.err
                .ends_with("= help: name the folder above it, `skills`\n"),
            "{}",
            run.err
        );
    }
    let plan = folder.path().join("skills/plan");
    for (one, above) in [(".", "./.."), ("SKILL.md", "./.."), ("../plan", "..")] {
        let run = Run::of(program().args(["prompt", one]).current_dir(&plan));
        let help = format!("= help: name the folder above it, `{above}`\n");
        assert!(run.code == 2 && run.err.ends_with(&help), "{}", run.err);
    }
    let run = folder.run(&["list", "skills/review/notes/one.md"]);
    assert_eq!(
        (run.code, &*run.err),
        (
            2,
            "error: `skills/review/notes/one.md` is a file, and what is asked for is a folder that holds skills\n"
        )
    );
}

#[test]
fn the_usual_folders_are_listed_and_not_trusted() {
    let folder = Folder::of(&[
        ("project/.claude/skills/here/SKILL.md", &valid("here")),
        ("home/.agent/skills/there/SKILL.md", &valid("there")),
    ]);
    let run = |arguments: &[&str]| {
        Run::of(
            program()
                .args(arguments)
                .current_dir(folder.path().join("project"))
                .env("HOME", folder.path().join("home")),
        )
    };
    let listed = run(&["list"]);
    assert_eq!(
        (listed.code, &*listed.out, &*listed.err),
        (
            0,
            "here   What it does  [not trusted]\nthere  What it does  [not trusted]\n",
            ""
        )
    );
    let shown = run(&["show", "here"]);
    assert_eq!((shown.code, &*shown.err), (0, ""));
    assert!(shown.out.contains("trusted         no\n"), "{}", shown.out);
    assert!(shown.out.ends_with("\n\nBody\n"));
    let prompt = run(&["prompt"]);
    assert_eq!((prompt.code, &*prompt.out), (0, ""));
    assert!(
        prompt.err.starts_with("error: no skill is offered"),
        "{}",
        prompt.err
    );
}

#[test]
fn show_has_every_skill_of_an_id_that_nobody_has_chosen_from() {
    let folder = Folder::of(&[
        ("project/.agent/skills/one/SKILL.md", "# Project's\n"),
        ("home/.agent/skills/one/SKILL.md", "# Home's\n"),
    ]);
    let run = Run::of(
        program()
            .args(["show", "one", "--dialect", "lily"])
            .current_dir(folder.path().join("project"))
            .env("HOME", folder.path().join("home")),
    );
    assert_eq!((run.code, &*run.err), (0, ""));
    let shown: Vec<_> = run.out.split("id              one\n").collect();
    assert_eq!(shown.len(), 3, "{}", run.out);
    assert!(shown[1].contains("source          user\n"));
    assert!(shown[1].ends_with("\n\n# Home's\n\n"));
    assert!(shown[2].contains("source          project\n"));
    assert!(shown[2].ends_with("\n\n# Project's\n"));
}
