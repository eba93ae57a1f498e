//! Documents embedded at compile time equal those that the loader reads at run time.

mod elsewhere;
mod joined;
mod probes;
mod rebuild;

use skill_agent::manifest::{Dialect, SkillDoc, check_bytes};
use skill_agent::prelude::*;
use std::path::Path;

static PLAN: SkillDoc = include_skill!("skills/plan_compiler/SKILL.md", dialect = LILY);
static WINDOWS: SkillDoc = include_skill!("skills/windows/SKILL.md");
static MARKED: SkillDoc = include_skill!("skills/marked/SKILL.md", dialect = AGENT_SKILLS);
static BARE: SkillDoc = include_skill!("skills/bare/SKILL.md", dialect = LILY);
static NOTHING: SkillDoc = include_skill!(
    "skills/inherits_nothing/SKILL.md",
    dialect = AGENT_SKILLS_LENIENT,
);
static EVERYTHING: SkillDoc = include_skill!(
    "skills/everything/SKILL.md",
    dialect = AGENT_SKILLS_LENIENT,
    toolsets(joined::HelloToolset)
);
static NAMED: SkillDoc = include_skill!("skills/everything/../marked/SKILL.md", dialect = NAMED);
static FOLDER: &[SkillDoc] = include_skills!("folder", dialect = TRIGGERED);

/// Returns the document as the loader reads it.
fn read(path: &str, dialect: &Dialect) -> SkillDoc {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/documents/embedded")
        .join(path);
    let bytes = std::fs::read(&path).unwrap();
    let report = check_bytes(path.to_str().unwrap(), &bytes, dialect);
    report.into_doc().unwrap()
}

#[test]
fn an_embedded_skill_is_plain_static_data() {
    assert_eq!(PLAN.id, "plan_compiler");
    assert_eq!(PLAN.command.as_deref(), Some("plan"));
    assert!(PLAN.body.starts_with("# Plan Compiler"));
}

#[test]
fn an_embedded_document_equals_the_one_read_at_run_time() {
    let lenient = Dialect::AGENT_SKILLS_LENIENT;
    for (embedded, path, dialect) in [
        (&PLAN, "skills/plan_compiler/SKILL.md", Dialect::LILY),
        (&WINDOWS, "skills/windows/SKILL.md", Dialect::AGENT_SKILLS),
        (&MARKED, "skills/marked/SKILL.md", Dialect::AGENT_SKILLS),
        (&BARE, "skills/bare/SKILL.md", Dialect::LILY),
        (&NOTHING, "skills/inherits_nothing/SKILL.md", lenient),
        (&EVERYTHING, "skills/everything/SKILL.md", lenient),
        (&NAMED, "skills/marked/SKILL.md", Dialect::NAMED),
    ] {
        assert_eq!(*embedded, read(path, &dialect), "{path}");
    }
}

#[test]
fn an_empty_list_is_not_a_missing_one() {
    assert_eq!(NOTHING.allowed_tools.as_deref(), Some(&[][..]));
    assert_eq!(NOTHING.scripts.as_deref(), Some(&[][..]));
    assert_eq!(MARKED.scripts, None);
}

#[test]
fn the_folder_after_dots_is_the_id() {
    assert_eq!(NAMED.id, "marked");
}

#[test]
fn a_folder_of_documents_is_sorted_by_id_and_other_files_are_ignored() {
    let ids: Vec<&str> = FOLDER.iter().map(|doc| &*doc.id).collect();
    assert_eq!(ids, ["aardvark", "bee"]);
    let read = ["folder/zebra/SKILL.md", "folder/ant/SKILL.md"];
    assert_eq!(FOLDER, read.map(read_triggered));
}

fn read_triggered(path: &str) -> SkillDoc {
    read(path, &Dialect::TRIGGERED)
}

#[test]
fn a_path_is_relative_to_its_source_file() {
    assert_eq!(elsewhere::document(), PLAN);
    // also in a macro from another file
    assert_eq!(elsewhere::by_macro!(), PLAN);
}

#[test]
fn a_document_can_be_a_constant() {
    const DOC: SkillDoc = include_skill!("skills/bare/SKILL.md", dialect = LILY);
    const DOCS: &[SkillDoc] = include_skills!("folder", dialect = TRIGGERED,);
    assert_eq!((DOC, DOCS.len()), (BARE.clone(), 2));
}
