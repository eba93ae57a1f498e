//! Tools that wait for a document, and documents that restrict tools.

use crate::catalog_surface::support::{Notes, folder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::{Catalog, CatalogBuilder, Dialect, Source, ToolAccess};
use skill_agent::prelude::*;
use tempfile::TempDir;

/// Rings.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "bell", actions(Ring))]
pub struct Bell {}

/// Ring the bell.
#[action]
pub fn ring(_: &Bell) {}

agent! {
    pub struct Porter {
        name: "porter",
        actions: [Greet],
        skills: [Notes, Bell, Bell as gong],
    }
}

/// Greet a guest.
#[action]
pub fn greet(_: &PorterBase) {}

fn porter(
    skills: &[(&str, &str)],
    build: impl Fn(CatalogBuilder) -> CatalogBuilder,
) -> (TempDir, Catalog) {
    let skills: Vec<(&str, String)> = skills
        .iter()
        .map(|(id, keys)| {
            (
                *id,
                format!("---\nname: {id}\ndescription: d\n{keys}\n---\n"),
            )
        })
        .collect();
    let skills: Vec<(&str, &str)> = skills.iter().map(|(id, text)| (*id, &**text)).collect();
    let folder = folder(&skills);
    let builder = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(folder.path()))
        .agent::<Porter>()
        .allow_skills(true);
    let catalog = build(builder).load();
    (folder, catalog)
}

fn text(catalog: &Catalog, tool: &str, active: &[&str]) -> String {
    catalog
        .tool_access(tool, |id| active.contains(&id))
        .to_string()
}

const ALLOWED: &str = "the tool can be called";

#[test]
fn the_tools_of_a_toolset_wait_for_one_of_its_documents() {
    let (_folder, catalog) = porter(
        &[
            ("ringing", "toolsets: ['toolsets/bell:Bell']"),
            ("striking", "toolsets: ['x:Bell', 'y:Bell', 'z:Notes']"),
            ("other", "license: MIT"),
        ],
        |builder| builder,
    );
    // both instances of the type
    for tool in ["ring", "gong_ring"] {
        assert_eq!(
            text(&catalog, tool, &["other"]),
            format!(
                "the tool `{tool}` cannot be called yet; activate one of the skills `ringing`, `striking` first"
            )
        );
        for active in ["ringing", "striking"] {
            assert_eq!(text(&catalog, tool, &[active]), ALLOWED);
        }
    }
    let access = catalog.tool_access("take_note", |id| id == "ringing");
    let ToolAccess::ActivateFirst {
        tool, documents, ..
    } = &access
    else {
        panic!("{access:?}");
    };
    assert_eq!(
        (&**tool, &documents[..]),
        ("take_note", &["striking".into()][..])
    );
    assert_eq!(
        access.to_string(),
        "the tool `take_note` cannot be called yet; activate the skill `striking` first"
    );
    // the agent's own, unknown ones, and that of the catalog
    for tool in ["greet", "nothing", "skill"] {
        assert!(catalog.tool_access(tool, |_| false).is_allowed(), "{tool}");
    }
}

#[test]
fn a_document_that_is_not_offered_owns_no_tools() {
    let owner = "toolsets: ['toolsets/bell:Bell']";
    let dispatching = format!("{owner}\ninvocation_mode: tool_dispatch\ncommand_tool: ring");
    let of_nobody = format!("{owner}\ndisable-model-invocation: true\nuser-invocable: false");
    let docs = [
        ("off", owner),
        ("direct", &dispatching),
        ("dead", &of_nobody),
    ];
    let (folder, mut catalog) = porter(&docs, |builder| builder.disabled(["off"]));
    assert!(catalog.tool_access("ring", |_| false).is_allowed());
    catalog.enable("off").unwrap();
    assert!(!catalog.tool_access("ring", |_| false).is_allowed());
    std::fs::remove_dir_all(folder.path().join("off")).unwrap();
    catalog.reload();
    assert!(catalog.tool_access("ring", |_| false).is_allowed());
}

#[test]
fn documents_that_only_people_activate_are_named_if_there_are_no_others() {
    let owner = "toolsets: ['toolsets/bell:Bell']";
    let manual = format!("{owner}\ndisable-model-invocation: true");
    let (_folder, catalog) = porter(&[("a", &manual), ("b", owner)], |builder| builder);
    assert!(text(&catalog, "ring", &[]).ends_with("activate the skill `b` first"));
    assert_eq!(text(&catalog, "ring", &["a"]), ALLOWED);
    let (_folder, catalog) = porter(&[("a", &manual)], |builder| builder);
    assert!(text(&catalog, "ring", &[]).ends_with("activate the skill `a` first"));
}

const RESTRICTING: [(&str, &str); 4] = [
    ("writing", "allowed-tools: take_note set_mood"),
    ("bells", "allowed-tools: ring, take_note, Bash(greet)"),
    ("free", "license: MIT"),
    ("set", "allowed-tools: set_mood\ntoolsets: ['x:Bell']"),
];

#[test]
fn allowed_tools_restrict_only_if_the_program_says_so() {
    let (_folder, catalog) = porter(&RESTRICTING, |builder| builder);
    assert_eq!(text(&catalog, "greet", &["writing", "bells"]), ALLOWED);
    assert_eq!(catalog.check_active_tools(|_| true), None);

    let (_folder, catalog) = porter(&RESTRICTING, |builder| builder.restrict_tools(true));
    assert_eq!(catalog.diagnostics(), []);
    assert_eq!(text(&catalog, "greet", &[]), ALLOWED);
    assert_eq!(text(&catalog, "greet", &["free"]), ALLOWED);
    assert_eq!(
        text(&catalog, "take_note", &["writing", "bells", "free"]),
        ALLOWED
    );
    assert_eq!(text(&catalog, "skill", &["writing", "bells"]), ALLOWED);
    assert_eq!(
        text(&catalog, "set_mood", &["writing", "bells"]),
        "the tool `set_mood` cannot be called: the active skill `bells` allows only other tools"
    );
    let access = catalog.tool_access("greet", |id| id != "set");
    let ToolAccess::Restricted { tool, by, .. } = &access else {
        panic!("{access:?}");
    };
    assert_eq!(
        (&**tool, &by[..]),
        ("greet", &["bells".into(), "writing".into()][..])
    );
    // an inactive owner is not proposed if activating it would not help
    assert!(
        text(&catalog, "ring", &["writing"])
            .contains("the active skill `writing` allows only other tools")
    );
}

#[test]
fn documents_that_allow_no_tool_together_are_a_diagnostic() {
    let (_folder, catalog) = porter(&RESTRICTING, |builder| builder.restrict_tools(true));
    let check = |active: &[&str]| catalog.check_active_tools(|id| active.contains(&id));
    for active in [
        &[][..],
        &["free"],
        &["writing", "bells"],
        &["writing", "set"],
    ] {
        assert_eq!(check(active), None, "{active:?}");
    }
    let why = check(&["bells", "set", "free"]).unwrap();
    assert_eq!(
        why.to_string(),
        "warning[no_allowed_tools]: no tool can be called while `bells`, `set` are active: no tool is in the `allowed-tools` of all; \
         deactivate one of them"
    );

    let docs = [
        ("none", "allowed-tools: []"),
        ("foreign", "allowed-tools: Read, Bash(git:*)"),
        ("some", "allowed-tools: Read ring"),
    ];
    let (_folder, catalog) = porter(&docs, |builder| builder);
    assert_eq!(catalog.diagnostics(), []);
    let (_folder, catalog) = porter(&docs, |builder| builder.restrict_tools(true));
    let said: Vec<_> = catalog
        .diagnostics()
        .iter()
        .map(|why| &*why.message)
        .collect();
    assert_eq!(
        said,
        [
            "no tool can be called while `foreign` is active: its `allowed-tools` has none of the tools",
            "no tool can be called while `none` is active: its `allowed-tools` has none of the tools",
        ]
    );
    assert!(catalog.check_active_tools(|id| id == "none").is_some());
}

#[test]
fn names_from_a_model_are_shown_in_one_line() {
    let (_folder, catalog) = porter(&[("none", "allowed-tools: []")], |builder| {
        builder.restrict_tools(true)
    });
    let text = text(
        &catalog,
        &format!("a\n\u{202e}{}", "b".repeat(1_000)),
        &["none"],
    );
    assert!(
        !text.contains(['\n', '\u{202e}']) && text.len() < 200,
        "{text}"
    );
}
