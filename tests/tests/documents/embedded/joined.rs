//! A skill that is generated together with its document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::manifest::{Catalog, CommandOutcome, Dialect, MountDocs, SkillDoc, Source};
use skill_agent::prelude::*;

/// For the readers of the code.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(manifest = "greeter/SKILL.md", dialect = TRIGGERED)]
struct Greeter {}

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(
    name = "everything",
    manifest = "skills/everything/SKILL.md",
    dialect = AGENT_SKILLS_LENIENT,
    version = "1.2.0",
    description = "Has every key there is. And a second sentence.",
    instructions = "# Everything\n",
    state_key = "all",
    requires("clock@^1", "bell")
)]
pub struct HelloToolset {}

/// Leaves to the document what it does not set.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(manifest = "skills/bare/SKILL.md", dialect = LILY, version = "0.1.0")]
struct Bare {}

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(manifest = "skills/tally/SKILL.md", dialect = LILY, actions(Count))]
struct Tally {
    counted: u64,
}

/// Counts one more.
#[action]
fn count(tally: &mut Tally) -> u64 {
    tally.counted += 1;
    tally.counted
}

static TALLY: SkillDoc = include_skill!("skills/tally/SKILL.md", dialect = LILY);

agent! {
    struct Counter {
        name: "counter",
        skills: [Tally],
        documents: [TALLY],
        allow_skills: true,
    }
}

agent! {
    struct Host {
        name: "host",
        skills: [Greeter, Bare],
    }
}

#[test]
fn a_skill_takes_unset_values_from_its_document() {
    let spec = Greeter::SPEC;
    assert_eq!((spec.name, spec.state_key), ("greeter", "greeter"));
    assert_eq!(spec.description, Some("Greets somebody."));
    assert_eq!(spec.version, Some("1.0.0"));
    assert_eq!(spec.instructions, Some("# Greeter\n\nSay hello."));
    assert_eq!(spec.triggers.keywords, ["hello"]);
    assert_eq!(spec.triggers.verbs, ["greet"]);
    assert_eq!(spec.triggers.patterns, ["greet\\s+\\w+"]);
}

#[test]
fn equal_values_are_no_contradiction_and_requirements_are_merged() {
    let spec = HelloToolset::SPEC;
    assert_eq!((spec.name, spec.state_key), ("everything", "all"));
    assert_eq!(spec.instructions, Some("# Everything\n"));
    assert_eq!(spec.requires, ["clock@^1", "bell"]);
}

#[test]
fn a_document_takes_unset_values_from_its_skill() {
    let spec = Bare::SPEC;
    assert_eq!(spec.name, "bare");
    assert_eq!(spec.version, Some("0.1.0"));
    assert_eq!(
        spec.description,
        Some("Leaves to the document what it does not set.")
    );
}

#[test]
fn an_agent_describes_skills_by_their_documents() {
    let described = Host::describe();
    assert_eq!(
        described["skills"][0]["triggers"],
        json!({ "keywords": ["hello"], "verbs": ["greet"], "patterns": ["greet\\s+\\w+"], "paths": [] })
    );
    assert_eq!(
        described["skills"][1]["triggers"],
        json!({ "keywords": [], "verbs": [], "patterns": [], "paths": [] })
    );
}

#[test]
fn an_agent_lists_a_skill_and_its_document() {
    let mut catalog = Catalog::builder(Dialect::LILY).agent::<Counter>().load();
    assert!(catalog.diagnostics().is_empty() && catalog.get("tally").is_some());
    let CommandOutcome::Dispatch {
        action, arguments, ..
    } = catalog.command("/count").unwrap()
    else {
        panic!("`/count` is dispatched");
    };
    let mut agent = Counter::new();
    assert_eq!(agent.call_json(&action, &arguments).unwrap().output, "1");
}

#[test]
fn no_other_document_takes_the_name_of_a_skill_with_a_document() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("tally")).unwrap();
    let other = "---\nsummary: Something else.\n---\n# Other\n";
    std::fs::write(folder.path().join("tally/SKILL.md"), other).unwrap();
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(folder.path()))
        .agent::<Counter>()
        .load();
    // nor does the bundled document replace it, as for any document of a lower source
    assert!(catalog.get("tally").is_none());
    let reported = catalog.diagnostics().iter();
    let codes: Vec<_> = reported
        .map(|diagnostic| diagnostic.code.as_str())
        .collect();
    assert_eq!(codes, ["precedence_conflict", "reserved_id"]);
}

static BARE: SkillDoc = include_skill!("skills/bare/SKILL.md", dialect = LILY);

agent! {
    struct Registrar {
        name: "registrar",
        documents: [BARE],
        mounted: [Tally, Bare],
    }
}

#[test]
fn a_skill_mounts_next_to_the_document_that_it_was_generated_from() {
    let mut registrar = Registrar::new();
    let skills = registrar.mounted_mut();
    skills.mount::<Tally>(&json!({})).unwrap();
    skills.mount_named("bare", &json!({})).unwrap();
    let spec = skills.spec("tally").unwrap();
    assert_eq!(spec.description, Some(&*TALLY.summary));
    assert_eq!(skills.call_json("count", "{}").unwrap().output, "1");
    assert_eq!(
        serde_json::to_value(&*skills).unwrap(),
        json!({ "tally": { "counted": 1 }, "bare": {} })
    );

    // the agent lists the document, so nothing else can take its name
    skills.unmount::<Bare>().unwrap();
    assert_eq!(
        skills.mount_doc(BARE.clone()).unwrap_err().to_string(),
        "the agent already lists a document `bare`; remove one of them, or give one of them another name"
    );
    let mut other = BARE.clone();
    other.id = "BARE".into();
    assert!(matches!(
        skills.mount_doc(other),
        Err(MountError::Listed { .. })
    ));

    // and a document that requires it is satisfied
    let mut reader = BARE.clone();
    reader.id = "reader".into();
    reader.requires = vec!["bare".into()].into();
    skills.mount_doc(reader.clone()).unwrap();
    reader.id = "writer".into();
    reader.requires = vec!["bare@^1".into()].into();
    assert_eq!(
        skills.mount_doc(reader).unwrap_err().to_string(),
        "`writer` requires `bare` in a version that satisfies `^1`, but the available one has no version"
    );
}
