//! `list` and `prompt`, and what all commands print about folders.

use crate::support::{Folder, REVIEW, Run, program, valid};

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
fn list_prints_a_line_for_each_skill_and_reports_what_is_left_out() {
    let run = folder().run(&["list", "skills", "more"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.out,
        "plan    What it does\nreview  Reviews a change\nwrite   What it does\n"
    );
    assert_eq!(
        run.err,
        "error[malformed_frontmatter]: the frontmatter is not closed\n--> skills/broken/SKILL.md:1:1\n = help: end it with a line `---`\n"
    );
}

#[test]
fn list_cuts_long_texts() {
    let text = |length: usize| {
        let brief = "é".repeat(length);
        format!("---\nname: a\ndescription: d\nbrief_description: {brief}\n---\n")
    };
    for (length, end) in [(200, ""), (201, "…"), (5_000, "…")] {
        let folder = Folder::of(&[("skills/a/SKILL.md", &text(length))]);
        let run = folder.run(&["list", "skills", "--dialect", "triggered"]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.out, format!("a  {}{end}\n", "é".repeat(200)));
    }
}

#[test]
fn prompt_shows_a_long_description_whole_and_says_so() {
    let long = "é".repeat(1_500);
    let text = format!("---\nname: a\ndescription: {long}\n---\n");
    let folder = Folder::of(&[("skills/a/SKILL.md", &text)]);
    for (dialect, said) in [
        ("AGENT_SKILLS_LENIENT", "warning[field_too_long]"),
        (
            "NAMED",
            "note: the description of `a` has 1500 characters; other clients cut it at 1024",
        ),
    ] {
        let run = folder.run(&["prompt", "skills", "--dialect", dialect]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(
            run.out
                .contains(&format!("<description>\n{long}\n</description>"))
        );
        assert!(run.err.contains(said), "{}", run.err);
    }
}

#[test]
fn prompt_prints_no_control_character() {
    let controls: String = ('\0'..'\u{20}')
        .chain('\u{7f}'..='\u{9f}')
        .map(|c| format!("a\\u{:04x}", c as u32))
        .collect();
    let text = format!("---\nname: a\ndescription: \"{controls}\\r\\nb\\rc\"\n---\n");
    let folder = Folder::of(&[("skills/a/SKILL.md", &text)]);
    for dialect in ["AGENT_SKILLS", "AGENT_SKILLS_LENIENT", "NAMED"] {
        let run = folder.run(&["prompt", "skills", "--dialect", dialect]);
        assert_eq!(run.code, 0, "{}", run.err);
        let is_raw = |c: char| c.is_control() && c != '\n';
        assert!(!run.out.contains(is_raw), "{:?}", run.out);
        assert!(run.out.contains("\nb\nc\n</description>"), "{:?}", run.out);
    }
}

#[test]
fn prompt_prints_the_block_for_a_model() {
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
}

#[test]
fn prompt_takes_the_path_of_a_single_skill() {
    let folder = folder();
    let names = |run: Run| -> Vec<String> {
        assert_eq!((run.code, &*run.err), (0, ""));
        let mut lines = run.out.lines();
        let mut names = Vec::new();
        while lines.any(|line| line == "<name>") {
            names.extend(lines.next().map(str::to_owned));
        }
        names
    };
    // the mistake in `skills/broken` is not reported
    for one in ["skills/plan", "skills/plan/", "skills/plan/SKILL.md"] {
        assert_eq!(names(folder.run(&["prompt", one])), ["plan"], "{one}");
    }
    let plan = folder.path().join("skills/plan");
    for one in [".", "SKILL.md", "../plan", "../../skills/plan/."] {
        let run = Run::of(program().args(["prompt", one]).current_dir(&plan));
        assert_eq!(names(run), ["plan"], "{one}");
    }
    let several = folder.run(&["prompt", "skills/review", "more", "skills/plan"]);
    assert_eq!(names(several), ["plan", "review", "write"]);
    let broken = folder.run(&["prompt", "skills/broken"]);
    assert_eq!((broken.code, &*broken.out), (0, ""));
    assert!(broken.err.starts_with("error[malformed_frontmatter]"));
    assert!(
        broken
            .err
            .ends_with("note: there are no skills in `skills/broken`\n")
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("skills/plan", folder.path().join("link")).unwrap();
        assert_eq!(names(folder.run(&["prompt", "link"])), ["plan"]);
    }
}

#[test]
fn no_skills_are_not_an_error() {
    let folder = Folder::of(&[("skills/notes.md", "")]);
    for command in ["list", "prompt"] {
        let none = folder.run(&[command, "skills"]);
        let reported = (none.code, &*none.out, &*none.err);
        let note = "note: there are no skills in `skills`\n |\n = help: a skill is a file such as `skills/NAME/SKILL.md`\n";
        assert_eq!(reported, (0, "", note));
        let usual = Run::of(
            program()
                .arg(command)
                .current_dir(folder.path())
                .env("HOME", folder.path()),
        );
        assert_eq!((usual.code, &*usual.out), (0, ""));
        let help = "= help: name the folder that holds them\n";
        assert!(usual.err.ends_with(help), "{}", usual.err);
    }
}

#[test]
fn a_prompt_with_only_commands_says_that_none_is_for_a_model() {
    let command =
        "---\ninvocation_mode: tool_dispatch\ncommand: note\ncommand_tool: take_note\n---\n";
    let folder = Folder::of(&[
        ("skills/note/SKILL.md", command),
        ("home/.agent/skills/note/SKILL.md", command),
    ]);
    let note = "note: no skill is meant for a model: each has the mode `tool_dispatch`, which calls its tool without a model\n";
    let named = folder.run(&["prompt", "--dialect", "LILY", "skills"]);
    assert_eq!((named.code, &*named.out, &*named.err), (0, "", note));
    // trust would make no difference
    let found = || {
        let mut program = program();
        let home = folder.path().join("home");
        program.args(["prompt", "--dialect", "LILY"]);
        program.current_dir(folder.path()).env("HOME", home);
        Run::of(&mut program)
    };
    let commands = found();
    assert_eq!(
        (commands.code, &*commands.out, &*commands.err),
        (0, "", note)
    );
    folder.write("home/.agent/skills/plan/SKILL.md", b"# Plan\n");
    let untrusted = found();
    assert_eq!(
        (untrusted.code, &*untrusted.out, &*untrusted.err),
        (
            1,
            "",
            "error: no skill is offered: the skills in these folders are not trusted\n |\n = help: name the folders whose skills you trust\n"
        )
    );
}

#[test]
fn a_missing_skill_is_reported_with_the_existing_ones() {
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
    assert_eq!((run.code, &*run.out), (2, ""));
    assert!(
        run.err.starts_with("error: there is no folder `gone`"),
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
        let run = Run::of(program().args(["list", one]).current_dir(&plan));
        let help = format!("= help: name the folder above it, `{above}`\n");
        assert!(run.code == 2 && run.err.ends_with(&help), "{}", run.err);
    }
    let run = folder.run(&["list", "skills/review/notes/one.md"]);
    assert_eq!(
        (run.code, &*run.err),
        (
            2,
            "error: `skills/review/notes/one.md` is a file; expected a folder that contains skills\n"
        )
    );
}

#[test]
fn the_default_folders_are_listed_and_not_trusted() {
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
    assert!(
        shown.out.contains("trusted                  no\n"),
        "{}",
        shown.out
    );
    assert!(shown.out.ends_with("\n\nBody\n"));
    let prompt = run(&["prompt"]);
    assert_eq!((prompt.code, &*prompt.out), (1, ""));
    assert!(
        prompt.err.starts_with("error: no skill is offered"),
        "{}",
        prompt.err
    );
}
