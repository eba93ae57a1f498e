//! An agent, its skill and a source of tools with one name.

use crate::sources::{Disk, deferring};
use crate::support::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::chat::{Chat, ChatError, Scripted, Stop};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::Toolbox;

/// A disk of an agent, which has its name.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "disk", actions(Erase))]
pub struct DiskSkill {}

/// Erase the disk.
#[action]
pub async fn erase(_: &DiskSkill, gate: &Gate) -> String {
    gate.pass("erase").await
}

agent! {
    pub struct DiskAgent {
        name: "disk",
        skills: [DiskSkill],
    }
}

async fn served(gate: &Gate) -> AgentServer<DiskAgent> {
    let builder = AgentServer::builder(DiskAgent::new());
    let builder = builder.resources(Gates { gate: gate.clone() });
    let builder = builder
        .guard(|_: &Attempt<'_>| Decision::Ask)
        .approver(|_: ApprovalRequest| async { Verdict::Later });
    builder.start().await.unwrap()
}

fn erasing() -> Scripted {
    let model = Scripted::new().calls([("erase", json!({}))]);
    model.text("Erased.")
}

/// The skill and the action of a request for a tool of a source are the names of the source and the tool.
#[timed_test::test]
async fn an_interrupted_action_still_waits_also_if_its_agent_and_its_skill_have_one_name() {
    let (gate, mut begun) = gate();
    let server = served(&gate).await;
    let chat = Chat::builder(erasing(), Toolbox::of(&server)).build();
    let mut chat = chat.unwrap();
    let id = chat.send("Erase it.").await.unwrap().pending[0].id.clone();
    let canceller = chat.canceller();
    let turn = tokio::spawn(ended(chat.into_stream_decide(&id, true)));
    begun.recv().await.unwrap();
    canceller.cancel();
    let (ended, mut chat) = turn.await.unwrap();
    assert_eq!((ended.stop, ended.calls.len()), (Stop::Cancelled, 0));
    assert_eq!(chat.pending().len(), 1);
    // the cancelled action may still take the first of them in its grace period
    gate.open("erase");
    gate.open("erase");
    assert_eq!(chat.decide(&id, true).await.unwrap().text(), "Erased.");
}

/// The tool is now that of another one with the same names, which has not made the request.
#[timed_test::test]
async fn a_request_is_decided_by_none_but_the_one_that_made_it() {
    let (gate, _begun) = gate();
    let server = served(&gate).await;
    let of_server = async || Toolbox::of(&server);
    let of_source = async || deferring(Disk::new(gate.clone())).await;
    let (first, other) = (of_server().await, of_source().await);
    let refused = decided_elsewhere(first, other).await;
    assert_eq!(
        refused,
        "it was changed, or sealed by a server, by another toolbox or with another secret; a toolbox knows requests from before \
         its start only by `Toolbox::builder().approval_secret(...)`"
    );
    let (first, other) = (of_source().await, of_server().await);
    let refused = decided_elsewhere(first, other).await;
    assert_eq!(
        refused,
        "it was changed, or sealed by a toolbox, by another agent or with another secret; a server without a store knows requests \
         from before its start only by `AgentServer::builder(...).approval_secret(...)`"
    );
}

async fn decided_elsewhere(first: Toolbox, other: Toolbox) -> String {
    let mut chat = Chat::builder(erasing(), first).build().unwrap();
    let id = chat.send("Erase it.").await.unwrap().pending[0].id.clone();
    let kept = stored(chat.history());
    let other = Chat::builder(erasing(), other).history(kept.clone());
    let mut other = other.build().unwrap();
    let refused = other.decide(&id, true).await;
    assert_eq!(other.history(), kept);
    match refused {
        Err(ChatError::Decision { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}
