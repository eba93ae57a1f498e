//! Skills that are mounted by `set`.

use crate::support::signal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::ApprovalRequest;

/// A skill that can be mounted.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "gong", actions(Strike))]
pub struct Gong {
    pub strikes: u32,
}

/// Strike the gong.
#[action(on("gong.strike"))]
pub fn strike(gong: &mut Gong) -> u32 {
    gong.strikes += 1;
    gong.strikes
}

/// Mounts and unmounts by actions and signals.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "porter",
    actions(Carry, CarryLater, CarryThen, Ask),
    signals("porter.hook"),
    hooks
)]
pub struct Porter {
    pub asked: u32,
}

/// Mount a skill.
#[action(on("porter.carry"))]
pub fn carry(porter: &mut Porter, cx: &mut Context<Porter>, skill: String) {
    porter.asked += 1;
    cx.mount(skill, &json!({}));
}

/// Mount a skill from an async action.
#[action(on("porter.carry_later"))]
pub async fn carry_later(_: &Porter, cx: &mut Context<Porter>, skill: String) {
    cx.then(Ask {});
    cx.mount(skill, &json!({}));
}

/// Mount a skill by an action that an async action queues.
#[action]
pub async fn carry_then(_: &Porter, cx: &mut Context<Porter>, skill: String) {
    cx.then(Carry { skill });
}

/// Count.
#[action(internal)]
pub fn ask(porter: &mut Porter) {
    porter.asked += 1;
}

impl Hooks for Porter {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        let skill = signal.data()["skill"].as_str().unwrap_or_default();
        if signal.data()["strikes"] == true {
            cx.run(Instruction::new("carry", json!({ "skill": skill })));
            cx.run(Instruction::new("strike", json!({})));
            return Ok(Handled::Done);
        }
        self.asked += 1;
        cx.mount(skill, &json!({})); // borrowed from the signal
        Ok(Handled::Done)
    }
}

agent! {
    /// Can mount `gong`.
    pub struct GongAgent {
        name: "gong_agent",
        skills: [Porter],
        mounted: [Gong],
    }
}

#[timed_test::test]
async fn a_mount_that_fails_fails_the_command_and_undoes_it() {
    let server = AgentServer::builder(GongAgent::new());
    let server = server.start().await.unwrap();
    let skill = || "gnog".to_owned();
    let data = || json!({ "skill": "gnog" });
    let carry = server.call(Carry { skill: skill() }).await.unwrap_err();
    assert!(matches!(carry, ServeError::Mount(_)), "{carry:?}");
    let later = server
        .call(CarryLater { skill: skill() })
        .await
        .unwrap_err();
    let then = server.call(CarryThen { skill: skill() }).await.unwrap_err();
    let by_name = server.call_json("carry", data().to_string()).await;
    let later_by_name = server.call_json("carry_later", data().to_string()).await;
    let mut errors = vec![
        carry.to_string(),
        later.to_string(),
        then.to_string(),
        by_name.unwrap_err().to_string(),
        later_by_name.unwrap_err().to_string(),
    ];
    for ty in ["porter.carry", "porter.carry_later", "porter.hook"] {
        let error = server.request(Signal::new(ty, data())).await.unwrap_err();
        let source = std::error::Error::source(&error).map(ToString::to_string);
        errors.push(format!("{error} {source:?}"));
    }
    let reason = "no skill or document `gnog` is in the registry; did you mean `gong`?";
    for error in errors {
        assert!(error.contains(reason), "{error}");
    }
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().porter.asked, 0, "every command was undone");
    assert!(agent.mounted().is_empty());
    server
        .call(Carry {
            skill: "gong".into(),
        })
        .await
        .unwrap();
    assert_eq!(server.request(signal("gong.strike")).await.unwrap(), 1);
}

agent! {
    /// Has an empty `mounted` list.
    pub struct EmptyMountedList {
        name: "empty_mounted_list",
        mounted: [],
    }
}

agent! {
    /// Has no `mounted` list.
    pub struct NoMountedList {
        name: "no_mounted_list",
    }
}

#[timed_test::test]
async fn the_routes_of_a_skill_mounted_by_set_work_immediately() {
    let server = AgentServer::builder(GongAgent::new())
        .start()
        .await
        .unwrap();
    assert!(server.request(signal("gong.strike")).await.is_err());
    let patch = json!({ "skills": { "gong": { "strikes": 4 } } });
    server.set(patch.clone()).await.unwrap();
    assert_eq!(server.request(signal("gong.strike")).await.unwrap(), 5);
    // A skill that is already mounted does not get a second route.
    server.set(patch).await.unwrap();
    assert_eq!(server.request(signal("gong.strike")).await.unwrap(), 5);
    server.unmount("gong").await.unwrap();
    assert!(server.request(signal("gong.strike")).await.is_err());
}

#[timed_test::test]
async fn mounting_in_an_agent_without_mountable_skills_is_an_error_with_the_cure() {
    let server = AgentServer::builder(NoMountedList::new())
        .start()
        .await
        .unwrap();
    let error = server.mount("gong", json!({})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the agent `no_mounted_list` has no mountable skills, so `gong` cannot be mounted or unmounted; write `mounted: [...]` in its `agent!`"
    );
    let server = AgentServer::builder(EmptyMountedList::new())
        .start()
        .await
        .unwrap();
    let error = server.mount("gong", json!({})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no skill or document `gong` is in the registry"
    );
}

#[timed_test::test]
async fn an_instruction_cannot_run_an_action_that_one_before_it_mounts() {
    let server = AgentServer::builder(GongAgent::new());
    let server = server.start().await.unwrap();
    let data = json!({ "skill": "gong", "strikes": true });
    let error = server.request(Signal::new("porter.hook", data)).await;
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("`gong` is not mounted, so `strike` cannot be called"),
        "{error}"
    );
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().porter.asked, 0);
    assert!(agent.mounted().is_empty());
}

#[timed_test::test]
async fn a_call_that_waits_for_approval_does_not_run_another_action_of_its_name() {
    let (tx, mut requests) = tokio::sync::mpsc::unbounded_channel();
    let approver = move |_: ApprovalRequest| {
        let (answer, answered) = tokio::sync::oneshot::channel();
        tx.send(answer).unwrap();
        async move { answered.await.unwrap_or(false) }
    };
    let builder = AgentServer::builder(GongAgent::new()).approver(approver);
    let server = builder.ask_when::<Strike>(|_| true).start().await.unwrap();
    for is_mounted_again in [false, true] {
        server.mount("gong", json!({})).await.unwrap();
        let waiting = tokio::spawn({
            let server = server.clone();
            async move { server.call_json("strike", "{}").await }
        });
        let answer = requests.recv().await.unwrap();
        server.unmount("gong").await.unwrap();
        if is_mounted_again {
            server.mount("gong", json!({})).await.unwrap();
        }
        answer.send(true).unwrap();
        let struck = waiting.await.unwrap();
        assert_eq!(struck.is_ok(), is_mounted_again, "{struck:?}");
    }
}
