//! The results and errors of commands.

use crate::catalog_surface::support::{Clerk, NOTE, answer, folder, lily, write};
use crate::common::oracle::{oracle, rows, text};
use serde_json::Value;
use skill_agent::manifest::{Catalog, CommandError, CommandOutcome, Dialect, Source};
use skill_agent::prelude::*;

#[test]
fn commands_answer_like_the_oracle() {
    let Some(oracle) = oracle("loader_scenarios") else {
        return;
    };
    for row in rows(&oracle["command_surface"]) {
        let (line, skills): (&str, Vec<(String, String)>) = match text(&row["input"]) {
            "/go (two skills declare command go)" => {
                let doc = "---\ncommand: go\n---\n# Go\n".to_owned();
                ("/go", vec![("a".into(), doc.clone()), ("b".into(), doc)])
            }
            "/skills while a skill declares command skills" => {
                let doc = "---\nsummary: Mine\ncommand: skills\n---\n# Mine\n".to_owned();
                let other = "---\nsummary: Other\n---\n# Other\n".to_owned();
                (
                    "/skills",
                    vec![("mine".into(), doc), ("other".into(), other)],
                )
            }
            line => match &row["skills"] {
                Value::Array(ids) => {
                    let docs = ids
                        .iter()
                        .map(|id| (text(id).to_owned(), "# Body\n".to_owned()));
                    (line, docs.collect())
                }
                Value::Object(summaries) => {
                    let doc = |(id, summary): (&String, &Value)| {
                        let doc = format!("---\nsummary: {}\n---\n# Body\n", text(summary));
                        (id.clone(), doc)
                    };
                    (line, summaries.iter().map(doc).collect())
                }
                _ => (line, Vec::new()),
            },
        };
        let skills: Vec<(&str, &str)> = skills.iter().map(|(id, doc)| (&**id, &**doc)).collect();
        let (_folder, mut catalog) = lily(&skills);
        match (text(&row["status"]), catalog.command(line)) {
            ("error", Err(error)) => assert_eq!(error.to_string(), text(&row["message"]), "{line}"),
            ("ok", Ok(CommandOutcome::Text(shown))) => match row["lines"].as_array() {
                Some(lines) => {
                    let lines: Vec<&str> = lines.iter().map(text).collect();
                    assert_eq!(shown.lines().collect::<Vec<_>>(), lines);
                }
                // the built-in command wins, and the document that claims its name is left out
                None => assert_eq!(shown, "other - Other"),
            },
            (_, got) => panic!("{line}: {got:?}"),
        }
    }
}

#[test]
fn errors_of_commands_are_typed() {
    let go = "---\ncommand: go\n---\n# Go\n";
    let (_folder, mut catalog) = lily(&[("a", go), ("b", go)]);
    let Err(CommandError::Ambiguous {
        command, skills, ..
    }) = catalog.command("/go")
    else {
        panic!("two documents have it");
    };
    assert_eq!(
        (&*command, skills),
        ("go", vec!["a".to_owned(), "b".to_owned()])
    );
    assert!(matches!(
        catalog.command("/GO"),
        Err(CommandError::Unknown { .. })
    ));
    assert!(matches!(
        catalog.command("/skill A"),
        Err(CommandError::NotFound { .. })
    ));
    assert!(matches!(
        catalog.command("skills"),
        Err(CommandError::NoCommand)
    ));
    let Err(CommandError::Unclosed {
        quote, position, ..
    }) = catalog.command("/skill a 'b")
    else {
        panic!("it is not closed");
    };
    assert_eq!((quote, position), ('\'', 10));
    assert_eq!(
        answer(&mut catalog, &format!("/{}", "x".repeat(1_000_000))),
        format!("Error: unknown command '/{}…'.", "x".repeat(64))
    );
    assert_eq!(answer(&mut catalog, "/"), "Error: unknown command '/'.");
    assert_eq!(
        answer(&mut catalog, "/skills x"),
        "Error: /skills does not accept arguments."
    );
    assert_eq!(
        answer(&mut catalog, "/help a b"),
        "Error: /help requires exactly one skill name."
    );
    assert_eq!(
        answer(&mut catalog, "/help c"),
        "Error: skill 'c' not found in snapshot."
    );
}

#[test]
fn a_document_is_activated_with_its_body_and_arguments() {
    let text = "---\ncommand: plan\n---\n\n# Plan\nThink first.\n";
    let (folder, mut catalog) = lily(&[("plan_compiler", text), ("my plan", "# Mine\n")]);
    for line in [
        "/plan fix  'issue #12' a=b",
        "/skill plan_compiler fix issue\\ #12 a=b",
    ] {
        let CommandOutcome::Activate { id, body, args, .. } = catalog.command(line).unwrap() else {
            panic!("it goes to the model");
        };
        assert_eq!((&*id, &*body), ("plan_compiler", "# Plan\nThink first."));
        assert_eq!(args, ["fix", "issue #12", "a=b"]);
    }
    let CommandOutcome::Activate { id, args, .. } = catalog.command("/skill 'my plan'").unwrap()
    else {
        panic!("it goes to the model");
    };
    assert_eq!((&*id, args.len()), ("my plan", 0));

    // the body is read now
    write(
        folder.path(),
        "plan_compiler",
        "---\ncommand: plan\n---\n# Another\n",
    );
    let CommandOutcome::Activate { body, .. } = catalog.command("/plan").unwrap() else {
        panic!("it goes to the model");
    };
    assert_eq!(body, "# Another");
    std::fs::remove_file(folder.path().join("my plan/SKILL.md")).unwrap();
    let error = catalog.command("/skill 'my plan'").unwrap_err();
    assert!(matches!(error, CommandError::Unreadable { .. }), "{error}");
    write(folder.path(), "my plan", "# Mine\n");
    assert_eq!(
        answer(&mut catalog, "/reload_skills"),
        "reloaded: 2 skills, 0 added, 1 changed, 0 removed; 0 diagnostics"
    );
    assert!(matches!(
        catalog.command("/plan"),
        Ok(CommandOutcome::Activate { .. })
    ));
}

#[test]
fn help_prints_the_metadata_of_a_document() {
    let (folder, mut catalog) = lily(&[("note", NOTE), ("bare", "# Bare\n")]);
    let note = answer(&mut catalog, "/help note");
    let lines: Vec<&str> = note.lines().collect();
    let [title, mode, command, tool, takes, tools, source] = lines[..] else {
        panic!("{note}");
    };
    assert_eq!(title, "note - Take a note");
    assert_eq!(
        (mode, command, tool),
        ("mode: tool_dispatch", "command: /note", "tool: take_note")
    );
    assert_eq!(
        takes,
        "takes: text=<string> [times=<integer>] [tags=<array>] [place=<object>] [loud=<boolean>] [weight=<number>]"
    );
    assert_eq!(tools, "required tools: take_note");
    assert!(
        source.starts_with("source: project, ") && source.ends_with("SKILL.md"),
        "{source}"
    );
    assert!(
        source.contains(folder.path().file_name().unwrap().to_str().unwrap()),
        "{source}"
    );
    assert!(answer(&mut catalog, "/help bare").starts_with("bare\nmode: prompt_rewrite\nsource: "));
    assert_eq!(answer(&mut catalog, "/skills"), "bare\nnote - Take a note");
}

#[test]
fn a_dispatched_command_calls_its_action_without_a_model() {
    let (_folder, mut catalog) = lily(&[("note", NOTE)]);
    let mut clerk = Clerk::new();
    let mut answer = |line: &str| match catalog.command(line) {
        Ok(CommandOutcome::Dispatch {
            action, arguments, ..
        }) => clerk
            .call_json(&action, &arguments)
            .map_or_else(|error| error.to_string(), |outcome| outcome.output),
        Ok(other) => panic!("{line}: {other:?}"),
        Err(error) => error.to_string(),
    };
    assert_eq!(answer("/note buy milk"), r#""buy milk [] None None""#);
    assert_eq!(
        answer(r#"/skill note text=5 times=2 tags='["a","b"]' place='{"shelf":3}' weight=1.5"#),
        r#""buy milk|5|5 [\"a\", \"b\"] Some(3) Some(1.5)""#
    );
    assert_eq!(
        answer("/note 'a=b' loud=true"),
        r#""buy milk|5|5|A=B [] None None""#
    );
    // the action checks ranges
    assert!(answer("/note x times=-1").contains("`times`"));
    let takes = "'take_note' takes: text=<string> [times=<integer>] [tags=<array>] [place=<object>] [loud=<boolean>] [weight=<number>].";
    assert_eq!(
        answer("/note x tmies=1"),
        format!("Error: there is no property 'tmies' (did you mean 'times'?); {takes}")
    );
    assert_eq!(
        answer("/note x loud=yes"),
        format!(
            "Error: 'yes' for 'loud' is not a valid boolean, which is 'true' or 'false'; {takes}"
        )
    );
    assert_eq!(
        answer("/note"),
        format!("Error: the property 'text' is missing; {takes}")
    );
}

#[test]
fn a_missing_tool_is_reported() {
    let folder = folder(&[("note", NOTE)]);
    let mut catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(folder.path()))
        .load();
    assert_eq!(
        answer(&mut catalog, "/note x"),
        "Error: skill 'note' calls the tool 'take_note', which this agent does not have."
    );
}

#[test]
fn an_untrusted_document_has_no_command() {
    let folder = folder(&[("plan", "---\ncommand: plan\n---\n# Plan\n")]);
    let mut catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(folder.path()).discovered())
        .load();
    assert_eq!(
        answer(&mut catalog, "/skill plan"),
        "Error: skill 'plan' is not trusted."
    );
    assert_eq!(
        answer(&mut catalog, "/plan"),
        "Error: unknown command '/plan'."
    );
    assert_eq!(answer(&mut catalog, "/skills"), "no skills");
    assert!(catalog.skill_tool().is_none() && catalog.prompt().is_none());
    let hash = catalog.listed().next().unwrap().hash;
    catalog.trust("plan", hash).unwrap();
    assert!(matches!(
        catalog.command("/plan"),
        Ok(CommandOutcome::Activate { .. })
    ));
    assert!(catalog.skill_tool().is_some() && catalog.prompt().is_some());
}
