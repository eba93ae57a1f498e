//! Mounted skills in the next build: other options, other schemas, and removed ones.

mod alike;
mod dark;
mod disabled_documents;
mod limited;
mod new;
mod old;
mod reshaped;

use super::recorded_traces::Traces;
use super::{chain, kill, start};
use serde_json::json;
use skill_agent::manifest::{Dialect, MountDocs, SkillDoc, check};
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::{Memory, Store};

fn old(store: impl Store) -> AgentServerBuilder<old::Desk> {
    AgentServer::builder(old::Desk::with_id("desk-1")).store(store)
}

fn new(store: impl Store) -> AgentServerBuilder<new::Desk> {
    AgentServer::builder(new::Desk::with_id("desk-1")).store(store)
}

fn dark(store: impl Store) -> AgentServerBuilder<dark::Desk> {
    AgentServer::builder(dark::Desk::with_id("desk-1")).store(store)
}

/// A desk with a lamp that was mounted with `options`, and a tally.
async fn leave(options: serde_json::Value) -> Memory {
    let memory = Memory::default();
    let server = start(old(memory.clone())).await;
    server.mount("lamp", options).await.unwrap();
    server.call_json("shine", "{}").await.unwrap();
    server.mount("tally", json!({})).await.unwrap();
    server.call_json("count", r#"{"number":7}"#).await.unwrap();
    kill(server).await;
    memory
}

#[timed_test::test]
async fn a_configuration_that_json_cannot_hold_comes_back() {
    let memory = leave(json!({ "colour": "red" })).await;
    let server = start(old(memory)).await;
    assert!(server.recovery().other_configuration.is_empty());
    let said = server.call_json("shine", "{}").await.unwrap();
    assert_eq!(said, r#""red inf""#);
}

#[timed_test::test]
async fn a_disabled_skill_is_disabled_after_a_restart_until_it_is_enabled() {
    let memory = leave(json!({})).await;
    let server = start(old(memory.clone())).await;
    server.disable("lamp").await.unwrap();
    kill(server).await;
    for _ in 0..2 {
        // the first restart is from a record, the second from a snapshot
        let server = start(old(memory.clone())).await;
        let refused = server.call_json("shine", "{}").await.unwrap_err();
        assert!(
            refused.to_string().contains("the skill `lamp` is disabled"),
            "{refused}"
        );
        let agent = server.agent().await.unwrap();
        assert_eq!(agent.mounted().state::<old::Lamp>().unwrap().times, 1);
        server.stop().await.unwrap();
    }
    let server = start(old(memory.clone())).await;
    server.enable("lamp").await.unwrap();
    kill(server).await;
    let server = start(old(memory)).await;
    let said = server.call_json("shine", "{}").await.unwrap();
    assert_eq!(said, r#""white inf""#);
}

#[timed_test::test]
async fn skills_that_were_replaced_or_mounted_together_come_back() {
    let memory = Memory::default();
    let server = start(old(memory.clone())).await;
    let options = json!({ "lamp": { "colour": "red" } });
    server.mount_all(["lamp", "tally"], options).await.unwrap();
    kill(server).await;
    let server = start(old(memory.clone())).await;
    let said = server.call_json("shine", "{}").await.unwrap();
    assert_eq!(said, r#""red inf""#);
    let green = json!({ "colour": "green" });
    server.replace("lamp", green).await.unwrap();
    kill(server).await;
    let server = start(old(memory)).await;
    let agent = server.agent().await.unwrap();
    assert_eq!(
        agent.mounted().names().collect::<Vec<_>>(),
        ["lamp", "tally"]
    );
    assert_eq!(agent.mounted().state::<old::Lamp>().unwrap().times, 0);
    let said = server.call_json("shine", "{}").await.unwrap();
    assert_eq!(said, r#""green inf""#);
}

#[timed_test::test]
async fn the_defaults_are_those_of_the_new_build() {
    let memory = leave(json!({})).await;
    let server = start(new(memory)).await;
    assert!(server.recovery().other_configuration.is_empty());
    let said = server.call_json("shine", "{}").await.unwrap();
    assert_eq!(said, r#""yellow 3 2""#);
}

#[timed_test::test]
async fn options_that_are_not_taken_any_more_are_reported_and_kept() {
    let memory = leave(json!({ "colour": "red" })).await;
    for times in [2, 3] {
        let server = start(new(memory.clone())).await;
        assert_eq!(server.recovery().other_configuration, ["lamp"]);
        let said = server.call_json("shine", "{}").await.unwrap();
        assert_eq!(said, format!(r#""yellow 3 {times}""#));
        kill(server).await;
    }
}

#[timed_test::test]
async fn a_state_with_numbers_as_keys_is_taken_over_by_restore() {
    let memory = leave(json!({})).await;
    let server = start(new(memory.clone())).await;
    assert_eq!(server.recovery().migrated, ["tally"]);
    let agent = server.agent().await.unwrap();
    let tally = agent.mounted().state::<new::Tally>().unwrap();
    assert_eq!(tally.by_name["7"], 1);
}

#[timed_test::test]
async fn a_field_of_a_mounted_skill_is_forgotten_by_its_name_or_by_its_state_key() {
    for skill in ["tally", "sums"] {
        let memory = leave(json!({})).await;
        let desk = || reshaped::Desk::with_id("desk-1");
        let builder = || AgentServer::builder(desk()).store(memory.clone());
        let refused = chain(&builder().start().await.unwrap_err());
        assert!(
            refused.contains(
                "the state of `tally` was stored by version 1.0.0 and does not fit version 1.1.0: `by_number` is stored and not read; \
                 read it under its new name with `#[serde(alias = \"by_number\")]`, drop it with `AgentServer::builder(...).forget(\"skills.sums.by_number\")`, or implement `Hooks::restore`"
            ),
            "{refused}"
        );
        let field = format!("skills.{skill}.by_number");
        let server = start(builder().forget(&field)).await;
        assert_eq!(server.recovery().forgotten, [field]);
        assert_eq!(server.recovery().other_schema, ["tally"]);
        let agent = server.agent().await.unwrap();
        assert_eq!(agent.mounted().state::<old::Lamp>().unwrap().times, 1);
    }
}

#[timed_test::test]
async fn a_mounted_skill_that_is_gone_is_missed_until_it_is_forgotten() {
    let memory = leave(json!({})).await;
    let refused = chain(&dark(memory.clone()).start().await.unwrap_err());
    assert!(refused.contains(r#".forget("skills.lamp")"#), "{refused}");
    let traces = Traces::record();
    let server = start(dark(memory.clone()).forget("skills.lamp")).await;
    let [warning] = &traces.take_warnings("key")[..] else {
        panic!("one warning for one dropped state");
    };
    assert!(warning.contains("skills.lamp"), "{warning}");
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.mounted().names().collect::<Vec<_>>(), ["tally"]);
    assert_eq!(
        agent.mounted().state::<old::Tally>().unwrap().by_number[&7],
        1
    );
    kill(server).await;
    // it is forgotten for good
    let server = start(dark(memory.clone())).await;
    kill(server).await;
    let server = start(old(memory.clone()).forget("skills.sums")).await;
    assert!(server.agent().await.unwrap().mounted().is_empty());
}

/// A document with this body: one version of the file.
fn manual(body: &str) -> SkillDoc {
    let text = format!("---\nname: manual\ndescription: Says how.\n---\n{body}\n");
    let report = check(&text, &Dialect::AGENT_SKILLS);
    let mut doc = report.doc().unwrap().clone();
    doc.requires_tools = vec!["shine".into()].into();
    doc
}

/// The first build, with a document that can be mounted.
fn with_manual(store: impl Store, body: &str) -> AgentServerBuilder<old::Desk> {
    let mut desk = old::Desk::with_id("desk-1");
    desk.mounted_mut().register_doc(manual(body)).unwrap();
    AgentServer::builder(desk).store(store)
}

#[timed_test::test]
async fn a_mounted_document_comes_back_as_the_registry_has_it() {
    let memory = leave(json!({})).await;
    let server = start(with_manual(memory.clone(), "Switch it on.")).await;
    server.mount("manual", json!({})).await.unwrap();
    let refused = server.unmount("lamp").await.unwrap_err().to_string();
    assert!(
        refused.contains("because `manual` requires it"),
        "{refused}"
    );
    kill(server).await;

    let server = start(with_manual(memory.clone(), "Press the button.")).await;
    let agent = server.agent().await.unwrap();
    let names: Vec<_> = agent.mounted().names().collect();
    assert_eq!(names, ["lamp", "tally", "manual"]);
    assert_eq!(
        agent.mounted().doc("manual").unwrap().body,
        "Press the button."
    );
    assert_eq!(agent.mounted().state::<old::Lamp>().unwrap().times, 1);
    kill(server).await;

    // a folder that is gone is missed, as a skill is
    let refused = chain(&old(memory.clone()).start().await.unwrap_err());
    assert!(
        refused.contains(
            "no skill or document `manual` is in the registry; register the document before the start, \
             or give it up with `.forget(\"skills.manual\")`"
        ),
        "{refused}"
    );
    let server = start(old(memory.clone()).forget("skills.manual")).await;
    let agent = server.agent().await.unwrap();
    assert_eq!(
        agent.mounted().names().collect::<Vec<_>>(),
        ["lamp", "tally"]
    );
}

#[timed_test::test]
async fn a_stored_skill_is_not_restored_as_a_document() {
    let memory = leave(json!({})).await;
    let mut desk = dark::Desk::with_id("desk-1");
    let mut lamp = manual("Switch it on.");
    lamp.id = "lamp".into();
    desk.mounted_mut().register_doc(lamp).unwrap();
    let builder = AgentServer::builder(desk).store(memory);
    let refused = chain(&builder.start().await.unwrap_err());
    assert!(
        refused.contains(
            "`lamp` was a skill and is a document now; register it under another name, or give it up with `.forget(\"skills.lamp\")`"
        ),
        "{refused}"
    );
}

#[timed_test::test]
async fn a_document_that_is_called_like_a_skill_comes_back_as_a_document() {
    let memory = Memory::default();
    let desk = || {
        let mut desk = old::Desk::with_id("desk-1");
        let mut lamp = manual("Switch it on.");
        lamp.id = "lamp".into();
        lamp.requires_tools = Vec::new().into();
        desk.mounted_mut().register_doc(lamp.clone()).unwrap();
        (desk, lamp)
    };
    let (mut first, lamp) = desk();
    first.mounted_mut().mount_doc(lamp).unwrap();
    let server = start(AgentServer::builder(first).store(memory.clone())).await;
    server.mount("tally", json!({})).await.unwrap();
    kill(server).await;

    let server = start(AgentServer::builder(desk().0).store(memory.clone())).await;
    let agent = server.agent().await.unwrap();
    assert_eq!(
        agent.mounted().doc("lamp").unwrap().body.trim(),
        "Switch it on."
    );
    // it is there already
    server.mount("lamp", json!({})).await.unwrap();
    server.unmount("lamp").await.unwrap();
    let refused = server.mount("lamp", json!({})).await.unwrap_err();
    assert!(refused.to_string().contains("remove one of them"));
}

#[timed_test::test]
async fn skills_whose_actions_clash_now_are_not_both_taken_back() {
    let memory = leave(json!({})).await;
    let desk = || AgentServer::builder(alike::Desk::with_id("desk-1")).store(memory.clone());
    let refused = chain(&desk().start().await.unwrap_err());
    assert!(
        refused.contains(
            "the action `shine` of the skill `tally` has the same name as an action of `lamp`"
        ) && refused.contains("or give `tally` up with `.forget(\"skills.tally\")`"),
        "{refused}"
    );
    let server = start(desk().forget("skills.tally")).await;
    assert_eq!(
        server.call_json("shine", "{}").await.unwrap(),
        "\"white inf\""
    );
}

#[timed_test::test]
async fn options_that_are_null_are_those_of_a_skill() {
    let memory = Memory::default();
    let walker =
        || AgentServer::builder(limited::Walker::with_id("walker-1")).store(memory.clone());
    let server = start(walker()).await;
    server.mount("limited", json!(null)).await.unwrap();
    server.call_json("step", "{}").await.unwrap();
    kill(server).await;
    let server = start(walker()).await;
    assert_eq!(server.call_json("step", "{}").await.unwrap(), "2");
}

#[timed_test::test]
async fn a_skill_mounted_before_the_start_is_kept() {
    let memory = leave(json!({})).await;
    for _ in 0..2 {
        let mut desk = old::Desk::with_id("desk-1");
        let mut notes = manual("Write it down.");
        notes.requires_tools = Vec::new().into();
        desk.mounted_mut().mount_doc(notes).unwrap();
        let server = start(AgentServer::builder(desk).store(memory.clone())).await;
        // what was stored is what holds
        let agent = server.agent().await.unwrap();
        assert!(agent.mounted().is_mounted("lamp"));
        server.mount("manual", json!({})).await.unwrap();
        kill(server).await;
    }
}

#[timed_test::test]
async fn a_reading_whose_requirements_are_not_met_any_more_is_missed_until_it_is_forgotten() {
    let memory = leave(json!({})).await;
    let server = start(with_manual(memory.clone(), "Switch it on.")).await;
    server.mount("manual", json!({})).await.unwrap();
    kill(server).await;

    let mut desk = old::Desk::with_id("desk-1");
    let mut changed = manual("Look it up.");
    changed.requires = vec!["atlas".into()].into();
    desk.mounted_mut().register_doc(changed).unwrap();
    let builder = AgentServer::builder(desk).store(memory.clone());
    let refused = chain(&builder.start().await.unwrap_err());
    assert!(
        refused.contains(
            "`manual` requires `atlas`, which is not mounted; mount `atlas` first; \
             or give `manual` up with `.forget(\"skills.manual\")`"
        ),
        "{refused}"
    );

    // it needs the lamp, which is given up
    let without_lamp = with_manual(memory.clone(), "Switch it on.").forget("skills.lamp");
    let refused = chain(&without_lamp.start().await.unwrap_err());
    assert!(refused.contains("give `manual` up"), "{refused}");
    let without_both = with_manual(memory.clone(), "Switch it on.")
        .forget("skills.lamp")
        .forget("skills.manual");
    let server = start(without_both).await;
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.mounted().names().collect::<Vec<_>>(), ["tally"]);
}
