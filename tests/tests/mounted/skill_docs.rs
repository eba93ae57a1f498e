//! SKILL.md documents in `Mounted`: documents and skills are in one list and follow the same rules.

use crate::common::json_mutation::cases;
use crate::common::mounted_fixtures::{Auth, Counter, OldAuth, OtherCounter, Search};
use crate::common::mounting_agent::*;
use proptest::prelude::*;
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
fn requirements_must_exist_and_cannot_be_unmounted() {
    let mut skills = Mounted::new();
    let release = || requiring("release", &["auth@^1", "review"]);
    assert_eq!(
        skills.mount_doc(release()).unwrap_err().to_string(),
        "`release` requires `auth`, which is not mounted; mount `auth` first"
    );
    skills.mount::<OldAuth>(&empty()).unwrap();
    assert_eq!(
        skills.mount_doc(release()).unwrap_err().to_string(),
        "`release` requires `auth` in a version that satisfies `^1`, but the available one has 0.9.0"
    );
    skills.replace::<Auth>(&empty()).unwrap();
    skills.mount_doc(doc("review")).unwrap();
    skills.mount_doc(release()).unwrap();

    for required in ["auth", "review"] {
        assert_eq!(
            skills.unmount_named(required).unwrap_err().to_string(),
            format!(
                "`{required}` cannot be unmounted, because `release` requires it; unmount `release` first"
            )
        );
    }
    assert!(skills.replace::<OldAuth>(&empty()).is_err());
    skills.unmount_named("release").unwrap();
    skills.unmount_named("review").unwrap();
    skills.unmount_named("auth").unwrap();
    assert!(skills.is_empty());
}

#[test]
fn a_skill_may_require_a_document() {
    let mut skills = Mounted::new();
    skills.mount_doc(versioned("manners", "1.1.0")).unwrap();
    assert!(matches!(
        skills.mount::<Greeter>(&empty()).unwrap_err(),
        MountError::WrongVersion { found: Some(found), .. } if found == "1.1.0"
    ));
    skills.replace_doc(versioned("manners", "1.3.0")).unwrap();
    skills.mount::<Greeter>(&empty()).unwrap();
    assert!(matches!(
        skills.unmount_named("manners").unwrap_err(),
        MountError::Required { by, .. } if by == "greeter"
    ));
    assert!(skills.replace_doc(versioned("manners", "1.1.0")).is_err());
    assert_eq!(
        skills.doc("manners").unwrap().version.as_deref(),
        Some("1.3.0")
    );
}

#[test]
fn tools_and_toolsets_must_belong_to_mounted_skills() {
    let mut skills = Mounted::new();
    let count_up = || with_tools("count-up", &["increment"]);
    assert_eq!(
        skills.mount_doc(count_up()).unwrap_err().to_string(),
        "the document `count-up` requires the tool `increment`, which neither the agent nor a mounted skill offers; \
         mount a skill that has it first"
    );
    skills.mount::<Counter>(&empty()).unwrap();
    skills.mount_doc(count_up()).unwrap();
    assert!(matches!(
        skills.unmount::<Counter>().unwrap_err(),
        MountError::Required { by, .. } if by == "count-up"
    ));
    assert!(
        skills
            .mount_doc(with_tools("typo", &["incremnt"]))
            .unwrap_err()
            .to_string()
            .ends_with(
                "`incremnt`, which neither the agent nor a mounted skill offers; did you mean `increment`?"
            )
    );
    // an internal action is not a tool
    assert!(matches!(
        skills.mount_doc(with_tools("reset", &["reset"])).unwrap_err(),
        MountError::MissingTool { tool, .. } if tool == "reset"
    ));

    // a document is not offered while a skill that it requires is disabled
    skills.disable("counter").unwrap();
    assert!(skills.is_enabled("count-up"));
    assert!(offered(&skills).is_empty());
    skills.enable("counter").unwrap();
    assert_eq!(offered(&skills), ["count-up"]);

    let mut command = doc("up");
    command.command_tool = Some("increment".into());
    command.invocation_mode = InvocationMode::ToolDispatch;
    skills.mount_doc(command.clone()).unwrap();
    command.id = "down".into();
    command.command_tool = Some("decrement".into());
    assert!(skills.mount_doc(command.clone()).is_err());
    // a document whose command runs a tool is not offered to the model
    assert!(skills.is_enabled("up") && !offered(&skills).contains(&"up"));
    // in another mode, `command_tool` is ignored
    command.invocation_mode = InvocationMode::PromptRewrite;
    skills.mount_doc(command).unwrap();

    let mut toolset = doc("sign-in");
    toolset.toolsets = vec!["toolset.py:Auth".into()].into();
    assert_eq!(
        skills.mount_doc(toolset.clone()).unwrap_err().to_string(),
        "the document `sign-in` names the toolset `Auth`, and no skill of that type is mounted; mount `Auth` first"
    );
    skills.mount::<Auth>(&empty()).unwrap();
    skills.mount_doc(toolset).unwrap();
    assert!(skills.unmount::<Auth>().is_err());
    skills.disable("auth").unwrap();
    assert!(!offered(&skills).contains(&"sign-in"));

    // any mounted skill whose type is named `Auth` satisfies the toolset
    skills.mount::<other::Auth>(&empty()).unwrap();
    assert!(offered(&skills).contains(&"sign-in"));
    skills.unmount::<Auth>().unwrap();
    assert!(skills.unmount::<other::Auth>().is_err());
}

/// A skill whose type is also named `Auth`.
mod other {
    use super::*;

    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[skill(name = "guard", actions(Look))]
    pub struct Auth {}

    /// Return `true`.
    #[action(name = "query")]
    pub fn look(_: &Auth) -> bool {
        true
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
fn a_set_is_mounted_in_order_with_its_requirements_or_not_at_all() {
    let registered = |docs: Vec<SkillDoc>| {
        let mut skills = Mounted::with_registry(Registry::of::<(Search, Counter, Auth)>());
        for doc in docs {
            skills.register_doc(doc).unwrap();
        }
        skills
    };
    let mut manual = requiring("manual", &["search", "notes"]);
    manual.requires_tools = vec!["increment".into()].into();
    manual.toolsets = vec!["a/b.py:Auth".into()].into();
    let mut skills = registered(vec![manual, doc("notes")]);
    let all = ["auth", "search", "notes", "counter", "manual"];
    assert_eq!(skills.resolve(["manual"]).unwrap(), all);
    skills
        .mount_all_named(["manual"], &json!({ "counter": { "step": 3 } }))
        .unwrap();
    assert_eq!(names(&skills), all);
    assert_eq!(skills.state::<Counter>().unwrap().step, 3);

    let mut skills = registered(vec![doc("notes"), with_tools("up", &["increment"])]);
    assert_eq!(
        skills.mount_named("up", &empty()).unwrap_err().to_string(),
        "the document `up` requires the tool `increment`, which neither the agent nor a mounted skill offers; mount `counter` first"
    );
    assert_eq!(
        skills
            .mount_all_named(["notes"], &json!({ "notes": {} }))
            .unwrap_err()
            .to_string(),
        "the options are wrong: `notes`: a document takes no options"
    );

    // if the skill `guard` of the set has the tool, `auth` and `search` are not mounted for it
    let mut skills = Mounted::with_registry(Registry::of::<(Search, other::Auth, Auth)>());
    skills
        .register_doc(with_tools("manual", &["query"]))
        .unwrap();
    assert_eq!(
        skills.resolve(["manual", "guard"]).unwrap(),
        ["guard", "manual"]
    );
    assert_eq!(
        skills.resolve(["manual"]).unwrap(),
        ["auth", "search", "manual"]
    );

    let mut skills = registered(vec![doc("notes"), requiring("manual", &["notes", "atlas"])]);
    assert!(matches!(
        skills.mount_all_named(["notes", "manual"], &empty()).unwrap_err(),
        MountError::MissingDependency { required, .. } if required == "atlas"
    ));
    assert!(skills.is_empty());

    let mut skills = registered(vec![requiring("a", &["b"]), requiring("b", &["a"])]);
    assert_eq!(
        skills
            .mount_all_named(["a"], &empty())
            .unwrap_err()
            .to_string(),
        "skills require each other in a cycle: a -> b -> a; remove one of the `requires`"
    );

    assert_eq!(
        skills
            .mount_doc(requiring("c", &["c"]))
            .unwrap_err()
            .to_string(),
        "skills require each other in a cycle: c -> c; remove one of the `requires`"
    );

    let mut skills = registered(vec![doc("counter"), doc("counter")]);
    assert_eq!(
        skills
            .mount_named("counter", &empty())
            .unwrap_err()
            .to_string(),
        "two entries of the registry have the name `counter`: `mounted::common::mounted_fixtures::Counter` and \
         a document; remove one of them"
    );
    // registering an id again overwrites the earlier document
    let mut skills = registered(vec![doc("notes"), versioned("notes", "2.0.0")]);
    skills.mount_named("notes", &empty()).unwrap();
    assert_eq!(
        skills.doc("notes").unwrap().version.as_deref(),
        Some("2.0.0")
    );
    assert_eq!(
        skills
            .mount_named("note", &empty())
            .unwrap_err()
            .to_string(),
        "no skill or document `note` is in the registry; did you mean `notes`?"
    );
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

/// One step of the property test below. A `usize` is an index into [`NAMES`], except in `Skill`.
#[derive(Clone, Debug)]
enum Step {
    Doc(usize, bool),
    Replace(usize),
    Skill(usize),
    Named(usize),
    Unmount(usize),
    Disable(usize),
    Enable(usize),
    Set(Vec<usize>),
}

const NAMES: [&str; 6] = ["auth", "search", "counter", "release", "review", "count-up"];

/// Returns the document named `NAMES[index]`; `new` selects version 2.0.0 instead of 1.0.0.
fn document(index: usize, new: bool) -> SkillDoc {
    let mut doc = match NAMES[index] {
        "release" => requiring("release", &["review@^1", "auth"]),
        "review" => requiring("review", &["search"]),
        "count-up" => with_tools("count-up", &["increment"]),
        name => doc(name),
    };
    doc.version = Some(if new { "2.0.0" } else { "1.0.0" }.into());
    doc
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = || 0..NAMES.len();
    let step = prop_oneof![
        4 => (index(), any::<bool>()).prop_map(|(index, new)| Step::Doc(index, new)),
        1 => index().prop_map(Step::Replace),
        3 => (0..3_usize).prop_map(Step::Skill),
        2 => index().prop_map(Step::Named),
        3 => index().prop_map(Step::Unmount),
        1 => index().prop_map(Step::Disable),
        1 => index().prop_map(Step::Enable),
        1 => proptest::collection::vec(index(), 1..4).prop_map(Step::Set),
    ];
    proptest::collection::vec(step, 1..30)
}

/// Applies a step. Returns whether it succeeded.
fn apply(skills: &mut Mounted, step: &Step) -> bool {
    match step {
        Step::Doc(index, new) => skills.mount_doc(document(*index, *new)).is_ok(),
        Step::Replace(index) => skills.replace_doc(document(*index, true)).is_ok(),
        Step::Skill(0) => skills.mount::<Auth>(&empty()).is_ok(),
        Step::Skill(1) => skills.mount::<Search>(&empty()).is_ok(),
        Step::Skill(_) => skills.mount::<Counter>(&empty()).is_ok(),
        Step::Named(index) => skills.mount_named(NAMES[*index], &empty()).is_ok(),
        Step::Unmount(index) => skills.unmount_named(NAMES[*index]).is_ok(),
        Step::Disable(index) => skills.disable(NAMES[*index]).is_ok(),
        Step::Enable(index) => skills.enable(NAMES[*index]).is_ok(),
        Step::Set(set) => {
            let set = set.iter().map(|index| NAMES[*index]);
            skills.mount_all_named(set, &empty()).is_ok()
        }
    }
}

/// Checks the rules that every `Mounted` follows, using only its specs and documents.
fn check_invariants(skills: &Mounted) -> Result<(), TestCaseError> {
    let names = names(skills);
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    prop_assert_eq!(unique.len(), names.len());
    let keys: Vec<_> = skills.specs().map(|spec| spec.state_key).collect();
    let state = serde_json::to_value(skills).unwrap();
    prop_assert_eq!(state.as_object().unwrap().keys().collect::<Vec<_>>(), keys);
    for name in &names {
        let Some(doc) = skills.doc(name) else {
            let requires = skills.spec(name).unwrap().requires;
            prop_assert!(requires.is_empty() || names.contains(&"auth"));
            continue;
        };
        for required in doc.requires.iter() {
            let required = required.split('@').next().unwrap();
            prop_assert!(names.contains(&required), "{} without {}", name, required);
        }
        let has_tool = |tool: &str| {
            let mut actions = skills.specs().flat_map(|spec| spec.actions);
            actions.any(|action| action.name == tool)
        };
        let has_tools = doc.requires_tools.iter().all(|tool| has_tool(tool));
        prop_assert!(has_tools);
        let needs_counter = !doc.requires_tools.is_empty();
        let is_offered =
            skills.is_enabled(name) && (!needs_counter || skills.is_enabled("counter"));
        prop_assert_eq!(skills.offered_docs().any(|doc| doc.id == *name), is_offered);
    }
    for name in &names {
        let again = skills.clone().mount_named(name, &empty());
        prop_assert_eq!(
            again.map(|directives| directives.len()).ok(),
            Some(0),
            "{}",
            name
        );
    }
    if let Some(release) = skills.doc("release") {
        prop_assert_eq!(release.requires.len(), 2);
        let review = skills.doc("review").unwrap();
        prop_assert_eq!(review.version.as_deref(), Some("1.0.0"));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn the_rules_always_hold_and_a_failed_step_changes_nothing(steps in steps()) {
        let mut skills = Mounted::with_registry(Registry::of::<(Auth, Search, Counter)>());
        for index in 3..NAMES.len() {
            skills.register_doc(document(index, false)).unwrap();
        }
        for step in &steps {
            let before = skills.clone();
            if !apply(&mut skills, step) {
                prop_assert_eq!(&skills, &before, "{:?}", step);
            }
            check_invariants(&skills)?;
        }
    }
}
