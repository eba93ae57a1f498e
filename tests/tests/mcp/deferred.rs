//! An MCP server whose tools the model of a chat loads on demand.

use crate::far::client_of_toolbox;
use crate::support::*;
use serde_json::json;
use skill_agent::chat::{Chat, Deferred, Scripted};
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;

#[timed_test::test]
async fn a_model_loads_a_remote_and_calls_its_tools() {
    let office = AgentServer::builder(Office::new()).resources(Tools::default());
    let office = office.start().await.unwrap();
    let client = client_of_toolbox(Toolbox::of(&office)).await;
    let client = client.allow(["add_note"]);
    let toolbox = Toolbox::builder()
        .mcp("far", client)
        .deferred("Keeps notes in another place.");
    let toolbox = toolbox.build().await.unwrap();
    let model = Scripted::new()
        .calls([("far__add_note", json!({ "text": "early" }))])
        .calls([("skill", json!({ "skill_name": "far" }))])
        .calls([("far__add_note", json!({ "text": "milk" }))])
        .text("I noted milk.");
    let builder = Chat::builder(model.clone(), toolbox).deferred(Deferred::Hidden);
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Note milk.").await.unwrap();
    assert_eq!(turn.text(), "I noted milk.");
    let early = turn.calls[0].result.as_ref().unwrap_err().to_string();
    assert_eq!(
        early,
        "load `far` with the tool `skill` first, and then call `far__add_note`"
    );
    assert_eq!(turn.calls[2].result.as_ref().unwrap().text(), "1");
    let requests = model.requests();
    let names = |index: usize| -> Vec<&str> {
        let tools = requests[index].tools.iter();
        tools.map(|tool| &*tool.name).collect()
    };
    assert_eq!(names(0), ["skill"]);
    assert!(names(2).contains(&"far__add_note"), "{:?}", names(2));
    // what the person sees is what the remote keeps
    let desk = office.agent().await.unwrap();
    assert_eq!(desk.state().desk.notes, ["milk"]);
}
