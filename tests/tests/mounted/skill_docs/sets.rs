//! Mounting sets of documents and skills from the registry.

use super::requirements::other;
use super::*;

/// Returns a `Mounted` that has three skills and these documents in its registry.
fn registered(docs: Vec<SkillDoc>) -> Mounted {
    let mut skills = Mounted::with_registry(Registry::of::<(Search, Counter, Auth)>());
    for doc in docs {
        skills.register_doc(doc).unwrap();
    }
    skills
}

#[test]
fn a_set_is_mounted_in_order_with_its_requirements() {
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
}

#[test]
fn a_missing_tool_or_an_option_of_a_document_is_an_error() {
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
}

#[test]
fn no_skill_is_mounted_for_a_tool_that_the_set_has_already() {
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
}

#[test]
fn a_set_without_a_requirement_is_not_mounted_at_all() {
    let mut skills = registered(vec![doc("notes"), requiring("manual", &["notes", "atlas"])]);
    assert!(matches!(
        skills.mount_all_named(["notes", "manual"], &empty()).unwrap_err(),
        MountError::MissingDependency { required, .. } if required == "atlas"
    ));
    assert!(skills.is_empty());
}

#[test]
fn documents_that_require_each_other_in_a_cycle_are_refused() {
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
}

#[test]
fn a_name_of_a_skill_and_a_document_in_the_registry_is_refused() {
    let mut skills = registered(vec![doc("counter"), doc("counter")]);
    assert_eq!(
        skills
            .mount_named("counter", &empty())
            .unwrap_err()
            .to_string(),
        "two entries of the registry have the name `counter`: `mounted::common::mounted_fixtures::Counter` and \
         a document; remove one of them"
    );
}

#[test]
fn registering_an_id_again_replaces_the_document() {
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
