//! The keys of other clients that say who invokes a document, and with what.

use crate::catalog_surface::support::{agent_skills_catalog, answer, folder};
use skill_agent::manifest::{
    Catalog, CommandError, CommandOutcome, Dialect, MountDocs, Source, check,
};
use skill_agent::prelude::*;

const MANUAL: &str = "---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\ncommand: deploy\n\
                      argument-hint: '[branch] [stage]'\n---\n# Deploy\n";
const BACKGROUND: &str = "---\nname: style\ndescription: The style.\nuser-invocable: false\ncommand: style\n---\n# Style\n";

fn activated(catalog: &mut Catalog, line: &str) -> (String, Vec<String>) {
    match catalog.command(line) {
        Ok(CommandOutcome::Activate { body, args, .. }) => (body, args),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_document_that_models_may_not_invoke_is_only_a_command() {
    let (_folder, mut catalog) = agent_skills_catalog(&[("deploy", MANUAL), ("style", BACKGROUND)]);
    assert_eq!(catalog.diagnostics(), []);
    let tool = catalog.skill_tool().unwrap();
    assert!(!tool.description.contains("deploy") && tool.description.contains("style"));
    assert!(!tool.input_schema().to_string().contains("deploy"));
    assert!(!catalog.prompt().unwrap().contains("deploy"));
    assert_eq!(
        catalog.call_skill_tool(r#"{"skill_name":"deploy"}"#),
        "Error: Skill 'deploy' not found. It may have been removed or is unavailable."
    );
    assert_eq!(activated(&mut catalog, "/deploy").0, "# Deploy");
    assert_eq!(activated(&mut catalog, "/skill deploy").0, "# Deploy");

    let (_folder, catalog) = agent_skills_catalog(&[("deploy", MANUAL)]);
    assert!(catalog.skill_tool().is_none());
}

#[test]
fn a_mounted_document_that_models_may_not_invoke_is_not_offered() {
    let mut skills = Mounted::new();
    for text in [MANUAL, BACKGROUND] {
        let report = check(text, &Dialect::AGENT_SKILLS_LENIENT);
        skills.mount_doc(report.into_doc().unwrap()).unwrap();
    }
    let offered: Vec<_> = skills.offered_docs().map(|doc| &*doc.id).collect();
    assert_eq!((skills.docs().count(), offered), (2, vec!["style"]));
}

#[test]
fn a_document_that_people_may_not_invoke_has_no_command() {
    // another document may have its command
    let other = "---\nname: other\ndescription: d\ncommand: style\n---\n# Other\n";
    let (_folder, mut catalog) = agent_skills_catalog(&[("deploy", MANUAL), ("style", BACKGROUND)]);
    assert_eq!(
        catalog.call_skill_tool(r#"{"skill_name":"style"}"#),
        "# Style"
    );
    assert_eq!(answer(&mut catalog, "/skills"), "deploy - Deploys");
    for line in ["/style", "/skill style", "/help style"] {
        let error = catalog.command(line).unwrap_err();
        assert!(
            matches!(error, CommandError::NotUserInvocable { .. }),
            "{line}"
        );
        assert_eq!(
            error.to_string(),
            "Error: skill 'style' can be loaded only by the model."
        );
    }
    let (_folder, mut catalog) = agent_skills_catalog(&[("other", other), ("style", BACKGROUND)]);
    assert_eq!(catalog.diagnostics(), []);
    assert_eq!(activated(&mut catalog, "/style").0, "# Other");
}

#[test]
fn help_shows_the_arguments() {
    let (_folder, mut catalog) = agent_skills_catalog(&[("deploy", MANUAL)]);
    let help = answer(&mut catalog, "/help deploy");
    let lines: Vec<&str> = help.lines().take(4).collect();
    assert_eq!(
        lines,
        [
            "deploy - Deploys",
            "mode: prompt_rewrite",
            "command: /deploy",
            "arguments: [branch] [stage]"
        ]
    );
}

#[test]
fn placeholders_stand_for_the_words_of_a_command() {
    let text = "---\nname: fix\ndescription: d\ncommand: fix\n---\nFix $ARGUMENTS: $0, then $ARGUMENTS[1]. It costs $9.\n";
    let (_folder, mut catalog) = agent_skills_catalog(&[("fix", text)]);
    let expected = "Fix 'issue 12'  $ARGUMENTS: issue 12, then $ARGUMENTS. It costs $9.";
    for line in [
        "/fix   'issue 12'  $ARGUMENTS \t",
        "/skill fix  'issue 12'  $ARGUMENTS",
    ] {
        let (body, args) = activated(&mut catalog, line);
        assert_eq!(
            (&*body, &args[..]),
            (
                expected,
                &["issue 12".to_owned(), "$ARGUMENTS".to_owned()][..]
            )
        );
    }
    let without = "Fix : $0, then $ARGUMENTS[1]. It costs $9.";
    assert_eq!(activated(&mut catalog, "/fix").0, without);
    // a model gives no arguments, and a program reads the file
    assert_eq!(catalog.call_skill_tool(r#"{"skill_name":"fix"}"#), without);
    assert!(catalog.read("fix").unwrap().body.contains("$ARGUMENTS:"));
}

#[test]
fn a_body_without_placeholders_is_unchanged() {
    let text = "---\nname: fix\ndescription: d\n---\nFix $HOME, $$, ${ARGUMENTS} for $5.\n";
    let (_folder, mut catalog) = agent_skills_catalog(&[("fix", text)]);
    assert_eq!(
        activated(&mut catalog, "/skill fix a b"),
        (
            "Fix $HOME, $$, ${ARGUMENTS} for $5.".to_owned(),
            vec!["a".to_owned(), "b".to_owned()]
        )
    );
}

#[test]
fn other_dialects_have_no_placeholders() {
    let text = "---\nname: fix\ndescription: d\n---\nFix $ARGUMENTS and $0.\n";
    let folder = folder(&[("fix", text)]);
    for dialect in Dialect::PRESETS.iter().filter(|it| !it.repair) {
        let source = Source::project(folder.path());
        let mut catalog = Catalog::builder(*dialect).source(source).load();
        let body = "Fix $ARGUMENTS and $0.";
        assert_eq!(
            activated(&mut catalog, "/skill fix a").0,
            body,
            "{}",
            dialect.name
        );
        assert_eq!(catalog.call_skill_tool(r#"{"skill_name":"fix"}"#), body);
    }
}
