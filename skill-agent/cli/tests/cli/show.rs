//! `show`: one skill, for a person to decide on.

use crate::support::{Folder, REVIEW, Run, program, valid};

#[test]
fn show_prints_the_contents_and_files_of_a_skill() {
    let run = Folder::of(&[
        ("skills/review/SKILL.md", REVIEW),
        ("skills/review/notes/one.md", "1"),
    ])
    .run(&["show", "review", "skills"]);
    assert_eq!((run.code, &*run.err), (0, ""));
    let (header, body) = run.out.split_once("\n\n").unwrap();
    let rows: Vec<(&str, &str)> = header.lines().map(|row| row.split_at(25)).collect();
    let hash = rows[5].1;
    assert_eq!(hash.len(), 64);
    assert_eq!(
        rows,
        [
            ("id                       ", "review"),
            ("description              ", "Reviews a change. Twice."),
            ("brief_description        ", "Reviews a change"),
            ("path                     ", "skills/review/SKILL.md"),
            ("source                   ", "skills"),
            ("hash                     ", hash),
            ("license                  ", "MIT"),
            ("allowed-tools            ", "Read, Bash(git diff:*)"),
            ("files                    ", "notes/one.md"),
        ]
    );
    assert_eq!(body, "# Review\n\n\tRead it.\\u{1b}[2J\n");
}

#[test]
fn show_prints_a_row_for_every_field() {
    let open = "metadata:\n  author: a, b\n  level: 2\nallowed-tools: \"\"\ncompatibility: Linux\n";
    let triggered = "brief_description: It\nversion: 1.2.0\nscripts: [scripts/a.sh]\ndefault_enabled: false\n\
        triggers:\n  keywords: [one, two]\n  verbs: [do]\n  patterns: [\"x+\"]\n";
    let lily = "summary: Shortly\ninvocation_mode: tool_dispatch\ncommand: go\ncommand_tool: run\n\
        eligibility:\n  env: [PATH]\n";
    let lenient = "paths: src/**, docs/*\ndisable-model-invocation: true\nuser-invocable: false\n\
        argument-hint: '[a] [b]'\n";
    let cases: [(_, _, &[(&str, &str)]); 4] = [
        (
            "agent_skills",
            open,
            &[
                ("description", "Does it. Well."),
                ("brief_description", "Does it"),
                ("compatibility", "Linux"),
                ("metadata", "author: a, b"),
                ("metadata", "level: 2"),
                ("allowed-tools", "none"),
                ("files", "scripts/a.sh"),
            ],
        ),
        (
            "triggered",
            triggered,
            &[
                ("description", "Does it. Well."),
                ("brief_description", "It"),
                ("version", "1.2.0"),
                ("scripts", "scripts/a.sh"),
                ("keywords", "one, two"),
                ("verbs", "do"),
                ("patterns", "x+"),
                ("default_enabled", "no"),
                ("files", "scripts/a.sh"),
            ],
        ),
        (
            "lily",
            lily,
            &[
                ("summary", "Shortly"),
                ("invocation_mode", "tool_dispatch"),
                ("command", "go"),
                ("command_tool", "run"),
                ("env", "PATH"),
                ("files", "scripts/a.sh"),
            ],
        ),
        (
            "agent_skills_lenient",
            lenient,
            &[
                ("description", "Does it. Well."),
                ("brief_description", "Does it"),
                ("paths", "src/**, docs/*"),
                ("disable-model-invocation", "yes"),
                ("user-invocable", "no"),
                ("argument-hint", "[a] [b]"),
                ("files", "scripts/a.sh"),
            ],
        ),
    ];
    for (dialect, keys, expected) in cases {
        let text = match dialect {
            "lily" => format!("---\n{keys}---\nBody\n"),
            _ => format!("---\nname: all\ndescription: Does it. Well.\n{keys}---\nBody\n"),
        };
        let folder = Folder::of(&[
            ("skills/all/SKILL.md", &text),
            ("skills/all/scripts/a.sh", ""),
        ]);
        let run = folder.run(&["show", "all", "skills", "--dialect", dialect]);
        assert_eq!((run.code, &*run.err), (0, ""));
        let (header, _) = run.out.split_once("\n\n").unwrap();
        let rows = header.lines().map(|row| row.split_at(25));
        let rows = rows.map(|(key, value)| (key.trim_end(), value));
        let rows: Vec<_> = rows
            .filter(|(key, _)| !["id", "path", "source", "hash"].contains(key))
            .collect();
        assert_eq!(rows, expected);
    }
}

#[test]
fn show_prints_every_untrusted_skill_with_the_id() {
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
    let shown: Vec<_> = run.out.split("id                       one\n").collect();
    assert_eq!(shown.len(), 3, "{}", run.out);
    assert!(shown[1].contains("source                   user\n"));
    assert!(shown[1].ends_with("\n\n# Home's\n\n"));
    assert!(shown[2].contains("source                   project\n"));
    assert!(shown[2].ends_with("\n\n# Project's\n"));
}

#[test]
fn a_skill_in_no_folder_of_agents_is_looked_for_by_its_folder() {
    let folder = Folder::of(&[("skills/plan/SKILL.md", &valid("plan"))]);
    let home = folder.path().join("home");
    let mut program = program();
    let program = program.args(["show", "plan"]).current_dir(folder.path());
    let run = Run::of(program.env("HOME", &home).env("USERPROFILE", &home));
    assert_eq!((run.code, &*run.out), (1, ""));
    let expected = "there are no skills in the folders where agents keep them, here and at home; name another folder: `skills show plan \
                    PATH`";
    assert!(run.err.contains(expected), "{}", run.err);
}
