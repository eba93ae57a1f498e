//! Checks the same documents against the same agent, at compile time and at run time.

use super::input::CheckInput;
use super::lookup::Lookup;
use super::messages::finding;
use super::rules::RULES;
use super::{
    CheckedDocs, ListedDocs, LocatedDoc, check_const, count_docs, diagnose, located_docs,
    reserved_tool,
};
use proptest::prelude::*;
use skill_core::SkillSpec;
use skill_manifest::__private::{Embedded, is_visible};
use skill_manifest::{Diagnostic, DiagnosticCode, DocText, InvocationMode, Severity, SkillDoc};

static SKILLS: &[SkillSpec] = &[
    SkillSpec::new("desk")
        .version("0.1.0")
        .type_path("office::Desk"),
    SkillSpec::new("shelf"),
];

/// Checks documents at compile time and at run time, compares the results, and returns the codes of every document.
macro_rules! both {
    ($($field:ident: $value:expr),+ $(,)? ; $($more:tt)*) => {
        both!(@ [{ $($field: $value),+ }] $($more)*)
    };
    (@ [$($done:tt)*] ) => {{
        static DOCS: &[SkillDoc] = &[$(both!(doc $done)),*];
        static LISTED: &[ListedDocs<'static>] = &[ListedDocs::all("..DOCS", DOCS)];
        static CANDIDATES: [LocatedDoc<'static>; count_docs(LISTED)] = located_docs(LISTED);
        static SCENE: CheckInput<'static> = CheckInput::new(&CANDIDATES, &["read", "write"], &[], SKILLS, &[]);
        static EXAMINED: CheckedDocs<{ CANDIDATES.len() }, { SCENE.room() }> = check_const(&SCENE);
        let lookup = Lookup::new(&SCENE, EXAMINED.tables.as_flattened());
        let reported = |index: usize| {
            let found = &EXAMINED.broken[index];
            let rules = RULES.into_iter().filter(|rule| found.rules & rule != 0);
            rules.map(|rule| finding(&lookup, found, index, rule)).collect::<Vec<_>>()
        };
        let compiled: Vec<Vec<_>> = (0..DOCS.len())
            .map(|index| reported(index).iter().map(|reported| (reported.code, reported.what.as_str().to_owned())).collect())
            .collect();
        let found = diagnose(&SCENE);
        let now: Vec<Vec<_>> = found
            .iter()
            .map(|found| found.iter().map(|diagnostic| (diagnostic.code, diagnostic.message.clone())).collect())
            .collect();
        assert_eq!(compiled, now);
        codes(&found)
    }};
    (@ [$($done:tt)*] $($field:ident: $value:expr),+ $(,)? ; $($more:tt)*) => {
        both!(@ [$($done)* { $($field: $value),+ }] $($more)*)
    };
    (doc { $($field:ident: $value:expr),+ }) => {
        Embedded { $($field: $value,)+ ..Embedded::EMPTY }.doc()
    };
}

mod crowded_names;
mod skill_names;

fn codes(report: &[Vec<Diagnostic>]) -> Vec<Vec<&'static str>> {
    let codes = |found: &Vec<Diagnostic>| {
        found
            .iter()
            .map(|diagnostic| diagnostic.code.as_str())
            .collect()
    };
    report.iter().map(codes).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn documents_that_fit_the_agent_have_no_diagnostics() {
    let found = both! {
        id: "plan", command: Some("plan"), requires_tools: &[DocText::Borrowed("read")],
        requires: &[DocText::Borrowed("desk@^0.1"), DocText::Borrowed("review")];
        id: "review", command_tool: Some("nothing"), toolsets: &[DocText::Borrowed("tools/a:Desk")],
        version: Some("1.2.0");
        id: "run", invocation_mode: InvocationMode::ToolDispatch, command_tool: Some("write"),
        requires: &[DocText::Borrowed("review@>=1, <2"), DocText::Borrowed("shelf")];
    };
    assert_eq!(found, [NONE; 3]);
}

#[test]
fn missing_tools_are_reported() {
    let found = both! {
        id: "plan", requires_tools: &[DocText::Borrowed("read"), DocText::Borrowed("Write")];
        id: "run", invocation_mode: InvocationMode::ToolDispatch, command_tool: Some("shell");
        id: "hello", toolsets: &[DocText::Borrowed("tools/a:Desk"), DocText::Borrowed("b:Shelf")];
    };
    assert_eq!(
        found,
        [
            ["missing_required_tools"],
            ["missing_command_tool"],
            ["unbound_toolset"]
        ]
    );
}

#[test]
fn unmet_requirements_are_reported() {
    let found = both! {
        id: "a", requires: &[DocText::Borrowed("nobody")];
        id: "b", requires: &[DocText::Borrowed("desk@^1.0")];
        id: "c", requires: &[DocText::Borrowed("shelf@*")];
        id: "d", requires: &[DocText::Borrowed("d")];
        id: "e", requires: &[DocText::Borrowed("F")];
        id: "f", requires: &[DocText::Borrowed("desk@no version")];
    };
    assert_eq!(found, [["missing_requirement"]; 6]);
}

#[test]
fn names_that_are_already_used_are_reported() {
    let found = both! {
        id: "plan", command: Some("go");
        id: "plan", command: Some("go");
        id: "Plan", command: Some("help");
        id: "other", command: Some("go");
        id: "desk";
    };
    let expected: [&[&str]; 5] = [
        &[],
        &["duplicate_id"],
        &["duplicate_id", "command_alias_collision"],
        &["command_alias_collision"],
        &["reserved_id"],
    ];
    assert_eq!(found, expected);
}

#[test]
fn placeholders_for_broken_documents_are_skipped() {
    let found = both! {
        id: "";
        id: "", requires: &[DocText::Borrowed("nobody")];
        id: "plan", requires: &[DocText::Borrowed("one_of_them@^1.0"), DocText::Borrowed("desk")];
        id: "review", requires: &[DocText::Borrowed("desk@^1.0")];
        id: "deploy", requires: &[DocText::Borrowed("deploy")];
        id: "run", requires_tools: &[DocText::Borrowed("shell")];
    };
    let expected: [&[&str]; 6] = [
        &[],
        &[],
        &[],
        &["missing_requirement"],
        &["missing_requirement"],
        &["missing_required_tools"],
    ];
    assert_eq!(found, expected);
}

/// Creates documents as a loader does.
fn docs(ids: &[&str], change: impl Fn(usize, &mut SkillDoc)) -> Vec<SkillDoc> {
    let doc = |(index, id): (usize, &&str)| {
        let mut doc = Embedded::EMPTY.doc();
        doc.id = DocText::Owned((*id).to_owned());
        change(index, &mut doc);
        doc
    };
    ids.iter().enumerate().map(doc).collect()
}

fn found(docs: &[SkillDoc], input: CheckInput<'_>) -> Vec<Vec<Diagnostic>> {
    let candidate = |doc| LocatedDoc::new("skills/it/SKILL.md", doc);
    let docs: Vec<_> = docs.iter().map(candidate).collect();
    diagnose(&CheckInput {
        docs: &docs,
        ..input
    })
}

#[test]
fn unknown_tools_are_not_checked() {
    let docs = docs(&["run"], |_, doc| {
        doc.requires_tools = vec![DocText::from("shell")].into();
        doc.invocation_mode = InvocationMode::ToolDispatch;
        doc.command_tool = Some(DocText::from("nope"));
    });
    assert_eq!(codes(&found(&docs, CheckInput::EMPTY)), [NONE]);
    let tools = CheckInput {
        tools: Some(&[]),
        ..CheckInput::EMPTY
    };
    assert_eq!(
        codes(&found(&docs, tools)),
        [["missing_required_tools", "missing_command_tool"]]
    );
}

#[test]
fn a_shared_command_does_not_exclude_either_document() {
    let docs = docs(&["a", "b"], |_, doc| {
        doc.command = Some(DocText::from("go"))
    });
    let found = found(&docs, CheckInput::EMPTY);
    assert!(found[0].is_empty());
    assert_eq!(
        (found[1][0].code, found[1][0].severity),
        (DiagnosticCode::CommandAliasCollision, Severity::Warning)
    );
    assert_eq!(found[1][0].path.as_deref(), Some("skills/it/SKILL.md"));
}

#[test]
fn a_command_reserved_by_the_program_is_taken() {
    let docs = docs(&["a"], |_, doc| doc.command = Some(DocText::from("deploy")));
    let kept = CheckInput {
        reserved: &["deploy"],
        ..CheckInput::EMPTY
    };
    assert_eq!(codes(&found(&docs, kept)), [["command_alias_collision"]]);
    assert_eq!(codes(&found(&docs, CheckInput::EMPTY)), [NONE]);
}

#[test]
fn a_document_that_requires_an_excluded_one_is_excluded() {
    let docs = docs(&["a", "b", "c", "d"], |index, doc| match index {
        0 => doc.requires = vec![DocText::from("b"), DocText::from("d")].into(),
        1 => doc.requires = vec![DocText::from("c")].into(),
        2 => doc.command = Some(DocText::from("help")),
        _ => {}
    });
    let found = found(&docs, CheckInput::EMPTY);
    let expected: [&[&str]; 4] = [
        &["missing_requirement"],
        &["missing_requirement"],
        &["command_alias_collision"],
        &[],
    ];
    assert_eq!(codes(&found), expected);
    assert_eq!(
        found[0][0].message,
        "the document `a` requires `b`, which cannot be offered itself"
    );
}

#[test]
fn messages_show_no_invisible_characters_and_cut_long_names() {
    let long = "x".repeat(5_000);
    let docs = docs(&["a\u{1b}[31m\u{202e}", &long], |_, doc| {
        doc.command = Some(DocText::from("help"));
    });
    let found = found(&docs, CheckInput::EMPTY);
    assert!(found[0][0].message.contains("`a\\u{1b}[31m\\u{202e}`"));
    assert!(found[1][0].message.len() < 200);
}

#[test]
fn no_tool_is_reserved_without_such_an_action() {
    assert_eq!(reserved_tool(&CheckInput::EMPTY), None);
}

#[test]
fn many_documents_are_checked_without_comparing_all_pairs() {
    let names: Vec<String> = (0..20_000)
        .map(|index| format!("document-{index}"))
        .collect();
    let ids: Vec<&str> = names.iter().map(String::as_str).collect();
    let tools: Vec<String> = (0..500)
        .map(|index| format!("tool_number_{index}"))
        .collect();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let docs = docs(&ids, |index, doc| {
        doc.command = Some(DocText::from("go"));
        doc.requires_tools = vec![DocText::from("tool_number_x")].into();
        doc.requires = vec![DocText::from(format!("document-{}", index + 1))].into();
    });
    let input = CheckInput {
        tools: Some(&tools),
        ..CheckInput::EMPTY
    };
    // comparing all pairs would take minutes
    assert!(found(&docs, input).iter().all(|found| !found.is_empty()));
}

proptest! {
    #[test]
    fn every_repetition_of_an_id_is_reported_once(ids in prop::collection::vec("[ab]{1,2}|[AB]", 0..20)) {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let found = found(&docs(&ids, |_, _| {}), CheckInput::EMPTY);
        for (index, found) in found.iter().enumerate() {
            let earlier = ids[..index].iter().any(|id| id.eq_ignore_ascii_case(ids[index]));
            prop_assert_eq!(found.len(), usize::from(earlier));
        }
    }

    #[test]
    fn no_document_causes_a_panic(id in ".+", command in ".*", tool in ".*", toolset in ".*", requirement in ".*") {
        let docs = docs(&[&id, &id], |_, doc| {
            doc.command = Some(DocText::Owned(command.clone()));
            doc.invocation_mode = InvocationMode::ToolDispatch;
            doc.command_tool = Some(DocText::Owned(tool.clone()));
            doc.requires_tools = vec![DocText::Owned(tool.clone())].into();
            doc.toolsets = vec![DocText::Owned(toolset.clone())].into();
            doc.requires = vec![DocText::Owned(requirement.clone())].into();
        });
        let found = found(&docs, CheckInput { tools: Some(&["read"]), skills: SKILLS, ..CheckInput::EMPTY });
        prop_assert!(!found[1].is_empty());
        for diagnostic in found.iter().flatten() {
            let said = [&diagnostic.message, diagnostic.help.as_ref().unwrap_or(&diagnostic.message)];
            prop_assert!(said.iter().all(|text| text.chars().all(is_visible) && text.chars().count() <= 1_024), "{:?}", diagnostic);
        }
    }
}
