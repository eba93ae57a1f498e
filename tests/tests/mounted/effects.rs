//! Skills that the agent refuses for what their actions do: those with a forbidden hint, and those with which data could leak.

use crate::errors::chain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::policy::DataFlow;
use skill_agent::core::spec::Hint;
use skill_agent::core::{CallError, MountError, Mounted};
use skill_agent::prelude::*;
use skill_agent::store::Memory;

/// Mail of a person.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mailbox", actions(Inbox, Mail))]
pub struct Mailbox {
    /// How much was sent.
    pub sent: u32,
}

/// Read the mail.
#[action(reads_sensitive)]
pub fn inbox(_: &Mailbox) {}

/// Send mail.
#[action(sends_out)]
pub fn mail(mailbox: &mut Mailbox) {
    mailbox.sent += 1;
}

/// Web pages.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "web", actions(Fetch))]
pub struct Web {}

/// Read a page.
#[action(reads_untrusted, open_world)]
pub fn fetch(_: &Web) {}

/// Deletes files, also by an action that no model sees.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shredder", actions(Shred, ShredAll))]
pub struct Shredder {}

/// Delete a file.
#[action(destructive)]
pub fn shred(_: &mut Shredder) {}

/// Delete everything.
#[action(destructive, internal)]
pub fn shred_all(_: &mut Shredder) {}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Clerk {
        name: "clerk",
        forbid: [destructive],
        skills: [Mailbox],
        mounted: [],
    }
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Reader {
        name: "reader",
        state: { asked: u32 },
        actions: [Learn],
        mounted: [Mailbox, Web],
    }
}

/// Mount a skill.
#[action]
pub fn learn(
    reader: &mut ReaderBase,
    cx: &mut Context<ReaderBase>,
    skill: String,
) -> Result<(), CallError> {
    reader.asked += 1;
    cx.mount(skill, &json!({}));
    Ok(())
}

/// The build before the rule.
mod allowing {
    use super::*;

    agent! {
        pub struct Reader {
            name: "reader",
            allow_data_flow: "everything was tried on a machine without secrets",
            mounted: [Mailbox, Web],
        }
    }
}

const FORBIDDEN: &str = "the agent `clerk` forbids actions of the skill `mounted::effects::Shredder`: `shred` (`destructive`), \
     `shred_all` (`destructive`); remove the skill, or take `destructive` out of `forbid: [...]`";
const LEAK: &str = "data can leak from the agent `clerk`: `inbox` of the skill `mounted::effects::Mailbox` reads sensitive data, \
     `fetch` of the skill `mounted::effects::Web` reads untrusted content, and `mail` of the skill `mounted::effects::Mailbox` \
     sends data out; remove one of them, or write `allow_data_flow: \"reason\"` in `agent!`";

type Operation = fn(&mut Mounted) -> Result<Vec<Directive>, MountError>;

/// Every operation that mounts `S`.
fn operations<S: Skill>() -> [(&'static str, Operation); 2] {
    [
        ("mount", |skills| skills.mount::<S>(&json!({}))),
        ("mount_all", |skills| skills.mount_all::<(S,)>(&json!({}))),
    ]
}

#[test]
fn a_skill_with_a_forbidden_action_is_not_mounted() {
    let mut clerk = Clerk::new();
    let before = clerk.clone();
    for (name, mount) in operations::<Shredder>() {
        let error = mount(clerk.mounted_mut()).unwrap_err();
        assert_eq!(error.to_string(), FORBIDDEN, "{name}");
        let MountError::Forbidden { skill, actions, .. } = error else {
            panic!("{name}: {error:?}");
        };
        assert_eq!((&*skill, actions.actions.len()), ("shredder", 2));
        assert_eq!(actions.actions[1].name, "shred_all");
        assert_eq!(actions.actions[1].hints, [Hint::Destructive]);
        assert_eq!(clerk, before, "{name}");
    }
}

#[test]
fn a_skill_with_which_data_could_leak_is_not_mounted() {
    let mut clerk = Clerk::new();
    let before = clerk.clone();
    for (name, mount) in operations::<Web>() {
        let error = mount(clerk.mounted_mut()).unwrap_err();
        assert_eq!(error.to_string(), LEAK, "{name}");
        let MountError::DataFlow { skill, flow, .. } = error else {
            panic!("{name}: {error:?}");
        };
        assert_eq!(
            (&*skill, flow.actions),
            ("web", ["inbox", "fetch", "mail"].map(String::from))
        );
        assert_eq!(clerk, before, "{name}");
    }
    let missing: Vec<_> = DataFlow::of_agent::<Clerk>().kinds().collect();
    assert_eq!(missing, [Hint::ReadsSensitive, Hint::SendsOut]);
    assert_eq!(clerk.mounted().data_flow(), DataFlow::of_agent::<Clerk>());
}

#[test]
fn an_agent_that_allows_the_data_flow_mounts_the_skill_that_completes_it() {
    let mut reader = allowing::Reader::new();
    reader.mounted_mut().mount::<Mailbox>(&json!({})).unwrap();
    reader.mounted_mut().mount::<Web>(&json!({})).unwrap();
    assert!(reader.mounted().data_flow().is_complete());
    assert!(!DataFlow::of_agent::<allowing::Reader>().is_complete());
}

#[test]
fn skills_without_an_agent_are_mounted_whatever_they_do() {
    let mut skills = Mounted::new();
    skills
        .mount_all::<(Mailbox, Web, Shredder)>(&json!({}))
        .unwrap();
}

/// Mounts a skill of the same name in place of `Web`.
mod replaced {
    use super::*;

    /// Pages of this machine.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "web", actions(Open))]
    pub struct LocalWeb {}

    /// Open a page.
    #[action]
    pub fn open(_: &LocalWeb) {}
}

#[test]
fn a_skill_is_not_replaced_by_one_with_which_data_could_leak() {
    let mut clerk = Clerk::new();
    let skills = clerk.mounted_mut();
    skills.mount::<replaced::LocalWeb>(&json!({})).unwrap();
    let before = clerk.clone();
    let error = clerk.mounted_mut().replace::<Web>(&json!({})).unwrap_err();
    assert_eq!(error.to_string(), LEAK);
    assert_eq!(clerk, before);
}

#[test]
fn a_disabled_skill_counts_when_it_is_enabled_again() {
    let mut reader = Reader::new();
    let skills = reader.mounted_mut();
    skills.mount::<Web>(&json!({})).unwrap();
    skills.disable("web").unwrap();
    skills.mount::<Mailbox>(&json!({})).unwrap();
    let before = reader.clone();
    let error = reader.mounted_mut().enable("web").unwrap_err();
    assert_eq!(error.to_string(), LEAK.replace("clerk", "reader"));
    assert_eq!(reader, before);
    reader.mounted_mut().disable("mailbox").unwrap();
    assert_eq!(reader.mounted_mut().enable("web").unwrap().len(), 1);
}

#[test]
fn a_set_of_skills_is_mounted_as_a_whole_or_not_at_all() {
    let mut reader = Reader::new();
    let error = reader
        .mounted_mut()
        .mount_all_named(["mailbox", "web"], &json!({}))
        .unwrap_err();
    assert_eq!(error.to_string(), LEAK.replace("clerk", "reader"));
    assert!(reader.mounted().is_empty());
}

#[test]
fn a_state_does_not_bring_skills_with_which_data_could_leak() {
    let state = json!({ "asked": 7, "skills": { "mailbox": {}, "web": {} } });
    let mut reader = Reader::new();
    let leak = LEAK.replace("clerk", "reader");
    let errors = [
        reader.set(&state).unwrap_err(),
        reader.replace_state_json(&state.to_string()).unwrap_err(),
        Reader::validate(&state).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.to_string(), format!("`skills.web`: {leak}"));
    }
    assert_eq!(reader, Reader::new());
}

#[test]
fn an_action_that_mounts_such_a_skill_fails_and_changes_nothing() {
    let mut reader = Reader::new();
    reader.call_json("learn", r#"{"skill":"mailbox"}"#).unwrap();
    let before = reader.clone();
    let error = reader.call_json("learn", r#"{"skill":"web"}"#).unwrap_err();
    assert!(
        error.to_string().contains(&LEAK.replace("clerk", "reader")),
        "{error}"
    );
    assert_eq!(reader, before);
}

#[timed_test::test]
async fn a_server_refuses_such_a_skill_and_does_not_restore_it() {
    let leak = LEAK.replace("clerk", "reader");
    let memory = Memory::default();
    let builder = AgentServer::builder(Reader::with_id("reader-1")).store(memory.clone());
    let server = builder.start().await.unwrap();
    server.mount("mailbox", json!({})).await.unwrap();
    let error = server.mount("web", json!({})).await.unwrap_err();
    assert_eq!(error.to_string(), leak);
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.mounted().names().collect::<Vec<_>>(), ["mailbox"]);
    server.stop().await.unwrap();

    let builder = AgentServer::builder(allowing::Reader::with_id("reader-2")).store(memory.clone());
    let server = builder.start().await.unwrap();
    server.mount("mailbox", json!({})).await.unwrap();
    server.mount("web", json!({})).await.unwrap();
    server.stop().await.unwrap();
    let start = || AgentServer::builder(Reader::with_id("reader-2")).store(memory.clone());
    let error = start().start().await.unwrap_err();
    let text = chain(&error);
    let cure = format!("{leak}; or give `web` up with `.forget(\"skills.web\")`");
    assert!(text.contains(&cure), "{text}");
    let server = start().forget("skills.web").start().await.unwrap();
    assert!(
        server
            .agent()
            .await
            .unwrap()
            .mounted()
            .is_mounted("mailbox")
    );
}
