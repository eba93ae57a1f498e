//! Tools of sources and of a catalog: verdicts that are interrupted or cannot be carried out, and activations.

use crate::support::*;
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::chat::{Chat, ChatError, Event, ModelError, Scripted, Stop};
use skill_agent::manifest::selection::{Activations, SelectionPolicy};
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::server::{Applied, ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolError, ToolOutput, ToolSource, Toolbox,
};
use std::path::Path;

/// A disk whose tools wait at a gate, and are away while it is unplugged.
#[derive(Clone)]
pub struct Disk {
    gate: Gate,
    plugged: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl Disk {
    pub fn new(gate: Gate) -> Self {
        let plugged = std::sync::Arc::new(true.into());
        Self { gate, plugged }
    }

    pub fn plug(&self, plugged: bool) {
        let order = std::sync::atomic::Ordering::SeqCst;
        self.plugged.store(plugged, order);
    }
}

impl ToolSource for Disk {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let tool = |name: &str| {
            let schema = json!({ "type": "object", "properties": {} });
            let mut tool = ToolBuf::new(name, "A tool.", schema);
            tool.hints.destructive = name == "erase";
            SourceTool::from(tool)
        };
        Box::pin(async move { Ok(vec![tool("erase"), tool("measure")]) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move {
            if !self.plugged.load(std::sync::atomic::Ordering::SeqCst) {
                return Err(SourceError::unavailable("it is unplugged"));
            }
            Ok(self.gate.pass(call.name).await.into())
        })
    }
}

pub async fn deferring(disk: Disk) -> Toolbox {
    let builder = Toolbox::builder().source("disk", disk);
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
    builder.build().await.unwrap()
}

fn erasing() -> Scripted {
    Scripted::new().calls([("erase", json!({})), ("erase", json!({}))])
}

#[timed_test::test]
async fn an_interrupted_call_of_a_source_has_perhaps_run_and_waits_no_longer() {
    let (gate, mut begun) = gate();
    let model = erasing().text("Perhaps.");
    let builder = Chat::builder(model.clone(), deferring(Disk::new(gate)).await);
    let mut chat = builder.build().unwrap();
    let ids: Vec<String> = {
        let turn = chat.send("Erase it.").await.unwrap();
        turn.pending.into_iter().map(|call| call.id).collect()
    };
    // interrupted before it has begun: it still waits
    let canceller = chat.canceller();
    let turn = chat.stream_decide(&ids[0], true);
    canceller.cancel();
    let turn = turn.finish().await.unwrap();
    assert_eq!((turn.stop, turn.pending.len()), (Stop::Cancelled, 2));

    let turn = tokio::spawn(ended(chat.into_stream_decide(&ids[0], true)));
    begun.recv().await.unwrap();
    canceller.cancel();
    let (ended, mut chat) = turn.await.unwrap();
    assert_eq!(ended.stop, Stop::Cancelled);
    let error = ended.calls[0].result.as_ref().unwrap_err();
    assert_eq!(error.applied(), Applied::Unknown);
    assert!(error.to_string().contains("it was interrupted"), "{error}");
    let left: Vec<&str> = ended.pending.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(left, [ids[1].as_str()]);
    assert_eq!(chat.pending().len(), 1);
    assert_whole(chat.history());
    let deny = Verdict::Deny("no".into());
    let turn = chat.decide(&ids[1], deny).await.unwrap();
    assert_eq!(turn.text(), "Perhaps.");
}

#[timed_test::test]
async fn a_call_whose_source_is_away_still_waits() {
    let (gate, _begun) = gate();
    let disk = Disk::new(gate.clone());
    let model = Scripted::new()
        .calls([("erase", json!({}))])
        .text("Erased.");
    let builder = Chat::builder(model, deferring(disk.clone()).await);
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Erase it.").await.unwrap();
    let id = turn.pending[0].id.clone();
    disk.plug(false);
    let refused = chat.decide(&id, true).await.unwrap_err();
    assert!(matches!(refused, ChatError::Decision { .. }), "{refused}");
    assert!(refused.to_string().contains("it is unplugged"), "{refused}");
    assert_eq!(chat.pending().len(), 1);
    disk.plug(true);
    gate.open("erase");
    assert_eq!(chat.decide(&id, true).await.unwrap().text(), "Erased.");
}

/// A document that allows only the tool `measure`.
fn measuring_in(folder: &Path) -> Source {
    let of_skill = folder.join("measuring");
    std::fs::create_dir_all(&of_skill).unwrap();
    let text = "---\nname: measuring\ndescription: About measuring.\nallowed-tools: measure\n---\nMeasure.\n";
    std::fs::write(of_skill.join("SKILL.md"), text).unwrap();
    Source::project(folder)
}

/// A toolbox with a disk, and a document that allows only its tool `measure`.
async fn restricted(folder: &Path, disk: Disk) -> Toolbox {
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS).source(measuring_in(folder));
    let builder = Toolbox::builder().source("disk", disk);
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
    let catalog = catalog.restrict_tools(true).load();
    builder.catalog(catalog).build().await.unwrap()
}

fn measuring(turns: u32) -> Activations {
    let mut activations = Activations::default();
    let policy = SelectionPolicy::INDEX.period(
        skill_agent::manifest::selection::ActivationPeriod::Turns(turns),
    );
    activations.activate("measuring", &policy).unwrap();
    activations
}

#[timed_test::test]
async fn activations_are_kept_with_the_history() {
    let folder = tempfile::tempdir().unwrap();
    let (gate, _begun) = gate();
    let toolbox = restricted(folder.path(), Disk::new(gate)).await;
    let load = json!({ "skill_name": "measuring" });
    let model = Scripted::new().calls([("skill", load)]).text("Loaded.");
    let mut first = Chat::builder(model, toolbox.clone()).build().unwrap();
    first.send("Load it.").await.unwrap();
    let kept = serde_json::to_string(&first.activations()).unwrap();

    let model = Scripted::new().calls([("erase", json!({}))]).text("No.");
    let builder = Chat::builder(model, toolbox).history(stored(first.history()));
    let builder = builder.activations(serde_json::from_str(&kept).unwrap());
    let mut second = builder.build().unwrap();
    let turn = second.send("Erase it.").await.unwrap();
    let result = turn.calls[0].result.as_ref().unwrap_err();
    assert!(matches!(result, ToolError::Restricted { .. }), "{result}");
}

#[timed_test::test]
async fn each_message_of_the_user_begins_a_turn_of_the_activations() {
    let folder = tempfile::tempdir().unwrap();
    let (gate, _begun) = gate();
    let toolbox = restricted(folder.path(), Disk::new(gate)).await;
    let model = Scripted::new()
        .calls([("skill", json!({ "skill_name": "measuring" }))])
        .text("One.")
        .text("Two.")
        .calls([("no_tool", json!({}))])
        .error(ModelError::Request("a map".into()))
        .text("Three.");
    let builder = Chat::builder(model, toolbox).activations(measuring(9));
    let mut chat = builder.build().unwrap();
    let is_active = |chat: &Chat| chat.activations().is_active("measuring");
    assert!(is_active(&chat));
    drop(chat.stream("Never read."));
    assert!(chat.resume().await.is_err());
    assert_eq!(chat.activations().turns_since_use("measuring"), Some(0));
    chat.send("One?").await.unwrap();
    chat.send("Two?").await.unwrap();
    assert_eq!(chat.activations().turns_since_use("measuring"), Some(1));
    // the rest of a turn begins none
    chat.send("Three?").await.unwrap_err();
    assert_eq!(chat.resume().await.unwrap().text(), "Three.");
    assert_eq!(chat.activations().turns_since_use("measuring"), Some(2));
}

#[timed_test::test]
async fn a_turn_without_a_step_is_no_turn_of_the_activations() {
    let folder = tempfile::tempdir().unwrap();
    let (gate, _begun) = gate();
    let toolbox = restricted(folder.path(), Disk::new(gate)).await;
    let model = Scripted::new()
        .error(ModelError::Request("a map".into()))
        .events([])
        .then_stall()
        .events([])
        .then_stall()
        .calls([("erase", json!({}))])
        .text("Done.")
        .calls([("erase", json!({}))]);
    let builder = Chat::builder(model, toolbox).activations(measuring(1));
    let mut chat = builder.build().unwrap();
    let since = |chat: &Chat| chat.activations().turns_since_use("measuring");
    chat.send("Go.").await.unwrap_err();
    assert_eq!(since(&chat), Some(0));
    let canceller = chat.canceller();
    let mut turn = chat.into_stream("Go.");
    read_until_it_waits(&mut turn);
    canceller.cancel();
    let (turn, chat) = ended(turn).await;
    assert_eq!((turn.returned, since(&chat)), (Some("Go.".into()), Some(0)));
    let mut turn = chat.into_stream("Go.");
    read_until_it_waits(&mut turn);
    let mut chat = turn.into_chat();
    assert_eq!(since(&chat), Some(0));
    let turn = chat.send("Go.").await.unwrap();
    assert_eq!(since(&chat), Some(0));
    let result = turn.calls[0].result.as_ref().unwrap_err();
    assert!(matches!(result, ToolError::Restricted { .. }), "{result}");
    // the turn of the first message is the only one of the activation
    let turn = chat.send("And now?").await.unwrap();
    assert!(!chat.activations().is_active("measuring"));
    assert_eq!(turn.pending.len(), 1);
}

#[timed_test::test]
async fn a_document_is_active_when_its_body_is_in_the_history() {
    let folder = tempfile::tempdir().unwrap();
    let (gate, _begun) = gate();
    let toolbox = restricted(folder.path(), Disk::new(gate)).await;
    let load = || [("skill", json!({ "skill_name": "measuring" }))];
    let model = Scripted::new().calls(load()).calls(load()).text("Loaded.");
    let mut chat = Chat::builder(model, toolbox).build().unwrap();
    let mut turn = chat.stream("Load it.");
    while !matches!(turn.next().await.unwrap().unwrap(), Event::Called(_)) {}
    drop(turn);
    assert_eq!(chat.history().len(), 0);
    assert!(!chat.activations().is_active("measuring"));
    let mut turn = chat.stream("Load it.");
    while !matches!(turn.next().await.unwrap().unwrap(), Event::StepEnd(_)) {}
    drop(turn);
    assert_eq!(chat.history().len(), 3);
    assert!(chat.activations().is_active("measuring"));
}

#[timed_test::test]
async fn a_document_that_an_approved_call_loads_is_active() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS).source(measuring_in(folder.path()));
    let toolbox = Toolbox::builder().catalog(catalog.load());
    let toolbox = toolbox.guard(|_: &Attempt<'_>| Decision::Ask);
    let toolbox = toolbox.approver(|_: ApprovalRequest| async { Verdict::Later });
    let load = json!({ "skill_name": "measuring" });
    let model = Scripted::new().calls([("skill", load)]);
    let model = model.error(ModelError::Request("a map".into()));
    let mut chat = Chat::builder(model, toolbox.build().await.unwrap())
        .build()
        .unwrap();
    let id = chat.send("Load it.").await.unwrap().pending[0].id.clone();
    assert!(!chat.activations().is_active("measuring"));
    chat.decide(&id, true).await.unwrap_err();
    assert!(chat.activations().is_active("measuring"));
}

#[timed_test::test]
async fn a_verdict_that_active_documents_do_not_allow_leaves_the_call_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let (gate, _begun) = gate();
    let toolbox = restricted(folder.path(), Disk::new(gate.clone())).await;
    let model = Scripted::new()
        .calls([("erase", json!({}))])
        .text("Erased.");
    let mut first = Chat::builder(model.clone(), toolbox.clone())
        .build()
        .unwrap();
    let turn = first.send("Erase it.").await.unwrap();
    let id = turn.pending[0].id.clone();
    let builder = Chat::builder(model, toolbox).history(stored(first.history()));
    let mut second = builder.activations(measuring(9)).build().unwrap();
    let refused = second.decide(&id, true).await.unwrap_err().to_string();
    assert!(refused.contains("`measuring` allows only"), "{refused}");
    assert_eq!(second.pending().len(), 1);
    gate.open("erase");
    assert_eq!(first.decide(&id, true).await.unwrap().text(), "Erased.");
}
