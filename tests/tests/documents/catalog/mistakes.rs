//! Mistakes of a program or an author with a catalog, and their messages.

use super::support::*;
use skill_agent::manifest::selection::{Activations, SelectionPolicy};
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::manifest::{CommandOutcome, DiagnosticCode};

fn text(name: &str, keys: &str) -> String {
    format!("---\nname: {name}\ndescription: d\n{keys}---\nDo it.\n")
}

fn messages(catalog: &Catalog) -> Vec<String> {
    let diagnostics = catalog.diagnostics().iter();
    diagnostics
        .map(|found| {
            let help = found.help.as_deref().unwrap_or_default();
            format!("{}: {} {help}", found.code, found.message)
        })
        .collect()
}

#[test]
fn a_misspelled_name_of_a_document_has_a_proposal() {
    let temp = Temp::new();
    temp.write("review/SKILL.md", text("review", "command: check\n"));
    let mut catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(temp.path()))
        .load();
    let read = catalog.read("reviw").unwrap_err().to_string();
    assert_eq!(read, "no skill `reviw` is offered; did you mean `review`?");
    let (mut activations, policy) = (Activations::default(), SelectionPolicy::INDEX);
    let activated = catalog.activate("reviw", &mut activations, &policy);
    assert_eq!(activated.unwrap_err().to_string(), read);
    assert_eq!(
        catalog.call_skill_tool(r#"{"skill_name":"reviw"}"#),
        "Error: Skill 'reviw' not found. It may have been removed or is unavailable. Did you mean 'review'?"
    );
    for (line, expected) in [
        (
            "/chek",
            "Error: unknown command '/chek'; did you mean '/check'?",
        ),
        (
            "/skill reviw",
            "Error: skill 'reviw' not found; did you mean 'review'?",
        ),
        (
            "/skill other",
            "Error: skill 'other' not found in snapshot.",
        ),
    ] {
        let error = match catalog.command(line) {
            Err(error) => error.to_string(),
            Ok(CommandOutcome::Text(text)) => text,
            Ok(other) => panic!("{other:?}"),
        };
        assert_eq!(error, expected);
    }
}

#[test]
fn a_document_beside_the_folders_of_documents_is_reported() {
    let temp = Temp::new();
    temp.write("review.md", text("review", ""));
    temp.write("README.md", "# Documents\n");
    temp.write("plan/SKILL.md", text("plan", ""));
    temp.write("plan/notes.md", text("notes", ""));
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
        .source(Source::project(temp.path()))
        .load();
    assert_eq!(
        messages(&catalog),
        ["misplaced_document: `review.md` is not read: a document is `review/SKILL.md` "]
    );
}

#[test]
fn a_catalog_without_a_source_is_reported() {
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS).load();
    assert_eq!(
        messages(&catalog),
        [
            "no_source: the catalog has no source, and no agent with documents write `.source(Source::project(\"skills\"))` where the \
          catalog is built"
        ]
    );
}

#[test]
fn a_misspelled_tool_in_allowed_tools_is_reported() {
    let temp = Temp::new();
    let keys = "allowed-tools: add_note, clear_note, Bash(git diff:*), Read\n";
    temp.write("plan/SKILL.md", text("plan", keys));
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(temp.path()))
        .tools(["add_note", "clear_notes"])
        .load();
    let found: Vec<_> = catalog
        .diagnostics()
        .iter()
        .map(|found| found.code)
        .collect();
    assert_eq!(found, [DiagnosticCode::MisspelledTool]);
    let shown = catalog.diagnostics()[0].to_string();
    let end = "plan/SKILL.md: warning[misspelled_tool]: no tool has the name `clear_note`; did you mean `clear_notes`?";
    assert!(shown.ends_with(end), "{shown}");
}

#[test]
fn a_diagnostic_ends_with_its_help() {
    let temp = Temp::new();
    temp.write(
        "plan/SKILL.md",
        "---\nname: plan\ndescripton: d\n---\nDo it.\n",
    );
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
        .source(Source::project(temp.path()))
        .load();
    let shown: Vec<_> = catalog
        .diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect();
    let end = "error[unknown_field]: `descripton` is not a key of AGENT_SKILLS; did you mean `description`?";
    assert!(shown.iter().any(|shown| shown.ends_with(end)), "{shown:?}");
}
