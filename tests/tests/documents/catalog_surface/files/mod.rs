//! The tool by which a model reads the files of a document.

mod attacks;

use crate::catalog_surface::support::{folder, write};
use serde_json::{Value, json};
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::models::Provider;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const DOC: &str = "---\nname: plan\ndescription: d\n---\n# Plan\n";

/// A document with two files, and a document without files.
fn plan() -> TempDir {
    let folder = folder(&[
        ("plan", DOC),
        ("bare", "---\nname: bare\ndescription: d\n---\n# Bare\n"),
    ]);
    put(&folder, "plan/scripts/run.py", "print()\n");
    put(&folder, "plan/notes.md", "# Notes\n");
    folder
}

fn put(folder: &TempDir, path: &str, content: impl AsRef<[u8]>) {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn named(path: &Path) -> Catalog {
    Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(path))
        .load()
}

/// A catalog of the folder as a discovered source, in which every document is trusted.
fn trusted(path: &Path) -> Catalog {
    let mut catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(path).discovered())
        .load();
    let listed: Vec<_> = catalog.listed().cloned().collect();
    for entry in listed {
        catalog.trust(&entry.id, entry.hash).unwrap();
    }
    catalog
}

fn load(catalog: &Catalog, id: &str) -> String {
    catalog.call_skill_tool(&json!({ "skill_name": id }).to_string())
}

fn call(catalog: &Catalog, arguments: Value) -> String {
    catalog.call_skill_file_tool(&arguments.to_string())
}

fn read(catalog: &Catalog, path: &str) -> String {
    call(catalog, json!({ "skill": "plan", "path": path }))
}

#[test]
fn the_files_of_a_document_follow_its_body() {
    let folder = plan();
    put(&folder, "plan/.env", "secret");
    put(&folder, "plan/node_modules/x.js", "x");
    for catalog in [named(folder.path()), trusted(folder.path())] {
        assert_eq!(
            load(&catalog, "plan"),
            "# Plan\n\n<skill_files>\n  <file>notes.md</file>\n  <file>scripts/run.py</file>\n</skill_files>"
        );
        assert_eq!(load(&catalog, "bare"), "# Bare");
        assert_eq!(read(&catalog, "notes.md"), "# Notes\n");
        assert_eq!(read(&catalog, "scripts/run.py"), "print()\n");
    }
}

#[test]
fn the_tool_exists_if_a_document_for_models_has_files() {
    let folder = plan();
    let catalog = named(folder.path());
    let tool = catalog.skill_file_tool().unwrap();
    let shown = Provider::MCP.tool(&tool).unwrap();
    assert_eq!(shown["name"], "read_skill_file");
    assert_eq!(shown["annotations"]["readOnlyHint"], true);
    assert_eq!(shown["inputSchema"]["required"], json!(["skill", "path"]));
    // created once, and shared by clones
    let copy = catalog.clone();
    let same = copy.skill_file_tool().unwrap();
    assert!(std::ptr::eq(tool.description, same.description));

    let without = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(folder.path()))
        .disabled(["plan"])
        .load();
    assert!(without.skill_file_tool().is_none() && without.skill_tool().is_some());
    let denied = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(folder.path()))
        .allow_skills(false)
        .load();
    assert!(denied.skill_file_tool().is_none());
    let untrusted = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(folder.path()).discovered())
        .load();
    assert!(untrusted.skill_file_tool().is_none());
    for catalog in [without, denied, untrusted] {
        assert_eq!(
            read(&catalog, "notes.md"),
            "Error: Skill 'plan' not found. It may have been removed or is unavailable."
        );
    }
    // a document that calls a tool without a model
    let dispatch =
        "---\nname: plan\ndescription: d\ninvocation_mode: tool_dispatch\ncommand_tool: x\n---\n";
    write(folder.path(), "plan", dispatch);
    let catalog = named(folder.path());
    assert!(catalog.skill_file_tool().is_none());
    assert!(read(&catalog, "notes.md").contains("not found"));
}

#[test]
fn wrong_arguments_are_explained() {
    let folder = plan();
    let catalog = named(folder.path());
    let wrong = "Error: the arguments of `read_skill_file` are wrong: ";
    for (arguments, expected) in [
        (
            json!({ "skill": "plan" }),
            "at the top level: missing field `path`",
        ),
        (
            json!({ "path": "notes.md" }),
            "at the top level: missing field `skill`",
        ),
        (
            json!({ "skill_name": "plan", "path": "notes.md" }),
            "`skill_name`: unknown field `skill_name`, expected one of `skill`, `path`, `offset`; did you mean `skill`?",
        ),
        (
            json!({ "skill": "plan", "paht": "notes.md" }),
            "`paht`: unknown field `paht`, expected one of `skill`, `path`, `offset`; did you mean `path`?",
        ),
        (
            json!({ "skill": "plan", "path": "notes.md", "offset": "1" }),
            "`offset`: invalid type: string \"1\", expected an integer",
        ),
        (
            json!({ "skill": "plan", "path": "notes.md", "offset": -1 }),
            "`offset`: -1 is out of range, expected 0..",
        ),
        (
            json!([]),
            "at the top level: invalid type: a list, expected an object; its fields are `skill`, `path` and `offset`",
        ),
        // all at once
        (
            json!({ "offset": "1", "path": 3, "skil": "plan" }),
            "3 problems\n  \
             `offset`: invalid type: string \"1\", expected an integer\n  \
             `path`: invalid type: integer `3`, expected a string\n  \
             `skil`: unknown field `skil`, expected one of `skill`, `path`, `offset`; did you mean `skill`?",
        ),
    ] {
        assert_eq!(call(&catalog, arguments), format!("{wrong}{expected}"));
    }
    for (arguments, expected) in [
        (
            json!({ "skill": "plan", "path": "notes.md", "offset": null }),
            "# Notes\n",
        ),
        (
            json!({ "skill": "plan", "path": "note.md" }),
            "Error reading 'note.md' of skill 'plan': there is no such file; did you mean 'notes.md'?",
        ),
        (
            json!({ "skill": "gone", "path": "notes.md" }),
            "Error: Skill 'gone' not found. It may have been removed or is unavailable.",
        ),
        (
            json!({ "skill": "bare", "path": "x.md" }),
            "Error reading 'x.md' of skill 'bare': there is no such file",
        ),
    ] {
        assert_eq!(call(&catalog, arguments), expected);
    }
}

#[cfg(unix)]
#[test]
fn a_path_is_accepted_as_it_is_listed() {
    let folder = plan();
    for (path, content) in [
        ("a&b.md", "one"),
        ("a&amp;b.md", "two"),
        ("it's <c>.md", "three"),
    ] {
        put(&folder, &format!("plan/{path}"), content);
    }
    let catalog = named(folder.path());
    let listed = load(&catalog, "plan");
    for (shown, content) in [
        ("a&amp;b.md", "one"),
        ("a&amp;amp;b.md", "two"),
        ("it&#x27;s &lt;c&gt;.md", "three"),
    ] {
        assert!(
            listed.contains(&format!("<file>{shown}</file>")),
            "{listed}"
        );
        assert_eq!(read(&catalog, shown), content);
    }
    // a model may also undo the escaping
    assert_eq!(read(&catalog, "a&b.md"), "one");
    assert_eq!(read(&catalog, "it's <c>.md"), "three");
}

#[test]
fn files_that_cannot_be_listed_are_explained() {
    let folder = plan();
    let mut limits = Dialect::AGENT_SKILLS_LENIENT.limits;
    limits.resources = 2;
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT.with_limits(limits))
        .source(Source::project(folder.path()))
        .load();
    assert_eq!(
        load(&catalog, "plan"),
        "# Plan\n\nThe files of this skill cannot be listed: it is refused: it has more than 2 files and folders."
    );
    let catalog = trusted(folder.path());
    put(&folder, "plan/more.md", "");
    assert_eq!(
        load(&catalog, "plan"),
        "# Plan\n\nThe files of this skill cannot be listed: it has changed since it was loaded."
    );
    assert_eq!(
        read(&catalog, "more.md"),
        "Error reading 'more.md' of skill 'plan': there is no such file"
    );
    assert_eq!(read(&catalog, "notes.md"), "# Notes\n");
}
