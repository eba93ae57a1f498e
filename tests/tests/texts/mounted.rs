//! References in the instructions of skills that are mounted at run time.

use crate::skills::*;
use serde_json::{Value, json};
use skill_agent::core::Registry;
use skill_agent::prelude::*;

agent! {
    #[derive(Debug)]
    struct Host {
        name: "host",
        skills: [Notes as left],
        mounted: [Journal, Lost, LostByHand, Notes],
    }
}

fn nothing() -> Value {
    json!({})
}

/// The message and the reference of the error.
fn unresolved(result: Result<Vec<Directive>, MountError>) -> (String, String) {
    let error = result.unwrap_err();
    let MountError::UnresolvedReference { reference, .. } = &error else {
        panic!("{error}");
    };
    (error.to_string(), reference.to_string())
}

#[test]
fn references_of_a_mounted_skill_become_the_names_of_tools() {
    let mut skills = Mounted::new();
    skills.mount::<Notes>(&nothing()).unwrap();
    skills.mount::<Journal>(&nothing()).unwrap();
    skills.mount::<Braces>(&nothing()).unwrap();
    let journal = "End the day with `record`, after `begin`.";
    assert_eq!(skills.instructions("journal").as_deref(), Some(journal));
    let braces = "Use {Record} and {{Record}}.";
    assert_eq!(skills.instructions("braces").as_deref(), Some(braces));
    assert_eq!(skills.instructions("nothing"), None);
    let written = skills.spec("notes").and_then(|spec| spec.instructions);
    assert_eq!(written, Some(SOURCE));
}

#[test]
fn a_tool_of_the_agent_has_its_alias() {
    let mut host = Host::new();
    host.mounted_mut().mount::<Journal>(&nothing()).unwrap();
    let journal = "End the day with `left_record`, after `begin`.";
    assert_eq!(
        host.mounted().instructions("journal").as_deref(),
        Some(journal)
    );
}

#[test]
fn a_reference_that_leads_nowhere_refuses_the_mount() {
    let mut host = Host::new();
    let before = host.state_value().unwrap();
    let (message, reference) = unresolved(host.mounted_mut().mount::<Lost>(&nothing()));
    assert_eq!(
        message,
        "`{Recrod}` in the instructions of `texts::skills::Lost` is an action neither of the skill nor of those that it requires; \
         did you mean `{Record}`?"
    );
    assert_eq!(reference, "Recrod");
    let (message, _) = unresolved(host.mounted_mut().mount::<LostByHand>(&nothing()));
    assert_eq!(
        message,
        "`{Record}` in the instructions of `lost_by_hand` is no action of the skill; name its skill in \
         `requires`, or write `{{Record}}` for the text `{Record}`"
    );
    assert_eq!(host.state_value().unwrap(), before);
}

#[test]
fn a_second_instance_of_a_required_skill_is_refused() {
    let mut host = Host::new();
    host.mounted_mut().mount::<Journal>(&nothing()).unwrap();
    let (message, _) = unresolved(host.mounted_mut().mount::<Notes>(&nothing()));
    let expected = "`{Record}` in the instructions of `texts::skills::Journal` is the struct of two tools, `left_record` and \
                    `record` of the skills `left` and `notes`; list one of them only, or write the name of a tool instead of \
                    `{Record}`";
    assert_eq!(message, expected);
    // in the other order
    let mut host = Host::new();
    host.mounted_mut().mount::<Notes>(&nothing()).unwrap();
    let (message, _) = unresolved(host.mounted_mut().mount::<Journal>(&nothing()));
    assert_eq!(message, expected);
}

#[test]
fn a_state_cannot_bring_a_second_instance_of_a_required_skill() {
    let mut host = Host::new();
    host.mounted_mut().mount::<Journal>(&nothing()).unwrap();
    let before = host.state_value().unwrap();
    let error = host
        .set(&json!({ "skills": { "notes": {} } }))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("is the struct of two tools, `left_record` and `record`"),
        "{error}"
    );
    assert_eq!(host.state_value().unwrap(), before);
}

#[test]
fn a_replacement_without_the_tool_is_refused() {
    let mut skills = Mounted::with_registry(Registry::of::<(NewNotes, Journal)>());
    skills.mount::<Notes>(&nothing()).unwrap();
    skills.mount::<Journal>(&nothing()).unwrap();
    let (message, _) = unresolved(skills.replace::<NewNotes>(&nothing()));
    assert!(
        message.contains("neither of the skill nor of those that it requires"),
        "{message}"
    );
    let text = skills.instructions("journal").unwrap();
    assert!(text.contains("`record`"), "{text}");
}

#[test]
fn a_state_cannot_bring_a_skill_with_such_a_reference() {
    let error = Host::from_state_json(r#"{ "skills": { "lost": {} } }"#).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("did you mean `{Record}`?"), "{message}");
}

#[test]
fn a_description_has_the_names_that_tools_would_have() {
    let description = Host::describe();
    let texts: Vec<_> = description["mounted"].as_array().unwrap().iter().collect();
    // `Notes` may be mounted too, and then `{Record}` would lead to two tools
    assert_eq!(
        texts[0]["instructions"],
        "End the day with `{Record}`, after `{Begin}`."
    );
    assert_eq!(
        texts[3]["instructions"],
        "Write with `record`, and remove with `undo`. {Record}, {record}, {\"A\": 1}."
    );
}
