//! Effects that a rewind cannot undo.

use super::desk::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::ToolBuf;
use skill_agent::chat::{Chat, Conversations, RewindError};
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};

/// A ledger.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "ledger", actions(Book))]
pub struct Ledger {
    pub lines: Vec<String>,
}

/// Book a line.
#[action]
pub fn book(ledger: &mut Ledger, text: String) -> Result<(), String> {
    if text == "nothing" {
        return Err("nothing to book".to_owned());
    }
    ledger.lines.push(text);
    Ok(())
}

agent! {
    pub struct Bank {
        name: "bank",
        skills: [Ledger],
    }
}

struct Printer;

impl ToolSource for Printer {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let schema = serde_json::json!({ "type": "object" });
        let tool = ToolBuf::new("print", "Print a text.", schema);
        Box::pin(async move { Ok(vec![SourceTool::from(tool)]) })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move { Ok("printed".into()) })
    }
}

async fn open_with(bank: &AgentServer<Bank>) -> (AgentServer<Desk>, Conversations) {
    let server = serve(Memory::default()).await;
    let toolbox = Toolbox::builder().server(&server).server(bank);
    let toolbox = toolbox.source("printer", Printer).build().await.unwrap();
    let build = move |_| Chat::builder(Doer, toolbox.clone());
    let chats = Conversations::open(&server, build).await.unwrap();
    (server, chats)
}

#[timed_test::test]
async fn the_preview_lists_what_stays_and_changes_nothing() {
    let bank = AgentServer::builder(Bank::new()).start().await.unwrap();
    let (server, chats) = open_with(&bank).await;
    say(
        &chats,
        "ann",
        [
            "note a",
            "print x",
            "publish; fetch y; book z; book nothing",
        ],
    )
    .await;
    let preview = chats.preview_rewind("ann", 1).await.unwrap();
    let stays: Vec<_> = preview.stays.iter().map(ToString::to_string).collect();
    assert_eq!(
        stays,
        [
            "the signal `notes.published` was sent",
            "the call of `print` of `printer` had effects outside",
            "the call of `fetch` of `desk` had effects outside",
            "the call of `book` of `bank` had effects outside",
        ]
    );
    assert!(preview.refused.is_none(), "{preview:?}");
    assert_eq!(preview.states.len(), 1);
    assert_eq!(desk(&server).await.0, ["a"]);
    assert_eq!(
        chats.preview_rewind("ann", 3).await.unwrap().states.len(),
        0
    );
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(bank.agent().await.unwrap().state().ledger.lines, ["z"]);
}

#[timed_test::test]
async fn a_turn_that_changed_an_agent_with_another_log_is_refused() {
    let bank = AgentServer::builder(Bank::with_id("bank-1")).store(Memory::default());
    let bank = bank.start().await.unwrap();
    let (server, chats) = open_with(&bank).await;
    say(&chats, "ann", ["note a", "book z", "note b; book nothing"]).await;
    chats.rewind("ann", 3).await.unwrap();
    assert_eq!(desk(&server).await.0, ["a"]);
    let error = chats.rewind("ann", 1).force().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "turns of the conversation `ann` called `book` of the agent `bank`, and its log cannot be taken back together with \
         this one; begin a new conversation with `fork`"
    );
    let preview = chats.preview_rewind("ann", 2).await.unwrap();
    assert!(matches!(
        preview.refused,
        Some(RewindError::OtherAgent { .. })
    ));
    chats.redo("ann").await.unwrap();
}
