//! SKILL.md documents in `Mounted`: documents and skills are in one list and follow the same rules.

mod laws;
mod requirements;
mod sets;

use crate::common::mounted_fixtures::{Auth, Counter, OldAuth, OtherCounter, Search};
use crate::common::mounting_agent::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::Registry;
use skill_agent::manifest::{Dialect, InvocationMode, MountDocs, SkillDoc, check};
use skill_agent::prelude::*;

fn doc(id: &str) -> SkillDoc {
    let text = "---\nname: placeholder\ndescription: A document.\n---\n";
    let report = check(text, &Dialect::AGENT_SKILLS);
    let mut doc = report.doc().unwrap().clone();
    doc.id = id.to_owned().into();
    doc.body = format!("Do {id}.").into();
    doc
}

fn requiring(id: &str, requires: &[&str]) -> SkillDoc {
    let mut doc = doc(id);
    doc.requires = requires
        .iter()
        .map(|requirement| (*requirement).to_owned().into())
        .collect();
    doc
}

fn with_tools(id: &str, tools: &[&str]) -> SkillDoc {
    let mut doc = doc(id);
    doc.requires_tools = tools.iter().map(|tool| (*tool).to_owned().into()).collect();
    doc
}

fn versioned(id: &str, version: &str) -> SkillDoc {
    let mut doc = doc(id);
    doc.version = Some(version.to_owned().into());
    doc
}

fn empty() -> Value {
    json!({})
}

fn names(skills: &Mounted) -> Vec<&str> {
    skills.names().collect()
}

fn offered(skills: &Mounted) -> Vec<&str> {
    skills.offered_docs().map(|doc| &*doc.id).collect()
}

/// A skill that requires a document.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "greeter", requires("manners@^1.2"))]
struct Greeter {}

#[test]
fn skills_and_documents_share_one_list() {
    let mut skills = Mounted::new();
    skills.mount_doc(doc("plan")).unwrap();
    skills.mount::<Counter>(&empty()).unwrap();
    skills.mount_doc(doc("review")).unwrap();
    assert_eq!(names(&skills), ["plan", "counter", "review"]);
    assert_eq!(skills.len(), 3);
    assert_eq!(offered(&skills), ["plan", "review"]);
    assert_eq!(skills.doc("plan").unwrap().body, "Do plan.");
    assert_eq!(skills.specs().count(), 1);
    assert!(skills.spec("plan").is_none() && skills.options("plan").is_none());
    assert!(skills.doc("counter").is_none());
    let tools = skills.tools();
    let tools: Vec<_> = tools.iter().map(|tool| tool.name).collect();
    assert_eq!(tools, ["increment"]);

    // mounting the same document again changes nothing
    skills.mount_doc(doc("plan")).unwrap();
    assert_eq!(skills.len(), 3);

    skills.disable("plan").unwrap();
    assert!(skills.is_mounted("plan") && !skills.is_enabled("plan"));
    assert_eq!(offered(&skills), ["review"]);
    assert!(skills.doc("plan").is_some());
    assert_eq!(skills.docs().count(), 2);
    skills.enable("plan").unwrap();
    assert_eq!(offered(&skills), ["plan", "review"]);

    assert_eq!(skills.unmount_named("plan").unwrap().len(), 0);
    assert_eq!(names(&skills), ["counter", "review"]);
    assert!(skills.registrations().len() > 1);
}

#[test]
fn a_document_has_no_state_no_configuration_and_no_signals() {
    let mut skills = Mounted::new();
    skills.mount_doc(doc("plan")).unwrap();
    skills.mount::<Counter>(&empty()).unwrap();
    let state = json!({ "counter": { "count": 0, "step": 1 } });
    assert_eq!(serde_json::to_value(&skills).unwrap(), state);
    let error = skills.set(&json!({ "plan": {} })).unwrap_err();
    assert_eq!(error.to_string(), "`plan`: a document has no state");

    let signal = Signal::new("count.up", empty());
    assert!(skills.deliver_to("plan", &signal).unwrap().is_none());
    assert!(skills.deliver(&signal).unwrap().is_some());

    skills.register_doc(doc("review")).unwrap();
    let refused = |options| {
        let mut skills = skills.clone();
        skills
            .mount_named("review", &options)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(json!({ "depth": 2 })),
        "the options of `review` are wrong: `review.depth`: a document takes no options"
    );
    assert_eq!(
        refused(json!(null)),
        "the options of `review` are wrong: `review`: expected an object"
    );
}

#[test]
fn clones_are_independent() {
    let mut skills = Mounted::new();
    skills.mount_doc(doc("plan")).unwrap();
    let before = skills.clone();
    assert_eq!(skills, before);
    skills.disable("plan").unwrap();
    assert_ne!(skills, before);
    skills.enable("plan").unwrap();
    skills.replace_doc(versioned("plan", "2.0.0")).unwrap();
    assert_ne!(skills, before);
    assert_eq!(
        skills.doc("plan").unwrap().version.as_deref(),
        Some("2.0.0")
    );
    assert!(format!("{skills:?}").contains("Do plan."));
}

#[test]
fn a_name_can_be_mounted_only_once() {
    let mut skills = Mounted::new();
    skills.mount_doc(doc("counter")).unwrap();
    assert_eq!(
        skills.mount::<Counter>(&empty()).unwrap_err().to_string(),
        "the name `counter` belongs to the mounted document, not to `mounted::common::mounted_fixtures::Counter`; \
         unmount that one first, or `replace` it"
    );
    assert_eq!(
        skills
            .mount_doc(versioned("counter", "2.0.0"))
            .unwrap_err()
            .to_string(),
        "a different document `counter` is already mounted; replace it, or unmount it first"
    );
    for alike in ["Counter", "\u{ff43}ounter"] {
        assert_eq!(
            skills.mount_doc(doc(alike)).unwrap_err().to_string(),
            format!(
                "the name `{alike}` is too similar to that of the mounted document `counter`; give one of them another name"
            )
        );
    }
    assert_eq!(names(&skills), ["counter"]);

    let directives = skills.replace::<OtherCounter>(&empty()).unwrap();
    assert_eq!(directives.len(), 1, "the action of the skill is registered");
    assert_eq!(
        skills.mount_doc(doc("COUNTER")).unwrap_err().to_string(),
        "the name `counter` belongs to the mounted `mounted::common::mounted_fixtures::OtherCounter`, not to a document; \
         unmount that one first, or `replace` it"
    );
    let directives = skills.replace_doc(doc("counter")).unwrap();
    assert!(
        matches!(&directives[..], [Directive::DeregisterAction { action, .. }] if action == "tally")
    );
    assert_eq!(offered(&skills), ["counter"]);

    let error = skills.replace_doc(doc("cuonter")).unwrap_err().to_string();
    assert_eq!(
        error,
        "no skill or document `cuonter` is mounted; did you mean `counter`?"
    );
}

#[test]
fn an_invalid_id_is_refused() {
    let mut skills = Mounted::new();
    for (id, why) in [
        ("", "the document has no valid id: the id `` is blank"),
        (
            "a\nb",
            "the document has no valid id: the id `a\\nb` has a control character",
        ),
    ] {
        assert_eq!(skills.mount_doc(doc(id)).unwrap_err().to_string(), why);
        assert_eq!(skills.register_doc(doc(id)).unwrap_err().to_string(), why);
        assert_eq!(skills.replace_doc(doc(id)).unwrap_err().to_string(), why);
    }
}

#[test]
fn only_replace_doc_changes_the_version_of_a_mounted_document() {
    let mut skills = Mounted::new();
    skills.mount_doc(versioned("review", "1.0.0")).unwrap();
    skills.register_doc(versioned("review", "2.0.0")).unwrap();
    // `review` is already mounted, so mounting it by name keeps the mounted version, as for a skill
    skills.mount_named("review", &empty()).unwrap();
    assert_eq!(skills.resolve(["review"]).unwrap().len(), 0);
    let version = |skills: &Mounted| skills.doc("review").unwrap().version.clone();
    assert_eq!(version(&skills).as_deref(), Some("1.0.0"));

    skills.disable("review").unwrap();
    skills.replace_doc(versioned("review", "3.0.0")).unwrap();
    assert_eq!(version(&skills).as_deref(), Some("3.0.0"));
    assert!(
        !skills.is_enabled("review"),
        "a disabled document stays disabled"
    );
    let deliver = skills.deliver_to("review", &Signal::new("a", empty()));
    assert_eq!(
        deliver.unwrap_err().to_string(),
        "`review` is disabled; enable it first"
    );

    skills.unmount_named("review").unwrap();
    skills.mount_named("review", &empty()).unwrap();
    assert_eq!(version(&skills).as_deref(), Some("3.0.0"));
}

agent! {
    struct Gate {
        name: "gate",
        skills: [Auth as login],
        mounted: [Search, Counter],
    }
}

#[test]
fn a_mounted_document_does_not_shadow_a_skill_of_the_agent() {
    let mut gate = Gate::new();
    let skills = gate.mounted_mut();
    // `search` requires `auth@^1`: the listed skill `auth` satisfies it, the mounted document does not
    skills.mount::<Search>(&empty()).unwrap();
    skills.mount_doc(versioned("auth", "0.1.0")).unwrap();
    skills.mount::<Counter>(&empty()).unwrap();
    skills.replace::<Counter>(&empty()).unwrap();
    skills.unmount_named("auth").unwrap();

    // not a cycle: the document `auth` requires `search`, which requires the listed skill `auth`
    skills
        .mount_doc(requiring("auth", &["search", "auth@^1"]))
        .unwrap();
    assert!(skills.unmount::<Search>().is_err());
    skills.replace::<Counter>(&empty()).unwrap();
    skills.unmount_named("auth").unwrap();
    skills.unmount::<Search>().unwrap();
}

#[test]
fn an_action_mounts_a_document_by_name() {
    let mut agent = MountingAgent::new();
    let skills = agent.mounted_mut();
    skills
        .register_doc(with_tools("count-up", &["increment", "enable"]))
        .unwrap();
    skills
        .register_doc(requiring("guide", &["manager"]))
        .unwrap();
    assert!(matches!(
        skills.mount_doc(doc("Manager")).unwrap_err(),
        MountError::NameTaken { owner, .. } if owner.ends_with("::Manager")
    ));

    let enable = |skill: &str| Enable {
        skill: skill.into(),
        options: empty(),
    };
    let refused = agent.cmd(enable("count-up")).unwrap();
    assert!(
        matches!(&refused.directives[..], [Directive::Error { message, .. }] if message.contains("the tool `increment`"))
    );
    agent.cmd(enable("counter")).unwrap();
    agent.cmd(enable("count-up")).unwrap();
    agent.cmd(enable("guide")).unwrap();
    assert_eq!(names(agent.mounted()), ["counter", "count-up", "guide"]);
    assert_eq!(
        agent
            .cmd(Disable {
                skill: "counter".into()
            })
            .unwrap()
            .directives
            .len(),
        1,
        "the error that a document requires `counter`"
    );
    assert!(agent.mounted().is_mounted("counter"));
    agent
        .cmd(Disable {
            skill: "count-up".into(),
        })
        .unwrap();
    agent
        .cmd(Disable {
            skill: "counter".into(),
        })
        .unwrap();
    assert_eq!(names(agent.mounted()), ["guide"]);
    assert_eq!(state(&agent)["skills"], empty());
}
