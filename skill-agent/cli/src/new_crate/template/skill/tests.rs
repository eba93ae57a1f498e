//! The skill in a small agent, as its users list it.

use skill_agent::prelude::*;
use skill_agent::testing::{assert_contract, assert_skill};

use {library}::*;

agent! {
    pub struct TestAgent {
        name: "test_agent",
        skills: [{Type} { most: 2 }],
    }
}

fn note(subject: &str, note: &str) -> Record {
    Record {
        subject: subject.into(),
        note: note.into(),
    }
}

#[test]
fn the_latest_note_on_a_subject_is_kept() {
    let mut agent = TestAgent::new();
    agent.cmd(note("Oslo", "light rain")).unwrap();
    agent.cmd(note("Oslo", "sun")).unwrap();
    let subject = || "Oslo".to_owned();
    let latest = agent.cmd(Latest { subject: subject() }).unwrap();
    assert_eq!(latest.output.as_deref(), Some("sun"));
    assert!(agent.cmd(Forget { subject: subject() }).unwrap().output);
    assert!(!agent.cmd(Forget { subject: subject() }).unwrap().output);
}

#[test]
fn there_are_as_many_subjects_as_the_agent_allows() {
    let mut agent = TestAgent::new();
    agent.cmd(note("Oslo", "sun")).unwrap();
    agent.cmd(note("Rome", "rain")).unwrap();
    let error = agent.cmd(note("Bonn", "fog")).unwrap_err();
    assert_eq!(error, "there are 2 subjects; forget one first");
}

#[test]
fn a_model_calls_the_tools_by_name() {
    let mut agent = TestAgent::new();
    let record = "{library}_record";
    let output = agent.call_json(record, r#"{"subject":"Oslo","note":"snow"}"#);
    assert_eq!(output.unwrap().output, "1");
    let latest = "{library}_latest";
    let output = agent.call_json(latest, r#"{"subject":"Oslo"}"#);
    assert_eq!(output.unwrap().output, r#""snow""#);
}

#[test]
fn the_skill_is_fit_to_be_listed() {
    assert_skill::<{Type}>();
}

/// After a change that is meant, `UPDATE_CONTRACT=1 cargo test` writes the file; its difference shows what users will notice.
#[test]
fn the_contract_is_kept() {
    assert_contract::<TestAgent>("contract.json");
}
